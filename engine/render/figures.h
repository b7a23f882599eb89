// engine/render/figures.h: describes each figure of a row once; JSON, CSV and tables are made from the
// descriptions.
//
// A list of descriptions belongs to one kind of row, such as the models of a leaderboard:
//
//   const FigureList<RankRange> figures = {{"", "model", "model", At<&RankRange::model>},
//                                       {"", "rank", "rank", At<&RankRange::rank>}};
//   WriteMembers(figures, row, json);  // "model": "a", "rank": 1
//   CsvOf(figures, rows);              // model,rank
//   TableOf(figures, rows);            // the same for people, with names cut and numbers rounded
#ifndef LEAFSCORE_ENGINE_RENDER_FIGURES_H_
#define LEAFSCORE_ENGINE_RENDER_FIGURES_H_

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/json/json_writer.h"
#include "engine/render/document.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// The value of a figure: absent, a bool, a count, a finite number, a text of any bytes, names, or an
// interval.
using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string, std::vector<std::string>,
                           Interval>;

// Returns a member as a value. A number that is not finite is absent.
template <class T>
Value AsValue(const T& member) {
  if constexpr (requires { member.has_value(); }) {
    return member ? AsValue(*member) : Value();
  } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    return static_cast<std::uint64_t>(member);
  } else if constexpr (std::floating_point<T>) {
    return std::isfinite(member) ? Value(static_cast<double>(member)) : Value();
  } else if constexpr (std::convertible_to<T, std::string_view>) {
    return std::string(std::string_view(member));
  } else {
    return member;
  }
}

template <auto kMember, auto... kMore>
auto Reach(const auto& row) {
  const auto& member = std::invoke(kMember, row);
  if constexpr (sizeof...(kMore) == 0) {
    return member;
  } else if constexpr (requires { member.has_value(); }) {
    return member ? std::optional(Reach<kMore...>(*member)) : std::nullopt;
  } else {
    return Reach<kMore...>(member);
  }
}

// Reads a member of a row, or a member of its members: At<&Row::flips, &FlipCounts::p>. If an optional on the
// way is empty, there is no value.
template <auto... kMembers>
inline constexpr auto At = [](const auto& row) { return Reach<kMembers...>(row); };

// The same for whole numbers, such as the ends of intervals of ranks.
template <auto... kMembers>
inline constexpr auto WholeAt = [](const auto& row) {
  const auto value = Reach<kMembers...>(row);
  if constexpr (requires { value.has_value(); }) {
    return value ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
  } else {
    return static_cast<std::uint64_t>(value);
  }
};

// The formats that include a figure; a table includes only figures with a title.
enum class In : std::uint8_t { kAll, kJson, kCsv, kTable };

// When a table has a column, and how it shows numbers.
enum class Column : std::uint8_t {
  kAlways,      // counts with thousands separators, other numbers with four decimals, "-" if absent
  kPercent,     // the same, with numbers as percentages
  kIfAny,       // left out if no row has a value
  kPIfAny,      // p-values, left out if no row has one
  kIfNotZero,   // left out if every value is 0 or absent
  kTextsIfAny,  // our own texts, shown as they are; an empty one is absent
};

// Whether the column of a figure adds nothing to a table (Table::idle).
enum class Idle : std::uint8_t {
  kNever,
  kCoverage,   // the share of what was asked that has a score; idle if it is 1 in each row
  kIfCovered,  // idle if that share is 1 in each row: figures over all and over the scored are equal
};

// The type of a figure in JSON Schema: "boolean", "integer", "number", "string", "array" of strings, or
// "object" for an interval.
struct ValueType {
  std::string_view name;
  bool nullable = false;
};

template <class T>
constexpr ValueType TypeOf() {
  if constexpr (requires(const T& value) { value.has_value(); }) {
    return {TypeOf<std::remove_cvref_t<decltype(*std::declval<const T&>())>>().name, true};
  } else if constexpr (std::same_as<T, bool>) {
    return {"boolean"};
  } else if constexpr (std::integral<T>) {
    return {"integer"};
  } else if constexpr (std::floating_point<T>) {
    return {"number"};
  } else if constexpr (std::convertible_to<T, std::string_view>) {
    return {"string"};
  } else if constexpr (std::same_as<T, std::vector<std::string>>) {
    return {"array"};
  } else {
    static_assert(std::same_as<T, Interval>);
    return {"object"};
  }
}

// The description of a figure, apart from how it is read.
struct FigureFacts {
  std::string group;  // its object in JSON, its prefix in CSV; may be empty
  std::string name;   // in JSON and CSV
  std::string title;  // in tables, which leave the figure out if it is empty
  Column column = Column::kAlways;
  In in = In::kAll;
  Idle idle = Idle::kNever;
  ValueType type;
};

// A figure of a row. The getter that its constructor takes may return anything that AsValue takes.
template <class Row>
struct Figure : FigureFacts {
  template <class Get>
  Figure(std::string in_group, std::string by_name, std::string with_title, Get get_member,
         Column in_column = Column::kAlways, In in_formats = In::kAll)
      : FigureFacts{std::move(in_group),
                    std::move(by_name),
                    std::move(with_title),
                    in_column,
                    in_formats,
                    Idle::kNever,
                    TypeOf<std::remove_cvref_t<std::invoke_result_t<const Get&, const Row&>>>()},
        get([get_member](const Row& row) { return AsValue(get_member(row)); }) {}

  // The figure of a part of a row; it has no value if the part is not there.
  Figure(FigureFacts of_part, std::function<Value(const Row& row)> get_of_part)
      : FigureFacts(std::move(of_part)), get(std::move(get_of_part)) {
    type.nullable = true;
  }

  std::function<Value(const Row& row)> get;
};

// Figures of one group must be adjacent.
template <class Row>
using FigureList = std::vector<Figure<Row>>;

// The figures of one kind of object in a document of JSON.
struct DescribedObject {
  std::string schema;  // where the document's JSON Schema describes it: a JSON Pointer (RFC 6901)
  std::vector<FigureFacts> figures;

  template <class Row>
  DescribedObject(std::string pointer, const FigureList<Row>& list)
      : schema(std::move(pointer)), figures(list.begin(), list.end()) {}
};

// Writes a value; a text may have any bytes.
void WriteValue(const Value& value, JsonWriter& json);

// Returns a value formatted for people.
std::string CellOf(const Value& value, Column column);

// Returns whether a value is the number 1.
bool IsOne(const Value& value);

// Returns whether a table has a column for these values.
bool IsShown(std::span<const Value> values, Column column);

// Writes the figures of a row as members of the open object; null for an absent value.
template <class Row>
void WriteMembers(const FigureList<Row>& figures, const Row& row, JsonWriter& json) {
  std::string_view group;
  for (const Figure<Row>& figure : figures) {
    if (figure.in != In::kAll && figure.in != In::kJson) continue;
    if (figure.group != group) {
      if (!group.empty()) json.EndObject();
      if (!figure.group.empty()) json.Key(figure.group).StartObject();
      group = figure.group;
    }
    WriteValue(figure.get(row), json.Key(figure.name));
  }
  if (!group.empty()) json.EndObject();
}

template <class Row>
void WriteObject(const FigureList<Row>& figures, const Row& row, JsonWriter& json) {
  json.StartObject();
  WriteMembers(figures, row, json);
  json.EndObject();
}

template <class Row, class Rows>
void WriteObjects(const FigureList<Row>& figures, const Rows& rows, JsonWriter& json) {
  json.Array(rows, [&](const Row& row) { WriteObject(figures, row, json); });
}

// WriteLine writes an object on a line of its own, whatever the layout. WriteLines writes an array of such
// objects.
template <class Row>
void WriteLine(const FigureList<Row>& figures, const Row& row, JsonWriter& json) {
  json.Line([&](JsonWriter& line) { WriteObject(figures, row, line); });
}
template <class Row, class Rows>
void WriteLines(const FigureList<Row>& figures, const Rows& rows, JsonWriter& json) {
  json.Array(rows, [&](const Row& row) { WriteLine(figures, row, json); });
}

// Adds the figures of a part of a row to the figures of the row, with a prefix in CSV. part(row) is a pointer
// or an optional; if it is empty, these figures are absent.
template <class Row, class Part, class GetPart>
void AddPartFigures(std::string_view prefix, const FigureList<Part>& of_part, GetPart part,
                    FigureList<Row>& figures) {
  for (const Figure<Part>& figure : of_part) {
    const auto get = [part, get_figure = figure.get](const Row& row) {
      const auto& found = part(row);
      return found ? get_figure(*found) : Value();
    };
    Figure<Row>& added = figures.emplace_back(figure, get);
    (added.group.empty() ? added.name : added.group).insert(0, prefix);
  }
}

// A CSV table with a line of titles. Rows may be of several kinds, each with some of the columns.
class CsvTable {
 public:
  explicit CsvTable(std::vector<std::string> titles);

  // Adds a row; columns that are not in its figures are empty. REQUIRES: the figures are columns of the
  // table.
  template <class Row>
  void Add(const FigureList<Row>& figures, const Row& row) {
    std::vector<Value> values(titles_.size());
    auto at = titles_.begin();
    for (const Figure<Row>& figure : figures) {
      if (!IsInCsv(figure)) continue;
      const std::string title = TitleOf(figure);
      at = std::find(at, titles_.end(), title);
      if (at == titles_.end()) at = std::ranges::find(titles_, title);
      values[static_cast<std::size_t>(at - titles_.begin())] = figure.get(row);
    }
    AddValues(values);
  }

  const std::string& text() const { return text_; }

  template <class Row>
  static std::vector<std::string> TitlesOf(const FigureList<Row>& figures) {
    std::vector<std::string> titles;
    for (const Figure<Row>& figure : figures) {
      if (IsInCsv(figure)) titles.push_back(TitleOf(figure));
    }
    return titles;
  }

 private:
  static bool IsInCsv(const auto& figure) { return figure.in == In::kAll || figure.in == In::kCsv; }
  static std::string TitleOf(const auto& figure) {
    return figure.group.empty() ? figure.name : figure.group + "_" + figure.name;
  }
  void AddValues(std::span<const Value> values);

  std::vector<std::string> titles_;
  std::string text_;
};

template <class Row, class Rows>
std::string CsvOf(const FigureList<Row>& figures, const Rows& rows) {
  CsvTable table(CsvTable::TitlesOf(figures));
  for (const Row& row : rows) table.Add(figures, row);
  return table.text();
}

// Returns the rows as a table, with a column for each figure that the table shows, idle ones included.
template <class Row, class Rows>
Table TableOf(const FigureList<Row>& figures, const Rows& rows, std::size_t left_columns = 1) {
  Table table{.rows = std::vector<TextRow>(1 + std::size(rows)), .left_columns = left_columns};
  bool is_covered = false;
  for (const Figure<Row>& figure : figures) {
    if (figure.title.empty() || (figure.in != In::kAll && figure.in != In::kTable)) continue;
    std::vector<Value> values;
    for (const Row& row : rows) values.push_back(figure.get(row));
    if (!IsShown(values, figure.column)) continue;
    if (figure.idle != Idle::kNever) table.idle.push_back(table.rows[0].size());
    if (figure.idle == Idle::kCoverage) is_covered = std::ranges::all_of(values, IsOne);
    table.rows[0].push_back(figure.title);
    for (std::size_t r = 0; r < values.size(); ++r) {
      table.rows[r + 1].push_back(CellOf(values[r], figure.column));
    }
  }
  if (!is_covered) table.idle.clear();
  return table;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RENDER_FIGURES_H_
