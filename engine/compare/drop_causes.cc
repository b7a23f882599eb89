#include "engine/compare/drop_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/compare/comparison_cells.h"
#include "engine/render/cells.h"
#include "engine/report/failure_causes.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMostDropCauses = 3;

struct DropCause {
  std::string words;
  std::uint64_t records = 0;
  double contribution = 0;
  std::string_view example = {};  // an id
};

// Returns the id of the record that fell most among the worst records for which is_so(record) holds; empty if
// there is no such record.
template <class IsSo>
std::string_view ExampleWhere(const ScorerComparison& scorer, IsSo is_so) {
  const auto found = std::ranges::find_if(scorer.worst, is_so);
  return found == scorer.worst.end() ? std::string_view() : std::string_view(found->id);
}

// Returns whether a row of fields includes this path: items[*].price includes items[3].price.
bool IsOfField(std::string_view path, std::string_view field) {
  std::string row;
  for (std::size_t at = 0; at < path.size(); ++at) {
    row += path[at];
    if (path[at] != '[') continue;
    const std::size_t end = path.find_first_not_of("0123456789", at + 1);
    if (end == at + 1 || end >= path.size() || path[end] != ']') continue;
    row += "*";
    at = end - 1;
  }
  return row == field || path == field;
}

std::vector<DropCause> CausesOf(const ScorerComparison& scorer) {
  std::vector<DropCause> causes;
  for (const OutcomeChange& change : scorer.outcomes) {
    if (change.contribution >= 0) continue;
    causes.push_back({fmt::format("{} to {}", OutcomeText(change.from), OutcomeText(change.to)),
                      change.records, change.contribution,
                      ExampleWhere(scorer, [&](const ChangedRecord& record) {
                        return record.base_outcome == change.from && record.now_outcome == change.to;
                      })});
  }
  for (const CauseChange& change : scorer.causes) {
    if (change.contribution >= 0 || change.now_records <= change.base_records) continue;
    causes.push_back(
        {CauseWords(change.cause), change.now_records - change.base_records, change.contribution});
  }
  for (const ComparedRow& field : scorer.fields) {
    if (field.contribution.value_or(0) >= 0) continue;
    const auto has_it = [&](const ChangedRecord& record) {
      return std::ranges::any_of(
          record.fields, [&](const ChangedField& changed) { return IsOfField(changed.path, *field.field); });
    };
    causes.push_back({"field " + ShownName(*field.field), field.mean.losses, *field.contribution,
                      ExampleWhere(scorer, has_it)});
  }
  double told = 0;
  for (const DropCause& cause : causes) told += cause.contribution;
  // If the causes explain at most half of the drop, the rest is reported as a lower score.
  if (const double drop = scorer.all.mean.difference; scorer.all.mean.losses > 0 && told >= drop / 2) {
    causes.push_back({"a lower score", scorer.all.mean.losses, drop - told,
                      ExampleWhere(scorer, [](const ChangedRecord&) { return true; })});
  }
  std::ranges::stable_sort(causes, {}, &DropCause::contribution);
  return causes;
}

}  // namespace

std::string DropCausesText(const ScorerComparison& scorer) {
  const std::vector<DropCause> causes = CausesOf(scorer);
  std::string text;
  for (std::size_t i = 0; i < std::min(causes.size(), kMostDropCauses); ++i) {
    text += fmt::format("{} {} {}", i == 0 ? "; mainly:" : ",", causes[i].words,
                        WithThousands(causes[i].records));
    if (!causes[i].example.empty()) text += fmt::format(" ({})", QuoteForMessage(causes[i].example));
  }
  return text;
}

}  // namespace leafscore::internal
