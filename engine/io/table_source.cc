#include "engine/io/table_source.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/utf8.h"
#include "engine/io/table_parser.h"
#include "engine/json/json_text.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kTablePieceBytes = 64 << 10;
constexpr std::size_t kMostReadyBytes = 256 << 10;  // no further row is read while this many bytes are ready

class TableSource final : public ByteSource {
 public:
  TableSource(std::unique_ptr<ByteSource> table, TableParser parser, EmptyCells empty)
      : table_(std::move(table)), parser_(std::move(parser)), empty_(empty) {}

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) override;
  bool is_compressed() const override { return table_->is_compressed(); }
  std::uint64_t consumed_bytes() const noexcept override { return table_->consumed_bytes(); }

 private:
  bool ReadPiece(Deadline deadline);
  void Pass();
  void WriteRow();
  void WriteCells(const TableRow& row);

  std::unique_ptr<ByteSource> table_;
  TableParser parser_;
  EmptyCells empty_;

  std::vector<char> piece_;     // bytes of the table
  std::string_view unread_;     // the part of piece_ that was not looked at
  std::string ready_;           // lines
  std::size_t taken_ = 0;       // bytes of ready_ that were taken
  bool has_ended_ = false;      // the table ended
  std::exception_ptr problem_;  // why reading ended, once ready_ is taken
  bool is_of_table_ = false;    // the problem is that the table cannot be read
  bool passes_ = false;         // after any other problem, bytes are passed on as they are
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
      if (parser_.Parse(unread_)) WriteRow();
    }
    if (has_ended_ && parser_.End()) WriteRow();
  } catch (const Error&) {
    problem_ = std::current_exception();
    unread_ = {};
  }
  // Write the unfinished row, so that the reader of the lines sees that the last record is cut off.
  const TableRow& row = parser_.row();
  if (problem_ != nullptr && !parser_.header().empty() && !row.ends.empty()) WriteCells(row);
}

// Writes the line of a row that is whole.
void TableSource::WriteRow() {
  const TableRow& row = parser_.row();
  if (!row.fault.empty()) {
    ready_ += kBrokenRowMark;
    ready_ += row.fault;
    ready_ += '\0';
  }
  WriteCells(row);
  ready_ += "}\n";
  parser_.BeginNextRow();
}

// Writes the object of the readable cells, without its closing brace.
void TableSource::WriteCells(const TableRow& row) {
  char before = '{';
  for (std::size_t c = 0; c < row.ends.size(); ++c) {
    const std::string_view text = row.Cell(c);
    const std::string& key = parser_.header().Key(c);
    if (key.empty() || (text.empty() && empty_ == EmptyCells::kAbsent)) continue;
    ready_ += std::exchange(before, ',');
    ready_ += key;
    if (text.empty()) {
      ready_ += "null";
    } else if (row.fault.empty()) {
      AppendJsonString(ready_, text);
    } else {
      AppendJsonString(ready_, ReplaceInvalidUtf8(text));
    }
  }
  if (before == '{') ready_ += '{';
}

}  // namespace

std::unique_ptr<ByteSource> LinesOfTable(std::unique_ptr<ByteSource> table, InputFormat format,
                                         std::string name, std::size_t max_row_bytes, EmptyCells empty) {
  return std::make_unique<TableSource>(std::move(table), TableParser(format, std::move(name), max_row_bytes),
                                       empty);
}

}  // namespace leafscore::internal
