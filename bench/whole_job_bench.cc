// The whole job against simdjson's DOM on the same bytes, and its stages, in one run.
//
//   whole_job_bench [FILE] [Google Benchmark's options]
//
// FILE holds JSON Lines with "expected" and "actual"; without it, a corpus of 100,000 invoices is generated.
// Before anything is timed, the scores of the first records are compared with a slow reference. Runs are
// repeated and interleaved at random; the figures are medians of the processor time of the whole process.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "corpus/pair_generator.h"
#include "engine/io/record_reader.h"
#include "engine/json/json_reader.h"
#include "engine/json/structural_index.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/result_writer.h"
#include "engine/run/run_files.h"
#include "engine/run/scorer_set.h"
#include "scorers/json_similarity_reference.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kCorpusPairs = 100000;
constexpr std::size_t kCheckedRecords = 1000;
constexpr std::size_t kMaxCheckedBytes = 1 << 16;  // a record; the reference takes quadratic time

struct Workload {
  std::string path;
  std::string output;
  simdjson::padded_string bytes;
  ScorerSet scorers{DefaultScorerSpecs(std::vector<std::string>{"json_similarity"}), "bench"};
};

Workload* workload;

FileOptions OptionsFor(unsigned threads) {
  FileOptions options;
  options.inputs = {workload->path};
  options.output = workload->output;
  options.threads = threads;
  return options;
}

// Scores the first records both ways. A difference ends the run.
void CheckAnswers() {
  const RunResult run = RunFiles(workload->scorers, OptionsFor(1));
  if (run.error) throw *run.error;
  std::ifstream input(workload->path);
  std::ifstream output(workload->output);
  std::string record;
  std::string scores;
  std::size_t checked = 0;
  while (checked < kCheckedRecords && std::getline(input, record) && std::getline(output, scores)) {
    if (record.size() > kMaxCheckedBytes) continue;
    const auto parsed = reference::Parse(record);
    const auto result = reference::Parse(scores);
    const auto member = [](const reference::Value& object, const std::string& key) {
      const auto at = std::find(object.keys.begin(), object.keys.end(), key) - object.keys.begin();
      return object.items.at(static_cast<std::size_t>(at));
    };
    const reference::Value actual = member(parsed->value, "actual");
    if (actual.kind == reference::Value::Kind::kString) continue;  // the reference reads no JSON in prose
    const double expected = reference::JsonSimilarity(member(parsed->value, "expected"), actual).score();
    const double score = std::strtod(member(result->value, "score").text.c_str(), nullptr);
    if (std::abs(expected - score) > 1e-9) {
      fmt::print(stderr, "record {}: {} instead of {}\n", checked + 1, score, expected);
      std::exit(1);
    }
    ++checked;
  }
  fmt::print("answers of {} records checked; {} MB\n", checked, workload->bytes.size() / 1000000);
}

void SimdjsonDom(benchmark::State& state) {
  for (auto _ : state) {
    simdjson::dom::parser parser;
#ifdef SIMDJSON_THREADS_ENABLED
    parser.threaded = false;  // one thread, as whole_job/threads:1
#endif
    simdjson::dom::document_stream documents;
    if (parser.parse_many(workload->bytes).get(documents) != simdjson::SUCCESS) std::abort();
    std::size_t errors = 0;
    for (const auto document : documents) errors += document.error() != simdjson::SUCCESS;
    if (errors != 0) std::abort();
  }
}

void WholeJob(benchmark::State& state) {
  for (auto _ : state) {
    const RunResult run = RunFiles(workload->scorers, OptionsFor(static_cast<unsigned>(state.range(0))));
    if (run.error) throw *run.error;
  }
}

// The stages, each with those before it.
enum Stage { kRead, kIndex, kFlatten, kScore, kFormat };

void Stages(benchmark::State& state) {
  const auto last = static_cast<Stage>(state.range(0));
  for (auto _ : state) {
    RecordReader reader({workload->path}, {});
    RecordBatch batch;
    StructuralIndex index;
    ShapeTable shapes;
    JsonReader json(&shapes);
    LeafTable table;
    BatchScorer scorer(workload->scorers, {});
    const ResultWriter writer({}, {&workload->path, 1});
    std::string lines;
    while (reader.Next(batch)) {
      const std::uint32_t begin = RecordBatch::kDataBegin;
      const std::string_view text(batch.bytes.data() + begin, batch.data_end - begin);
      if (last == kIndex) benchmark::DoNotOptimize(index.Build(text));
      if (last == kFlatten) {
        shapes.ClearIfLarge();
        json.Begin(text, /*lines=*/true, &table);
        for (const RecordSpan& record : batch.records) {
          benchmark::DoNotOptimize(json.Read(record.begin - begin, record.end - begin));
        }
      }
      if (last < kScore) continue;
      lines.clear();
      for (std::size_t first = 0; first != batch.records.size();) {
        const std::size_t count = scorer.ScoreRecords(batch, first);
        if (last >= kFormat) writer.AppendBatch(batch, scorer, lines, first);
        first += count;
      }
      benchmark::DoNotOptimize(lines.data());
    }
  }
}

constexpr int kRepetitions = 9;

void Register() {
  const auto configure = [](benchmark::internal::Benchmark* bench) {
    bench->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Iterations(1)
        ->Repetitions(kRepetitions);
  };
  configure(benchmark::RegisterBenchmark("simdjson_dom_parse_many", SimdjsonDom));
  configure(benchmark::RegisterBenchmark("whole_job/threads:1", WholeJob)->Arg(1));
  configure(benchmark::RegisterBenchmark("whole_job/threads:2", WholeJob)->Arg(2));
  const std::map<Stage, const char*> stages = {{kRead, "1_read"},
                                               {kIndex, "2_token_index"},
                                               {kFlatten, "2_flatten"},
                                               {kScore, "3_flatten_match_distances"},
                                               {kFormat, "4_and_format"}};
  for (const auto& [stage, name] : stages) {
    configure(benchmark::RegisterBenchmark((std::string("up_to/") + name).c_str(), Stages)->Arg(stage));
  }
}

// Prints the median of each benchmark, alone and as a ratio to simdjson's DOM.
class MedianReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const std::string name = run.run_name.function_name;
      if (times_.count(name) == 0) names_.push_back(name);
      times_[name].push_back({run.cpu_accumulated_time, run.real_accumulated_time});
    }
  }
  void Finalize() override {
    const auto median = [](std::vector<std::pair<double, double>> times, bool real) {
      std::vector<double> values;
      for (const auto& [cpu, wall] : times) values.push_back(real ? wall : cpu);
      if (values.empty()) return std::nan("");  // the filter left it out
      std::sort(values.begin(), values.end());
      return values[values.size() / 2];
    };
    const double dom = median(times_["simdjson_dom_parse_many"], false);
    fmt::print("{:<36} {:>9} {:>9} {:>8} {:>7}\n", "", "cpu ms", "wall ms", "GB/s", "/ DOM");
    for (const std::string& name : names_) {
      const double cpu = median(times_[name], false);
      const double wall = median(times_[name], true);
      fmt::print("{:<36} {:>9.1f} {:>9.1f} {:>8.2f} {:>7.2f}\n", name, 1e3 * cpu, 1e3 * wall,
                 static_cast<double>(workload->bytes.size()) / cpu / 1e9, cpu / dom);
    }
    const double one = median(times_["whole_job/threads:1"], true);
    fmt::print("throughput of 2 threads / 1 thread: {:.2f}\n",
               one / median(times_["whole_job/threads:2"], true));
  }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::vector<std::pair<double, double>>> times_;
};

std::string GenerateCorpus(const std::filesystem::path& folder) {
  const std::string path = folder / "invoices.jsonl";
  const corpus::PairGenerator generator({});
  std::string lines;
  for (std::size_t i = 0; i < kCorpusPairs; ++i) generator.AppendRecord(i, lines);
  std::ofstream(path, std::ios::binary) << lines;
  return path;
}

int Main(int argc, char** argv) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("leafscore_bench_{}", getpid());
  std::filesystem::create_directories(folder);
  Workload data;
  workload = &data;
  const bool has_file = argc > 1 && argv[1][0] != '-';
  data.path = has_file ? argv[1] : GenerateCorpus(folder);
  data.output = folder / "scores.jsonl";
  data.bytes = simdjson::padded_string::load(data.path);
  CheckAnswers();
  Register();
  std::vector<char*> arguments(argv, argv + argc);
  if (has_file) arguments.erase(arguments.begin() + 1);
  std::string interleave = "--benchmark_enable_random_interleaving=true";
  arguments.insert(arguments.begin() + 1, interleave.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  MedianReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace leafscore::internal

int main(int argc, char** argv) { return leafscore::internal::Main(argc, argv); }
