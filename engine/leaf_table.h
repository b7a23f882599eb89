// engine/leaf_table.h: JSON values of one batch as columns, one array per property.
//
// A node is one JSON value. The nodes of a value stand in document order: a container, then what is in it;
// the subtree of node i is [i, end(i)). Node i's token is bytes[token_begin(i), token_end(i)), a view into
// text that the caller keeps: a string without its quotes, any other value whole. Object members are nodes
// in the order of the object's shape (engine/shape_table.h), which holds the keys. Leaves (values that are
// not containers) are numbered through: leaf_number(i) leaves stand before node i, so a subtree's leaves
// are counted by one subtraction, and so is a leaf addressed in the columns of a scorer.
// THREADS: one writer, then many readers.
#ifndef LEAFSCORE_ENGINE_LEAF_TABLE_H_
#define LEAFSCORE_ENGINE_LEAF_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/shape_table.h"

namespace leafscore {

enum class ValueKind : std::uint8_t {
  kNull,
  kFalse,
  kTrue,
  kNumber,
  kString,         // its token is its text
  kEscapedString,  // its token holds escapes
  kArray,
  kObject,
};

inline bool IsContainer(ValueKind kind) { return kind >= ValueKind::kArray; }
inline bool IsString(ValueKind kind) {
  return kind == ValueKind::kString || kind == ValueKind::kEscapedString;
}
inline bool IsBool(ValueKind kind) { return kind == ValueKind::kFalse || kind == ValueKind::kTrue; }

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffffu;

class LeafTable {
 public:
  // Forgets all nodes and takes `bytes` as the text of those to come.
  void Reset(const char* bytes) {
    bytes_ = bytes;
    size_ = 0;
    leaf_count_ = 0;
  }

  // Makes room for `more` nodes, so that a Writer need not check.
  void Reserve(std::size_t more);

  const char* bytes() const { return bytes_; }
  NodeId size() const { return size_; }

  ValueKind kind(NodeId node) const { return kind_[node]; }
  std::uint32_t token_begin(NodeId node) const { return token_begin_[node]; }
  std::uint32_t token_end(NodeId node) const { return token_end_[node]; }
  std::string_view token(NodeId node) const {
    return {bytes_ + token_begin_[node], token_end_[node] - token_begin_[node]};
  }
  NodeId end(NodeId node) const { return end_[node]; }
  ShapeId shape(NodeId object) const { return shape_[object]; }
  std::uint32_t leaf_number(NodeId node) const { return leaf_number_[node]; }
  std::uint32_t leaf_count(NodeId node) const {
    const NodeId after = end_[node];
    return (after == size_ ? leaf_count_ : leaf_number_[after]) - leaf_number_[node];
  }

  // Returns child number `position` of a container. COST: linear in position.
  NodeId Child(NodeId container, std::uint32_t position) const {
    NodeId child = container + 1;
    while (position-- != 0) child = end_[child];
    return child;
  }

  // Appends nodes; they count from Commit on. It keeps in registers what the table would read again and again.
  // REQUIRES: reserved room for what is added; no other change to the table meanwhile.
  class Writer {
   public:
    explicit Writer(LeafTable& table)
        : table_(table),
          size_(table.size_),
          leaf_count_(table.leaf_count_),
          kind_(table.kind_.data()),
          token_begin_(table.token_begin_.data()),
          token_end_(table.token_end_.data()),
          end_(table.end_.data()),
          shape_(table.shape_.data()),
          leaf_number_(table.leaf_number_.data()) {}

    void AddLeaf(ValueKind kind, std::uint32_t token_begin, std::uint32_t token_end) {
      const NodeId node = size_++;
      kind_[node] = kind;
      token_begin_[node] = token_begin;
      token_end_[node] = token_end;
      end_[node] = size_;
      leaf_number_[node] = leaf_count_++;
    }

    // Opens a container; what is added until its Close is in it.
    NodeId Open(ValueKind kind, std::uint32_t token_begin) {
      const NodeId node = size_++;
      kind_[node] = kind;
      token_begin_[node] = token_begin;
      leaf_number_[node] = leaf_count_;
      return node;
    }
    void Close(NodeId container, std::uint32_t token_end, ShapeId shape) {
      token_end_[container] = token_end;
      end_[container] = size_;
      shape_[container] = shape;
    }

    void Commit() {
      table_.size_ = size_;
      table_.leaf_count_ = leaf_count_;
    }

   private:
    LeafTable& table_;
    NodeId size_;
    std::uint32_t leaf_count_;
    ValueKind* kind_;
    std::uint32_t* token_begin_;
    std::uint32_t* token_end_;
    NodeId* end_;
    ShapeId* shape_;
    std::uint32_t* leaf_number_;
  };

  // Adds all nodes of a table over the same bytes.
  void Append(const LeafTable& other);

  // Forgets the nodes from `node` on.
  void Truncate(NodeId node) {
    if (node < size_) leaf_count_ = leaf_number_[node];
    size_ = node;
  }

 private:
  const char* bytes_ = nullptr;
  NodeId size_ = 0;
  std::uint32_t leaf_count_ = 0;
  std::vector<ValueKind> kind_;
  std::vector<std::uint32_t> token_begin_;
  std::vector<std::uint32_t> token_end_;
  std::vector<NodeId> end_;
  std::vector<ShapeId> shape_;  // of objects
  std::vector<std::uint32_t> leaf_number_;
};

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_LEAF_TABLE_H_
