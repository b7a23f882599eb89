#include "engine/report/csv_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/json/json_writer.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kGroupColumn = "groups.";

bool IsQuotedFormula(std::string_view text) {
  const std::size_t begin = text.find_first_not_of('\'');
  return begin != 0 && begin < text.size() &&
         std::string_view("=+-@\t\r\n").find(text[begin]) != std::string_view::npos;
}

// Whether the text may have been another one, with a character in place of what looks like its escape.
bool MayBeAnother(std::string_view text) {
  const std::size_t escape = text.find("\\u");
  return escape != std::string_view::npos && text.size() >= escape + 6;
}

bool IsNumber(std::string_view text) {
  return text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
}

// Writes a cell as the member would be in JSON: a number, a verdict, details or a text.
void WriteCell(std::string_view column, const std::string& cell, JsonWriter& json) {
  json.Key(column);
  const bool is_json = ((column == "score" || column == "unexpected_share") && IsNumber(cell)) ||
                       column == "details" || cell == "true" || cell == "false";
  if (!is_json) return json.String(cell);
  std::string line = cell;
  std::ranges::replace(line, '\n', ' ');
  json.Raw(line);
}

}  // namespace

void CsvScores::Add(std::string_view bytes, std::string& lines) {
  for (const char c : bytes) {
    if (state_ == State::kQuoted) {
      if (c == '"') {
        state_ = State::kQuoteInQuoted;
      } else {
        cell_ += c;
      }
    } else if (c == '"') {
      if (state_ == State::kQuoteInQuoted) cell_ += '"';
      is_quoted_ = true;
      state_ = State::kQuoted;
    } else if (c == ',') {
      EndCell();
      state_ = State::kCell;
    } else if (c == '\n') {
      if (state_ != State::kRowBegin) EndRow(lines);
      state_ = State::kRowBegin;
    } else if (c != '\r') {  // within a cell that is not quoted there is none
      cell_ += c;
      state_ = State::kCell;
    }
  }
}

void CsvScores::EndCell() {
  const bool is_given = std::exchange(is_quoted_, false) || !cell_.empty();
  std::string cell = std::exchange(cell_, {});
  cells_.push_back(is_given ? std::optional(std::move(cell)) : std::nullopt);
}

void CsvScores::CheckCell(std::string_view column, const std::string& cell) const {
  if (fields_ == CsvFields::kRaw) return;
  if (MayBeAnother(cell)) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("the {} {} in CSV may stand for one with a character that CSV shows as an escape; "
                    "score to JSON Lines, which keep them apart",
                    column, QuoteForMessage(cell)));
  }
  if (!fields_ && IsQuotedFormula(cell)) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("without a manifest nothing tells whether the apostrophe of the {} {} was put there "
                    "to keep a spreadsheet from running it; keep the manifest, or score to JSON Lines",
                    column, QuoteForMessage(cell)));
  }
}

void CsvScores::EndRow(std::string& lines) {
  EndCell();
  std::vector<std::optional<std::string>> cells = std::exchange(cells_, {});
  if (columns_.empty()) {
    for (std::optional<std::string>& cell : cells) columns_.push_back(std::move(cell).value_or(""));
    return;
  }
  if (cells.size() != columns_.size()) {
    throw Error(ErrorCode::kInput,
                fmt::format("a row of the CSV has {} cells, and the first one names {} columns; "
                            "give files that leafscore score wrote",
                            cells.size(), columns_.size()));
  }
  JsonWriter json(lines);
  json.StartObject();
  bool has_groups = false;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const bool is_group = columns_[c].starts_with(kGroupColumn);
    const bool is_id = columns_[c] == "id";
    if (is_id && !cells[c]) cells[c] = "";
    if (!cells[c]) continue;
    if (is_group || is_id || columns_[c] == "scorer") CheckCell(columns_[c], *cells[c]);
    if (fields_ != CsvFields::kRaw && IsQuotedFormula(*cells[c])) cells[c]->erase(0, 1);
    has_groups |= is_group;
    if (!is_group) WriteCell(columns_[c], *cells[c], json);
  }
  if (has_groups) {
    json.Key("groups").StartObject();
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (!columns_[c].starts_with(kGroupColumn) || !cells[c]) continue;
      json.Key(std::string_view(columns_[c]).substr(kGroupColumn.size())).String(*cells[c]);
    }
    json.EndObject();
  }
  json.EndObject();
  lines += '\n';
}

}  // namespace leafscore::internal
