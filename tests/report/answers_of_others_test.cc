#include "engine/report/answers_of_others.h"

#include <gtest/gtest.h>

#include <string>

namespace leafscore::internal {
namespace {

// Adds a record with its own gold, and its answer if it earned little.
void Add(AnswersOfOthers& answers, std::uint64_t gold, std::uint64_t actual, std::size_t scorer = 0) {
  answers.AddRecord(gold << 24 | gold, 0);
  answers.Add({.scorer = scorer,
               .hashes = {gold << 24 | gold, actual << 32, gold, actual},
               .id = std::to_string(gold),
               .groups = {}});
}

std::string Found(const AnswersOfOthers& answers) {
  std::string text;
  for (const auto& [answer, cause] : answers.Find()) {
    if (cause) text += answer->id + (cause == AnswerCause::kSwapped ? " swapped " : " duplicate ");
  }
  return text;
}

TEST(AnswersOfOthersTest, GoldOfAnotherRecordIsSwapped) {
  AnswersOfOthers answers;
  EXPECT_EQ(Found(answers), "");
  Add(answers, 1, 2);
  Add(answers, 2, 3);
  Add(answers, 3, 0);  // its answer says too little
  Add(answers, 4, 4);  // its own
  Add(answers, 5, 6);
  Add(answers, 6, 99, /*scorer=*/1);
  EXPECT_EQ(Found(answers), "1 swapped 2 swapped ");
}

TEST(AnswersOfOthersTest, GoldThatRepeatsIsNoProof) {
  AnswersOfOthers answers;
  Add(answers, 1, 2);
  Add(answers, 2, 1);
  EXPECT_EQ(Found(answers), "1 swapped 2 swapped ");
  answers.AddRecord(std::uint64_t{2} << 24 | 2, 99);  // of an answer that is right
  EXPECT_EQ(Found(answers), "");
}

TEST(AnswersOfOthersTest, ThreeEqualAnswersAreDuplicates) {
  AnswersOfOthers answers;
  for (std::uint64_t gold = 1; gold < AnswersOfOthers::kAlike; ++gold) Add(answers, gold, 50);
  EXPECT_EQ(Found(answers), "");
  Add(answers, 50, 50);
  EXPECT_EQ(Found(answers), "1 duplicate 2 duplicate ");
  Add(answers, 60, 50);
  EXPECT_EQ(Found(answers), "1 duplicate 2 duplicate 60 duplicate ");
}

// The answer that record 7 rightly has.
TEST(AnswersOfOthersTest, TheRightAnswerOfAnotherRecordIsADuplicate) {
  AnswersOfOthers answers;
  Add(answers, 1, 7);
  answers.AddRecord(std::uint64_t{7} << 24 | 7, std::uint64_t{7} << 32);
  Add(answers, 2, 8);
  EXPECT_EQ(Found(answers), "1 duplicate ");
  answers.AddRecord(std::uint64_t{7} << 24 | 7, 99);  // its gold repeats
  EXPECT_EQ(Found(answers), "");
}

// Where gold repeats, wrong answers are right elsewhere by chance.
TEST(AnswersOfOthersTest, RightAnswersProveNothingWhereGoldRepeats) {
  AnswersOfOthers answers;
  Add(answers, 1, 7);
  answers.AddRecord(std::uint64_t{7} << 24 | 7, std::uint64_t{7} << 32);
  for (std::uint64_t gold = 1000; gold < 1197; ++gold) answers.AddRecord(gold, gold);
  answers.AddRecord(1000, 1000);
  EXPECT_EQ(Found(answers), "1 duplicate ");  // 1 of 200
  for (std::uint64_t gold = 1001; gold < 1004; ++gold) answers.AddRecord(gold, gold);
  EXPECT_EQ(Found(answers), "");
}

TEST(AnswersOfOthersTest, KeepsTheFirstOnes) {
  AnswersOfOthers answers;
  Add(answers, 1, 2);
  for (std::uint64_t i = 2; i < AnswersOfOthers::kMostAnswers; ++i) answers.Add(LowAnswer());
  Add(answers, 2, 1);
  EXPECT_EQ(Found(answers), "1 swapped 2 swapped ");
  Add(answers, 3, 1);
  EXPECT_EQ(Found(answers), "1 swapped 2 swapped ");
}

TEST(AnswersOfOthersTest, LaterRecordsAreNotCompared) {
  AnswersOfOthers answers;
  Add(answers, 1, 2);
  for (std::uint64_t i = 2; i < AnswersOfOthers::kMostRecords; ++i) answers.AddRecord(i << 40, 0);
  AnswersOfOthers more = answers;
  Add(answers, 2, 1);
  EXPECT_EQ(Found(answers), "1 swapped 2 swapped ");
  more.AddRecord(1, 0);
  Add(more, 2, 1);
  EXPECT_EQ(Found(more), "");
}

}  // namespace
}  // namespace leafscore::internal
