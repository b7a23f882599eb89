#include "engine/report/answers_of_others.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace leafscore::internal {

void AnswersOfOthers::AddExpected(std::uint64_t expected_text) {
  if (came_.empty()) came_.resize((std::size_t{1} << kPlaceBits) / kCountersInAWord);
  for (const std::size_t place : PlacesOf(expected_text)) {
    if (CameTo(place) < 2) came_[place / kCountersInAWord] += std::uint64_t{1} << ShiftOf(place);
  }
}

std::array<std::size_t, 2> AnswersOfOthers::PlacesOf(std::uint64_t hash) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kPlaceBits) - 1;
  return {hash >> 1 & kMask, hash >> (1 + kPlaceBits) & kMask};  // the lowest bit is always 1
}

bool AnswersOfOthers::IsOnlyOne(std::uint64_t expected_text) const {
  return !came_.empty() &&
         std::ranges::any_of(PlacesOf(expected_text), [&](std::size_t place) { return CameTo(place) == 1; });
}

void AnswersOfOthers::Add(LowAnswer answer) {
  if (answers_.size() < kMostAnswers) answers_.push_back(std::move(answer));
}

std::vector<AnswersOfOthers::Found> AnswersOfOthers::Find() const {
  // Where gold repeats, there are few values, and a wrong answer is often another record's right one.
  const auto counts = [&](const LowAnswer& answer) {
    return answer.hashes.expected != 0 && IsOnlyOne(answer.hashes.expected_text);
  };
  using Key = std::pair<std::size_t, std::uint64_t>;  // a scorer and the hash of a value
  std::set<Key> expected;
  std::map<Key, std::set<std::uint64_t>> expected_of;  // the expected values of an answer's records
  for (const LowAnswer& answer : answers_) {
    if (!counts(answer)) continue;
    expected.emplace(answer.scorer, answer.hashes.expected);
    if (answer.hashes.actual == 0) continue;
    expected_of[{answer.scorer, answer.hashes.actual}].insert(answer.hashes.expected);
  }
  std::vector<Found> found;
  for (const LowAnswer& answer : answers_) {
    const std::uint64_t actual = answer.hashes.actual;
    if (!counts(answer) || actual == 0 || actual == answer.hashes.expected) continue;
    if (expected_of[{answer.scorer, actual}].size() >= kAlike) {
      found.push_back({&answer, AnswerCause::kDuplicate});
    } else if (expected.contains({answer.scorer, actual})) {
      found.push_back({&answer, AnswerCause::kSwapped});
    }
  }
  return found;
}

}  // namespace leafscore::internal
