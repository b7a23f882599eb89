#include "engine/string_pairs.h"

#include <algorithm>

#include "kernels/levenshtein.h"
#include "kernels/levenshtein_table.h"
#include "kernels/utf8.h"

namespace leafscore {

std::uint32_t CountCodePoints(std::string_view text) {
  return CountCodePoints(reinterpret_cast<const std::uint8_t*>(text.data()),
                         static_cast<std::uint32_t>(text.size()));
}

void StringPairs::Clear() {
  expected_.Clear();
  actual_.Clear();
  record_.clear();
  max_length_.clear();
}

std::uint32_t StringPairs::Append(std::string_view expected, std::string_view actual, std::uint32_t record) {
  expected_.Append(expected);
  actual_.Append(actual);
  record_.push_back(record);
  max_length_.push_back(std::max(CountCodePoints(expected), CountCodePoints(actual)));
  return size() - 1;
}

void StringPairs::ComputeDistances(std::uint64_t max_cells, const TableRunner& run_table) {
  const StringColumn expected = expected_.column();
  const StringColumn actual = actual_.column();
  distance_.resize(size());
  least_distance_.resize(size());
  inexact_.clear();
  const std::span<std::byte> scratch = scratch_.OfSize(LevenshteinScratchBytes(expected, actual));
  std::size_t open = LevenshteinBatch(expected, actual, {.max_cells = std::min(max_cells, kTableCells)},
                                      least_distance_, distance_, scratch);
  for (std::uint32_t i = 0; open != 0; ++i) {
    if (least_distance_[i] == distance_[i]) continue;
    --open;
    const StringColumn left = {expected.bytes, expected.offsets + i, 1};
    const StringColumn right = {actual.bytes, actual.offsets + i, 1};
    if (LevenshteinCells(left, right) > max_cells) {
      inexact_.push_back(i);
      continue;
    }
    LevenshteinTable table = LevenshteinTable::Of(left, right, distance_[i], scratch);
    run_table(table);
    distance_[i] = least_distance_[i] = table.Distance();
  }
}

}  // namespace leafscore
