// kernels/long_groups.h: collects pairs of up to 5,120 rows, by the words of their patterns and the sizes of
// their texts, until eight of one kind fill the lanes of kernels/pair_lanes.h. Longer pairs, and the few
// pairs that are left at the end, run one by one in strips.
//
// V names an instruction set, see kernels/simd_batch.h.
#ifndef LEAFSCORE_KERNELS_LONG_GROUPS_H_
#define LEAFSCORE_KERNELS_LONG_GROUPS_H_

#include <cstdint>

#include "kernels/affix.h"
#include "kernels/banded_strips.h"
#include "kernels/pair_lanes.h"
#include "kernels/workspace.h"

namespace leafscore::internal {

template <typename V>
class LongGroups {
 public:
  LongGroups(std::uint32_t* distance, Workspace& work) : distance_(distance), work_(work) {}

  // Takes a pair of any sizes except zero. Its strings must not move until the next Flush.
  // REQUIRES: symbols below LaneSpace::kNoSymbol.
  void Add(const BytePair& pair, std::uint32_t index) {
    // The pattern must fit kMaxWords words. If both strings fit, it is the one with the smaller product of
    // words and columns.
    const std::uint64_t a_steps = std::uint64_t{Words(pair.a_size)} * pair.b_size;
    const std::uint64_t b_steps = std::uint64_t{Words(pair.b_size)} * pair.a_size;
    const bool a_fits = Words(pair.a_size) <= LaneSpace::kMaxWords;
    const bool b_fits = Words(pair.b_size) <= LaneSpace::kMaxWords;
    if (!a_fits && !b_fits) return RunAlone(pair, index);
    const WordPair words = MakeWordPair(pair, a_fits && (!b_fits || a_steps <= b_steps), index);
    work_.ClearLanesOnce();
    Wait(words, TextBucket(words.text_size));
  }

  // Computes a pair by itself, of any sizes except zero, and with any symbols.
  void RunAlone(const BytePair& pair, std::uint32_t index) { RunStrips(MakeWordPair(pair, true, index)); }

  // Computes the waiting pairs.
  void Flush() {
    RunWaiting(0, kExact);
    RunWaiting(kExact, kExact + 1);
    kinds_ = 0;
  }

  // Returns the kind of patterns with `words` words. Up to 16, each number of words is a kind of its own;
  // above, four numbers share a kind.
  static std::uint32_t PatternKind(std::uint32_t words) {
    return words <= 16 ? words - 1 : (words - 1) / 4 + 12;
  }

  // From 64 symbols on, the sizes of the texts in a bucket differ by at most an eighth. The last bucket has
  // all very long texts. Texts below 64 symbols share the first eight buckets with longer ones.
  static std::uint32_t TextBucket(std::uint32_t text_size) {
    const std::uint32_t octave = 64 - V::LeadingZeros(text_size | 64) - 7;  // from 64 symbols
    const std::uint32_t bucket = octave * 8 + (text_size >> (octave + 3)) % 8;
    return bucket < Workspace::kTextBuckets ? bucket : Workspace::kTextBuckets - 1;
  }

 private:
  static constexpr std::uint32_t kLanes = LaneSpace::kLanes;
  // The bucket after those of text sizes, for pairs whose limit was guessed too low.
  static constexpr std::uint32_t kExact = Workspace::kTextBuckets;
  static_assert((LaneSpace::kMaxWords - 1) / 4 + 12 < Workspace::kPatternKinds &&
                Workspace::kPatternKinds <= 32);

  static std::uint32_t Words(std::uint32_t size) { return (size + 63) / 64; }

  static WordPair MakeWordPair(const BytePair& pair, bool a_is_pattern, std::uint32_t index) {
    return {.pattern = a_is_pattern ? pair.a : pair.b,
            .text = a_is_pattern ? pair.b : pair.a,
            .pattern_size = a_is_pattern ? pair.a_size : pair.b_size,
            .text_size = a_is_pattern ? pair.b_size : pair.a_size,
            .index = index};
  }

  void Wait(const WordPair& pair, std::uint32_t bucket) {
    const std::uint32_t kind = PatternKind(Words(pair.pattern_size));
    const std::uint32_t g = kind * Workspace::kLongBuckets;
    if ((kinds_ >> kind & 1) == 0) __builtin_memset(work_.long_group_sizes + g, 0, Workspace::kLongBuckets);
    kinds_ |= 1u << kind;
    WordPair* pairs = work_.long_groups[g + bucket].pairs;
    std::uint8_t& size = work_.long_group_sizes[g + bucket];
    pairs[size++] = pair;
    if (size < kLanes) return;
    size = 0;
    RunLanes(pairs, kLanes, bucket != kExact);
  }

  [[gnu::noinline]] void RunLanes(const WordPair* pairs, std::uint32_t count, bool may_guess) {
    std::uint32_t unknown =
        PairLanes<typename V::PairLanes>(pairs, count, *work_.lanes).Run(may_guess, distance_);
    for (; unknown != 0; unknown &= unknown - 1) {
      Wait(pairs[V::TrailingZeros(unknown)], kExact);
    }
  }

  // Runs the pairs waiting in these buckets, the longest patterns first, in full groups as far as possible. A
  // group may then have pairs of several kinds, which costs nothing, since its lanes would otherwise be
  // empty. Text sizes rise in one kind and fall in the next, so that neighbours of different kinds have
  // similar sizes.
  void RunWaiting(std::uint32_t first_bucket, std::uint32_t end_bucket) {
    const bool may_guess = first_bucket != kExact;
    WordPair pairs[kLanes];
    std::uint32_t count = 0;
    bool is_rising = false;
    for (std::uint32_t kinds = kinds_, kind; kinds != 0; kinds ^= 1u << kind) {
      kind = 63 - V::LeadingZeros(kinds);
      std::uint32_t of_kind = 0;
      for (std::uint32_t b = 0; b < end_bucket - first_bucket; ++b) {
        const std::uint32_t bucket = is_rising ? first_bucket + b : end_bucket - 1 - b;
        const std::uint32_t g = kind * Workspace::kLongBuckets + bucket;
        const std::uint32_t size = work_.long_group_sizes[g];
        work_.long_group_sizes[g] = 0;
        of_kind += size;
        for (std::uint32_t i = 0; i < size; ++i) {
          const WordPair& pair = work_.long_groups[g].pairs[i];
          if (count != 0 && 2 * Words(pair.pattern_size) <= Words(pairs[0].pattern_size)) {
            RunRest(pairs, count, may_guess);
            count = 0;
          }
          pairs[count++] = pair;
          if (count < kLanes) continue;
          RunLanes(pairs, count, may_guess);
          count = 0;
        }
      }
      if (of_kind != 0) is_rising = !is_rising;
    }
    if (count != 0) RunRest(pairs, count, may_guess);
  }

  // Runs pairs that do not fill the lanes. A strip keeps a whole vector busy with a single pair if the pair
  // has as many words as there are lanes.
  void RunRest(const WordPair* pairs, std::uint32_t count, bool may_guess) {
    const std::uint32_t words = Words(pairs[0].pattern_size);
    if (2 * count > (words < 6 ? words : 6)) return RunLanes(pairs, count, may_guess);
    for (std::uint32_t i = 0; i < count; ++i) RunStrips(pairs[i]);
  }

  // Runs a pair by itself, with the shorter string as the pattern.
  void RunStrips(WordPair pair) {
    if (pair.text_size < pair.pattern_size) {
      pair = {.pattern = pair.text,
              .text = pair.pattern,
              .pattern_size = pair.text_size,
              .text_size = pair.pattern_size,
              .index = pair.index};
    }
    work_.ClearStripOnce();
    distance_[pair.index] = BandedStrips<V>(pair, work_.strip).Distance();
  }

  std::uint32_t* distance_;
  Workspace& work_;
  std::uint32_t kinds_ = 0;  // a bit for each kind of pattern added since the last Flush
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LONG_GROUPS_H_
