#include "arrow/arrow_testing.h"
#include "engine/arrow/text_array.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

TextType Read(const TestSchema& schema) {
  int releases = 0;
  const OwnedSchema exported = Export(schema, &releases);
  return ReadTextType(*exported);
}

std::string Refusal(const TestSchema& schema) {
  try {
    Read(schema);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kUsage);
    return e.what();
  }
  return "accepted";
}

TEST(TextTypeTest, EveryTypeOfText) {
  const std::pair<const char*, TextLayout> types[] = {
      {"n", TextLayout::kNull},      {"u", TextLayout::kOffsets32}, {"z", TextLayout::kOffsets32},
      {"U", TextLayout::kOffsets64}, {"Z", TextLayout::kOffsets64}, {"vu", TextLayout::kViews},
      {"vz", TextLayout::kViews},
  };
  for (const auto& [format, layout] : types) {
    const TextType plain = Read({.format = format, .name = "answer"});
    EXPECT_EQ(plain.column, "answer");
    EXPECT_EQ(plain.layout, layout) << format;
    EXPECT_EQ(plain.index, '\0');
    for (const char index : std::string("cCsSiIlL")) {
      const TextType encoded =
          Read({.format = {index}, .name = "answer", .dictionary = {{.format = format}}});
      EXPECT_EQ(encoded.layout, TextLayout::kIndexes);
      EXPECT_EQ(encoded.entries, layout) << format << index;
      EXPECT_EQ(encoded.index, index);
    }
  }
}

TEST(TextTypeTest, AFieldNeedsNoName) {
  ArrowSchema field{};
  field.format = "u";
  EXPECT_EQ(ReadTextType(field).column, "");
}

TEST(TextTypeTest, NamesTheColumnAndItsType) {
  const auto message = [](const std::string& type) {
    return "column \"age\" holds " + type +
           ", not texts; give a string column, with values of other types written as JSON";
  };
  const auto refusal = [](const char* format) { return Refusal({.format = format, .name = "age"}); };
  EXPECT_EQ(refusal("l"), message("int64 (Arrow format \"l\")"));
  EXPECT_EQ(refusal("d:19,10"), message("decimal (Arrow format \"d:19,10\")"));
  EXPECT_EQ(refusal("tsu:Europe/Oslo"), message("timestamp (Arrow format \"tsu:Europe/Oslo\")"));
  EXPECT_EQ(refusal("+l"), message("list (Arrow format \"+l\")"));
  EXPECT_EQ(refusal("+r"), message("run_end_encoded (Arrow format \"+r\")"));
  EXPECT_EQ(refusal("?"), message("Arrow format \"?\""));
  EXPECT_EQ(refusal(""), message("Arrow format \"\""));
  EXPECT_EQ(Refusal({.format = "c", .name = "age", .dictionary = {{.format = "g"}}}),
            message("a dictionary of double (Arrow format \"g\")"));
  EXPECT_EQ(Refusal({.format = "f", .name = "age", .dictionary = {{.format = "u"}}}),
            message("a dictionary with indexes of float (Arrow format \"f\")"));
  EXPECT_EQ(
      Refusal(
          {.format = "c", .name = "age", .dictionary = {{.format = "c", .dictionary = {{.format = "u"}}}}}),
      message("a dictionary of a dictionary of Arrow format \"u\""));
}

}  // namespace
}  // namespace leafscore::internal
