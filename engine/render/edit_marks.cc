#include "engine/render/edit_marks.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/base/display.h"
#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kContextCodePoints = 12;  // shown before the first difference of a clipped text

using CodePoints = std::vector<std::string_view>;

// One of two texts, which are equal outside their middles.
struct Side {
  std::string_view text;
  std::string_view open_mark;
  std::string_view close_mark;
  std::size_t middle_begin = 0;  // bytes
  std::size_t middle_end = 0;
  std::vector<bool> kept = {};  // code points of the middle that are also in the other middle; may be empty

  std::string_view middle() const { return text.substr(middle_begin, middle_end - middle_begin); }
};

void FindMiddles(Side& a, Side& b) {
  const std::size_t shorter = std::min(a.text.size(), b.text.size());
  std::size_t prefix = 0;
  while (prefix < shorter && a.text[prefix] == b.text[prefix]) ++prefix;
  // Go back to the start of a code point in both texts.
  const auto inside = [&](const Side& side) {
    return prefix < side.text.size() && IsContinuation(side.text[prefix]);
  };
  while (prefix > 0 && (inside(a) || inside(b))) --prefix;
  std::size_t suffix = 0;
  std::size_t whole_suffix = 0;  // the longest that begins at a code point
  while (suffix < shorter - prefix) {
    const char byte = a.text[a.text.size() - 1 - suffix];
    if (byte != b.text[b.text.size() - 1 - suffix]) break;
    ++suffix;
    if (!IsContinuation(byte)) whole_suffix = suffix;
  }
  for (Side* side : {&a, &b}) {
    side->middle_begin = prefix;
    side->middle_end = side->text.size() - whole_suffix;
  }
}

// Finds a longest common subsequence of the middles, and keeps it if it has at least half as many code points
// as the longer middle.
void CompareMiddles(Side& a, Side& b) {
  if (std::max(CountCodePoints(a.middle()), CountCodePoints(b.middle())) > kMaxComparedCodePoints) return;
  const CodePoints left = SplitCodePoints(a.middle());
  const CodePoints right = SplitCodePoints(b.middle());
  const std::size_t width = right.size() + 1;
  // The length of the longest common subsequence of left[i...] and right[j...] is length[i * width + j].
  std::vector<std::uint16_t> length((left.size() + 1) * width, 0);
  for (std::size_t i = left.size(); i-- > 0;) {
    for (std::size_t j = right.size(); j-- > 0;) {
      const std::size_t here = i * width + j;
      length[here] = left[i] == right[j] ? static_cast<std::uint16_t>(length[here + width + 1] + 1)
                                         : std::max(length[here + width], length[here + 1]);
    }
  }
  if (2 * std::size_t{length[0]} < std::max(left.size(), right.size())) return;
  a.kept.resize(left.size());
  b.kept.resize(right.size());
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    const std::size_t here = i * width + j;
    if (left[i] == right[j]) {
      a.kept[i++] = b.kept[j++] = true;
    } else if (length[here + width] >= length[here + 1]) {
      ++i;
    } else {
      ++j;
    }
  }
}

// Returns the text to show, from the byte `begin` on.
std::string Show(const Side& side, std::size_t begin) {
  std::string shown = begin > 0 ? "…" : "";
  bool marking = false;
  std::size_t of_middle = 0;
  const auto mark = [&](bool differs) {
    if (differs != marking) shown += differs ? side.open_mark : side.close_mark;
    marking = differs;
  };
  // No code point has more than four bytes.
  const CodePoints code_points = SplitCodePoints(side.text.substr(begin, 4 * (kMaxShownCodePoints + 1)));
  const bool clipped = code_points.size() > kMaxShownCodePoints;
  for (std::size_t i = 0; i < std::min(code_points.size(), kMaxShownCodePoints); ++i) {
    const auto at = static_cast<std::size_t>(code_points[i].data() - side.text.data());
    const bool in_middle = at >= side.middle_begin && at < side.middle_end;
    mark(in_middle && (side.kept.empty() || !side.kept[of_middle]));
    of_middle += in_middle;
    shown += DisplayCodePoint(code_points[i]);
  }
  mark(false);
  return clipped ? shown + "…" : shown;
}

}  // namespace

MarkedTexts MarkEdits(std::string_view expected, std::string_view actual) {
  Side a{expected, "\x01-", "-\x02"};
  Side b{actual, "\x03+", "+\x04"};
  FindMiddles(a, b);
  CompareMiddles(a, b);
  std::size_t begin = 0;
  const bool differ = a.middle_begin != a.middle_end || b.middle_begin != b.middle_end;
  if (differ && std::max(CountCodePoints(expected), CountCodePoints(actual)) > kMaxShownCodePoints) {
    begin = a.middle_begin;
    for (std::size_t back = 0; back < kContextCodePoints && begin > 0; ++back) {
      do --begin;
      while (begin > 0 && IsContinuation(expected[begin]));
    }
  }
  return {Show(a, begin), Show(b, begin)};
}

std::string RenderMarks(std::string_view text, bool colour) {
  std::string rendered;
  for (const char c : text) {
    const bool opens = c == '\x01' || c == '\x03';
    const bool closes = c == '\x02' || c == '\x04';
    if (colour && opens) rendered += c == '\x01' ? "\x1b[31m" : "\x1b[32m";
    rendered += opens || closes ? "[]{}"[c - 1] : c;
    if (colour && closes) rendered += "\x1b[0m";
  }
  return rendered;
}

}  // namespace leafscore::internal
