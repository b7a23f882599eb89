#include "engine/report/answer_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/report/human_numbers.h"

namespace leafscore::internal {

bool AreManyOfOtherKind(std::uint64_t of_other_kind, std::uint64_t asked) {
  return 20 * of_other_kind > asked;
}

std::string OtherKindsText(const RunReport& report) {
  // By source, what the scorer that saw most of them says. Scorers see the same answers.
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> by_source;
  const auto add = [&](const std::string& source, const Figures& figures) {
    auto& most = by_source[source];
    most = std::max(most, {figures.of_other_kind, figures.asked});
  };
  for (const ScorerReport& scorer : report.scorers) {
    if (report.source_field.empty()) add("", scorer.figures);
    for (const GroupFigures& group : scorer.groups) {
      if (group.field == report.source_field && !group.field.empty()) add(group.value, group.figures);
    }
  }
  std::string text;
  for (const auto& [source, counts] : by_source) {
    const auto [of_other_kind, asked] = counts;
    if (!AreManyOfOtherKind(of_other_kind, asked)) continue;
    text += fmt::format("{}{}{} of {}", text.empty() ? "" : ", ",
                        source.empty() ? "" : QuoteForMessage(source) + " ", WithThousands(of_other_kind),
                        WithThousands(asked));
  }
  if (text.empty()) return text;
  return "answers that are no object where one is expected, or no array, as prose is: " + text;
}

}  // namespace leafscore::internal
