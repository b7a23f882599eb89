#include "engine/base/display.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/utf.h>
#include <unicode/utf8.h>

#include <cstdint>

#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

// Tells whether a code point, whose UTF-8 has at least two bytes, must not be shown.
bool IsUnsafe(std::string_view code_point) {
  if (code_point.size() == 2) {
    return code_point < "\u00A0" || code_point == "\u061C";  // C1, Arabic letter mark
  }
  return code_point.size() == 3 &&
         ((code_point >= "\u200E" && code_point <= "\u200F") ||  // direction marks
          (code_point >= "\u2028" && code_point <= "\u202E") ||  // separators, embeddings, overrides
          (code_point >= "\u2066" && code_point <= "\u2069"));   // isolates
}

}  // namespace

std::string_view DisplayCodePoint(std::string_view code_point) {
  const auto first = static_cast<unsigned char>(code_point[0]);
  const bool unsafe = first < 0x80 ? first < 0x20 || first == 0x7F : IsUnsafe(code_point);
  return unsafe ? kReplacement : code_point;
}

std::string EscapedCodePoint(std::string_view code_point) {
  UChar32 c = 0;
  std::int32_t next = 0;
  U8_NEXT(code_point.data(), next, static_cast<std::int32_t>(code_point.size()), c);
  return c > 0xFFFF ? fmt::format("\\U{:08X}", c) : fmt::format("\\u{:04X}", c);
}

std::string VisibleCodePoint(std::string_view code_point) {
  UChar32 c = 0;
  std::int32_t next = 0;
  U8_NEXT(code_point.data(), next, static_cast<std::int32_t>(code_point.size()), c);
  const bool hidden = DisplayCodePoint(code_point) != code_point || U_IS_UNICODE_NONCHAR(c) ||
                      u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
  return hidden ? EscapedCodePoint(code_point) : std::string(code_point);
}

std::string DisplayText(std::string_view text) {
  const std::string valid = ReplaceInvalidUtf8(text);
  std::string shown;
  for (std::size_t begin = 0; begin < valid.size();) {
    const std::size_t end = CodePointEnd(valid, begin);
    const std::string_view code_point = std::string_view(valid).substr(begin, end - begin);
    shown += code_point == "\n" ? code_point : DisplayCodePoint(code_point);
    begin = end;
  }
  return shown;
}

std::string_view WithoutControls(std::string_view text, std::string& made) {
  bool may_hold_one = false;
  for (const char c : text) {  // reads all bytes, so that compilers test many at a time
    may_hold_one |=
        (static_cast<unsigned char>(c) < ' ') | (c == '\x7F') | (c == '\xC2') | (c == '\xD8') | (c == '\xE2');
  }
  if (!may_hold_one) return text;
  made.clear();
  for (const std::string_view c : SplitCodePoints(text)) {
    const bool stays = c == "\t" || c == "\n" || c == "\r" || DisplayCodePoint(c) == c;
    made += stays ? std::string(c) : EscapedCodePoint(c);
  }
  return made;
}

}  // namespace leafscore::internal
