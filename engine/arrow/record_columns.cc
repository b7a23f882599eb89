#include "engine/arrow/record_columns.h"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/arrow/exported.h"
#include "engine/base/suggest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

std::string_view NameOf(const ArrowSchema& field) { return field.name == nullptr ? "" : field.name; }

[[noreturn]] void ThrowDamaged(const std::string& what) {
  throw Error(ErrorCode::kInput,
              "an Arrow record batch is damaged: " + what + "; have its producer validate it");
}

template <typename... Args>
[[noreturn]] void ThrowDamagedColumn(const ArrowSchema& type, fmt::format_string<Args...> what,
                                     Args&&... args) {
  ThrowDamaged(fmt::format("column {} {}", QuoteForMessage(NameOf(type)),
                           fmt::format(what, std::forward<Args>(args)...)));
}

bool LengthsAreWrong(const ArrowArray& array) {
  return array.length < 0 || array.offset < 0 ||
         array.length > std::numeric_limits<std::int64_t>::max() - array.offset;
}

template <typename Struct>
bool IsGone(const Struct* inner) {
  return inner == nullptr || inner->release == nullptr;
}

// Checks a column, or an array within one, as CheckRecordBatch does.
void CheckArray(const ArrowSchema& type, const ArrowArray& array) {
  if (LengthsAreWrong(array)) {
    ThrowDamagedColumn(type, "has the length {} and the offset {}", array.length, array.offset);
  }
  if (array.n_buffers < 0 || (array.n_buffers > 0 && array.buffers == nullptr)) {
    ThrowDamagedColumn(type, "has {} buffers, but the pointer to them is null", array.n_buffers);
  }
  if (array.n_children != type.n_children || (array.n_children > 0 && array.children == nullptr)) {
    ThrowDamagedColumn(type, "lacks some of its {} children", type.n_children);
  }
  for (std::int64_t i = 0; i < array.n_children; ++i) {
    if (IsGone(array.children[i])) {
      ThrowDamagedColumn(type, "lacks some of its {} children", type.n_children);
    }
    CheckArray(*type.children[i], *array.children[i]);
  }
  if (type.dictionary == nullptr) {
    if (array.dictionary != nullptr) ThrowDamagedColumn(type, "has a dictionary, but its schema has none");
    return;
  }
  if (IsGone(array.dictionary)) ThrowDamagedColumn(type, "has no dictionary");
  CheckArray(*type.dictionary, *array.dictionary);
}

}  // namespace

void CheckSchema(const ArrowSchema& schema) {
  const auto check = [&](bool good, std::string_view what) {
    if (good) return;
    throw Error(ErrorCode::kInput,
                fmt::format("the Arrow schema of {} is damaged: {}; have its producer validate it",
                            QuoteForMessage(NameOf(schema)), what));
  };
  check(schema.format != nullptr, "it has no format");
  check(schema.n_children >= 0 && (schema.n_children == 0 || schema.children != nullptr),
        "the pointer to its children is null");
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    check(!IsGone(schema.children[i]), "one of its children is null");
    CheckSchema(*schema.children[i]);
  }
  if (schema.dictionary != nullptr) {
    check(!IsGone(schema.dictionary), "its dictionary was released");
    CheckSchema(*schema.dictionary);
  }
  check(schema.metadata == nullptr || MetadataBytes(schema.metadata), "its metadata have a negative size");
}

ColumnNames::ColumnNames(const ArrowSchema& schema) : schema_(schema) {
  if (std::string_view(schema.format) != "+s") {
    throw Error(ErrorCode::kUsage, fmt::format("an Arrow stream of format {} has no record batches; give "
                                               "tables or record batches, which have named columns",
                                               QuoteForMessage(schema.format)));
  }
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    ++by_name_.try_emplace(NameOf(*schema.children[i]), Columns{static_cast<std::size_t>(i)})
          .first->second.count;
  }
}

std::size_t ColumnNames::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) {
    std::vector<std::string_view> names;
    for (std::int64_t i = 0; i < schema_.n_children; ++i) names.push_back(NameOf(*schema_.children[i]));
    throw Error(ErrorCode::kUsage, UnknownNameMessage("column", name, names));
  }
  if (found->second.count > 1) {
    throw Error(ErrorCode::kUsage,
                fmt::format("more than one column is named {}; rename the others", QuoteForMessage(name)));
  }
  return found->second.first;
}

void CheckRecordBatch(const ArrowSchema& schema, const ArrowArray& batch) {
  if (batch.n_children != schema.n_children || (batch.n_children > 0 && batch.children == nullptr)) {
    ThrowDamaged(fmt::format("it has {} columns and its schema {}",
                             batch.children == nullptr ? 0 : batch.n_children, schema.n_children));
  }
  if (LengthsAreWrong(batch)) {
    ThrowDamaged(fmt::format("its length is {} and its offset {}", batch.length, batch.offset));
  }
  for (std::int64_t i = 0; i < batch.n_children; ++i) {
    const ArrowSchema& type = *schema.children[i];
    const ArrowArray* column = batch.children[i];
    if (IsGone(column)) ThrowDamaged("it has no column " + QuoteForMessage(NameOf(type)));
    CheckArray(type, *column);
    if (column->length < batch.offset + batch.length) {
      ThrowDamagedColumn(type, "has {} rows where {} are needed", column->length,
                         batch.offset + batch.length);
    }
  }
  if (batch.null_count == 0 || batch.n_buffers != 1 || batch.buffers == nullptr || !batch.buffers[0]) return;
  const auto* validity = static_cast<const std::uint8_t*>(batch.buffers[0]);
  for (std::int64_t row = batch.offset; row < batch.offset + batch.length; ++row) {
    if ((validity[row / 8] >> (row % 8) & 1) == 0) {
      throw Error(
          ErrorCode::kInput,
          fmt::format("row {} of an Arrow record batch is null as a whole; give a batch whose columns are "
                      "null instead",
                      row - batch.offset));
    }
  }
}

}  // namespace leafscore::internal
