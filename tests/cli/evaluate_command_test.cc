// What a user sees of `leafscore evaluate`: exit codes, what is printed where, and the reports.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

class EvaluateCommandTest : public ::testing::Test {
 protected:
  EvaluateCommandTest() {
    for (const char* const name : {"runs/deep", "data/scenario_11", "data/scenario_12"}) {
      fs::create_directories(folder_ / name);
    }
    WriteFile(folder_ / "data/scenario_11/groundtruth.txt", "eleven\n");
    WriteFile(folder_ / "data/scenario_12/groundtruth.txt", "twelve\n");
    WriteFile(folder_ / "runs/a.json",
              R"({"run_id": "a", "scenario_id": 11, "runner": "agent", "model": "m", "answer": "eleven"})");
    WriteFile(folder_ / "runs/deep/12.json",
              R"({"run_id": "b", "scenario_id": null, "runner": "agent", "model": "m", "answer": "ten"})");
  }

  SubprocessResult Evaluate(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"evaluate", "--trajectories", folder_ / "runs", "--scenarios", folder_ / "data",
                      "--scorer-default", "exact_match", "--reports-dir", folder_ / "reports"});
    return RunCommand(arguments, {},
                      {.environment = {"SOURCE_DATE_EPOCH=0"},
                       .output_path = {},
                       .error_terminal = {},
                       .max_file_size = {}});
  }
  std::string Aggregate() const { return ReadFile(folder_ / "reports/_aggregate.json"); }

  TempDir folder_;
};

TEST_F(EvaluateCommandTest, ARunThatScoresNothingReplacesNoEarlierAggregate) {
  ASSERT_EQ(Evaluate({}).exit_code, 0);
  const std::string aggregate = Aggregate();
  const std::string summary = ReadFile(folder_ / "reports/_summary.json");
  WriteFile(folder_ / "runs/a.json",
            R"({"run_id": "a", "scenario_id": 11, "runner": "agent", "model": "m"})");
  fs::remove_all(folder_ / "runs/deep");
  const SubprocessResult run = Evaluate({});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("not one run was scored"), std::string::npos) << run.err;
  EXPECT_EQ(Aggregate(), aggregate);
  EXPECT_EQ(ReadFile(folder_ / "reports/_summary.json"), summary);
}

TEST_F(EvaluateCommandTest, WhatAKilledRunHasLeftIsNamed) {
  fs::create_directory(folder_ / "reports");
  WriteFile(folder_ / "reports/.a.json.partial", "{");
  const SubprocessResult run = Evaluate({});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "leafscore: left as it is, perhaps of a run that did not end: " +
                         (folder_ / "reports/.a.json.partial") + "\n");
  EXPECT_EQ(ReadFile(folder_ / "reports/.a.json.partial"), "{");
}

TEST_F(EvaluateCommandTest, PrintsTheFiguresAndWritesTheReports) {
  const SubprocessResult run = Evaluate({});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  const std::string table = std::regex_replace(run.out, std::regex(" +"), " ");
  for (const char* const line :
       {"exact_match all 2 2 100.00% 0.5000", "exact_match scenario_type=structured 2 2 100.00% 0.5000",
        "exact_match runner_and_model=agent_m 2 2 100.00% 0.5000",
        "asked 2 = scored 2 + unreadable 0 + unanswered 0 + errors 0: counts add up"}) {
    EXPECT_NE(table.find(line), std::string::npos) << line << "\n" << run.out;
  }
  const std::size_t runs = run.out.find("\nOver the runs");
  ASSERT_NE(runs, std::string::npos);
  EXPECT_EQ(run.out.substr(runs),
            "\nOver the runs that there are, as AssetOpsBench counts: passed 1 of 2 (50.0%)\n\n"
            "By runner and model, with means:\n"
            "  \"agent_m\": passed 1 of 2 (50.0%), mean of the scored 0.5000 (0.0000 to 1.0000)\n\nBy "
            "scenario type:\n"
            "  \"structured\": passed 1 of 2 (50.0%)\n\nOperational metrics (total, p50, p95):\n"
            "  turns: -, -, -\n  tool_calls: -, -, -\n  tokens_in: -, -, -\n  tokens_out: -, -, -\n"
            "  duration_ms: -, -, -\n  est_cost_usd: -, -, -\n"
            "  est_input_cost_usd: -, -, -\n  est_output_cost_usd: -, -, -\n"
            "  prices of est_cost_usd: \"AssetOpsBench, 2026-09\"\n\nReports: " +
                (folder_ / "reports") +
                "/<run_id>.json (2)\nSummary: " + (folder_ / "reports/_summary.json") +
                "\nAggregate: " + (folder_ / "reports/_aggregate.json") +
                "\n\ntrajectory files 2 = matched 2 + unmatched 0 + not selected 0 + skipped 0\n"
                "matched 2 = scored 2 + unreadable 0 + unanswered 0 + errors 0\ncounts add up\n");
  rapidjson::Document report;
  report.Parse(ReadFile(folder_ / "reports/b.json").c_str());
  EXPECT_STREQ(report["scenario_id"].GetString(), "12");
  EXPECT_NE(Aggregate().find("\"generated_at\": \"1970-01-01T00:00:00+00:00\""), std::string::npos);
}

// A hundred scenarios, of which "yes" is the answer, and what each gate says when something is wrong with
// them.
TEST_F(EvaluateCommandTest, GatesGoByWhatWasAsked) {
  const auto put = [&](const std::string& scenario, const std::string& answer) {
    WriteFile(folder_ / ("runs/" + scenario + ".json"),
              R"({"scenario_id": ")" + scenario +
                  R"(", "run_id": "r", "runner": "agent", "model": "m", "answer": )" + answer + "}");
  };
  const auto reset = [&](const std::string& answer, int answered) {
    fs::remove_all(folder_ / "runs");
    fs::create_directories(folder_ / "runs");
    std::string gold;
    for (int i = 0; i < 100; ++i) {
      gold += "{\"id\": " + std::to_string(i) + ", \"type\": \"t" + std::to_string(i / 99) +
              "\", \"expected_answer\": \"yes\"}\n";
      if (i < answered) put(std::to_string(i), i == 0 ? "\"yes\"" : answer);
    }
    WriteFile(folder_ / "gold.jsonl", gold);
  };
  struct Situation {
    const char* name;
    std::function<void()> arrange;
    std::vector<int> exit_codes;  // by gate
  };
  const std::vector<std::vector<std::string>> gates = {{},
                                                       {"--fail-under", "0.9"},
                                                       {"--min-pass-rate", "0.9"},
                                                       {"--min-coverage", "0.9"},
                                                       {"--max-errors", "0"},
                                                       {"--fail-under", "0.9", "--max-errors", "1%"},
                                                       {"--fail-under", "0.9", "--gate-by", "scenario_type"},
                                                       {"--strict"}};
  const Situation situations[] = {
      {"all right", [&] { reset("\"yes\"", 100); }, {0, 0, 0, 0, 0, 0, 0, 0}},
      {"99 of 100 wrong", [&] { reset("\"no\"", 100); }, {0, 1, 1, 0, 0, 1, 1, 0}},
      {"99 of 100 without a run", [&] { reset("", 1); }, {0, 1, 1, 1, 0, 1, 1, 1}},
      {"99 of 100 answers null", [&] { reset("null", 100); }, {0, 1, 1, 1, 0, 1, 1, 1}},
      {"the only scenario of a type without a run", [&] { reset("\"yes\"", 99); }, {0, 0, 0, 0, 0, 0, 1, 1}},
      {"a broken file",
       [&] {
         reset("\"yes\"", 100);
         WriteFile(folder_ / "runs/99.json", "{");
       },
       {0, 1, 1, 1, 1, 0, 1, 1}},
      {"a run of no scenario",
       [&] {
         reset("\"yes\"", 100);
         put("100", "\"yes\"");
       },
       {0, 1, 1, 1, 1, 0, 1, 1}},
      {"a scenario without expected answer",
       [&] {
         reset("\"yes\"", 100);
         WriteFile(folder_ / "gold.jsonl",
                   ReadFile(folder_ / "gold.jsonl") + "{\"id\": 99, \"expected_answer\": \"\"}\n");
       },
       {0, 1, 1, 1, 1, 1, 1, 1}},  // the id comes twice, too: two errors
  };
  for (const Situation& situation : situations) {
    situation.arrange();
    for (std::size_t g = 0; g < gates.size(); ++g) {
      std::vector<std::string> arguments = {
          "evaluate",      "--trajectories",    folder_ / "runs",   "--scenarios", folder_ / "gold.jsonl",
          "--reports-dir", folder_ / "reports", "--scorer-default", "exact_match", "--aggregate-only",
          "--quiet"};
      arguments.insert(arguments.end(), gates[g].begin(), gates[g].end());
      const SubprocessResult run = RunCommand(arguments);
      EXPECT_EQ(run.exit_code, situation.exit_codes[g])
          << situation.name << ": " << (g == 0 ? "no gate" : gates[g][0]) << "\n"
          << run.err;
      EXPECT_EQ(run.err.find("gate failed") != std::string::npos, run.exit_code == 1) << run.err;
    }
  }
}

TEST_F(EvaluateCommandTest, GatesTellByHowMuchAndWhy) {
  fs::create_directories(folder_ / "data/scenario_13");
  WriteFile(folder_ / "data/scenario_13/groundtruth.txt", "x");
  fs::create_directories(folder_ / "data/scenario_14");
  WriteFile(folder_ / "data/scenario_14/groundtruth.txt", "x");
  const SubprocessResult run = Evaluate({"--min-pass-rate", "0.75", "--quiet"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(
      run.err.find(
          "gate failed: the pass rate of exact_match over all that was asked is 0.25 (95% from 0.0456 to "
          "0.6994, over 4 records), 0.5 under 0.75; 2 of 4 records have no score; most often: no_answer 2 "
          "(\"13\"), score too low 1 (\"12\")\n"),
      std::string::npos)
      << run.err;
  EXPECT_EQ(Evaluate({"--gate-by", "scenario_typ", "--fail-under", "0"}).exit_code, 2);
  EXPECT_EQ(Evaluate({"--gate-by", "scenario_type"}).exit_code, 2);
  EXPECT_EQ(Evaluate({"--fail-under", "levenshtein=0"}).exit_code, 2);
  EXPECT_EQ(Evaluate({"--fail-under", "nan"}).exit_code, 2);
}

TEST_F(EvaluateCommandTest, TheAnswersOfSeveralModelsToAScenarioAreNoSurerThanOne) {
  fs::create_directories(folder_ / "runs/of_n");
  for (const std::string from : {"runs/a.json", "runs/deep/12.json"}) {
    std::string text = ReadFile(folder_ / from);
    text.replace(text.find("\"m\""), 3, "\"n\"");
    WriteFile(folder_ / ("runs/of_n" + from.substr(from.rfind('/'))), text);
  }
  const SubprocessResult run = Evaluate({"--min-pass-rate", "0.5", "--quiet"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("is 0.5 (95% from 0.0945 to 0.9055, over 4 records, as sure as 2)"),
            std::string::npos)
      << run.err;
}

TEST_F(EvaluateCommandTest, AGateThatCannotBeEvaluatedFails) {
  const SubprocessResult run = RunCommand({"evaluate", "--trajectories", folder_ / "runs", "--scenarios",
                                           folder_ / "data", "--reports-dir", folder_ / "reports",
                                           "--scorer-default", "json_similarity", "--min-pass-rate", "0"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("there is no pass rate"), std::string::npos) << run.err;
}

TEST_F(EvaluateCommandTest, ScoresWithStaticJsonUnlessToldOtherwise) {
  WriteFile(folder_ / "data/scenario_11/groundtruth.txt", "{'energy': 14, 'material': 48}");
  WriteFile(folder_ / "runs/a.json", R"({"run_id": "a", "scenario_id": "11", "answer": "{\"energy\": 14}"})");
  const SubprocessResult run = RunCommand({"evaluate", "--trajectories", folder_ / "runs", "--scenarios",
                                           folder_ / "data", "--reports-dir", folder_ / "reports"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  rapidjson::Document report;
  report.Parse(ReadFile(folder_ / "reports/a.json").c_str());
  EXPECT_STREQ(report["score"]["scorer"].GetString(), "static_json");
  EXPECT_EQ(report["score"]["score"].GetDouble(), 0.667);
  EXPECT_STREQ(report["score"]["details"]["missing_keys"][0].GetString(), "answer.material");
}

TEST_F(EvaluateCommandTest, TellsWhatWasLeftOut) {
  WriteFile(folder_ / "runs/bad\x1b.json", "{");
  WriteFile(folder_ / "runs/other.json", R"({"run_id": "c", "scenario_id": "99", "answer": 1})");
  fs::create_directories(folder_ / "data/scenario_13");
  WriteFile(folder_ / "data/scenario_13/groundtruth.txt", "x");
  fs::create_symlink("/etc/passwd", folder_ / "runs/link.json");
  ASSERT_EQ(mkfifo((folder_ / "runs/pipe.json").c_str(), 0600), 0);
  const SubprocessResult run = Evaluate({"--quiet"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "");
  const std::string runs = folder_ / "runs/";
  EXPECT_EQ(run.err, "leafscore: trajectory files skipped: 3\n  \"" + runs +
                         "bad\\x1b.json\": invalid_json: a key in double quotes is missing (byte 1)\n  \"" +
                         runs + "link.json\": it is a symbolic link; these are not followed\n  \"" + runs +
                         "pipe.json\": it is not a regular file\n"
                         "leafscore: trajectories that match no scenario: 1\n  \"" +
                         runs +
                         "other.json\": scenario_id \"99\", run_id \"c\"\n"
                         "leafscore: scenarios without a trajectory: 1\n  \"13\"\n");
  EXPECT_EQ(Evaluate({"--strict"}).exit_code, 1);
}

// Three of four scenarios of a broken release: the gates must not pass on the one that is whole.
// The default scorer scored it, and no gate knew.
TEST_F(EvaluateCommandTest, AMisspeltScoringMethodFailsEveryGate) {
  WriteFile(folder_ / "data/scenario_11/scenario_meta.json", R"({"scoring_method": "exact_mach"})");
  WriteFile(folder_ / "data/scenario_12/groundtruth.txt", "ten");
  const auto has = [](const SubprocessResult& run, const std::string& text) {
    EXPECT_NE(run.err.find(text), std::string::npos) << run.err;
  };
  const SubprocessResult run = Evaluate({});
  EXPECT_EQ(run.exit_code, 0);
  has(run,
      "scoring methods that are not known here, whose scenarios are errors; --accept-unknown-methods scores "
      "them by exact_match: 1\n  \"exact_mach\" (scenarios: 1); did you mean \"exact_match\"?\n");
  const std::vector<std::vector<std::string>> gates = {{"--strict"},
                                                       {"--fail-under", "0.9"},
                                                       {"--min-pass-rate", "0.9"},
                                                       {"--min-coverage", "0.9"},
                                                       {"--max-errors", "0"}};
  for (std::vector<std::string> gate : gates) {
    EXPECT_EQ(Evaluate(gate).exit_code, 1) << gate[0];
    gate.emplace_back("--accept-unknown-methods");
    const SubprocessResult accepted = Evaluate(gate);
    EXPECT_EQ(accepted.exit_code, 0) << gate[0];
    has(accepted, "scoring methods that are not known here, so that exact_match is used: 1");
  }
}

TEST_F(EvaluateCommandTest, AGateDoesNotOverlookFoldersWithoutGroundTruth) {
  fs::create_directories(folder_ / "data/scenario_13");
  WriteFile(folder_ / "data/scenario_13/GroundTruth.txt", "x");
  WriteFile(folder_ / "runs/deep/12.json",
            R"({"run_id": "b", "scenario_id": null, "runner": "agent", "model": "m", "answer": "twelve"})");
  EXPECT_EQ(Evaluate({"--quiet"}).exit_code, 0);
  const SubprocessResult run = Evaluate({"--quiet", "--fail-under", "0.5"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("scenario files skipped, and scenarios without ground truth: 1\n  \"" +
                         (folder_ / "data/scenario_13") +
                         "\": it has no groundtruth.txt; is \"GroundTruth.txt\" meant?\n"),
            std::string::npos)
      << run.err;
  EXPECT_NE(
      run.err.find("1 errors of exact_match in 3 records asked for are more than 0: missing_expected 1"),
      std::string::npos)
      << run.err;
}

TEST_F(EvaluateCommandTest, ANameOfAGateIsCheckedBeforeAnyRunIsScored) {
  const SubprocessResult run = Evaluate({"--fail-under", "exact_mtch=0.5"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("there is no scorer \"exact_mtch\""), std::string::npos) << run.err;
  EXPECT_FALSE(fs::exists(folder_ / "reports/a.json"));
}

TEST_F(EvaluateCommandTest, AReportThatCannotBeWrittenIsItsOwnFailure) {
  fs::create_directories(folder_ / "reports/a.json/full");
  const SubprocessResult run = Evaluate({});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("leafscore: reports that could not be written: 1\n  cannot write " +
                         (folder_ / "reports/a.json") + ": "),
            std::string::npos)
      << run.err;
  EXPECT_NE(run.err.find("leafscore: 1 reports could not be written; see above\n"), std::string::npos);
  EXPECT_NE(run.out.find("Reports: " + (folder_ / "reports") + "/<run_id>.json (1)\n"), std::string::npos)
      << run.out;
  EXPECT_TRUE(fs::exists(folder_ / "reports/b.json"));
  EXPECT_NE(Aggregate().find("\"file\": \"" + (folder_ / "reports/a.json") + "\""), std::string::npos);
  EXPECT_NE(Aggregate().find("\"run_id\": \"a\""), std::string::npos);
}

TEST_F(EvaluateCommandTest, TellsOfReportsOfAnEarlierRunAndRemovesThemWhenAsked) {
  EXPECT_EQ(Evaluate({"--quiet"}).err, "");
  fs::remove(folder_ / "runs/a.json");
  WriteFile(folder_ / "reports/mine.json", "{}");
  const SubprocessResult run = Evaluate({"--quiet"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_NE(run.err.find("leafscore: 1 reports of earlier runs lie beside the new ones in \"" +
                         (folder_ / "reports") + "\"; --clean removes them\n"),
            std::string::npos)
      << run.err;
  EXPECT_TRUE(fs::exists(folder_ / "reports/a.json"));
  EXPECT_NE(Evaluate({"--quiet", "--clean"}).err.find("leafscore: 1 of 1 reports of earlier runs in "),
            std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "reports/a.json"));
  EXPECT_TRUE(fs::exists(folder_ / "reports/mine.json"));
  EXPECT_TRUE(fs::exists(folder_ / "reports/b.json"));
  EXPECT_EQ(Evaluate({"--quiet"}).err.find("earlier runs"), std::string::npos);
}

TEST_F(EvaluateCommandTest, EndsWithTwoWhenNothingMatches) {
  const SubprocessResult run = Evaluate({"--scenario-ids", "77"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("leafscore: no trajectory matches a scenario"), std::string::npos) << run.err;
  EXPECT_NE(run.out.find("trajectory files 2 = matched 0 + unmatched 0 + not selected 2"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "reports/_aggregate.json"));
  fs::remove_all(folder_ / "runs");
  EXPECT_EQ(Evaluate({}).exit_code, 2);
  fs::create_directories(folder_ / "runs");
  EXPECT_NE(Evaluate({}).err.find("there is no *.json in "), std::string::npos);
}

TEST_F(EvaluateCommandTest, EndsWithTwoWhenNothingIsScored) {
  WriteFile(folder_ / "gold.jsonl", "{\"id\": 1}\n");
  WriteFile(folder_ / "runs/1.json", R"({"run_id": "c", "answer": 1})");
  const SubprocessResult run = RunCommand({"evaluate", "--trajectories", folder_ / "runs/1.json",
                                           "--scenarios", folder_ / "gold.jsonl", "--scorer-default",
                                           "exact_match", "--reports-dir", folder_ / "reports"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("not one run was scored"), std::string::npos) << run.err;
  EXPECT_NE(ReadFile(folder_ / "reports/c.json").find("missing_expected"), std::string::npos);
}

TEST_F(EvaluateCommandTest, SelectsAndKeepsReportsSmall) {
  const SubprocessResult run =
      Evaluate({"--scenario-ids", "11,13", "--scenario-ids", "14", "--details", "none", "--aggregate-only"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err,
            "leafscore: --scenario-ids without a scenario (selections such as fcc_lite need "
            "--scenario-profiles): 2\n  \"13\"\n  \"14\"\n");
  EXPECT_EQ(run.out.find("Reports: "), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "reports/a.json"));
  EXPECT_NE(Aggregate().find("\"details\": {}"), std::string::npos);
}

TEST_F(EvaluateCommandTest, SelectsByCategoryAndProfile) {
  fs::create_directories(folder_ / "profiles");
  WriteFile(folder_ / "profiles/lite.yaml", "fcc: [11]\nfmsr: [12, 11]\ntsfm:\n");
  WriteFile(folder_ / "profiles/all.json", R"({"fcc": ["11", 12]})");
  const auto given = [&](const std::string& ids, const std::string& profiles) {
    return Evaluate(
        {"--scenario-ids", ids, "--scenario-profiles", folder_ / profiles, "-q", "--aggregate-only"});
  };
  const auto scenarios = [&] {
    rapidjson::Document aggregate;
    aggregate.Parse(Aggregate().c_str());
    return aggregate["totals"]["scenarios_given"].GetInt();
  };
  EXPECT_EQ(given("fcc_lite", "profiles").err, "");
  EXPECT_EQ(scenarios(), 1);
  EXPECT_EQ(given("fcc+fmsr_lite", "profiles").err, "");
  EXPECT_EQ(scenarios(), 2);
  EXPECT_EQ(given("fcc_all", "profiles/all.json").err, "");
  EXPECT_EQ(scenarios(), 2);
  EXPECT_EQ(given("tsfm_lite,12", "profiles").err, "");  // none of a category, and an id
  EXPECT_EQ(scenarios(), 1);
  SubprocessResult wrong = given("fcc+fmrs_lite", "profiles");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find(
                "/lite.yaml:1: unknown category \"fmrs\"; did you mean \"fmsr\"? valid: fcc, fmsr, tsfm"),
            std::string::npos)
      << wrong.err;
  wrong = given("fcc_mini", "profiles");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("the profiles of " + (folder_ / "profiles") + " are all, lite"), std::string::npos)
      << wrong.err;
  WriteFile(folder_ / "profiles/mini.yml", "- fcc\n");
  EXPECT_NE(given("fcc_mini", "profiles").err.find("a profile is a map of categories"), std::string::npos);
}

TEST_F(EvaluateCommandTest, ASelectionOfNothingIsRefused) {
  WriteFile(folder_ / "tiny.yaml", "fcc: []\nwosr:\nfmsr: [11]\n");
  for (const std::string ids : {"fcc_tiny", "wosr_tiny", "fcc+wosr_tiny", "fcc_tiny,wosr_tiny"}) {
    const SubprocessResult run =
        Evaluate({"--scenario-ids", ids, "--scenario-profiles", folder_ / "tiny.yaml"});
    EXPECT_EQ(run.exit_code, 2) << ids;
    EXPECT_EQ(run.err, "leafscore: --scenario-ids \"" + ids +
                           "\" selects nothing: its categories have no ids in " + (folder_ / "tiny.yaml") +
                           "\n");
  }
  EXPECT_FALSE(fs::exists(folder_ / "reports"));
  EXPECT_EQ(
      Evaluate({"--scenario-ids", "fcc+fmsr_tiny", "--scenario-profiles", folder_ / "tiny.yaml"}).exit_code,
      0);
}

TEST_F(EvaluateCommandTest, TellsMoreWhenAsked) {
  for (int i = 0; i < 12; ++i) {
    WriteFile(folder_ / ("runs/x" + std::to_string(i) + ".json"), "{");
  }
  EXPECT_NE(Evaluate({}).err.find("\n  and 2 more\n"), std::string::npos);
  const SubprocessResult run = Evaluate({"-v"});
  EXPECT_EQ(run.err.find(" more\n"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("x9.json"), std::string::npos);
  EXPECT_EQ(Evaluate({"-v", "-q"}).exit_code, 2);
  WriteFile(folder_ / "c.yaml", "scorers: [{name: exact_match, type: static_json, revision: 2026-09}]\n");
  EXPECT_EQ(Evaluate({"--config", folder_ / "c.yaml"}).out.find("exact_f1"), std::string::npos);
  EXPECT_NE(Evaluate({"--config", folder_ / "c.yaml"}).out.find(", missing_keys in all 0,"),
            std::string::npos);
  EXPECT_NE(Evaluate({"--config", folder_ / "c.yaml", "-v"}).out.find(", exact_f1 0.5000,"),
            std::string::npos);
}

TEST_F(EvaluateCommandTest, TellsOfRulesThatNobodyReads) {
  WriteFile(folder_ / "data/scenario_11/groundtruth_eval.json", R"({"keys": {"a": {"mode": "measure"}}})");
  WriteFile(folder_ / "c.yaml", "scorers: [{name: exact_match, type: static_json}]\n");
  EXPECT_NE(
      Evaluate({"--config", folder_ / "c.yaml"})
          .err.find("scenarios with evaluation_metadata that is not used, as that takes a static_json of "
                    "revision 2026-09: 1\n"),
      std::string::npos);
  EXPECT_EQ(Evaluate({}).err, "");  // exact_match has no rules
}

TEST_F(EvaluateCommandTest, ReadsPricesAndScorers) {
  WriteFile(folder_ / "runs/a.json",
            R"({"run_id": "a", "scenario_id": 11, "model": "x/M-20250101", "answer": "ELEVEN",
                "trajectory": [{"tool": "t"}], "tokens_in": 1000000, "tokens_out": 1})");
  WriteFile(folder_ / "prices.yaml", "m: {input: 2.5, output: 0}\n");
  WriteFile(folder_ / "scorers.yaml",
            "evaluators: [{name: exact_match, type: exact_match, case_sensitive: true}]\n");
  const SubprocessResult run =
      Evaluate({"--prices", folder_ / "prices.yaml", "--config", folder_ / "scorers.yaml", "--threads", "1"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string report = ReadFile(folder_ / "reports/a.json");
  EXPECT_NE(report.find("\"passed\": false"), std::string::npos);
  EXPECT_NE(report.find("\"est_cost_usd\": 2.5}"), std::string::npos);
  WriteFile(folder_ / "prices.yaml", "m: 5\n");
  EXPECT_EQ(Evaluate({"--prices", folder_ / "prices.yaml"}).exit_code, 2);
}

TEST_F(EvaluateCommandTest, KeepsToTheFileLimit) {
  const auto bytes = fs::file_size(folder_ / "runs/a.json");  // the largest file
  const auto skipped = [&](std::uintmax_t limit) {
    return Evaluate({"--quiet", "--max-file-bytes", std::to_string(limit)}).err.find("skipped: 1\n") !=
           std::string::npos;
  };
  EXPECT_TRUE(skipped(bytes - 1));
  EXPECT_FALSE(skipped(bytes));
  EXPECT_FALSE(skipped(bytes + 1));
  EXPECT_EQ(Evaluate({"--max-file-bytes", "1"}).exit_code, 2);
  EXPECT_EQ(Evaluate({"--max-file-bytes", "1073741825"}).exit_code, 2);
}

TEST_F(EvaluateCommandTest, ReportsADiskThatTakesNoMore) {
  SubprocessOptions options;
  options.max_file_size = 100;
  const SubprocessResult run =
      RunCommand({"evaluate", "--trajectories", folder_ / "runs", "--scenarios", folder_ / "data",
                  "--scorer-default", "exact_match", "--reports-dir", folder_ / "reports"},
                 {}, options);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("cannot write " + (folder_ / "reports")), std::string::npos) << run.err;
  EXPECT_TRUE(fs::is_empty(folder_ / "reports"));
}

}  // namespace
}  // namespace leafscore::internal
