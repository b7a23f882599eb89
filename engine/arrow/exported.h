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
  std::string metadata = {};  // in the interface's layout; may be empty
  std::int64_t flags = 0;
  std::vector<OwnedSchema> children = {};
  OwnedSchema dictionary = {};
};
OwnedSchema MakeSchema(SchemaParts parts);

// Returns the size of metadata in the interface's layout: a 32-bit count of pairs, then each key and value
// after its 32-bit size. RETURNS: nullopt if one of these numbers is negative. It does not check that the
// numbers are within the metadata.
std::optional<std::size_t> MetadataBytes(const char* metadata);

// Copies a schema with everything in it. REQUIRES: CheckSchema has passed it.
OwnedSchema CopySchema(const ArrowSchema& schema);

struct ArrayParts {
  std::int64_t length = 0;
  std::int64_t null_count = 0;  // -1: unknown
  std::int64_t offset = 0;
  std::vector<const void*> buffers = {};
  std::vector<OwnedArray> children = {};
  OwnedArray dictionary = {};
  std::shared_ptr<const void> owner = {};  // keeps the buffers alive
};
OwnedArray MakeArray(ArrayParts parts);

// Moves a column out of a record batch, limited to the rows of the batch, without copying its buffers. The
// other columns are released with the batch, so results that keep an id do not keep the answers in memory.
// REQUIRES: CheckRecordBatch has passed the batch; column < its number of columns, and was not taken.
OwnedArray TakeColumn(OwnedArray& batch, std::size_t column);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_ARROW_EXPORTED_H_
