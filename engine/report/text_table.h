// engine/report/text_table.h: tables of text for people, and the cells of tables for programs. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_TEXT_TABLE_H_
#define LEAFSCORE_ENGINE_REPORT_TEXT_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace leafscore::internal {

using TextRow = std::vector<std::string>;  // a text for each column

inline constexpr std::size_t kMaxNameCodePoints = 60;  // a longer name is cut, with an ellipsis

// Returns a name from the input with escapes for what cannot be seen (VisibleCodePoint), cut to
// kMaxNameCodePoints.
std::string DisplayName(std::string_view name);

// Returns the number rounded to four decimals, "-" for none.
std::string FourDecimals(std::optional<double> number);

// Appends the rows with columns aligned as a terminal shows them (DisplayWidth): the first `left_columns` to
// the left, the others (numbers) to the right. REQUIRES: at least one row, and rows of one length.
void AppendAligned(const std::vector<TextRow>& rows, std::size_t left_columns, std::string& text);

// How the fields of CSV are written.
enum class CsvFields : std::uint8_t {
  kSafe,  // spreadsheets take none for a formula: after an apostrophe where it begins like one and is no
          // number; control characters but tabs and line ends, and marks of direction, are escapes (\u001B)
  kRaw,   // as they are
};

// Appends a field of CSV (RFC 4180), valid UTF-8, in quotes only where it needs them.
void AppendCsvField(std::string& out, std::string_view text, CsvFields fields = CsvFields::kSafe);

// Cells of a table, by row and column.
using CellSet = std::set<std::pair<std::size_t, std::size_t>>;

// Appends the rows as a table in Markdown, the titles first: the first `left_columns` to the left, the others
// (numbers) to the right.
void AppendMarkdownTable(const std::vector<TextRow>& rows, std::size_t left_columns, std::string& text,
                         const CellSet& bold = {});

// Appends a cell of a table in LaTeX, valid UTF-8: what it holds is no markup, makes no ligature, and is read
// as no argument of the \\ before it. Characters beyond ASCII stay, control characters and marks of direction
// are escapes (\u001B), tabs and line ends spaces.
void AppendLatexCell(std::string& out, std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_TEXT_TABLE_H_
