// kernels/workspace.h: the arrays for one call of LevenshteinBatch, all in the caller's scratch; the same on
// every instruction set. Their size grows with the longest string of the batch, not with the number of pairs.
// For very long strings, only the arrays that their pairs use grow. One thread at a time.
#ifndef LEAFSCORE_KERNELS_WORKSPACE_H_
#define LEAFSCORE_KERNELS_WORKSPACE_H_

#include <cstddef>
#include <cstdint>

#include "kernels/code_point_table.h"
#include "kernels/lane_space.h"
#include "kernels/myers.h"
#include "kernels/pair_groups.h"
#include "kernels/string_column.h"

namespace leafscore::internal {

class ScratchArena;

// Memory for the strips of long patterns on vectors.
struct StripArrays {
  static constexpr std::uint32_t kMaxWords = 16;
  static constexpr std::uint32_t kSymbols = 256;
  static constexpr std::uint32_t kMargin = 32;  // columns that may be touched beyond either end

  std::uint64_t (*match)[kMaxWords];  // match words of kSymbols symbols; zero between strips
  std::uint64_t* not_hp;              // horizontal differences along the row above the strip, in bit 63:
  std::uint64_t* hn;                  // not "+1", and "-1"
  // Vertical differences of the strip's words: before the run, left of its first column; afterwards, at its
  // last column. Null if the strip begins at the left edge of the table, where all differences are +1, and
  // the differences of its last column are not needed.
  std::uint64_t* vp = nullptr;
  std::uint64_t* vn = nullptr;

  // Returns arrays for texts of up to `columns` symbols.
  static StripArrays Take(ScratchArena& arena, std::uint32_t columns);

  // Zeroes the memory that the strips expect to be zero.
  void Clear();
};

// The capacity of the arrays.
struct WorkspaceSizes {
  std::uint32_t longest = 0;       // bytes of the longest string, which limit its different symbols
  std::uint32_t numbered[2] = {};  // code points of a left and of a right string
  std::uint32_t columns = 0;       // symbols of a text whose table has strips of several words
  std::uint32_t tile_rows = 0;     // symbols of the pattern and of the text of a table of tiles
  std::uint32_t tile_columns = 0;
  std::uint32_t copied_symbols = 0;  // in a string of a vector batch that is not ASCII
};

struct Workspace {
  // Symbols are bytes, or numbers assigned by a strip's pattern: 1..kStripRows, and 0 for all others.
  static constexpr std::uint32_t kMatchSymbols = kStripRows + 1;
  static constexpr std::uint32_t kByteGroups = 4 * 8;   // by lane width, by eighth of it
  static constexpr std::uint32_t kTextBuckets = 8 * 8;  // by octave of the text size, by eighth of it
  static constexpr std::uint32_t kWideGroups = 4 * kTextBuckets;  // for 1, 2, 4 and 8 words
  static constexpr std::uint32_t kLongBuckets = kTextBuckets + 1;
  static constexpr std::uint32_t kPatternKinds = 32;
  static constexpr std::uint32_t kLongGroups = kPatternKinds * kLongBuckets;

  std::uint32_t largest;  // largest possible symbol

  // For portable strips.
  std::uint64_t* match;            // kMatchSymbols rows of kStripWords words; zero between strips
  Carry* carries;                  // one per column
  std::uint16_t* number_in_strip;  // indexed by dense symbol; zero between strips
  std::uint16_t* strip_pattern;
  std::uint16_t* strip_text;

  // For strings that are not ASCII.
  std::uint32_t* a;  // code points, then dense symbols
  std::uint32_t* b;
  CodePointTable numbers;  // numbers symbols

  // For vectors.
  ByteGroup* byte_groups;  // kByteGroups for bytes, then the same number for wide symbols
  WordGroup* wide_groups;  // for wide symbols that are too long for byte_groups
  WordGroup* long_groups;  // for bytes that are too long for byte_groups
  // The number of pairs that wait in each group, in separate arrays, which are fast to clear and scan.
  std::uint32_t* byte_group_sizes;
  std::uint32_t* wide_group_sizes;
  std::uint8_t* long_group_sizes;  // not cleared
  std::size_t symbols_size;
  std::size_t high_offset;  // from a wide symbol's low byte to its high byte
  std::uint8_t* symbols;    // strings outside columns: symbols_size low bytes; the high ones at high_offset
  LaneSpace* lanes;
  bool lanes_are_clear = false;
  StripArrays strip;
  bool strip_is_clear = false;

  Workspace(ScratchArena& arena, const WorkspaceSizes& sizes);

  // Prepares the arrays except `lanes` and `strip`, which some batches do not need.
  void Clear();
  void ClearLanesOnce();
  void ClearStripOnce();
};

// Two columns with the same number of strings.
struct ColumnPair {
  const StringColumn& left;
  const StringColumn& right;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_WORKSPACE_H_
