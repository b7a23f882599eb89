// engine/corpus/utf8.h: steps over UTF-8 that is known to be valid.
#ifndef LEAFSCORE_ENGINE_CORPUS_UTF8_H_
#define LEAFSCORE_ENGINE_CORPUS_UTF8_H_

#include <cstddef>
#include <string_view>

namespace leafscore::corpus {

// Returns where the code point that holds the byte at `pos` begins; the size stays the size.
inline std::size_t CodePointBegin(std::string_view text, std::size_t pos) {
  while (pos < text.size() && pos > 0 && (static_cast<unsigned char>(text[pos]) & 0xc0) == 0x80) --pos;
  return pos;
}

// Returns the bytes of the code point that begins at `pos`. REQUIRES: pos < size, at a beginning.
inline std::size_t CodePointBytes(std::string_view text, std::size_t pos) {
  const auto lead = static_cast<unsigned char>(text[pos]);
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

}  // namespace leafscore::corpus

#endif  // LEAFSCORE_ENGINE_CORPUS_UTF8_H_
