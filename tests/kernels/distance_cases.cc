#include "tests/kernels/distance_cases.h"

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "tests/kernels/random_text.h"

namespace leafscore::internal {
namespace {

using Pairs = DistanceCase::Pairs;

constexpr Alphabet kAlphabets[] = {
    {"one", U'a', 1},          {"two", U'a', 2},
    {"four", U'a', 4},         {"twenty", U'A', 20},
    {"ascii", U' ', 95},       {"latin", 1, 256},
    {"cyrillic", 0x430, 32},   {"cjk", 0x4E00, 3000},
    {"emoji", 0x1F600, 64},    {"mixed_widths", 32, 3000},
    {"large", 0x2000, 20'000}, {"around_surrogates", 0xD7F0, 32},
    {"astral", 0x20000, 200},  {"around_bmp_end", 0xFF00, 1024},
};
constexpr Alphabet kLetters = {"letters", U'a', 26};

void AddBothWays(const std::u32string& a, const std::u32string& b, Pairs& pairs) {
  pairs.emplace_back(a, b);
  pairs.emplace_back(b, a);
}

Pairs AllShortStringsOverTwoLetters() {
  std::vector<std::u32string> strings = {U""};
  for (std::size_t i = 0; strings[i].size() < 8; ++i) {
    strings.push_back(strings[i] + U'a');
    strings.push_back(strings[i] + U'b');
  }
  Pairs pairs;
  for (const std::u32string& a : strings) {
    for (const std::u32string& b : strings) pairs.emplace_back(a, b);
  }
  return pairs;
}

Pairs EveryLengthCombinationTo130(const Alphabet& alphabet) {
  RandomText random(1);
  Pairs pairs;
  for (std::size_t a = 0; a <= 130; ++a) {
    for (std::size_t b = 0; b <= 130; ++b) {
      pairs.emplace_back(random.String(alphabet, a), random.String(alphabet, b));
    }
  }
  return pairs;
}

Pairs AroundEdge(const Alphabet& alphabet, std::size_t edge, RandomText& random) {
  Pairs pairs;
  for (const std::size_t a : {edge - 1, edge, edge + 1}) {
    const std::u32string base = random.String(alphabet, a);
    AddBothWays(base, random.String(alphabet, edge - 1 + random.Below(3)), pairs);
    AddBothWays(base, random.String(alphabet, 1 + random.Below(70)), pairs);
    std::u32string near = base;
    for (std::size_t edits = 0; edits < edge / 10; ++edits) random.Edit(alphabet, near);
    AddBothWays(base, near, pairs);
  }
  return pairs;
}

// The rows of words, strips and groups of threads.
Pairs AroundEdges(const Alphabet& alphabet) {
  RandomText random(2);
  Pairs pairs;
  for (const std::size_t edge : {256, 512, 1024, 2048, 4096}) {
    for (auto& pair : AroundEdge(alphabet, edge, random)) pairs.push_back(std::move(pair));
  }
  return pairs;
}

Pairs EqualAndOneEditAnywhere(const Alphabet& alphabet) {
  RandomText random(3);
  Pairs pairs;
  for (const std::size_t size : {1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 100, 300}) {
    const std::u32string base = random.String(alphabet, size);
    pairs.emplace_back(base, base);
    for (std::size_t at = 0; at < size; ++at) {
      std::u32string inserted = base, deleted = base, replaced = base;
      inserted.insert(at, 1, SymbolOf(alphabet, random.Below(alphabet.size)));
      deleted.erase(at, 1);
      replaced[at] = SymbolOf(alphabet, random.Below(alphabet.size));
      for (const std::u32string& other : {inserted, deleted, replaced}) AddBothWays(base, other, pairs);
    }
  }
  return pairs;
}

Pairs DisjointAlphabets() {
  RandomText random(4);
  Pairs pairs;
  for (const std::size_t a : {1, 8, 40, 64, 65, 130, 300, 600}) {
    for (const std::size_t b : {1, 9, 64, 66, 257, 513}) {
      AddBothWays(random.String(kLetters, a), random.String({"upper", U'A', 26}, b), pairs);
      AddBothWays(random.String(kLetters, a), random.String({"cjk", 0x4E00, 500}, b), pairs);
    }
  }
  return pairs;
}

// Long enough for bands: few edits, many, none alike, and edits that only come late or all at once, which
// mislead any guess from the beginning.
Pairs LongStringsOfAllDegreesOfLikeness() {
  RandomText random(6);
  Pairs pairs;
  for (const std::size_t size : {2047, 2048, 2500, 4097, 6000}) {
    const std::u32string base = random.String(kLetters, size);
    for (const std::size_t edits : {1u, 40u, 400u, 1500u}) {
      std::u32string near = base;
      for (std::size_t i = 0; i < edits; ++i) random.Edit(kLetters, near);
      AddBothWays(base, near, pairs);
    }
    pairs.emplace_back(base, random.String(kLetters, size - random.Below(100)));
    AddBothWays(base, base.substr(0, size - 700) + random.String(kLetters, 600), pairs);
    AddBothWays(
        base,
        random.String(kLetters, 1) + base.substr(1, 100) + base.substr(900) + random.String(kLetters, 1),
        pairs);
    AddBothWays(base, random.String(kLetters, 900) + base.substr(1, size - 2) + random.String(kLetters, 2),
                pairs);
    AddBothWays(base, base.substr(size / 2) + base.substr(0, size / 2), pairs);
  }
  return pairs;
}

Pairs AroundTwoStripsOfAGroup() {
  RandomText random(8);
  return AroundEdge({"mixed_widths", 32, 3000}, 8192, random);
}

Pairs FiftyThousandCharacters() {
  RandomText random(7);
  const std::u32string base = random.String(kLetters, 50'000);
  std::u32string near = base;
  for (int i = 0; i < 6000; ++i) random.Edit(kLetters, near);
  return {{base, near}};
}

}  // namespace

DistanceCase::Pairs AllClassesMixed(std::uint32_t seed, std::size_t size) {
  RandomText random(seed);
  Pairs pairs;
  for (std::size_t i = 0; i < size; ++i) {
    const Alphabet& alphabet = kAlphabets[random.Below(std::size(kAlphabets))];
    const std::size_t length = random.Below(50) == 0 ? random.Below(700) : random.Below(80);
    const std::u32string base = random.String(alphabet, length);
    std::u32string other = base;
    if (random.Below(4) == 0) {
      other = random.String(kAlphabets[random.Below(std::size(kAlphabets))], random.Below(100));
    }
    for (std::uint32_t edits = random.Below(8); edits > 0; --edits) random.Edit(alphabet, other);
    pairs.emplace_back(base, other);
  }
  return pairs;
}

std::vector<DistanceCase> DistanceCases() {
  std::vector<DistanceCase> cases = {
      {"all_short_strings_over_two_letters", AllShortStringsOverTwoLetters},
      {"disjoint_alphabets", DisjointAlphabets},
      {"long_strings_of_all_degrees_of_likeness", LongStringsOfAllDegreesOfLikeness},
      {"around_two_strips_of_a_group", AroundTwoStripsOfAGroup},
      {"fifty_thousand_characters", FiftyThousandCharacters},
  };
  for (const std::size_t size : {0, 1, 2, 3, 7, 63, 64, 65, 1001, 5003}) {
    cases.push_back({"mixed_batch_of_" + std::to_string(size), [size] { return AllClassesMixed(5, size); }});
  }
  for (const Alphabet& alphabet : kAlphabets) {
    const std::string name = alphabet.name;
    const auto of_alphabet = [&alphabet](Pairs (*make)(const Alphabet&)) {
      return [&alphabet, make] { return make(alphabet); };
    };
    cases.push_back({"every_length_to_130_" + name, of_alphabet(EveryLengthCombinationTo130)});
    cases.push_back({"around_edges_" + name, of_alphabet(AroundEdges)});
    cases.push_back({"equal_and_one_edit_" + name, of_alphabet(EqualAndOneEditAnywhere)});
  }
  return cases;
}

}  // namespace leafscore::internal
