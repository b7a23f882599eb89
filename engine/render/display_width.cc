#include "engine/render/display_width.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>

namespace leafscore::internal {
namespace {

constexpr UChar32 kZeroWidthJoiner = 0x200D;
constexpr UChar32 kShownAsPicture = 0xFE0F;  // variation selector 16

// Returns the columns of a code point that is not part of a sequence.
std::size_t WidthOf(UChar32 c) {
  if ((U_GET_GC_MASK(c) & (U_GC_MN_MASK | U_GC_ME_MASK)) != 0) return 0;
  if (u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT)) return 0;
  const auto syllable = u_getIntPropertyValue(c, UCHAR_HANGUL_SYLLABLE_TYPE);
  if (syllable == U_HST_VOWEL_JAMO || syllable == U_HST_TRAILING_JAMO)
    return 0;  // drawn into the leading one
  const auto width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

}  // namespace

std::size_t DisplayWidth(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; })) return text.size();
  std::size_t width = 0;
  UChar32 base = 0;     // the latest code point that takes columns
  UChar32 before = 0;   // the latest code point
  std::size_t own = 0;  // columns of the base and the code points drawn into it
  for (std::int32_t next = 0; next < static_cast<std::int32_t>(text.size());) {
    UChar32 c = 0;
    U8_NEXT(text.data(), next, static_cast<std::int32_t>(text.size()), c);
    const bool after_picture = u_hasBinaryProperty(base, UCHAR_EXTENDED_PICTOGRAPHIC);
    const bool joined = before == kZeroWidthJoiner && u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC);
    const bool skin_tone = u_hasBinaryProperty(c, UCHAR_EMOJI_MODIFIER);
    std::size_t columns = 0;
    if (c == kShownAsPicture) {
      columns = u_hasBinaryProperty(base, UCHAR_EMOJI) && own == 1 ? 1 : 0;
      own += columns;
    } else if (!after_picture || !(joined || skin_tone)) {
      columns = WidthOf(c);
      if (columns > 0) {
        base = c;
        own = columns;
      }
    }
    width += columns;
    before = c;
  }
  return width;
}

}  // namespace leafscore::internal
