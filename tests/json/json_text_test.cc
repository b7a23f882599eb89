#include "engine/json/json_text.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace leafscore::internal {
namespace {

std::string Quoted(std::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

// One byte at a time, straight from RFC 8259.
std::string SlowQuoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto short_form = std::string_view("\"\"\\\\\bb\ff\nn\rr\tt");
    bool written = false;
    for (std::size_t i = 0; i < short_form.size(); i += 2) {
      if (short_form[i] == c) {
        out += '\\';
        out += short_form[i + 1];
        written = true;
      }
    }
    if (written) continue;
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

TEST(AppendJsonString, Literals) {
  EXPECT_EQ(Quoted(""), R"("")");
  EXPECT_EQ(Quoted("plain text"), R"("plain text")");
  EXPECT_EQ(Quoted("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(Quoted("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(Quoted(std::string_view("\0\x1f\x7f", 3)), "\"\\u0000\\u001f\x7f\"");
  EXPECT_EQ(Quoted("größer 東京 😀"), "\"größer 東京 😀\"");
}

TEST(AppendJsonString, AppendsToWhatIsThere) {
  std::string out = "x: ";
  AppendJsonString(out, "y");
  EXPECT_EQ(out, "x: \"y\"");
}

TEST(AppendJsonString, EveryByteAtEveryPosition) {
  for (const char filler : {'x', ' ', '!', '#', '[', ']', '\xc3', '\xff'}) {
    for (int byte = 0; byte < 256; ++byte) {
      for (std::size_t size = 1; size <= 20; ++size) {
        for (std::size_t pos = 0; pos < size; ++pos) {
          std::string text(size, filler);
          text[pos] = static_cast<char>(byte);
          ASSERT_EQ(Quoted(text), SlowQuoted(text)) << "byte " << byte << " at " << pos << " of " << size;
        }
      }
    }
  }
}

}  // namespace
}  // namespace leafscore::internal
