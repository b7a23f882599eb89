// bench/string_workloads.h: pairs of strings to measure edit distances on, from fixed seeds, so that every
// run and every machine sees the same bytes. Plain data, made once, read by all contestants.
#ifndef LEAFSCORE_BENCH_STRING_WORKLOADS_H_
#define LEAFSCORE_BENCH_STRING_WORKLOADS_H_

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "engine/distance/kernel_memory.h"
#include "kernels/utf8.h"
#include "tests/kernels/random_text.h"

namespace leafscore::internal {

struct StringWorkload {
  std::string name;
  bool ascii = true;
  StringColumnBuilder left, right;
  std::vector<std::u32string> left_points, right_points;
  double cells = 0;

  std::size_t size() const { return left_points.size(); }
  void Add(const std::string& a, const std::string& b);
  void Add(const std::u32string& a, const std::u32string& b) { Add(ToUtf8(a), ToUtf8(b)); }
};

enum class Script { kEnglish, kCyrillic, kCjk };

class StringGenerator {
 public:
  StringGenerator(Script script, std::uint32_t seed) : script_(script), random_(seed) {}

  std::uint32_t Below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
  double Unit() { return (static_cast<double>(random_() >> 11) + 0.5) * 0x1p-53; }

  char32_t Symbol() {
    // English by frequency, with spaces, capitals, digits and some punctuation.
    static const std::string kEnglish =
        "eeeeeeeeeeettttttttaaaaaaaooooooooiiiiiiinnnnnnnsssssshhhhhrrrrrddddllllcccuuummmwwffggyyppbbvk     "
        " "
        "ETAOIN0123456789-_.,:";
    switch (script_) {
      case Script::kCyrillic:
        return 0x430 + Below(32);
      case Script::kCjk:
        return 0x4E00 + Below(3000);
      default:
        return static_cast<char32_t>(kEnglish[Below(static_cast<std::uint32_t>(kEnglish.size()))]);
    }
  }

  std::u32string String(std::size_t size) {
    std::u32string text(size, U' ');
    for (char32_t& symbol : text) symbol = Symbol();
    return text;
  }

  // Every symbol is replaced, dropped or followed by another with `rate` in total.
  std::u32string Edited(const std::u32string& text, double rate) {
    std::u32string edited;
    for (const char32_t symbol : text) {
      const double draw = Unit();
      if (draw < rate / 3) {
        edited += Symbol();
      } else if (draw < 2 * rate / 3) {
        continue;
      } else {
        edited += symbol;
        if (draw < rate) edited += Symbol();
      }
    }
    return edited;
  }

  // Log-normal, median 18, between 1 and 2,000 (Box and Muller 1958).
  std::size_t JsonLength() {
    constexpr double kTwoPi = 6.283185307179586;
    const double normal = std::sqrt(-2 * std::log(Unit())) * std::cos(kTwoPi * Unit());
    const double length = 18 * std::exp(0.95 * normal);
    return length < 1 ? 1 : length > 2000 ? 2000 : static_cast<std::size_t>(length);
  }

 private:
  Script script_;
  std::mt19937_64 random_;
};

inline bool IsAsciiText(const std::string& text) {
  return IsAscii(reinterpret_cast<const std::uint8_t*>(text.data()), static_cast<std::uint32_t>(text.size()));
}

inline void StringWorkload::Add(const std::string& a, const std::string& b) {
  const auto code_points = [](const std::string& text) {
    std::vector<std::uint32_t> decoded(text.size());
    decoded.resize(DecodeUtf8(reinterpret_cast<const std::uint8_t*>(text.data()),
                              static_cast<std::uint32_t>(text.size()), decoded.data()));
    return std::u32string(decoded.begin(), decoded.end());
  };
  left.Append(a);
  right.Append(b);
  left_points.push_back(code_points(a));
  right_points.push_back(code_points(b));
  cells += static_cast<double>(left_points.back().size()) * static_cast<double>(right_points.back().size());
}

inline std::vector<StringWorkload> MakeStringWorkloads() {
  std::vector<StringWorkload> workloads;
  const auto add_edited = [&](std::string name, Script script, std::uint32_t seed, std::size_t length,
                              std::size_t pairs) {
    StringWorkload& workload = workloads.emplace_back();
    workload.name = std::move(name);
    workload.ascii = script == Script::kEnglish;
    StringGenerator generator(script, seed);
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::u32string text = generator.String(length);
      workload.Add(text, generator.Edited(text, 0.15));
    }
  };
  struct Size {
    std::size_t length, pairs;
    std::uint32_t seed;
  };
  for (const auto [length, pairs, seed] :
       {Size{8, 64000, 1000}, Size{16, 64000, 1001}, Size{32, 32000, 1002}, Size{64, 32000, 1003},
        Size{100, 16000, 1004}, Size{256, 4000, 1005}, Size{500, 1600, 1008}, Size{1000, 800, 1006},
        Size{2000, 400, 1012}, Size{5000, 64, 1007}}) {
    add_edited("ascii-" + std::to_string(length), Script::kEnglish, seed, length, pairs);
  }
  for (const auto [length, pairs, seed] :
       {Size{100, 16000, 7}, Size{256, 4000, 1009}, Size{1000, 800, 1010}}) {
    StringWorkload& workload = workloads.emplace_back();
    workload.name = "unrelated-" + std::to_string(length);
    StringGenerator generator(Script::kEnglish, seed);
    for (std::size_t i = 0; i < pairs; ++i) workload.Add(generator.String(length), generator.String(length));
  }
  {
    StringWorkload& workload = workloads.emplace_back();
    workload.name = "mixed-65-to-256";
    StringGenerator generator(Script::kEnglish, 1011);
    for (int i = 0; i < 8000; ++i) {
      const std::u32string text = generator.String(65 + generator.Below(192));
      workload.Add(text, generator.Edited(text, 0.15));
    }
  }
  {
    StringWorkload& workload = workloads.emplace_back();
    workload.name = "json-mix";
    StringGenerator generator(Script::kEnglish, 9);
    for (int i = 0; i < 60000; ++i) {
      const std::u32string text = generator.String(generator.JsonLength());
      const std::uint32_t percent = generator.Below(100);
      if (percent < 60) {
        workload.Add(text, text);
      } else if (percent < 90) {
        workload.Add(text, generator.Edited(text, 0.10));
      } else {
        workload.Add(text, generator.String(generator.JsonLength()));
      }
    }
  }
  add_edited("cyrillic-32", Script::kCyrillic, 60, 32, 16000);
  add_edited("cyrillic-100", Script::kCyrillic, 61, 100, 8000);
  add_edited("cjk-32", Script::kCjk, 70, 32, 16000);
  add_edited("cjk-100", Script::kCjk, 71, 100, 8000);
  return workloads;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_BENCH_STRING_WORKLOADS_H_
