// engine/utf8.h: where the code points of UTF-8 (RFC 3629) begin. Stateless.
#ifndef LEAFSCORE_ENGINE_UTF8_H_
#define LEAFSCORE_ENGINE_UTF8_H_

#include <cstddef>
#include <string_view>

namespace leafscore {

// Tells whether the byte continues a code point that began before it.
inline bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Returns as many whole code points from the text's begin as fit into max_bytes.
inline std::string_view ClipText(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && IsContinuation(text[end])) --end;
  return text.substr(0, end);
}

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_UTF8_H_
