// engine/json/structural_index.h: finds where the JSON tokens of a text begin (stage 1 of simdjson; Langdale
// and Lemire, "Parsing Gigabytes of JSON per Second", VLDB Journal 28(6), 2019).
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_JSON_STRUCTURAL_INDEX_H_
#define LEAFSCORE_ENGINE_JSON_STRUCTURAL_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace leafscore::internal {

class StructuralIndex {
 public:
  StructuralIndex();
  ~StructuralIndex();
  StructuralIndex(const StructuralIndex&) = delete;
  StructuralIndex& operator=(const StructuralIndex&) = delete;

  // Finds the tokens of `text`: the offsets of { } [ ] : , of opening quotes, and of the first characters of
  // other scalars.
  // REQUIRES: text.size() < 2^32 - 64. Reads nothing outside `text`.
  // RETURNS: false if the text is not valid UTF-8, or if a string is not closed or has a raw control
  // character. So if it returns true, no string in a text of many lines contains a line break.
  bool Build(std::string_view text);

  // Frees its memory, 4.5 bytes for each byte of the longest text so far, and drops the index.
  void Release();

  // The offsets of the last Build in rising order; one more element, text.size(), ends them.
  const std::uint32_t* begin() const;
  std::size_t size() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_STRUCTURAL_INDEX_H_
