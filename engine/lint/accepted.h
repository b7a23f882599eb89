// engine/lint/accepted.h: findings that people know and accept.
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
  // `accept` is LintOptions::accept; `subjects` are the scorers, easy answers and sources that there are.
  // ERRORS: Error(kUsage) for a kind or a subject that does not exist, with the nearest one.
  AcceptedFindings(std::span<const std::string> accept, std::span<const std::string_view> subjects);

  // Marks what is accepted, and lists what was accepted and is not there.
  void Mark(LintReport& report) const;

 private:
  struct Accepted {
    std::string text;  // as it was given
    std::string kind;
    std::vector<std::string> subjects;  // all of which a finding has
  };

  std::vector<Accepted> accepted_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_ACCEPTED_H_
