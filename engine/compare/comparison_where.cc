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

double Contribution(const ComparedRow& field) { return field.contribution.value_or(0); }

// Whether fields and outcomes make up at least half of the change of the mean.
bool IsSumOfFields(const ScorerComparison& scorer) {
  return std::abs(scorer.elsewhere) <= std::abs(scorer.all.mean.difference) / 2;
}

// Returns the fields to show, those that changed the mean most: none in which no record changed.
std::vector<const ComparedRow*> ShownFields(const std::vector<ComparedRow>& fields, std::size_t most) {
  std::vector<const ComparedRow*> shown;
  for (const ComparedRow& field : fields) {
    if (field.mean.wins + field.mean.losses > 0) shown.push_back(&field);
  }
  if (shown.size() <= most) return shown;
  std::ranges::stable_sort(shown, std::greater(),
                           [](const ComparedRow* field) { return std::abs(Contribution(*field)); });
  shown.resize(most);
  std::ranges::sort(shown);  // in their order
  return shown;
}

TextRow PartRow(const std::string& part, std::uint64_t records, double contribution) {
  return {part, "", WithThousands(records), "", "", "", Signed(contribution)};
}

}  // namespace

Section WhereItWent(const ScorerComparison& scorer, const std::string& of, std::size_t max_fields) {
  Section section{.kind = Section::Kind::kWhere, .title = of + ": where it went", .left_columns = 2};
  const std::vector<ComparedRow> none;
  const std::vector<ComparedRow>& fields = IsSumOfFields(scorer) ? scorer.fields : none;
  if (fields.empty() && scorer.outcomes.empty()) return section;
  section.rows.push_back({"part", "verdict", "records", "base", "now", "difference", "of the mean"});
  double sum = 0;
  double rest = 0;
  for (const ComparedRow& field : fields) rest += Contribution(field);
  const std::vector<const ComparedRow*> shown = ShownFields(fields, max_fields);
  for (const ComparedRow* const field : shown) {
    section.rows.push_back({ShownName(field->field.value_or("")), std::string(NameOf(field->verdict)),
                            WithThousands(field->records), FourDecimals(field->mean.base),
                            FourDecimals(field->mean.now), Signed(field->mean.difference),
                            Signed(field->contribution)});
    sum += Contribution(*field);
    rest -= Contribution(*field);
  }
  if (shown.size() < fields.size()) {
    section.rows.push_back(
        {fmt::format("({})", Counted(fields.size() - shown.size(), "more field", "more fields")), "", "", "",
         "", "", Signed(rest)});
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
