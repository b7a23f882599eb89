#include "engine/arrow/column_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <memory>
#include <utility>

#include "engine/arrow/exported.h"
#include "engine/base/suggest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// The target of empty buffers, as some consumers refuse null.
alignas(64) constexpr std::byte kNothing[64] = {};

const char* FormatOf(ArrowType type) {
  switch (type) {
    case ArrowType::kNumber:
      return "g";
    case ArrowType::kBool:
      return "b";
    case ArrowType::kText:
      return "u";
    case ArrowType::kList:
      return "+l";
    case ArrowType::kStruct:
      return "+s";
  }
  return "";
}

void AppendBit(AlignedVector<std::uint8_t>& bits, std::size_t i, bool value) {
  if (i % 8 == 0) bits.push_back(0);
  bits.back() = static_cast<std::uint8_t>(bits.back() | unsigned{value} << (i % 8));
}

template <typename Value>
const void* DataOf(const AlignedVector<Value>& buffer) {
  return buffer.empty() ? static_cast<const void*>(kNothing) : buffer.data();
}

}  // namespace

OwnedSchema ExportField(const ArrowField& field) {
  SchemaParts parts{.format = FormatOf(field.type), .name = field.name};
  if (field.nullable) parts.flags = ARROW_FLAG_NULLABLE;
  for (const ArrowField& child : field.children) parts.children.push_back(ExportField(child));
  return MakeSchema(std::move(parts));
}

ColumnBuilder::ColumnBuilder(const ArrowField& field)
    : name_(field.name),
      type_(field.type),
      nullable_(field.nullable),
      children_(field.children.begin(), field.children.end()) {}

void ColumnBuilder::Reserve(std::size_t rows) {
  buffers_.validity.reserve(rows / 8 + 1);
  if (type_ == ArrowType::kNumber) buffers_.numbers.reserve(rows);
  if (type_ == ArrowType::kBool) buffers_.bits.reserve(rows / 8 + 1);
  if (has_offsets()) buffers_.offsets.reserve(rows + 1);
  if (type_ == ArrowType::kStruct) {
    for (ColumnBuilder& child : children_) child.Reserve(rows);
  }
}

void ColumnBuilder::AppendNumber(double value) {
  assert(type_ == ArrowType::kNumber);
  buffers_.numbers.push_back(value);
  AppendValidity(true);
}

void ColumnBuilder::AppendBool(bool value) {
  assert(type_ == ArrowType::kBool);
  AppendBit(buffers_.bits, rows_, value);
  AppendValidity(true);
}

void ColumnBuilder::AppendText(std::string_view text) {
  assert(type_ == ArrowType::kText);
  AppendOffset(buffers_.bytes.size() + text.size());
  buffers_.bytes.insert(buffers_.bytes.end(), text.begin(), text.end());
  AppendValidity(true);
}

void ColumnBuilder::AppendList() {
  assert(type_ == ArrowType::kList);
  AppendEmpty(true);
}

void ColumnBuilder::AppendStruct() {
  assert(type_ == ArrowType::kStruct);
  assert(
      std::all_of(children_.begin(), children_.end(), [&](auto& child) { return child.rows_ == rows_ + 1; }));
  AppendValidity(true);
}

void ColumnBuilder::AppendNull() {
  assert(nullable_);
  AppendEmpty(false);
}

void ColumnBuilder::AppendEmpty(bool valid) {
  if (type_ == ArrowType::kNumber) buffers_.numbers.push_back(0);
  if (type_ == ArrowType::kBool) AppendBit(buffers_.bits, rows_, false);
  if (type_ == ArrowType::kText) AppendOffset(buffers_.bytes.size());
  if (type_ == ArrowType::kList) AppendOffset(children_[0].rows_);
  if (type_ == ArrowType::kStruct) {
    for (ColumnBuilder& child : children_) child.AppendEmpty(true);
  }
  AppendValidity(valid);
}

void ColumnBuilder::AppendValidity(bool valid) {
  AppendBit(buffers_.validity, rows_, valid);
  ++rows_;
  if (!valid) ++nulls_;
}

void ColumnBuilder::AppendOffset(std::size_t end) {
  if (end > std::numeric_limits<std::int32_t>::max()) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("column {} of the results would hold more than 2^31 - 1 {} in one batch; give smaller "
                    "batches",
                    QuoteForMessage(name_), type_ == ArrowType::kText ? "bytes" : "elements"));
  }
  if (buffers_.offsets.empty()) buffers_.offsets.push_back(0);
  buffers_.offsets.push_back(static_cast<std::int32_t>(end));
}

OwnedArray ColumnBuilder::Finish() {
  const auto buffers = std::make_shared<const Buffers>(std::exchange(buffers_, {}));
  ArrayParts parts{.length = static_cast<std::int64_t>(std::exchange(rows_, 0)),
                   .null_count = static_cast<std::int64_t>(std::exchange(nulls_, 0)),
                   .owner = buffers};
  parts.buffers.push_back(parts.null_count == 0 ? nullptr : DataOf(buffers->validity));
  if (has_offsets()) parts.buffers.push_back(DataOf(buffers->offsets));
  if (type_ == ArrowType::kNumber) parts.buffers.push_back(DataOf(buffers->numbers));
  if (type_ == ArrowType::kBool) parts.buffers.push_back(DataOf(buffers->bits));
  if (type_ == ArrowType::kText) parts.buffers.push_back(DataOf(buffers->bytes));
  for (ColumnBuilder& child : children_) parts.children.push_back(child.Finish());
  return MakeArray(std::move(parts));
}

OwnedSchema ExportRecordSchema(std::vector<OwnedSchema> columns) {
  return MakeSchema({.format = "+s", .children = std::move(columns)});
}

OwnedArray ExportRecordBatch(std::int64_t rows, std::vector<OwnedArray> columns) {
  return MakeArray({.length = rows, .buffers = {nullptr}, .children = std::move(columns)});
}

}  // namespace leafscore::internal
