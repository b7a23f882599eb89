// kernels/pair_lanes.h: eight pairs of 65 to 5,120 characters at once, a pair in each lane of 64 bits. The
// words of a pattern are in different registers, so what passes from word to word stays in its lane. In each
// column, the words take a step of kernels/myers.h from top to bottom. Match words come from a table that the
// lanes share (kernels/lane_table.h).
//
// A tile is some words over some columns. The state of the words stays in registers; the differences along
// the last row go through memory to the tile below. The words run
// - tile by tile, from left to right, if the band (kernels/lane_band.h) covers many or all of them, or
// - unit by unit, two words over the columns of the band, if patterns are short and the band is narrow.
// The limit of the band is guessed from the first unit. A pair that exceeds the limit must be computed again.
//
// V names an instruction set, see kernels/simd_batch.h. V::Part is a register with some of the eight lanes.
#ifndef LEAFSCORE_KERNELS_PAIR_LANES_H_
#define LEAFSCORE_KERNELS_PAIR_LANES_H_

#include <cstdint>

#include "kernels/lane_band.h"
#include "kernels/lane_table.h"

namespace leafscore::internal {

// The row above a word in a column.
enum class Above {
  kEdge,      // the row above the table, or its equivalent outside the band: all differences are +1
  kStarting,  // the row above the table while some texts have not begun; before, its differences are 0
  kWord,      // another word
};

template <typename V>
class PairLanes {
 public:
  static constexpr std::uint32_t kLanes = LaneSpace::kLanes;

  // REQUIRES: as LaneBand; symbols below LaneSpace::kNoSymbol; patterns of up to LaneSpace::kMaxWords words.
  PairLanes(const WordPair* pairs, std::uint32_t count, LaneSpace& space)
      : pairs_(pairs), band_(pairs, count), space_(space) {
    __builtin_memset(space.vp, 0xFF, band_.words() * sizeof *space.vp);
    __builtin_memset(space.vn, 0, band_.words() * sizeof *space.vn);
  }

  // Sets distance[pair.index] of each pair. If `may_guess` is true, it may set only an upper bound.
  // RETURNS: a bit for each pair whose distance is not known.
  std::uint32_t Run(bool may_guess, std::uint32_t* distance) {
    std::uint32_t column = 0;
    const std::uint32_t sample = Min(band_.last_text_start() + kSampleRows, band_.columns());
    if (may_guess && band_.words() > 2 && sample <= LaneSpace::kColumns) {
      RunUnit(0, {0, sample}, 0);
      column = sample;
      const bool is_narrow = GuessLimits(sample);
      if (is_narrow && band_.words() <= kMaxWordsByUnit && band_.columns() <= LaneSpace::kColumns) {
        RunUnitByUnit(sample);
        column = band_.columns();
      } else {
        RunTiles({0, sample}, 2);
      }
    }
    RunTiles({column, band_.columns()}, 0);

    std::uint32_t unknown = 0;
    for (std::uint32_t q = 0; q < band_.count(); ++q) {
      const auto result = static_cast<std::uint32_t>(static_cast<std::int32_t>(pairs_[q].text_size) +
                                                     SumRows(q, pairs_[q].pattern_size));
      distance[pairs_[q].index] = result;
      if (!band_.IsExact(q, result)) unknown |= 1u << q;
    }
    return unknown;
  }

 private:
  using Part = typename V::Part;
  using Range = typename LaneBand<V>::Range;
  static constexpr std::uint32_t kPartLanes = kLanes / V::kParts;
  static constexpr std::uint32_t kMaxWordsByUnit = 4;
  static constexpr std::uint32_t kTileColumns = 32;
  static constexpr std::uint32_t kSampleRows = 64;
  // With more edits than these in the rows of the sample, the band would hardly be narrower than the table.
  static constexpr std::uint32_t kManyEdits = 22;

  static std::uint32_t Min(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  // RETURNS: the sum of a lane's vertical differences over the first `rows` rows, at the current column of
  // their words.
  std::int32_t SumRows(std::uint32_t q, std::uint32_t rows) const {
    std::int32_t sum = 0;
    for (std::uint32_t w = 0; 64 * w < rows; ++w) {
      const std::uint32_t rest = rows - 64 * w;
      const std::uint64_t mask = rest < 64 ? (std::uint64_t{1} << rest) - 1 : ~std::uint64_t{0};
      sum += __builtin_popcountll(space_.vp[w][q] & mask) - __builtin_popcountll(space_.vn[w][q] & mask);
    }
    return sum;
  }

  // RETURNS: roughly the edits of a pair in kSampleRows rows, when the first unit is at column `sample`.
  std::uint32_t SampleEdits(std::uint32_t q, std::uint32_t sample) const {
    const std::uint32_t columns = sample - band_.start(q);
    const std::uint32_t rows = Min(Min(columns, 2 * 64), pairs_[q].pattern_size);
    const std::int32_t edits = static_cast<std::int32_t>(rows) + SumRows(q, rows);
    return static_cast<std::uint32_t>(edits) * kSampleRows / rows;
  }

  // Guesses limits of the distances from the first unit, which has reached column `sample`.
  // RETURNS: whether a band is worthwhile. If so, pairs that would need a much wider band are given up.
  bool GuessLimits(std::uint32_t sample) {
    std::uint32_t most = 0, wide = 0;
    for (std::uint32_t q = 0; q < band_.count(); ++q) {
      const std::uint32_t edits = SampleEdits(q, sample);
      if (edits > kManyEdits) {
        wide |= 1u << q;
      } else if (edits > most) {
        most = edits;
      }
    }
    if (2 * static_cast<std::uint32_t>(__builtin_popcount(wide)) >= band_.count()) return false;
    for (std::uint32_t q = 0; q < band_.count(); ++q) {
      if ((wide >> q & 1) != 0) band_.GiveUp(q);
      const std::uint32_t expected = pairs_[q].pattern_size * (most + 2) / kSampleRows;
      band_.SetLimit(q, static_cast<std::uint32_t>(band_.Surplus(q)) + expected + 4);
    }
    return true;
  }

  // Runs all units, each over its columns; the first has already reached column `sample`.
  void RunUnitByUnit(std::uint32_t sample) {
    std::uint32_t known = sample;  // the row above is known before this column
    for (std::uint32_t w = 0; w < band_.words(); w += 2) {
      Range columns = band_.ColumnsOf({w, w + 2});
      // If the row above is known, follow it to its end.
      columns.begin = w == 0 ? sample : Min(columns.begin, known - 1);
      if (columns.end < known) columns.end = known;
      if (w + 2 >= band_.words()) columns.end = band_.columns();
      RunUnit(w, columns, known);
      known = columns.end;
    }
  }

  // Runs words w and w + 1 over some columns; the row above is known before column `known`.
  void RunUnit(std::uint32_t w, Range columns, std::uint32_t known) {
    const std::uint32_t count = Min(band_.words() - w, 2);
    BuildTable(w + count);
    FindSymbols(columns.end);
    const std::uint32_t middle = Min(w == 0 ? band_.last_start() : known, columns.end);
    if (columns.begin < middle) {
      RunTile(w == 0 ? Above::kStarting : Above::kWord, count, w, {columns.begin, middle});
      columns.begin = middle;
    }
    if (columns.begin < columns.end) RunTile(Above::kEdge, count, w, columns);
  }

  // Runs the words of the band over some columns. If the words before `first_word` have already run over
  // these columns, all other words up to the end of the band run, too: a word must not stop in an earlier
  // column than the words above it.
  void RunTiles(Range columns, std::uint32_t first_word) {
    for (std::uint32_t c = columns.begin; c < columns.end;) {
      const std::uint32_t step = band_.words() > 2 ? kTileColumns : LaneSpace::kColumns;
      std::uint32_t end = Min((c / step + 1) * step, columns.end);
      if (c < band_.last_start()) end = Min(end, band_.last_start());
      Range words = band_.WordsOf({c, end});
      words.begin = first_word > 0 ? first_word : words.begin / 2 * 2;
      BuildTable(words.end);
      FindSymbols(end);
      Above above = first_word > 0                               ? Above::kWord
                    : words.begin == 0 && c < band_.last_start() ? Above::kStarting
                                                                 : Above::kEdge;
      while (words.begin < words.end) {
        const std::uint32_t count = Min(words.end - words.begin, V::kTileWords);
        RunTile(above, count, words.begin, {c, end});
        words.begin += count;
        above = Above::kWord;
      }
      c = end;
    }
  }

  void RunTile(Above above, std::uint32_t count, std::uint32_t first_word, Range columns) {
    switch (above) {
      case Above::kEdge:
        return RunTile<Above::kEdge>(count, first_word, columns);
      case Above::kStarting:
        return RunTile<Above::kStarting>(count, first_word, columns);
      case Above::kWord:
        return RunTile<Above::kWord>(count, first_word, columns);
    }
  }

  template <Above kAbove>
  void RunTile(std::uint32_t count, std::uint32_t first_word, Range columns) {
    if (count == 1) return RunColumns<1, kAbove>(first_word, columns);
    if (count == 2) return RunColumns<2, kAbove>(first_word, columns);
    if constexpr (V::kTileWords > 2) {
      if (count == 3) return RunColumns<3, kAbove>(first_word, columns);
      return RunColumns<4, kAbove>(first_word, columns);
    }
  }

  // REQUIRES: the columns lie in one stretch of LaneSpace::kColumns.
  template <int kWords, Above kAbove>
  [[gnu::noinline]] void RunColumns(std::uint32_t first_word, Range columns) {
    Part vp[kWords][V::kParts], vn[kWords][V::kParts], since_start[V::kParts];
    for (std::uint32_t p = 0; p < V::kParts; ++p) {
      for (int w = 0; w < kWords; ++w) {
        vp[w][p] = V::Load(space_.vp[first_word + w] + p * kPartLanes);
        vn[w][p] = V::Load(space_.vn[first_word + w] + p * kPartLanes);
      }
    }
    if constexpr (kAbove == Above::kStarting) LoadSinceStart(columns.begin, since_start);
    const LaneSpace::MatchRow(*table)[LaneSpace::kSymbols] = space_.table + first_word / 2;
    const std::uint32_t at = columns.begin % LaneSpace::kColumns;
    const std::uint32_t end = at + columns.end - columns.begin;
    for (std::uint32_t c = at; c < end; ++c) {
      const std::uint16_t* offsets = space_.symbol_offsets[c];
      LaneSpace::Carry& carry = space_.carries[c];
#pragma GCC unroll 4
      for (std::uint32_t p = 0; p < V::kParts; ++p) {
        Part not_hp = kAbove == Above::kWord       ? V::Load(carry.not_hp + p * kPartLanes)
                      : kAbove == Above::kStarting ? since_start[p]
                                                   : V::Zero();
        Part hn = kAbove == Above::kWord ? V::Load(carry.hn + p * kPartLanes) : V::Zero();
#pragma GCC unroll 2
        for (int w = 0; w < kWords; w += 2) {
          Part equal[2];
          V::MatchWords(table[w / 2], offsets, p, equal);
          if (w == 0) {
            V::template Step<kAbove>(equal[0], vp[0][p], vn[0][p], not_hp, hn);
          } else {
            V::template Step<Above::kWord>(equal[0], vp[w][p], vn[w][p], not_hp, hn);
          }
          if (w + 1 == kWords) break;
          V::template Step<Above::kWord>(equal[1], vp[w + 1][p], vn[w + 1][p], not_hp, hn);
        }
        V::Store(carry.not_hp + p * kPartLanes, not_hp);
        V::Store(carry.hn + p * kPartLanes, hn);
        if constexpr (kAbove == Above::kStarting) since_start[p] = V::AddOne(since_start[p]);
      }
    }
    for (std::uint32_t p = 0; p < V::kParts; ++p) {
      for (int w = 0; w < kWords; ++w) {
        V::Store(space_.vp[first_word + w] + p * kPartLanes, vp[w][p]);
        V::Store(space_.vn[first_word + w] + p * kPartLanes, vn[w][p]);
      }
    }
  }

  // Computes the number of columns of each lane's text before `column`. Before the text begins, the number is
  // negative; its bit 63 then says that the row above the table has no difference.
  void LoadSinceStart(std::uint32_t column, Part (&since_start)[V::kParts]) const {
    alignas(64) std::uint64_t columns[kLanes];
    for (std::uint32_t q = 0; q < kLanes; ++q) {
      columns[q] = std::uint64_t{column} - (q < band_.count() ? band_.start(q) : band_.columns());
    }
    for (std::uint32_t p = 0; p < V::kParts; ++p) since_start[p] = V::Load(columns + p * kPartLanes);
  }

  // Makes the match words of the first `words` words.
  void BuildTable(std::uint32_t words) {
    for (; 2 * built_units_ < words; ++built_units_) {
      LaneTable<V>::BuildUnit(pairs_, band_.count(), built_units_, space_);
    }
  }

  // Finds the symbols of all columns before `end`. Later columns replace earlier ones.
  void FindSymbols(std::uint32_t end) {
    for (; found_columns_ < end; found_columns_ += 64) {
      LaneTable<V>::FindSymbols(pairs_, band_, found_columns_, space_);
    }
  }

  const WordPair* pairs_;
  LaneBand<V> band_;
  LaneSpace& space_;
  std::uint32_t built_units_ = 0;
  std::uint32_t found_columns_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_PAIR_LANES_H_
