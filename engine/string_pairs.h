// engine/string_pairs.h: the string pairs of a batch whose edit distance is wanted, as two columns.
// All scorers of a run append to one list, and one kernel call answers all of them.
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_STRING_PAIRS_H_
#define LEAFSCORE_ENGINE_STRING_PAIRS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/kernel_memory.h"

namespace leafscore {

class StringPairs {
 public:
  void Clear();

  // Appends a pair of UTF-8 strings. RETURNS: the pair's number.
  // ERRORS: throws Error(kInput) when a batch holds 4 GiB of strings.
  std::uint32_t Append(std::string_view expected, std::string_view actual);

  std::uint32_t size() const { return static_cast<std::uint32_t>(max_length_.size()); }

  // Computes the distances of all pairs at once.
  void ComputeDistances();

  // After ComputeDistances: the edit distance of a pair, and the code points of its longer string.
  std::uint32_t distance(std::uint32_t pair) const { return distance_[pair]; }
  std::uint32_t max_length(std::uint32_t pair) const { return max_length_[pair]; }

  // 1 - distance / max length; 1 for two empty strings.
  double Similarity(std::uint32_t pair) const {
    const std::uint32_t longer = max_length_[pair];
    return longer == 0 ? 1.0 : 1.0 - static_cast<double>(distance_[pair]) / static_cast<double>(longer);
  }

 private:
  StringColumnBuilder expected_;
  StringColumnBuilder actual_;
  std::vector<std::uint32_t> max_length_;
  std::vector<std::uint32_t> distance_;
  KernelScratch scratch_;
};

// Returns the number of code points of valid UTF-8.
std::uint32_t CountCodePoints(std::string_view text);

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_STRING_PAIRS_H_
