#include "engine/report/answers_of_others.h"

#include <gtest/gtest.h>

#include <string>

namespace leafscore::internal {
namespace {

// Adds a record with its own gold, and its answer if it earned little.
void Add(AnswersOfOthers& answers, std::uint64_t gold, std::uint64_t actual, std::size_t scorer = 0) {
  answers.AddExpected(gold << 24 | gold);
  answers.Add({.scorer = scorer,
               .hashes = {gold << 24 | gold, gold, actual},
               .id = std::to_string(gold),
               .groups = {}});
}

std::string Found(const AnswersOfOthers& answers) {
  std::string text;
  for (const auto& [answer, cause] : answers.Find()) {
    text += answer->id + (cause == AnswerCause::kSwapped ? " swapped " : " duplicate ");
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
  answers.AddExpected(std::uint64_t{2} << 24 | 2);  // of an answer that is right
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

TEST(AnswersOfOthersTest, KeepsTheFirstOnes) {
  AnswersOfOthers answers;
  Add(answers, 1, 2);
  for (std::uint64_t i = 2; i < AnswersOfOthers::kMostAnswers; ++i) answers.Add({});
  Add(answers, 2, 1);
  EXPECT_EQ(Found(answers), "1 swapped 2 swapped ");
  Add(answers, 3, 1);
  EXPECT_EQ(Found(answers), "1 swapped 2 swapped ");
}

}  // namespace
}  // namespace leafscore::internal
