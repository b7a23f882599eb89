#include "engine/evaluate/think_blocks.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <cstddef>

#include "engine/languages/python_text.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// Returns the offset after the tag at `at`, or kNone. Letters are compared like Python's `re` does when it
// ignores case: U+0130 and U+0131 also equal i, and U+212A equals k.
std::size_t SkipTag(std::string_view text, std::size_t at, std::string_view tag) {
  for (const char wanted : tag) {
    const std::string_view rest = text.substr(at);
    if (StartsIgnoringCase(rest, {&wanted, 1})) {
      at += 1;
    } else if (wanted == 'i' && (rest.starts_with("\u0130") || rest.starts_with("\u0131"))) {
      at += 2;
    } else if (wanted == 'k' && rest.starts_with("\u212A")) {
      at += 3;
    } else {
      return kNone;
    }
  }
  return at;
}

// Returns whether the character at `at` belongs to a word, by Python's \w.
bool IsWordCharacterAt(std::string_view text, std::size_t at) {
  if (at == text.size()) return false;
  UChar32 c = 0;
  U8_NEXT_UNSAFE(text.data(), at, c);
  return c == '_' || u_isalpha(c) || u_getNumericValue(c) != U_NO_NUMERIC_VALUE;
}

// Finds the next tag at or after `at`, and sets *begin to its offset. RETURNS: the offset after the tag, or
// kNone.
std::size_t FindTag(std::string_view text, std::size_t at, std::string_view tag, std::size_t* begin) {
  for (at = text.find('<', at); at != kNone; at = text.find('<', at + 1)) {
    const std::size_t end = SkipTag(text, at, tag);
    if (end == kNone) continue;
    *begin = at;
    return end;
  }
  return kNone;
}

}  // namespace

std::string WithoutThinkBlocks(std::string_view answer) {
  std::string kept;
  std::size_t behind = 0;  // end of the last block
  for (std::size_t at = 0;;) {
    std::size_t begin = 0;
    at = FindTag(answer, at, "<think", &begin);
    if (at == kNone) break;
    if (IsWordCharacterAt(answer, at)) continue;
    std::size_t end_begin = 0;
    const std::size_t opened = answer.find('>', at);
    const std::size_t end = opened == kNone ? kNone : FindTag(answer, opened + 1, "</think>", &end_begin);
    if (end == kNone) break;  // then no later block has one either
    kept += answer.substr(behind, begin - behind);
    behind = at = end;
  }
  kept += answer.substr(behind);
  return std::string(StripSpace(kept));
}

}  // namespace leafscore::internal
