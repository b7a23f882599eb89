#include "engine/render/look_alikes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/render/cells.h"

namespace leafscore::internal {
namespace {

TEST(LookAlikes, DifferentNamesThatRenderTheSameAreSpelledOut) {
  const auto note = [](const std::string& spelled) {
    return "These names look alike but differ: " + spelled + "\n";
  };
  // Cyrillic and Greek letters; a non-breaking hyphen and space; one letter, or a letter and its accent.
  EXPECT_EQ(LookAlikeNotes({"gpt-4o", "\u0433pt-4o", "gpt-4\u043E"}), note(R"("gpt-4o", "gpt-4\u043E")"));
  EXPECT_EQ(LookAlikeNotes({"\u039Fpus", "Opus"}), note(R"("Opus", "\u039Fpus")"));
  EXPECT_EQ(LookAlikeNotes({"a-b c", "a\u2011b\u00A0c"}), note(R"("a-b c", "a\u2011b\u00A0c")"));
  EXPECT_EQ(LookAlikeNotes({"caf\u00E9", "cafe\u0301"}), note(R"("cafe\u0301", "caf\u00E9")"));
  // Cut at the same place.
  const std::string common(60, 'x');
  EXPECT_EQ(LookAlikeNotes({common + "1", common + "2"}), note("\"" + common + "1\", \"" + common + "2\""));
}

TEST(LookAlikes, NamesThatAreShownApartNeedNoNote) {
  EXPECT_EQ(LookAlikeNotes({}), "");
  EXPECT_EQ(LookAlikeNotes({"a", "a"}), "");  // one name
  EXPECT_EQ(LookAlikeNotes({"gpt-4", "gpt-4o", "l", "I", "1"}), "");
  // An invisible character is shown as an escape.
  EXPECT_EQ(DisplayName("gpt\u200B-4"), "gpt\\u200B-4");
  EXPECT_EQ(LookAlikeNotes({"gpt-4", "gpt\u200B-4"}), "");
  // A name may hold the escape itself.
  EXPECT_EQ(LookAlikeNotes({"a\u200B", "a\\u200B"}),
            "These names look alike but differ: \"a\\\\u200B\", \"a\\u200B\"\n");
}

}  // namespace
}  // namespace leafscore::internal
