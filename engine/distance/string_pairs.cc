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

std::size_t ComputeRanges(const StringColumn& left, const StringColumn& right,
                          const LevenshteinLimits& limits, const TableRunner& run_table,
                          std::span<std::uint32_t> least, std::span<std::uint32_t> most,
                          KernelScratch& scratch) {
  LevenshteinLimits short_pairs = limits;
  short_pairs.max_cells = std::min(limits.max_cells, kTableCells);
  std::size_t open = LevenshteinBatch(left, right, short_pairs, least, most,
                                      scratch.OfSize(LevenshteinScratchBytes(left, right, short_pairs)));
  std::size_t inexact = 0;
  for (std::uint32_t i = 0; open != 0; ++i) {
    if (least[i] == most[i]) continue;
    --open;
    const StringColumn one_left = {left.bytes, left.offsets + i, 1};
    const StringColumn one_right = {right.bytes, right.offsets + i, 1};
    if (LevenshteinCells(one_left, one_right) > limits.max_cells) {
      ++inexact;
      continue;
    }
    LevenshteinTable table =
        LevenshteinTable::Of(one_left, one_right, std::min(most[i], limits.cutoff),
                             scratch.OfSize(LevenshteinTable::ScratchBytes(one_left, one_right)));
    run_table(table);
    const std::uint32_t distance = table.Distance();
    least[i] = most[i] = distance > limits.cutoff ? limits.cutoff + 1 : distance;
  }
  return inexact;
}

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

void StringPairs::Truncate(std::uint32_t count) {
  expected_.Truncate(count);
  actual_.Truncate(count);
  record_.resize(count);
  max_length_.resize(count);
}

std::size_t StringPairs::bytes() const {
  std::size_t bytes = 0;
  for (const StringColumn& column : {expected_.column(), actual_.column()}) {
    bytes += column.offsets[column.size] - column.offsets[0];
  }
  return bytes;
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
    inexact = ComputeRanges(expected, actual, {.max_cells = max_cells}, run_table, least_distance_, distance_,
                            scratch_);
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

// Computes only these pairs. RETURNS: how many distances are not known exactly.
std::size_t StringPairs::ComputePairs(std::span<const std::uint32_t> pairs, std::uint64_t max_cells,
                                      const TableRunner& run_table) {
  StringColumnBuilder expected, actual;
  for (const std::uint32_t pair : pairs) {
    expected.Append(expected_.text(pair));
    actual.Append(actual_.text(pair));
  }
  std::vector<std::uint32_t> least(pairs.size()), most(pairs.size());
  const std::size_t inexact = ComputeRanges(expected.column(), actual.column(), {.max_cells = max_cells},
                                            run_table, least, most, scratch_);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    least_distance_[pairs[k]] = least[k];
    distance_[pairs[k]] = most[k];
  }
  return inexact;
}

}  // namespace leafscore::internal
