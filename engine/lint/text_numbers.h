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

#include "engine/base/text_map.h"

namespace leafscore::internal {

class TextNumbers {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  // Returns the number of a text, which is added if it is new.
  std::uint32_t Add(std::string_view text) {
    if (const std::uint32_t known = Find(text); known != kNone) return known;
    const auto [entry, added] = numbers_.emplace(text, static_cast<std::uint32_t>(texts_.size()));
    texts_.push_back(entry->first);
    held_bytes_ += text.size() + kBytesBeside;
    return entry->second;
  }

  // RETURNS: kNone for a text that was not added.
  std::uint32_t Find(std::string_view text) const {
    const auto entry = numbers_.find(text);
    return entry == numbers_.end() ? kNone : entry->second;
  }

  std::size_t size() const { return texts_.size(); }
  std::string_view text(std::uint32_t number) const { return texts_[number]; }
  std::size_t held_bytes() const { return held_bytes_; }  // approximate total memory

 private:
  static constexpr std::size_t kBytesBeside = 112;  // for each text: a node of the map, its bucket and a view

  TextMap<std::string, std::uint32_t> numbers_;
  std::vector<std::string_view> texts_;  // the keys of the map, which do not move
  std::size_t held_bytes_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_TEXT_NUMBERS_H_
