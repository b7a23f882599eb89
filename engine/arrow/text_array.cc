#include "engine/arrow/text_array.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/base/suggest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// The other types, by the start of their format.
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

constexpr std::int32_t kMaxInlineBytes = 12;

// The head of a view. A text of at most kMaxInlineBytes is stored in the view itself, after the size.
struct View {
  std::int32_t size;
  char prefix[4];
  std::int32_t buffer;
  std::int32_t offset;
};
static_assert(sizeof(View) == 16);

template <typename Value>
Value LoadAt(const char* values, std::size_t i) {
  Value value;
  std::memcpy(&value, values + i * sizeof(Value), sizeof(Value));
  return value;
}

template <typename... Args>
[[noreturn]] void ThrowDamaged(const TextType& type, fmt::format_string<Args...> what, Args&&... args) {
  throw Error(ErrorCode::kInput,
              fmt::format("the Arrow array of column {} is damaged: {}; have its producer validate it",
                          QuoteForMessage(type.column), fmt::format(what, std::forward<Args>(args)...)));
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
        fmt::format(
            "column {} holds {}, not texts; give a string column, with values of other types written as JSON",
            QuoteForMessage(column), Describe(field)));
  }
  if (!is_encoded) return {column, *layout};
  return {column, TextLayout::kIndexes, field.format[0], *layout};
}

TextArray::TextArray(const TextType& type, const ArrowArray& array, std::int64_t first, std::int64_t rows)
    : layout_(type.layout),
      index_(type.index),
      rows_(static_cast<std::size_t>(rows)),
      first_(static_cast<std::size_t>(array.offset) + static_cast<std::size_t>(first)) {
  // No buffer is so large that a pointer into it would overflow.
  constexpr auto kMaxEnd = std::numeric_limits<std::int64_t>::max() / std::int64_t{sizeof(View)};
  if (array.length < 0 || array.offset < 0 || array.length >= kMaxEnd - array.offset) {
    ThrowDamaged(type, "its length is {} and its offset {}", array.length, array.offset);
  }
  if (first > array.length || rows > array.length - first) {
    ThrowDamaged(type, "it has {} rows where {} are needed", array.length, first + rows);
  }
  if (layout_ == TextLayout::kNull) return;

  const bool is_view = layout_ == TextLayout::kViews;
  const std::int64_t buffers = layout_ == TextLayout::kIndexes ? 2 : 3;
  if (array.buffers == nullptr || (is_view ? array.n_buffers < buffers : array.n_buffers != buffers)) {
    ThrowDamaged(type, "it has {} buffers", array.n_buffers);
  }
  const std::span<const void* const> all(array.buffers, static_cast<std::size_t>(array.n_buffers));
  if (array.null_count != 0) validity_ = static_cast<const std::uint8_t*>(all[0]);
  values_ = static_cast<const char*>(all[1]);
  byte_buffers_ = all.subspan(2, is_view ? all.size() - 3 : all.size() - 2);
  if (is_view) byte_buffer_sizes_ = static_cast<const char*>(all.back());
  if (array.null_count > 0 && validity_ == nullptr) ThrowDamaged(type, "it has nulls but no bitmap of them");
  if (rows_ > 0 && values_ == nullptr) ThrowDamaged(type, "it has {} rows but no buffer of them", rows_);

  if (layout_ == TextLayout::kIndexes) {
    if (array.dictionary == nullptr) ThrowDamaged(type, "it has no dictionary");
    dictionary_ = std::make_unique<const TextArray>(TextType{type.column + "'s dictionary", type.entries},
                                                    *array.dictionary, 0, array.dictionary->length);
  }
  CheckRows(type);
}

void TextArray::CheckRows(const TextType& type) const {
  if (layout_ == TextLayout::kOffsets32 || layout_ == TextLayout::kOffsets64) return CheckOffsets(type);
  for (std::size_t row = 0; row < rows_; ++row) {
    if (IsInvalid(row)) continue;  // the contents of such a row are meaningless
    if (layout_ == TextLayout::kViews) {
      CheckView(type, row);
    } else if (IndexAt(row) >= dictionary_->size()) {
      ThrowDamaged(type, "the index of row {} is not in the dictionary of {} entries", row,
                   dictionary_->size());
    }
  }
}

void TextArray::CheckOffsets(const TextType& type) const {
  if (rows_ == 0) return;
  std::int64_t previous = OffsetAt(0);
  if (previous < 0) ThrowDamaged(type, "row 0 begins at offset {}", previous);
  for (std::size_t row = 0; row < rows_; ++row) {
    const std::int64_t end = OffsetAt(row + 1);
    if (end < previous) ThrowDamaged(type, "row {} begins at offset {} and ends at {}", row, previous, end);
    previous = end;
  }
  if (previous > 0 && byte_buffers_[0] == nullptr) ThrowDamaged(type, "it has no bytes");
}

void TextArray::CheckView(const TextType& type, std::size_t row) const {
  const View view = Load<View>(row);
  if (view.size >= 0 && view.size <= kMaxInlineBytes) return;
  const auto buffer = static_cast<std::size_t>(view.buffer);
  if (view.size < 0 || view.buffer < 0 || view.offset < 0 || buffer >= byte_buffers_.size() ||
      byte_buffers_[buffer] == nullptr || byte_buffer_sizes_ == nullptr ||
      std::int64_t{view.offset} + view.size > LoadAt<std::int64_t>(byte_buffer_sizes_, buffer)) {
    ThrowDamaged(type, "row {} has {} bytes at {} of buffer {}, which is missing", row, view.size,
                 view.offset, view.buffer);
  }
}

template <typename Value>
Value TextArray::Load(std::size_t row) const {
  return LoadAt<Value>(values_, first_ + row);
}

std::int64_t TextArray::OffsetAt(std::size_t row) const {
  return layout_ == TextLayout::kOffsets64 ? Load<std::int64_t>(row) : Load<std::int32_t>(row);
}

// Negative indexes become large ones.
std::uint64_t TextArray::IndexAt(std::size_t row) const {
  switch (index_) {
    case 'c':
      return static_cast<std::uint64_t>(Load<std::int8_t>(row));
    case 'C':
      return Load<std::uint8_t>(row);
    case 's':
      return static_cast<std::uint64_t>(Load<std::int16_t>(row));
    case 'S':
      return Load<std::uint16_t>(row);
    case 'i':
      return static_cast<std::uint64_t>(Load<std::int32_t>(row));
    case 'I':
      return Load<std::uint32_t>(row);
    default:  // 'l' and 'L'
      return Load<std::uint64_t>(row);
  }
}

bool TextArray::IsInvalid(std::size_t row) const {
  const std::size_t bit = first_ + row;
  return validity_ != nullptr && (validity_[bit / 8] >> (bit % 8) & 1) == 0;
}

bool TextArray::is_null(std::size_t row) const {
  if (layout_ == TextLayout::kNull || IsInvalid(row)) return true;
  return layout_ == TextLayout::kIndexes && dictionary_->is_null(IndexAt(row));
}

std::string_view TextArray::text(std::size_t row) const {
  const auto piece = [](const void* bytes, std::int64_t begin, std::int64_t size) {
    return std::string_view(static_cast<const char*>(bytes) + begin, static_cast<std::size_t>(size));
  };
  switch (layout_) {
    case TextLayout::kOffsets32:
    case TextLayout::kOffsets64:
      return piece(byte_buffers_[0], OffsetAt(row), OffsetAt(row + 1) - OffsetAt(row));
    case TextLayout::kViews: {
      const View view = Load<View>(row);
      if (view.size > kMaxInlineBytes) {
        return piece(byte_buffers_[static_cast<std::size_t>(view.buffer)], view.offset, view.size);
      }
      return piece(values_ + (first_ + row) * sizeof(View), offsetof(View, prefix), view.size);
    }
    case TextLayout::kIndexes:
      return dictionary_->text(IndexAt(row));
    case TextLayout::kNull:
      break;
  }
  return {};
}

std::optional<ContiguousTexts> TextArray::Contiguous() const {
  const bool wide = layout_ == TextLayout::kOffsets64;
  const std::size_t alignment = wide ? alignof(std::int64_t) : alignof(std::int32_t);
  if ((layout_ != TextLayout::kOffsets32 && !wide) ||
      reinterpret_cast<std::uintptr_t>(values_) % alignment != 0) {
    return std::nullopt;
  }
  if (rows_ == 0) return ContiguousTexts{};
  ContiguousTexts texts{.validity = validity_, .validity_offset = first_};
  texts.bytes = {static_cast<const char*>(byte_buffers_[0]), static_cast<std::size_t>(OffsetAt(rows_))};
  if (wide) {
    texts.offsets64 = {reinterpret_cast<const std::int64_t*>(values_) + first_, rows_ + 1};
  } else {
    texts.offsets32 = {reinterpret_cast<const std::int32_t*>(values_) + first_, rows_ + 1};
  }
  return texts;
}

}  // namespace leafscore::internal
