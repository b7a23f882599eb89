// engine/render/edit_marks.h: shows people the differences between two texts. Stateless.
#ifndef LEAFSCORE_ENGINE_RENDER_EDIT_MARKS_H_
#define LEAFSCORE_ENGINE_RENDER_EDIT_MARKS_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace leafscore::internal {

inline constexpr std::size_t kMaxShownCodePoints = 48;      // per text; the rest is an ellipsis
inline constexpr std::size_t kMaxComparedCodePoints = 256;  // a longer stretch is marked as a whole

struct MarkedTexts {
  std::string expected;  // "O[-s-]lo"
  std::string actual;    // "Ol{+s+}o"
};

// Marks the parts that only one of the two texts has, using a longest common subsequence of their code
// points; stretches with little in common are marked as a whole. Long texts are clipped around the first
// difference, and control characters are replaced. The marks have the control characters 1 to 4, which no
// shown text contains, in place of their outer brackets; RenderMarks writes the brackets.
// REQUIRES: valid UTF-8.
// COST: linear in the texts, plus at most kMaxComparedCodePoints squared.
MarkedTexts MarkEdits(std::string_view expected, std::string_view actual);

// Returns the text with its marks as brackets, red and green with colour. Its width on screen stays the same.
std::string RenderMarks(std::string_view text, bool colour);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RENDER_EDIT_MARKS_H_
