#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

class ExplainCommandTest : public ::testing::Test {
 protected:
  ExplainCommandTest() {
    WriteFile(
        pairs_,
        "{\"id\": \"a\", \"expected\": {\"city\": \"Oslo\", \"n\": 1}, \"actual\": {\"city\": \"Olso\"}}\n"
        "{\"id\": 7, \"expected\": \"abcd\", \"actual\": \"abxd\"}\n"
        "{\"expected\": 1, \"actual\": 1}\n"
        "{\"id\": \"broken\", \n");
    WriteFile(folder_ / "config.yaml",
              "evaluators:\n"
              "  - name: fields\n"
              "    type: field_accuracy\n"
              "    fields: [{path: city, match: exact, weight: 3}, {path: n, match: exact}]\n");
  }

  SubprocessResult Explain(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "explain");
    return RunCommand(arguments);
  }

  TempDir folder_;
  const std::string pairs_ = folder_ / "pairs.jsonl";
};

TEST_F(ExplainCommandTest, LeafByLeafForEveryScorer) {
  const SubprocessResult run = Explain({"a", pairs_, "-s", "json_similarity", "-s", "exact_match"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "record a (" + pairs_ +
                         ", record 1)\n"
                         "\n"
                         "json_similarity: 0.2500; missing\n"
                         "path  expected    actual      similarity  share\n"
                         "city  \"O[-s-]lo\"  \"Ol{+s+}o\"      0.5000  50.0%\n"
                         "n     1                                0  50.0%\n"
                         "matched_leaves: 0.5000\n"
                         "total_leaves: 2\n"
                         "\n"
                         "exact_match: 0, failed; missing\n");
}

TEST_F(ExplainCommandTest, SaysWhatWasTakenOff) {
  const std::string file = folder_ / "wrapped.jsonl";
  WriteFile(file, R"({"id": 1, "expected": {"a_b": 1}, "actual": {"result": {"aB": 1}}})");
  const SubprocessResult run = Explain({"1", file, "-s", "json_similarity:unwrap=[wrapper, fold_keys]"});
  EXPECT_NE(run.out.find("json_similarity: 1; unwrapped: fold_keys, wrapper\n"), std::string::npos)
      << run.out;
}

TEST_F(ExplainCommandTest, ANumberThatJsonLacks) {
  const std::string file = folder_ / "nan.jsonl";
  WriteFile(file, R"({"id": 1, "expected": {"a": NaN}, "actual": {"a": 1}})");
  const SubprocessResult run = Explain({"1", file, "-s", "json_similarity"});
  EXPECT_NE(run.out.find("(null may also stand for NaN or Infinity, which JSON lacks)\n"), std::string::npos)
      << run.out;
}

TEST_F(ExplainCommandTest, FieldsWithTheirWeights) {
  const SubprocessResult run = Explain({"a", pairs_, "-c", folder_ / "config.yaml"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("\ncity  \"O[-s-]lo\"  \"Ol{+s+}o\"  exact  "), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("  75.0%\n"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("misses: [\"city\",\"n\"]\n"), std::string::npos) << run.out;
}

TEST_F(ExplainCommandTest, IdsAreTextsAndRecordsWithoutOneHaveTheirNumber) {
  EXPECT_NE(Explain({"7", pairs_, "-s", "levenshtein"}).out.find("levenshtein: 0.7500"), std::string::npos);
  EXPECT_NE(Explain({"3", pairs_, "-s", "exact_match"}).out.find(", record 3)\n\nexact_match: 1, passed\n"),
            std::string::npos);
  EXPECT_NE(
      Explain({"broken", pairs_, "-s", "exact_match"}).out.find("exact_match: error\nreason: invalid_json\n"),
      std::string::npos);
  // Records of the second input are counted on, and told by their number in it.
  const std::string copy = folder_ / "copy.jsonl";
  WriteFile(copy, ReadFile(pairs_));
  const SubprocessResult second = Explain({"7", pairs_, copy, "-s", "exact_match"});
  EXPECT_NE(second.out.find(", record 3)"), std::string::npos) << second.out;
  EXPECT_NE(second.out.find(", record 2)"), std::string::npos) << second.out;
}

TEST_F(ExplainCommandTest, ARejectedRecordOfAFileWhoseNameIsNoUtf8) {
  WriteFile(folder_ / "caf\xe9.jsonl", "{broken\n");
  const SubprocessResult run = Explain({"1", folder_ / "caf\xe9.jsonl", "-s", "exact_match"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("\nexact_match: error\nreason: invalid_json\n"), std::string::npos) << run.out;
}

TEST_F(ExplainCommandTest, OtherFields) {
  WriteFile(folder_ / "other.jsonl", "{\"key\": \"k\", \"gold\": \"x\", \"answer\": \"x\"}\n");
  EXPECT_NE(Explain({"k", folder_ / "other.jsonl", "--id-field", "key", "--expected-field", "gold",
                     "--actual-field", "answer", "-s", "exact_match"})
                .out.find("exact_match: 1, passed"),
            std::string::npos);
}

TEST_F(ExplainCommandTest, GoldIsJoined) {
  const std::string gold = folder_ / "gold.jsonl";
  const std::string answers = folder_ / "answers.jsonl";
  WriteFile(gold, "{\"key\": 1, \"expected\": \"abcd\"}\n{\"key\": \"2\", \"expected\": \"same\"}\n");
  WriteFile(answers,
            "{\"id\": \"first\", \"key\": \"1\", \"expected\": \"does not count\", \"actual\": \"abxd\"}\n"
            "{\"id\": \"second\", \"key\": 2, \"actual\": \"same\"}\n"
            "{\"id\": \"third\", \"key\": 3, \"actual\": \"same\"}\n");
  const auto explain = [&](const std::string& id) {
    const SubprocessResult run =
        Explain({id, answers, "--gold", gold, "--join", "key", "-s", "json_similarity"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  };
  EXPECT_EQ(explain("1"), "record 1 (" + answers +
                              ", record 1)\n"
                              "\n"
                              "json_similarity: 0.7500\n"
                              "path  expected    actual      similarity   share\n"
                              "*     \"ab[-c-]d\"  \"ab{+x+}d\"      0.7500  100.0%\n"
                              "matched_leaves: 0.7500\n"
                              "total_leaves: 1\n");
  EXPECT_NE(explain("2").find("\njson_similarity: 1\n"), std::string::npos);
  EXPECT_NE(explain("3").find("\njson_similarity: error\nreason: no_gold\n"), std::string::npos);
  ExpectRefused(Explain({"first", answers, "--join", "key", "-s", "exact_match"}), "--join requires --gold");
  ExpectRefused(Explain({"first", answers, "--gold", folder_ / "none", "-s", "exact_match"}), "none");
  ExpectRefused(Explain({"first", "-", "--gold", "-", "-s", "exact_match"}), "cannot be both");
}

TEST_F(ExplainCommandTest, Refusals) {
  ExpectRefused(Explain({"b", pairs_, "-s", "exact_match"}),
                "no record has the id \"b\"; ids are in the field \"id\"");
  ExpectRefused(Explain({"a", pairs_}), "no scorer was named");
  ExpectRefused(Explain({"a", pairs_, "-s", "exact_mach"}), "exact_match");
  ExpectRefused(Explain({"a", folder_ / "none.jsonl", "-s", "exact_match"}), "none.jsonl");
}

}  // namespace
}  // namespace leafscore::internal
