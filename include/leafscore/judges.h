// leafscore/judges.h: how scorers such as llm_judge ask models: which replies are kept, and what they may
// cost. Without it, each scorer asks on its own and keeps no reply.
//
//   leafscore::JudgeRules rules;
//   rules.cache = "replies.db";  // no question is asked twice
//   rules.dry_run = true;        // only count
//   leafscore::EngineOptions options;
//   options.judges = leafscore::OpenJudges(rules);
//   const leafscore::Plan plan = leafscore::Plan::FromConfig("evaluators: [{type: llm_judge, model: tiny}]");
//   leafscore::Runner(plan, options).ScorePair(R"("Oslo")", R"("Oslo, Norway")");
//   assert(leafscore::ReportOf(*options.judges).requests == 1);
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

// The rules by which models are asked, for all calls that share them.
struct JudgeRules {
  std::string cache = {};                          // a file that keeps each reply; empty: no cache
  bool replay = false;                             // take replies only from the cache, and ask no model
  bool dry_run = false;                            // count the questions, and ask no model
  bool retry_errors = false;                       // ask beyond max_retries for scores that the cache lacks
  std::optional<std::uint64_t> max_requests = {};  // the most questions to ask, without retries
  std::optional<double> max_cost = {};             // in dollars
  // Whether the run ends at these limits. If not, the records beyond them are errors (judge_budget).
  bool stops_at_budget = true;
  std::string prices = {};  // YAML or JSON (docs/judges.md), before the built-in prices
  std::string prices_name = "the prices that were given";  // the name of the prices in messages
};

// Makes the value of EngineOptions::judges. Set `stop` to true when no more questions are to be asked; it may
// be null, and otherwise outlives the result.
// ERRORS: Error(kUsage) for rules that contradict each other and for invalid prices; Error(kInput) and
//         Error(kOutput) for a cache that cannot be read or written.
LEAFSCORE_EXPORT std::shared_ptr<Judges> OpenJudges(const JudgeRules& rules,
                                                    const std::atomic<bool>* stop = nullptr);

// Returns a report on the questions so far. THREADS: any number, also while others ask.
LEAFSCORE_EXPORT JudgeReport ReportOf(const Judges& judges);

}  // namespace leafscore

#endif  // LEAFSCORE_JUDGES_H_
