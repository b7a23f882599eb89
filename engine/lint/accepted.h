// engine/lint/accepted.h: findings that the user knows and accepts.
#ifndef LEAFSCORE_ENGINE_LINT_ACCEPTED_H_
#define LEAFSCORE_ENGINE_LINT_ACCEPTED_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leafscore/lint.h"

namespace leafscore::internal {

class AcceptedFindings {
 public:
  // `accept` is LintOptions::accept; `subjects` are the existing scorers, easy answers and sources.
  // ERRORS: Error(kUsage) for a kind or a subject that does not exist, with the nearest one.
  AcceptedFindings(std::span<const std::string> accept, std::span<const std::string_view> subjects);

  // Marks the accepted findings, and lists accepted ones that do not occur.
  void Mark(LintReport& report) const;

 private:
  struct Accepted {
    std::string text;  // as given by the user
    std::string kind;
    std::vector<std::string> subjects;  // a finding must have all of them
  };

  std::vector<Accepted> accepted_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_ACCEPTED_H_
