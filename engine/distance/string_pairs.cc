#include "engine/distance/string_pairs.h"

#include <algorithm>
#include <iterator>
#include <ranges>

#include "engine/base/utf8.h"
#include "engine/distance/pair_offload.h"
#include "kernels/levenshtein.h"
#include "kernels/levenshtein_table.h"
#include "kernels/utf8.h"

namespace leafscore::internal {

void StringPairs::Clear() {
  expected_.Clear();
  actual_.Clear();
  record_.clear();
  max_length_.clear();
  took_least_ = false;
}

std::uint32_t StringPairs::Append(std::string_view expected, std::string_view actual, std::uint32_t record) {
  expected_.Append(expected);
  actual_.Append(actual);
  record_.push_back(record);
  max_length_.push_back(std::max(CountCodePoints(expected), CountCodePoints(actual)));
  return size() - 1;
}

void StringPairs::ComputeDistances(std::uint64_t max_cells, const TableRunner& run_table,
                                   PairOffload* offload) {
  const StringColumn expected = expected_.column();
  const StringColumn actual = actual_.column();
  distance_.resize(size());
  least_distance_.resize(size());
  const auto share = offload == nullptr ? nullptr : offload->Take(expected, actual, max_cells);
  std::size_t inexact = 0;
  if (share == nullptr) {
    inexact = ComputeColumns(expected, actual, max_cells, run_table, least_distance_, distance_);
  } else {
    const std::span<const std::uint32_t> taken = share->pairs();
    std::vector<std::uint32_t> others;
    std::ranges::set_difference(std::views::iota(0u, size()), taken, std::back_inserter(others));
    inexact = ComputePairs(others, max_cells, run_table);
    const std::span<const std::uint32_t> distances = share->Distances();
    if (distances.empty()) inexact += ComputePairs(taken, max_cells, run_table);
    for (std::size_t k = 0; k < distances.size(); ++k) {
      distance_[taken[k]] = least_distance_[taken[k]] = distances[k];
    }
  }
  inexact_.clear();
  for (std::uint32_t i = 0; inexact_.size() != inexact; ++i) {
    if (least_distance_[i] != distance_[i]) inexact_.push_back(i);
  }
}

// Computes these pairs alone. RETURNS: how many distances are not known.
std::size_t StringPairs::ComputePairs(std::span<const std::uint32_t> pairs, std::uint64_t max_cells,
                                      const TableRunner& run_table) {
  StringColumnBuilder expected, actual;
  for (const std::uint32_t pair : pairs) {
    expected.Append(expected_.text(pair));
    actual.Append(actual_.text(pair));
  }
  std::vector<std::uint32_t> least(pairs.size()), most(pairs.size());
  const std::size_t inexact =
      ComputeColumns(expected.column(), actual.column(), max_cells, run_table, least, most);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    least_distance_[pairs[k]] = least[k];
    distance_[pairs[k]] = most[k];
  }
  return inexact;
}

// Sets the range of the distance of each pair of two columns. RETURNS: how many distances are not known.
std::size_t StringPairs::ComputeColumns(const StringColumn& expected, const StringColumn& actual,
                                        std::uint64_t max_cells, const TableRunner& run_table,
                                        std::span<std::uint32_t> least, std::span<std::uint32_t> most) {
  const LevenshteinLimits limits{.max_cells = std::min(max_cells, kTableCells)};
  std::size_t open = LevenshteinBatch(expected, actual, limits, least, most,
                                      scratch_.OfSize(LevenshteinScratchBytes(expected, actual, limits)));
  std::size_t inexact = 0;
  for (std::uint32_t i = 0; open != 0; ++i) {
    if (least[i] == most[i]) continue;
    --open;
    const StringColumn left = {expected.bytes, expected.offsets + i, 1};
    const StringColumn right = {actual.bytes, actual.offsets + i, 1};
    if (LevenshteinCells(left, right) > max_cells) {
      ++inexact;
      continue;
    }
    LevenshteinTable table = LevenshteinTable::Of(
        left, right, most[i], scratch_.OfSize(LevenshteinTable::ScratchBytes(left, right)));
    run_table(table);
    least[i] = most[i] = table.Distance();
  }
  return inexact;
}

}  // namespace leafscore::internal
