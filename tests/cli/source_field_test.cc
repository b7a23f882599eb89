// Answers of several models in one file, by the command: what files of models have, they have too.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class SourceFieldTest : public ::testing::Test {
 protected:
  static constexpr int kIds = 40;

  // Writes answers of three models, of which heron leaves every fifth id unanswered and swift answers one
  // twice: to one file, id by id, and to a file each.
  void SetUp() override {
    std::string gold;
    std::string all;
    std::string alone[3];
    for (int id = 0; id < kIds; ++id) {
      gold += fmt::format("{{\"id\": {0}, \"expected\": {{\"a\": {0}, \"b\": 1}}}}\n", id);
      for (int model = 0; model < 3; ++model) {
        if (model == 2 && id % 5 == 0) continue;
        const std::string line = fmt::format(
            "\"id\": {0}, \"expected\": {{\"a\": {0}, \"b\": 1}}, \"actual\": {{\"a\": {0}, \"b\": {1}}}}}\n",
            id, id % (model + 2) == 0 ? 9 : 1);
        all += fmt::format("{{\"model\": \"{}\", ", kModels[model]) + line;
        alone[model] += "{" + line;
        if (model != 0 || id != 7) continue;
        all += fmt::format("{{\"model\": \"{}\", ", kModels[model]) + line;
        alone[model] += "{" + line;
      }
    }
    WriteFile(Path("gold.jsonl"), gold);
    WriteFile(Path("all.jsonl"), all);
    for (int model = 0; model < 3; ++model)
      WriteFile(Path(std::string(kModels[model]) + ".jsonl"), alone[model]);
  }

  std::string Path(const std::string& name) const { return folder_ / name; }

  SubprocessResult Score(std::vector<std::string> arguments, const std::string& output) const {
    arguments.insert(arguments.begin(), {"score", "-s", "json_similarity", "-q"});
    arguments.insert(arguments.end(), {"-o", Path(output), "--summary", Path(output + ".summary.json")});
    return RunCommand(arguments);
  }

  std::string Ranks(const std::string& file, const std::string& by) const {
    const SubprocessResult run = RunCommand({"leaderboard", Path(file), "--by", by, "--format", "csv"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  }

  static constexpr const char* kModels[] = {"swift", "robin", "heron"};
  TempDir folder_;
};

TEST_F(SourceFieldTest, WithGoldOneFileIsRankedAndComparedAsFilesOfModelsAre) {
  EXPECT_EQ(
      Score({Path("all.jsonl"), "--gold", Path("gold.jsonl"), "--source-field", "model"}, "one.scores.jsonl")
          .exit_code,
      0);
  EXPECT_EQ(
      Score({Path("swift.jsonl"), Path("robin.jsonl"), Path("heron.jsonl"), "--gold", Path("gold.jsonl")},
            "files.scores.jsonl")
          .exit_code,
      0);
  EXPECT_EQ(Ranks("one.scores.jsonl", "model"), Ranks("files.scores.jsonl", "source"));
  const auto compare = [&](const std::string& file, const std::string& field) {
    return RunCommand({"compare", Path(file), "--between", field + "=swift,robin,heron", "--format", "csv"});
  };
  const SubprocessResult one = compare("one.scores.jsonl", "model");
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one.out, compare("files.scores.jsonl", "source").out);
  // The same counts of every source, in the order in which they come.
  const auto sources = [&](const std::string& file) {
    const std::string summary = ReadFile(Path(file + ".summary.json"));
    const std::size_t begin = summary.find("\"sources\"");
    return summary.substr(begin, summary.find(']', summary.find("heron", begin)) - begin);
  };
  EXPECT_EQ(sources("one.scores.jsonl"), sources("files.scores.jsonl"));
}

TEST_F(SourceFieldTest, GatesCountWhatASourceLeftUnanswered) {
  const auto gate = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {Path("all.jsonl"), "--gold", Path("gold.jsonl"), "--source-field", "model"});
    return Score(arguments, "gated.jsonl");
  };
  EXPECT_EQ(gate({"--min-coverage", "0.9"}).exit_code, 0);  // 112 of 120
  const SubprocessResult by_model = gate({"--min-coverage", "0.9", "--gate-by", "model"});
  EXPECT_EQ(by_model.exit_code, 1);
  EXPECT_THAT(by_model.err, HasSubstr("heron"));
  EXPECT_THAT(by_model.err, Not(HasSubstr("swift")));
}

// "4,795 errors ... records with the id of an earlier one" was all that the commonest layout gave.
TEST_F(SourceFieldTest, WithoutGoldIdsAreUniqueBySource) {
  std::string all;
  std::ifstream lines(Path("all.jsonl"));
  std::string last;
  for (std::string line; std::getline(lines, line); last = line) {
    if (line != last) all += line + '\n';  // but for the answer that is there twice
  }
  WriteFile(Path("all.jsonl"), all);
  const SubprocessResult without = Score({Path("all.jsonl"), "--fail-under", "0.1"}, "a.jsonl");
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_THAT(without.err, HasSubstr("the field \"model\" distinguishes them: if that field says who "
                                     "answered, give --source-field model"));
  const SubprocessResult with = Score(
      {Path("all.jsonl"), "--source-field", "model", "--fail-under", "0.1", "--gate-by", "model"}, "b.jsonl");
  EXPECT_EQ(with.exit_code, 0) << with.err;
  EXPECT_EQ(with.err, "");
  WriteFile(Path("twice.jsonl"), all + all.substr(0, all.find('\n') + 1));
  const SubprocessResult twice =
      Score({Path("twice.jsonl"), "--source-field", "model", "--fail-under", "0.1"}, "c.jsonl");
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_THAT(twice.err, HasSubstr("1 records with the id of an earlier one"));
}

TEST_F(SourceFieldTest, ABoardOfOneRowForSeveralModelsIsRefused) {
  const auto refusal = [&](const std::string& file) {
    const SubprocessResult run = RunCommand({"leaderboard", Path(file)});
    EXPECT_EQ(run.exit_code, 2);
    return run.err;
  };
  Score({Path("all.jsonl"), "--source-field", "model"}, "one.jsonl");
  EXPECT_THAT(refusal("one.jsonl"), HasSubstr("leaderboard --by model ranks each"));
  Score({Path("swift.jsonl"), Path("robin.jsonl"), "--gold", Path("gold.jsonl")}, "two.jsonl");
  EXPECT_THAT(refusal("two.jsonl"), HasSubstr("leaderboard --by source ranks each"));
  Score({Path("all.jsonl"), "--group-by", "model"}, "grouped.jsonl");
  EXPECT_THAT(refusal("grouped.jsonl"), HasSubstr("leaderboard --by model ranks each"));
}

TEST_F(SourceFieldTest, ShardsAndAnotherBatchSizeGiveTheSameBytes) {
  const std::vector<std::string> run = {"score",
                                        Path("all.jsonl"),
                                        "-s",
                                        "json_similarity",
                                        "-q",
                                        "--gold",
                                        Path("gold.jsonl"),
                                        "--source-field",
                                        "model"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    const SubprocessResult result = RunCommand(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
  };
  with({"-o", Path("whole.jsonl")});
  with({"-o", Path("small.jsonl"), "--batch-bytes", "100", "--threads", "3"});
  EXPECT_EQ(ReadFile(Path("small.jsonl")), ReadFile(Path("whole.jsonl")));
  for (const char* part : {"1/2", "2/2"}) with({"-o", Path("sharded.jsonl"), "--shard", part});
  EXPECT_EQ(RunCommand({"merge", "-q", "-o", Path("sharded.jsonl"), Path("sharded.jsonl.shard-1-of-2"),
                        Path("sharded.jsonl.shard-2-of-2")})
                .exit_code,
            0);
  EXPECT_EQ(ReadFile(Path("sharded.jsonl")), ReadFile(Path("whole.jsonl")));
}

TEST_F(SourceFieldTest, AResumedRunGivesTheSameBytes) {
  for (const bool has_gold : {true, false}) {
    const auto arguments = [&](const std::string& output, const std::string& field) {
      std::vector<std::string> all = {"score",
                                      Path("all.jsonl"),
                                      "-s",
                                      "json_similarity",
                                      "-q",
                                      "--source-field",
                                      field,
                                      "--batch-bytes",
                                      "300",
                                      "-o",
                                      Path(output),
                                      "--summary",
                                      Path(output + ".summary.json"),
                                      "--resume"};
      if (has_gold) all.insert(all.end(), {"--gold", Path("gold.jsonl")});
      return all;
    };
    const std::string whole = has_gold ? "whole.gold.jsonl" : "whole.jsonl";
    const std::string cut = has_gold ? "cut.gold.jsonl" : "cut.jsonl";
    EXPECT_EQ(RunCommand(arguments(whole, "model")).exit_code, 0);
    EXPECT_EQ(RunCommand(arguments(cut, "model"), {}, {.max_file_size = 9000}).exit_code, 2);
    const SubprocessResult resumed = RunCommand(arguments(cut, "model"));
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_THAT(resumed.err, HasSubstr("went on after "));
    EXPECT_EQ(ReadFile(Path(cut)), ReadFile(Path(whole)));
    EXPECT_EQ(ReadFile(Path(cut + ".manifest.json")), ReadFile(Path(whole + ".manifest.json")));
    const auto asked = [&](const std::string& output) {
      const std::string summary = ReadFile(Path(output + ".summary.json"));
      return summary.substr(summary.find("\"scorers\""));
    };
    EXPECT_EQ(asked(cut), asked(whole));
    // By another field, ids are others.
    std::filesystem::remove(Path(cut));
    EXPECT_EQ(RunCommand(arguments(cut, "model"), {}, {.max_file_size = 9000}).exit_code, 2);
    EXPECT_THAT(RunCommand(arguments(cut, "id")).err, HasSubstr("the option source_field was "));
  }
}

// Broken lines say nothing of who answered: nobody is asked for them.
TEST_F(SourceFieldTest, LinesWithoutASourceAreNobodys) {
  WriteFile(Path("broken.jsonl"), ReadFile(Path("all.jsonl")) + "{broken\n");
  EXPECT_EQ(Score({Path("broken.jsonl"), "--gold", Path("gold.jsonl"), "--source-field", "model"}, "b.jsonl")
                .exit_code,
            0);
  const std::string summary = ReadFile(Path("b.jsonl.summary.json"));
  EXPECT_THAT(summary, HasSubstr("\"asked\": 120"));
  EXPECT_THAT(Ranks("b.jsonl", "model"), HasSubstr("heron"));
}

}  // namespace
}  // namespace leafscore::internal
