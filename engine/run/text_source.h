// engine/run/text_source.h: the texts of one side of the pairs to score, wherever they lie.
// THREADS: does not change, so any number may read.
#ifndef LEAFSCORE_ENGINE_RUN_TEXT_SOURCE_H_
#define LEAFSCORE_ENGINE_RUN_TEXT_SOURCE_H_

#include <cstddef>

#include "engine/run/owned_texts.h"
#include "leafscore/runner.h"

namespace leafscore::internal {

class TextSource {
 public:
  virtual ~TextSource() = default;

  virtual std::size_t size() const = 0;
  virtual std::size_t text_bytes(std::size_t row) const = 0;

  // Returns rows [begin, end) as a column. Texts that do not lie one after the other are copied to `copy`,
  // which the column then views.
  virtual TextColumn Rows(std::size_t begin, std::size_t end, OwnedTexts& copy) const = 0;
};

// Texts that lie one after the other.
class ContiguousSource final : public TextSource {
 public:
  explicit ContiguousSource(const TextColumn& column) : column_(column) {}

  std::size_t size() const override { return column_.size(); }
  std::size_t text_bytes(std::size_t row) const override {
    return static_cast<std::size_t>(column_.offset(row + 1) - column_.offset(row));
  }
  TextColumn Rows(std::size_t begin, std::size_t end, OwnedTexts&) const override {
    return column_.Slice(begin, end - begin);
  }

 private:
  TextColumn column_;
};

// Texts that are found row by row: text_of(row) returns a std::optional<std::string_view>, nothing for a
// null.
template <class TextOf>
class ScatteredSource final : public TextSource {
 public:
  ScatteredSource(std::size_t size, TextOf text_of) : size_(size), text_of_(std::move(text_of)) {}

  std::size_t size() const override { return size_; }
  std::size_t text_bytes(std::size_t row) const override {
    const auto text = text_of_(row);
    return text ? text->size() : 0;
  }
  TextColumn Rows(std::size_t begin, std::size_t end, OwnedTexts& copy) const override {
    copy.Clear();
    for (std::size_t row = begin; row < end; ++row) copy.Add(text_of_(row));
    return copy.column();
  }

 private:
  std::size_t size_;
  TextOf text_of_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_TEXT_SOURCE_H_
