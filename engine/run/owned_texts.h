// engine/run/owned_texts.h: a column of texts that owns its memory and can be refilled. The layout is Arrow's
// large_string: the bytes of all texts, 64-bit offsets, and a bit for each text that is not null.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_RUN_OWNED_TEXTS_H_
#define LEAFSCORE_ENGINE_RUN_OWNED_TEXTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leafscore/runner.h"

namespace leafscore::internal {

class OwnedTexts {
 public:
  // Adds a text, or null.
  void Add(std::optional<std::string_view> text) {
    const std::size_t row = size();
    if (row % 8 == 0) validity_.push_back(0);
    if (text) {
      validity_.back() |= static_cast<std::uint8_t>(1u << row % 8);
      bytes_ += *text;
    }
    offsets_.push_back(static_cast<std::int64_t>(bytes_.size()));
  }

  // Removes the texts; the memory is reused.
  void Clear() {
    bytes_.clear();
    offsets_.resize(1);
    validity_.clear();
  }

  std::size_t size() const { return offsets_.size() - 1; }
  std::size_t bytes() const { return bytes_.size(); }  // total over all texts

  // Returns a view, valid until the next Add or Clear.
  TextColumn column() const { return {bytes_, std::span(offsets_), validity_.data()}; }

 private:
  std::string bytes_;
  std::vector<std::int64_t> offsets_ = {0};
  std::vector<std::uint8_t> validity_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_OWNED_TEXTS_H_
