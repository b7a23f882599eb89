// engine/render/display_width.h: how many columns of a terminal a text takes. Stateless.
#ifndef LEAFSCORE_ENGINE_RENDER_DISPLAY_WIDTH_H_
#define LEAFSCORE_ENGINE_RENDER_DISPLAY_WIDTH_H_

#include <cstddef>
#include <string_view>

namespace leafscore::internal {

// Returns the columns of valid UTF-8, by the Unicode Standard's tables: wide and full-width code points
// (Annex #11: Han, Hangul, kana, most emoji) take two columns, combining marks and invisible characters 0,
// and all others, even of ambiguous width, one. An emoji of several code points (Technical Standard #51:
// joined by ZWJ, with a skin tone, shown as a picture by VS16) takes two, as on terminals that draw it as one
// picture.
std::size_t DisplayWidth(std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RENDER_DISPLAY_WIDTH_H_
