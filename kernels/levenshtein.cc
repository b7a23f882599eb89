// Each pair by itself, on 64-bit words: strip the affixes, number the symbols where they are not bytes
// already, then strips of the bit-parallel table.
#include "kernels/levenshtein.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "kernels/affix.h"
#include "kernels/myers.h"
#include "kernels/scratch.h"
#include "kernels/symbol_map.h"
#include "kernels/utf8.h"

namespace leafscore {
namespace {

// Symbols are bytes, or numbers that a strip's pattern has given out: 1..kStripRows, 0 for all others.
constexpr std::uint32_t kMatchSymbols = kStripRows + 1;

// The arrays behind one call, all in the caller's scratch.
struct Workspace {
  std::uint64_t* match;  // kMatchSymbols rows of kStripWords words; zero between strips
  Carry* carries;        // one a column
  std::uint32_t* a;      // code points, then dense symbols
  std::uint32_t* b;
  SymbolMap::Slot* slots;
  std::uint16_t* number_in_strip;  // by dense symbol; zero between strips
  std::uint16_t* strip_pattern;
  std::uint16_t* strip_text;

  Workspace(ScratchArena& arena, std::size_t longest)
      : match(arena.Take<std::uint64_t>(kMatchSymbols * kStripWords)),
        carries(arena.Take<Carry>(longest)),
        a(arena.Take<std::uint32_t>(longest)),
        b(arena.Take<std::uint32_t>(longest)),
        slots(arena.Take<SymbolMap::Slot>(SymbolMap::SlotCount(static_cast<std::uint32_t>(longest)))),
        number_in_strip(arena.Take<std::uint16_t>(longest + 1)),
        strip_pattern(arena.Take<std::uint16_t>(kStripRows)),
        strip_text(arena.Take<std::uint16_t>(longest)) {}

  // Makes the tables zero that the strips expect so.
  void Clear(std::size_t longest) {
    std::memset(match, 0, kMatchSymbols * kStripWords * sizeof *match);
    std::memset(number_in_strip, 0, (longest + 1) * sizeof *number_in_strip);
  }
};

std::uint32_t LongestString(const StringColumn& left, const StringColumn& right) {
  std::uint32_t longest = 0;
  for (const StringColumn* column : {&left, &right}) {
    for (std::size_t i = 0; i < column->size; ++i) {
      longest = std::max(longest, column->offsets[i + 1] - column->offsets[i]);
    }
  }
  return longest;
}

// Runs the strip over all words it needs and no more.
template <typename Symbol>
std::int32_t RunCarryingStrip(const Symbol* pattern, std::uint32_t rows, const Symbol* text,
                              std::uint32_t text_size, const Workspace& work) {
  if (rows <= kWordRows) return RunStrip<1, false>(pattern, rows, text, text_size, work.match, work.carries);
  if (rows <= 2 * kWordRows)
    return RunStrip<2, false>(pattern, rows, text, text_size, work.match, work.carries);
  return RunStrip<kStripWords, false>(pattern, rows, text, text_size, work.match, work.carries);
}

// RETURNS: the distance of two byte strings; both are not empty.
std::uint32_t ByteDistance(const std::uint8_t* a, std::uint32_t a_size, const std::uint8_t* b,
                           std::uint32_t b_size, const Workspace& work) {
  // The longer one in the rows costs fewest columns if it fits a word; else the shorter one costs fewest
  // strips.
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

// As ByteDistance, for dense symbols up to any number: each strip numbers its own symbols once more.
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

// RETURNS: the distance of two strings in code points; both are not empty.
std::uint32_t CodePointDistance(const BytePair& pair, const Workspace& work) {
  std::uint32_t* pattern = work.a;
  std::uint32_t* text = work.b;
  std::uint32_t pattern_size = DecodeUtf8(pair.a, pair.a_size, pattern);
  std::uint32_t text_size = DecodeUtf8(pair.b, pair.b_size, text);
  if (pattern_size > text_size) {
    std::swap(pattern, text);
    std::swap(pattern_size, text_size);
  }
  SymbolMap map(work.slots, pattern_size);
  for (std::uint32_t i = 0; i < pattern_size; ++i) pattern[i] = map.Insert(pattern[i]);
  for (std::uint32_t j = 0; j < text_size; ++j) text[j] = map.Find(text[j]);
  if (map.count() > 255) return WideDistance(pattern, pattern_size, text, text_size, work);

  // Narrow in place: byte i is written after number i was read.
  const auto narrow = [](std::uint32_t* numbers, std::uint32_t size) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(numbers);
    for (std::uint32_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(numbers[i]);
    return bytes;
  };
  return ByteDistance(narrow(pattern, pattern_size), pattern_size, narrow(text, text_size), text_size, work);
}

std::uint32_t PairDistance(BytePair pair, const Workspace& work) {
  pair = StripAffixes(pair);
  if (pair.a_size == 0) return CountCodePoints(pair.b, pair.b_size);
  if (pair.b_size == 0) return CountCodePoints(pair.a, pair.a_size);
  if (IsAscii(pair.a, pair.a_size) && IsAscii(pair.b, pair.b_size)) {
    return ByteDistance(pair.a, pair.a_size, pair.b, pair.b_size, work);
  }
  return CodePointDistance(pair, work);
}

}  // namespace

std::size_t LevenshteinScratchBytes(const StringColumn& left, const StringColumn& right) noexcept {
  ScratchArena counting(nullptr);
  Workspace(counting, LongestString(left, right));
  return counting.used();
}

void LevenshteinBatch(const StringColumn& left, const StringColumn& right, std::span<std::uint32_t> distance,
                      std::span<std::byte> scratch) noexcept {
  assert(left.size == right.size && left.size == distance.size());
  assert(scratch.size() >= LevenshteinScratchBytes(left, right));
  const std::uint32_t longest = LongestString(left, right);
  ScratchArena arena(scratch.data());
  Workspace work(arena, longest);
  work.Clear(longest);
  for (std::size_t i = 0; i < distance.size(); ++i) {
    distance[i] = PairDistance({.a = left.bytes + left.offsets[i],
                                .b = right.bytes + right.offsets[i],
                                .a_size = left.offsets[i + 1] - left.offsets[i],
                                .b_size = right.offsets[i + 1] - right.offsets[i]},
                               work);
  }
}

}  // namespace leafscore
