#include <utility>

#include "engine/config/config_parser.h"
#include "engine/judge/judge_service.h"
#include "leafscore/error.h"
#include "leafscore/judges.h"

namespace leafscore {

std::shared_ptr<Judges> OpenJudges(const JudgeRules& rules, const std::atomic<bool>* stop) {
  using internal::JudgeOptions;
  if (rules.replay && rules.cache.empty()) {
    throw Error(ErrorCode::kUsage, "a replay takes replies from a cache: name its file");
  }
  if (rules.replay && rules.dry_run) {
    throw Error(ErrorCode::kUsage, "a replay asks nobody, so there is nothing to count: leave dry_run out");
  }
  if (rules.max_cost && !(*rules.max_cost >= 0)) {
    throw Error(ErrorCode::kUsage, "max_cost is a number of dollars, at least 0");
  }
  JudgeOptions options{
      .cache = rules.cache,
      .replay = rules.replay,
      .dry_run = rules.dry_run,
      .retry_errors = rules.retry_errors,
      .max_requests = rules.max_requests,
      .max_cost = rules.max_cost,
      .at_budget = rules.stops_at_budget ? JudgeOptions::AtBudget::kStop : JudgeOptions::AtBudget::kNoAnswer};
  if (!rules.prices.empty()) {
    options.prices =
        internal::PriceTable(internal::ParseConfig(rules.prices, rules.prices_name), rules.prices_name);
  }
  return std::make_shared<Judges>(std::move(options), stop);
}

JudgeReport ReportOf(const Judges& judges) { return judges.Report(); }

}  // namespace leafscore
