// engine/json/leaf_table.h: JSON values of one batch as columns, one array per property.
//
// A node is one JSON value. Nodes are in document order: the values in a container follow the container. A
// leaf (a value that is not a container) has a kind and a token, bytes[token_begin, token_end), which is a
// view of text that the caller keeps. The token of a string does not include the quotes. A container also has
// a row in a second table, with the ends of its token and of its nodes, the number of its leaves and, for an
// object, its shape (engine/json/shape_table.h). The shape has the keys, and the members are nodes in the
// same order. A leaf takes nine bytes, so the tables of a batch stay in the cache.
// THREADS: one writer, then many readers.
#ifndef LEAFSCORE_ENGINE_JSON_LEAF_TABLE_H_
#define LEAFSCORE_ENGINE_JSON_LEAF_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/json/shape_table.h"

namespace leafscore::internal {

enum class ValueKind : std::uint8_t {
  kNull,
  kFalse,
  kTrue,
  kNumber,
  kString,         // its token is its text
  kEscapedString,  // its token has escapes
  kArray,
  kObject,
};

inline bool IsContainer(ValueKind kind) { return kind >= ValueKind::kArray; }
inline bool IsString(ValueKind kind) {
  return kind == ValueKind::kString || kind == ValueKind::kEscapedString;
}

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffffu;

class LeafTable {
 public:
  // Drops all nodes and sets the text of the next nodes. `padded` means that kTextPadding bytes after the
  // text can be read.
  void Reset(const char* bytes, bool padded) {
    bytes_ = bytes;
    padded_ = padded;
    size_ = 0;
    container_count_ = 0;
  }

  // Makes room for `more` nodes and the rows of `containers` containers, so that a Writer need not check.
  void Reserve(std::size_t more, std::size_t containers);

  const char* bytes() const { return bytes_; }
  bool padded() const { return padded_; }
  NodeId size() const { return size_; }

  ValueKind kind(NodeId node) const { return kind_[node]; }
  std::uint32_t token_begin(NodeId node) const { return spans_[node].begin; }
  std::uint32_t token_end(NodeId node) const {
    return IsContainer(kind_[node]) ? container(node).token_end : spans_[node].end;
  }
  std::string_view token(NodeId node) const { return Text(spans_[node].begin, token_end(node)); }

  // Returns the token of a node that is known to be a leaf.
  std::string_view leaf_token(NodeId leaf) const { return Text(spans_[leaf].begin, spans_[leaf].end); }

  // Returns one past the last node of the subtree.
  NodeId end(NodeId node) const { return IsContainer(kind_[node]) ? container(node).end : node + 1; }
  std::uint32_t leaf_count(NodeId node) const {
    return IsContainer(kind_[node]) ? container(node).leaf_count : 1;
  }
  ShapeId shape(NodeId object) const { return container(object).shape; }

  // Returns the child of a container at index `position`.
  // COST: linear in position.
  NodeId Child(NodeId container, std::uint32_t position) const {
    NodeId child = container + 1;
    while (position-- != 0) child = end(child);
    return child;
  }

  // Adds all nodes of a table over the same bytes.
  void Append(const LeafTable& other);

  // Drops the nodes from the container `node` on.
  void Truncate(NodeId node) {
    container_count_ = spans_[node].end;
    size_ = node;
  }

 private:
  struct Span {
    std::uint32_t begin;
    std::uint32_t end;  // container: its row in containers_
  };
  struct Container {
    std::uint32_t token_end;
    NodeId end;
    std::uint32_t leaf_count;
    ShapeId shape;  // only for objects
  };

  const Container& container(NodeId node) const { return containers_[spans_[node].end]; }
  std::string_view Text(std::uint32_t begin, std::uint32_t end) const {
    return {bytes_ + begin, end - begin};
  }

  const char* bytes_ = nullptr;
  bool padded_ = false;
  NodeId size_ = 0;
  std::uint32_t container_count_ = 0;
  std::vector<ValueKind> kind_;
  std::vector<Span> spans_;  // spans of the tokens
  std::vector<Container> containers_;

 public:
  // Appends nodes, which become part of the table at Commit. A Writer lets the compiler keep in registers
  // what the table would have to read again for each node.
  // REQUIRES: room was reserved for the nodes, and the table is not changed in any other way before Commit.
  class Writer {
   public:
    explicit Writer(LeafTable& table)
        : table_(table),
          size_(table.size_),
          container_count_(table.container_count_),
          kind_(table.kind_.data()),
          spans_(table.spans_.data()),
          containers_(table.containers_.data()) {}

    void AddLeaf(ValueKind kind, std::uint32_t token_begin, std::uint32_t token_end) {
      kind_[size_] = kind;
      spans_[size_] = {token_begin, token_end};
      ++size_;
    }

    // Opens a container, which contains all nodes that are added until Close.
    // RETURNS: the argument for Close.
    std::uint32_t Open(ValueKind kind, std::uint32_t token_begin) {
      const std::uint32_t row = container_count_++;
      kind_[size_] = kind;
      spans_[size_] = {token_begin, row};
      ++size_;
      containers_[row].leaf_count = size_ - container_count_;  // the leaves before it; Close subtracts them
      return row;
    }
    void Close(std::uint32_t row, std::uint32_t token_end, ShapeId shape) {
      Container& container = containers_[row];
      container = {token_end, size_, size_ - container_count_ - container.leaf_count, shape};
    }

    void Commit() {
      table_.size_ = size_;
      table_.container_count_ = container_count_;
    }

   private:
    LeafTable& table_;
    NodeId size_;
    std::uint32_t container_count_;
    ValueKind* kind_;
    Span* spans_;
    Container* containers_;
  };
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_LEAF_TABLE_H_
