// leafscore/distance.h: how far apart the texts of two Arrow arrays are, row by row.
#ifndef LEAFSCORE_DISTANCE_H_
#define LEAFSCORE_DISTANCE_H_

#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "leafscore/arrow.h"
#include "leafscore/export.h"

namespace leafscore {

// An Arrow array of texts: string, large_string, string_view or dictionaries of them. A view: the caller
// keeps and releases both.
struct TextArrayView {
  const ArrowSchema& type;
  const ArrowArray& array;
};

// How distances are computed.
struct DistanceOptions {
  unsigned threads = 1;                     // 0: as many as the process may use
  const std::atomic<bool>* stop = nullptr;  // becomes true to end early: Error(kInterrupted)
};

// Stands for the distance of two texts of which one is null.
inline constexpr std::uint32_t kNoDistance = std::numeric_limits<std::uint32_t>::max();

// Computes Levenshtein distances (unit costs, in code points). Every distance above `cutoff` counts as
// cutoff + 1, which takes less time.
// RETURNS: a distance for each row; kNoDistance where either text is null.
// ERRORS:  Error(kUsage) for arrays that are no texts or of different lengths; Error(kInput) for damaged
//          arrays and texts that are not UTF-8 or 1 GiB and more, which names the row; Error(kInterrupted);
//          Error(kResources).
LEAFSCORE_EXPORT std::vector<std::uint32_t> LevenshteinDistances(
    const TextArrayView& left, const TextArrayView& right,
    std::uint32_t cutoff = std::numeric_limits<std::uint32_t>::max(), const DistanceOptions& options = {});

// Computes Jaro-Winkler similarities, from 0 to 1, with the conventions of rapidfuzz and jellyfish.
// RETURNS: a similarity for each row; NaN where either text is null.
// ERRORS:  as LevenshteinDistances.
LEAFSCORE_EXPORT std::vector<double> JaroWinklerSimilarities(const TextArrayView& left,
                                                             const TextArrayView& right,
                                                             const DistanceOptions& options = {});

}  // namespace leafscore

#endif  // LEAFSCORE_DISTANCE_H_
