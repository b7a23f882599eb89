// What an allocation that fails leaves behind. A program of its own, as its operator new serves all of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/arrow/column_builder.h"
#include "engine/arrow/streams.h"
#include "engine/report/run_summary.h"
#include "io/io_test_util.h"
#include "leafscore/leafscore.h"

namespace {

// The allocation that fails, counted down from when it is set; 0: none.
std::atomic<long> g_fails_in = 0;

void* AllocateOrNull(std::size_t size, std::size_t alignment) noexcept {
  if (g_fails_in > 0 && --g_fails_in == 0) return nullptr;
  size = (size + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, std::max(size, alignment));
}

void* Allocate(std::size_t size, std::size_t alignment) {
  if (void* memory = AllocateOrNull(size, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return Allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new[](std::size_t size) { return Allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
// An address sanitizer has its own of these.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return AllocateOrNull(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return AllocateOrNull(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace leafscore::internal {
namespace {

// Calls `action` while its n-th allocation fails, for every n until one call has fewer than that; `after` is
// called after each failure.
template <typename Action, typename After>
void FailEachAllocation(Action action, After after) {
  for (long n = 1;; ++n) {
    g_fails_in = n;
    bool failed = false;
    try {
      action();
    } catch (const std::bad_alloc&) {  // of what is no part of the public API
      failed = true;
    } catch (const Error& error) {
      failed = true;
      EXPECT_TRUE(error.code() == ErrorCode::kResources ||
                  error.code() == ErrorCode::kInput)  // of a stream of ours that ran out of memory
          << error.what();
    }
    const bool reached = g_fails_in.exchange(0) == 0;
    if (failed) {
      after();
    } else if (!reached) {
      ASSERT_GT(n, 1) << "nothing was allocated";
      return;
    }
    if (::testing::Test::HasFailure()) FAIL() << "when allocation " << n << " fails";
  }
}

Plan AllScorers() {
  return Plan::FromConfig(R"(
evaluators:
  - type: json_similarity
  - {type: json_similarity, name: any, array_match: any_order, weights: {"**.a": 3}, ignore_paths: ["**.c"]}
  - type: exact_match
  - type: contains
  - type: levenshtein
  - type: json_diff
  - type: static_json
  - type: strict_json
  - {type: field_accuracy, fields: [{path: a, match: fuzzy, algorithm: jaro_winkler}, {path: c, match: date}]}
)");
}

const char* const kExpected[] = {
    R"({"a": "hello world", "b": 1, "c": "2024-01-02", "d": {"a": ["x", "yz"]}})",
    R"("hello, a longer text")", R"([1, 2, {"a": 3}])", R"({"z": [1, 2, {"q": "\u00e9"}]})"};
const char* const kActual[] = {R"({"a": "hello werld", "b": 2, "c": "2024-01-03", "d": {"a": ["yz", "x"]}})",
                               R"("hello, b longer text")", R"([1, {"a": 4}, 2)",
                               R"({"z": [1, 3, {"q": "e"}]})"};

struct Column {
  explicit Column(std::span<const char* const> texts) {
    for (const char* text : texts) {
      bytes += text;
      offsets.push_back(static_cast<std::int32_t>(bytes.size()));
    }
  }
  TextColumn column() const { return TextColumn(bytes, std::span(offsets)); }

  std::string bytes;
  std::vector<std::int32_t> offsets = {0};
};

// All that was found, with scores to their last bit.
std::string Show(const std::vector<ScoreColumns>& scorers) {
  std::string text;
  for (const ScoreColumns& scorer : scorers) {
    for (std::size_t i = 0; i < scorer.score.size(); ++i) {
      char row[64];
      std::snprintf(row, sizeof row, "%d/%a ", static_cast<int>(scorer.outcome[i]), scorer.score[i]);
      text += row;
    }
    for (const RecordError& error : scorer.errors) text += error.message;
    text += '\n';
  }
  return text;
}

TEST(OutOfMemory, ARunnerScoresAsBeforeAfterwards) {
  const Runner runner(AllScorers(), {.threads = 1, .device = "cpu"});
  const Column expected(kExpected);
  const Column actual(kActual);
  const auto score = [&] {
    try {
      return runner.ScoreTexts(expected.column(), actual.column());
    } catch (const std::bad_alloc&) {
      ADD_FAILURE() << "left the API as it was";
      throw;
    }
  };
  const std::string wanted = Show(score());
  FailEachAllocation(score, [&] { EXPECT_EQ(Show(score()), wanted); });
}

TEST(OutOfMemory, ANewRunnerScoresAfterwards) {
  const Plan plan = AllScorers();
  const Column expected(kExpected);
  const Column actual(kActual);
  const std::string wanted =
      Show(Runner(plan, {.device = "cpu"}).ScoreTexts(expected.column(), actual.column()));
  std::unique_ptr<Runner> runner;
  const auto score = [&] {
    runner = std::make_unique<Runner>(plan, EngineOptions{.threads = 1, .device = "cpu"});
    return runner->ScoreTexts(expected.column(), actual.column());
  };
  FailEachAllocation(score, [&] {
    if (runner == nullptr) return;
    EXPECT_EQ(Show(runner->ScoreTexts(expected.column(), actual.column())), wanted);
    runner.reset();
  });
}

// Gives out two batches of the texts above; every row has a group of its own.
class Batches final : public StreamProducer {
 public:
  OwnedSchema Schema() override {
    std::vector<OwnedSchema> columns;
    for (const char* name : kNames) columns.push_back(ExportField({name, ArrowType::kText}));
    return ExportRecordSchema(std::move(columns));
  }
  OwnedArray Next() override {
    if (given_ == 2) return {};
    std::vector<ColumnBuilder> builders;
    for (const char* name : kNames) builders.emplace_back(ArrowField{name, ArrowType::kText});
    for (std::size_t row = 0; row < std::size(kExpected); ++row) {
      builders[0].AppendText(kExpected[row]);
      builders[1].AppendText(kActual[row]);
      builders[2].AppendText("group " + std::to_string(given_) + std::to_string(row));
    }
    std::vector<OwnedArray> columns;
    for (ColumnBuilder& builder : builders) columns.push_back(builder.Finish());
    OwnedArray batch = ExportRecordBatch(std::size(kExpected), std::move(columns));
    ++given_;
    return batch;
  }

 private:
  static constexpr const char* kNames[] = {"expected", "actual", "group"};
  int given_ = 0;
};

TEST(OutOfMemory, AStreamCountsWholeBatchesOrSaysThatItDoesNot) {
  const Runner runner(AllScorers(), {.threads = 1, .device = "cpu"});
  runner.ScorePair("1", "1");  // simdjson allocates at its first use, in a function that is noexcept
  int whole_reports = 0;
  int failed_reports = 0;
  FailEachAllocation(
      [&] {
        OwnedStream input;
        ExportStream(std::make_unique<Batches>(), input.get());
        OwnedStream output;
        const StreamRun run =
            runner.ScoreStream(input.get(), {.keep = {"group"}, .group_by = {"group"}}, output.get());
        std::uint64_t rows = 0;
        for (;;) {
          ArrowArray next{};
          if (output.get()->get_next(output.get(), &next) != 0) break;
          const OwnedArray batch(&next);
          if (!batch) return;
          rows += static_cast<std::uint64_t>(batch->length);
        }
        try {
          const RunReport report = run.Report();
          EXPECT_TRUE(report.CountsAddUp());
          EXPECT_EQ(report.totals.records_read, rows);
          ++whole_reports;
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::kResources);
          ++failed_reports;
        }
      },
      [] {});
  EXPECT_GT(whole_reports, 0);
  EXPECT_GT(failed_reports, 0);
}

// A run over files, each of whose allocations fails once: an error of the run, never a lost result.
TEST(OutOfMemory, ARunOverFilesKeepsWhatItHasWritten) {
  const TempDir folder;
  const std::string record =
      R"({"id": "some record", "expected": {"a": "hello world"}, "actual": {"a": "hullo"}})";
  FileOptions options;
  options.threads = 1;
  options.device = "cpu";
  options.batch_bytes = 100;
  options.details = DetailLevel::kLeaves;
  options.inputs = {folder / "in.jsonl"};
  options.output = folder / "out.jsonl";
  WriteFile(options.inputs[0], record + "\n" + record + "\n" + record + "\n");
  const Plan plan({"json_similarity", "static_json"});
  ScoreFiles(plan, options);
  const std::string whole = ReadFile(options.output);
  int kept = 0;
  int most_lines = 0;
  const auto remove_partial_files = [&] {
    for (const auto& file : std::filesystem::directory_iterator(folder / "")) {
      const std::string name = file.path().filename();
      if (name.find(".partial") != name.npos || name.find(".journal") != name.npos) remove(file.path());
    }
  };
  FailEachAllocation(
      [&] {
        const long fails_in = g_fails_in.exchange(0);
        remove_partial_files();
        g_fails_in = fails_in;
        try {
          ScoreFiles(plan, options);
        } catch (const RunError& error) {
          g_fails_in = 0;
          const std::string partial = ReadFile(error.report().partial_output);
          EXPECT_TRUE(whole.starts_with(partial)) << partial;
          ++kept;
          most_lines = std::max(most_lines, static_cast<int>(std::ranges::count(partial, '\n')));
          throw;
        } catch (const std::bad_alloc&) {
          ADD_FAILURE() << "left the API as it was";
          throw;
        }
      },
      [&] { EXPECT_EQ(ReadFile(options.output), whole); });
  EXPECT_GT(kept, 10);
  EXPECT_EQ(most_lines, 6);
}

TEST(OutOfMemory, ASummaryKeepsNoGroupWithoutRoomForItsCounts) {
  RunSummary summary({"a", "b"}, {"field"}, 1000);
  std::uint64_t records = 0;
  int value = 0;
  const auto name = [&] { return "a value too long to be stored in place " + std::to_string(value); };
  const auto add = [&] {
    const std::uint32_t groups[] = {summary.GroupIndex(0, name())};
    g_fails_in = 0;
    for (std::size_t scorer = 0; scorer < 2; ++scorer) summary.Add(scorer, {.score = 1}, groups);
    ++records;
    ++value;
  };
  // Often enough that every allocation for a group has been the one that fails.
  for (int round = 0; round < 20; ++round) {
    for (long n = 1; n < 8; ++n) {
      g_fails_in = n;
      try {
        add();
      } catch (const std::bad_alloc&) {
        g_fails_in = 0;
        add();
      }
    }
  }
  summary.totals().records_read = records;
  EXPECT_TRUE(summary.CountsAddUp());
  EXPECT_EQ(summary.GroupsToReport(0).size(), records);
}

}  // namespace
}  // namespace leafscore::internal
