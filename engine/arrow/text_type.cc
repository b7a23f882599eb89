#include "engine/arrow/text_type.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "engine/base/suggest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// The other types, by what their formats begin with.
constexpr std::pair<std::string_view, std::string_view> kTypeNames[] = {
    {"b", "bool"},
    {"c", "int8"},
    {"C", "uint8"},
    {"s", "int16"},
    {"S", "uint16"},
    {"i", "int32"},
    {"I", "uint32"},
    {"l", "int64"},
    {"L", "uint64"},
    {"e", "float16"},
    {"f", "float"},
    {"g", "double"},
    {"d:", "decimal"},
    {"w:", "fixed_size_binary"},
    {"td", "date"},
    {"tt", "time"},
    {"ts", "timestamp"},
    {"tD", "duration"},
    {"ti", "interval"},
    {"+l", "list"},
    {"+L", "large_list"},
    {"+v", "list_view"},
    {"+w", "fixed_size_list"},
    {"+s", "struct"},
    {"+m", "map"},
    {"+u", "union"},
    {"+r", "run_end_encoded"},
};

std::string TypeName(std::string_view format) {
  for (const auto& [begin, name] : kTypeNames) {
    if (format.starts_with(begin)) return fmt::format("{} (Arrow format {})", name, QuoteForMessage(format));
  }
  return fmt::format("Arrow format {}", QuoteForMessage(format));
}

std::optional<TextLayout> LayoutOf(std::string_view format) {
  if (format == "n") return TextLayout::kNull;
  if (format == "u" || format == "z") return TextLayout::kOffsets32;
  if (format == "U" || format == "Z") return TextLayout::kOffsets64;
  if (format == "vu" || format == "vz") return TextLayout::kViews;
  return std::nullopt;
}

bool IsIndex(std::string_view format) {
  return format.size() == 1 && std::string_view("cCsSiIlL").find(format) != std::string_view::npos;
}

std::string Describe(const ArrowSchema& field) {
  if (field.dictionary == nullptr) return TypeName(field.format);
  if (!IsIndex(field.format)) return "a dictionary with indexes of " + TypeName(field.format);
  return "a dictionary of " + Describe(*field.dictionary);
}

}  // namespace

TextType ReadTextType(const ArrowSchema& field) {
  const bool is_encoded = field.dictionary != nullptr;
  const ArrowSchema& texts = is_encoded ? *field.dictionary : field;
  const std::string column = field.name == nullptr ? "" : field.name;
  const std::optional<TextLayout> layout = LayoutOf(texts.format);
  if (!layout || texts.dictionary != nullptr || (is_encoded && !IsIndex(field.format))) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("column {} holds {} and no texts; give a string column, with values of other types "
                    "written as JSON",
                    QuoteForMessage(column), Describe(field)));
  }
  if (!is_encoded) return {column, *layout};
  return {column, TextLayout::kIndexes, field.format[0], *layout};
}

}  // namespace leafscore::internal
