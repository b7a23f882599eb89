// engine/match/pair_walker.h: walks an expected and an actual value together, place by place.
//
// Places correspond by key in objects, and by position in arrays. Subtrees with equal bytes are recognised
// first, as a whole and in linear time. Two objects of the same shape are walked by position, and other
// objects through the correspondence of their shapes. There is no recursion.
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_MATCH_PAIR_WALKER_H_
#define LEAFSCORE_ENGINE_MATCH_PAIR_WALKER_H_

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

// A value in a table.
struct ValueRef {
  const LeafTable* table = nullptr;
  NodeId node = kNoNode;

  bool present() const { return node != kNoNode; }
  ValueKind kind() const { return table->kind(node); }
};

// Returns whether a value is an object or array.
inline bool IsStructure(ValueRef value) { return value.present() && IsContainer(value.kind()); }

// Fills `children` with the elements of an array or the values of an object's members.
inline void ListChildren(ValueRef container, std::vector<ValueRef>& children) {
  children.clear();
  const LeafTable& table = *container.table;
  for (NodeId node = container.node + 1; node != table.end(container.node); node = table.end(node)) {
    children.push_back({&table, node});
  }
}

class PairWalker {
 public:
  explicit PairWalker(ShapeTable* shapes) : shapes_(shapes) {}

  // Makes these calls in the order of the expected value; e and a are nodes of the two tables:
  //   visitor.Equal(e, a)    e and a are byte-equal values of the same kind. They are leaves if
  //                          `descend_equal` is set, or once too many bytes of containers were compared
  //   visitor.Differ(e, a)   not byte-equal, and not both objects nor both arrays
  //   visitor.Missing(e)     e has no counterpart
  //   visitor.Extra()        an actual object or array has members or elements without a counterpart
  // Each returns false to end the walk. A visitor may also have these members, called for containers:
  //   visitor.Enter(e, a)    e and a are two objects or two arrays, whose places come next; false skips
  //                          them without ending the walk
  //   visitor.Leave()        the two containers that were entered last have no more places
  // RETURNS: false if a visitor ended the walk.
  template <class Visitor>
  bool Walk(ValueRef expected, ValueRef actual, bool descend_equal, Visitor& visitor);

  // Walks the content of two objects or two arrays, of any tables. A visitor calls it during a walk.
  // RETURNS: as Walk; a visitor that gets false must end its own walk, too.
  template <class Visitor>
  bool WalkInto(ValueRef expected, ValueRef actual, Visitor& visitor) {
    return WalkFrom(expected, actual, /*into=*/true, visitor);
  }

 private:
  // Two corresponding objects or arrays, and the part of each that was not walked yet.
  struct OpenPair {
    NodeId expected;  // the next child
    NodeId expected_end;
    NodeId actual;  // the next child, if children correspond by position
    NodeId actual_end;
    // If children correspond by key: the position of each expected member's counterpart, the index of the
    // first actual member in children_, and whether actual members without a counterpart exist.
    const std::uint32_t* members;
    std::size_t actual_children;
    bool extra;
  };

  template <class Visitor>
  bool WalkFrom(ValueRef expected, ValueRef actual, bool into, Visitor& visitor);
  bool SameSubtree(const LeafTable& e_table, NodeId e, const LeafTable& a_table, NodeId a);
  OpenPair Open(ValueRef expected, ValueRef actual);

  ShapeTable* shapes_;
  std::vector<OpenPair> open_;
  std::vector<NodeId> children_;
  std::size_t comparable_bytes_ = 0;  // the bytes of containers that may still be compared as a whole
};

// Returns whether two containers are known to be byte-equal. Nested containers are compared again at every
// level, so a limit on the number of compared bytes bounds the time.
inline bool PairWalker::SameSubtree(const LeafTable& e_table, NodeId e, const LeafTable& a_table, NodeId a) {
  const std::string_view expected = e_table.token(e);
  const std::string_view actual = a_table.token(a);
  if (expected.size() != actual.size() || expected.size() > comparable_bytes_) return false;
  comparable_bytes_ -= expected.size();
  return std::memcmp(expected.data(), actual.data(), expected.size()) == 0;
}

inline PairWalker::OpenPair PairWalker::Open(ValueRef expected, ValueRef actual) {
  const LeafTable& e = *expected.table;
  const LeafTable& a = *actual.table;
  OpenPair pair{.expected = expected.node + 1,
                .expected_end = e.end(expected.node),
                .actual = actual.node + 1,
                .actual_end = a.end(actual.node),
                .members = nullptr,
                .actual_children = children_.size(),
                .extra = false};
  if (e.kind(expected.node) == ValueKind::kArray) return pair;
  const ShapeId from = e.shape(expected.node);
  const ShapeId to = a.shape(actual.node);
  if (from == to) return pair;
  pair.members = shapes_->CorrespondingMembers(from, to);
  for (NodeId child = pair.actual; child != pair.actual_end; child = a.end(child)) {
    children_.push_back(child);
  }
  std::uint32_t found = 0;
  for (std::uint32_t m = 0; m < shapes_->member_count(from); ++m) {
    found += pair.members[m] != ShapeTable::kNoMember;
  }
  pair.extra = found != shapes_->member_count(to);
  return pair;
}

template <class Visitor>
bool PairWalker::Walk(ValueRef expected, ValueRef actual, bool descend_equal, Visitor& visitor) {
  open_.clear();
  children_.clear();
  constexpr std::size_t kComparesOfAByte = 4;
  comparable_bytes_ = descend_equal ? 0 : kComparesOfAByte * expected.table->token(expected.node).size();
  return WalkFrom(expected, actual, /*into=*/false, visitor);
}

// Walks two values. With `into`, they are two containers, and are entered even if they are byte-equal.
template <class Visitor>
bool PairWalker::WalkFrom(ValueRef expected, ValueRef actual, bool into, Visitor& visitor) {
  const LeafTable& e_table = *expected.table;
  const LeafTable& a_table = *actual.table;
  const std::size_t outer = open_.size();
  const bool padded = e_table.padded() && a_table.padded();
  NodeId e = expected.node;
  NodeId a = actual.node;
  for (;;) {
    if (a == kNoNode) {
      if (!visitor.Missing(e)) return false;
    } else {
      const ValueKind kind = e_table.kind(e);
      const bool containers = IsContainer(kind);
      const bool same_kind = kind == a_table.kind(a);
      const bool equal =
          same_kind && (containers ? !into && SameSubtree(e_table, e, a_table, a)
                                   : EqualTexts(e_table.leaf_token(e), a_table.leaf_token(a), padded));
      if (equal) {
        if (!visitor.Equal(e, a)) return false;
      } else if (same_kind && containers) {
        into = false;
        bool enters = true;
        if constexpr (requires { visitor.Enter(e, a); }) enters = visitor.Enter(e, a);
        if (enters) open_.push_back(Open({&e_table, e}, {&a_table, a}));
      } else if (!visitor.Differ(e, a)) {
        return false;
      }
    }
    // Go on to the next place, in the innermost container that has one left.
    for (;;) {
      if (open_.size() == outer) return true;
      OpenPair& pair = open_.back();
      if (pair.expected != pair.expected_end) {
        e = pair.expected;
        pair.expected = e_table.end(e);
        if (pair.members != nullptr) {
          const std::uint32_t position = *pair.members++;
          a = position == ShapeTable::kNoMember ? kNoNode : children_[pair.actual_children + position];
        } else if (pair.actual != pair.actual_end) {
          a = pair.actual;
          pair.actual = a_table.end(a);
        } else {
          a = kNoNode;
        }
        break;
      }
      const bool extra = pair.members != nullptr ? pair.extra : pair.actual != pair.actual_end;
      children_.resize(pair.actual_children);
      open_.pop_back();
      if constexpr (requires { visitor.Leave(); }) visitor.Leave();
      if (extra && !visitor.Extra()) return false;
    }
  }
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_PAIR_WALKER_H_
