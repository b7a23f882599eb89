// Shards of a run, and their merge: the end must have the bytes of one run over all records.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "config/config_testing.h"
#include "engine/base/limits.h"
#include "engine/base/packed_bytes.h"
#include "engine/run/run_files.h"
#include "engine/run/run_journal.h"
#include "run/run_testing.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

class ShardTest : public RunTest {
 protected:
  std::uint32_t Below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  bool OneOf(std::uint32_t n) { return Below(n) == 0; }

  std::string Record(bool with_expected) {
    const std::string n = std::to_string(Below(30));
    std::string line = "{";
    if (!OneOf(3)) line += (OneOf(2) ? R"("id": "r)" + n + R"(", )" : R"("id": )" + n + ", ");
    if (with_expected && !OneOf(12)) line += R"("expected": {"a": )" + n + R"(, "b": "text )" + n + R"("}, )";
    if (!OneOf(4)) line += R"("model": "m)" + std::to_string(Below(4)) + R"(", )";
    line += R"("actual": {"a": )" + std::to_string(Below(30)) + R"(, "b": "tex )" + n + R"("}})";
    if (OneOf(15)) line += '}';
    return line;
  }

  std::string Lines(std::size_t count, bool with_expected) {
    const std::string mark = "\xef\xbb\xbf";
    const std::string line_end = OneOf(3) ? "\r\n" : "\n";
    std::string text = OneOf(4) ? mark : "";
    if (OneOf(3)) text += " \n\n";
    for (std::size_t i = 0; i < count; ++i) {
      text += Record(with_expected) + line_end;
      if (OneOf(10)) text += line_end;
      if (OneOf(30)) text += std::string(Below(2000), 'x') + "\n";
      if (OneOf(30)) text += mark + Record(with_expected) + "\n";
    }
    if (OneOf(2) && text.ends_with('\n')) text.pop_back();
    return text;
  }

  std::string Array(std::size_t count, bool with_expected) {
    std::string text = "[\n";
    for (std::size_t i = 0; i < count; ++i) {
      std::string record = Record(with_expected);
      if (record.ends_with("}}}")) record.pop_back();
      text += (i == 0 ? "" : ",\n") + record;
    }
    return text + "\n]";
  }

  // Returns options of a run over random inputs.
  FileOptions RandomRun() {
    FileOptions options;
    const bool with_gold = OneOf(3);
    constexpr std::size_t kCounts[] = {0, 1, 2, 10, 60, 60, 1500};
    const std::uint32_t inputs = 1 + Below(4);
    for (std::uint32_t i = 0; i < inputs; ++i) {
      const std::string name = "in" + std::to_string(i);
      const std::size_t count = kCounts[Below(std::size(kCounts))];
      switch (Below(6)) {
        case 0:
          options.inputs.push_back(Input(name + ".jsonl.gz", Gzip(Lines(count, !with_gold))));
          break;
        case 1:
          options.inputs.push_back(Input(name + ".jsonl.zst", Zstd(Lines(count, !with_gold))));
          break;
        case 2:
          options.inputs.push_back(Input(name + ".json", Array(count, !with_gold)));
          break;
        default:
          options.inputs.push_back(Input(name + ".jsonl", Lines(count, !with_gold)));
      }
    }
    if (with_gold) {
      std::string gold;
      for (int i = 0; i < 40; ++i) {
        const std::string n = std::to_string(i);
        gold += R"({"id": "r)" + n + R"(", "model": "of gold", "expected": {"a": )" + n + "}}\n";
      }
      options.gold = Input("gold.jsonl", gold);
      constexpr Repeats kRepeats[] = {Repeats::kLast, Repeats::kFirst, Repeats::kAll};
      options.repeats = kRepeats[Below(3)];
    }
    if (OneOf(2)) options.group_by = {"model"};
    if (OneOf(4)) options.max_groups = 2;
    if (OneOf(4)) options.max_line_bytes = 100 + Below(100);
    if (OneOf(3)) options.details = DetailLevel::kLeaves;
    options.trailer = OneOf(3);
    options.output = folder_ / (OneOf(3) && !options.trailer ? "out.csv" : "out.jsonl");
    return options;
  }

  // Scores all shards, and returns their files, mixed.
  std::vector<std::string> Shards(FileOptions options, std::uint32_t count) {
    std::vector<std::string> files;
    for (std::uint32_t index = 1; index <= count; ++index) {
      options.shard = Shard{index, count};
      options.threads = 1 + index % 3;
      options.batch_bytes = index % 2 == 0 ? 2000 : 256 << 10;
      ScoreFiles(plan_, options);
      files.push_back(ShardPath(options.output, *options.shard));
    }
    std::ranges::shuffle(files, random_);
    return files;
  }

  // Scores lines in shards: out.jsonl.shard-I-of-N.
  std::vector<std::string> ShardsOf(const std::string& lines, std::uint32_t count) {
    FileOptions options;
    options.inputs = {Input("in.jsonl", lines)};
    options.output = folder_ / "out.jsonl";
    return Shards(options, count);
  }

  std::string MergeError(ErrorCode code, const std::vector<std::string>& shards) {
    try {
      MergeShards({.shards = shards, .output = folder_ / "out.jsonl"});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_FALSE(std::filesystem::exists(folder_ / "out.jsonl"));
      std::filesystem::remove(folder_ / "out.jsonl.partial");
      return error.what();
    }
    ADD_FAILURE();
    return {};
  }

  static std::string Untimed(RunReport report) {
    report.totals.wall_seconds = 0;
    return report.ToJson();
  }

  std::mt19937 random_{12};
  const Plan plan_{std::vector<std::string>{"json_similarity", "exact_match"}};
};

constexpr char kThree[] = R"({"id": 1, "expected": "abc", "actual": "abc"}
{"id": 2, "expected": "abc", "actual": "abd"}
{"id": 3, "expected": "abc", "actual": "b"}
)";

TEST_F(ShardTest, AnyShardsInAnyOrderGiveTheBytesOfOneRun) {
  int merged = 0;
  for (int round = 0; round < Rounds(60); ++round) {
    FileOptions options = RandomRun();
    const std::string output = options.output;
    const std::string manifest = output + ".manifest.json";
    std::string summary;
    std::string error;
    try {
      summary = Untimed(ScoreFiles(plan_, options));
    } catch (const Error& thrown) {
      error = thrown.what();
    }
    const std::string lines = ReadFile(output);
    const std::string about_them = ReadFile(manifest);
    std::filesystem::remove(output);
    std::filesystem::remove(manifest);
    const std::uint32_t count = 1 + static_cast<std::uint32_t>(round) % 7;
    const std::vector<std::string> shards = Shards(options, count);
    try {
      const RunReport report = MergeShards({.shards = shards, .output = output});
      EXPECT_EQ(Untimed(report), summary) << round;
      EXPECT_TRUE(ReadFile(output) == lines) << round;
      EXPECT_EQ(ReadFile(manifest), about_them) << round;
      EXPECT_EQ(error, "") << round;
      ++merged;
    } catch (const Error& thrown) {
      EXPECT_EQ(thrown.what(), error) << round;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "")) {
      std::filesystem::remove(entry.path());
    }
  }
  EXPECT_GT(merged, Rounds(40));
}

TEST_F(ShardTest, OfARepeatedAnswerTheLastCountsOverAllShards) {
  std::string answers;
  for (int i = 0; i < 50; ++i)
    answers += R"({"id": "x", "actual": ")" + std::string(i == 49 ? "yes" : "no") + "\"}\n";
  FileOptions options;
  options.inputs = {Input("in.jsonl", answers)};
  options.gold = Input("gold.jsonl", R"({"id": "x", "expected": "yes"}
{"id": "y", "expected": "no"})");
  options.output = folder_ / "out.jsonl";
  const std::vector<std::string> shards = Shards(options, 5);
  const RunReport report = MergeShards({.shards = shards, .output = options.output});
  EXPECT_EQ(report.scorers[1].figures.asked, 2u);
  EXPECT_EQ(report.scorers[1].figures.unanswered, 1u);
  EXPECT_EQ(report.scorers[1].figures.over_scored.mean, 1.0);
  EXPECT_EQ(report.sources[0].duplicates.count, 49u);
}

TEST_F(ShardTest, RepeatsThatEndARunAreFoundOverAllShards) {
  FileOptions options;
  options.inputs = {Input("in.jsonl", "{\"id\": 1, \"actual\": 1}\n{\"id\": 1, \"actual\": 2}\n")};
  options.gold = Input("gold.jsonl", R"({"id": 1, "expected": 1})");
  options.repeats = Repeats::kError;
  options.output = folder_ / "out.jsonl";
  EXPECT_NE(MergeError(ErrorCode::kInput, Shards(options, 2)).find("more than once"), std::string::npos);
}

TEST_F(ShardTest, AMissingShardIsNamed) {
  std::vector<std::string> shards = ShardsOf(kThree, 5);
  std::erase(shards, folder_ / "out.jsonl.shard-2-of-5");
  std::erase(shards, folder_ / "out.jsonl.shard-5-of-5");
  EXPECT_NE(MergeError(ErrorCode::kUsage, shards).find("5 shards are expected, and these are missing: 2, 5"),
            std::string::npos);
  EXPECT_NE(MergeError(ErrorCode::kUsage, {}).find("no shard was named"), std::string::npos);
}

TEST_F(ShardTest, AShardThatIsNamedTwiceIsRefused) {
  std::vector<std::string> shards = ShardsOf(kThree, 2);
  std::filesystem::copy(shards[0], folder_ / "copy");
  shards.push_back(folder_ / "copy");
  EXPECT_NE(MergeError(ErrorCode::kUsage, shards).find("name each shard once"), std::string::npos);
}

TEST_F(ShardTest, ShardsOfDifferentRunsAreRefusedWithWhatDiffers) {
  const std::vector<std::string> base = ShardsOf(kThree, 2);
  const std::string first = ReadFile(folder_ / "out.jsonl.shard-1-of-2");
  const auto refusal = [&](const std::function<void(FileOptions&)>& change, const Plan& plan) {
    FileOptions options;
    options.inputs = {folder_ / "in.jsonl"};
    options.output = folder_ / "out.jsonl";
    options.shard = Shard{1, 2};
    change(options);
    ScoreFiles(plan, options);
    return MergeError(ErrorCode::kUsage,
                      {ShardPath(options.output, *options.shard), folder_ / "out.jsonl.shard-2-of-2"});
  };
  const auto expect = [&](const std::string& what, const std::function<void(FileOptions&)>& change) {
    const std::string error = refusal(change, plan_);
    EXPECT_NE(error.find(what), std::string::npos) << error;
  };
  expect("the option max_depth was", [](FileOptions& options) { options.max_depth = 7; });
  expect("the option csv_raw was", [](FileOptions& options) { options.csv_raw = true; });
  expect("the option trailer was", [](FileOptions& options) { options.trailer = true; });
  expect("the option group_by was", [](FileOptions& options) { options.group_by = {"id"}; });
  expect("the number of shards was", [](FileOptions& options) { options.shard = Shard{1, 3}; });
  expect("the format of the output was", [&](FileOptions& options) { options.output = folder_ / "out.csv"; });
  expect("an input was", [&](FileOptions& options) { options.inputs = {Input("other.jsonl", kThree)}; });
  expect("the gold was", [&](FileOptions& options) { options.gold = Input("gold.jsonl", kThree); });
  EXPECT_NE(refusal([](FileOptions&) {}, Plan({"levenshtein", "exact_match"})).find("a scorer was"),
            std::string::npos);
  const std::string grown = std::string(kThree) + R"({"id": 4, "expected": 1, "actual": 1})";
  expect("the size of " + folder_ / "in.jsonl was",
         [&](FileOptions&) { WriteFile(folder_ / "in.jsonl", grown); });
}

TEST_F(ShardTest, WhatIsNoWholeShardIsRefused) {
  const std::vector<std::string> shards = ShardsOf(kThree, 1);
  const std::string whole = ReadFile(shards[0]);
  for (std::size_t size = 0; size < whole.size(); size += 1 + size / 40) {
    WriteFile(shards[0], whole.substr(0, size));
    const std::string error = MergeError(ErrorCode::kInput, shards);
    EXPECT_TRUE(error.find("is not a shard") != std::string::npos ||
                error.find("is incomplete") != std::string::npos)
        << error;
  }
  for (std::size_t at = 0; at < whole.size(); at += 7) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    WriteFile(shards[0], damaged);
    MergeError(ErrorCode::kInput, shards);
  }
  for (const std::string& more : {std::string("x"), whole, "x" + whole.substr(whole.size() - 300)}) {
    WriteFile(shards[0], whole + more);
    MergeError(ErrorCode::kInput, shards);
  }
  EXPECT_NE(MergeError(ErrorCode::kInput, {folder_ / "in.jsonl"}).find("is not a shard"), std::string::npos);
  EXPECT_NE(MergeError(ErrorCode::kInput, {folder_ / "none"}).find("cannot read"), std::string::npos);
}

// Returns the parts of a shard, each with its size and checksum, without the position behind the last one.
std::vector<std::string> PartsOf(const std::string& file) {
  constexpr std::size_t kFrameBytes = sizeof(std::uint64_t) + 41;
  std::vector<std::string> parts;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) < file.size(); at += parts.back().size()) {
    PackedReader in(std::string_view(file).substr(at));
    parts.push_back(file.substr(at, kFrameBytes + in.Value<std::uint64_t>()));
  }
  return parts;
}

// Returns a shard of these parts, whose end says where it lies, as if the shard had been written so.
std::string ShardOf(const std::vector<std::string>& parts) {
  constexpr std::size_t kFrameBytes = sizeof(std::uint64_t) + 41;
  std::string file;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) file += parts[i];
  std::string position;
  PackedWriter(position).Value<std::uint64_t>(file.size());
  std::string end = parts.back().substr(kFrameBytes);
  end.replace(sizeof(std::uint32_t), position.size(), position);
  return file + FramedPart(end) + position;
}

// The head of one shard with the tail of another was a defect, exit status 3; other mixtures merged, with
// records missing or in another order.
TEST_F(ShardTest, AFileOfPartsOfDifferentShardsIsRefused) {
  std::string lines;
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(100 + i);
    lines += R"({"id": )" + n + R"(, "expected": "x", "actual": ")" + (i % 3 == 0 ? "x" : "y") + "\"}\n";
  }
  FileOptions options;
  options.inputs = {Input("a.jsonl", lines),
                    Input("b.jsonl.gz", Gzip(lines + std::string(90'000, ' ') + lines))};
  options.output = folder_ / "out.jsonl";
  ScoreFiles(plan_, options);
  const std::string whole = ReadFile(options.output);
  std::filesystem::remove(options.output);
  std::filesystem::remove(options.output + ".manifest.json");
  constexpr std::uint32_t kCount = 3;
  std::vector<std::vector<std::string>> parts;
  std::vector<std::string> files;
  for (std::uint32_t index = 1; index <= kCount; ++index) {
    options.shard = Shard{index, kCount};
    options.batch_bytes = 500;
    ScoreFiles(plan_, options);
    files.push_back(ShardPath(options.output, *options.shard));
    parts.push_back(PartsOf(ReadFile(files.back())));
  }
  int refused = 0;
  const auto try_merge = [&](std::size_t which, const std::string& content) {
    WriteFile(files[which], content);
    try {
      MergeShards({.shards = files, .output = folder_ / "out.jsonl"});
      EXPECT_TRUE(ReadFile(folder_ / "out.jsonl") == whole);
    } catch (const Error& error) {
      EXPECT_TRUE(error.code() == ErrorCode::kInput || error.code() == ErrorCode::kUsage) << error.what();
      ++refused;
    }
    for (const char* const name : {"out.jsonl", "out.jsonl.manifest.json", "out.jsonl.partial"}) {
      std::filesystem::remove(folder_ / name);
    }
  };
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::vector<std::string>& own = parts[i];
    EXPECT_EQ(ShardOf(own), ReadFile(files[i]));
    for (const std::vector<std::string>& other : parts) {
      for (std::size_t head = 1; head < own.size(); head += 2) {
        for (std::size_t tail = 1; tail < other.size(); tail += 2) {  // an entry and its seal are two parts
          std::vector<std::string> mixed(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(head));
          mixed.insert(mixed.end(), other.begin() + static_cast<std::ptrdiff_t>(tail), other.end());
          try_merge(i, ShardOf(mixed));
        }
      }
    }
    std::vector<std::string> turned = own;  // the first two batches in each other's place
    ASSERT_GT(turned.size(), 6u);
    std::swap_ranges(turned.begin() + 1, turned.begin() + 3, turned.begin() + 3);
    try_merge(i, ShardOf(turned));
    WriteFile(files[i], ShardOf(own));
  }
  EXPECT_GT(refused, 100);
}

TEST_F(ShardTest, InputsAndGoldThatChangedSinceAreRefused) {
  const std::string answers = "{\"id\": 1, \"actual\": 1}\n{\"id\": 2, \"actual\": 2}\n";
  const std::string gold = R"({"id": 1, "expected": 1})";
  FileOptions options;
  options.inputs = {Input("in.jsonl", answers), Input("in.gz", Gzip(answers))};
  options.gold = Input("gold.jsonl", gold);
  options.output = folder_ / "out.jsonl";
  const std::vector<std::string> shards = Shards(options, 3);
  for (const std::string& input : options.inputs) {
    const std::string before = ReadFile(input);
    for (std::string changed : {before.substr(0, before.size() - 3) + "x" + before.substr(before.size() - 2),
                                "x" + before.substr(1), before + "\n", before.substr(1), std::string()}) {
      WriteFile(input, changed);
      const std::string error = MergeError(ErrorCode::kInput, shards);
      EXPECT_NE(error.find(input + " changed since shard "), std::string::npos) << error;
    }
    WriteFile(input, before);
  }
  WriteFile(options.gold, R"({"id": 1, "expected": 2})");
  EXPECT_NE(MergeError(ErrorCode::kUsage, shards).find("the checksum of the gold was"), std::string::npos);
  WriteFile(options.gold, gold);
  EXPECT_EQ(MergeShards({.shards = shards, .output = options.output}).totals.records_read, 4u);
}

TEST_F(ShardTest, TheOutputOfAMergeReplacesNoShardInputOrOtherFormat) {
  const std::vector<std::string> shards = ShardsOf(kThree, 2);
  for (const std::string& output : {shards[0], folder_ / "in.jsonl", folder_ / "out.csv"}) {
    EXPECT_THROW(MergeShards({.shards = shards, .output = output}), Error) << output;
  }
  EXPECT_EQ(ReadFile(folder_ / "in.jsonl"), kThree);
  EXPECT_EQ(MergeShards({.shards = shards, .output = {}}).totals.records_read, 3u);
  FileOptions options;
  options.inputs = {folder_ / "in.jsonl"};
  options.output = folder_ / "in.jsonl";
  options.shard = Shard{1, 2};
  EXPECT_NE(ErrorOf([&] { ScoreFiles(plan_, options); }).find("would change"), std::string::npos);
}

TEST_F(ShardTest, AShardGoesOnFromWhateverWasLeftOfIt) {
  FileOptions options;
  std::string lines;
  for (int i = 0; i < 200; ++i) lines += Record(true) + "\n";
  options.inputs = {Input("a.jsonl", lines), Input("b.jsonl.gz", Gzip(lines))};
  options.output = folder_ / "out.jsonl";
  options.group_by = {"model"};
  options.batch_bytes = 1000;
  ScoreFiles(plan_, options);
  const std::string whole = ReadFile(options.output);
  const std::vector<std::string> shards = Shards(options, 3);
  std::uint64_t most_resumed = 0;
  for (std::uint32_t index = 1; index <= 3; ++index) {
    options.shard = Shard{index, 3};
    const std::string path = ShardPath(options.output, *options.shard);
    options.resume = false;
    ScoreFiles(plan_, options);
    const std::string file = ReadFile(path);
    options.resume = true;
    for (std::size_t step = 0; step <= 20; ++step) {
      std::filesystem::remove(path);
      WriteFile(path + ".partial", file.substr(0, file.size() * step / 20));
      options.batch_bytes = 500 + 700 * (step % 3);
      const RunReport report = ScoreFiles(plan_, options);
      most_resumed = std::max(most_resumed, report.resumed_records);
      std::filesystem::remove(options.output);
      MergeShards({.shards = shards, .output = options.output});
      EXPECT_TRUE(ReadFile(options.output) == whole) << index << " " << step;
      std::filesystem::remove(path + ".partial");  // of which nothing was of use
    }
  }
  EXPECT_GT(most_resumed, 50u);
}

TEST_F(ShardTest, AFinishedShardIsNotScoredAgainUnlessItsInputChanged) {
  ShardsOf(kThree, 2);
  FileOptions options;
  options.inputs = {folder_ / "in.jsonl"};
  options.output = folder_ / "out.jsonl";
  options.shard = Shard{1, 2};
  options.resume = true;
  const std::string path = ShardPath(options.output, *options.shard);
  const std::string file = ReadFile(path);
  const RunReport again = ScoreFiles(plan_, options);
  EXPECT_EQ(again.resumed_records, again.totals.records_read);
  EXPECT_GT(again.resumed_records, 0u);
  EXPECT_EQ(ReadFile(path), file);
  std::string changed = kThree;
  changed[changed.find("abc")] = 'x';
  WriteFile(folder_ / "in.jsonl", changed);
  EXPECT_EQ(ScoreFiles(plan_, options).resumed_records, 0u);
  EXPECT_NE(ReadFile(path), file);
}

TEST_F(ShardTest, AnotherRunsPartialShardIsRefused) {
  const std::vector<std::string> shards = ShardsOf(kThree, 1);
  std::filesystem::rename(shards[0], shards[0] + ".partial");
  FileOptions options;
  options.inputs = {folder_ / "in.jsonl"};
  options.output = folder_ / "out.jsonl";
  options.shard = Shard{1, 1};
  options.resume = true;
  options.max_depth = 9;
  const std::string error = ErrorOf([&] { ScoreFiles(plan_, options); });
  EXPECT_NE(error.find("the option max_depth was"), std::string::npos) << error;
}

TEST_F(ShardTest, ShardsAreLimited) {
  FileOptions options;
  options.inputs = {Input("in.jsonl", kThree)};
  options.output = folder_ / "out.jsonl";
  const auto refused = [&](Shard shard) {
    options.shard = shard;
    return ErrorOf([&] { ScoreFiles(plan_, options); });
  };
  constexpr std::uint32_t kMost = 10'000;
  EXPECT_EQ(kMaxShards.max, kMost);
  EXPECT_NE(refused({0, 2}).find("there is no shard 0 of 2"), std::string::npos);
  EXPECT_NE(refused({3, 2}).find("there is no shard 3 of 2"), std::string::npos);
  EXPECT_NE(refused({1, 0}).find("--shard is 0"), std::string::npos);
  EXPECT_NE(refused({1, kMost + 1}).find("--shard is"), std::string::npos);
  options.shard = Shard{kMost, kMost};
  EXPECT_EQ(ScoreFiles(plan_, options).totals.records_read, 0u);
  options.output = "-";
  EXPECT_NE(refused({1, 2}).find("name that output (-o)"), std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
