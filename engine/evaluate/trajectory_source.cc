#include "engine/evaluate/trajectory_source.h"

#include <string_view>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/config/config_parser.h"

namespace leafscore::internal {
namespace {

// A batch of files ends with the file that reaches either limit. Small files are passed on many at a time;
// large ones alone, so that few of them are in memory.
constexpr std::size_t kBatchFiles = 64;
constexpr std::uint64_t kBatchFileBytes = 1 << 20;

}  // namespace

PriceTable Prices(const EvaluationOptions& options) {
  if (!options.prices) return PriceTable::OfAssetOpsBench();
  return PriceTable(ParseConfig(*options.prices, options.prices_name), options.prices_name);
}

TrajectorySource::TrajectorySource(const EvaluationOptions& options, const PriceTable& prices)
    : options_(options), prices_(prices), tree_(options.trajectories), workers_([this] {
        return Worker{FileTreeReader(tree_), TrajectoryReader(options_.answer_field), {}};
      }) {}

std::optional<FolderIdentity> TrajectorySource::folder() const {
  return tree_.is_file() ? std::nullopt : std::optional(tree_.identity());
}

std::uint64_t TrajectorySource::List(const std::optional<FolderIdentity>& except, EvaluationReport& report) {
  FileTree::Listing listing =
      tree_.List([](std::string_view name) { return name.ends_with(".json"); }, except);
  files_ = std::move(listing.files);
  report.trajectory_files = files_.size() + listing.skipped.size();
  for (SkippedFile& skipped : listing.skipped) {
    report.skipped_trajectories.push_back({tree_.DisplayPath(skipped.path), std::move(skipped.why)});
  }
  std::uint64_t bytes = 0;
  for (const FileTree::File& file : files_) bytes += file.bytes;
  return bytes;
}

bool TrajectorySource::Next(FileBatch& batch) {
  if (next_file_ == files_.size()) return false;
  batch = {};
  batch.first_file = next_file_;
  while (next_file_ < files_.size() && batch.file_count < kBatchFiles && batch.bytes < kBatchFileBytes) {
    batch.bytes += files_[next_file_].bytes;
    ++batch.file_count;
    ++next_file_;
  }
  return true;
}

void TrajectorySource::Read(const ScenarioSet& scenarios, FileBatch& batch) {
  Worker& worker = workers_.local();
  for (std::size_t f = batch.first_file; f < batch.first_file + batch.file_count; ++f) {
    const std::string& path = files_[f].path;
    AgentRun run{.path = tree_.DisplayPath(path), .stem = ReplaceInvalidUtf8(Stem(SplitPath(path).name))};
    std::string why = worker.files.Read(path, options_.max_file_bytes, worker.text);
    if (why.empty()) why = worker.trajectories.Read(worker.text, run.stem, run.trajectory);
    if (why.empty()) {
      Join(std::move(run), scenarios, batch);
    } else {
      batch.skipped.push_back({std::move(run.path), std::move(why)});
    }
  }
}

void TrajectorySource::Join(AgentRun run, const ScenarioSet& scenarios, FileBatch& batch) const {
  Trajectory& trajectory = run.trajectory;
  run.scenario = scenarios.Find(trajectory.label);
  if (run.scenario == ScenarioSet::kNone && trajectory.run_id) {
    run.scenario = scenarios.Find(*trajectory.run_id);
  }
  if (run.scenario == ScenarioSet::kNone) {
    batch.unmatched.push_back({std::move(run.path), std::move(trajectory.label), std::move(trajectory.run_id),
                               trajectory.RunnerAndModel()});
    return;
  }
  if (!scenarios.scenarios()[run.scenario].selected) {
    batch.not_selected.push_back(trajectory.RunnerAndModel());
    return;
  }
  AgentMetrics& metrics = trajectory.metrics;
  if (trajectory.model) {
    metrics.cost_usd = prices_.Cost(*trajectory.model, metrics.tokens_in, metrics.tokens_out);
    if (const auto parts = prices_.CostParts(*trajectory.model, metrics.tokens_in, metrics.tokens_out)) {
      metrics.input_cost_usd = parts->input;
      metrics.output_cost_usd = parts->output;
    }
  }
  batch.runs.push_back(std::move(run));
}

}  // namespace leafscore::internal
