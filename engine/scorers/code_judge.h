// engine/scorers/code_judge.h: AgentV's code_judge, a program of the user's as a scorer.
//
// For each record the program reads one line of JSON, {"candidate_answer", "reference_answer", "config"}, and
// replies {"score", "hits", "misses", "reasoning"}. It runs once a record, or goes on from record to record,
// one process a worker. What it does wrong is an error of the record; the process is killed with its group,
// and the next record finds a fresh one.
//
// A result depends on its record alone as long as the program's replies do: a process that has served other
// records and ends without a reply is replaced and the record tried again, so that nothing that happened
// before, whichever worker it happened in, counts against it.
#ifndef LEAFSCORE_ENGINE_SCORERS_CODE_JUDGE_H_
#define LEAFSCORE_ENGINE_SCORERS_CODE_JUDGE_H_

#include <memory>
#include <span>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

std::span<const OptionSpec> CodeJudgeOptions();
// ERRORS: also kUsage when the program is missing or cannot be executed.
std::unique_ptr<Scorer> MakeCodeJudge(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_CODE_JUDGE_H_
