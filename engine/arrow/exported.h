// engine/arrow/exported.h: makes the structs of the Arrow C data interface that we export. Each owns its
// children, which a consumer may move out, and frees them and itself when it is released. Stateless; any
// thread may call.
#ifndef LEAFSCORE_ENGINE_ARROW_EXPORTED_H_
#define LEAFSCORE_ENGINE_ARROW_EXPORTED_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/arrow/owned.h"

namespace leafscore::internal {

struct SchemaParts {
  std::string format;
  std::string name = {};
  std::string metadata = {};  // as the interface lays it out; empty: none
  std::int64_t flags = 0;
  std::vector<OwnedSchema> children = {};
  OwnedSchema dictionary = {};
};
OwnedSchema MakeSchema(SchemaParts parts);

// Returns the size of metadata as the interface lays them out: a 32-bit count of pairs, and each key and
// value behind its 32-bit size. Nothing when one of these is negative; that they are no larger than the
// metadata is trusted.
std::optional<std::size_t> MetadataBytes(const char* metadata);

// Copies a schema with everything in it. REQUIRES: CheckSchema has passed it.
OwnedSchema CopySchema(const ArrowSchema& schema);

struct ArrayParts {
  std::int64_t length = 0;
  std::int64_t null_count = 0;  // -1: not known
  std::int64_t offset = 0;
  std::vector<const void*> buffers = {};
  std::vector<OwnedArray> children = {};
  OwnedArray dictionary = {};
  std::shared_ptr<const void> owner = {};  // keeps the buffers alive
};
OwnedArray MakeArray(ArrayParts parts);

// Exports a column of a record batch again, without copying its buffers: the rows that belong to the batch.
// The batch is released only after all such columns.
// REQUIRES: CheckRecordBatch has passed the batch; column < its number of columns.
OwnedArray ShareColumn(const std::shared_ptr<const OwnedArray>& batch, std::size_t column);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_ARROW_EXPORTED_H_
