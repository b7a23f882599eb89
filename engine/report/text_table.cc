#include "engine/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "engine/base/display.h"
#include "engine/base/utf8.h"
#include "engine/report/display_width.h"
#include "engine/report/markdown_text.h"

namespace leafscore::internal {
namespace {

// OWASP, "CSV Injection". A number is none, whatever its sign.
// Apostrophes in front of a formula are told from the one that is put there by one more.
bool LooksLikeFormula(std::string_view text) {
  const std::size_t apostrophes = std::min(text.find_first_not_of('\''), text.size());
  text.remove_prefix(apostrophes);
  if (text.empty() || std::string_view("=+-@\t\r\n").find(text[0]) == std::string_view::npos) return false;
  if (apostrophes > 0) return true;
  const std::string_view number = text.substr(text[0] == '+' || text[0] == '-' ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  return error != std::errc() || end != number.data() + number.size() || !std::isdigit(number.front());
}

// Tells whether the text may hold a code point that steers a terminal or turns text, by its first bytes.
bool MayHoldControls(std::string_view text) {
  bool found = false;
  for (const char c : text) {  // all of them, which compilers do many at a time
    found |=
        (static_cast<unsigned char>(c) < ' ') | (c == '\x7F') | (c == '\xC2') | (c == '\xD8') | (c == '\xE2');
  }
  return found;
}

// Returns valid UTF-8 with such code points escaped, as in strings of JSON, but for tabs and line ends.
std::string WithoutControls(std::string_view text) {
  std::string plain;
  for (const std::string_view c : SplitCodePoints(text)) {
    const bool stays = c == "\t" || c == "\n" || c == "\r" || DisplayCodePoint(c) == c;
    plain += stays ? std::string(c) : EscapedCodePoint(c);
  }
  return plain;
}

// Returns what stands for a character in LaTeX, nothing where it stands for itself. Those of < > | ` are
// others in the encoding that fonts have unless a document asks for T1.
std::string_view LatexSpecial(char c) {
  switch (c) {
    case '\\':
      return "\\textbackslash{}";
    case '{':
      return "\\{";
    case '}':
      return "\\}";
    case '$':
      return "\\$";
    case '&':
      return "\\&";
    case '#':
      return "\\#";
    case '_':
      return "\\_";
    case '%':
      return "\\%";
    case '^':
      return "\\textasciicircum{}";
    case '~':
      return "\\textasciitilde{}";
    case '<':
      return "\\textless{}";
    case '>':
      return "\\textgreater{}";
    case '|':
      return "\\textbar{}";
    case '`':
      return "\\textasciigrave{}";
    case '\t':
    case '\n':
    case '\r':
      return " ";
    default:
      return "";
  }
}

// Likewise of the first character of a cell, which the \\ of the row before would take for its argument.
std::string_view LatexAtBegin(char c) {
  if (c == '[') return "{[}";
  if (c == '*') return "{*}";
  return LatexSpecial(c);
}

}  // namespace

std::string DisplayName(std::string_view name) {
  const std::vector<std::string_view> code_points = SplitCodePoints(name);
  const bool cut = code_points.size() > kMaxNameCodePoints;
  std::string shown;
  for (std::size_t i = 0; i < (cut ? kMaxNameCodePoints - 1 : code_points.size()); ++i) {
    shown += VisibleCodePoint(code_points[i]);
  }
  return cut ? shown + "…" : shown;
}

std::string FourDecimals(std::optional<double> number) {
  return number ? fmt::format("{:.4f}", *number) : "-";
}

void AppendAligned(const std::vector<TextRow>& rows, std::size_t left_columns, std::string& text) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const TextRow& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], DisplayWidth(row[column]));
    }
  }
  for (const TextRow& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string padding(widths[column] - DisplayWidth(row[column]), ' ');
      if (column > 0) text += "  ";
      text += column < left_columns ? row[column] + padding : padding + row[column];
    }
    text += '\n';
  }
}

void AppendCsvField(std::string& out, std::string_view text, CsvFields fields) {
  std::string plain;
  if (fields == CsvFields::kSafe && MayHoldControls(text)) text = plain = WithoutControls(text);
  const bool as_text = fields == CsvFields::kSafe && LooksLikeFormula(text);
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    if (as_text) out += '\'';
    out += text;
    return;
  }
  out += '"';
  if (as_text) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void AppendMarkdownTable(const std::vector<TextRow>& rows, std::size_t left_columns, std::string& text,
                         const CellSet& bold) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string_view mark = bold.contains({r, c}) ? "**" : "";
      (text += "| ") += mark;
      AppendMarkdownCell(text, rows[r][c]);
      (text += mark) += ' ';
    }
    text += "|\n";
    if (r > 0) continue;
    for (std::size_t c = 0; c < rows[r].size(); ++c) text += c < left_columns ? "|---" : "|---:";
    text += "|\n";
  }
}

void AppendLatexCell(std::string& out, std::string_view text) {
  const std::string plain = MayHoldControls(text) ? WithoutControls(text) : "";
  if (!plain.empty()) text = plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (i > 0 && text[i - 1] == c && std::string_view("-',").find(c) != std::string_view::npos) out += "{}";
    const std::string_view special = i == 0 ? LatexAtBegin(c) : LatexSpecial(c);
    if (special.empty()) {
      out += c;
    } else {
      out += special;
    }
  }
}

}  // namespace leafscore::internal
