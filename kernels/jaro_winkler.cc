// The matches of one character, say x, depend on the x of both strings alone. Those of `b` wait in a list, in
// order. As `a` is walked, the window only moves forward: an x of `b` that it has left behind is of no use to
// any later x of `a` and is dropped for good, so the first one that is left is always the head of the list.
// That makes the cost linear, where trying the window's places one by one would be quadratic.
#include "kernels/jaro_winkler.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "kernels/code_point_table.h"
#include "kernels/scratch.h"
#include "kernels/utf8.h"

namespace leafscore {
namespace {

struct Workspace {
  std::uint32_t* a;  // code points
  std::uint32_t* b;
  std::uint32_t* matched;  // the characters of `a` that match, in order
  std::uint8_t* taken;     // for each place of `b`, whether it matches
  std::uint32_t* next;     // lists of places of `b`, each as 1 + place; 0 ends a list
  CodePointTable head;

  Workspace(ScratchArena& arena, std::uint32_t longest)
      : a(arena.Take<std::uint32_t>(longest)),
        b(arena.Take<std::uint32_t>(longest)),
        matched(arena.Take<std::uint32_t>(longest)),
        taken(arena.Take<std::uint8_t>(longest)),
        next(arena.Take<std::uint32_t>(longest)),
        head(arena, longest) {}
};

// Returns the similarity of the code points in the workspace.
double Similarity(std::uint32_t a_size, std::uint32_t b_size, Workspace& work) {
  if (a_size == 0 && b_size == 0) return 1;
  const std::uint32_t window = std::max<std::uint32_t>(std::max(a_size, b_size) / 2, 1) - 1;
  const std::uint32_t shorter = std::min(a_size, b_size);
  // Each character of a common prefix matches its like.
  const auto prefix =
      static_cast<std::uint32_t>(std::mismatch(work.a, work.a + shorter, work.b).first - work.a);

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
  if (matches == 0) return 0;

  std::uint32_t out_of_order = 0;
  std::uint32_t match = prefix;
  for (std::uint32_t j = prefix; j < b_size; ++j) {
    if (work.taken[j]) out_of_order += work.matched[match++] != work.b[j];
  }
  const double m = matches;
  const double transpositions = out_of_order / 2;
  const double jaro = (m / a_size + m / b_size + (m - transpositions) / m) / 3;
  if (jaro <= 0.7) return jaro;
  return jaro + std::min(prefix, std::uint32_t{4}) * 0.1 * (1 - jaro);
}

}  // namespace

std::size_t JaroWinklerScratchBytes(const StringColumn& left, const StringColumn& right) noexcept {
  ScratchArena counting(nullptr);
  Workspace(counting, LongestString(left, right));
  return counting.used();
}

void JaroWinklerBatch(const StringColumn& left, const StringColumn& right, std::span<double> similarity,
                      std::span<std::byte> scratch) noexcept {
  assert(left.size == right.size && left.size == similarity.size());
  assert(scratch.size() >= JaroWinklerScratchBytes(left, right));
  ScratchArena arena(scratch.data());
  Workspace work(arena, LongestString(left, right));
  for (std::size_t i = 0; i < left.size; ++i) {
    const std::uint32_t a_size = DecodeUtf8(left.string(i), left.string_bytes(i), work.a);
    const std::uint32_t b_size = DecodeUtf8(right.string(i), right.string_bytes(i), work.b);
    similarity[i] = Similarity(a_size, b_size, work);
  }
}

}  // namespace leafscore
