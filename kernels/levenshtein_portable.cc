// Computes each pair by itself, on 64-bit words: strips the affixes, numbers the symbols unless they are
// ASCII, then runs the strips of the bit-parallel table.
#include <algorithm>
#include <utility>

#include "kernels/levenshtein_isa.h"
#include "kernels/utf8.h"

namespace leafscore::internal {
namespace {

// Runs the strip with 1, 2 or kStripWords words, whichever is enough.
template <typename Symbol>
std::int32_t RunCarryingStrip(const Symbol* pattern, std::uint32_t rows, const Symbol* text,
                              std::uint32_t text_size, const Workspace& work) {
  if (rows <= kWordRows) return RunStrip<1, false>(pattern, rows, text, text_size, work.match, work.carries);
  if (rows <= 2 * kWordRows)
    return RunStrip<2, false>(pattern, rows, text, text_size, work.match, work.carries);
  return RunStrip<kStripWords, false>(pattern, rows, text, text_size, work.match, work.carries);
}

// RETURNS: the distance of two byte strings; neither is empty.
std::uint32_t ByteDistance(const std::uint8_t* a, std::uint32_t a_size, const std::uint8_t* b,
                           std::uint32_t b_size, const Workspace& work) {
  // If the longer string fits a word, it becomes the rows, which gives the fewest columns. Otherwise the
  // shorter one becomes the rows, which gives the fewest strips.
  if ((a_size < b_size) == (std::max(a_size, b_size) <= kWordRows)) {
    std::swap(a, b);
    std::swap(a_size, b_size);
  }
  auto distance = static_cast<std::int64_t>(b_size);  // the last column of the row above all strips
  if (a_size <= kWordRows) {
    distance += RunStrip<1, true>(a, a_size, b, b_size, work.match, nullptr);
  } else {
    std::fill_n(work.carries, b_size, Carry{1, 0});
    for (std::uint32_t row = 0; row < a_size; row += kStripRows) {
      distance += RunCarryingStrip(a + row, std::min(kStripRows, a_size - row), b, b_size, work);
    }
  }
  return static_cast<std::uint32_t>(distance);
}

// Like ByteDistance, for dense symbols of any size: each strip renumbers its own symbols.
std::uint32_t WideDistance(const std::uint32_t* pattern, std::uint32_t pattern_size,
                           const std::uint32_t* text, std::uint32_t text_size, const Workspace& work) {
  auto distance = static_cast<std::int64_t>(text_size);
  std::fill_n(work.carries, text_size, Carry{1, 0});
  for (std::uint32_t row = 0; row < pattern_size; row += kStripRows) {
    const std::uint32_t rows = std::min(kStripRows, pattern_size - row);
    std::uint16_t last_number = 0;
    for (std::uint32_t i = 0; i < rows; ++i) {
      std::uint16_t& number = work.number_in_strip[pattern[row + i]];
      if (number == 0) number = ++last_number;
      work.strip_pattern[i] = number;
    }
    for (std::uint32_t j = 0; j < text_size; ++j) work.strip_text[j] = work.number_in_strip[text[j]];
    distance += RunCarryingStrip(work.strip_pattern, rows, work.strip_text, text_size, work);
    for (std::uint32_t i = 0; i < rows; ++i) work.number_in_strip[pattern[row + i]] = 0;
  }
  return static_cast<std::uint32_t>(distance);
}

std::uint32_t PairDistance(BytePair pair, Workspace& work) {
  pair = StripAffixes(pair);
  if (pair.a_size == 0) return CountCodePoints(pair.b, pair.b_size);
  if (pair.b_size == 0) return CountCodePoints(pair.a, pair.a_size);
  if (IsAscii(pair.a, pair.a_size) && IsAscii(pair.b, pair.b_size)) {
    return ByteDistance(pair.a, pair.a_size, pair.b, pair.b_size, work);
  }
  return DenseDistance(NumberCodePoints(pair, work), work);
}

// The strips of a tile, see kernels/tile.h.
struct PortableStrips {
  static constexpr std::uint32_t kStripRows = leafscore::internal::kStripRows;

  static void LoadCarries(const Carry* carries, std::uint32_t columns, TileSpace& space) {
    std::copy_n(carries, columns, space.carries);
  }
  static void StoreCarries(std::uint32_t columns, const TileSpace& space, Carry* carries) {
    std::copy_n(space.carries, columns, carries);
  }
  template <typename Symbol>
  static void Run(const Symbol* pattern, std::uint32_t rows, const Symbol* text, std::uint32_t first_column,
                  std::uint32_t columns, std::uint64_t* vp, std::uint64_t* vn, TileSpace& space) {
    MyersWord words[kStripWords];
    for (int w = 0; w < kStripWords; ++w) words[w] = {vp[w], vn[w]};
    const auto run = [&](const auto* strip_pattern, const auto* strip_text) {
      RunColumns<kStripWords, false>(strip_pattern, rows, strip_text, columns, space.match,
                                     space.carries + first_column, words);
    };
    if constexpr (sizeof(Symbol) == 1) {
      run(pattern, text);
    } else {
      NumberStrip(pattern, rows, text, columns, space);
      run(space.strip_pattern, space.strip_text);
    }
    for (int w = 0; w < kStripWords; ++w) vp[w] = words[w].vp, vn[w] = words[w].vn;
  }
};

}  // namespace

std::uint32_t RunTilePortable(const Tile<std::uint8_t>& tile, TileSpace& space) noexcept {
  return RunStripsOfTile<PortableStrips>(tile, space);
}

std::uint32_t RunTilePortable(const Tile<std::uint32_t>& tile, TileSpace& space) noexcept {
  return RunStripsOfTile<PortableStrips>(tile, space);
}

DensePair NumberCodePoints(const BytePair& pair, Workspace& work) noexcept {
  const std::uint32_t a_size = DecodeUtf8(pair.a, pair.a_size, work.a);
  const std::uint32_t b_size = DecodeUtf8(pair.b, pair.b_size, work.b);
  // Symbols of the shorter string get numbers; all others only need to differ from them.
  std::uint32_t* shorter = work.a;
  std::uint32_t* longer = work.b;
  std::uint32_t shorter_size = a_size;
  std::uint32_t longer_size = b_size;
  if (a_size > b_size) {
    std::swap(shorter, longer);
    std::swap(shorter_size, longer_size);
  }
  const std::uint32_t count =
      NumberSymbols(shorter, shorter_size, shorter, longer, longer_size, longer, work.numbers);
  return {.a_size = a_size, .b_size = b_size, .largest = count};
}

const std::uint8_t* NarrowInPlace(std::uint32_t* numbers, std::uint32_t size) noexcept {
  // Byte i is written after number i was read.
  auto* bytes = reinterpret_cast<std::uint8_t*>(numbers);
  for (std::uint32_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(numbers[i]);
  return bytes;
}

std::uint32_t DenseDistance(const DensePair& pair, Workspace& work) noexcept {
  if (pair.largest > 255) {
    if (pair.a_size <= pair.b_size) return WideDistance(work.a, pair.a_size, work.b, pair.b_size, work);
    return WideDistance(work.b, pair.b_size, work.a, pair.a_size, work);
  }
  return ByteDistance(NarrowInPlace(work.a, pair.a_size), pair.a_size, NarrowInPlace(work.b, pair.b_size),
                      pair.b_size, work);
}

void LevenshteinPortable(const ColumnPair& columns, std::uint32_t* distance, Workspace& work) noexcept {
  for (std::size_t i = 0; i < columns.left.size; ++i) {
    distance[i] = PairDistance(PairAt(columns.left, columns.right, i), work);
  }
}

}  // namespace leafscore::internal
