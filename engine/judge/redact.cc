#include "engine/judge/redact.h"

#include <charconv>
#include <cstddef>

namespace leafscore::internal {
namespace {

constexpr std::size_t kShortestKey = 8;
constexpr std::string_view kInstead = "[key]";

// Returns how many bytes at the beginning of a text represent this ASCII character; 0 if they do not.
std::size_t BytesThatAre(char wanted, std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] == wanted) return 1;
  if (text.size() < 2 || text[0] != '\\') return 0;
  if (text[1] == wanted) return 2;
  if (text.size() < 6 || text[1] != 'u') return 0;
  unsigned unit = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
  return end == text.data() + 6 && unit == static_cast<unsigned char>(wanted) ? 6 : 0;
}

// Returns how many bytes at the beginning of a text represent the key; 0 if they do not.
std::size_t BytesOfKey(std::string_view key, std::string_view text) {
  std::size_t at = 0;
  for (const char wanted : key) {
    const std::size_t bytes = BytesThatAre(wanted, text.substr(at));
    if (bytes == 0) return 0;
    at += bytes;
  }
  return at;
}

// Returns a text with one level of escapes removed. Only the characters that a key can contain, ASCII without
// controls, are restored correctly.
std::string Unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    unsigned unit = 0;
    if (text[at] != '\\' || at + 1 == text.size()) {
      plain += text[at++];
    } else if (text[at + 1] != 'u' || at + 6 > text.size() ||
               std::from_chars(text.data() + at + 2, text.data() + at + 6, unit, 16).ptr !=
                   text.data() + at + 6 ||
               unit > 0x7F) {
      plain += text[at + 1];
      at += 2;
    } else {
      plain += static_cast<char>(unit);
      at += 6;
    }
  }
  return plain;
}

}  // namespace

void Redact(std::string_view key, std::string& text) {
  if (key.size() < kShortestKey) return;
  std::string redacted;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = BytesOfKey(key, std::string_view(text).substr(at));
    if (bytes == 0) {
      ++at;
      continue;
    }
    redacted.append(text, copied, at - copied) += kInstead;
    copied = at += bytes;
  }
  if (copied != 0) text = redacted.append(text, copied);
}

bool HidesKey(std::string_view key, std::string_view text) {
  constexpr int kLevels = 4;
  if (key.size() < kShortestKey || text.find('\\') == text.npos) return false;
  std::string plain(text);
  for (int level = 0; level < kLevels; ++level) {
    plain = Unescaped(plain);
    if (plain.find(key) != plain.npos) return true;
  }
  return false;
}

}  // namespace leafscore::internal
