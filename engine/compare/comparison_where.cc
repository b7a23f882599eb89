#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_names.h"
#include "engine/compare/comparison_sections.h"
#include "engine/report/human_numbers.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxFieldRows = 30;  // JSON and CSV have all

double Contribution(const ComparedRow& field) { return field.contribution.value_or(0); }

// Returns the fields to show, those that changed the mean most: none in which no record changed.
std::vector<const ComparedRow*> ShownFields(const std::vector<ComparedRow>& fields) {
  std::vector<const ComparedRow*> shown;
  for (const ComparedRow& field : fields) {
    if (field.mean.wins + field.mean.losses > 0) shown.push_back(&field);
  }
  if (shown.size() <= kMaxFieldRows) return shown;
  std::ranges::stable_sort(shown, std::greater(),
                           [](const ComparedRow* field) { return std::abs(Contribution(*field)); });
  shown.resize(kMaxFieldRows);
  std::ranges::sort(shown);  // in their order
  return shown;
}

TextRow PartRow(const std::string& part, std::uint64_t records, double contribution) {
  return {part, "", WithThousands(records), "", "", "", Signed(contribution)};
}

}  // namespace

Section WhereItWent(const ScorerComparison& scorer, const std::string& of) {
  Section section{.kind = Section::Kind::kWhere, .title = of + ": where it went", .left_columns = 2};
  if (scorer.fields.empty() && scorer.outcomes.empty()) return section;
  section.rows.push_back({"part", "verdict", "records", "base", "now", "difference", "of the mean"});
  double sum = 0;
  double rest = 0;
  for (const ComparedRow& field : scorer.fields) rest += Contribution(field);
  const std::vector<const ComparedRow*> shown = ShownFields(scorer.fields);
  for (const ComparedRow* const field : shown) {
    section.rows.push_back({ShownName(field->field.value_or("")), std::string(NameOf(field->verdict)),
                            WithThousands(field->records), FourDecimals(field->mean.base),
                            FourDecimals(field->mean.now), Signed(field->mean.difference),
                            Signed(field->contribution)});
    sum += Contribution(*field);
    rest -= Contribution(*field);
  }
  if (shown.size() < scorer.fields.size()) {
    section.rows.push_back(
        {fmt::format("({})", Counted(scorer.fields.size() - shown.size(), "more field", "more fields")), "",
         "", "", "", "", Signed(rest)});
    sum += rest;
  }
  for (const OutcomeChange& change : scorer.outcomes) {
    section.rows.push_back(
        PartRow(fmt::format("({} to {})", OutcomeText(change.from), OutcomeText(change.to)), change.records,
                change.contribution));
    sum += change.contribution;
  }
  section.rows.push_back({"(elsewhere)", "", "", "", "", "", Signed(scorer.elsewhere)});
  section.rows.push_back(PartRow("(all)", scorer.all.records, sum + scorer.elsewhere));
  return section;
}

}  // namespace leafscore::internal
