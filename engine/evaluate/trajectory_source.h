// engine/evaluate/trajectory_source.h: the agent runs of an evaluation: finds their files, reads them, and
// joins them with the scenarios. Only the ids, answer and metrics of a file are kept, and only while its
// batch is in progress.
#ifndef LEAFSCORE_ENGINE_EVALUATE_TRAJECTORY_SOURCE_H_
#define LEAFSCORE_ENGINE_EVALUATE_TRAJECTORY_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/evaluate/agent_run.h"
#include "engine/evaluate/scenarios.h"
#include "engine/evaluate/trajectory.h"
#include "engine/io/file_tree.h"
#include "engine/judge/price_table.h"
#include "engine/threads/per_thread.h"
#include "leafscore/evaluate.h"

namespace leafscore::internal {

// Returns the prices that the options name, or those of AssetOpsBench. ERRORS: Error(kUsage) if they cannot
// be read.
PriceTable Prices(const EvaluationOptions& options);

class TrajectorySource {
 public:
  // Opens the file or folder of the agent runs. REQUIRES: both arguments outlive this. ERRORS: Error(kInput)
  // if there is neither.
  TrajectorySource(const EvaluationOptions& options, const PriceTable& prices);
  TrajectorySource(const TrajectorySource&) = delete;  // workers_ refers to this
  TrajectorySource& operator=(const TrajectorySource&) = delete;

  // Returns the identity of the folder; nullopt if the agent runs are one file.
  std::optional<FolderIdentity> folder() const;

  // Lists the files, in the order of their paths, but no file in the folder `except`. Counts them in the
  // report, and adds those that cannot be read. RETURNS: the bytes of all files.
  std::uint64_t List(const std::optional<FolderIdentity>& except, EvaluationReport& report);

  // Replaces the batch by the next files. RETURNS: false if there are none. THREADS: one.
  bool Next(FileBatch& batch);

  // Reads the files of a batch, and joins them with the scenarios. THREADS: any, with different batches.
  void Read(const ScenarioSet& scenarios, FileBatch& batch);

 private:
  // The data of one thread.
  struct Worker {
    FileTreeReader files;
    TrajectoryReader trajectories;
    std::string text;
  };

  void Join(AgentRun run, const ScenarioSet& scenarios, FileBatch& batch) const;

  const EvaluationOptions& options_;
  const PriceTable& prices_;
  FileTree tree_;
  PerThread<Worker> workers_;
  std::vector<FileTree::File> files_;
  std::size_t next_file_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_TRAJECTORY_SOURCE_H_
