// engine/distance/string_pairs.h: the string pairs in a batch that need an edit distance, as two columns. All
// scorers of a run append to one list, and one kernel call computes all pairs except the longest. For a pair
// over the work limit, only a range that contains its distance is known.
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_DISTANCE_STRING_PAIRS_H_
#define LEAFSCORE_ENGINE_DISTANCE_STRING_PAIRS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/distance/kernel_memory.h"

namespace leafscore::internal {

struct LevenshteinLimits;
class LevenshteinTable;
class PairOffload;

// Runs all tiles of a table (kernels/levenshtein_table.h), on as many threads as it likes.
using TableRunner = std::function<void(LevenshteinTable& table)>;

// Pairs with more cells than this are computed by a TableRunner. This many cells take one core some
// hundredths of a second.
inline constexpr std::uint64_t kTableCells = 1u << 30;

// Computes a range for the distance of each pair in two columns, as LevenshteinBatch does
// (kernels/levenshtein.h). Long pairs are computed by `run_table`. RETURNS: how many distances are not known
// exactly.
std::size_t ComputeRanges(const StringColumn& left, const StringColumn& right,
                          const LevenshteinLimits& limits, const TableRunner& run_table,
                          std::span<std::uint32_t> least, std::span<std::uint32_t> most,
                          KernelScratch& scratch);

class StringPairs {
 public:
  void Clear();

  // Appends a pair of UTF-8 strings whose distance a record needs. RETURNS: the pair's number.
  // ERRORS: throws ColumnIsFull (engine/distance/kernel_memory.h); only Clear and Truncate may follow.
  std::uint32_t Append(std::string_view expected, std::string_view actual, std::uint32_t record);

  // Drops all pairs but the first `count`.
  void Truncate(std::uint32_t count);

  // Returns the number of bytes in all strings.
  std::size_t bytes() const;

  std::uint32_t size() const { return static_cast<std::uint32_t>(max_length_.size()); }
  std::uint32_t record(std::uint32_t pair) const { return record_[pair]; }
  std::string_view expected(std::uint32_t pair) const { return expected_.text(pair); }
  std::string_view actual(std::uint32_t pair) const { return actual_.text(pair); }

  // Computes the distances of all pairs at once. If a pair has more than `max_cells` cells
  // (LevenshteinCells), and its cheap bounds do not meet, only a range is computed. If `offload` is not null,
  // it can compute some of the pairs.
  void ComputeDistances(std::uint64_t max_cells, const TableRunner& run_table,
                        PairOffload* offload = nullptr);

  // After ComputeDistances: the pairs whose distance is not known exactly, in order. For them, distance()
  // returns the upper end of the range. After TakeLeastDistances, it returns the lower end, and took_least()
  // is true.
  std::span<const std::uint32_t> inexact() const { return inexact_; }
  void TakeLeastDistances() {
    distance_ = least_distance_;
    took_least_ = true;
  }
  bool took_least() const { return took_least_; }

  // After ComputeDistances: the edit distance of a pair, and the code points of its longer string.
  std::uint32_t distance(std::uint32_t pair) const { return distance_[pair]; }
  std::uint32_t max_length(std::uint32_t pair) const { return max_length_[pair]; }

  // 1 - distance / max length; 1 for two empty strings.
  double Similarity(std::uint32_t pair) const {
    const std::uint32_t longer = max_length_[pair];
    return longer == 0 ? 1.0 : 1.0 - static_cast<double>(distance_[pair]) / static_cast<double>(longer);
  }

 private:
  std::size_t ComputePairs(std::span<const std::uint32_t> pairs, std::uint64_t max_cells,
                           const TableRunner& run_table);

  StringColumnBuilder expected_;
  StringColumnBuilder actual_;
  std::vector<std::uint32_t> record_;
  std::vector<std::uint32_t> max_length_;
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint32_t> least_distance_;
  std::vector<std::uint32_t> inexact_;
  bool took_least_ = false;
  KernelScratch scratch_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_DISTANCE_STRING_PAIRS_H_
