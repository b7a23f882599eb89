// engine/base/utf8.h: reads, cuts and writes UTF-8 (RFC 3629). Stateless. The kernels, which build alone,
// have their own functions (kernels/utf8.h).
#ifndef LEAFSCORE_ENGINE_BASE_UTF8_H_
#define LEAFSCORE_ENGINE_BASE_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// Returns whether the byte continues a code point.
inline bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Returns whether the byte is a decimal digit of ASCII.
inline bool IsDigit(char byte) { return byte >= '0' && byte <= '9'; }

// Return whether a code unit of UTF-16 is the first (high) or the second (low) half of a code point.
inline bool IsHighSurrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
inline bool IsLowSurrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// Returns the number of code points of valid UTF-8.
std::uint32_t CountCodePoints(std::string_view text);

// Returns the code points of valid UTF-8, as views into it.
std::vector<std::string_view> SplitCodePoints(std::string_view text);

// Returns the offset of the code point that contains the byte at `pos`, in valid UTF-8; text.size() if `pos`
// is text.size().
inline std::size_t CodePointBegin(std::string_view text, std::size_t pos) {
  while (pos < text.size() && pos > 0 && IsContinuation(text[pos])) --pos;
  return pos;
}

// Returns the end of the code point that begins at `pos`, in valid UTF-8.
// REQUIRES: pos < text.size().
inline std::size_t CodePointEnd(std::string_view text, std::size_t pos) {
  do ++pos;
  while (pos < text.size() && IsContinuation(text[pos]));
  return pos;
}

// Returns the longest prefix of whole code points that fits into max_bytes.
std::string_view ClipText(std::string_view text, std::size_t max_bytes);

// Writes a code point, which may be a surrogate, in at most four bytes.
// RETURNS: the end of these bytes.
char* WriteUtf8(std::uint32_t code_point, char* out);
// Appends a code point, which may be a surrogate.
void AppendUtf8(std::uint32_t code_point, std::string& text);

// Returns the offset of the first byte that is not part of valid UTF-8, or text.size().
std::size_t FindInvalidUtf8(std::string_view text);

// Returns the text with U+FFFD for each byte that is not part of valid UTF-8.
std::string ReplaceInvalidUtf8(std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_UTF8_H_
