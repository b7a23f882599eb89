#include "engine/corpus/json_tree.h"

#include <algorithm>

#include "engine/base/utf8.h"
#include "engine/json/json_text.h"

namespace leafscore::internal::corpus {
namespace {

void AppendUtf16Escape(std::string& out, std::uint32_t unit) {
  constexpr char kHex[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(unit >> shift) & 15];
}

// Appends the code point's escape, a surrogate pair where it takes one.
void AppendCodePointEscape(std::string& out, std::string_view utf8) {
  const auto lead = static_cast<unsigned char>(utf8[0]);
  std::uint32_t code_point = lead & (0x7f >> utf8.size());
  for (const char c : utf8.substr(1)) code_point = (code_point << 6) | (static_cast<unsigned char>(c) & 0x3f);
  if (code_point < 0x10000) {
    AppendUtf16Escape(out, code_point);
  } else {
    AppendUtf16Escape(out, 0xd800 + ((code_point - 0x10000) >> 10));
    AppendUtf16Escape(out, 0xdc00 + (code_point & 0x3ff));
  }
}

void AppendString(std::string& out, std::string_view text, Escaping escaping) {
  const std::size_t begin = out.size();
  AppendJsonString(out, text);
  if (escaping == Escaping::kMinimal) return;

  // The minimal form holds what the other forms escape as it is in the text: rewrite it from there on.
  const auto needs_escape = [escaping](char c) {
    return escaping == Escaping::kSlashes ? c == '/' : static_cast<unsigned char>(c) >= 0x80;
  };
  const auto first = std::find_if(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), needs_escape);
  if (first == out.end()) return;
  const std::string rest(first, out.end());
  out.erase(first, out.end());
  for (std::size_t pos = 0; pos < rest.size();) {
    const std::size_t bytes = CodePointEnd(rest, pos) - pos;
    if (!needs_escape(rest[pos])) {
      out.append(rest, pos, bytes);
    } else if (rest[pos] == '/') {
      out += "\\/";
    } else {
      AppendCodePointEscape(out, std::string_view(rest).substr(pos, bytes));
    }
    pos += bytes;
  }
}

class Writer {
 public:
  Writer(std::string& out, JsonStyle style)
      : out_(out), style_(style), is_indented_(style.spacing == Spacing::kIndented) {}

  void Write(const JsonValue& value) {
    switch (value.kind) {
      case JsonKind::kString:
        AppendString(out_, value.text, style_.escaping);
        break;
      case JsonKind::kObject:
        WriteChildren(value, '{', '}');
        break;
      case JsonKind::kArray:
        WriteChildren(value, '[', ']');
        break;
      default:
        out_ += value.text;
    }
  }

 private:
  void WriteChildren(const JsonValue& value, char open, char close) {
    out_ += open;
    ++depth_;
    bool is_first = true;
    for (const JsonValue& child : value.children) {
      if (!is_first) out_ += style_.spacing == Spacing::kPython ? ", " : ",";
      is_first = false;
      if (is_indented_) NewLine();
      if (open == '{') {
        AppendString(out_, child.key, style_.escaping);
        out_ += style_.spacing == Spacing::kCompact ? ":" : ": ";
      }
      Write(child);
    }
    --depth_;
    if (is_indented_ && !is_first) NewLine();
    out_ += close;
  }

  void NewLine() {
    out_ += '\n';
    out_.append(2 * depth_, ' ');
  }

  std::string& out_;
  const JsonStyle style_;
  const bool is_indented_;
  std::size_t depth_ = 0;
};

}  // namespace

void AppendJson(std::string& out, const JsonValue& value, JsonStyle style) {
  Writer(out, style).Write(value);
}

}  // namespace leafscore::internal::corpus
