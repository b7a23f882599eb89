#include "engine/compare/id_pool.h"

#include <algorithm>
#include <cstring>

#include "engine/base/hash.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

using Length = std::uint32_t;
constexpr std::size_t kBlockBytes = 1 << 20;

std::uint64_t HashOf(std::string_view id) { return HashBytes(id, HashSeed()); }

}  // namespace

std::string_view IdPool::operator[](std::uint32_t number) const {
  Length length;
  std::memcpy(&length, places_[number], sizeof length);
  return {places_[number] + sizeof length, length};
}

std::uint32_t IdPool::Add(std::string_view id) {
  const std::uint64_t hash = HashOf(id);
  const std::uint32_t known = table_.Find(hash, [&](std::uint32_t n) { return (*this)[n] == id; });
  if (known != IdTable::kNone) return known;
  const auto number = static_cast<std::uint32_t>(places_.size());
  const auto length = static_cast<Length>(id.size());
  if (number == IdTable::kNone || length != id.size()) {
    throw Error(ErrorCode::kInput, "there are too many ids, or one is too long; compare fewer at a time");
  }
  const std::size_t bytes = sizeof length + id.size();
  if (bytes > left_) {
    left_ = std::max(bytes, kBlockBytes);
    next_ = blocks_.emplace_back(new char[left_]).get();
  }
  std::memcpy(next_, &length, sizeof length);
  std::memcpy(next_ + sizeof length, id.data(), id.size());
  places_.push_back(next_);
  next_ += bytes;
  left_ -= bytes;
  table_.Insert(hash, number, [&](std::uint32_t n) { return HashOf((*this)[n]); });
  return number;
}

}  // namespace leafscore::internal
