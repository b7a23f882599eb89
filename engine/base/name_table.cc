#include "engine/base/name_table.h"

#include <algorithm>
#include <numeric>

#include "engine/base/hash.h"
#include "leafscore/error.h"

namespace leafscore::internal {

std::vector<std::uint32_t> NameTable::Sorted() const {
  std::vector<std::uint32_t> numbers(size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  std::ranges::sort(numbers, {}, [&](std::uint32_t n) { return (*this)[n]; });
  return numbers;
}

const char* NameTable::Keep(std::string_view name) {
  // Blocks grow, so that a table with few names is small.
  constexpr std::size_t kLeastBlockBytes = 1 << 10;
  constexpr std::size_t kMostBlockBytes = 1 << 20;
  const auto length = static_cast<Length>(name.size());
  const std::size_t bytes = sizeof length + name.size();
  if (bytes > left_) {
    const std::size_t doubled = kLeastBlockBytes << std::min<std::size_t>(blocks_.size(), 10);
    left_ = std::max(bytes, std::min(doubled, kMostBlockBytes));
    next_ = blocks_.emplace_back(new char[left_]).get();
  }
  const char* const place = next_;
  std::memcpy(next_, &length, sizeof length);
  std::copy(name.begin(), name.end(), next_ + sizeof length);
  next_ += bytes;
  left_ -= bytes;
  return place;
}

std::uint32_t NameTable::FindOrInsert(std::string_view name) {
  const auto hash = static_cast<std::uint32_t>(HashBytes(name, HashSeed()));
  const std::uint32_t known =
      table_.Find(hash, [&](std::uint32_t n) { return hashes_[n] == hash && (*this)[n] == name; });
  if (known != IdTable::kNone) return known;
  if (size() >= IdTable::kNone || static_cast<Length>(name.size()) != name.size()) {
    throw Error(ErrorCode::kInput, "there are too many names, or one is too long; take fewer at a time");
  }
  const auto number = static_cast<std::uint32_t>(size());
  places_.push_back(Keep(name));
  hashes_.push_back(hash);
  table_.Insert(hash, number, [&](std::uint32_t n) { return hashes_[n]; });
  return number;
}

}  // namespace leafscore::internal
