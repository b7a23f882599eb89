#include "engine/statistics/letter_display.h"

#include <algorithm>
#include <functional>

namespace leafscore::internal {
namespace {

constexpr std::size_t kMostSets = 1000;
constexpr std::size_t kAlphabetSize = 26;

using Set = std::vector<bool>;  // which items are in it

bool Holds(const Set& outer, const Set& inner) {
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] && !outer[i]) return false;
  }
  return true;
}

// Splits each set that contains both items into two sets: one without `one`, the other without `other`.
std::vector<Set> Insert(std::vector<Set> sets, std::size_t one, std::size_t other) {
  const auto has_both = [&](const Set& set) { return set[one] && set[other]; };
  const auto kept_end = std::ranges::stable_partition(sets, std::not_fn(has_both)).begin();
  std::vector<Set> split;
  for (auto set = kept_end; set != sets.end(); ++set) {
    for (const std::size_t left_out : {one, other}) {
      Set part = *set;
      part[left_out] = false;
      split.push_back(std::move(part));
    }
  }
  sets.erase(kept_end, sets.end());
  // A set that another set contains is absorbed. If sets are equal, the first one stays.
  const std::size_t kept = sets.size();
  for (std::size_t s = 0; s < split.size(); ++s) {
    const auto absorbs = [&](const Set& set) { return Holds(set, split[s]); };
    bool absorbed = std::any_of(sets.begin(), sets.begin() + static_cast<std::ptrdiff_t>(kept), absorbs);
    for (std::size_t t = 0; t < split.size() && !absorbed; ++t) {
      absorbed = t != s && absorbs(split[t]) && (t < s || split[t] != split[s]);
    }
    if (!absorbed) sets.push_back(split[s]);
  }
  return sets;
}

}  // namespace

std::optional<std::vector<std::string>> CompactLetters(
    std::size_t count, std::span<const std::pair<std::size_t, std::size_t>> different) {
  std::vector<Set> sets = {Set(count, true)};
  for (const auto& [one, other] : different) {
    sets = Insert(std::move(sets), one, other);
    if (sets.size() > kMostSets) return std::nullopt;
  }
  std::ranges::sort(sets, std::greater());  // sets with the first items come first
  std::vector<std::string> letters(count);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!sets[s][i]) continue;
      if (sets.size() <= kAlphabetSize) {
        letters[i] += static_cast<char>('a' + s);
      } else {
        if (!letters[i].empty()) letters[i] += ',';
        letters[i] += std::to_string(s + 1);
      }
    }
  }
  return letters;
}

}  // namespace leafscore::internal
