// leafscore/judges.h: how scorers that ask models (llm_judge) get their replies: what is kept, and what it
// may cost. Scorers that are given none of this ask by themselves, and keep nothing.
#ifndef LEAFSCORE_JUDGES_H_
#define LEAFSCORE_JUDGES_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "leafscore/export.h"
#include "leafscore/report.h"

namespace leafscore {

// Asks models on behalf of all calls that share it. It is opaque: OpenJudges makes it, EngineOptions::judges
// takes it, and ReportOf reads it. THREADS: any number of calls may share one.
class Judges;

// How the models are asked by all calls that share these rules.
struct JudgeRules {
  std::string cache = {};                          // a file that keeps each reply; empty: none
  bool replay = false;                             // take replies from the cache alone, and ask nobody
  bool dry_run = false;                            // count what would be asked, and ask nobody
  std::optional<std::uint64_t> max_requests = {};  // questions that may be asked, retries left out
  std::optional<double> max_cost = {};             // in dollars
  bool stops_at_budget = true;                     // else records beyond it are errors (judge_budget)
  std::string prices = {};                         // YAML or JSON, as docs/judges.md has it; empty: ours
  std::string prices_name = "the prices that were given";  // in messages
};

// Makes what EngineOptions::judges takes. `stop`, which may be null and must live on, becomes true when
// nothing is to be asked any more. ERRORS: Error(kUsage) for rules that do not go together and for prices;
// Error(kInput) and Error(kOutput) for a cache that cannot be read or written.
LEAFSCORE_EXPORT std::shared_ptr<Judges> OpenJudges(const JudgeRules& rules,
                                                    const std::atomic<bool>* stop = nullptr);

// Returns what was asked so far. THREADS: any number, also while others ask.
LEAFSCORE_EXPORT JudgeReport ReportOf(const Judges& judges);

}  // namespace leafscore

#endif  // LEAFSCORE_JUDGES_H_
