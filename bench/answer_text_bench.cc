// How the time to read and flatten an answer text grows with its length, on texts made to hurt: for each, the
// exponent of the growth between the shortest and the longest, 1 being linear.
//
//   answer_text_bench [LONGEST_BYTES]   (1e7 by default, at most 1e9)

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/limits.h"
#include "engine/json/leaf_table.h"
#include "engine/scorers/static_json/flat_answer.h"

namespace leafscore::internal {
namespace {

// A text of `bytes` bytes or slightly more: `head`, copies of `unit`, and `tail`.
struct HostileText {
  std::string_view name;
  std::string_view head;
  std::string_view unit;
  std::string_view tail;

  std::string OfSize(std::size_t bytes) const {
    std::string text(head);
    while (text.size() < bytes) text += unit;
    text += tail;
    return text;
  }
};

constexpr HostileText kTexts[] = {
    {"labels", "", "Answer: ", ""},
    {"labels on lines", "", "x\nFinal Answer\n", ""},
    {"white space", "x", " \n\u00a0\u2003", "x"},
    {"fences", "", "``` ", ""},
    {"backticks", "", "`` ", ""},
    {"opening braces", "", "{", ""},
    {"closing braces", "{", "}", ""},
    {"brackets of all kinds", "", "{[(", ""},
    {"brackets crossing", "", "{[}]", ""},
    {"braces around words", "", "{x} ", ""},
    {"braces around braces", "", "{{x} ", ""},
    {"braces and quotes", "", "{'}\"", ""},
    {"braces and backslashes", "", "{'\\", ""},
    {"quotes", "", "'", ""},
    {"strings side by side", "", "'a' ", ""},
    {"JSON broken at its end", "[", "1,", "x]"},
    {"literal broken at its end", "[", "'a',", "x]"},
    {"braces around broken JSON", "", "{\"a\": 1,} {\"b\": 2 ", ""},
    {"open arrays", "", "[1,", ""},
    {"open objects", "", "{\"a\":", ""},
    {"numbers", "", "1 ", ""},
    {"digits", "", "7", ""},
    {"digits and letters", "", "7a", ""},
    {"digits of another script", "", "\u0967", ""},
    {"points and signs", "", "-1.", ""},
    {"underscores", "1", "_1", ""},
    {"comments", "", "#\n", ""},
    {"continued lines", "", "\\\n", ""},
    {"structures in strings", "[\"\"", ",\"[1]\"", "]"},
    {"labels in strings", "[\"\"", ",\"Answer: {x}\"", "]"},
    {"one string in a string", "[\"[\\\"", "x{", "\\\"]\"]"},
    {"dots in keys", "{\"", ".", "\": 1}"},
    {"many keys", "{\"a\":1", ",\"b.c[0]\":\"[1]\"", "}"},
};

// Returns the processor time of one reading, once the memory for it is there.
double SecondsToFlatten(const std::string& text) {
  ShapeTable shapes;
  LeafTable table;
  JsonReader reader(&shapes);
  reader.Begin(text, /*lines=*/false, &table);
  const NodeId root = reader.ReadText(0, static_cast<std::uint32_t>(text.size())).root;
  AnswerFlattener flattener(&shapes, static_cast<std::uint32_t>(kMaxDepth.default_value));
  FlatAnswer flat;
  const auto seconds_of = [&](int readings) {
    const std::clock_t begin = std::clock();
    for (int i = 0; i < readings; ++i) {
      flattener.BeginRecord();
      flattener.keys().Clear();
      flat.Clear();
      flattener.FlattenAnswer({&table, root}, flat);
    }
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / readings;
  };
  seconds_of(1);
  constexpr double kEnoughSeconds = 0.01;
  int readings = 1;
  double seconds = seconds_of(readings);
  while (seconds * readings < kEnoughSeconds) seconds = seconds_of(readings *= 4);
  return seconds;
}

int Run(double longest) {
  constexpr double kShortest = 1e3;
  std::vector<double> sizes;
  for (double size = kShortest; size <= longest; size *= 10) sizes.push_back(size);
  fmt::print("{:<28}{:>10}   ns a byte at\n{:<40}", "text", "exponent", "");
  for (const double size : sizes) fmt::print("{:>9.0e}", size);
  fmt::print("\n");
  for (const HostileText& hostile : kTexts) {
    std::vector<double> seconds;
    for (const double size : sizes)
      seconds.push_back(SecondsToFlatten(hostile.OfSize(static_cast<std::size_t>(size))));
    const double exponent =
        std::log10(seconds.back() / seconds.front()) / static_cast<double>(sizes.size() - 1);
    fmt::print("{:<28}{:>10.3f}  ", hostile.name, exponent);
    for (std::size_t i = 0; i < sizes.size(); ++i) fmt::print("{:>9.2f}", seconds[i] * 1e9 / sizes[i]);
    fmt::print("\n");
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace leafscore::internal

int main(int argc, char** argv) {
  return leafscore::internal::Run(argc > 1 ? std::strtod(argv[1], nullptr) : 1e7);
}
