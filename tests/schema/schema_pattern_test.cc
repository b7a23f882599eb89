// Patterns in one pass, against JavaScript's.
#include "engine/schema/schema_pattern.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace leafscore::internal {
namespace {

TEST(ClassRow, IsForPatternsThatNeverGiveBack) {
  for (const char* const pattern : {"^a", "^[A-Z]{2}[0-9]+$", "^\\d{4}-\\d{2}-\\d{2}$", "^\\w+$", "^[-a.]*$",
                                    "^\\$?[0-9]{1,3}$", "^", "^$", "^[a-z]?[0-9]{2,}x"})
    EXPECT_TRUE(ClassRow::Parse(pattern)) << pattern;
  for (const char* const pattern : {"a", "^a*a", "^a?b?a", "^(a)", "^a|b", "^.", "^[^a]", "^\\s", "^a+?",
                                    "^é", "^[a-é]", "^a{2", "^\\b", "^[a", "^[b-a]", "^a$b", "^\\p{L}", "^*"})
    EXPECT_FALSE(ClassRow::Parse(pattern)) << pattern;
}

TEST(ClassRow, MatchesAsJavaScriptDoes) {
  std::mt19937 random(11);
  const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  constexpr std::string_view kClasses[] = {"a", "[ab]", "[a-c0]", "\\d", "\\w", "-", "[-b]", "\\.", "[\\d.]"};
  constexpr std::string_view kCounts[] = {"", "", "?", "*", "+", "{2}", "{1,2}", "{0,3}", "{2,}"};
  constexpr std::string_view kCharacters[] = {"a", "b", "c", "0", ".", "-", "_", "é"};
  int rows = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string pattern = "^";
    for (std::uint32_t n = below(4); n > 0; --n) pattern.append(kClasses[below(9)]).append(kCounts[below(9)]);
    if (below(2) == 0) pattern += '$';
    const std::optional<ClassRow> row = ClassRow::Parse(pattern);
    if (!row) continue;
    ++rows;
    const JavaScriptRegex regex(pattern, "u");
    ASSERT_EQ(regex.state(), JavaScriptRegex::State::kReady) << pattern;
    for (int t = 0; t < 10; ++t) {
      std::string text;
      for (std::uint32_t n = below(7); n > 0; --n) text += kCharacters[below(8)];
      ASSERT_EQ(row->Matches(text), regex.Test(text) == JavaScriptRegex::Search::kFound)
          << pattern << ": " << text;
    }
  }
  EXPECT_GT(rows, 1500);
}

}  // namespace
}  // namespace leafscore::internal
