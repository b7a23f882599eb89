// leafscore/distance.h: distances between the texts of two Arrow arrays, row by row.
//
//   ArrowSchema type{};  // as an Arrow library exports them
//   type.format = "u";
//   const std::int32_t left_offsets[] = {0, 6, 9}, right_offsets[] = {0, 7, 10};
//   const void* left_buffers[] = {nullptr, left_offsets, "kittenabc"};
//   const void* right_buffers[] = {nullptr, right_offsets, "sittingabc"};
//   ArrowArray left{}, right{};
//   left.length = right.length = 2;
//   left.n_buffers = right.n_buffers = 3;
//   left.buffers = left_buffers;
//   right.buffers = right_buffers;
//   type.release = [](ArrowSchema*) {};  // if it is null, an Arrow struct counts as released
//   left.release = right.release = [](ArrowArray*) {};
//   const auto distances = leafscore::LevenshteinDistances({type, left}, {type, right});
//   assert(distances[0] == 3 && distances[1] == 0);
#ifndef LEAFSCORE_DISTANCE_H_
#define LEAFSCORE_DISTANCE_H_

#include <atomic>
#include <cstdint>
#include <limits>
#include <vector>

#include "leafscore/arrow.h"
#include "leafscore/export.h"

namespace leafscore {

// An Arrow array of type string, large_string or string_view, or a dictionary of these. This is a view: the
// caller owns `type` and `array`, and releases them.
struct TextArrayView {
  const ArrowSchema& type;
  const ArrowArray& array;
};

// The options of the functions below.
struct DistanceOptions {
  unsigned threads = 1;                     // 0: as many as the process may use
  const std::atomic<bool>* stop = nullptr;  // set to true to end early: Error(kInterrupted)
};

// The distance if at least one of the two texts is null.
inline constexpr std::uint32_t kNoDistance = std::numeric_limits<std::uint32_t>::max();

// Computes Levenshtein distances (unit costs, in code points). A distance above `cutoff` becomes cutoff + 1,
// which saves time.
// RETURNS: a distance for each row; kNoDistance where either text is null.
// ERRORS:  Error(kUsage) for arrays of other types or of different lengths; Error(kInput) for damaged arrays,
//          and for texts that are not UTF-8 or have 1 GiB or more (the message names the row);
//          Error(kInterrupted); Error(kResources).
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
