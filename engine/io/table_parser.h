// engine/io/table_parser.h: finds the rows of a table of separated values (RFC 4180). table_source.h says
// what a row, a cell and a separator are.
//
// The parser sees the table in pieces; the rows do not depend on their sizes. It keeps only the row that it
// is reading. The first row is not handed out, because its cells become the names of the columns. Each later
// row is checked. If a row cannot be read, it has a fault: a sentence that names its place in the table and
// says why.
// THREADS: one.
#ifndef LEAFSCORE_ENGINE_IO_TABLE_PARSER_H_
#define LEAFSCORE_ENGINE_IO_TABLE_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leafscore/files.h"

namespace leafscore::internal {

// The first row of a table: the names of its columns.
class TableHeader {
 public:
  // Adds the next column, which has no name if `name` is empty.
  // RETURNS: why the name cannot be used; empty if it can.
  std::string Add(std::string_view name);

  bool empty() const { return columns_.empty(); }
  std::size_t size() const { return columns_.size(); }

  // Returns whether any column has a name.
  bool has_name() const { return !numbers_.empty(); }

  const std::string& Name(std::size_t column) const { return columns_[column].name; }

  // Returns the name as the key of a member, with its colon; empty for a column without a name.
  const std::string& Key(std::size_t column) const { return columns_[column].key; }

 private:
  struct Column {
    std::string name;
    std::string key;
  };

  std::vector<Column> columns_;
  std::map<std::string, std::size_t> numbers_;  // numbers of the columns by name, from 1
};

// A row that is being read.
struct TableRow {
  std::string texts = {};              // the texts of the cells, one after another
  std::vector<std::size_t> ends = {};  // where cells end in `texts`, for as many cells as there are columns
  std::size_t cells = 0;               // number of cells, which may be more than there are columns
  bool is_too_long = false;            // `texts` has only the beginning of the row
  bool has_quotes = false;
  std::uint64_t number = 1;  // among the rows after the first
  std::uint64_t first_line = 1;
  std::string fault = {};  // why the row cannot be read; empty if it can

  std::string_view Cell(std::size_t cell) const {
    const std::size_t begin = cell == 0 ? 0 : ends[cell - 1];
    return std::string_view(texts).substr(begin, ends[cell] - begin);
  }
  void NoteFault(std::string what) {
    if (fault.empty()) fault = std::move(what);
  }
};

class TableParser {
 public:
  // `name` is how messages call the table. A row with more than `max_row_bytes` bytes in its cells has a
  // fault; no more than these bytes are kept. REQUIRES: IsTable(format).
  TableParser(InputFormat format, std::string name, std::size_t max_row_bytes)
      : format_(format), name_(std::move(name)), max_row_bytes_(max_row_bytes) {}

  // Removes bytes from the front of `text`, which is the next piece of the table: all of them, or those up to
  // the end of a row.
  // REQUIRES: after a whole row, BeginNextRow was called; no error was thrown.
  // RETURNS:  whether row() is now whole.
  // ERRORS:   Error(kInput) if the first row does not name columns, or if rows cannot be told apart.
  // COST:     O(bytes removed).
  bool Parse(std::string_view& text);

  // As Parse, for the end of the table: its last row may lack a line end.
  bool End();

  // Returns the row that is whole. If there is no such row, returns the one that is being read, with the
  // cells that have ended; they are not checked yet.
  const TableRow& row() const { return row_; }
  // Begins the row behind the one that is whole.
  void BeginNextRow() {
    ++row_.number;
    state_ = State::kCellBegin;
    ClearRow();
  }

  // Returns the columns; there are some once the first row is whole.
  const TableHeader& header() const { return header_; }

 private:
  enum class State : std::uint8_t {
    kFirstRow,     // within the row that names the columns
    kCellBegin,    // before a cell
    kPlain,        // within a cell without quotes
    kQuoted,       // within quotes
    kQuote,        // behind a quote within quotes: the cell ends, or another quote follows
    kBehindQuote,  // in text behind the closing quote
    kRowEnd,       // behind a row that is whole
  };

  std::size_t Step(std::string_view text);
  std::size_t StepPlain(std::string_view text);
  std::size_t StepFirstRow(std::string_view text);
  bool IsRowEnd(char c) const { return c == '\n' || (c == '\r' && has_cr_rows_); }
  void AddText(std::string_view text);
  void EndCell(char end);
  void EndRow();
  void ClearRow();
  void NameColumns();
  void CheckCell(std::size_t cell);
  void CheckRow();
  std::string PlaceOfRow() const;
  std::string PlaceOfCell(std::size_t cell) const;
  [[noreturn]] void Fail(const std::string& what) const;

  InputFormat format_;
  std::string name_;
  std::size_t max_row_bytes_;
  TableHeader header_;

  State state_ = State::kFirstRow;
  char separator_ = '\t';
  // Whether CRs end rows. They do if the first row ended with a CR that no LF follows. Otherwise, LFs end
  // rows, and a CR within a cell is text.
  bool has_cr_rows_ = false;
  bool after_first_cr_ = false;
  std::size_t plain_begin_ = 0;  // where the text outside of quotes begins in row_.texts
  std::uint64_t line_ = 1;
  std::string first_row_;
  bool first_quoted_ = false;  // in the first row: within quotes
  TableRow row_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_TABLE_PARSER_H_
