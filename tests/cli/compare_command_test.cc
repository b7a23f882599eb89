// `leafscore compare` as users see it. What the figures are is tested in tests/compare.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cli/schema.h"
#include "cli/subprocess.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

class CompareCommandTest : public ::testing::Test {
 protected:
  // Makes scores of 100 records, of which the first `wrong` have a wrong answer, as NAME.jsonl.
  void Score(const std::string& name, int wrong) {
    std::string pairs;
    for (int i = 0; i < 100; ++i) {
      pairs += fmt::format(
          "{{\"id\": {}, \"expected\": {{\"a\": 1, \"b\": 2}}, \"actual\": {{\"a\": {}, \"b\": 2}}, "
          "\"task\": \"{}\"}}\n",
          i, i < wrong ? 5 : 1, i % 2 == 0 ? "even" : "odd");
    }
    WriteFile(folder_ / "pairs.jsonl", pairs);
    EXPECT_EQ(
        RunCommand({"score", folder_ / "pairs.jsonl", "-q", "-s", "exact_match", "-s", "json_similarity",
                    "--details", "leaves", "--group-by", "task", "-o", folder_ / name + ".jsonl"})
            .exit_code,
        0);
  }

  void SetUp() override {
    Score("base", 2);
    Score("same", 2);
    Score("worse", 40);
  }

  std::string Path(const std::string& name) const { return folder_ / name; }

  SubprocessResult Compare(const std::string& now, std::vector<std::string> arguments = {},
                           const SubprocessOptions& options = {}) {
    arguments.insert(arguments.begin(), {"compare", Path("base.jsonl"), Path(now)});
    return RunCommand(arguments, {}, options);
  }

  TempDir folder_;
};

TEST_F(CompareCommandTest, TheFirstLineIsTheVerdictAndWithoutGatesAllIsFine) {
  const SubprocessResult worse = Compare("worse.jsonl");
  EXPECT_EQ(worse.exit_code, 0) << worse.err;
  EXPECT_TRUE(
      worse.out.starts_with("regressed: exact_match went from 0.9800 to 0.6000, -0.3800 (95% interval "))
      << worse.out;
  EXPECT_EQ(worse.err, "");
  const SubprocessResult same = Compare("same.jsonl", {"--margin", "0.2"});
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_TRUE(same.out.starts_with("equivalent: ")) << same.out;
}

TEST_F(CompareCommandTest, AFailedGateExitsWithOne) {
  struct Case {
    std::vector<std::string> gate;
    int worse;
    int same;
  };
  for (const auto& [gate, worse, same] :
       std::vector<Case>{{{"--fail-on", "regressed"}, 1, 0},
                         {{"--fail-on", "any-drop"}, 1, 0},
                         {{"--fail-on", "exact_match=regressed"}, 1, 0},
                         {{"--fail-on", "json_similarity:a=regressed"}, 1, 0},
                         {{"--fail-on", "json_similarity:b=any-drop"}, 0, 0},
                         {{"--fail-on", "json_similarity:*=any-drop"}, 1, 0},
                         {{"--fail-on", ":a=any-drop", "--scorer", "json_similarity"}, 1, 0},
                         {{"--max-drop", "0.1", "--margin", "0.2"}, 1, 0},
                         {{"--max-drop", "0.9"}, 0, 0},
                         {{"--max-drop", "exact_match=0.1"}, 1, 0},
                         {{"--max-drop", "json_similarity=0.4"}, 0, 0},
                         {{"--max-flips", "exact_match=37"}, 1, 0},
                         {{"--max-flips", "exact_match=38"}, 0, 0},
                         {{"--max-errors", "0"}, 0, 0},
                         {{"--max-errors", "1.5%"}, 0, 0}}) {
    EXPECT_EQ(Compare("worse.jsonl", gate).exit_code, worse) << gate[0] << ' ' << gate[1];
    EXPECT_EQ(Compare("same.jsonl", gate).exit_code, same) << gate[0] << ' ' << gate[1];
  }
}

TEST_F(CompareCommandTest, RefusesOptionsThatMeanNothing) {
  ExpectRefused(Compare("same.jsonl", {"--fail-on", "worse"}),
                "unknown verdict \"worse\"; valid: regressed, inconclusive");
  ExpectRefused(Compare("same.jsonl", {"--fail-on", "=regressed"}), "has no scorer before the =");
  ExpectRefused(Compare("same.jsonl", {"--max-drop", "json_similarity:=0"}),
                "\"json_similarity:=0\" has no field behind the :");
  ExpectRefused(Compare("same.jsonl", {"--max-flips", ":=0"}), "\":=0\" has no field behind the :");
  ExpectRefused(Compare("same.jsonl", {"--max-drop", "exact_match="}),
                "\"exact_match=\" has nothing behind the =");
  ExpectRefused(Compare("same.jsonl", {"--max-drop", "nan"}), "\"nan\" is no number from 0 to 1");
  ExpectRefused(Compare("same.jsonl", {"--max-drop", "-0.1"}), "\"-0.1\" is no number from 0 to 1");
  ExpectRefused(Compare("same.jsonl", {"--max-flips", "1.5"}), "\"1.5\" is no whole number");
  ExpectRefused(Compare("same.jsonl", {"--max-errors", "some"}), "neither a whole number nor a percentage");
  ExpectRefused(Compare("same.jsonl", {"--margin", "0"}), "'0' does not lie between 0 and 1");
  ExpectRefused(Compare("same.jsonl", {"--alpha", "0.5"}), "'0.5' does not lie between 0 and 0.5");
  ExpectRefused(Compare("same.jsonl", {"--alpha", "nan"}), "does not lie between");
  ExpectRefused(Compare("same.jsonl", {"--worst", "-1"}), "'-1' is not a whole number");
  ExpectRefused(Compare("same.jsonl", {"--worst", "1001"}),
                "1001 records that fell most are too many to show");
  ExpectRefused(Compare("same.jsonl", {"--correction", "bonferroni"}), "--correction");
  ExpectRefused(Compare("same.jsonl", {"--update-baseline"}), "--baseline");
  ExpectRefused(RunCommand({"compare", Path("base.jsonl")}),
                "there is one file, and nothing to compare it with");
  ExpectRefused(Compare("same.jsonl", {"-o", Path("c.doc")}), ".txt, .md, .json, .csv, .xml, .tex");
  ExpectRefused(Compare("same.jsonl", {"-o", "-"}), "the comparison goes to standard output in any case");
  ExpectRefused(Compare("same.jsonl", {"-o", Path("c.md"), "-o", Path("c.md")}), "c.md");
  // An input would be replaced.
  std::filesystem::create_symlink(Path("base.jsonl"), Path("link.txt"));
  ExpectRefused(Compare("same.jsonl", {"-o", Path("link.txt")}), "link.txt");
  ExpectRefused(Compare("same.jsonl", {"-o", Path("same.jsonl.manifest.json")}), "manifest.json");
}

TEST_F(CompareCommandTest, GatesOfWhatIsNotThereAreRefused) {
  ExpectRefused(Compare("same.jsonl", {"--max-drop", "exact_mtch=0.1"}), "did you mean \"exact_match\"");
  ExpectRefused(Compare("same.jsonl", {"--max-drop", "json_similarity:c=0.1"}), "unknown field \"c\"");
  // A scorer without fields is told as such, and not by the fields of another one.
  for (const std::string scope : {"exact_match:*", "exact_match:a"}) {
    ExpectRefused(Compare("same.jsonl", {"--max-drop", scope + "=0"}),
                  "--max-drop 0: no line of \"exact_match\" lists fields; use a scorer that judges them");
  }
  ExpectRefused(Compare("same.jsonl", {"--scorer", "exact_match", "--fail-on", ":*=any-drop"}),
                "--fail-on any-drop: no line lists fields; use a scorer that judges them");
}

// The last = splits, then the first : that no \ stands before.
TEST_F(CompareCommandTest, ScorersAndFieldsWithColonsAndEqualsSignsCanBeNamed) {
  WriteFile(folder_ / "pairs.jsonl", R"({"id": 1, "expected": {"x:y=z": 1}, "actual": {"x:y=z": 1}})"
                                     "\n");
  WriteFile(folder_ / "odd.yaml", "scorers: [{name: \"a:b=c\", type: json_similarity}]");
  EXPECT_EQ(RunCommand({"score", Path("pairs.jsonl"), "-q", "-c", Path("odd.yaml"), "--details", "leaves",
                        "-o", Path("odd.jsonl")})
                .exit_code,
            0);
  const auto gate = [&](const std::string& scope) {
    return RunCommand({"compare", Path("odd.jsonl"), Path("odd.jsonl"), "--fail-on", scope + "=any-drop"});
  };
  EXPECT_EQ(gate("a\\:b=c").exit_code, 0) << gate("a\\:b=c").err;
  EXPECT_EQ(gate("a\\:b=c:x:y=z").exit_code, 0) << gate("a\\:b=c:x:y=z").err;
  ExpectRefused(gate("a:b=c"), "unknown scorer \"a\"");
}

// CSV does not keep all texts apart, and so is an export that nothing reads back.
TEST_F(CompareCommandTest, CsvIsRefusedWithTheWayToLinesOfJson) {
  const SubprocessResult score =
      RunCommand({"score", Path("pairs.jsonl"), "-q", "-s", "levenshtein", "-o", Path("odd.csv")});
  ASSERT_EQ(score.exit_code, 0) << score.err;
  for (const bool has_manifest : {true, false}) {
    if (!has_manifest) std::filesystem::remove(Path("odd.csv.manifest.json"));
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"compare", Path("base.jsonl"), Path("odd.csv")},
          std::vector<std::string>{"leaderboard", "--unverified", Path("odd.csv")}}) {
      ExpectRefused(
          RunCommand(command),
          fmt::format("odd.csv has scores as CSV, which is an export; give lines of JSON (score again with "
                      "-o scores.jsonl), or convert it: leafscore convert {} --to scores -o {}",
                      Path("odd.csv"), Path("odd.scores.jsonl")));
    }
  }
  ExpectRefused(RunCommand({"score", Path("pairs.jsonl"), "-s", "levenshtein", "-o", Path("new.csv"),
                            "--compare-to", Path("base.jsonl")}),
                "new.csv is CSV, which is an export: name lines of JSON with -o (.jsonl)");
}

TEST_F(CompareCommandTest, WritesAFileInEachFormatByItsSuffix) {
  const SubprocessResult run =
      Compare("worse.jsonl", {"-o", Path("c.txt"), "-o", Path("c.md"), "-o", Path("c.json"), "-o",
                              Path("c.csv"), "-o", Path("c.xml"), "-o", Path("c.tex"), "-o", Path("none")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(ReadFile(Path("c.txt")), run.out);
  EXPECT_EQ(ReadFile(Path("none")), run.out);
  for (const auto& [format, name] : {std::pair{"md", "c.md"},
                                     {"json", "c.json"},
                                     {"csv", "c.csv"},
                                     {"junit", "c.xml"},
                                     {"latex", "c.tex"}}) {
    EXPECT_EQ(ReadFile(Path(name)), Compare("worse.jsonl", {"--format", format}).out) << name;
  }
  EXPECT_EQ(Schema("comparison").Fault(ReadFile(Path("c.json"))), "");
}

TEST_F(CompareCommandTest, LatexCompiles) {
  if (std::system("command -v pdflatex >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no pdflatex";
  std::string pairs;
  for (const std::string name : {"_%$#{}^~&<>|`''--", "[x]*", "\\\\input{x}", "\\u001b\\ufffe\\n\\t", "-"}) {
    pairs += fmt::format("{{\"id\": \"{0}\", \"g\": \"{0}\", \"expected\": {{\"{0}\": 1}}, \"actual\": 1}}\n",
                         name);
  }
  WriteFile(folder_ / "odd.pairs.jsonl", pairs);
  EXPECT_EQ(RunCommand({"score", Path("odd.pairs.jsonl"), "-q", "-s", "json_similarity", "--details",
                        "leaves", "--group-by", "g", "-o", Path("odd.jsonl")})
                .exit_code,
            0);
  EXPECT_EQ(RunCommand({"compare", Path("odd.jsonl"), Path("odd.jsonl"), "--by", "g", "-o", Path("c.tex")})
                .exit_code,
            0);
  WriteFile(folder_ / "paper.tex",
            "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\\input{c.tex}\\end{document}\n");
  EXPECT_EQ(std::system(("cd '" + Path("") +
                         "' && pdflatex -interaction=nonstopmode -halt-on-error paper.tex >/dev/null")
                            .c_str()),
            0);
}

TEST_F(CompareCommandTest, SeveralNewFilesHaveAColumnEach) {
  const SubprocessResult run = Compare("same.jsonl", {Path("worse.jsonl"), "--margin", "0.2"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("regressed: exact_match in ")) << run.out;
  EXPECT_NE(run.out.find("0.0000 equivalent"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("-0.3800 regressed\n"), std::string::npos) << run.out;
}

class BaselineTest : public CompareCommandTest {
 protected:
  SubprocessResult Update(const std::string& now, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.begin(),
                     {"compare", Path(now), "--baseline", Path("kept.jsonl"), "--update-baseline"});
    return RunCommand(arguments);
  }

  void ExpectKept(const std::string& scores) {
    EXPECT_EQ(ReadFile(Path("kept.jsonl")), ReadFile(Path(scores)));
    EXPECT_EQ(ReadFile(Path("kept.jsonl.manifest.json")), ReadFile(Path(scores + ".manifest.json")));
  }
};

TEST_F(BaselineTest, IsMadeOfTheFirstFileAndReplacedAfterAGreenRun) {
  const SubprocessResult first = Update("worse.jsonl", {"--fail-on", "regressed"});
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_TRUE(first.out.starts_with("inconclusive: "))
      << first.out;  // of few records, which are their own base
  EXPECT_EQ(first.err, fmt::format("leafscore: there was no baseline: {} is a copy of {} now\n",
                                   Path("kept.jsonl"), Path("worse.jsonl")));
  ExpectKept("worse.jsonl");
  const SubprocessResult better = Update("base.jsonl", {"--fail-on", "regressed"});
  EXPECT_EQ(better.exit_code, 0) << better.err;
  EXPECT_TRUE(better.out.starts_with("improved: ")) << better.out;
  EXPECT_EQ(better.err,
            fmt::format("leafscore: {} is a copy of {} now\n", Path("kept.jsonl"), Path("base.jsonl")));
  ExpectKept("base.jsonl");
  const SubprocessResult worse = Update("worse.jsonl", {"--fail-on", "regressed"});
  EXPECT_EQ(worse.exit_code, 1);
  EXPECT_EQ(worse.err, fmt::format("leafscore: {} stays the baseline\n", Path("kept.jsonl")));
  ExpectKept("base.jsonl");
}

TEST_F(BaselineTest, StaysWithoutGatesWhereAnythingRegressed) {
  Update("base.jsonl");
  EXPECT_EQ(Update("worse.jsonl").exit_code, 0);
  ExpectKept("base.jsonl");
  // A gate that allows it lets the baseline follow.
  EXPECT_EQ(Update("worse.jsonl", {"--max-drop", "0.9"}).exit_code, 0);
  ExpectKept("worse.jsonl");
}

TEST_F(BaselineTest, IsComparedWithAllNewFilesButReplacedByOneOnly) {
  Update("base.jsonl");
  const SubprocessResult run =
      RunCommand({"compare", Path("same.jsonl"), Path("worse.jsonl"), "--baseline", Path("kept.jsonl")});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("base: "), std::string::npos);
  ExpectRefused(Update("same.jsonl", {Path("worse.jsonl")}), "name one");
  ExpectRefused(RunCommand({"compare", Path("same.jsonl"), "--baseline", Path("missing.jsonl")}),
                "missing.jsonl");
  ExpectRefused(RunCommand({"compare", Path("same.jsonl"), "--baseline", Path("x.csv"), "--update-baseline"}),
                "known are .jsonl, .ndjson");
  ExpectRefused(
      RunCommand({"compare", Path("same.jsonl"), "--baseline", Path("same.jsonl"), "--update-baseline"}),
      "same.jsonl");
}

TEST_F(BaselineTest, IsNotMadeOfHalfAFile) {
  const std::string whole = ReadFile(Path("base.jsonl"));
  WriteFile(Path("base.jsonl"), whole.substr(0, whole.size() / 2));
  ExpectRefused(Update("base.jsonl"), "was cut short");
  EXPECT_FALSE(std::filesystem::exists(Path("kept.jsonl")));
}

TEST_F(BaselineTest, HasNoManifestOfOtherScores) {
  Update("base.jsonl");
  std::filesystem::remove(Path("same.jsonl.manifest.json"));
  EXPECT_EQ(Update("same.jsonl", {"--unverified", "--fail-on", "regressed"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(Path("kept.jsonl.manifest.json")));
  EXPECT_EQ(ReadFile(Path("kept.jsonl")), ReadFile(Path("same.jsonl")));
}

TEST_F(BaselineTest, CanBeCompressed) {
  const std::vector<std::string> update = {"compare", Path("base.jsonl"), "--baseline",
                                           Path("kept.jsonl.zst"), "--update-baseline"};
  EXPECT_EQ(RunCommand(update).exit_code, 0);
  const SubprocessResult again = RunCommand(update);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_LT(ReadFile(Path("kept.jsonl.zst")).size(), ReadFile(Path("base.jsonl")).size());
}

TEST_F(BaselineTest, IsAsItWasWhereTheCopyFails) {
  Update("base.jsonl");
  SubprocessOptions options;
  options.max_file_size = 1000;
  const SubprocessResult run = RunCommand({"compare", Path("same.jsonl"), "--baseline", Path("kept.jsonl"),
                                           "--update-baseline", "--fail-on", "regressed"},
                                          {}, options);
  EXPECT_EQ(run.exit_code, 2) << run.err;
  ExpectKept("base.jsonl");
  EXPECT_FALSE(std::filesystem::exists(Path("kept.jsonl.partial")));
}

class CompareToTest : public CompareCommandTest {
 protected:
  // Scores answers of which 40 of 100 are wrong, and compares them with the base.
  SubprocessResult Score(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"score", Path("pairs.jsonl"), "-q", "-s", "exact_match", "-s",
                                         "json_similarity", "--compare-to", Path("base.jsonl")});
    return RunCommand(arguments);
  }
};

TEST_F(CompareToTest, ScoresThenComparesWithTheGraverExitStatus) {
  const std::string out = Path("now.jsonl");
  const SubprocessResult run =
      Score({"-o", out, "--comparison", Path("c.md"), "--by", "task", "--group-by", "task"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with("regressed: exact_match went from 0.9800 to 0.6000, -0.3800 ")) << run.out;
  EXPECT_TRUE(ReadFile(Path("c.md")).starts_with("## regressed: exact\\_match went "))
      << ReadFile(Path("c.md"));
  EXPECT_EQ(Score({"-o", out, "--max-drop", "0.1"}).exit_code, 1);
  EXPECT_EQ(Score({"-o", out, "--max-drop", "0.9"}).exit_code, 0);
  const SubprocessResult both = Score({"-o", out, "--max-drop", "0.9", "--fail-under", "0.99"});
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_TRUE(both.out.starts_with("regressed: ")) << both.out;
  EXPECT_NE(both.err.find("gate failed: the mean of exact_match"), std::string::npos) << both.err;
}

TEST_F(CompareToTest, AnErrorOfEitherIsTheExitStatus) {
  WriteFile(Path("broken.jsonl"), "{");
  const SubprocessResult run =
      RunCommand({"score", Path("pairs.jsonl"), "-q", "-s", "exact_match", "--compare-to",
                  Path("broken.jsonl"), "-o", Path("now.jsonl"), "--fail-under", "0.99"});
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_NE(run.err.find("broken.jsonl"), std::string::npos) << run.err;
  EXPECT_TRUE(std::filesystem::exists(Path("now.jsonl")));
}

TEST_F(CompareToTest, IsRefusedBeforeAnythingIsScored) {
  const std::string out = Path("now.jsonl");
  ExpectRefused(Score({}),
                "--compare-to reads the scores back from a file, and all of them; name it with -o");
  ExpectRefused(Score({"-o", out, "--shard", "1/2"}), "compare what `leafscore merge` makes of the shards");
  ExpectRefused(Score({"-o", Path("base.jsonl")}), "base.jsonl");
  ExpectRefused(Score({"-o", out, "--summary", "-"}), "comparison and summary would mix on standard output");
  ExpectRefused(Score({"-o", out, "--summary", Path("c.json"), "--comparison", Path("c.json")}), "c.json");
  ExpectRefused(Score({"-o", out, "--max-drop", "exact=0.1"}), "unknown scorer \"exact\"");
  ExpectRefused(Score({"-o", out, "--comparison", "c.doc"}), ".txt, .md");
  ExpectRefused(RunCommand({"score", Path("pairs.jsonl"), "-s", "exact_match", "--max-drop", "0.1"}),
                "--max-drop requires --compare-to");
  WriteFile(Path("array.json"), "[]");
  ExpectRefused(RunCommand({"score", Path("array.json"), "-s", "exact_match", "-o", out, "--compare-to",
                            Path("base.jsonl"), "--comparison", Path("array.json")}),
                "array.json");
  EXPECT_EQ(ReadFile(Path("array.json")), "[]");
  EXPECT_FALSE(std::filesystem::exists(out));
}

class GitHubTest : public CompareCommandTest {
 protected:
  SubprocessResult CompareOnGitHub(const std::string& now, std::vector<std::string> arguments = {}) {
    arguments.emplace_back("--github");
    return Compare(now, arguments, {.environment = {"GITHUB_STEP_SUMMARY=" + summary_}});
  }

  const std::string summary_ = folder_ / "summary.md";
};

TEST_F(GitHubTest, AppendsToTheSummaryAndPrintsAnnotations) {
  WriteFile(summary_, "before\n");
  const SubprocessResult run = CompareOnGitHub("worse.jsonl", {"--max-drop", "exact_match=0.1"});
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_TRUE(run.out.starts_with("regressed: exact_match went from ")) << run.out;
  EXPECT_NE(run.out.find(
                "\n::error title=leafscore compare::max-drop 0.1, exact_match: 0.9800 -> 0.6000 (-0.3800); "
                "the drop may be up to "),
            std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find("\n::warning title=leafscore compare::json_similarity regressed: -0.1900\n"),
            std::string::npos)
      << run.out;
  EXPECT_NE(
      run.out.find("\n::notice title=leafscore compare::regressed: exact_match went from 0.9800 to 0.6000, "
                   "-0.3800 (95%25 interval "),
      std::string::npos)
      << run.out;
  const std::string summary = ReadFile(summary_);
  EXPECT_TRUE(summary.starts_with("before\n\n## regressed\n\nexact\\_match went from 0.9800 to 0.6000, "))
      << summary;
  EXPECT_NE(summary.find("\n### Failed gates\n\n- max-drop 0.1, exact\\_match: "), std::string::npos)
      << summary;
  EXPECT_LT(std::ranges::count(summary, '\n'), 60);
}

TEST_F(GitHubTest, PrintsAtMostTenAnnotationsOfAKind) {
  std::vector<std::string> gates;
  for (int i = 0; i < 11; ++i)
    gates.insert(gates.end(), {"--max-drop", fmt::format("exact_match=0.{:02}", i + 1)});
  const std::string out = CompareOnGitHub("worse.jsonl", gates).out;
  std::size_t errors = 0;
  for (std::size_t at = 0; (at = out.find("\n::error ", at)) != std::string::npos; ++at) ++errors;
  EXPECT_EQ(errors, 10u);
  EXPECT_NE(out.find("::and 2 more\n"), std::string::npos) << out;
}

TEST_F(GitHubTest, TheSummaryStaysWithinOneMebibyte) {
  for (const std::size_t before : {(1u << 20) - 3000, (1u << 20) - 10, 1u << 20, 2u << 20}) {
    WriteFile(summary_, std::string(before, 'x'));
    EXPECT_EQ(CompareOnGitHub("worse.jsonl").exit_code, 0);
    const std::string summary = ReadFile(summary_);
    EXPECT_EQ(summary.substr(0, before), std::string(before, 'x'));
    EXPECT_LE(summary.size(), std::max<std::size_t>(before, 1 << 20));
    EXPECT_EQ(summary.size() > before, before == (1u << 20) - 3000);
  }
}

// GitHub obeys such lines of any program: ::stop-commands:: would silence the annotations, ::add-mask:: hide
// the log.
TEST_F(GitHubTest, NamesAreNoWorkflowCommands) {
  WriteFile(Path("odd.yaml"),
            "scorers: [{name: \"::stop-commands::x\", type: exact_match}, "
            "{name: \"a##[error]b\", type: exact_match}]");
  EXPECT_EQ(RunCommand({"score", Path("pairs.jsonl"), "-q", "-c", Path("odd.yaml"), "-o", Path("odd.jsonl")})
                .exit_code,
            0);
  const SubprocessResult run = RunCommand({"compare", Path("odd.jsonl"), Path("odd.jsonl"), "--github"}, {},
                                          {.environment = {"GITHUB_STEP_SUMMARY=" + summary_}});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("\n\\::stop-commands::x "), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("\n::stop"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\na##\\[error]b "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("\n::notice title="), std::string::npos) << run.out;
}

// A summary that is also a file of the run would be read with itself in it, or be lost.
TEST_F(GitHubTest, TheSummaryIsNoOtherFileOfTheRun) {
  const std::string base = ReadFile(Path("base.jsonl"));
  const std::string other = Path("other.md");
  WriteFile(summary_, "before\n");
  std::filesystem::create_hard_link(summary_, other);
  ExpectRefused(CompareOnGitHub("same.jsonl", {"-o", other}), "which this run uses too: name another file");
  ExpectRefused(CompareOnGitHub("same.jsonl", {"--records", summary_, "--records", summary_}), "summary.md");
  ExpectRefused(RunCommand({"compare", Path("same.jsonl"), "--baseline", Path("new.jsonl"),
                            "--update-baseline", "--github"},
                           {}, {.environment = {"GITHUB_STEP_SUMMARY=" + Path("new.jsonl.manifest.json")}}),
                "new.jsonl.manifest.json");
  for (const std::string input : {"base.jsonl", "same.jsonl", "base.jsonl.manifest.json"}) {
    ExpectRefused(
        Compare("same.jsonl", {"--github"}, {.environment = {"GITHUB_STEP_SUMMARY=" + Path(input)}}), input);
  }
  const SubprocessOptions to_output = {.environment = {"GITHUB_STEP_SUMMARY=" + other},
                                       .output_path = summary_};
  EXPECT_EQ(Compare("same.jsonl", {"--github"}, to_output).exit_code, 2);
  ExpectRefused(
      RunCommand({"score", Path("pairs.jsonl"), "-q", "-s", "exact_match", "--compare-to", Path("base.jsonl"),
                  "-o", Path("now.jsonl"), "--summary", Path("now.json"), "--github"},
                 {}, {.environment = {"GITHUB_STEP_SUMMARY=" + Path("now.json")}}),
      "now.json");
  EXPECT_EQ(ReadFile(Path("base.jsonl")), base);
}

TEST_F(GitHubTest, IsRefusedElsewhereAndBesideOtherFormats) {
  ExpectRefused(Compare("same.jsonl", {"--github"}, {.environment = {"GITHUB_STEP_SUMMARY="}}),
                "--github appends to the file that GITHUB_STEP_SUMMARY names, which is not set");
  ExpectRefused(CompareOnGitHub("same.jsonl", {"--format", "json"}), "write that format to a file");
}

// Tests asked five times: 20 always pass, one passes half of the time, and one breaks.
TEST_F(CompareCommandTest, TestsThatAreAskedSeveralTimes) {
  std::string gold;
  for (int i = 0; i < 22; ++i) gold += fmt::format("{{\"id\": \"t-{}\", \"expected\": 1}}\n", i);
  WriteFile(folder_ / "gold.jsonl", gold);
  const auto score = [&](const std::string& name, int passes_of_last) {
    std::string answers;
    for (int asking = 0; asking < 5; ++asking) {
      for (int i = 0; i < 22; ++i) {
        const int passes = i == 20 ? 3 : i == 21 ? passes_of_last : 5;
        answers += fmt::format("{{\"id\": \"t-{}\", \"actual\": {}}}\n", i, asking < passes ? 1 : 2);
      }
    }
    WriteFile(folder_ / "answers.jsonl", answers);
    const SubprocessResult scored =
        RunCommand({"score", folder_ / "answers.jsonl", "--gold", folder_ / "gold.jsonl", "--repeats", "all",
                    "-q", "-s", "exact_match", "-o", folder_ / name + ".jsonl"});
    EXPECT_EQ(scored.exit_code, 0) << scored.err;
  };
  score("base", 5);
  score("same", 5);
  score("broken", 0);
  const std::vector<std::string> gate = {"--repeats", "all", "--fail-on-test"};
  const SubprocessResult same = Compare("same.jsonl", gate);
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  // Passing 3 of 5 and then none has a p of 0.08.
  EXPECT_NE(same.out.find("; the gate holds; could not have failed on 1 of 22 tests, asked too few times or "
                          "not answered: t-20\n"),
            std::string::npos)
      << same.out;

  const SubprocessResult broken = Compare(
      "broken.jsonl", {"--repeats", "all", "--fail-on-test", "-o", Path("out.json"), "-o", Path("out.xml")});
  EXPECT_EQ(broken.exit_code, 1) << broken.err;
  for (const std::string_view told :
       {"fail-on-test, exact_match: 1 single test got worse: t-21 (5 of 5 passed, now 0 of 5); it could not "
        "have "
        "failed on 1 of 22 tests, asked too few times or not answered: t-20\n",
        "\nexact_match: flaky tests\n", "t-20        3 of 5  3 of 5            0.6000  0.6000\n",
        "\nexact_match: single tests that got worse\n", "t-21        5 of 5  0 of 5    0.0040\n"}) {
    EXPECT_NE(broken.out.find(told), std::string::npos) << told << '\n' << broken.out;
  }
  EXPECT_EQ(Schema("comparison").Fault(ReadFile(Path("out.json"))), "");
  EXPECT_NE(ReadFile(Path("out.xml")).find("<testcase name=\"test t-21\""), std::string::npos);

  // A run that stops after two tests passes all that it was asked; each of the others is one failed asking.
  score("stopped", 5);
  std::istringstream lines(ReadFile(folder_ / "stopped.jsonl"));
  std::string kept;
  std::map<std::string, int> askings;
  for (std::string line; std::getline(lines, line);) {
    const std::string id = line.substr(0, line.find(','));
    if (id.find("\"t-0\"") != std::string::npos || askings[id]++ == 0) kept += line + '\n';
  }
  WriteFile(folder_ / "stopped.jsonl", kept);
  std::filesystem::remove(folder_ / "stopped.jsonl.manifest.json");
  const SubprocessResult stopped =
      Compare("stopped.jsonl", {"--repeats", "all", "--fail-on-test", "--unverified"});
  EXPECT_EQ(stopped.exit_code, 1) << stopped.out << stopped.err;
  EXPECT_NE(stopped.out.find("no single test got worse; it could not have failed on 21 of 22 tests, asked "
                             "too few times or not answered: t-1, "),
            std::string::npos)
      << stopped.out;

  const SubprocessResult all_pass =
      Compare("broken.jsonl", {"--repeats", "all", "--pass-k", "5", "--max-drop", "exact_match.pass-k=0.5"});
  EXPECT_EQ(all_pass.exit_code, 0) << all_pass.out << all_pass.err;
  EXPECT_NE(all_pass.out.find("\nexact_match, pass^5"), std::string::npos) << all_pass.out;
  EXPECT_EQ(
      Compare("broken.jsonl", {"--repeats", "all", "--pass-k", "5", "--max-drop", "exact_match.pass-k=0.01"})
          .exit_code,
      1);
}

// One line of each test cannot tell, so neither option may be ignored.
TEST_F(CompareCommandTest, OptionsOnRepeatedTestsNeedAllRepeats) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--fail-on-test"},
                                             {"--pass-k", "3"},
                                             {"--repeats", "last", "--fail-on-test"},
                                             {"--repeats", "all", "--pass-k", "1"},
                                             {"--repeats", "all", "--pass-k", "0"},
                                             {"--repeats", "all", "--max-flips", "3"},
                                             {"--fail-on", "exact_match.pass-k=regressed"},
                                             {"--repeats", "all", "--pass-k", "-3"}}) {
    EXPECT_EQ(Compare("same.jsonl", arguments).exit_code, 2) << arguments.back();
  }
}

// A failed gate said that the verdict was "regressed", and nothing of why or over how many records.
TEST_F(CompareCommandTest, AFailedGateTellsTheCommonestCauses) {
  const SubprocessResult worse = Compare("worse.jsonl", {"--fail-on", "json_similarity=regressed"});
  EXPECT_EQ(worse.exit_code, 1);
  EXPECT_NE(worse.out.find("it regressed: 0.9900 -> 0.8000 (-0.1900); over 100 records; mainly: field a 38 "
                           "(\"35\")"),
            std::string::npos)
      << worse.out;
}

TEST_F(CompareCommandTest, AFieldThatNoLineHasIsGuessed) {
  ExpectRefused(Compare("same.jsonl", {"--by", "tasks"}), "did you mean \"task\"?");
  ExpectRefused(Compare("same.jsonl", {"--cluster", "tassk"}), "did you mean \"task\"?");
  ExpectRefused(Compare("same.jsonl", {"--fail-on", "regresed"}), "did you mean \"regressed\"?");
  ExpectRefused(Compare("same.jsonl", {"--format", "jsn"}), "did you mean \"json\"?");
  ExpectRefused(RunCommand({"leaderboard", Path("same.jsonl"), "--by", "tasks"}), "did you mean \"task\"?");
}

// Ids that one file pads and the other does not join nowhere, and nobody was told why.
class PaddedIdsTest : public ::testing::Test {
 protected:
  // Writes records 1 to 30, with the ids that the format string gives.
  std::string Records(const std::string& name, const std::string& id, const std::string& member) {
    std::string text;
    for (int i = 1; i <= 30; ++i) {
      text += fmt::format("{{\"id\": \"{}\", {}}}\n", fmt::format(fmt::runtime(id), i), member);
    }
    WriteFile(folder_ / name, text);
    return folder_ / name;
  }

  std::string Scores(const std::string& name, const std::string& id) {
    const std::string pairs = Records("pairs.jsonl", id, "\"expected\": 1, \"actual\": 1");
    const std::string scores = folder_ / name;
    EXPECT_EQ(RunCommand({"score", pairs, "-q", "-s", "exact_match", "-o", scores}).exit_code, 0);
    return scores;
  }

  TempDir folder_;
};

TEST_F(PaddedIdsTest, AreNamedAsTheCauseWhereNothingJoins) {
  const std::string padded = Scores("padded.jsonl", "t{:03}");
  const std::string plain = Scores("plain.jsonl", "T{} ");
  const std::string cause =
      "\"t001\" and \"T1 \" are probably the same id, written differently, and so are 29 more; write ids the "
      "same way";
  ExpectRefused(RunCommand({"compare", padded, plain}), cause);
  ExpectRefused(RunCommand({"compare", padded, plain, "--accept-differences"}), cause);
  ExpectRefused(RunCommand({"leaderboard", padded, plain}), cause);
  ExpectRefused(RunCommand({"leaderboard", padded, plain}), "--common-only");
  // Other ids are no padded ones.
  const std::string others = Scores("others.jsonl", "x{}");
  EXPECT_EQ(RunCommand({"compare", padded, others}).err.find("probably"), std::string::npos);
}

TEST_F(PaddedIdsTest, AreNamedAsTheCauseWhereNoAnswerJoinsTheGold) {
  const std::string gold = Records("gold.jsonl", "t{:03}", "\"expected\": 1");
  const std::string answers = Records("m.jsonl", "t{}", "\"actual\": 1");
  const SubprocessResult run =
      RunCommand({"score", answers, "-q", "--gold", gold, "-s", "exact_match", "-o", folder_ / "s.jsonl"});
  EXPECT_NE(run.err.find("0 records of \"m\" join the gold: \"t001\" and \"t1\" are probably the same id"),
            std::string::npos)
      << run.err;
}

}  // namespace
}  // namespace leafscore::internal
