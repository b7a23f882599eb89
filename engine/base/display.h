// engine/base/display.h: text from data as it may be shown to people, so that nothing in it steers a terminal
// or turns the direction of what stands around it. Stateless.
#ifndef LEAFSCORE_ENGINE_BASE_DISPLAY_H_
#define LEAFSCORE_ENGINE_BASE_DISPLAY_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the code point, or U+FFFD for a control character (C0, DEL, C1), a separator of lines or
// paragraphs, and a mark, embedding, override or isolate of direction (Unicode Standard Annex #9).
std::string_view DisplayCodePoint(std::string_view code_point);

// Returns its escape, such as \u001B or \U000E0001. REQUIRES: valid UTF-8.
std::string EscapedCodePoint(std::string_view code_point);

// Returns the code point, or its escape where DisplayCodePoint would replace it or it is invisible (Unicode's
// Default_Ignorable_Code_Point and noncharacters, which XML and LaTeX refuse, too), so that names which
// differ in it are told apart.
std::string VisibleCodePoint(std::string_view code_point);

// Returns the text, any bytes, with U+FFFD for those code points, but for line ends, and for what is not
// UTF-8.
std::string DisplayText(std::string_view text);

// Returns valid UTF-8 with the escapes of those code points, as strings of JSON have them, but for tabs and
// line ends. RETURNS: `text` itself where it holds none, else what it makes in `made`.
std::string_view WithoutControls(std::string_view text, std::string& made);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_DISPLAY_H_
