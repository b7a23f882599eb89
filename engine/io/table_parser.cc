#include "engine/io/table_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/base/utf8.h"
#include "engine/io/input_format.h"
#include "engine/io/record_splitter.h"
#include "engine/json/json_text.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

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

}  // namespace

std::string TableHeader::Add(std::string_view name) {
  const std::size_t number = columns_.size() + 1;
  if (name.find('\0') != name.npos || FindInvalidUtf8(name) != name.size()) {
    return fmt::format("the name of column {} is not UTF-8 text; write the table as UTF-8", number);
  }
  Column& added = columns_.emplace_back(std::string(name), "");
  if (name.empty()) return "";
  const auto [same, is_new] = numbers_.try_emplace(added.name, number);
  if (!is_new) {
    return fmt::format("columns {} and {} both have the name {}; rename one", same->second, number,
                       QuoteForMessage(name));
  }
  AppendJsonString(added.key, name);
  added.key += ':';
  return "";
}

bool TableParser::Parse(std::string_view& text) {
  while (!text.empty() && state_ != State::kRowEnd) {
    if (std::exchange(after_first_cr_, false) && text.front() == '\n') {
      has_cr_rows_ = false;
      text.remove_prefix(1);
    } else {
      text.remove_prefix(Step(text));
    }
  }
  return state_ == State::kRowEnd;
}

bool TableParser::End() {
  if (state_ == State::kFirstRow && first_row_.empty()) return false;
  if (state_ == State::kFirstRow) {
    if (first_quoted_)
      Fail("a quote in the first row is never closed; write each quote inside a name as two");
    StepFirstRow("\n");
    if (header_.empty()) return false;  // there was only a byte order mark
  }
  if (state_ == State::kQuoted) {
    Fail(
        fmt::format("{}: the quote that opens this cell is never closed, so the rows cannot be told apart; "
                    "close it, and write each quote inside a cell as two",
                    PlaceOfCell(row_.cells)));
  }
  // A CR in a plain cell that ends the table is part of the line end.
  if (state_ != State::kPlain) plain_begin_ = row_.texts.size();
  if (state_ == State::kCellBegin && row_.cells == 0) return false;
  EndCell('\n');
  return state_ == State::kRowEnd;
}

// Takes some of the text: at least one byte, unless only the state changes. RETURNS: the number of bytes
// taken.
std::size_t TableParser::Step(std::string_view text) {
  switch (state_) {
    case State::kFirstRow:
      return StepFirstRow(text);
    case State::kCellBegin:
      plain_begin_ = row_.texts.size();
      if (text.front() != '"') {
        state_ = State::kPlain;
        return StepPlain(text);
      }
      row_.has_quotes = true;
      state_ = State::kQuoted;
      return 1;
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
      plain_begin_ = row_.texts.size();
      if (text.front() == separator_ || IsLineBreak(text.front())) {
        state_ = State::kPlain;
        return StepPlain(text);
      }
      state_ = State::kBehindQuote;
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
    case State::kRowEnd:
      return 0;
  }
  return text.size();
}

std::size_t TableParser::StepPlain(std::string_view text) {
  const auto end = std::ranges::find_if(text, [&](char c) { return c == separator_ || IsRowEnd(c); });
  const auto size = static_cast<std::size_t>(end - text.begin());
  AddText(text.substr(0, size));
  if (size == text.size()) return size;
  const bool is_empty_line = row_.cells == 0 && row_.texts.empty() && !row_.has_quotes;
  if (has_cr_rows_ && *end == '\n' && !header_.empty() && !is_empty_line) {
    Fail(fmt::format(
        "{}: the first row ends with CR and this one with LF, so the rows cannot be told apart; let all "
        "end alike, and put cells with line breaks into quotes",
        PlaceOfRow()));
  }
  EndCell(*end);
  return size + 1;
}

// Keeps the first row until it is whole, because the separator is known only then.
std::size_t TableParser::StepFirstRow(std::string_view text) {
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
    row_.first_line = ++line_;
    return size + 1;
  }
  NameColumns();
  return size + 1;
}

void TableParser::AddText(std::string_view text) {
  if (row_.is_too_long) return;
  const std::size_t room = max_row_bytes_ - row_.texts.size();
  row_.is_too_long = text.size() > room;
  row_.texts += text.substr(0, room);
}

void TableParser::EndCell(char end) {
  if (end == '\n' && row_.texts.size() > plain_begin_ && row_.texts.back() == '\r') row_.texts.pop_back();
  ++row_.cells;
  if (header_.empty() || row_.ends.size() < header_.size()) {
    row_.ends.push_back(row_.texts.size());
  } else {
    row_.texts.resize(row_.ends.back());
  }
  state_ = State::kCellBegin;
  if (end != separator_) EndRow();
}

// Finds the faults of a row that is whole. Skips an empty line.
void TableParser::EndRow() {
  ++line_;
  if (header_.empty()) {  // the caller takes the names
    state_ = State::kRowEnd;
    return;
  }
  const bool is_empty_line = row_.cells == 1 && row_.texts.empty() && !row_.has_quotes;
  if (is_empty_line) {
    ClearRow();
    return;
  }
  CheckRow();
  for (std::size_t c = 0; c < row_.ends.size(); ++c) CheckCell(c);
  state_ = State::kRowEnd;
}

void TableParser::ClearRow() {
  row_.texts.clear();
  row_.ends.clear();
  row_.cells = 0;
  row_.is_too_long = row_.has_quotes = false;
  row_.first_line = line_;
  row_.fault.clear();
}

// Takes the names of the columns from the first row.
void TableParser::NameColumns() {
  if (const std::string fault = TableFault(first_row_); !fault.empty()) Fail(fault);
  if (format_ == InputFormat::kCsv) separator_ = SeparatorOf(first_row_);
  const std::string row = std::exchange(first_row_, {}) + '\n';
  state_ = State::kCellBegin;
  std::string_view rest = row;
  while (!rest.empty() && state_ != State::kRowEnd) rest.remove_prefix(Step(rest));
  if (state_ != State::kRowEnd || !rest.empty()) {  // a quote within a name hid where the row ends
    Fail("a quote in the first row is never closed; write each quote inside a name as two");
  }
  state_ = State::kCellBegin;
  const TableRow names = std::exchange(row_, {});
  if (!names.fault.empty()) Fail("in the first row, which names the columns, text follows a closing quote");
  for (std::size_t c = 0; c < names.ends.size(); ++c) {
    if (const std::string fault = header_.Add(names.Cell(c)); !fault.empty()) Fail(fault);
  }
  if (!header_.has_name()) {
    Fail("the first row names no column; put the names of the fields there");
  }
  ClearRow();
}

void TableParser::CheckCell(std::size_t cell) {
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
void TableParser::CheckRow() {
  if (row_.is_too_long) {
    row_.fault = fmt::format(
        "{} has more than {} bytes; give a higher --max-line-bytes (and --memory), or close "
        "a quote that was left open",
        PlaceOfRow(), max_row_bytes_);
    while (!row_.ends.empty() && row_.ends.back() == max_row_bytes_) row_.ends.pop_back();  // cut off
  } else if (row_.cells != header_.size()) {
    row_.NoteFault(
        fmt::format("{} has {} cell{}, but the first row names {} column{}; quote each cell that holds "
                    "a separator, a quote or a line break",
                    PlaceOfRow(), row_.cells, row_.cells == 1 ? "" : "s", header_.size(),
                    header_.size() == 1 ? "" : "s"));
  }
}

std::string TableParser::PlaceOfRow() const {
  const std::uint64_t last = std::max(row_.first_line, line_ - (state_ == State::kCellBegin ? 1 : 0));
  if (last == row_.first_line) return fmt::format("row {} (line {})", row_.number, row_.first_line);
  return fmt::format("row {} (lines {} to {})", row_.number, row_.first_line, last);
}

std::string TableParser::PlaceOfCell(std::size_t cell) const {
  if (header_.empty()) return "the first row";
  if (cell >= header_.size() || header_.Name(cell).empty()) {
    return fmt::format("{}, column {}", PlaceOfRow(), cell + 1);
  }
  return fmt::format("{}, column {}", PlaceOfRow(), QuoteForMessage(header_.Name(cell)));
}

void TableParser::Fail(const std::string& what) const {
  throw Error(ErrorCode::kInput, fmt::format("{}: {}", name_, what));
}

}  // namespace leafscore::internal
