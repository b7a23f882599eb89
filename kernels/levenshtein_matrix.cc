#include "kernels/levenshtein_matrix.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "kernels/code_point_table.h"
#include "kernels/matrix_lanes.h"
#include "kernels/scratch.h"
#include "kernels/utf8.h"

namespace leafscore::internal {
namespace {

std::size_t BytesOf(const StringColumn& column) { return column.offsets[column.size] - column.offsets[0]; }

struct MatrixSpace {
  MatrixSpace(ScratchArena& arena, const StringColumn& texts, const StringColumn& patterns)
      : code_points(arena, BytesOf(patterns)),
        text_numbers(arena.Take<std::uint32_t>(BytesOf(texts))),
        text_begins(arena.Take<std::uint32_t>(texts.size + 1)),
        pattern_numbers(arena.Take<std::uint32_t>(BytesOf(patterns))),
        pattern_begins(arena.Take<std::uint32_t>(patterns.size + 1)),
        match_rows(arena.Take<std::byte>((BytesOf(patterns) + 1) * kMatrixRowBytes)) {}

  CodePointTable code_points;
  std::uint32_t* text_numbers;
  std::uint32_t* text_begins;
  std::uint32_t* pattern_numbers;
  std::uint32_t* pattern_begins;
  std::byte* match_rows;
};

// Decodes all strings, one after the other. RETURNS: the code points of the longest.
std::uint32_t Decode(const StringColumn& column, std::uint32_t* code_points, std::uint32_t* begins) {
  std::uint32_t longest = 0;
  begins[0] = 0;
  for (std::size_t i = 0; i < column.size; ++i) {
    const std::uint32_t count = DecodeUtf8(column.string(i), column.string_bytes(i), code_points + begins[i]);
    begins[i + 1] = begins[i] + count;
    longest = std::max(longest, count);
  }
  return longest;
}

}  // namespace

std::size_t LevenshteinMatrixScratchBytes(const StringColumn& texts, const StringColumn& patterns) noexcept {
  ScratchArena counting(nullptr);
  MatrixSpace(counting, texts, patterns);
  return counting.used();
}

void LevenshteinMatrix(const StringColumn& texts, const StringColumn& patterns,
                       std::span<std::uint32_t> distance, std::span<std::byte> scratch, Isa isa) noexcept {
  assert(distance.size() == texts.size * patterns.size);
  ScratchArena arena(scratch.data());
  MatrixSpace space(arena, texts, patterns);
  assert(scratch.size() >= arena.used());
  const std::uint32_t longest = Decode(patterns, space.pattern_numbers, space.pattern_begins);
  assert(longest <= kMaxMatrixPattern);
  Decode(texts, space.text_numbers, space.text_begins);
  const std::uint32_t numbers =
      NumberSymbols(space.pattern_numbers, space.pattern_begins[patterns.size], space.pattern_numbers,
                    space.text_numbers, space.text_begins[texts.size], space.text_numbers, space.code_points);
  std::memset(space.match_rows, 0, (numbers + 1) * kMatrixRowBytes);
  const NumberedStrings numbered_texts = {space.text_numbers, space.text_begins,
                                          static_cast<std::uint32_t>(texts.size)};
  const NumberedStrings numbered_patterns = {space.pattern_numbers, space.pattern_begins,
                                             static_cast<std::uint32_t>(patterns.size)};
  switch (isa) {
#ifdef LEAFSCORE_X86_64_KERNELS
    case Isa::kAvx512:
      return LevenshteinMatrixAvx512(numbered_texts, numbered_patterns, longest, space.match_rows,
                                     distance.data());
    case Isa::kAvx2:
      return LevenshteinMatrixAvx2(numbered_texts, numbered_patterns, longest, space.match_rows,
                                   distance.data());
#endif
    default:
      return RunMatrix<16>(numbered_texts, numbered_patterns, longest, space.match_rows, distance.data());
  }
}

}  // namespace leafscore::internal
