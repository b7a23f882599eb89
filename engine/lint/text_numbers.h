// engine/lint/text_numbers.h: numbers texts from 0 in the order of first occurrence; equal texts have the
// same number.
// THREADS: one adds; then any number may look up.
#ifndef LEAFSCORE_ENGINE_LINT_TEXT_NUMBERS_H_
#define LEAFSCORE_ENGINE_LINT_TEXT_NUMBERS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/hash.h"
#include "engine/base/id_table.h"

namespace leafscore::internal {

class TextNumbers {
 public:
  static constexpr std::uint32_t kNone = IdTable::kNone;

  // Returns the number of a text, which is added if it is new.
  std::uint32_t Add(std::string_view text) {
    const std::uint64_t hash = Hash(text);
    if (const std::uint32_t known = Find(text, hash); known != kNone) return known;
    const auto number = static_cast<std::uint32_t>(size());
    numbers_.Insert(hash, number, [this](std::uint32_t known) { return Hash(this->text(known)); });
    texts_ += text;
    ends_.push_back(texts_.size());
    return number;
  }

  // RETURNS: kNone for a text that was not added.
  std::uint32_t Find(std::string_view text) const { return Find(text, Hash(text)); }

  std::size_t size() const { return ends_.size() - 1; }
  // Returns a view that is valid until the next Add.
  std::string_view text(std::uint32_t number) const {
    return std::string_view(texts_).substr(ends_[number], ends_[number + 1] - ends_[number]);
  }
  std::size_t held_bytes() const {  // approximate total memory
    return texts_.capacity() + ends_.capacity() * sizeof(std::uint64_t) + 4 * size() * sizeof(std::uint32_t);
  }

 private:
  static std::uint64_t Hash(std::string_view text) { return HashBytes(text, HashSeed()); }
  std::uint32_t Find(std::string_view text, std::uint64_t hash) const {
    return numbers_.Find(hash, [&](std::uint32_t known) { return this->text(known) == text; });
  }

  IdTable numbers_;
  std::string texts_;  // one after another
  std::vector<std::uint64_t> ends_ = {0};
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_TEXT_NUMBERS_H_
