// engine/arrow/column_builder.h: columns of results, built row by row and exported as Arrow arrays.
//
// A type is a tree of ArrowFields, known before there are data; a ColumnBuilder is the same tree with the
// rows so far. Texts are utf8 with 32-bit offsets: every consumer reads that, and a batch reaches its limit
// of 2^31 - 1 bytes only if its input is nearly as large. Small enumerations are plain texts, too. Buffers
// are aligned to 64 bytes, as the Arrow format recommends, and an array owns its buffers.
//
// THREADS: one at a time for each builder.
#ifndef LEAFSCORE_ENGINE_ARROW_COLUMN_BUILDER_H_
#define LEAFSCORE_ENGINE_ARROW_COLUMN_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "engine/arrow/owned.h"

namespace leafscore::internal {

enum class ArrowType : std::uint8_t {
  kNumber,  // float64
  kBool,
  kText,
  kList,
  kStruct,
};

struct ArrowField {
  std::string name;
  ArrowType type;
  bool nullable = true;
  std::vector<ArrowField> children = {};  // one for a list; the members of a struct
};

OwnedSchema ExportField(const ArrowField& field);

// Allocates at multiples of 64 bytes.
template <typename Value>
struct AlignedAllocator {
  using value_type = Value;
  static constexpr std::align_val_t kAlignment{64};
  AlignedAllocator() = default;
  template <typename Other>
  AlignedAllocator(const AlignedAllocator<Other>&) {}
  Value* allocate(std::size_t n) {
    return static_cast<Value*>(::operator new(n * sizeof(Value), kAlignment));
  }
  void deallocate(Value* values, std::size_t) { ::operator delete(values, kAlignment); }
  bool operator==(const AlignedAllocator&) const = default;
};

template <typename Value>
using AlignedVector = std::vector<Value, AlignedAllocator<Value>>;

class ColumnBuilder {
 public:
  explicit ColumnBuilder(const ArrowField& field);

  std::size_t rows() const { return rows_; }
  ColumnBuilder& child(std::size_t i) { return children_[i]; }

  // Makes room for `rows` rows, here and in the members of a struct.
  void Reserve(std::size_t rows);

  // Each appends a row to a column of its type. A list's row takes the rows that were appended to its element
  // since the last row; a struct's row takes one row of each member, appended before it.
  // REQUIRES: texts are UTF-8.
  // ERRORS: Error(kUsage) if a batch has too many texts or elements; the builder is then unusable.
  void AppendNumber(double value);
  void AppendBool(bool value);
  void AppendText(std::string_view text);
  void AppendList();
  void AppendStruct();
  // Appends a null to a nullable column of any type; the members of a struct get a placeholder.
  void AppendNull();

  // Returns the rows so far and starts again without rows.
  OwnedArray Finish();

 private:
  // Buffers that a type does not use stay empty.
  struct Buffers {
    AlignedVector<std::uint8_t> validity;
    AlignedVector<double> numbers;
    AlignedVector<std::uint8_t> bits;
    AlignedVector<std::int32_t> offsets;
    AlignedVector<char> bytes;
  };

  bool has_offsets() const { return type_ == ArrowType::kText || type_ == ArrowType::kList; }
  void AppendEmpty(bool valid);
  void AppendValidity(bool valid);
  void AppendOffset(std::size_t end);

  std::string name_;
  ArrowType type_;
  [[maybe_unused]] bool nullable_;  // for assertions
  std::size_t rows_ = 0;
  std::size_t nulls_ = 0;
  Buffers buffers_;
  std::vector<ColumnBuilder> children_;
};

// Join columns of `rows` rows each, built or shared, into a record batch.
OwnedSchema ExportRecordSchema(std::vector<OwnedSchema> columns);
OwnedArray ExportRecordBatch(std::int64_t rows, std::vector<OwnedArray> columns);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_ARROW_COLUMN_BUILDER_H_
