#include "engine/scorers/records/cell_columns.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/base/cell_rows.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/match/deep_equal.h"

namespace leafscore::internal {
namespace {

// Returns a stated confidence in steps. RETURNS: kNoConfidence if it is not a number from 0 to 1.
std::uint16_t ConfidenceOf(const LeafTable& table, NodeId node) {
  if (table.kind(node) != ValueKind::kNumber) return CellColumns::kNoConfidence;
  const double confidence = ParseNumber(table.leaf_token(node));
  if (!(confidence >= 0 && confidence <= 1)) return CellColumns::kNoConfidence;
  return static_cast<std::uint16_t>(std::floor(confidence * kConfidenceSteps + 0.5));
}

}  // namespace

void CellReader::ReadExpected(ValueRef value, PlaceId place, CellColumns& columns) {
  Read(value, place, Side::kExpected, columns);
}
void CellReader::ReadActual(ValueRef value, PlaceId place, CellColumns& columns) {
  Read(value, place, Side::kActual, columns);
}
void CellReader::ReadDefault(ValueRef value, PlaceId place, CellColumns& columns) {
  Read(value, place, Side::kDefault, columns);
}

void CellReader::Read(ValueRef value, PlaceId place, Side side, CellColumns& columns) {
  const LeafTable& table = *value.table;
  columns.table = &table;
  columns.root = value.node;
  columns.is_default = side == Side::kDefault;
  const NodeId end = table.end(value.node);
  const std::size_t size = end - value.node;
  columns.places.assign(size, kNoPlace);
  columns.ids.assign(size, 0);
  columns.cells.assign(size, 0);
  columns.flags.assign(size, 0);
  const bool reads_confidences = side == Side::kActual && !rules_->confidence_key.empty();
  columns.confidences.assign(reads_confidences ? size : 0, CellColumns::kNoConfidence);
  columns.places[0] = place;
  // A container sets the places of its children before they are read.
  for (NodeId node = value.node; node != end; ++node) {
    const PlaceId at = columns.place(node);
    if (at == kNoPlace || (*places_)[at].ignored) {
      columns.places[node - value.node] = kNoPlace;
      continue;
    }
    const ValueKind kind = table.kind(node);
    if (reads_confidences && IsContainer(kind)) PassConfidence(columns, node);
    if (kind == ValueKind::kObject) {
      PlaceMembers(columns, node, side);
    } else if (kind == ValueKind::kArray) {
      // The accepted values are at the place of their set.
      const bool of_set = node != value.node && columns.Has(node - 1, CellColumns::kIsAlternatives);
      const PlaceId element = of_set ? at : places_->Element(at);
      for (NodeId child = node + 1; child != table.end(node); child = table.end(child)) {
        columns.places[child - value.node] = element;
      }
    } else {
      ReadLeaf(columns, node);
    }
  }
  // The loop runs backwards, because the children of a container come after it and must be closed first.
  for (NodeId node = end; node-- != value.node;) {
    if (columns.place(node) != kNoPlace && IsContainer(table.kind(node))) Close(columns, node);
  }
}

// Gives the confidence of a container to its children. If an envelope states a confidence, PlaceMembers then
// replaces the inherited one.
void CellReader::PassConfidence(CellColumns& columns, NodeId container) {
  const std::uint16_t confidence = columns.confidence(container);
  if (confidence == CellColumns::kNoConfidence) return;
  const LeafTable& table = *columns.table;
  for (NodeId child = container + 1; child != table.end(container); child = table.end(child)) {
    columns.confidences[child - columns.root] = confidence;
  }
}

void CellReader::PlaceMembers(CellColumns& columns, NodeId object, Side side) {
  const LeafTable& table = *columns.table;
  const PlaceId place = columns.place(object);
  const ShapeMembers& members = places_->MembersOf(place, table.shape(object));
  std::uint8_t& flags = columns.flags[object - columns.root];
  if (side == Side::kExpected && members.is_alternatives && table.kind(object + 1) == ValueKind::kArray) {
    flags |= CellColumns::kIsAlternatives;
    columns.places[object + 1 - columns.root] = place;
    return;
  }
  if (members.has_value && rules_->unwraps[Envelope::kValue]) {
    if (side == Side::kExpected) Expect(place);
    if (side == Side::kActual && members.envelope != ShapeMembers::kNoMember && !IsExpected(place)) {
      flags |= CellColumns::kIsEnvelope;
      unwrapped_ = true;
      const NodeId value = table.Child(object, members.envelope);
      columns.places[value - columns.root] = place;
      if (members.confidence == ShapeMembers::kNoMember) return;
      const std::uint16_t confidence = ConfidenceOf(table, table.Child(object, members.confidence));
      if (confidence != CellColumns::kNoConfidence) columns.confidences[value - columns.root] = confidence;
      return;
    }
  }
  if (!members.missing_defaults.empty()) flags |= CellColumns::kLacksDefault;
  NodeId child = object + 1;
  for (const PlaceId member : members.places) {
    columns.places[child - columns.root] = member;
    child = table.end(child);
  }
  if (!rules_->unwraps[Envelope::kSidecars]) return;
  for (const std::uint32_t sidecar : members.sidecars) {
    const PlaceId member = members.places[sidecar];
    if (side == Side::kExpected) Expect(member);
    if (side != Side::kActual || IsExpected(member)) continue;
    columns.places[table.Child(object, sidecar) - columns.root] = kNoPlace;
    dropped_ = true;
  }
}

void CellReader::Expect(PlaceId place) {
  if (place >= expected_in_.size()) expected_in_.resize(places_->size(), 0);
  expected_in_[place] = record_;
}

// Returns the id of a number. Numbers that stand for the same double (StandsForDouble) share an id. Any other
// number shares its id only with numbers that are spelled the same.
ValueId CellReader::NumberId(PlaceId place, std::string_view token) {
  double number = ParseNumber(token);
  if (!StandsForDouble(token, number)) return ids_->Cell(place, ValueIds::Form::kDigits, token);
  if (number == 0) number = 0;  // also for -0
  if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  return ids_->Cell(place, ValueIds::Form::kDouble, {bytes, sizeof number});
}

void CellReader::ReadLeaf(CellColumns& columns, NodeId leaf) {
  using Form = ValueIds::Form;
  const LeafTable& table = *columns.table;
  const PlaceId at = columns.place(leaf);
  const Place& place = (*places_)[at];
  const std::string_view token = table.leaf_token(leaf);
  ValueId id = 0;
  switch (table.kind(leaf)) {
    case ValueKind::kNull:
      if (rules_->null_is_value) id = ids_->Cell(at, Form::kNull, {});
      break;
    case ValueKind::kFalse:
    case ValueKind::kTrue: {
      const bool value = table.kind(leaf) == ValueKind::kTrue;
      if (place.normaliser->Boolean(value) != NormalForm::kNothing) {
        id = ids_->Cell(at, value ? Form::kTrue : Form::kFalse, {});
      }
      break;
    }
    case ValueKind::kNumber:
      if (place.normaliser->Number(token) != NormalForm::kNothing) id = NumberId(at, token);
      break;
    default: {
      std::string_view text = token;
      if (table.kind(leaf) == ValueKind::kEscapedString) {
        text_.clear();
        AppendStringText(table, leaf, text_);
        text = text_;
      }
      if (place.normaliser->Keeps(text)) {
        id = ids_->Cell(at, Form::kText, text);
        break;
      }
      switch (place.normaliser->Text(text, canonical_)) {
        case NormalForm::kNothing:
          break;
        case NormalForm::kFalse:
          id = ids_->Cell(at, Form::kFalse, {});
          break;
        case NormalForm::kTrue:
          id = ids_->Cell(at, Form::kTrue, {});
          break;
        case NormalForm::kNumber:
          id = NumberId(at, canonical_);
          break;
        case NormalForm::kText:
          id = ids_->Cell(at, Form::kText, canonical_);
          break;
      }
    }
  }
  if (id == 0) return;
  columns.ids[leaf - columns.root] = id;
  columns.cells[leaf - columns.root] = 1;
  if (place.is_fuzzy()) columns.flags[leaf - columns.root] |= CellColumns::kHasFuzzy;
}

// Computes the columns of a container from those of its children.
void CellReader::Close(CellColumns& columns, NodeId container) {
  const LeafTable& table = *columns.table;
  if (columns.Has(container, CellColumns::kIsAlternatives)) return CloseAlternatives(columns, container);
  if (container != columns.root && columns.Has(container - 1, CellColumns::kIsAlternatives)) return;
  const Place& place = (*places_)[columns.place(container)];
  const bool is_array = table.kind(container) == ValueKind::kArray;
  const bool is_envelope = columns.Has(container, CellColumns::kIsEnvelope);
  const bool in_order = is_array && place.mode != ArrayMode::kAnyOrder;
  std::uint8_t flags = columns.flags[container - columns.root];
  std::uint32_t cells = 0;
  bool holds_containers = false;
  children_.clear();
  for (NodeId child = container + 1; child != table.end(container); child = table.end(child)) {
    cells += columns.cell_count(child);
    flags |= columns.flags[child - columns.root] & CellColumns::kInherited;
    holds_containers |= IsContainer(table.kind(child));
    if (columns.id(child) != 0 || in_order) children_.push_back(columns.id(child));
  }
  const bool is_whole = is_array && place.mode == ArrayMode::kWhole;
  if (is_whole) {
    cells = children_.empty() ? 0 : 1;
    flags &= static_cast<std::uint8_t>(~CellColumns::kInherited);
  } else if (is_array && cells != 0 && (in_order || holds_containers)) {
    flags |= CellColumns::kHasRows;
  }
  columns.cells[container - columns.root] = cells;
  columns.flags[container - columns.root] = flags;
  if (cells == 0 || !(place.in_rows || is_whole)) return;
  ValueId& id = columns.ids[container - columns.root];
  if (is_envelope || (children_.size() == 1 && !in_order)) {
    id = children_.front();
    return;
  }
  if (!in_order) std::ranges::sort(children_);
  id = ids_->List(children_);
}

// A set of accepted values has as many cells as the accepted value with the fewest cells. Its id is unique,
// so the set equals no other value.
void CellReader::CloseAlternatives(CellColumns& columns, NodeId object) {
  const LeafTable& table = *columns.table;
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t most = 0;
  std::uint8_t& flags = columns.flags[object - columns.root];
  for (NodeId value = object + 2; value != table.end(object + 1); value = table.end(value)) {
    least = std::min(least, columns.cell_count(value));
    most = std::max(most, columns.cell_count(value));
    flags |= columns.flags[value - columns.root] & CellColumns::kInherited;
  }
  const bool has_any = least != std::numeric_limits<std::uint32_t>::max();
  columns.cells[object - columns.root] = has_any ? least : 0;
  flags |= CellColumns::kHasAlternatives;
  if (has_any && least != most) flags |= CellColumns::kHasUnlike;
  columns.ids[object - columns.root] = has_any ? ids_->Unique() : 0;
}

}  // namespace leafscore::internal
