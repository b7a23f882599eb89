#include "engine/io/table_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/base/utf8.h"
#include "engine/io/input_format.h"
#include "engine/io/record_splitter.h"
#include "engine/json/json_text.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kTablePieceBytes = 64 << 10;
constexpr std::size_t kMostReadyBytes = 256 << 10;  // no further row is read while this many bytes are ready
constexpr std::size_t kMaxFirstRowBytes = 1 << 20;

bool IsLineBreak(char c) { return c == '\n' || c == '\r'; }

// Returns the separator that is most frequent in a first row, outside of quotes. If several are equally
// frequent, returns the first one in kSeparators.
char SeparatorOf(std::string_view row) {
  constexpr std::string_view kSeparators = ",;\t";
  std::array<std::size_t, kSeparators.size()> counts = {};
  bool is_quoted = false;
  for (const char c : row) {
    if (c == '"') is_quoted = !is_quoted;
    const std::size_t separator = is_quoted ? kSeparators.npos : kSeparators.find(c);
    if (separator != kSeparators.npos) ++counts[separator];
  }
  return kSeparators[static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin())];
}

struct TableColumn {
  std::string name;
  std::string key;  // the name as the key of a member; empty for a column without a name
};

// A row that is being read.
struct TableRow {
  std::string texts = {};              // the texts of the cells, one after another
  std::vector<std::size_t> ends = {};  // where cells end in `texts`, for as many cells as there are columns
  std::size_t cells = 0;               // number of cells, which may be more than there are columns
  bool is_too_long = false;            // `texts` has only the beginning of the row
  bool has_quotes = false;
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

class TableSource final : public ByteSource {
 public:
  TableSource(std::unique_ptr<ByteSource> table, InputFormat format, std::string name,
              std::size_t max_row_bytes, EmptyCells empty)
      : table_(std::move(table)),
        format_(format),
        name_(std::move(name)),
        max_row_bytes_(max_row_bytes),
        empty_(empty) {}

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) override;
  bool is_compressed() const override { return table_->is_compressed(); }
  std::uint64_t consumed_bytes() const noexcept override { return table_->consumed_bytes(); }

 private:
  enum class State : std::uint8_t {
    kFirstRow,     // within the row that names the columns
    kCellBegin,    // before a cell
    kPlain,        // within a cell without quotes
    kQuoted,       // within quotes
    kQuote,        // behind a quote within quotes: the cell ends, or another quote follows
    kBehindQuote,  // in text behind the closing quote
  };

  bool ReadPiece(Deadline deadline);
  void Pass();
  std::size_t Step(std::string_view text);
  std::size_t StepPlain(std::string_view text);
  std::size_t StepFirstRow(std::string_view text);
  bool IsRowEnd(char c) const { return c == '\n' || (c == '\r' && has_cr_rows_); }
  void AddText(std::string_view text);
  void EndCell(char end);
  void EndRow();
  void BeginRow();
  void End();

  void NameColumns();
  void AddColumn(std::string_view column);
  std::string PlaceOfRow() const;
  std::string PlaceOfCell(std::size_t cell) const;
  void CheckCell(std::size_t cell);
  void CheckRow();
  void WriteRow();
  void WriteCells();
  [[noreturn]] void Fail(const std::string& what) const;

  std::unique_ptr<ByteSource> table_;
  InputFormat format_;
  std::string name_;
  std::size_t max_row_bytes_;
  EmptyCells empty_;

  std::vector<char> piece_;     // bytes of the table
  std::string_view unread_;     // the part of piece_ that was not looked at
  std::string ready_;           // lines
  std::size_t taken_ = 0;       // bytes of ready_ that were taken
  bool has_ended_ = false;      // the table ended
  std::exception_ptr problem_;  // why reading ended, once ready_ is taken
  bool is_of_table_ = false;    // the problem is that the table cannot be read
  bool passes_ = false;         // after any other problem, bytes are passed on as they are

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
  std::vector<TableColumn> columns_;
  std::map<std::string, std::size_t> numbers_;  // numbers of the columns by name, from 1
  std::uint64_t rows_ = 0;                      // rows before this one, without the first
  TableRow row_;
};

std::optional<std::size_t> TableSource::ReadUntil(std::span<std::byte> out, Deadline deadline) {
  if (passes_) return table_->ReadUntil(out, deadline);
  while (taken_ == ready_.size()) {
    ready_.clear();
    taken_ = 0;
    if (problem_ != nullptr) {
      if (!is_of_table_) passes_ = true;
      std::rethrow_exception(is_of_table_ ? problem_ : std::exchange(problem_, nullptr));
    }
    if (unread_.empty() && has_ended_) return 0;
    if (unread_.empty() && !ReadPiece(deadline)) return std::nullopt;
    Pass();
  }
  const std::size_t size = std::min(out.size(), ready_.size() - taken_);
  std::memcpy(out.data(), ready_.data() + taken_, size);
  taken_ += size;
  return size;
}

// Reads the next piece. RETURNS: false if nothing came by the deadline.
bool TableSource::ReadPiece(Deadline deadline) {
  piece_.resize(kTablePieceBytes);
  try {
    const std::optional<std::size_t> size =
        table_->ReadUntil(std::as_writable_bytes(std::span(piece_)), deadline);
    if (!size) return false;
    unread_ = {piece_.data(), *size};
    has_ended_ = *size == 0;
  } catch (const Error&) {
    problem_ = std::current_exception();
    is_of_table_ = true;
  }
  return true;
}

// Turns what was read into lines, but stops once enough of them are ready.
void TableSource::Pass() {
  try {
    while (!unread_.empty() && ready_.size() < kMostReadyBytes) {
      if (std::exchange(after_first_cr_, false) && unread_.front() == '\n') {
        has_cr_rows_ = false;
        unread_.remove_prefix(1);
      } else {
        unread_.remove_prefix(Step(unread_));
      }
    }
    if (has_ended_) End();
  } catch (const Error&) {
    problem_ = std::current_exception();
    unread_ = {};
  }
  // Write the unfinished row, so that the reader of the lines sees that the last record is cut off.
  if (problem_ != nullptr && !columns_.empty() && !row_.ends.empty()) WriteCells();
}

// Takes some of the text: at least one byte, unless only the state changes. RETURNS: the number of bytes
// taken.
std::size_t TableSource::Step(std::string_view text) {
  switch (state_) {
    case State::kFirstRow:
      return StepFirstRow(text);
    case State::kCellBegin:
      state_ = text.front() == '"' ? State::kQuoted : State::kPlain;
      row_.has_quotes |= state_ == State::kQuoted;
      plain_begin_ = row_.texts.size();
      return state_ == State::kQuoted ? 1 : 0;
    case State::kQuoted: {
      const std::size_t size = std::min(text.find('"'), text.size());
      AddText(text.substr(0, size));
      line_ += static_cast<std::uint64_t>(std::ranges::count(text.substr(0, size), '\n'));
      if (size == text.size()) return size;
      state_ = State::kQuote;
      return size + 1;
    }
    case State::kQuote:
      if (text.front() == '"') {
        AddText("\"");
        state_ = State::kQuoted;
        return 1;
      }
      state_ = text.front() == separator_ || IsLineBreak(text.front()) ? State::kPlain : State::kBehindQuote;
      plain_begin_ = row_.texts.size();
      return 0;
    case State::kBehindQuote:
      if (line_ != row_.first_line) {
        Fail(
            fmt::format("{}: text follows the closing quote of a cell with several lines, so the rows cannot "
                        "be told apart; "
                        "write each quote inside a cell as two",
                        PlaceOfCell(row_.cells)));
      }
      row_.NoteFault(fmt::format("{}: text follows the closing quote; write each quote inside a cell as two",
                                 PlaceOfCell(row_.cells)));
      state_ = State::kPlain;
      return 0;
    case State::kPlain:
      return StepPlain(text);
  }
  return text.size();
}

std::size_t TableSource::StepPlain(std::string_view text) {
  const auto end = std::ranges::find_if(text, [&](char c) { return c == separator_ || IsRowEnd(c); });
  const auto size = static_cast<std::size_t>(end - text.begin());
  AddText(text.substr(0, size));
  if (size == text.size()) return size;
  const bool is_empty_line = row_.cells == 0 && row_.texts.empty() && !row_.has_quotes;
  if (has_cr_rows_ && *end == '\n' && !columns_.empty() && !is_empty_line) {
    Fail(fmt::format(
        "{}: the first row ends with CR and this one with LF, so the rows cannot be told apart; let all "
        "end alike, and put cells with line breaks into quotes",
        PlaceOfRow()));
  }
  EndCell(*end);
  return size + 1;
}

// Keeps the first row until it is whole, because the separator is known only then.
std::size_t TableSource::StepFirstRow(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size() && (first_quoted_ || !IsLineBreak(text[size]))) {
    if (text[size] == '"') first_quoted_ = !first_quoted_;
    ++size;
  }
  first_row_ += text.substr(0, size);
  if (first_row_.size() > kMaxFirstRowBytes) {
    Fail(fmt::format("the first row, which names the columns, has more than {} bytes", kMaxFirstRowBytes));
  }
  if (size == text.size()) return size;
  has_cr_rows_ = after_first_cr_ = text[size] == '\r';
  if (first_row_.starts_with(kByteOrderMark)) first_row_.erase(0, kByteOrderMark.size());
  if (first_row_.empty()) {
    ++line_;
    return size + 1;
  }
  NameColumns();
  return size + 1;
}

void TableSource::AddText(std::string_view text) {
  if (row_.is_too_long) return;
  const std::size_t room = max_row_bytes_ - row_.texts.size();
  row_.is_too_long = text.size() > room;
  row_.texts += text.substr(0, room);
}

void TableSource::EndCell(char end) {
  if (end == '\n' && row_.texts.size() > plain_begin_ && row_.texts.back() == '\r') row_.texts.pop_back();
  ++row_.cells;
  if (columns_.empty() || row_.ends.size() < columns_.size()) {
    row_.ends.push_back(row_.texts.size());
  } else {
    row_.texts.resize(row_.ends.back());
  }
  state_ = State::kCellBegin;
  if (end != separator_) EndRow();
}

void TableSource::EndRow() {
  ++line_;
  if (columns_.empty()) return;  // the caller takes the names
  const bool is_empty_line = row_.cells == 1 && row_.texts.empty() && !row_.has_quotes;
  if (!is_empty_line) WriteRow();
  BeginRow();
}

void TableSource::BeginRow() {
  row_.texts.clear();
  row_.ends.clear();
  row_.cells = 0;
  row_.is_too_long = row_.has_quotes = false;
  row_.first_line = line_;
  row_.fault.clear();
}

// Ends the table: its last row may lack a line end.
void TableSource::End() {
  if (state_ == State::kFirstRow && first_row_.empty()) return;
  if (state_ == State::kFirstRow) {
    if (first_quoted_)
      Fail("a quote in the first row is never closed; write each quote inside a name as two");
    StepFirstRow("\n");
  }
  if (state_ == State::kQuoted) {
    Fail(
        fmt::format("{}: the quote that opens this cell is never closed, so the rows cannot be told apart; "
                    "close it, and write each quote inside a cell as two",
                    PlaceOfCell(row_.cells)));
  }
  if (state_ == State::kCellBegin && row_.cells == 0) return;
  EndCell('\n');
}

// Takes the names of the columns from the first row.
void TableSource::NameColumns() {
  if (const std::string fault = TableFault(first_row_); !fault.empty()) Fail(fault);
  if (format_ == InputFormat::kCsv) separator_ = SeparatorOf(first_row_);
  const std::string row = std::exchange(first_row_, {}) + '\n';
  state_ = State::kCellBegin;
  for (std::string_view rest = row; !rest.empty();) rest.remove_prefix(Step(rest));
  const TableRow names = std::exchange(row_, {});
  if (!names.fault.empty()) Fail("in the first row, which names the columns, text follows a closing quote");
  for (std::size_t c = 0; c < names.ends.size(); ++c) AddColumn(names.Cell(c));
  if (std::ranges::all_of(columns_, [](const TableColumn& column) { return column.name.empty(); })) {
    Fail("the first row names no column; put the names of the fields there");
  }
  BeginRow();
}

void TableSource::AddColumn(std::string_view column) {
  const std::size_t number = columns_.size() + 1;
  if (column.find('\0') != column.npos || FindInvalidUtf8(column) != column.size()) {
    Fail(fmt::format("the name of column {} is not UTF-8 text; write the table as UTF-8", number));
  }
  TableColumn& added = columns_.emplace_back(std::string(column), "");
  if (column.empty()) return;
  const auto [same, is_new] = numbers_.try_emplace(added.name, number);
  if (!is_new) {
    Fail(fmt::format("columns {} and {} both have the name {}; rename one", same->second, number,
                     QuoteForMessage(column)));
  }
  AppendJsonString(added.key, column);
  added.key += ':';
}

std::string TableSource::PlaceOfRow() const {
  const std::uint64_t last = std::max(row_.first_line, line_ - (state_ == State::kCellBegin ? 1 : 0));
  if (last == row_.first_line) return fmt::format("row {} (line {})", rows_ + 1, row_.first_line);
  return fmt::format("row {} (lines {} to {})", rows_ + 1, row_.first_line, last);
}

std::string TableSource::PlaceOfCell(std::size_t cell) const {
  if (columns_.empty()) return "the first row";
  if (cell >= columns_.size() || columns_[cell].name.empty()) {
    return fmt::format("{}, column {}", PlaceOfRow(), cell + 1);
  }
  return fmt::format("{}, column {}", PlaceOfRow(), QuoteForMessage(columns_[cell].name));
}

void TableSource::CheckCell(std::size_t cell) {
  const std::string_view text = row_.Cell(cell);
  if (text.find('\0') != text.npos) {
    row_.NoteFault(PlaceOfCell(cell) + ": a cell must not hold NUL bytes; write the table as UTF-8 text");
  } else if (FindInvalidUtf8(text) != text.size()) {
    row_.NoteFault(PlaceOfCell(cell) +
                   ": this is not UTF-8; write the table as UTF-8 (iconv -f LATIN1 -t UTF-8, " +
                   "if it is Latin 1)");
  }
}

// Finds what is wrong with this row as a whole.
void TableSource::CheckRow() {
  if (row_.is_too_long) {
    row_.fault = fmt::format(
        "{} has more than {} bytes; give a higher --max-line-bytes (and --memory), or close "
        "a quote that was left open",
        PlaceOfRow(), max_row_bytes_);
    while (!row_.ends.empty() && row_.ends.back() == max_row_bytes_) row_.ends.pop_back();  // cut off
  } else if (row_.cells != columns_.size()) {
    row_.NoteFault(
        fmt::format("{} has {} cell{}, but the first row names {} column{}; quote each cell that holds "
                    "a separator, a quote or a line break",
                    PlaceOfRow(), row_.cells, row_.cells == 1 ? "" : "s", columns_.size(),
                    columns_.size() == 1 ? "" : "s"));
  }
}

// Writes the line of this row.
void TableSource::WriteRow() {
  CheckRow();
  for (std::size_t c = 0; c < row_.ends.size(); ++c) CheckCell(c);
  if (!row_.fault.empty()) {
    ready_ += kBrokenRowMark;
    ready_ += row_.fault;
    ready_ += '\0';
  }
  WriteCells();
  ready_ += "}\n";
  ++rows_;
}

// Writes the object of the readable cells, without its closing brace.
void TableSource::WriteCells() {
  char before = '{';
  for (std::size_t c = 0; c < row_.ends.size(); ++c) {
    const std::string_view text = row_.Cell(c);
    if (columns_[c].key.empty() || (text.empty() && empty_ == EmptyCells::kAbsent)) continue;
    ready_ += std::exchange(before, ',');
    ready_ += columns_[c].key;
    if (text.empty()) {
      ready_ += "null";
    } else if (row_.fault.empty()) {
      AppendJsonString(ready_, text);
    } else {
      AppendJsonString(ready_, ReplaceInvalidUtf8(text));
    }
  }
  if (before == '{') ready_ += '{';
}

void TableSource::Fail(const std::string& what) const {
  throw Error(ErrorCode::kInput, fmt::format("{}: {}", name_, what));
}

}  // namespace

std::unique_ptr<ByteSource> LinesOfTable(std::unique_ptr<ByteSource> table, InputFormat format,
                                         std::string name, std::size_t max_row_bytes, EmptyCells empty) {
  return std::make_unique<TableSource>(std::move(table), format, std::move(name), max_row_bytes, empty);
}

}  // namespace leafscore::internal
