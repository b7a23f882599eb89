// engine/evaluate/agent_run.h: agent runs on their way through an evaluation, in batches of files.
#ifndef LEAFSCORE_ENGINE_EVALUATE_AGENT_RUN_H_
#define LEAFSCORE_ENGINE_EVALUATE_AGENT_RUN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/evaluate/evaluation_summary.h"
#include "engine/evaluate/report_folder.h"
#include "engine/evaluate/trajectory.h"
#include "leafscore/evaluate.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// One matched agent run.
struct AgentRun {
  std::string path;  // as the user would write it, valid UTF-8
  std::string stem;  // of its file, valid UTF-8
  std::uint32_t scenario = 0;
  Trajectory trajectory = {};
  AgentScore score = {};
  std::string report_name = {};
  std::optional<WrittenReport> report = {};  // its report on disk
};

// Some files, and their results.
struct FileBatch {
  std::size_t first_file = 0;
  std::size_t file_count = 0;
  std::uint64_t bytes = 0;
  std::vector<AgentRun> runs;
  std::vector<std::string> not_selected;  // the runner and model of each agent run
  std::vector<UnmatchedRun> unmatched;
  std::vector<LeftOut> skipped;
  std::vector<LeftOut> failed_reports;
  std::vector<LeftOut> self_judged;
  std::vector<LeftOut> maybe_self_judged;
  std::vector<JsonInTexts> json_in_texts;  // by scorer
  std::string results;                     // for the aggregate, one report per line
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_AGENT_RUN_H_
