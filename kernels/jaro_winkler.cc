// Each character of `b` has a list of its places in `b`, in order. A character of `a` matches the first place
// in its list that is inside the window. The window only moves forward while `a` is read. So a place before
// the window, or a place that was matched, can never match again, and is removed from the list. The first
// usable place is thus always the head of the list, and the cost is linear. If each place in the window were
// tried, the cost would be quadratic. For short ASCII strings, a list is one or two words with a bit for each
// place.
#include "kernels/jaro_winkler.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "kernels/affix.h"
#include "kernels/code_point_table.h"
#include "kernels/jaro_bits.h"
#include "kernels/jaro_matches.h"
#include "kernels/scratch.h"
#include "kernels/utf8.h"

namespace leafscore::internal {
namespace {

struct Workspace {
  std::uint64_t* places;  // places of each ASCII character in a short `b`, in two words; zero between pairs
  std::uint32_t* a;       // code points
  std::uint32_t* b;
  std::uint32_t* matched;  // the characters of `a` that match, in order
  std::uint8_t* taken;     // for each place of `b`, whether it matches
  std::uint32_t* next;     // lists of places of `b`, each as 1 + place; 0 ends a list
  CodePointTable head;

  Workspace(ScratchArena& arena, std::uint32_t longest)
      : places(arena.Take<std::uint64_t>(2 * kAsciiSymbols)),
        a(arena.Take<std::uint32_t>(longest)),
        b(arena.Take<std::uint32_t>(longest)),
        matched(arena.Take<std::uint32_t>(longest)),
        taken(arena.Take<std::uint8_t>(longest)),
        next(arena.Take<std::uint32_t>(longest)),
        head(arena, longest) {}
};

// The largest distance between two equal characters that may match.
std::uint32_t WindowOf(std::uint32_t a_size, std::uint32_t b_size) {
  return std::max<std::uint32_t>(std::max(a_size, b_size) / 2, 1) - 1;
}

// Each character of a common prefix matches its counterpart.
std::uint32_t PrefixOf(const std::uint32_t* a, std::uint32_t a_size, const std::uint32_t* b,
                       std::uint32_t b_size) {
  return static_cast<std::uint32_t>(std::mismatch(a, a + std::min(a_size, b_size), b).first - a);
}

double SimilarityOf(std::uint32_t matches, std::uint32_t out_of_order, std::uint32_t prefix,
                    std::uint32_t a_size, std::uint32_t b_size) {
  if (matches == 0) return 0;
  const double m = matches;
  const std::uint32_t transpositions = out_of_order / 2;
  const double jaro = (m / a_size + m / b_size + (m - transpositions) / m) / 3;
  if (jaro <= 0.7) return jaro;
  return jaro + std::min(prefix, std::uint32_t{4}) * 0.1 * (1 - jaro);
}

// Match words from a table of the places of each character.
template <int kWords>
struct TabledPlaces {
  const std::uint64_t* places;

  std::uint64_t Word(std::uint8_t symbol, int w) const { return places[symbol * kWords + w]; }
  std::uint32_t CountOthers(const std::uint8_t* row, std::uint32_t /*size*/, const std::uint8_t* text,
                            const PlaceBits<kWords>& taken) const {
    return CountOtherBytes(row, text, taken);
  }
};

template <int kWords>
JaroMatches MatchByTable(const BytePair& pair, std::uint32_t window, std::uint32_t prefix,
                         std::uint64_t* places) {
  for (std::uint32_t j = prefix; j < pair.b_size; ++j) {
    places[pair.b[j] * kWords + j / 64] |= std::uint64_t{1} << (j % 64);
  }
  const JaroMatches found = MatchBits<kWords>(pair, window, prefix, TabledPlaces<kWords>{places});
  for (std::uint32_t j = prefix; j < pair.b_size; ++j) places[pair.b[j] * kWords + j / 64] = 0;
  return found;
}

JaroMatches Matches(const BytePair& pair, std::uint32_t window, std::uint32_t prefix, std::uint64_t* places,
                    [[maybe_unused]] Isa isa) {
#ifdef LEAFSCORE_X86_64_KERNELS
  if (isa == Isa::kAvx512) return JaroMatchesAvx512(pair, window, prefix, places);
  if (isa == Isa::kAvx2) return JaroMatchesAvx2(pair, window, prefix, places);
#endif
  return JaroMatchesPortable(pair, window, prefix, places);
}

// Returns the similarity of two ASCII strings of at most kMaxJaroBits characters. Inlined, because a call
// would pass the pair through memory and would have to wait for the stores.
[[gnu::always_inline]] inline double ShortSimilarity(BytePair pair, Workspace& work, Isa isa) {
  if (pair.a_size > pair.b_size) pair = {pair.b, pair.a, pair.b_size, pair.a_size};
  const std::uint32_t window = WindowOf(pair.a_size, pair.b_size);
  const std::uint32_t prefix = CommonPrefix(pair.a, pair.b, pair.a_size);
  const JaroMatches found =
      prefix == pair.a_size ? JaroMatches{prefix, 0} : Matches(pair, window, prefix, work.places, isa);
  return SimilarityOf(found.matches, found.out_of_order, prefix, pair.a_size, pair.b_size);
}

// Returns the similarity of the code points in the workspace.
double Similarity(std::uint32_t a_size, std::uint32_t b_size, Workspace& work) {
  const std::uint32_t window = WindowOf(a_size, b_size);
  const std::uint32_t prefix = PrefixOf(work.a, a_size, work.b, b_size);

  work.head.Clear();
  for (std::uint32_t j = b_size; j-- > prefix;) {
    std::uint32_t& head = work.head.Slot(work.b[j]);
    work.next[j] = head;
    head = j + 1;
  }
  std::memset(work.taken, 0, b_size);
  std::uint32_t matches = prefix;
  for (std::uint32_t i = prefix; i < a_size; ++i) {
    std::uint32_t& head = work.head.SlotInUse(work.a[i]);
    while (head != 0 && head - 1 + window < i) head = work.next[head - 1];
    if (head == 0 || head - 1 > i + window) continue;
    work.taken[head - 1] = 1;
    work.matched[matches++] = work.a[i];
    head = work.next[head - 1];
  }

  std::uint32_t out_of_order = 0;
  std::uint32_t match = prefix;
  for (std::uint32_t j = prefix; j < b_size; ++j) {
    if (work.taken[j]) out_of_order += work.matched[match++] != work.b[j];
  }
  return SimilarityOf(matches, out_of_order, prefix, a_size, b_size);
}

[[gnu::always_inline]] inline double PairSimilarity(const BytePair& pair, Workspace& work, Isa isa) {
  if (pair.a_size == 0 && pair.b_size == 0) return 1;
  if (std::max(pair.a_size, pair.b_size) <= kMaxJaroBits && IsAscii(pair.a, pair.a_size) &&
      IsAscii(pair.b, pair.b_size)) {
    return ShortSimilarity(pair, work, isa);
  }
  const std::uint32_t a_size = DecodeUtf8(pair.a, pair.a_size, work.a);
  const std::uint32_t b_size = DecodeUtf8(pair.b, pair.b_size, work.b);
  return Similarity(a_size, b_size, work);
}

// Collects pairs of similar lengths until there are enough for a group.
class JaroGroups {
 public:
  using Kernel = std::uint32_t (*)(const JaroGroup& group, double* similarity) noexcept;

  JaroGroups(std::span<double> similarity, Workspace& work, Isa isa, Kernel kernel)
      : similarity_(similarity), work_(work), isa_(isa), kernel_(kernel) {}

  // Returns the kernel of an instruction set, or null.
  static Kernel KernelOn([[maybe_unused]] Isa isa) {
#ifdef LEAFSCORE_X86_64_KERNELS
    if (isa == Isa::kAvx512) return JaroWinklerOf8Avx512;
    if (isa == Isa::kAvx2) return JaroWinklerOf8Avx2;
#endif
    return nullptr;
  }

  // Takes a pair; its similarity may be set later.
  void Add(const BytePair& pair, std::size_t index) {
    const auto [shorter, longer] = std::minmax(pair.a_size, pair.b_size);
    // Texts that are not ASCII mostly begin with a letter that is not ASCII.
    if (shorter == 0 || longer > kMaxJaroLane || pair.a[0] >= 0x80) {
      return RunAlone(pair, index);
    }
    Waiting& waiting = waiting_[(shorter - 1) / 8];
    const std::uint32_t slot = waiting.count++;
    const std::uint8_t* const strings[] = {pair.a, pair.b};
    const bool b_is_shorter = pair.b_size < pair.a_size;  // unpredictable, so an index instead of a branch
    waiting.group.a[slot] = strings[b_is_shorter];
    waiting.group.b[slot] = strings[!b_is_shorter];
    waiting.group.a_size[slot] = shorter;
    waiting.group.b_size[slot] = longer;
    waiting.index[slot] = index;
    if (waiting.count == JaroGroup::kPairs) Run(waiting);
  }

  // Computes the pairs that still wait, one by one.
  void Finish() {
    for (const Waiting& waiting : waiting_) {
      for (std::uint32_t slot = 0; slot < waiting.count; ++slot)
        RunAlone(waiting.Pair(slot), waiting.index[slot]);
    }
  }

 private:
  struct Waiting {
    std::uint32_t count = 0;
    JaroGroup group;
    std::size_t index[JaroGroup::kPairs];

    BytePair Pair(std::uint32_t slot) const {
      return {group.a[slot], group.b[slot], group.a_size[slot], group.b_size[slot]};
    }
  };

  void Run(Waiting& waiting) {
    double similarity[JaroGroup::kPairs];
    const std::uint32_t not_ascii = kernel_(waiting.group, similarity);
    for (std::uint32_t slot = 0; slot < JaroGroup::kPairs; ++slot) {
      if ((not_ascii >> slot & 1) != 0) {
        RunAlone(waiting.Pair(slot), waiting.index[slot]);
      } else {
        similarity_[waiting.index[slot]] = similarity[slot];
      }
    }
    waiting.count = 0;
  }

  [[gnu::noinline]] void RunAlone(const BytePair& pair, std::size_t index) {
    similarity_[index] = PairSimilarity(pair, work_, isa_);
  }

  std::span<double> similarity_;
  Workspace& work_;
  Isa isa_;
  Kernel kernel_;
  Waiting waiting_[kMaxJaroLane / 8];  // by the length of a
};

[[gnu::noinline]] void RunTogether(const StringColumn& left, const StringColumn& right, JaroGroups groups) {
  for (std::size_t i = 0; i < left.size; ++i) groups.Add(PairAt(left, right, i), i);
  groups.Finish();
}

}  // namespace

JaroMatches JaroMatchesPortable(const BytePair& pair, std::uint32_t window, std::uint32_t prefix,
                                std::uint64_t* places) noexcept {
  return pair.b_size <= 64 ? MatchByTable<1>(pair, window, prefix, places)
                           : MatchByTable<2>(pair, window, prefix, places);
}

std::size_t JaroWinklerScratchBytes(const StringColumn& left, const StringColumn& right) noexcept {
  ScratchArena counting(nullptr);
  Workspace(counting, LongestString(left, right));
  return counting.used();
}

void JaroWinklerBatch(const StringColumn& left, const StringColumn& right, std::span<double> similarity,
                      std::span<std::byte> scratch, Isa isa) noexcept {
  assert(left.size == right.size && left.size == similarity.size());
  assert(scratch.size() >= JaroWinklerScratchBytes(left, right));
  ScratchArena arena(scratch.data());
  Workspace work(arena, LongestString(left, right));
  std::fill_n(work.places, 2 * kAsciiSymbols, std::uint64_t{0});
  if (const JaroGroups::Kernel kernel = JaroGroups::KernelOn(isa); kernel != nullptr) {
    return RunTogether(left, right, {similarity, work, isa, kernel});
  }
  for (std::size_t i = 0; i < left.size; ++i)
    similarity[i] = PairSimilarity(PairAt(left, right, i), work, isa);
}

}  // namespace leafscore::internal
