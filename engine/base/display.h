// engine/base/display.h: makes texts from data safe to show to people, so that they can neither control a
// terminal nor change the direction of the text around them. Stateless.
#ifndef LEAFSCORE_ENGINE_BASE_DISPLAY_H_
#define LEAFSCORE_ENGINE_BASE_DISPLAY_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the code point, or U+FFFD if it is a control character (C0, DEL, C1), a line or paragraph
// separator, or a directional mark, embedding, override or isolate (Unicode Standard Annex #9).
std::string_view DisplayCodePoint(std::string_view code_point);

// Returns the escape of a code point, such as \u001B or \U000E0001. REQUIRES: valid UTF-8.
std::string EscapedCodePoint(std::string_view code_point);

// Returns the escape of a code point that DisplayCodePoint would replace or that is invisible, and any other
// code point itself. Code points with Unicode's property Default_Ignorable_Code_Point are invisible, and so
// are noncharacters, which XML and LaTeX refuse. Names that differ only in such a code point then look
// different.
std::string VisibleCodePoint(std::string_view code_point);

// Returns any bytes as UTF-8 that is safe to show. U+FFFD replaces bytes that are not UTF-8, and all code
// points that DisplayCodePoint replaces, except \n.
std::string DisplayText(std::string_view text);

// Writes the code points that DisplayCodePoint would replace, except \t, \n and \r, as escapes.
// REQUIRES: valid UTF-8.
// RETURNS: `text` itself if it has no such code point, else the replacement, which is built in `made`.
std::string_view WithoutControls(std::string_view text, std::string& made);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_DISPLAY_H_
