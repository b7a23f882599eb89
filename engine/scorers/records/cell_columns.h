// engine/scorers/records/cell_columns.h: the properties of values that the scorer `records` needs, as columns
// beside the nodes of a LeafTable. Each node has a place, the id of its canonical form, a number of cells,
// and flags for everything that makes pairing harder. THREADS: one writer, then many readers.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_CELL_COLUMNS_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_CELL_COLUMNS_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/json/leaf_table.h"
#include "engine/match/pair_walker.h"
#include "engine/match/value_ids.h"
#include "engine/scorers/records/place_tree.h"
#include "engine/scorers/records/record_rules.h"

namespace leafscore::internal {

struct CellColumns {
  // The flags of a node. A container also has the kInherited flags of all nodes below it.
  enum Flag : std::uint8_t {
    kHasAlternatives = 1,
    kHasFuzzy = 2,         // cells that are equal by tolerance or similarity
    kHasRows = 4,          // arrays whose matches cannot be counted from the cells that both sides share
    kLacksDefault = 8,     // objects that lack a member for which there is a default
    kIsAlternatives = 16,  // the node itself is a set of accepted values; its child is their list
    kIsEnvelope = 32,      // the node itself is an envelope: only one of its members counts
    kHasUnlike = 64,       // accepted values with different numbers of cells
    kInherited = 79,
  };

  const LeafTable* table = nullptr;
  NodeId root = kNoNode;
  bool is_default = false;  // whether it is a default for a value that a side lacks
  // By node, from the root on.
  std::vector<PlaceId> places;
  std::vector<ValueId> ids;  // 0 without cells; a container has an id only in rows or as a single cell
  std::vector<std::uint32_t> cells;
  std::vector<std::uint8_t> flags;
  // The confidence that the answer states for a value, in steps of 1 / kConfidenceSteps. Empty unless this is
  // an actual value and RecordRules::confidence_key is given.
  static constexpr std::uint16_t kNoConfidence = std::numeric_limits<std::uint16_t>::max();
  std::vector<std::uint16_t> confidences;

  PlaceId place(NodeId node) const { return places[node - root]; }
  ValueId id(NodeId node) const { return ids[node - root]; }
  std::uint32_t cell_count(NodeId node) const { return cells[node - root]; }
  std::uint16_t confidence(NodeId node) const {
    return confidences.empty() ? kNoConfidence : confidences[node - root];
  }
  bool Has(NodeId node, Flag flag) const { return (flags[node - root] & flag) != 0; }
};

// A value with its columns.
struct CellRef {
  const CellColumns* columns;
  NodeId node;

  bool present() const { return node != kNoNode; }
  ValueKind kind() const { return columns->table->kind(node); }
  PlaceId place() const { return columns->place(node); }
  ValueId id() const { return columns->id(node); }
  std::uint32_t cell_count() const { return columns->cell_count(node); }
  bool Has(CellColumns::Flag flag) const { return columns->Has(node, flag); }
  ValueRef value() const { return {columns->table, node}; }
};

// Returns the value in an envelope, or the value itself.
inline CellRef Unwrapped(CellRef actual) {
  while (actual.Has(CellColumns::kIsEnvelope)) {
    NodeId child = actual.node + 1;
    while (actual.columns->place(child) == kNoPlace) child = actual.columns->table->end(child);
    actual.node = child;
  }
  return actual;
}

// Makes columns. THREADS: one at a time; each worker owns one.
class CellReader {
 public:
  CellReader(const RecordRules* rules, PlaceTree* places, ValueIds* ids)
      : rules_(rules), places_(places), ids_(ids) {}

  // Read the values of a record at a place: first the expected value, then the actual value. Envelopes are
  // looked for only in actual values, at places where the record does not expect an object with a member
  // `value`.
  void ReadExpected(ValueRef value, PlaceId place, CellColumns& columns);
  void ReadActual(ValueRef value, PlaceId place, CellColumns& columns);
  // Reads a default for an actual or expected value.
  void ReadDefault(ValueRef value, PlaceId place, CellColumns& columns);

  void BeginRecord() {
    ++record_;
    unwrapped_ = dropped_ = false;
  }
  // Return whether an envelope of the record was unwrapped, and whether a sidecar was dropped.
  bool unwrapped() const { return unwrapped_; }
  bool dropped() const { return dropped_; }

 private:
  enum class Side { kExpected, kActual, kDefault };

  void Read(ValueRef value, PlaceId place, Side side, CellColumns& columns);
  void PlaceMembers(CellColumns& columns, NodeId object, Side side);
  static void PassConfidence(CellColumns& columns, NodeId container);
  void ReadLeaf(CellColumns& columns, NodeId leaf);
  ValueId NumberId(PlaceId place, std::string_view token);
  void Close(CellColumns& columns, NodeId container);
  void CloseAlternatives(CellColumns& columns, NodeId object);

  const RecordRules* rules_;
  PlaceTree* places_;
  ValueIds* ids_;
  std::uint32_t record_ = 0;
  void Expect(PlaceId place);
  bool IsExpected(PlaceId place) const {
    return place < expected_in_.size() && expected_in_[place] == record_;
  }

  // By place: the last record whose expected value has, at that place, an object with a member `value` or a
  // member named like a sidecar.
  std::vector<std::uint32_t> expected_in_;
  bool unwrapped_ = false;
  bool dropped_ = false;
  std::string text_;
  std::string canonical_;
  std::vector<ValueId> children_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_CELL_COLUMNS_H_
