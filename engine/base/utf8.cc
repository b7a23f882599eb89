#include "engine/base/utf8.h"

#include "engine/base/bytes.h"

namespace leafscore::internal {

std::uint32_t CountCodePoints(std::string_view text) {
  std::uint32_t count = 0;
  for (const char byte : text) count += !IsContinuation(byte);
  return count;
}

std::vector<std::string_view> SplitCodePoints(std::string_view text) {
  std::vector<std::string_view> code_points;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = CodePointEnd(text, begin);
    code_points.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  return code_points;
}

std::string_view ClipText(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end > 0 && IsContinuation(text[end])) --end;
  return text.substr(0, end);
}

char* WriteUtf8(std::uint32_t code_point, char* out) {
  const auto write = [&](std::uint32_t byte) { *out++ = static_cast<char>(byte); };
  if (code_point < 0x80) {
    write(code_point);
  } else if (code_point < 0x800) {
    write(0xc0 | code_point >> 6);
    write(0x80 | (code_point & 0x3f));
  } else if (code_point < 0x10000) {
    write(0xe0 | code_point >> 12);
    write(0x80 | (code_point >> 6 & 0x3f));
    write(0x80 | (code_point & 0x3f));
  } else {
    write(0xf0 | code_point >> 18);
    write(0x80 | (code_point >> 12 & 0x3f));
    write(0x80 | (code_point >> 6 & 0x3f));
    write(0x80 | (code_point & 0x3f));
  }
  return out;
}

void AppendUtf8(std::uint32_t code_point, std::string& text) {
  char bytes[4];
  text.append(bytes, WriteUtf8(code_point, bytes));
}
std::size_t FindInvalidUtf8(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  std::size_t i = 0;
  while (i < text.size()) {
    // Eight bytes at a time while all are ASCII.
    while (i + 8 <= text.size() && (LoadWord64(text.data() + i) & 0x8080808080808080) == 0) i += 8;
    if (i == text.size()) break;
    // The ranges are from the Unicode Standard, table 3-7.
    const unsigned lead = byte(i);
    const unsigned second = byte(i + 1);
    std::size_t length = 0;
    if (lead < 0x80) {
      length = 1;
    } else if (lead >= 0xc2 && lead <= 0xdf) {
      length = continues(i + 1) ? 2 : 0;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      const unsigned low = lead == 0xe0 ? 0xa0 : 0x80;
      const unsigned high = lead == 0xed ? 0x9f : 0xbf;
      length = second >= low && second <= high && continues(i + 2) ? 3 : 0;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      const unsigned low = lead == 0xf0 ? 0x90 : 0x80;
      const unsigned high = lead == 0xf4 ? 0x8f : 0xbf;
      length = second >= low && second <= high && continues(i + 2) && continues(i + 3) ? 4 : 0;
    }
    if (length == 0) return i;
    i += length;
  }
  return i;
}

std::string ReplaceInvalidUtf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const std::size_t end = FindInvalidUtf8(text);
    valid += text.substr(0, end);
    text.remove_prefix(end);
    if (text.empty()) break;
    valid += "\uFFFD";
    text.remove_prefix(1);
  }
  return valid;
}

}  // namespace leafscore::internal
