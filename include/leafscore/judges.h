// leafscore/judges.h: rules for scorers that ask models, such as llm_judge: which replies are kept, and how
// much they may cost. Without such rules, each scorer asks on its own and keeps no replies.
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
  std::string cache = {};     // a file that keeps each reply; empty: no cache
  bool replay = false;        // take replies only from the cache, and ask no model
  bool dry_run = false;       // count the questions, and ask no model
  bool retry_errors = false;  // ask again if kept replies have no score, even beyond max_retries
  std::optional<std::uint64_t> max_requests = {};  // the most questions to ask; retries do not count
  std::optional<double> max_cost = {};             // in dollars
  // Whether the run ends when it reaches one of these limits. Otherwise it goes on, and the remaining records
  // are errors (judge_budget).
  bool stops_at_budget = true;
  std::string prices = {};  // YAML or JSON (docs/judges.md); preferred to the built-in prices
  std::string prices_name = "the prices that were given";  // the name of the prices in messages
};

// Makes the value of EngineOptions::judges. When `stop` becomes true, no more questions are asked. `stop` may
// be null; otherwise it must outlive the result.
// ERRORS: Error(kUsage) for rules that contradict each other, for a negative max_cost and for invalid prices;
//         Error(kInput) and Error(kOutput) for a cache that cannot be read or written.
LEAFSCORE_EXPORT std::shared_ptr<Judges> OpenJudges(const JudgeRules& rules,
                                                    const std::atomic<bool>* stop = nullptr);

// Returns a report on the questions so far. THREADS: any number, even while other threads ask.
LEAFSCORE_EXPORT JudgeReport ReportOf(const Judges& judges);

}  // namespace leafscore

#endif  // LEAFSCORE_JUDGES_H_
