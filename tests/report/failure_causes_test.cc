#include "engine/report/failure_causes.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "report/summary_testing.h"

namespace leafscore::internal {
namespace {

using enum FieldOutcome;

std::string TextOf(const FailureCauses& causes) { return CausesText(causes.Report({"a", "b"})); }

TEST(FailureCauses, CountsWhatFellShortAndNothingElse) {
  FailureCauses causes;
  causes.Add(Scored(1), {}, {1, "fine"});
  causes.Add(Scored(0.5, true), {}, {2, "passed"});
  causes.Add({.score = 1, .nothing_compared = true}, {}, {8, "of nothing"});
  EXPECT_EQ(TextOf(causes), "");
  causes.Add(Scored(0.5), {}, {3, "low"});
  causes.Add(Scored(0.5, false), std::array{kTruePositive, kWrong}, {4, "wrong"});
  causes.Add(Scored(0, false), std::array{kFalseNegative, kFalsePositive}, {5, "both"});
  causes.Add(kUnparsed, {}, {6, "prose"});
  EXPECT_EQ(TextOf(causes),
            "; most often: field b 2 (\"wrong\"), invalid_actual_json 1 (\"prose\"), field a 1 (\"both\")");
  EXPECT_EQ(causes.Report({"a", "b"}).size(), 4u);
}

// Whichever thread counted which records.
TEST(FailureCauses, PartsAddUpInAnyOrder) {
  FailureCauses first;
  first.Add(kInError, {}, {2, "b"});
  first.Add(Scored(0.5), {}, {9, "i"});
  FailureCauses second;
  second.Add(kInError, {}, {5, "e"});
  second.Add(Scored(0.5), {}, {1, "a"});
  second.Add(Scored(0.5), {}, {});
  FailureCauses forth = first;
  forth += second;
  FailureCauses back = second;
  back += first;
  EXPECT_EQ(TextOf(forth), "; most often: score too low 3 (\"a\"), missing_expected 2 (\"b\")");
  EXPECT_EQ(TextOf(back), TextOf(forth));
}

TEST(FailureCauses, SayWhatTheMeanIsWithoutThem) {
  FailureCauses causes;
  causes.Add(Scored(1), {}, {1, "fine"});
  causes.Add({.score = 0.25, .causes = {AnswerCause::kCutOff, AnswerCause::kMissing}}, {}, {2, "short"});
  causes.Add({.score = 0.25, .causes = {AnswerCause::kMissing}}, {}, {3, "less"});
  causes.Add(kUnparsed, {}, {4, "prose"});
  const std::vector<FailureCause> report = causes.Report({});
  EXPECT_EQ(TextOf(causes),
            "; most often: missing 2 (\"short\"), invalid_actual_json 1 (\"prose\"), cut off 1 (\"short\")");
  EXPECT_EQ(report[0].share, 0.5);
  EXPECT_EQ(report[0].mean_without, 0.5);
  EXPECT_EQ(report[1].mean_without, 0.5);
  EXPECT_DOUBLE_EQ(*report[2].mean_without, 1.25 / 3);
}

// As the mean does: two answers to an id weigh a half each.
TEST(FailureCauses, SeveralAnswersToAnIdWeighAsMuchAsOne) {
  const RecordScore cut = {.score = 0.25, .causes = {AnswerCause::kCutOff}};
  FailureCauses causes;
  causes.Add(Scored(1), {}, {1, "a"}, 2);
  causes.Add(cut, {}, {1, "a"}, 2);
  causes.Add(Scored(0.5, true), {}, {2, "b"});
  const std::vector<FailureCause> report = causes.Report({});
  EXPECT_EQ(report[0].records, 1u);
  EXPECT_EQ(report[0].mean_without, (0.5 * 1 + 0.5) / 1.5);
}

TEST(FailureCauses, TheExampleIsNoneWhoseCauseWasFoundLate) {
  FailureCauses causes;
  for (const auto& [record, id] : {std::pair(1, "a"), {2, "b"}, {3, "c"}}) {
    causes.Add({.score = 0.25}, {}, {static_cast<std::uint64_t>(record), id});
  }
  EXPECT_EQ(TextOf(causes), "; most often: score too low 3 (\"a\")");
  causes.AddLate(AnswerCause::kSwapped, {1, "a"}, 0.25, /*is_told=*/false);
  EXPECT_EQ(TextOf(causes), "; most often: score too low 2, swapped 1 (\"a\")");
  causes.NoteOther({3, "c"});
  causes.NoteOther({2, "b"});
  EXPECT_EQ(TextOf(causes), "; most often: score too low 2 (\"b\"), swapped 1 (\"a\")");
  causes.Add({.score = 0.75}, {}, {1, "not little"});
  EXPECT_EQ(TextOf(causes), "; most often: score too low 3 (\"not little\"), swapped 1 (\"a\")");
}

TEST(FailureCauses, ARecordWithoutAnIdIsToldByItsNumber) {
  FailureCauses causes;
  causes.Add(kInError, {}, {17, ""});
  causes.Add(Scored(0.5), {}, {});
  EXPECT_EQ(TextOf(causes), "; most often: missing_expected 1 (record 17), score too low 1");
}

}  // namespace
}  // namespace leafscore::internal
