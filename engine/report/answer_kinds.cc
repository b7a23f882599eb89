#include "engine/report/answer_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/render/cells.h"

namespace leafscore::internal {
namespace {

// A list of sources; only the first ones are named.
class SourceList {
 public:
  void Add(const std::string& source, std::string_view figure) {
    constexpr std::size_t kMostNamed = 5;
    if (++count_ > kMostNamed) return;
    text_ += fmt::format("{}{}{}", text_.empty() ? "" : ", ",
                         source.empty() ? "" : QuoteForMessage(source) + " ", figure);
    named_ = count_;
  }

  // Appends a sentence about the sources, unless the list is empty.
  void AppendTo(std::string& text, std::string_view what) const {
    if (count_ == 0) return;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", what, text_);
    if (count_ > named_) text += fmt::format(" and {} more", count_ - named_);
  }

 private:
  std::string text_;
  std::size_t count_ = 0;
  std::size_t named_ = 0;
};

}  // namespace

bool AreManyOfOtherKind(const SourceAnswers& answers) { return 20 * answers.of_other_kind > answers.asked; }

bool AreMostlyUnexpected(const SourceAnswers& answers) { return answers.unexpected_share > 0.5; }

std::string StrangeAnswersText(std::span<const SourceAnswers> answers) {
  std::map<std::string_view, SourceAnswers> by_source;
  for (const SourceAnswers& one : answers) {
    SourceAnswers& most = by_source.try_emplace(one.source, one).first->second;
    most.asked = std::max(most.asked, one.asked);
    most.of_other_kind = std::max(most.of_other_kind, one.of_other_kind);
    most.unexpected_share = std::max(most.unexpected_share, one.unexpected_share);
  }
  SourceList of_other_kind;
  SourceList unexpected;
  for (const auto& [source, most] : by_source) {
    if (AreManyOfOtherKind(most)) {
      of_other_kind.Add(
          most.source, fmt::format("{} of {}", WithThousands(most.of_other_kind), WithThousands(most.asked)));
    }
    if (AreMostlyUnexpected(most)) {
      unexpected.Add(most.source, fmt::format("{:.0f}%", 100 * most.unexpected_share));
    }
  }
  std::string text;
  of_other_kind.AppendTo(text,
                         "answers that are not an object or array where one is expected, such as prose");
  unexpected.AppendTo(text, "leaves of answers that nothing expects, such as those under other keys");
  return text;
}

std::string StrangeAnswersText(const RunReport& report) {
  std::vector<SourceAnswers> answers;
  const auto add = [&](const std::string& source, const Figures& figures) {
    answers.push_back({source, figures.asked, figures.of_other_kind, figures.unexpected_share});
  };
  for (const ScorerReport& scorer : report.scorers) {
    if (report.source_field.empty()) add("", scorer.figures);
    for (const GroupFigures& group : scorer.groups) {
      if (group.field == report.source_field && !group.field.empty()) add(group.value, group.figures);
    }
  }
  return StrangeAnswersText(answers);
}

}  // namespace leafscore::internal
