// What a user sees of the command: options, exit codes, messages, gates and files.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/pseudo_terminal.h"
#include "cli/subprocess.h"
#include "run/run_testing.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

// The mean is 0.75 and the pass rate 0.5.
constexpr char kPairs[] =
    "{\"id\": 1, \"expected\": \"abcd\", \"actual\": \"abcd\", \"model\": \"m\"}\n"
    "{\"id\": 2, \"expected\": \"abcd\", \"actual\": \"abxx\", \"model\": \"n\"}\n";

class CommandTest : public ::testing::Test {
 protected:
  CommandTest() { WriteFile(pairs_, kPairs); }

  // Runs `leafscore score pairs.jsonl` with more arguments.
  SubprocessResult Score(std::vector<std::string> arguments, const SubprocessOptions& options = {}) {
    arguments.insert(arguments.begin(), {"score", pairs_});
    return RunCommand(arguments, {}, options);
  }

  std::vector<std::string> Files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "")) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  TempDir folder_;
  const std::string pairs_ = folder_ / "pairs.jsonl";
};

TEST_F(CommandTest, ScoresToStandardOutputAndSummarisesOnStandardError) {
  const SubprocessResult run = Score({"--scorer", "levenshtein"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(
      run.out,
      "{\"id\": 1, \"scorer\": \"levenshtein\", \"outcome\": \"scored\", \"score\": 1, \"passed\": true, "
      "\"details\": {\"distance\": 0, \"label\": \"pass\"}}\n"
      "{\"id\": 2, \"scorer\": \"levenshtein\", \"outcome\": \"scored\", \"score\": 0.5, \"passed\": false, "
      "\"details\": {\"distance\": 2, \"label\": \"fail\"}}\n");
  EXPECT_NE(run.err.find("0.7500"), std::string::npos);
  EXPECT_NE(run.err.find("asked 2 = scored 2 + unreadable 0 + unanswered 0 + errors 0: counts add up"),
            std::string::npos);
  EXPECT_EQ(run.err.find('\x1b'), std::string::npos);
  EXPECT_EQ(run.err.find('\r'), std::string::npos);
}

TEST_F(CommandTest, QuietSaysNothing) {
  const SubprocessResult run = Score({"--scorer", "levenshtein", "--quiet"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(SplitLines(run.out).size(), 2u);
}

TEST_F(CommandTest, ReadsStandardInput) {
  EXPECT_EQ(RunCommand({"score", "-", "-s", "levenshtein", "-q"}, kPairs).out,
            Score({"-s", "levenshtein"}).out);
  EXPECT_EQ(RunCommand({"score", "-", "-s", "levenshtein", "-q"}, Zstd(kPairs)).out,
            Score({"-s", "levenshtein"}).out);
  ExpectRefused(RunCommand({"score", "-", "-", "-s", "levenshtein"}), "name it once");
}

TEST_F(CommandTest, SeveralInputsAndScorersInAnyOrder) {
  const std::string other = folder_ / "other.jsonl";
  WriteFile(other, kPairs);
  const std::string want =
      RunCommand({"score", pairs_, other, "-q", "-s", "levenshtein", "-s", "exact_match"}).out;
  EXPECT_EQ(SplitLines(want).size(), 8u);
  // An option takes one value, not the inputs after it.
  EXPECT_EQ(RunCommand({"score", "-q", "-s", "levenshtein", "-s", "exact_match", pairs_, other}).out, want);
  EXPECT_EQ(RunCommand({"score", "-q", "-s", "levenshtein", pairs_, "-s", "exact_match", other}).out, want);
  EXPECT_EQ(SplitLines(RunCommand({"score", "-q", "-s", "levenshtein", "-s", "exact_match", "--group-by",
                                   "model", pairs_, other})
                           .out)
                .size(),
            8u);
}

TEST_F(CommandTest, GoldIsJoinedById) {
  const std::string gold = folder_ / "gold.jsonl";
  const std::string other = folder_ / "other.jsonl.gz";
  WriteFile(gold, "{\"id\": \"1\", \"expected\": \"abcd\"}\n{\"id\": 3, \"expected\": \"x\"}\n");
  WriteFile(other, Gzip("{\"id\": 1, \"actual\": \"abxx\"}\n"));
  const SubprocessResult run =
      RunCommand({"score", "--gold", gold, pairs_, other, "--join", "id", "-s", "exact_match"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(
      run.out.find("{\"id\": 1, \"source\": \"pairs\", \"scorer\": \"exact_match\", \"outcome\": \"scored\", "
                   "\"score\": 1, "),
      std::string::npos)
      << run.out;
  EXPECT_NE(
      run.out.find("{\"id\": 2, \"source\": \"pairs\", \"scorer\": \"exact_match\", \"outcome\": \"error\", "
                   "\"reason\": \"no_gold\""),
      std::string::npos)
      << run.out;
  EXPECT_NE(
      run.out.find("{\"id\": 1, \"source\": \"other\", \"scorer\": \"exact_match\", \"outcome\": \"scored\", "
                   "\"score\": 0, "),
      std::string::npos)
      << run.out;
  EXPECT_NE(run.err.find("source=other"), std::string::npos);
  EXPECT_NE(run.err.find("gold: 2 records, 2 ids\n"
                         "pairs: 1 matched; 1 without gold: \"2\"; 1 gold ids unanswered: \"3\"\n"
                         "other: 1 matched; 1 gold ids unanswered: \"3\"\n"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(
      RunCommand({"score", "-q", "--gold", gold, "-", "-s", "exact_match"}, ReadFile(other)).out,
      "{\"id\": 1, \"source\": \"-\", \"scorer\": \"exact_match\", \"outcome\": \"scored\", \"score\": 0, "
      "\"passed\": false, \"details\": {}}\n"
      "{\"id\": \"3\", \"source\": \"-\", \"scorer\": \"exact_match\", \"outcome\": \"unanswered\", "
      "\"reason\": \"no_answer\", \"message\": \"no record answers this id\"}\n");
  EXPECT_EQ(RunCommand({"score", "-q", "--strict", "--gold", gold, pairs_, "-s", "exact_match"}).exit_code,
            1);
}

TEST_F(CommandTest, GoldThatCannotBeUsed) {
  const std::string gold = folder_ / "gold.jsonl";
  WriteFile(gold, "{\"id\": 1, \"expected\": 1}\n{\"id\": \"1\", \"expected\": 2}\n");
  EXPECT_EQ(Score({"-q", "-s", "exact_match", "--gold", gold}).exit_code, 0);
  ExpectRefused(Score({"-s", "exact_match", "--gold", gold, "--strict"}),
                "leafscore: records 1 and 2 of " + gold + " have the same id, \"1\"; keep one\n");
  ExpectRefused(Score({"-s", "exact_match", "--gold", gold, "--join", "key"}),
                "no record of " + gold + " has the field \"key\" (--gold-id-field)");
  ExpectRefused(Score({"-s", "exact_match", "--join", "id"}), "--join requires --gold");
  ExpectRefused(Score({"-s", "exact_match", "--gold", folder_ / "none"}), "none");
  ExpectRefused(RunCommand({"score", "-", "--gold", "-", "-s", "exact_match"}), "cannot be both");
  ExpectRefused(Score({"-s", "exact_match", "--gold", gold, "-o", gold}), "would change");
  ExpectRefused(Score({"-s", "exact_match", "--gold", gold, "--summary", gold}), "would change");
  WriteFile(gold, "{\"id\": 9, \"expected\": 1}\n");
  const SubprocessResult run = Score({"-q", "-s", "exact_match", "--gold", gold});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("not one record was scored"), std::string::npos);
}

TEST_F(CommandTest, Gates) {
  struct Gate {
    std::vector<std::string> arguments;
    int exit_code;
    std::string message;
  };
  const std::vector<Gate> gates = {
      {{"--fail-under", "0.75"},
       0,
       "leafscore: gate holds, but chance may have passed it: the mean of levenshtein over all that was "
       "asked "
       "is 0.75 (95% from 0.1098 to 0.9940, over 2 records); 0.75 was wanted; --sure asks for more\n"},
      {{"--fail-under", "0.7500001"},
       1,
       "leafscore: gate failed: the mean of levenshtein over all that was asked is 0.75 (95% from 0.1098 to "
       "0.9940, over 2 records), 1e-07 under 0.75; most often: score too low 1 (\"2\")\n"},
      {{"--fail-under", "0"}, 0, ""},
      {{"--min-pass-rate", "0.5"},
       0,
       "leafscore: gate holds, but chance may have passed it: the pass rate of levenshtein over all that was "
       "asked is 0.5 (95% from 0.0945 to 0.9055, over 2 records); 0.5 was wanted; --sure asks for more\n"},
      {{"--min-pass-rate", "0.51"},
       1,
       "leafscore: gate failed: the pass rate of levenshtein over all that was asked is 0.5 (95% from 0.0945 "
       "to 0.9055, over 2 records), 0.01 under 0.51; most often: score too low 1 (\"2\")\n"},
      {{"--fail-under", "1", "--min-pass-rate", "1"},
       1,
       "leafscore: gate failed: the mean of levenshtein over all that was asked is 0.75 (95% from 0.1098 to "
       "0.9940, over 2 records), 0.25 under 1; most often: score too low 1 (\"2\")\n"
       "leafscore: gate failed: the pass rate of levenshtein over all that was asked is 0.5 (95% from 0.0945 "
       "to 0.9055, over 2 records), 0.5 under 1; most often: score too low 1 (\"2\")\n"},
      {{"--strict"}, 0, ""},
  };
  for (const Gate& gate : gates) {
    std::vector<std::string> arguments = {"-q", "-s", "levenshtein"};
    arguments.insert(arguments.end(), gate.arguments.begin(), gate.arguments.end());
    const SubprocessResult run = Score(arguments);
    EXPECT_EQ(run.exit_code, gate.exit_code) << gate.arguments[1];
    EXPECT_EQ(run.err, gate.message);
    EXPECT_EQ(SplitLines(run.out).size(), 2u);
  }
}

// An empty name mostly comes from a variable that is not set.
TEST_F(CommandTest, EmptyFileNamesAreRefused) {
  for (const std::string option : {"-o", "--summary", "--config", "--gold"}) {
    ExpectRefused(Score({"-s", "levenshtein", option, ""}), "the file name is empty");
  }
}

// Names and values reach a terminal without what could steer it or turn its text around.
TEST_F(CommandTest, MessagesShowNoControlCharacters) {
  const std::string hostile = "a\x1b[2J\xc2\x9b\xe2\x80\xae\x7f\xff";
  WriteFile(folder_ / hostile, "");
  WriteFile(folder_ / "c.yaml", "scorers: [{type: \"\\e[2J\"}]\n");
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"score", folder_ / hostile, "-s", "levenshtein"},
           {"score", folder_ / ("none/" + hostile), "-s", "levenshtein"},
           {"score", pairs_, "-s", hostile},
           {"score", pairs_, "-s", "levenshtein", "--threads", hostile},
           {"score", pairs_, "-s", "levenshtein", "--" + hostile},
           {"score", pairs_, "-s", "levenshtein", "-o", folder_ / ("none/" + hostile)},
           {"score", pairs_, "-s", "levenshtein", "--fail-under", hostile + "=1"},
           {"score", pairs_, "-c", folder_ / "c.yaml"},
           {"score", pairs_, "-c", folder_ / hostile},
           {"explain", hostile, pairs_, "-s", "levenshtein"},
           {"leaderboard", folder_ / hostile},
           {"leaderboard", pairs_, "--by", hostile},
           {"lint", folder_ / hostile, "-s", "levenshtein"},
           {"lint", pairs_, "-s", "levenshtein", "--question-field", hostile},
           {"generate", "--pairs", "1", "--profile", hostile},
           {"generate", "--pairs", "1", "-o", folder_ / ("none/" + hostile)},
           {"evaluate", "--trajectories", folder_ / hostile, "--scenarios", folder_ / hostile},
           {hostile},
       }) {
    const SubprocessResult run = RunCommand(arguments);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_NE(run.err, "");
    for (const std::string raw : {"\x1b", "\xc2\x9b", "\xe2\x80\xae", "\x7f", "\xff"}) {
      EXPECT_EQ(run.err.find(raw), std::string::npos) << arguments[0] << ": " << run.err;
    }
  }
}

TEST_F(CommandTest, UnknownSuffixesOfOutputsAreRefused) {
  ExpectRefused(Score({"-s", "levenshtein", "-o", folder_ / "out.parquet"}),
                "known are .jsonl, .ndjson, .csv");
  ExpectRefused(Score({"-s", "levenshtein", "--summary", folder_ / "s.jsonl"}), "known are .json,");
  ExpectRefused(RunCommand({"generate", "--pairs", "1", "-o", folder_ / "out.csv"}),
                "known are .jsonl, .ndjson,");
  EXPECT_EQ(Files(), std::vector<std::string>{"pairs.jsonl"});
}

TEST_F(CommandTest, GateValuesOutOfRange) {
  for (const std::string option : {"--fail-under", "--min-pass-rate"}) {
    for (const std::string value : {"-0.1", "1.1", "nan", "NAN", "inf", "x", ""}) {
      ExpectRefused(Score({"-s", "levenshtein", option, value}), option);
    }
  }
}

TEST_F(CommandTest, APassRateNeedsAVerdict) {
  const SubprocessResult run = Score({"-q", "-s", "json_similarity", "--min-pass-rate", "0"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err, "leafscore: gate failed: no scorer passes or fails records, so there is no pass rate\n");
}

// What could not be scored is no answer's fault here, and must not be let through a gate.
TEST_F(CommandTest, AScorerInErrorFailsItsGate) {
  WriteFile(folder_ / "c.yaml",
            "scorers:\n  - {type: json_similarity, target_output_key: absent}\n  - {type: exact_match}\n");
  EXPECT_EQ(Score({"-q", "-c", folder_ / "c.yaml"}).exit_code, 0);
  const SubprocessResult run = Score({"-q", "-c", folder_ / "c.yaml", "--fail-under", "0"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.err,
            "leafscore: gate failed: 2 errors of json_similarity in 2 records asked for are more than 0: "
            "invalid_expected_json 2 (\"1\")\n");
}

TEST_F(CommandTest, StrictFailsOnAnyReject) {
  WriteFile(pairs_, std::string(kPairs) + "not json\n");
  const SubprocessResult lenient = Score({"-s", "levenshtein"});
  EXPECT_EQ(lenient.exit_code, 0);
  EXPECT_NE(lenient.err.find("1 rejected"), std::string::npos);
  const SubprocessResult strict = Score({"-q", "-s", "levenshtein", "--strict"});
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_EQ(strict.err, "leafscore: gate failed: --strict, and 1 record was rejected\n");
  EXPECT_EQ(strict.out, lenient.out);
}

TEST_F(CommandTest, WrongUsage) {
  ExpectRefused(RunCommand({}), "");
  ExpectRefused(RunCommand({"sccore"}), "unknown command \"sccore\"; did you mean \"score\"?");
  ExpectRefused(RunCommand({"--versoin"}), "did you mean \"--version\"?");
  ExpectRefused(RunCommand({"score"}), "inputs");
  ExpectRefused(Score({}), "no scorer was named");
  ExpectRefused(Score({"-s", "levenshtein", "--fali-under", "1"}), "--fali-under");
  ExpectRefused(Score({"-s", "levenstein"}), "did you mean \"levenshtein\"?");
  ExpectRefused(Score({"-s", "levenshtein", "-s", "levenshtein"}), "two scorers named");
  ExpectRefused(Score({"-s", "levenshtein", "--details", "all"}), "--details");
  ExpectRefused(Score({"-s", "levenshtein", "--threads", "0"}), "--threads");
  ExpectRefused(Score({"-s", "levenshtein", "--threads", "1025"}), "--threads");
  ExpectRefused(Score({"-s", "levenshtein", "--batch-bytes", "0"}), "--batch-bytes");
  ExpectRefused(Score({"-s", "levenshtein", "--max-line-bytes", "1"}), "--max-line-bytes");
  ExpectRefused(Score({"-s", "levenshtein", "--max-line-bytes", "1073741825"}), "--max-line-bytes");
  ExpectRefused(Score({"-s", "levenshtein", "--max-depth", "1025"}), "--max-depth");
  ExpectRefused(Score({"-s", "levenshtein", "--max-groups", "0"}), "--max-groups");
  ExpectRefused(Score({"-s", "levenshtein", "--max-pair-cells", "0"}), "--max-pair-cells");
  ExpectRefused(Score({"-s", "levenshtein", "--max-pair-cells", "1125899906842625"}), "--max-pair-cells");
  ExpectRefused(Score({"-s", "levenshtein", "--max-details-bytes", "0"}), "--max-details-bytes");
  ExpectRefused(Score({"-s", "levenshtein", "--max-details-bytes", "1073741825"}), "--max-details-bytes");
  ExpectRefused(Score({"-s", "levenshtein", "--max-ratio", "0"}), "--max-ratio");
  ExpectRefused(Score({"-s", "levenshtein", "--max-ratio", "1000000001"}), "--max-ratio");
  SubprocessOptions threads;
  threads.environment = {"LEAFSCORE_THREADS=many"};
  ExpectRefused(Score({"-s", "levenshtein"}, threads), "LEAFSCORE_THREADS is \"many\"");
}

TEST_F(CommandTest, OptionsReachTheRun) {
  SubprocessOptions threads;
  threads.environment = {"LEAFSCORE_THREADS=2"};
  const std::string want = Score({"-q", "-s", "levenshtein"}).out;
  EXPECT_EQ(Score({"-q", "-s", "levenshtein"}, threads).out, want);
  EXPECT_EQ(Score({"-q", "-s", "levenshtein", "--threads", "3", "--batch-bytes", "1"}).out, want);
  EXPECT_NE(Score({"-q", "-s", "levenshtein", "--max-line-bytes", "50"}).out.find("line_too_long"),
            std::string::npos);
  EXPECT_EQ(Score({"-q", "-s", "levenshtein", "--details", "none"}).out.find("details"), std::string::npos);
  EXPECT_NE(Score({"-q", "-s", "json_similarity", "--details", "leaves"}).out.find("\"leaves\""),
            std::string::npos);
  EXPECT_EQ(Score({"-q", "-s", "exact_match", "--expected-field", "model", "--actual-field", "model"})
                .out.find("\"score\": 0"),
            std::string::npos);
  EXPECT_EQ(Score({"-q", "-s", "levenshtein", "--max-pair-cells", "1125899906842624"}).out, want);
  WriteFile(pairs_, "{\"expected\": NaN, \"actual\": [[1]]}\n{\"expected\": 1, \"actual\": 1}\n");
  EXPECT_NE(Score({"-q", "-s", "levenshtein", "--strict-json"}).out.find("nonstandard_json"),
            std::string::npos);
  EXPECT_NE(Score({"-q", "-s", "levenshtein", "--max-depth", "2"}).out.find("too_deep"), std::string::npos);
}

TEST_F(CommandTest, TwoStringsOfTenMegabytes) {
  constexpr std::size_t kSize = 10'000'000;
  std::string expected, actual;
  for (std::size_t i = 0; i < kSize; ++i) {
    expected += static_cast<char>('a' + i * i % 7);
    actual += static_cast<char>('a' + i * i % 11);
  }
  WriteFile(pairs_,
            R"({"id": "long", "expected": ")" + expected + R"(", "actual": ")" + actual + "\"}\n" + kPairs);
  const SubprocessResult run = Score({"-q", "-s", "json_similarity"});
  EXPECT_EQ(run.exit_code, 0);
  const std::vector<std::string> lines = SplitLines(run.out);
  ASSERT_EQ(lines.size(), 3u);
  const rapidjson::Document line = ParseLine(lines[0]);
  EXPECT_STREQ(line["outcome"].GetString(), "error");
  EXPECT_STREQ(line["reason"].GetString(), "work_limit");
  const std::string message = line["message"].GetString();
  EXPECT_TRUE(
      message.starts_with("a string pair of 10,000,000 x 10,000,000 characters exceeds --max-pair-cells; the "
                          "score lies between "))
      << message;
  EXPECT_EQ(ParseLine(lines[1])["score"].GetDouble(), 1.0);
  EXPECT_EQ(ParseLine(lines[2])["score"].GetDouble(), 0.5);
}

// It ended as a defect of leafscore, and what was scored before it was deleted.
TEST_F(CommandTest, ALineThatMemoryIsTooSmallForEndsTheRunAndLosesNothing) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take all address space";
  std::string integers = "[1";
  while (integers.size() < 20'000'000) integers += ",1";
  const std::string output = folder_ / "scores.jsonl";
  WriteFile(output, "earlier scores\n");
  WriteFile(pairs_,
            std::string(kPairs) + R"({"expected": )" + integers + R"(], "actual": )" + integers + "]}\n");
  SubprocessOptions options;
  options.max_memory = 350 << 20;
  const SubprocessResult run = Score(
      {"-q", "-s", "json_similarity", "--threads", "1", "--memory", "8589934592", "-o", output}, options);
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_EQ(run.err.find("defect"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("memory"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("--max-line-bytes"), std::string::npos) << run.err;
  const std::string told = "the scores before that are in ";
  const std::size_t begin = run.err.find(told);
  ASSERT_NE(begin, std::string::npos) << run.err;
  const std::string partial =
      run.err.substr(begin + told.size(), run.err.find(';', begin) - begin - told.size());
  EXPECT_EQ(SplitLines(ReadFile(partial)).size(), 2u);
  EXPECT_EQ(ReadFile(output), "earlier scores\n");
  // The same line under a lower limit is its own error, and the run goes on.
  const SubprocessResult lower =
      Score({"-q", "-s", "json_similarity", "--threads", "1", "--max-line-bytes", "10000000", "-o", output},
            options);
  EXPECT_EQ(lower.exit_code, 0) << lower.err;
  EXPECT_NE(ReadFile(output).find("line_too_long"), std::string::npos);
}

// oneTBB ended the process where it could not start a thread.
TEST_F(CommandTest, ThreadsThatThereAreNotAreAnErrorOfTheRun) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take all address space";
  SubprocessOptions options;
  options.max_memory = 700 << 20;  // a thread's stack takes some megabytes
  const SubprocessResult run = Score({"-q", "-s", "levenshtein", "--threads", "1000"}, options);
  EXPECT_EQ(run.exit_code, 2) << run.signal << run.err;
  EXPECT_NE(run.err.find("--threads"), std::string::npos) << run.err;
  EXPECT_EQ(run.err.find("defect"), std::string::npos) << run.err;
}

// It did so later, too, as the first threads took what was left of the address space.
TEST_F(CommandTest, ThreadsThatFindNoAddressSpaceAreAnErrorOfTheRun) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take all address space";
  std::string pairs;
  while (pairs.size() < 4'000'000) pairs += kPairs;
  WriteFile(pairs_, pairs);
  for (const std::uint64_t megabytes : {150, 200, 254, 300, 400, 700, 1000, 1200, 1400}) {
    SubprocessOptions options;
    options.max_memory = megabytes << 20;
    const SubprocessResult run =
        Score({"-q", "-s", "levenshtein", "--threads", "16", "-o", folder_ / "scores.jsonl"}, options);
    EXPECT_EQ(run.signal, 0) << megabytes << run.err;
    EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 2) << megabytes << run.err;
    if (megabytes == 254) {
      EXPECT_NE(run.err.find("the system has no 16 threads for a run"), std::string::npos) << run.err;
    }
  }
}

TEST_F(CommandTest, AGpuThatThereIsNotChangesNothingButWarns) {
  const SubprocessResult on_cpu = Score({"-s", "levenshtein", "--device", "cpu", "-q"});
  EXPECT_EQ(on_cpu.exit_code, 0);
  EXPECT_EQ(on_cpu.err, "");
  const SubprocessResult on_auto = Score({"-s", "levenshtein", "-q"});
  EXPECT_EQ(on_auto.exit_code, 0);
  EXPECT_EQ(on_auto.out, on_cpu.out);
  EXPECT_EQ(on_auto.err, "");
  const SubprocessResult on_gpu = Score({"-s", "levenshtein", "--device", "cuda:1000", "-q"});
  EXPECT_EQ(on_gpu.exit_code, 0);
  EXPECT_EQ(on_gpu.out, on_cpu.out);
  EXPECT_EQ(on_gpu.err.find("leafscore: warning: "), 0u);
  EXPECT_NE(on_gpu.err.find("the CPU computes all distances\n"), std::string::npos);
  EXPECT_EQ(std::ranges::count(on_gpu.err, '\n'), 1);

  for (const char* const device : {"", "gpu", "cuda:", "cuda:-1", "cuda:x", "cuda1"}) {
    ExpectRefused(Score({"-s", "levenshtein", "--device", device}), "give auto, cpu, cuda or cuda:N");
  }
  ExpectRefused(Score({"-s", "levenshtein", "--gpu-memory", "1048575"}), "--gpu-memory");
  ExpectRefused(Score({"-s", "levenshtein", "--gpu-memory", "1099511627777"}), "--gpu-memory");
}

TEST_F(CommandTest, Configurations) {
  WriteFile(folder_ / "c.yaml", "evaluators:\n  - name: mine\n    type: levenshtein\n    threshold: 0.5\n");
  const SubprocessResult run = Score({"-q", "-c", folder_ / "c.yaml", "-s", "exact_match"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(SplitLines(run.out).size(), 4u);
  EXPECT_NE(run.out.find("\"scorer\": \"mine\", \"outcome\": \"scored\", \"score\": 0.5, \"passed\": true"),
            std::string::npos);
  ExpectRefused(Score({"-c", folder_ / "c.yaml", "-s", "mine"}), "two scorers named \"mine\"");

  WriteFile(folder_ / "c.yaml", "evaluators:\n  - type: levenshtein\n    treshold: 0.5\n");
  ExpectRefused(Score({"-c", folder_ / "c.yaml"}), "c.yaml:3: ");
  ExpectRefused(Score({"-c", folder_ / "c.yaml"}), "did you mean \"threshold\"?");
  WriteFile(folder_ / "c.yaml", "evaluators:\n\n  - type: levenstein\n");
  ExpectRefused(Score({"-c", folder_ / "c.yaml"}), "c.yaml:3: ");
  ExpectRefused(Score({"-c", folder_ / "absent.yaml"}), "absent.yaml");
  WriteFile(folder_ / "c.yaml", std::string(2 << 20, '#'));
  ExpectRefused(Score({"-c", folder_ / "c.yaml"}), "c.yaml");
}

TEST_F(CommandTest, InputsThatGiveNothing) {
  ExpectRefused(RunCommand({"score", folder_ / "absent.jsonl", "-s", "levenshtein"}),
                "absent.jsonl: No such file");
  ExpectRefused(RunCommand({"score", folder_ / "", "-s", "levenshtein"}), "it is a directory");
  ExpectRefused(RunCommand({"score", pairs_, folder_ / "absent.jsonl", "-s", "levenshtein"}), "absent.jsonl");
  for (const std::string empty : {"", "\n \r\n", "[]", "\xef\xbb\xbf"}) {
    ExpectRefused(RunCommand({"score", "-", "-s", "levenshtein"}, empty), "the input holds no records");
  }
  const SubprocessResult run =
      RunCommand({"score", "-", "-q", "-s", "json_similarity"}, "{\"actual\": 1}\n{\"expected\": 1}\n[]\n");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(SplitLines(run.out).size(), 3u);
  EXPECT_NE(run.err.find("not one record was scored"), std::string::npos);
}

TEST_F(CommandTest, InputsMeanWhatTheyLookLike) {
  const std::string file = folder_ / "in.json";
  const auto score = [&](const std::string& text, const std::string& format) {
    WriteFile(file, text);
    return RunCommand({"score", file, "-q", "-s", "levenshtein", "--input-format", format});
  };
  const std::string array = "[{\"expected\": \"a\", \"actual\": \"a\"}]\n";
  EXPECT_EQ(score(array, "auto").exit_code, 0);
  EXPECT_EQ(score(array, "json").exit_code, 0);
  const SubprocessResult lines = score(array + kPairs, "jsonl");
  EXPECT_EQ(lines.exit_code, 0);
  EXPECT_EQ(SplitLines(lines.out).size(), 3u);
  EXPECT_EQ(score(array + kPairs, "auto").out, lines.out);
  const SubprocessResult trailing = score(array + kPairs, "json");
  EXPECT_EQ(trailing.exit_code, 2);
  EXPECT_NE(trailing.err.find("text follows the array of records"), std::string::npos);
  const SubprocessResult none = score(kPairs, "json");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("this is no JSON array"), std::string::npos);
  ExpectRefused(score(array, "xml"), "--input-format");
  const SubprocessResult no_table = score(array, "csv");
  EXPECT_EQ(no_table.exit_code, 2);
  EXPECT_NE(no_table.err.find("in.json: this is no table but JSON"), std::string::npos) << no_table.err;
  const SubprocessResult csv = score("id,expected,actual\n1,a,a\n2,b,b\n", "auto");
  EXPECT_EQ(csv.exit_code, 2);
  const std::string error =
      "leafscore: " + file + ", byte 0: this looks like a table of separated values (CSV)";
  EXPECT_EQ(csv.err.find(error), 0u) << csv.err;
  EXPECT_EQ(csv.err.find(error, 1), csv.err.npos) << csv.err;
  EXPECT_EQ(csv.out, "");
}

TEST_F(CommandTest, NestedFieldsAndThoseOfTheGold) {
  WriteFile(folder_ / "gold.jsonl", "{\"key\": 1, \"want\": \"a\", \"meta\": {\"task\": \"t\"}}\n");
  WriteFile(folder_ / "answers.jsonl", "{\"q\": {\"id\": 1}, \"output\": [{\"text\": \"a\"}]}\n");
  const SubprocessResult run =
      RunCommand({"score", folder_ / "answers.jsonl", "--gold", folder_ / "gold.jsonl", "-q", "-s",
                  "levenshtein", "--join", "q.id", "--id-field", "q.id", "--actual-field", "output[0].text",
                  "--gold-id-field", "key", "--gold-expected-field", "want", "--group-by", "meta.task"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out,
            "{\"id\": 1, \"source\": \"answers\", \"scorer\": \"levenshtein\", \"groups\": {\"meta.task\": "
            "\"t\"}, \"outcome\": \"scored\", \"score\": 1, \"passed\": true, \"details\": {\"distance\": 0, "
            "\"label\": \"pass\"}}\n");
}

TEST_F(CommandTest, AMistypedFieldEndsTheRunWithWhatIsThere) {
  const SubprocessResult run = Score(
      {"-s", "levenshtein", "-o", folder_ / "out.jsonl", "--actual-field", "actul", "--fail-under", "0"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(
      run.err.find("leafscore: no record has the field \"actul\" (--actual-field; did you mean \"actual\"?); "
                   "the first one has: \"id\", \"expected\", \"actual\", \"model\"\n"),
      std::string::npos)
      << run.err;
  // Without a journal, which --resume would refuse for another name of the field.
  EXPECT_EQ(Files(), (std::vector<std::string>{"out.jsonl.partial", "pairs.jsonl"}));
}

TEST_F(CommandTest, ADamagedInputIsScoredUpToTheDamage) {
  const std::string bytes = Gzip(kPairs);
  WriteFile(pairs_, bytes.substr(0, bytes.size() - 4));
  const SubprocessResult run = Score({"-s", "levenshtein", "-o", folder_ / "out.jsonl"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("pairs.jsonl is damaged at compressed byte"), std::string::npos);
  EXPECT_NE(run.err.find("the scores before that are in " + (folder_ / "out.jsonl.partial")),
            std::string::npos);
  EXPECT_EQ(Files(), (std::vector<std::string>{"out.jsonl.journal", "out.jsonl.partial", "pairs.jsonl"}));
  EXPECT_EQ(SplitLines(ReadFile(folder_ / "out.jsonl.partial")).size(), 2u);
}

TEST_F(CommandTest, OutputFiles) {
  const SubprocessResult run =
      Score({"-q", "-s", "levenshtein", "-o", folder_ / "out.jsonl", "--summary", folder_ / "summary.json"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(Files(), (std::vector<std::string>{"out.jsonl", "out.jsonl.manifest.json", "pairs.jsonl",
                                               "summary.json"}));
  EXPECT_EQ(ReadFile(folder_ / "out.jsonl"), Score({"-q", "-s", "levenshtein"}).out);
  EXPECT_EQ(Score({"-q", "-s", "levenshtein", "-o", folder_ / "out.csv"}).exit_code, 0);
  EXPECT_EQ(ReadFile(folder_ / "out.csv").rfind("id,id_from,scorer,outcome,", 0), 0u);
  EXPECT_EQ(Score({"-q", "-s", "levenshtein", "-o", "/dev/null"}).exit_code, 0);
}

TEST_F(CommandTest, SummaryAsJson) {
  const SubprocessResult run =
      Score({"-q", "-s", "levenshtein", "--group-by", "model", "--summary", folder_ / "summary.json"});
  EXPECT_EQ(run.exit_code, 0);
  const rapidjson::Document summary = ParseLine(ReadFile(folder_ / "summary.json"));
  EXPECT_EQ(summary["records_read"].GetUint64(), 2u);
  EXPECT_EQ(summary["bytes"].GetUint64(), sizeof kPairs - 1);
  EXPECT_TRUE(summary["counts_add_up"].GetBool());
  EXPECT_EQ(summary["scorers"][0]["over_all"]["mean"].GetDouble(), 0.75);
  EXPECT_EQ(summary["scorers"][0]["over_all"]["pass_rate"].GetDouble(), 0.5);
  EXPECT_EQ(summary["scorers"][0]["groups"].Size(), 2u);
  EXPECT_STREQ(summary["scorers"][0]["groups"][0]["value"].GetString(), "m");
}

TEST_F(CommandTest, OutputsThatCannotBeWritten) {
  ExpectRefused(Score({"-s", "levenshtein", "-o", folder_ / "no/out.jsonl"}), "no/out.jsonl: No such file");
  ExpectRefused(Score({"-s", "levenshtein", "-o", pairs_ + "/out.jsonl"}), "Not a directory");
  // Found before the work is done, not after it.
  ExpectRefused(Score({"-s", "levenshtein", "--summary", folder_ / "no/summary.json"}),
                "no/summary.json: No such file");
  ExpectRefused(Score({"-s", "levenshtein", "-o", "/dev/full"}),
                "cannot write /dev/full after 0 bytes: No space left");
  EXPECT_EQ(Files(), std::vector<std::string>{"pairs.jsonl"});
  SubprocessOptions full;
  full.output_path = "/dev/full";
  ExpectRefused(Score({"-s", "levenshtein"}, full),
                "cannot write standard output after 0 bytes: No space left");
  for (const std::string command : {"--version", "--help", "scorers"}) {
    ExpectRefused(RunCommand({command}, {}, full), "cannot write standard output");
  }
}

// One slip of the shell's history must not destroy a file.
TEST_F(CommandTest, AFileIsNotTwoThings) {
  ExpectRefused(Score({"-s", "levenshtein", "-o", pairs_}), "pairs.jsonl");
  ExpectRefused(Score({"-s", "levenshtein", "--summary", folder_ / "./pairs.jsonl"}), "pairs.jsonl");
  EXPECT_EQ(ReadFile(pairs_), kPairs);
  ExpectRefused(Score({"-s", "levenshtein", "-o", folder_ / "out", "--summary", folder_ / "out"}), "out");
  EXPECT_EQ(Files(), std::vector<std::string>{"pairs.jsonl"});
}

TEST_F(CommandTest, TellsAboutItself) {
  const SubprocessResult version = RunCommand({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.out.rfind("leafscore " + std::string(Version()) + "\n", 0), 0u);
  EXPECT_NE(version.out.find('['), std::string::npos);  // the instruction set in use
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"score", "--help"}}) {
    const SubprocessResult help = RunCommand(arguments);
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.out.find("Examples:\n  leafscore "), std::string::npos);
    EXPECT_EQ(help.err, "");
  }
  const SubprocessResult scorers = RunCommand({"scorers", "--all"});
  EXPECT_EQ(scorers.exit_code, 0);
  for (const std::string part : {"json_similarity: ", "exact_match: ", "contains: ", "levenshtein: ",
                                 "  target_output_key (", "  number_tolerance (", "  threshold ("}) {
    EXPECT_NE(scorers.out.find(part), std::string::npos) << part;
  }
}

TEST_F(CommandTest, ATerminalSeesProgressAndColours) {
  PseudoTerminal terminal(100);
  SubprocessOptions options;
  options.error_terminal = terminal.terminal();
  EXPECT_EQ(Score({"-s", "levenshtein"}, options).exit_code, 0);
  const std::string coloured = terminal.Read();
  EXPECT_NE(coloured.find(" records/s"), std::string::npos);
  EXPECT_NE(coloured.find("\r\x1b[K"), std::string::npos);  // the bar is wiped away
  EXPECT_NE(coloured.find("\x1b[36m["), std::string::npos);
  EXPECT_NE(coloured.find("counts add up"), std::string::npos);

  options.environment = {"NO_COLOR=1"};
  EXPECT_EQ(Score({"-s", "levenshtein"}, options).exit_code, 0);
  const std::string plain = terminal.Read();
  EXPECT_NE(plain.find("\r["), std::string::npos);  // how much of the bar is full is a matter of time
  EXPECT_EQ(plain.find("\x1b[3"), std::string::npos);
  EXPECT_EQ(plain.find("\x1b[0m"), std::string::npos);
}

TEST_F(CommandTest, TablesKnowTheWidthOfTheTerminal) {
  SubprocessOptions options;
  PseudoTerminal narrow(80);
  options.error_terminal = narrow.terminal();
  EXPECT_EQ(Score({"-s", "levenshtein"}, options).exit_code, 0);
  const std::string table = narrow.Read();
  EXPECT_NE(table.find("(left out, as they add nothing here: scored, coverage, scored mean, scored pass)"),
            std::string::npos)
      << table;
  PseudoTerminal wide(200);
  options.error_terminal = wide.terminal();
  EXPECT_EQ(Score({"-s", "levenshtein"}, options).exit_code, 0);
  EXPECT_EQ(wide.Read().find("left out"), std::string::npos);
  EXPECT_NE(Score({"-s", "levenshtein"}).err.find("scored mean"), std::string::npos);  // a pipe
}

TEST_F(CommandTest, ScoresAndSummaryDoNotMix) {
  ExpectRefused(Score({"-s", "levenshtein", "--summary", "-"}), "would mix on standard output");
}

TEST_F(CommandTest, AGroupFieldNamedTwiceIsOneField) {
  const SubprocessResult once = Score({"-s", "levenshtein", "--group-by", "model"});
  const SubprocessResult twice = Score({"-s", "levenshtein", "--group-by", "model", "--group-by", "model"});
  EXPECT_EQ(SplitLines(twice.err).size(), SplitLines(once.err).size());
}

TEST_F(CommandTest, AnUnknownScorerOfTheCommandLineIsInNoFile) {
  ExpectRefused(Score({"-s", "levenstein"}), "leafscore: unknown scorer type \"levenstein\"");
}

TEST_F(CommandTest, AGateOfAScorerThatScoredNothingFails) {
  const std::string config = folder_ / "scorers.yaml";
  WriteFile(config, "scorers: [{type: exact_match, target_output_key: nowhere}, {type: json_similarity}]\n");
  const SubprocessResult run = Score({"-c", config, "--min-pass-rate", "0.5", "-q"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(
      run.err,
      "leafscore: gate failed: there is no pass rate of exact_match to compare with 0.5; 2 of 2 records have "
      "no score; most often: invalid_expected_json 2 (\"1\")\n"
      "leafscore: gate failed: 2 errors of exact_match in 2 records asked for are more than 0: "
      "invalid_expected_json 2 (\"1\")\n");
}

TEST(Version, RefusesAnInstructionSetThatThereIsNot) {
  SubprocessOptions options;
  options.environment = {"LEAFSCORE_ISA=mmx"};
  const SubprocessResult run = RunCommand({"--version"}, {}, options);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("LEAFSCORE_ISA"), std::string::npos);
}

// Exit code 3 is for defects, so no test can reach it from outside.
TEST(ExitCode, OfErrors) {
  EXPECT_EQ(ExitCodeOf(ErrorCode::kUsage), 2);
  EXPECT_EQ(ExitCodeOf(ErrorCode::kInput), 2);
  EXPECT_EQ(ExitCodeOf(ErrorCode::kOutput), 2);
  EXPECT_EQ(ExitCodeOf(ErrorCode::kInternal), 3);
}

}  // namespace
}  // namespace leafscore::internal
