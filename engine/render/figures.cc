#include "engine/render/figures.h"

#include <fmt/format.h>

#include "engine/base/utf8.h"
#include "engine/render/cells.h"
#include "engine/render/csv.h"

namespace leafscore::internal {
namespace {

template <class... Visit>
struct Visitor : Visit... {
  using Visit::operator()...;
};
template <class... Visit>
Visitor(Visit...) -> Visitor<Visit...>;

// Returns the names one after another, each as show(name).
std::string JoinNames(const std::vector<std::string>& names, std::string (*show)(std::string_view)) {
  std::string text;
  for (const std::string& name : names) (text += text.empty() ? "" : "; ") += show(name);
  return text;
}

void AppendCsvValue(const Value& value, std::string& csv) {
  std::visit(Visitor{[](std::monostate) {}, [&](bool truth) { csv += truth ? "true" : "false"; },
                     [&](std::uint64_t count) { JsonWriter(csv).Integer(count); },
                     [&](double number) { JsonWriter(csv).Number(number); },
                     [&](const std::string& text) { AppendCsvField(csv, ReplaceInvalidUtf8(text)); },
                     [&](const std::vector<std::string>& names) {
                       AppendCsvField(csv, JoinNames(names, ReplaceInvalidUtf8));
                     },
                     [&](const Interval& ends) {
                       JsonWriter(csv).Number(ends.low);
                       JsonWriter(csv += " to ").Number(ends.high);
                     }},
             value);
}

}  // namespace

void WriteValue(const Value& value, JsonWriter& json) {
  std::visit(
      Visitor{[&](std::monostate) { json.Null(); }, [&](bool truth) { json.Bool(truth); },
              [&](std::uint64_t count) { json.Integer(count); }, [&](double number) { json.Number(number); },
              [&](const std::string& text) { json.LossyString(text); },
              [&](const std::vector<std::string>& names) { json.LossyStrings(names); },
              [&](const Interval& ends) {
                json.Object([&] {
                  json.Key("low").Number(ends.low);
                  json.Key("high").Number(ends.high);
                });
              }},
      value);
}

std::string CellOf(const Value& value, Column column) {
  return std::visit(
      Visitor{[](std::monostate) -> std::string { return "-"; },
              [](bool truth) -> std::string { return truth ? "yes" : "no"; },
              [](std::uint64_t count) { return WithThousands(count); },
              [&](double number) {
                if (column == Column::kPercent) return fmt::format("{:.2f}%", 100 * number);
                return column == Column::kPIfAny ? PValue(number) : FourDecimals(number);
              },
              [&](const std::string& text) {
                if (column != Column::kTextsIfAny) return DisplayName(text);
                return text.empty() ? "-" : text;
              },
              [](const std::vector<std::string>& names) {
                return names.empty() ? "-" : JoinNames(names, DisplayName);
              },
              [](const Interval& ends) { return FourDecimals(ends.low) + " to " + FourDecimals(ends.high); }},
      value);
}

bool IsOne(const Value& value) {
  const double* const number = std::get_if<double>(&value);
  return number != nullptr && *number == 1;
}

bool IsShown(std::span<const Value> values, Column column) {
  if (column == Column::kAlways || column == Column::kPercent) return true;
  return std::ranges::any_of(values, [&](const Value& value) {
    if (column == Column::kTextsIfAny) return CellOf(value, column) != "-";
    const auto* const count = std::get_if<std::uint64_t>(&value);
    const bool is_zero = count != nullptr && *count == 0;
    return value.index() != 0 && (column != Column::kIfNotZero || !is_zero);
  });
}

CsvTable::CsvTable(std::vector<std::string> titles) : titles_(std::move(titles)) {
  for (const std::string& title : titles_) {
    if (&title != titles_.data()) text_ += ',';
    AppendCsvField(text_, title);
  }
  text_ += '\n';
}

void CsvTable::AddValues(std::span<const Value> values) {
  for (const Value& value : values) {
    if (&value != values.data()) text_ += ',';
    AppendCsvValue(value, text_);
  }
  text_ += '\n';
}

}  // namespace leafscore::internal
