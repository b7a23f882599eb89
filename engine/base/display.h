// engine/base/display.h: makes text from data safe to show to people: nothing in it can control a terminal or
// change the direction of the text around it. Stateless.
#ifndef LEAFSCORE_ENGINE_BASE_DISPLAY_H_
#define LEAFSCORE_ENGINE_BASE_DISPLAY_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the code point, or U+FFFD if it is a control character (C0, DEL, C1), a line or paragraph
// separator, or a directional mark, embedding, override or isolate (Unicode Standard Annex #9).
std::string_view DisplayCodePoint(std::string_view code_point);

// Returns its escape, such as \u001B or \U000E0001. REQUIRES: valid UTF-8.
std::string EscapedCodePoint(std::string_view code_point);

// Returns the code point, or its escape if DisplayCodePoint would replace it or it is invisible (Unicode's
// Default_Ignorable_Code_Point and noncharacters, which XML and LaTeX refuse). Names that differ only in such
// a code point can so be told apart.
std::string VisibleCodePoint(std::string_view code_point);

// Returns any bytes as displayable UTF-8. Unsafe code points, except line ends, and bytes that are not UTF-8
// become U+FFFD.
std::string DisplayText(std::string_view text);

// Replaces those code points, except tabs and line ends, with JSON escapes. REQUIRES: valid UTF-8.
// RETURNS: `text` itself if it has no such code point, else the replacement, which is built in `made`.
std::string_view WithoutControls(std::string_view text, std::string& made);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_DISPLAY_H_
