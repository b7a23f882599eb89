#include "engine/run/column_texts.h"

#include <cstddef>
#include <string_view>

#include "engine/base/bytes.h"
#include "engine/base/limits.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

std::vector<std::uint32_t> ReadTexts(const TextColumn& column, TextFormat format, JsonReader& reader,
                                     ColumnValues& values, std::vector<NodeId>& roots,
                                     std::vector<JsonResult>& results) {
  constexpr std::size_t kShortText = 512;  // mean bytes
  std::vector<std::uint32_t> unreadable;
  if (column.size() == 0) return unreadable;
  const std::int64_t base = column.offset(0);
  const std::string_view texts = column.bytes().substr(
      static_cast<std::size_t>(base), static_cast<std::size_t>(column.offset(column.size()) - base));
  const bool as_lines = format != TextFormat::kText && texts.size() < kShortText * column.size();
  if (as_lines) {
    std::string& lines = values.lines;
    lines.clear();
    lines.reserve(texts.size() + column.size() + kTextPadding);
    for (std::uint32_t i = 0; i < column.size(); ++i) {
      const auto begin = static_cast<std::size_t>(column.offset(i) - base);
      lines.append(texts, begin, static_cast<std::size_t>(column.offset(i + 1) - base) - begin) += '\n';
    }
    lines.append(kTextPadding, '\0');
    reader.Begin(std::string_view(lines).substr(0, lines.size() - kTextPadding), /*lines=*/true,
                 &values.table);
  } else {
    reader.Begin(texts, /*lines=*/false, &values.table);
  }
  for (std::uint32_t i = 0; i < column.size(); ++i) {
    JsonResult& parsed = results[i];
    if (column.is_null(i) || parsed.reason != RejectReason::kNone) continue;
    if (static_cast<std::uint64_t>(column.offset(i + 1) - column.offset(i)) > kMaxLineBytes.max) {
      parsed.reason = RejectReason::kLineTooLong;
      parsed.message = "the text is longer than 1 GiB";
      unreadable.push_back(i);
      continue;
    }
    const std::uint32_t line_ends = as_lines ? i : 0;  // before this text
    const auto begin = static_cast<std::uint32_t>(column.offset(i) - base) + line_ends;
    const auto end = static_cast<std::uint32_t>(column.offset(i + 1) - base) + line_ends;
    parsed = format == TextFormat::kText ? reader.ReadText(begin, end) : reader.Read(begin, end);
    if (format == TextFormat::kJsonOrText && parsed.reason == RejectReason::kInvalidJson) {
      parsed = reader.ReadText(begin, end);
    }
    roots[i] = parsed.root;
    if (parsed.reason != RejectReason::kNone) {
      parsed.offset -= begin;
      unreadable.push_back(i);
    }
  }
  return unreadable;
}

}  // namespace leafscore::internal
