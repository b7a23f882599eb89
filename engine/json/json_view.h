// engine/json/json_view.h: a view of a value of a LeafTable, for readers that look at a few members of
// objects of unknown shape. The caller owns the table and the shapes. A view may be absent. Every member of
// an absent view is absent as well, so look-ups can be chained.
// THREADS: as the table.
#ifndef LEAFSCORE_ENGINE_JSON_JSON_VIEW_H_
#define LEAFSCORE_ENGINE_JSON_JSON_VIEW_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

class JsonView {
 public:
  JsonView(const LeafTable& table, const ShapeTable& shapes, NodeId node)
      : table_(&table), shapes_(&shapes), node_(node) {}

  bool present() const { return node_ != kNoNode; }
  NodeId node() const { return node_; }
  const LeafTable& table() const { return *table_; }
  const ShapeTable& shapes() const { return *shapes_; }
  bool Is(ValueKind kind) const { return present() && table_->kind(node_) == kind; }
  bool IsText() const { return present() && IsString(table_->kind(node_)); }

  // RETURNS: the member's value; absent if this is not an object or lacks the key.
  // COST:    linear in the number of members.
  JsonView Member(std::string_view key) const {
    if (!Is(ValueKind::kObject)) return At(kNoNode);
    const std::uint32_t position = shapes_->FindMember(table_->shape(node_), key);
    return At(position == ShapeTable::kNoMember ? kNoNode : table_->Child(node_, position));
  }

  // RETURNS: the element; absent if this is not an array or has no such element.
  // COST:    linear in the position.
  JsonView Element(std::size_t position) const {
    if (!Is(ValueKind::kArray)) return At(kNoNode);
    NodeId child = node_ + 1;
    while (position-- != 0 && child != table_->end(node_)) child = table_->end(child);
    return At(child == table_->end(node_) ? kNoNode : child);
  }

  // Calls visit(JsonView) for each element, or for the value of each member. Does nothing if this is not a
  // container.
  template <class Visit>
  void ForEachChild(Visit visit) const {
    if (!present() || !IsContainer(table_->kind(node_))) return;
    for (NodeId child = node_ + 1; child != table_->end(node_); child = table_->end(child)) visit(At(child));
  }

  // Calls visit(key, JsonView) for each member in document order. Does nothing if this is not an object.
  template <class Visit>
  void ForEachMember(Visit visit) const {
    if (!Is(ValueKind::kObject)) return;
    NodeId value = node_ + 1;
    for (const std::string_view key : shapes_->Keys(table_->shape(node_))) {
      visit(key, At(value));
      value = table_->end(value);
    }
  }

  // Calls visit(JsonView) for each object in this value, including the value itself, in document order.
  template <class Visit>
  void ForEachObject(Visit visit) const {
    if (!present()) return;
    for (NodeId node = node_; node != table_->end(node_); ++node) {
      if (table_->kind(node) == ValueKind::kObject) visit(At(node));
    }
  }

  // RETURNS: the value of a number; nullopt for anything else.
  std::optional<double> Number() const {
    if (!Is(ValueKind::kNumber)) return std::nullopt;
    return ParseNumber(table_->token(node_));
  }

  // RETURNS: the text of a string, or the compact JSON of any other value; nullopt if absent or null.
  std::optional<std::string> Text() const {
    if (!present() || Is(ValueKind::kNull)) return std::nullopt;
    std::string text;
    AppendValueText(*table_, *shapes_, node_, text);
    return text;
  }

  // RETURNS: the bytes of the value in the text; empty if absent.
  std::string_view Written() const {
    if (!present()) return {};
    const std::string_view token = table_->token(node_);
    return IsText() ? std::string_view(token.data() - 1, token.size() + 2) : token;  // including quotes
  }

  // RETURNS: the value as JSON that every reader accepts; nullopt if absent.
  std::optional<std::string> Json() const {
    if (!present()) return std::nullopt;
    std::string json;
    AppendStandardJson(*table_, *shapes_, node_, json);
    return json;
  }

 private:
  JsonView At(NodeId node) const { return {*table_, *shapes_, node}; }

  const LeafTable* table_;
  const ShapeTable* shapes_;
  NodeId node_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_JSON_VIEW_H_
