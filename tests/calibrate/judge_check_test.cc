// Scores held against those of people: figures worked out by hand.
#include "engine/calibrate/judge_check.h"

#include <gtest/gtest.h>

#include <string>

#include "cli/subprocess.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class JudgeCheckTest : public RunTest {
 protected:
  // exact_match gives 1 to "yes" and 0 to all else.
  JudgeCheck Check(const std::string& records, JudgeCheckOptions options = {}) {
    options.run.inputs = {Input("labels.jsonl", records)};
    return CheckJudges(Plan({"exact_match"}).scorers(), options);
  }
  static std::string Record(const char* actual, const char* label, const char* model = "a") {
    return std::string(R"({"expected": "yes", "actual": ")") + actual + R"(", "label": )" + label +
           R"(, "model": ")" + model + "\"}\n";
  }
};

TEST_F(JudgeCheckTest, CountsAgreementAtTheThreshold) {
  const JudgeCheck check = Check(Record("yes", "1") + Record("yes", "0.9") + Record("yes", "0.2") +
                                 Record("no", "0") + Record("no", "0.6"));
  ASSERT_EQ(check.judges.size(), 1u);
  const CheckedJudge& judge = check.judges[0];
  EXPECT_EQ(judge.labelled, 5u);
  EXPECT_EQ(judge.confusion.both_pass, 2u);
  EXPECT_EQ(judge.confusion.judge_passes, 1u);
  EXPECT_EQ(judge.confusion.people_pass, 1u);
  EXPECT_EQ(judge.confusion.both_fail, 1u);
  EXPECT_DOUBLE_EQ(*judge.confusion.agreement, 0.6);
  // Both pass 3 of 5 by themselves: by chance they agree on 0.36 + 0.16.
  EXPECT_NEAR(*judge.confusion.kappa, (0.6 - 0.52) / 0.48, 1e-12);
  EXPECT_NEAR(*judge.all.people, 0.54, 1e-12);
  EXPECT_NEAR(*judge.all.judge, 0.6, 1e-12);
  EXPECT_NEAR(*judge.all.bias, 0.06, 1e-12);
  EXPECT_NEAR(*judge.all.mean_difference, (0.1 + 0.8 + 0.6) / 5, 1e-12);
}

TEST_F(JudgeCheckTest, TellsBiasByFieldsAndByLength) {
  const JudgeCheck check = Check(Record("yes", "0.5", "b") + Record("yes", "0.7", "b") +
                                     Record("no!!!!", "0.5", "a") + Record("no!", "0.3", "a"),
                                 {.by = {"model"}});
  const CheckedJudge& judge = check.judges[0];
  ASSERT_EQ(judge.groups.size(), 2u);
  EXPECT_EQ(judge.groups[0].value, "a");
  EXPECT_NEAR(*judge.groups[0].figures.bias, -0.4, 1e-12);
  EXPECT_EQ(judge.groups[1].value, "b");
  EXPECT_NEAR(*judge.groups[1].figures.bias, 0.4, 1e-12);
  EXPECT_NEAR(*judge.groups[1].figures.bias_error, 0.1, 1e-12);
  EXPECT_LT(*judge.length_bias, 0);  // the longest answer is the one furthest below
}

TEST_F(JudgeCheckTest, ReadsLabelsOfOtherScalesAndVerdicts) {
  const JudgeCheck check =
      Check(Record("yes", "5") + Record("no", "0") + Record("yes", "true") + Record("no", "false"),
            {.label_max = 5});
  EXPECT_EQ(check.judges[0].all.records, 4u);
  EXPECT_DOUBLE_EQ(*check.judges[0].alpha, 1);
  EXPECT_DOUBLE_EQ(*check.judges[0].confusion.kappa, 1);
}

TEST_F(JudgeCheckTest, LeavesOutWhatHasNoLabelOrNoScore) {
  const JudgeCheck check = Check(Record("yes", "1") + Record("no", "0") + Record("yes", "7") +
                                 Record("yes", "null") + R"({"actual": "yes", "label": 1})" + "\nbroken\n");
  EXPECT_EQ(check.records, 6u);
  EXPECT_EQ(check.without_label, 1u);
  EXPECT_EQ(check.invalid_labels, 1u);
  EXPECT_EQ(check.rejected, 1u);
  EXPECT_EQ(check.first_invalid_label, "\"7\"");
  EXPECT_EQ(check.judges[0].labelled, 3u);
  EXPECT_EQ(check.judges[0].errors, 1u);
  EXPECT_EQ(check.judges[0].all.records, 2u);
  EXPECT_NE(ErrorOf(ErrorCode::kInput, [&] { Check(Record("yes", "\"good\"")); }).find("--label-field"),
            std::string::npos);
}

TEST_F(JudgeCheckTest, RepeatedRecordsGiveNoCertainty) {
  const auto records = [](int copies) {
    std::string text;
    for (int i = 0; i < 12 * copies; ++i) {
      const std::string id = R"({"id": "r)" + std::to_string(i % 12) + "\", ";
      text += id + Record(i % 2 == 0 ? "yes" : "no", i % 12 < 2 ? "0.5" : (i % 2 == 0 ? "1" : "0")).substr(1);
    }
    return text;
  };
  const CheckedJudge once = Check(records(1)).judges[0];
  const CheckedJudge often = Check(records(50)).judges[0];
  EXPECT_EQ(often.all.records, 600u);
  EXPECT_LT(once.alpha_interval->low, *once.alpha - 0.02);
  EXPECT_NEAR(often.alpha_interval->low, once.alpha_interval->low, 0.02);
  EXPECT_NEAR(often.rank_agreement_interval->low, once.rank_agreement_interval->low, 1e-9);
  EXPECT_NEAR(often.confusion.kappa_interval->low, once.confusion.kappa_interval->low, 1e-9);
}

TEST_F(JudgeCheckTest, GatesByTheLowerEndOfAlphasInterval) {
  const auto status = [&](int records, const char* least) {
    std::string text;
    for (int i = 0; i < records; ++i) text += i % 2 == 0 ? Record("yes", "1") : Record("no", "0");
    const SubprocessResult run =
        RunCommand({"judge-check", Input("labels.jsonl", text), "-s", "exact_match", "--min-alpha", least});
    EXPECT_EQ(run.err.find("gate failed: exact_match has an alpha") != std::string::npos, run.exit_code == 1)
        << run.err;
    return run.exit_code;
  };
  EXPECT_EQ(status(10, "0.8"), 1);  // an alpha of 1, by luck
  EXPECT_EQ(status(100, "0.8"), 0);
  EXPECT_EQ(status(100, "0.999"), 1);
  EXPECT_EQ(status(1, "0"), 1);  // one record tells nothing
}

TEST_F(JudgeCheckTest, GatesOnlyWhatItCouldReadWhole) {
  std::string good;
  for (int i = 0; i < 100; ++i) good += i % 2 == 0 ? Record("yes", "1") : Record("no", "0");
  const auto run = [&](const std::string& records, const std::vector<std::string>& more = {}) {
    std::vector<std::string> command = {
        "judge-check", Input("labels.jsonl", records), "-s", "exact_match", "--min-alpha", "0.5"};
    command.insert(command.end(), more.begin(), more.end());
    return RunCommand(command);
  };
  EXPECT_EQ(run(good).exit_code, 0);
  const SubprocessResult invalid = run(good + Record("yes", "2"));
  EXPECT_EQ(invalid.exit_code, 1);
  EXPECT_NE(invalid.err.find("1 labels are invalid"), std::string::npos) << invalid.err;
  EXPECT_NE(invalid.out.find("--label-max names, and count in no figure; the first: \"2\""),
            std::string::npos)
      << invalid.out;
  EXPECT_EQ(run(good + "{\"expected\": \"yes\", \"label\"\n").exit_code, 1);
  EXPECT_EQ(run(good + Record("yes", "null")).exit_code, 0);
  // Fields and paths that lead nowhere end the run, as in `score`.
  for (const char* const option : {"--id-field", "--by", "--label-field", "--actual-field"}) {
    const SubprocessResult absent = run(good, {option, "modle"});
    EXPECT_EQ(absent.exit_code, 2) << option;
    EXPECT_NE(absent.err.find(option), std::string::npos) << absent.err;
  }
  EXPECT_EQ(run(good, {"-s", "json_similarity:weights={a: 2}"}).exit_code, 2);
  EXPECT_NE(run(good).out.find("100 records have no id (--id-field)"), std::string::npos);
}

TEST_F(JudgeCheckTest, WritesTextAndJson) {
  const JudgeCheck check = Check(Record("yes", "1", "<b>\\u001b") + Record("no", "0"), {.by = {"model"}});
  EXPECT_NE(check.ToText().find("both pass 1, only the judge 0, only people 0, both fail 1"),
            std::string::npos)
      << check.ToText();
  EXPECT_EQ(check.ToText().find('\x1b'), std::string::npos);
  const rapidjson::Document json = ParseLine(check.ToJson());
  EXPECT_EQ(json["judges"][0]["krippendorff_alpha"].GetDouble(), 1);
  EXPECT_LT(json["judges"][0]["krippendorff_alpha_low"].GetDouble(), 0);
  EXPECT_EQ(json["judges"][0]["groups"].Size(), 2u);
}

}  // namespace
}  // namespace leafscore::internal
