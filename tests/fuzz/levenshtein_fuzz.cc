// Fuzzes the string kernels against slow references: edit distances on every instruction set of this CPU,
// Jaro-Winkler and Jaccard similarities, over columns between guard pages and in scratch of just the size
// they ask for. An input's lines are the strings, two to a pair; the byte 0x01 in a line doubles what stands
// before it, so that few bytes make strings long enough for strips and bands.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/character_jaccard.h"
#include "kernels/common_subsequence.h"
#include "kernels/jaro_winkler.h"
#include "kernels/levenshtein.h"
#include "tests/kernels/guarded_column.h"
#include "tests/kernels/random_text.h"
#include "tests/kernels/string_reference.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxCodePoints = 2300;    // of a string
constexpr std::size_t kMaxCells = 2300 * 2300;  // of an input, which bounds the time of the reference

// Returns the code point at the front of `bytes` and how many bytes it takes. A byte that is not part of
// valid UTF-8 (Unicode 15, table 3-7) stands for the code point of its value.
std::pair<char32_t, std::size_t> NextCodePoint(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(bytes[i])); };
  const std::size_t size = at(0) < 0xC2 ? 1 : at(0) < 0xE0 ? 2 : at(0) < 0xF0 ? 3 : at(0) < 0xF5 ? 4 : 1;
  if (size == 1 || size > bytes.size()) return {at(0), 1};
  char32_t code_point = at(0) & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((at(i) & 0xC0) != 0x80) return {at(0), 1};
    code_point = code_point << 6 | (at(i) & 0x3F);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code_point >= 0xD800 && code_point < 0xE000;
  if (code_point < kLeast[size] || code_point > 0x10FFFF || is_surrogate) return {at(0), 1};
  return {code_point, size};
}

std::vector<std::u32string> ReadStrings(std::string_view input) {
  std::vector<std::u32string> strings(1);
  while (!input.empty()) {
    const auto [code_point, bytes] = NextCodePoint(input);
    input.remove_prefix(bytes);
    std::u32string& string = strings.back();
    if (code_point == U'\n') {
      strings.emplace_back();
    } else if (code_point == 1) {
      string += string.substr(0, kMaxCodePoints - string.size());
    } else if (string.size() < kMaxCodePoints) {
      string += code_point;
    }
  }
  if (strings.size() % 2 == 1) strings.emplace_back();
  return strings;
}

struct Pairs {
  std::vector<std::u32string> left, right;

  explicit Pairs(std::string_view input) {
    std::size_t cells = 0;
    const std::vector<std::u32string> strings = ReadStrings(input);
    for (std::size_t i = 0; i < strings.size(); i += 2) {
      cells += strings[i].size() * strings[i + 1].size();
      if (cells > kMaxCells) break;
      left.push_back(strings[i]);
      right.push_back(strings[i + 1]);
    }
  }
};

std::vector<std::string> Utf8(const std::vector<std::u32string>& strings) {
  std::vector<std::string> utf8;
  for (const std::u32string& string : strings) utf8.push_back(ToUtf8(string));
  return utf8;
}

// Scratch of exactly the size asked for, between the sanitizer's red zones.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes)
      : memory_(static_cast<std::byte*>(::operator new(bytes, kAlignment))), bytes_(bytes) {}
  ~Scratch() { ::operator delete(memory_, kAlignment); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::span<std::byte> span() const { return {memory_, bytes_}; }

 private:
  static constexpr std::align_val_t kAlignment{64};
  std::byte* memory_;
  std::size_t bytes_;
};

template <typename Number>
void Check(const Pairs& pairs, const std::vector<Number>& actual, const std::vector<Number>& expected,
           std::string_view what) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    std::fprintf(stderr, "%s: pair %zu of %zu is wrong:\n%s\n%s\n", std::string(what).c_str(), i,
                 expected.size(), ToUtf8(pairs.left[i]).c_str(), ToUtf8(pairs.right[i]).c_str());
    std::abort();
  }
}

void CheckKernels(const Pairs& pairs) {
  const std::size_t size = pairs.left.size();
  std::vector<std::uint32_t> distances;
  std::vector<double> jaro_winkler, jaccard, subsequence;
  for (std::size_t i = 0; i < size; ++i) {
    distances.push_back(reference::TwoRowDistance(pairs.left[i], pairs.right[i]));
    jaro_winkler.push_back(reference::JaroWinkler(pairs.left[i], pairs.right[i]));
    jaccard.push_back(reference::CharacterJaccard(pairs.left[i], pairs.right[i]));
    subsequence.push_back(reference::CommonSubsequence(pairs.left[i], pairs.right[i]));
  }
  for (const GuardedEdge edge : {GuardedEdge::kFront, GuardedEdge::kBack}) {
    const GuardedColumn left(Utf8(pairs.left), edge), right(Utf8(pairs.right), edge);
    for (const Isa isa : AvailableIsas()) {
      std::vector<std::uint32_t> actual(size, ~0u);
      const Scratch scratch(LevenshteinScratchBytes(left.column(), right.column()));
      LevenshteinBatch(left.column(), right.column(), actual, scratch.span(), isa);
      Check(pairs, actual, distances, IsaName(isa));
    }
    std::vector<double> actual(size);
    const Scratch jaro_winkler_scratch(JaroWinklerScratchBytes(left.column(), right.column()));
    for (const Isa isa : AvailableIsas()) {
      std::ranges::fill(actual, -1);
      JaroWinklerBatch(left.column(), right.column(), actual, jaro_winkler_scratch.span(), isa);
      Check(pairs, actual, jaro_winkler, "Jaro-Winkler");
    }
    const Scratch jaccard_scratch(CharacterJaccardScratchBytes(left.column(), right.column()));
    CharacterJaccardBatch(left.column(), right.column(), actual, jaccard_scratch.span());
    Check(pairs, actual, jaccard, "Jaccard");
    const Scratch subsequence_scratch(CommonSubsequenceScratchBytes(left.column(), right.column()));
    CommonSubsequenceBatch(left.column(), right.column(), actual, subsequence_scratch.span());
    Check(pairs, actual, subsequence, "common subsequence");
  }
}

}  // namespace
}  // namespace leafscore::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  leafscore::internal::CheckKernels(leafscore::internal::Pairs({reinterpret_cast<const char*>(data), size}));
  return 0;
}
