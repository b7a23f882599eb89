#include "engine/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/utf8.h"

namespace leafscore::internal {

std::string_view DisplayCodePoint(std::string_view code_point) {
  const auto first = static_cast<unsigned char>(code_point[0]);
  const bool is_c1 =
      first == 0xC2 && code_point.size() == 2 && static_cast<unsigned char>(code_point[1]) < 0xA0;
  return first < 0x20 || first == 0x7F || is_c1 ? "\uFFFD" : code_point;
}

std::string DisplayName(std::string_view name) {
  const std::vector<std::string_view> code_points = SplitCodePoints(name);
  const bool cut = code_points.size() > kMaxNameCodePoints;
  std::string shown;
  for (std::size_t i = 0; i < (cut ? kMaxNameCodePoints - 1 : code_points.size()); ++i) {
    shown += DisplayCodePoint(code_points[i]);
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
      widths[column] = std::max<std::size_t>(widths[column], CountCodePoints(row[column]));
    }
  }
  for (const TextRow& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string padding(widths[column] - CountCodePoints(row[column]), ' ');
      if (column > 0) text += "  ";
      text += column < left_columns ? row[column] + padding : padding + row[column];
    }
    text += '\n';
  }
}

void AppendCsvField(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace leafscore::internal
