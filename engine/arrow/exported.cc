#include "engine/arrow/exported.h"

#include <cstring>
#include <utility>

namespace leafscore::internal {
namespace {

// The target of a struct's private_data.
template <typename Struct, typename Parts>
struct Exported {
  // Moves the parts into `out`, sets the members that schemas and arrays have in common, and returns the
  // parts.
  static Parts& Hold(Struct& out, Parts&& parts) {
    auto exported = std::make_unique<Exported>(std::move(parts));
    for (Owned<Struct>& child : exported->parts.children) exported->children.push_back(child.get());
    out.n_children = static_cast<std::int64_t>(exported->children.size());
    out.children = exported->children.data();
    out.dictionary = exported->parts.dictionary ? exported->parts.dictionary.get() : nullptr;
    out.release = &Release;
    out.private_data = exported.get();
    return exported.release()->parts;
  }
  static void Release(Struct* released) {
    delete static_cast<Exported*>(released->private_data);
    released->release = nullptr;
  }

  explicit Exported(Parts&& all) : parts(std::move(all)) {}
  Parts parts;
  std::vector<Struct*> children = {};
};

// Exports rows [first, first + rows) of an array whose buffers `owner` keeps alive.
OwnedArray ShareRows(const ArrowArray& array, std::int64_t first, std::int64_t rows,
                     const std::shared_ptr<const void>& owner) {
  // An empty array needs no offset, and pyarrow rejects one that leads outside a buffer of views.
  const std::int64_t offset = rows == 0 ? 0 : array.offset + first;
  ArrayParts parts{.length = rows, .null_count = array.null_count, .offset = offset, .owner = owner};
  if (rows != array.length && array.null_count != 0) parts.null_count = -1;
  parts.buffers.assign(array.buffers, array.buffers + array.n_buffers);
  for (std::int64_t i = 0; i < array.n_children; ++i) {
    parts.children.push_back(ShareRows(*array.children[i], 0, array.children[i]->length, owner));
  }
  if (array.dictionary != nullptr) {
    parts.dictionary = ShareRows(*array.dictionary, 0, array.dictionary->length, owner);
  }
  return MakeArray(std::move(parts));
}

}  // namespace

std::optional<std::size_t> MetadataBytes(const char* metadata) {
  std::size_t bytes = 0;
  const auto next_number = [&] {
    std::int32_t number;
    std::memcpy(&number, metadata + bytes, sizeof number);
    bytes += sizeof number;
    return number;
  };
  const std::int64_t pairs = next_number();
  if (pairs < 0) return std::nullopt;
  for (std::int64_t strings = 2 * pairs; strings > 0; --strings) {
    const std::int32_t length = next_number();
    if (length < 0) return std::nullopt;
    bytes += static_cast<std::size_t>(length);
  }
  return bytes;
}

OwnedSchema MakeSchema(SchemaParts parts) {
  ArrowSchema schema{};
  const SchemaParts& held = Exported<ArrowSchema, SchemaParts>::Hold(schema, std::move(parts));
  schema.format = held.format.c_str();
  schema.name = held.name.c_str();
  schema.metadata = held.metadata.empty() ? nullptr : held.metadata.data();
  schema.flags = held.flags;
  return OwnedSchema(&schema);
}

OwnedSchema CopySchema(const ArrowSchema& schema) {
  SchemaParts parts{.format = schema.format, .flags = schema.flags};
  if (schema.name != nullptr) parts.name = schema.name;
  if (schema.metadata != nullptr) {
    parts.metadata.assign(schema.metadata, MetadataBytes(schema.metadata).value());
  }
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    parts.children.push_back(CopySchema(*schema.children[i]));
  }
  if (schema.dictionary != nullptr) parts.dictionary = CopySchema(*schema.dictionary);
  return MakeSchema(std::move(parts));
}

OwnedArray MakeArray(ArrayParts parts) {
  ArrowArray array{};
  ArrayParts& held = Exported<ArrowArray, ArrayParts>::Hold(array, std::move(parts));
  array.length = held.length;
  array.null_count = held.null_count;
  array.offset = held.offset;
  array.n_buffers = static_cast<std::int64_t>(held.buffers.size());
  array.buffers = held.buffers.data();
  return OwnedArray(&array);
}

OwnedArray TakeColumn(OwnedArray& batch, std::size_t column) {
  const auto taken = std::make_shared<const OwnedArray>(batch->children[column]);
  return ShareRows(**taken, batch->offset, batch->length, taken);
}

}  // namespace leafscore::internal
