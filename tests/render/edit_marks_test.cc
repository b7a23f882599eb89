#include "engine/render/edit_marks.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "repeat.h"

namespace leafscore::internal {
namespace {

using Pair = std::pair<std::string, std::string>;

Pair Marked(std::string_view expected, std::string_view actual) {
  const MarkedTexts marked = MarkEdits(expected, actual);
  return {RenderMarks(marked.expected, false), RenderMarks(marked.actual, false)};
}

TEST(EditMarks, MarksWhatDiffers) {
  EXPECT_EQ(Marked("", ""), Pair("", ""));
  EXPECT_EQ(Marked("same", "same"), Pair("same", "same"));
  EXPECT_EQ(Marked("abc", ""), Pair("[-abc-]", ""));
  EXPECT_EQ(Marked("", "abc"), Pair("", "{+abc+}"));
  EXPECT_EQ(Marked("Oslo", "Olso"), Pair("O[-s-]lo", "Ol{+s+}o"));
  EXPECT_EQ(Marked("kitten", "sitting"), Pair("[-k-]itt[-e-]n", "{+s+}itt{+i+}n{+g+}"));
  EXPECT_EQ(Marked("2024", "2025"), Pair("202[-4-]", "202{+5+}"));
}

TEST(EditMarks, LittleInCommonIsOneEdit) {
  EXPECT_EQ(Marked("Oslo", "Bergen on the coast"), Pair("[-Oslo-]", "{+Bergen on the coast+}"));
}

// é is C3 A9 and è is C3 A8; 中 is E4 B8 AD and 两 is E4 B8 A4; ĩ is C4 A9 and ends as é does.
TEST(EditMarks, CodePointsStayWhole) {
  EXPECT_EQ(Marked("caféx", "cafèx"), Pair("caf[-é-]x", "caf{+è+}x"));
  EXPECT_EQ(Marked("é", "ĩ"), Pair("[-é-]", "{+ĩ+}"));
  EXPECT_EQ(Marked("a中b", "a两b"), Pair("a[-中-]b", "a{+两+}b"));
}

TEST(EditMarks, ControlCharactersAreReplaced) {
  EXPECT_EQ(Marked("a\x01-\x1b", "a\x02"), Pair("a[-\uFFFD-\uFFFD-]", "a{+\uFFFD+}"));
}

TEST(EditMarks, LongTextsAreClippedAroundTheFirstDifference) {
  const std::string before = Repeat("é", 100);
  const std::string after = Repeat("z", 100);
  EXPECT_EQ(Marked(before + "x" + after, before + "y" + after),
            Pair("…" + Repeat("é", 12) + "[-x-]" + Repeat("z", 35) + "…",
                 "…" + Repeat("é", 12) + "{+y+}" + Repeat("z", 35) + "…"));
  EXPECT_EQ(Marked(after, after), Pair(Repeat("z", 48) + "…", Repeat("z", 48) + "…"));
  // At the limit nothing is clipped.
  const std::string full = Repeat("z", 47);
  EXPECT_EQ(Marked(full + "x", full + "y"), Pair(full + "[-x-]", full + "{+y+}"));
  EXPECT_EQ(Marked(full + "zx", full + "zy"),
            Pair("…" + Repeat("z", 12) + "[-x-]", "…" + Repeat("z", 12) + "{+y+}"));
}

// The first and the last code point differ, and all between is the same.
TEST(EditMarks, LongStretchesAreMarkedAsAWhole) {
  for (const std::size_t length : {255u, 256u, 257u}) {
    const std::string same = Repeat("s", length - 2);
    const Pair marked = Marked("a" + same + "b", "c" + same + "d");
    EXPECT_EQ(marked.first, length <= 256 ? "[-a-]" + Repeat("s", 47) + "…" : "[-a" + Repeat("s", 47) + "-]…")
        << length;
  }
}

TEST(EditMarks, Colour) {
  const MarkedTexts marked = MarkEdits("ab", "ac");
  EXPECT_EQ(RenderMarks(marked.expected, true), "a\x1b[31m[-b-]\x1b[0m");
  EXPECT_EQ(RenderMarks(marked.actual, true), "a\x1b[32m{+c+}\x1b[0m");
}

}  // namespace
}  // namespace leafscore::internal
