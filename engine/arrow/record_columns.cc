#include "engine/arrow/record_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/base/suggest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

std::string_view NameOf(const ArrowSchema& field) { return field.name == nullptr ? "" : field.name; }

[[noreturn]] void ThrowDamaged(const std::string& what) {
  throw Error(ErrorCode::kInput,
              "an Arrow record batch is damaged: " + what + "; have its producer validate it");
}

}  // namespace

std::size_t FindColumn(const ArrowSchema& schema, std::string_view name) {
  if (std::string_view(schema.format) != "+s") {
    throw Error(ErrorCode::kUsage,
                fmt::format("an Arrow stream of format {} holds no record batches; give one of "
                            "tables or record batches, which have named columns",
                            QuoteForMessage(schema.format)));
  }
  std::vector<std::string_view> names;
  for (std::int64_t i = 0; i < schema.n_children; ++i) names.push_back(NameOf(*schema.children[i]));
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw Error(ErrorCode::kUsage, UnknownNameMessage("column", name, names));
  if (std::find(found + 1, names.end(), name) != names.end()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("more than one column is named {}; rename the others", QuoteForMessage(name)));
  }
  return static_cast<std::size_t>(found - names.begin());
}

void CheckRecordBatch(const ArrowSchema& schema, const ArrowArray& batch) {
  if (batch.n_children != schema.n_children) {
    ThrowDamaged(fmt::format("it has {} columns and its schema {}", batch.n_children, schema.n_children));
  }
  if (batch.length < 0 || batch.offset < 0 ||
      batch.length > std::numeric_limits<std::int64_t>::max() - batch.offset) {
    ThrowDamaged(fmt::format("its length is {} and its offset {}", batch.length, batch.offset));
  }
  for (std::int64_t i = 0; i < batch.n_children; ++i) {
    const ArrowArray* column = batch.children[i];
    const std::string name = QuoteForMessage(NameOf(*schema.children[i]));
    if (column == nullptr || column->release == nullptr) ThrowDamaged("it has no column " + name);
    if (column->length < batch.offset + batch.length) {
      ThrowDamaged(fmt::format("column {} has {} rows where {} are needed", name, column->length,
                               batch.offset + batch.length));
    }
  }
  if (batch.null_count == 0 || batch.n_buffers != 1 || batch.buffers[0] == nullptr) return;
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
