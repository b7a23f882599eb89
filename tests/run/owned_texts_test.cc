#include "engine/run/owned_texts.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace leafscore::internal {
namespace {

using OptionalTexts = std::vector<std::optional<std::string>>;

OptionalTexts TextsOf(const TextColumn& column) {
  OptionalTexts texts;
  for (std::size_t i = 0; i < column.size(); ++i) {
    const auto begin = static_cast<std::size_t>(column.offset(i));
    const auto end = static_cast<std::size_t>(column.offset(i + 1));
    const std::string text(column.bytes().substr(begin, end - begin));
    texts.push_back(column.is_null(i) ? std::nullopt : std::optional(text));
  }
  return texts;
}

TEST(OwnedTexts, HoldsTextsEmptyOnesAndNulls) {
  OwnedTexts owned;
  EXPECT_EQ(owned.column().size(), 0u);
  const OptionalTexts texts = {"one", std::nullopt, "",  "naïve", std::nullopt,
                               "6",   "7",          "8", "9",     std::nullopt};
  for (const auto& text : texts) owned.Add(text);
  EXPECT_EQ(owned.size(), 10u);
  EXPECT_EQ(owned.bytes(), 13u);
  EXPECT_EQ(TextsOf(owned.column()), texts);
}

TEST(OwnedTexts, IsEmptyAfterClear) {
  OwnedTexts owned;
  owned.Add("a");
  owned.Add(std::nullopt);
  owned.Clear();
  EXPECT_EQ(owned.size(), 0u);
  EXPECT_EQ(owned.bytes(), 0u);
  owned.Add(std::nullopt);
  owned.Add("c");
  EXPECT_EQ(TextsOf(owned.column()), (OptionalTexts{std::nullopt, "c"}));
}

}  // namespace
}  // namespace leafscore::internal
