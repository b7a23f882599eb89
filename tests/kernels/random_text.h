// tests/kernels/random_text.h: reproducible strings of code points over alphabets of any size.
#ifndef LEAFSCORE_TESTS_KERNELS_RANDOM_TEXT_H_
#define LEAFSCORE_TESTS_KERNELS_RANDOM_TEXT_H_

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace leafscore::internal {

// `size` symbols from `first`, without the surrogates, which UTF-8 cannot encode.
struct Alphabet {
  const char* name;
  char32_t first;
  std::uint32_t size;
};

inline char32_t SymbolOf(const Alphabet& alphabet, std::uint32_t index) {
  const char32_t symbol = alphabet.first + index % alphabet.size;
  return symbol >= 0xD800 ? symbol + 0x800 : symbol;
}

class RandomText {
 public:
  explicit RandomText(std::uint32_t seed) : random_(seed) {}

  std::uint32_t Below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  std::u32string String(const Alphabet& alphabet, std::size_t size) {
    std::u32string text;
    for (std::size_t i = 0; i < size; ++i) text += SymbolOf(alphabet, Below(alphabet.size));
    return text;
  }

  // One insertion, deletion or substitution anywhere.
  void Edit(const Alphabet& alphabet, std::u32string& text) {
    const std::size_t at = Below(static_cast<std::uint32_t>(text.size()) + 1);
    const char32_t symbol = SymbolOf(alphabet, Below(alphabet.size));
    switch (at == text.size() ? 0 : Below(3)) {
      case 0:
        text.insert(at, 1, symbol);
        break;
      case 1:
        text.erase(at, 1);
        break;
      default:
        text[at] = symbol;
    }
  }

 private:
  std::mt19937 random_;
};

// Returns a text of `count` different symbols, and the same text with other symbols at both ends.
inline std::pair<std::u32string, std::u32string> TextsOfSymbols(std::uint32_t count) {
  std::u32string a;
  for (std::uint32_t i = 0; i < count; ++i) a += static_cast<char32_t>(U'\u4E00' + i);
  std::u32string b = a;
  b.front() = U'x';
  b.back() = U'y';
  return {a, b};
}

inline std::string ToUtf8(const std::u32string& text) {
  std::string bytes;
  const auto put = [&](std::uint32_t byte) { bytes += static_cast<char>(byte); };
  for (const std::uint32_t c : text) {
    if (c < 0x80) {
      put(c);
    } else if (c < 0x800) {
      put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
    } else {
      put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
    }
  }
  return bytes;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_KERNELS_RANDOM_TEXT_H_
