#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/subprocess.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

class LeaderboardCommandTest : public ::testing::Test {
 protected:
  LeaderboardCommandTest() {
    WriteFile(folder_ / "pairs.jsonl",
              "{\"expected\": \"abcd\", \"actual\": \"abcd\", \"model\": \"m\", \"doc\": 1}\n"
              "{\"expected\": \"abcd\", \"actual\": \"abxx\", \"model\": \"n\", \"doc\": 1}\n"
              "{\"expected\": \"abcd\", \"actual\": \"xxxx\", \"model\": \"n\", \"doc\": 2}\n");
    Score("one.scores.jsonl.gz");
    Score("two.jsonl");
  }

  void Score(const std::string& name) {
    EXPECT_EQ(RunCommand({"score", folder_ / "pairs.jsonl", "-q", "-s", "levenshtein", "--group-by", "model",
                          "--group-by", "doc", "-o", folder_ / name})
                  .exit_code,
              0);
  }

  SubprocessResult Board(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"leaderboard", folder_ / "two.jsonl"});
    return RunCommand(arguments);
  }

  TempDir folder_;
};

TEST_F(LeaderboardCommandTest, FilesAreModels) {
  const SubprocessResult run = Board({folder_ / "one.scores.jsonl.gz"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(
      run.out,
      "levenshtein\n"
      "model  rank  95% from  to  p (next)  asked  scored  coverage  over all     ±se    pass  95% from      "
      "to  over scored     ±se  pass scored    than next  tied with\n"
      "one       1         1   2    1.0000      3       3    1.0000    0.5000  0.2887  0.3333    0.0615  "
      "0.7923       0.5000  0.2887       0.3333  cannot tell        two\n"
      "two       1         1   2         -      3       3    1.0000    0.5000  0.2887  0.3333    0.0615  "
      "0.7923       0.5000  0.2887       0.3333            -        one\n");
}

TEST_F(LeaderboardCommandTest, EveryFormat) {
  EXPECT_EQ(Board({"--by", "model", "--cluster", "doc", "--format", "table"}).out,
            "levenshtein\n"
            "model  asked  scored  own  clusters  coverage  over all     ±se    pass  95% from      to  "
            "over scored "
            "    ±se  pass scored\n"
            "m          1       1    1         1    1.0000    1.0000       -  1.0000         -       -      "
            " 1.0000 "
            "      -       1.0000\n"
            "n          2       2    2         2    1.0000    0.2500  0.2500  0.0000    0.0000  0.6576      "
            " 0.2500 "
            " 0.2500       0.0000\n"
            "\nNot ranked, as too few ids are common: m, lines for 1 of 3 ids; n, lines for 2 of 3 ids\n");
  const std::string markdown = Board({"--by", "model", "--format", "md"}).out;
  EXPECT_NE(markdown.find("### levenshtein\n\n| model | asked |"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("\n| n | 2 | 2 | 2 | 1.0000 | 0.2500 | 0.2500 | 0.0000 |"), std::string::npos)
      << markdown;
  const std::string csv = Board({"--by", "model", "--format", "csv"}).out;
  EXPECT_NE(csv.find("\nlevenshtein,n,,,,,,2,,2,0,0,0,0,0,0,,2,0,0,0,,1,,2,3,0.25,0.25,0,0,0.65"),
            std::string::npos)
      << csv;
  const std::string json = Board({"--by", "model", "--format", "json"}).out;
  EXPECT_NE(json.find("{\"scorer\": \"levenshtein\", \"model\": \"n\", \"tied_with\": [], \"rank\": null, "),
            std::string::npos)
      << json;
}

TEST_F(LeaderboardCommandTest, AnyNumberOfThreadsGivesTheSameBytes) {
  std::string lines;
  for (int i = 0; i < 3000; ++i) {
    lines += fmt::format(
        "{{\"id\": {}, \"scorer\": \"s\", \"outcome\": \"scored\", \"score\": 0.{}, \"model\": "
        "\"m{}\"}}\n",
        i / 3, i * 37 % 101, i % 3);
  }
  WriteFile(folder_ / "many.jsonl", lines);
  const auto board = [&](const std::string& threads) {
    return RunCommand({"leaderboard", folder_ / "many.jsonl", "--unverified", "--by", "model", "--format",
                       "json", "--threads", threads});
  };
  const SubprocessResult one = board("1");
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(board("3").out, one.out);
  ExpectRefused(board("0"), "--threads");
}

// Every source has a line for each id of the gold, so that who answers less ranks lower.
TEST_F(LeaderboardCommandTest, WhoAnswersOneOfFourIdsOfTheGoldDoesNotRankFirst) {
  std::string gold;
  std::string lucky = "{\"id\": 0, \"actual\": \"ab\"}\n";
  std::string honest;
  for (const std::string id : {"0", "1", "2", "3"}) {
    gold += "{\"id\": " + id + ", \"expected\": \"ab\"}\n";
    honest += "{\"id\": " + id + ", \"actual\": \"ax\"}\n";
  }
  WriteFile(folder_ / "gold.jsonl", gold);
  WriteFile(folder_ / "lucky.jsonl", lucky);
  WriteFile(folder_ / "honest.jsonl", honest);
  EXPECT_EQ(RunCommand({"score", "--gold", folder_ / "gold.jsonl", folder_ / "lucky.jsonl",
                        folder_ / "honest.jsonl", "-q", "-s", "levenshtein", "-o", folder_ / "scores.jsonl"})
                .exit_code,
            0);
  const std::string csv =
      RunCommand({"leaderboard", folder_ / "scores.jsonl", "--by", "source", "--format", "csv"}).out;
  EXPECT_NE(csv.find("\nlevenshtein,honest,lucky,1,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\nlevenshtein,lucky,honest,2,"), std::string::npos) << csv;
}

TEST_F(LeaderboardCommandTest, SamplesOfOneId) {
  WriteFile(folder_ / "samples.jsonl",
            R"({"id": 1, "scorer": "s", "outcome": "scored", "score": 1, "passed": true})"
            "\n"
            R"({"id": 1, "scorer": "s", "outcome": "scored", "score": 0, "passed": false})"
            "\n");
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"leaderboard", "--unverified", "--format", "csv"});
    arguments.push_back(folder_ / "samples.jsonl");
    return RunCommand(arguments);
  };
  EXPECT_NE(run({}).out.find("\ns,samples,,1,,,,1,,1,0,0,0,0,0,0,0,,1,0,0,,1,,1,1,0,"), std::string::npos)
      << run({}).out;
  EXPECT_NE(run({"--repeats", "first"}).out.find("\ns,samples,,1,,,,1,,1,0,0,0,0,0,0,0,,1,0,0,,1,,1,1,1,"),
            std::string::npos);
  const SubprocessResult all = run({"--repeats", "all", "--pass-k", "1,2"});
  EXPECT_NE(all.out.find("\ns,samples,,1,,,,1,2,2,0,0,0,0,0,0,0,,0,0,0,,1,,1,1,0.5,"), std::string::npos)
      << all.out;
  EXPECT_TRUE(all.out.ends_with(",0.5,1,0.5,0,0,0,,false,false\n")) << all.out;
  ExpectRefused(run({"--repeats", "error"}), "samples has 2 lines of the id 1 under one scorer");
  ExpectRefused(run({"--pass-k", "2"}), "give --repeats all with it");
  ExpectRefused(run({"--repeats", "all", "--pass-k", "0"}),
                "--pass-k is 0; give a number of samples from 1 to 1000");
}

TEST_F(LeaderboardCommandTest, FileNamesOfAnyBytesAreValidUtf8) {
  Score("caf\xe9.jsonl");
  const std::string json = Board({folder_ / "caf\xe9.jsonl", "--format", "json"}).out;
  EXPECT_NE(json.find("\"model\": \"caf\uFFFD\""), std::string::npos) << json;
}

TEST_F(LeaderboardCommandTest, Refusals) {
  ExpectRefused(Board({folder_ / "two.jsonl"}), "would both be the model \"two\"; rename one");
  ExpectRefused(Board({folder_ / "none.jsonl"}), "none.jsonl");
  ExpectRefused(Board({folder_ / "pairs.jsonl"}), "pairs.jsonl: record 1 is not a line of scores");
  ExpectRefused(Board({"--by", "colour"}), "no line of scores has the field \"colour\"");
  ExpectRefused(Board({"--format", "xml"}), "--format");
}

TEST_F(LeaderboardCommandTest, HalfAnOutputIsRefused) {
  const std::string two = folder_ / "two.jsonl";
  const std::string whole = ReadFile(two);
  WriteFile(two, whole.substr(0, whole.find('\n') + 1));
  ExpectRefused(Board({}), "two.jsonl was cut short: it has ");
  WriteFile(two, whole.substr(0, whole.size() - 9));
  ExpectRefused(Board({"--unverified"}), "two.jsonl was cut short: it has ");
  WriteFile(two, whole + whole);
  ExpectRefused(Board({}), "two.jsonl has its scores 2 times: ");
}

TEST_F(LeaderboardCommandTest, ScoresOfAnotherConfigurationGoldOrOtherIdsAreRefused) {
  const auto score = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"score", "-q", "-o", folder_ / "other.jsonl"});
    EXPECT_EQ(RunCommand(arguments).exit_code, 0);
    return Board({folder_ / "other.jsonl"});
  };
  const std::string pairs = folder_ / "pairs.jsonl";
  WriteFile(folder_ / "strict.yaml", "scorers: [{type: levenshtein, threshold: 0.75}]");
  ExpectRefused(score({pairs, "-c", folder_ / "strict.yaml"}),
                "the options of the scorer \"levenshtein\", \"threshold\" differ: 0.7 and 0.75; score both");
  ExpectRefused(score({pairs, "-s", "levenshtein", "--strict-json"}), "the options \"strict_json\" differ");
  WriteFile(folder_ / "gold.jsonl", "{\"id\": 1, \"expected\": \"abcd\"}\n");
  WriteFile(folder_ / "answers.jsonl", "{\"id\": 1, \"actual\": \"abcd\"}\n");
  ExpectRefused(score({folder_ / "answers.jsonl", "-s", "levenshtein", "--gold", folder_ / "gold.jsonl"}),
                "the gold files differ: no gold and ");
  WriteFile(folder_ / "fewer.jsonl", "{\"expected\": \"abcd\", \"actual\": \"abcd\"}\n");
  ExpectRefused(score({folder_ / "fewer.jsonl", "-s", "levenshtein"}), "the ids that were asked differ: ");
}

// The ids are the same, and so is all else that the manifests held.
TEST_F(LeaderboardCommandTest, ScoresOverOtherExpectedValuesAreRefused) {
  int files = 0;
  const auto score = [&](const std::string& expected) {
    WriteFile(folder_ / "other.jsonl", "{\"id\": 1, \"expected\": " + expected + ", \"actual\": \"a\"}\n");
    EXPECT_EQ(RunCommand({"score", folder_ / "other.jsonl", "-q", "-s", "levenshtein", "-o",
                          folder_ / "scores/" + std::to_string(files++) + ".jsonl"})
                  .exit_code,
              0);
  };
  std::filesystem::create_directory(folder_ / "scores");
  score("\"a\"");
  score("\"a\"");
  score("\"b\"");
  const std::string scores = folder_ / "scores/";
  EXPECT_EQ(RunCommand({"leaderboard", scores + "0.jsonl", scores + "1.jsonl"}).exit_code, 0);
  ExpectRefused(
      RunCommand({"leaderboard", scores + "0.jsonl", scores + "2.jsonl"}),
      "cannot be compared: the values expected for the same ids, or how they are written, differ: 1 (");
}

TEST_F(LeaderboardCommandTest, ScoresOfAChangedJudgeAreRefused) {
  const auto score = [&](const std::string& points, const std::string& output) {
    WriteFile(folder_ / "judge.sh", "echo '{\"score\": " + points + "}'\n");
    WriteFile(folder_ / "judge.yaml", "scorers: [{name: j, type: code_judge, script: [sh, judge.sh]}]");
    EXPECT_EQ(RunCommand({"score", folder_ / "pairs.jsonl", "-q", "-c", folder_ / "judge.yaml", "-o",
                          folder_ / output})
                  .exit_code,
              0);
  };
  score("1", "a.jsonl");
  score("1", "b.jsonl");
  score("0.5", "c.jsonl");
  EXPECT_EQ(RunCommand({"leaderboard", folder_ / "a.jsonl", folder_ / "b.jsonl"}).exit_code, 0);
  ExpectRefused(RunCommand({"leaderboard", folder_ / "a.jsonl", folder_ / "c.jsonl"}),
                "cannot be compared: the program files of the scorer \"j\" differ: \"");
}

TEST_F(LeaderboardCommandTest, RevisionsAreNotMixed) {
  const auto score = [&](const std::string& revision) {
    WriteFile(folder_ / "c.yaml", "scorers: [{type: static_json, revision: " + revision + "}]");
    const std::string output = folder_ / revision + ".jsonl";
    EXPECT_EQ(RunCommand({"score", folder_ / "pairs.jsonl", "-q", "-c", folder_ / "c.yaml", "-o", output})
                  .exit_code,
              0);
    EXPECT_NE(ReadFile(output + ".manifest.json").find("\"revision\": \"" + revision + "\""),
              std::string::npos);
    return output;
  };
  const std::string seed = score("seed");
  const std::string later = score("2026-09");
  for (const std::string command : {"leaderboard", "compare"}) {
    ExpectRefused(RunCommand({command, seed, later}),
                  "the revisions of the scorer \"static_json\" differ: \"seed\" and \"2026-09\"; score both");
  }
  EXPECT_EQ(RunCommand({"score", folder_ / "pairs.jsonl", "-q", "-s", "static_json", "-o",
                        folder_ / "default.jsonl"})
                .exit_code,
            0);
  EXPECT_EQ(RunCommand({"leaderboard", seed, folder_ / "default.jsonl"}).exit_code, 0);
}

TEST_F(LeaderboardCommandTest, AnOptionGivenAtItsDefaultIsTheSame) {
  WriteFile(folder_ / "given.yaml",
            "scorers: [{type: levenshtein, threshold: 0.70, case_sensitive: false, revision: seed}]");
  EXPECT_EQ(RunCommand({"score", folder_ / "pairs.jsonl", "-q", "-c", folder_ / "given.yaml", "-o",
                        folder_ / "given.jsonl"})
                .exit_code,
            0);
  EXPECT_EQ(Board({folder_ / "given.jsonl"}).exit_code, 0);
}

TEST_F(LeaderboardCommandTest, SaysInEveryFormatWhatHasNoRankOrFigure) {
  const auto line = [](const char* id) {
    return fmt::format("{{\"id\": \"{}\", \"scorer\": \"s\", \"outcome\": \"scored\", \"score\": 1}}\n", id);
  };
  WriteFile(folder_ / "x.jsonl", line("x"));
  WriteFile(folder_ / "y.jsonl", line("y"));
  WriteFile(folder_ / "z.jsonl", line("y"));
  WriteFile(folder_ / "both.jsonl", line("x") + line("y") + line("z"));
  for (const std::string format : {"table", "md", "csv", "json"}) {
    const auto err = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.begin(), {"leaderboard", "--unverified", "--format", format,
                                           folder_ / "x.jsonl", folder_ / "y.jsonl"});
      return RunCommand(arguments).err;
    };
    const std::string apart =
        "leafscore: warning: under the scorer \"s\", models have too few ids in common with others and are "
        "not "
        "ranked (--min-share 0.9; --common-only ranks by the ids that all have): ";
    EXPECT_EQ(err({}), apart + "\"x\", \"y\"\n");
    EXPECT_EQ(err({folder_ / "z.jsonl"}), apart + "\"x\"\n");
    EXPECT_EQ(
        err({folder_ / "both.jsonl", "--min-share", "0.3"}),
        "leafscore: warning: under the scorer \"s\", models lack ids that others have, which count 0 for "
        "them, so that an equal model may rank lower; --common-only compares them fairly, by the ids that "
        "all have: \"x\", \"y\"\n"
        "leafscore: warning: under the scorer \"s\", models have ids that no other has, which count 0 for "
        "the others: \"both\"\n");
    EXPECT_NE(err({"--repeats", "all", "--pass-k", "1"})
                  .find("under the scorer \"s\" nothing passes or fails, so --pass-k has no figures"),
              std::string::npos);
  }
}

// 100 ids of one model, 300 of another and one of both: that was a ranking, with p 0.0004.
TEST_F(LeaderboardCommandTest, ModelsThatWereAskedOtherThingsAreNotRanked) {
  std::string strong;
  std::string weak;
  for (int id = 0; id < 399; ++id) {
    const auto line = [&](bool passed) {
      return fmt::format(
          "{{\"id\": {}, \"scorer\": \"s\", \"outcome\": \"scored\", \"score\": {}, \"passed\": {}}}\n", id,
          passed ? 1 : 0, passed);
    };
    if (id < 100) strong += line(id % 20 != 0);
    if (id >= 99) weak += line(id % 2 == 0);
  }
  WriteFile(folder_ / "strong.jsonl", strong);
  WriteFile(folder_ / "weak.jsonl", weak);
  const auto board = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"leaderboard", "--unverified", folder_ / "strong.jsonl", folder_ / "weak.jsonl"});
    return RunCommand(arguments);
  };
  const SubprocessResult run = board({});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.find("  rank  "), std::string::npos) << run.out;
  EXPECT_NE(
      run.out.find("\nNot ranked, as too few ids are common: strong, lines for 100 of 399 ids; weak, the "
                   "only one left\n"),
      std::string::npos)
      << run.out;
  EXPECT_NE(board({"--min-share", "0.25"}).out.find("  rank  "), std::string::npos);
  ExpectRefused(board({"--common-only"}), "1 ids are common to all 2 models");
  ExpectRefused(board({"--common-only", "--min-share", "0.5"}), "--min-share excludes --common-only");
  ExpectRefused(board({"--min-share", "1.5"}), "--min-share");
  WriteFile(folder_ / "weak.jsonl", strong.substr(strong.find("\"id\": 20") - 1) + weak);
  const std::string common = board({"--common-only"}).out;
  EXPECT_TRUE(common.starts_with("s, over the 80 ids that all have\n")) << common;
}

// The manifests say that other ids were asked, which is refused without --common-only.
TEST_F(LeaderboardCommandTest, CommonOnlyTakesRunsOverOtherIds) {
  const auto score = [&](const std::string& name, int first) {
    std::string pairs;
    for (int id = first; id < first + 25; ++id) {
      pairs += fmt::format("{{\"id\": {}, \"expected\": \"ab\", \"actual\": \"ab\"}}\n", id);
    }
    WriteFile(folder_ / name + ".pairs", pairs);
    EXPECT_EQ(RunCommand({"score", folder_ / name + ".pairs", "-q", "-s", "levenshtein", "-o",
                          folder_ / name + ".jsonl"})
                  .exit_code,
              0);
    return folder_ / name + ".jsonl";
  };
  const std::string a = score("a", 0);
  const std::string b = score("b", 5);
  ExpectRefused(RunCommand({"leaderboard", a, b}), "the ids that were asked differ: ");
  const SubprocessResult run = RunCommand({"leaderboard", a, b, "--common-only"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("levenshtein, over the 20 ids that all have\nmodel  rank")) << run.out;
}

TEST_F(LeaderboardCommandTest, WarnsOfRepeatedLinesAndOfScoresThatComparedNothing) {
  const std::string line = R"({"id": "x", "scorer": "s", "outcome": "scored", "score": 1)";
  WriteFile(folder_ / "twice.jsonl", line + "}\n" + line + "}\n");
  WriteFile(folder_ / "empty.jsonl", line + ", \"nothing_compared\": true}\n");
  EXPECT_EQ(RunCommand({"leaderboard", "--unverified", folder_ / "twice.jsonl", folder_ / "empty.jsonl"}).err,
            "leafscore: warning: under the scorer \"s\", models have several lines with one id, and "
            "--repeats chooses one of them: \"twice\"\n"
            "leafscore: warning: under the scorer \"s\", models have scores that compared nothing, as the "
            "expected value is empty: \"empty\"\n");
}

// One model, of whose lines those of the later file counted, and nothing said so.
TEST_F(LeaderboardCommandTest, TheAnswersOfSeveralFilesAreNoOneModel) {
  WriteFile(folder_ / "gold.jsonl", "{\"id\": 1, \"expected\": \"a\"}\n");
  WriteFile(folder_ / "m1.jsonl", "{\"id\": 1, \"actual\": \"a\"}\n");
  WriteFile(folder_ / "m2.jsonl", "{\"id\": 1, \"actual\": \"b\"}\n");
  const std::string scores = folder_ / "both.jsonl";
  const SubprocessResult run =
      RunCommand({"score", folder_ / "m1.jsonl", folder_ / "m2.jsonl", "-q", "--gold", folder_ / "gold.jsonl",
                  "-s", "levenshtein", "-o", scores});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  ExpectRefused(RunCommand({"leaderboard", scores}), scores + " has the scores of several models");
  EXPECT_EQ(RunCommand({"leaderboard", scores, "--by", "source"}).err, "");
}

TEST_F(LeaderboardCommandTest, FilesWithoutManifestAreRefusedUnlessThatIsAccepted) {
  WriteFile(folder_ / "three|.jsonl", ReadFile(folder_ / "two.jsonl"));
  const std::string three = folder_ / "three|.jsonl";
  ExpectRefused(Board({three}), "three|.jsonl has no manifest, so it may be incomplete");
  EXPECT_TRUE(
      Board({three, "--unverified"}).out.ends_with("\nNot verified, as a manifest is missing: three|\n"));
  const std::string markdown = Board({three, "--unverified", "--format", "md"}).out;
  EXPECT_TRUE(markdown.ends_with("|\n\nNot verified, as a manifest is missing: three\\|\n")) << markdown;
  const std::string json = Board({three, "--unverified", "--format", "json"}).out;
  EXPECT_NE(json.find("\"verified\": true, "), std::string::npos) << json;
  EXPECT_NE(json.find("\"verified\": false, "), std::string::npos) << json;
  const std::string csv = Board({three, "--unverified", "--format", "csv"}).out;
  EXPECT_NE(csv.find(",true\n"), std::string::npos) << csv;
  EXPECT_NE(csv.find(",false\n"), std::string::npos) << csv;
  // A file may hold any of the models that a field names.
  EXPECT_TRUE(Board({three, "--unverified", "--by", "model"}).out.ends_with(": m, n\n"));
}

TEST_F(LeaderboardCommandTest, AStreamWithATrailerIsVerified) {
  const std::vector<std::string> score = {"score", folder_ / "pairs.jsonl", "-q", "-s", "levenshtein"};
  std::vector<std::string> with_trailer = score;
  with_trailer.emplace_back("--trailer");
  WriteFile(folder_ / "with.jsonl", RunCommand(with_trailer).out);
  WriteFile(folder_ / "without.jsonl", RunCommand(score).out);
  const SubprocessResult board = Board({folder_ / "with.jsonl"});
  EXPECT_EQ(board.exit_code, 0) << board.err;
  EXPECT_TRUE(
      board.err.ends_with("/with.jsonl were scored from the same answers, so only the scoring can differ\n"))
      << board.err;
  ExpectRefused(Board({folder_ / "without.jsonl"}), "without.jsonl has no manifest");
  ExpectRefused(
      RunCommand({"score", folder_ / "pairs.jsonl", "-s", "levenshtein", "--trailer", "-o", "x.csv"}),
      "--trailer adds a line of JSON");
}

TEST_F(LeaderboardCommandTest, WarnsWhereIdsAreNotKnown) {
  WriteFile(folder_ / "named.jsonl",
            "{\"id\": 1, \"expected\": \"a\", \"actual\": \"a\"}\n{\"id\": 2, \"expected\": \"a\"}\n{}\n");
  EXPECT_EQ(
      RunCommand({"score", folder_ / "named.jsonl", "-q", "-s", "levenshtein", "-o", folder_ / "n.jsonl"})
          .exit_code,
      0);
  const SubprocessResult board = Board({folder_ / "n.jsonl"});
  EXPECT_EQ(board.exit_code, 0);
  EXPECT_NE(board.err.find("leafscore: warning: it is unknown whether "), std::string::npos) << board.err;
}

// Each output has the bytes of its format, and standard output none.
TEST_F(LeaderboardCommandTest, SeveralOutputsBySuffix) {
  const std::vector<std::pair<std::string, std::string>> formats = {
      {"b.txt", "table"}, {"b.md", "md"}, {"b.csv", "csv"}, {"b.json", "json"}, {"b.tex", "latex"}};
  std::vector<std::string> arguments = {folder_ / "one.scores.jsonl.gz"};
  for (const auto& [name, format] : formats) arguments.insert(arguments.end(), {"-o", folder_ / name});
  arguments.insert(arguments.end(), {"-o", folder_ / "plain", "--format", "csv"});
  const SubprocessResult run = Board(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  for (const auto& [name, format] : formats) {
    EXPECT_EQ(ReadFile(folder_ / name), Board({folder_ / "one.scores.jsonl.gz", "--format", format}).out);
  }
  EXPECT_EQ(ReadFile(folder_ / "plain"), ReadFile(folder_ / "b.csv"));
  EXPECT_EQ(Board({folder_ / "one.scores.jsonl.gz", "-o", "-", "-o", folder_ / "b.csv"}).out,
            ReadFile(folder_ / "b.txt"));
}

// Nothing appears under a name before all is written.
TEST_F(LeaderboardCommandTest, OutputsAreWrittenTogetherOrNotAtAll) {
  WriteFile(folder_ / "b.csv", "before");
  const SubprocessResult run = Board({"-o", folder_ / "b.csv", "-o", folder_ / "no/b.md"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(ReadFile(folder_ / "b.csv"), "before");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.csv.partial"));
}

TEST_F(LeaderboardCommandTest, RefusesOutputsThatItCannotMean) {
  ExpectRefused(Board({"-o", folder_ / "b.pdf"}), "known are .txt, .md, .csv, .json, .tex");
  ExpectRefused(Board({"-o", folder_ / "b.md", "-o", folder_ / "b.md"}), "name another file");
  ExpectRefused(Board({"-o", folder_ / "two.jsonl"}), "name another file");
  ExpectRefused(Board({"-o", ""}), "the file name is empty");
}

TEST_F(LeaderboardCommandTest, MatricesOfTasksAndScorers) {
  EXPECT_EQ(Board({folder_ / "one.scores.jsonl.gz", "--rows", "model", "--columns", "doc"}).out,
            "levenshtein, mean by doc\n"
            "model        1        2     mean  over all\n"
            "one    *0.7500  *0.0000  *0.3750   *0.5000\n"
            "two    *0.7500  *0.0000  *0.3750   *0.5000\n"
            "ids          2        1        -         3\n");
  EXPECT_EQ(Board({folder_ / "one.scores.jsonl.gz", "--columns", "scorer"}).out,
            "mean by scorer\n"
            "model  levenshtein     mean\n"
            "one        *0.5000  *0.5000\n"
            "two        *0.5000  *0.5000\n"
            "ids              3        -\n");
  ExpectRefused(Board({"--rows", "model"}), "--rows requires --columns");
  ExpectRefused(Board({"--rows", "doc", "--columns", "scorer"}), "doc not in {model}");
  ExpectRefused(Board({"--columns", "nix"}), "no line of scores has the field \"nix\"");
}

TEST_F(LeaderboardCommandTest, SensitivityToTasks) {
  const std::string one = folder_ / "one.scores.jsonl.gz";
  EXPECT_EQ(Board({one, "--sensitivity", "--task", "doc"}).out,
            "levenshtein, ranking without one task\n"
            "without  ids  tau-b  ranks moved\n"
            "1          2      -            0\n"
            "2          1      -            0\n"
            "\n"
            "levenshtein, ranks with and without each task\n"
            "model  rank  from  to\n"
            "one       1     1   1\n"
            "two       1     1   1\n");
  EXPECT_EQ(Board({one, "--task", "doc", "--columns", "task"}).out, Board({one, "--columns", "doc"}).out);
  ExpectRefused(Board({"--task", "doc"}), "give it with one of them");
  ExpectRefused(Board({"--task", "doc", "--columns", "model"}), "give it with one of them");
  ExpectRefused(Board({"--sensitivity", "--columns", "doc"}), "excludes");
  ExpectRefused(Board({"--groups", "--columns", "doc"}), "excludes");
}

TEST_F(LeaderboardCommandTest, MatricesAndSensitivityTellWhatIsNotVerified) {
  const std::string other = folder_ / "other.jsonl";
  std::filesystem::copy_file(folder_ / "two.jsonl", other);
  const std::string note = "\nNot verified, as a manifest is missing: other\n";
  EXPECT_TRUE(Board({other, "--unverified", "--columns", "doc"}).out.ends_with(note));
  EXPECT_TRUE(Board({other, "--unverified", "--sensitivity", "--task", "doc"}).out.ends_with(note));
  const std::string csv =
      Board({other, "--unverified", "--sensitivity", "--task", "doc", "--format", "csv"}).out;
  EXPECT_NE(csv.find("\ntask,levenshtein,,1,,,2,,0,false,,,,false\n"), std::string::npos) << csv;
}

TEST_F(LeaderboardCommandTest, LatexCompiles) {
  if (std::system("command -v pdflatex >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no pdflatex";
  const std::string odd = folder_ / "\\odd_%$#{}^~&<>|`''--[x]*.jsonl";
  std::filesystem::copy_file(folder_ / "two.jsonl", odd);
  EXPECT_EQ(Board({odd, "--unverified", "-o", folder_ / "b.tex"}).exit_code, 0);
  WriteFile(folder_ / "paper.tex",
            "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\\input{b.tex}\\end{document}\n");
  EXPECT_EQ(std::system(("cd '" + (folder_ / "") +
                         "' && pdflatex -interaction=nonstopmode -halt-on-error paper.tex"
                         " >/dev/null")
                            .c_str()),
            0);
}

}  // namespace
}  // namespace leafscore::internal
