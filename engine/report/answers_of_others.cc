#include "engine/report/answers_of_others.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace leafscore::internal {
namespace {

// Values by hash. Most hashes that are looked up have no value, so a quick check comes first.
template <class Value>
class HashedValues {
 public:
  HashedValues() : seen_(std::size_t{1} << kBits) {}

  Value& operator[](std::uint64_t hash) {
    seen_[PlaceOf(hash)] = true;
    return values_[hash];
  }
  Value* Find(std::uint64_t hash) {
    if (!seen_[PlaceOf(hash)]) return nullptr;
    const auto found = values_.find(hash);
    return found == values_.end() ? nullptr : &found->second;
  }

 private:
  static constexpr unsigned kBits = 20;
  static std::size_t PlaceOf(std::uint64_t hash) { return hash >> (64 - kBits); }

  std::vector<bool> seen_;
  std::map<std::uint64_t, Value> values_;
};

}  // namespace

void AnswersOfOthers::AddRecord(std::uint64_t expected_text, std::uint64_t answer_text) {
  is_full_ = records_.size() == kMostRecords;
  if (!is_full_) records_.push_back({expected_text, answer_text});
}

void AnswersOfOthers::Add(LowAnswer answer) {
  if (!is_full_ && answers_.size() < kMostAnswers) answers_.push_back(std::move(answer));
}

// Returns whether few expected values repeat. A wrong answer is then hardly ever another record's right
// answer by chance.
bool AnswersOfOthers::FewExpectedRepeat() const {
  constexpr std::uint64_t kOneOf = 100;
  constexpr std::size_t kFew = 1 << 14;
  std::vector<std::uint64_t> texts;
  for (const Record& record : records_) {  // of many records, a sixteenth; equal ones stay together
    if (records_.size() <= kFew || record.expected_text >> 60 == 0) texts.push_back(record.expected_text);
  }
  std::ranges::sort(texts);
  const auto repeated = std::ranges::unique(texts);
  return kOneOf * repeated.size() <= texts.size();
}

std::vector<AnswersOfOthers::Found> AnswersOfOthers::Find() const {
  using Key = std::pair<std::size_t, std::uint64_t>;  // a scorer and the hash of a value
  // How often each gold value occurs. Counted are only the gold values of added answers, and of right answers
  // that are equal to an added answer. If gold values repeat, there are few different ones, and a wrong
  // answer is often another record's right answer by chance.
  HashedValues<std::uint64_t> came;
  HashedValues<std::uint64_t> gold_of_right;  // by answer, if an added answer is the same
  for (const LowAnswer& answer : answers_) {
    if (answer.hashes.expected == 0) continue;
    came[answer.hashes.expected_text] = 0;
    if (answer.hashes.actual != 0) gold_of_right[answer.hashes.answer_text] = 0;
  }
  for (const Record& record : records_) {
    std::uint64_t* const gold = record.answer_text == 0 ? nullptr : gold_of_right.Find(record.answer_text);
    if (gold != nullptr) came[*gold = record.expected_text] = 0;
  }
  for (const Record& record : records_) {
    if (std::uint64_t* const count = came.Find(record.expected_text)) ++*count;
  }
  const auto counts = [&](const LowAnswer& answer) {
    return answer.hashes.expected != 0 && came[answer.hashes.expected_text] == 1;
  };
  std::set<Key> expected;
  std::map<Key, std::set<std::uint64_t>> expected_of;  // by answer: the expected values of its records
  for (const LowAnswer& answer : answers_) {
    if (!counts(answer)) continue;
    expected.emplace(answer.scorer, answer.hashes.expected);
    if (answer.hashes.actual == 0) continue;
    expected_of[{answer.scorer, answer.hashes.actual}].insert(answer.hashes.expected);
  }
  const bool few_repeat = FewExpectedRepeat();
  std::vector<Found> all;
  bool any_found = false;
  for (const LowAnswer& answer : answers_) {
    Found& found = all.emplace_back(&answer, std::nullopt);
    const std::uint64_t actual = answer.hashes.actual;
    if (!counts(answer) || actual == 0 || actual == answer.hashes.expected) continue;
    const std::uint64_t gold = gold_of_right[answer.hashes.answer_text];
    const bool right_elsewhere =
        few_repeat && gold != 0 && gold != answer.hashes.expected_text && came[gold] == 1;
    const bool swapped = expected.contains({answer.scorer, actual});
    if (expected_of[{answer.scorer, actual}].size() >= kAlike || (right_elsewhere && !swapped)) {
      found.cause = AnswerCause::kDuplicate;
    } else if (swapped) {
      found.cause = AnswerCause::kSwapped;
    }
    any_found |= found.cause.has_value();
  }
  if (!any_found) all.clear();
  return all;
}

}  // namespace leafscore::internal
