#include "engine/report/score_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/json/compact_text.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_scalar.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/render/cells.h"
#include "engine/render/document.h"
#include "engine/render/edit_marks.h"
#include "engine/scores/score_line.h"

namespace leafscore::internal {
namespace {

struct Member {
  std::string_view key;
  NodeId value;
};

bool IsExpected(std::string_view key) { return key == "expected" || key == "gold_value"; }
bool IsActual(std::string_view key) { return key == "actual" || key == "model_value"; }

class LedgerWriter {
 public:
  explicit LedgerWriter(std::string_view line) : reader_(&shapes_, kScoreLineJson) {
    reader_.Begin(line, /*lines=*/false, &table_);
    root_ = reader_.Read(0, static_cast<std::uint32_t>(line.size())).root;
  }

  // RETURNS: the ledger, with its marks not yet rendered.
  std::string Write();

 private:
  // The columns of a table are in this order, and columns of one kind are in order of appearance.
  enum class ColumnKind { kName, kExpected, kActual, kText, kNumber };
  struct Column {
    ColumnKind kind;
    std::string_view key;
  };

  std::vector<Member> Members(NodeId object) const;
  bool IsTable(NodeId value) const;
  std::vector<Column> Columns(NodeId rows) const;
  void AppendTable(NodeId rows);
  std::string Json(NodeId value) const;
  std::string Text(NodeId value) const;

  ShapeTable shapes_;
  LeafTable table_;
  JsonReader reader_;
  NodeId root_;
  std::string out_;
};

std::vector<Member> LedgerWriter::Members(NodeId object) const {
  std::vector<Member> members;
  NodeId value = object + 1;
  for (const std::string_view key : shapes_.Keys(table_.shape(object))) {
    members.push_back({key, value});
    value = table_.end(value);
  }
  return members;
}

bool LedgerWriter::IsTable(NodeId value) const {
  if (table_.kind(value) != ValueKind::kArray || table_.end(value) == value + 1) return false;
  bool has_columns = false;
  for (NodeId row = value + 1; row != table_.end(value); row = table_.end(row)) {
    if (table_.kind(row) != ValueKind::kObject) return false;
    has_columns |= table_.end(row) != row + 1;
  }
  return has_columns;
}

std::string LedgerWriter::Json(NodeId value) const {
  std::string text;
  AppendStandardJson(table_, shapes_, value, text);
  return text;
}

// Returns a value as a cell: numbers in their most readable form, texts without quotes.
std::string LedgerWriter::Text(NodeId value) const {
  if (table_.kind(value) == ValueKind::kNumber) {
    const std::string_view token = table_.token(value);
    const bool is_whole = token.find_first_not_of("-0123456789") == std::string_view::npos;
    return is_whole ? std::string(token) : fmt::format("{:.4f}", ParseNumber(token));
  }
  std::string text;
  AppendValueText(table_, shapes_, value, text);
  return DisplayName(text);
}

std::vector<LedgerWriter::Column> LedgerWriter::Columns(NodeId rows) const {
  std::vector<Column> columns;
  for (NodeId row = rows + 1; row != table_.end(rows); row = table_.end(row)) {
    for (const auto& [key, value] : Members(row)) {
      if (std::ranges::find(columns, key, &Column::key) != columns.end()) continue;
      const bool is_number = table_.kind(value) == ValueKind::kNumber;
      columns.push_back({IsExpected(key)   ? ColumnKind::kExpected
                         : IsActual(key)   ? ColumnKind::kActual
                         : columns.empty() ? ColumnKind::kName
                         : is_number       ? ColumnKind::kNumber
                                           : ColumnKind::kText,
                         key});
    }
  }
  std::ranges::stable_sort(columns, {}, &Column::kind);
  return columns;
}

void LedgerWriter::AppendTable(NodeId rows) {
  const std::vector<Column> columns = Columns(rows);
  const bool has_share = columns[0].key == "path";
  const auto left_columns = static_cast<std::size_t>(std::ranges::count_if(
      columns, [](const Column& column) { return column.kind != ColumnKind::kNumber; }));
  std::vector<TextRow> table(1);
  for (const Column& column : columns) table[0].push_back(DisplayName(column.key));
  std::vector<double> weights;
  double all_weights = 0;
  for (NodeId row = rows + 1; row != table_.end(rows); row = table_.end(row)) {
    const std::vector<Member> members = Members(row);
    TextRow& cells = table.emplace_back(columns.size());
    std::string* expected = nullptr;
    std::string* actual = nullptr;
    double weight = 1;
    for (const auto& [key, value] : members) {
      std::string& cell =
          cells[static_cast<std::size_t>(std::ranges::find(columns, key, &Column::key) - columns.begin())];
      const bool is_value = IsExpected(key) || IsActual(key);
      cell = is_value ? Json(value) : Text(value);
      if (IsExpected(key)) expected = &cell;
      if (IsActual(key)) actual = &cell;
      if (key == "weight" && table_.kind(value) == ValueKind::kNumber)
        weight = ParseNumber(table_.token(value));
    }
    // A value without a counterpart is shown as it is.
    if (expected != nullptr || actual != nullptr) {
      const std::string& one = expected != nullptr ? *expected : *actual;
      const MarkedTexts marked =
          MarkEdits(expected != nullptr ? *expected : one, actual != nullptr ? *actual : one);
      if (expected != nullptr) *expected = marked.expected;
      if (actual != nullptr) *actual = marked.actual;
    }
    weights.push_back(weight);
    all_weights += weight;
  }
  if (has_share) {
    table[0].emplace_back("share");
    for (std::size_t r = 0; r < weights.size(); ++r) {
      table[r + 1].push_back(all_weights > 0 ? fmt::format("{:.1f}%", 100 * weights[r] / all_weights) : "-");
    }
  }
  AppendTextTable({.rows = std::move(table), .left_columns = left_columns}, out_);
}

std::string LedgerWriter::Write() {
  std::vector<Member> rest;
  for (const auto& [key, value] : Members(root_)) {
    if (key == "id" || key == "id_from" || key == "groups" || key == "of_other_kind" ||
        key == "unexpected_share")
      continue;
    if (key == "scorer") {
      out_ += Text(value);
    } else if (key == "outcome") {
      const std::string outcome = Text(value);
      out_ += outcome == "scored" ? ":" : ": " + outcome;
    } else if (key == "score") {
      out_ += ' ' + Text(value);
    } else if (key == "passed") {
      out_ += table_.kind(value) == ValueKind::kTrue ? ", passed" : ", failed";
    } else if (key == "causes" || key == "unwrapped") {
      const char* separator = key == "causes" ? "; " : "; unwrapped: ";
      for (NodeId name = value + 1; name != table_.end(value); name = table_.end(name)) {
        out_ += std::exchange(separator, ", ") + Text(name);
      }
    } else if (key == "details") {
      for (const Member& detail : Members(value)) rest.push_back(detail);
    } else {
      rest.push_back({key, value});
    }
  }
  out_ += '\n';
  for (const Member& member : rest) {
    if (IsTable(member.value)) AppendTable(member.value);
  }
  for (const Member& member : rest) {
    if (!IsTable(member.value)) out_ += fmt::format("{}: {}\n", DisplayName(member.key), Text(member.value));
  }
  return std::move(out_);
}

}  // namespace

std::string RenderLedger(std::string_view line, bool colour) {
  return RenderMarks(LedgerWriter(line).Write(), colour);
}

}  // namespace leafscore::internal
