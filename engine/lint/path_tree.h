// engine/lint/path_tree.h: the places in the expected values of a gold, as a tree of keys in which all
// elements of an array are one place ([*]), with statistics over the records.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_LINT_PATH_TREE_H_
#define LEAFSCORE_ENGINE_LINT_PATH_TREE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

class PathTree {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::uint32_t kRoot = 0;
  // The most places that are kept: in gold with more, keys are data. Values at further places are ignored.
  static constexpr std::size_t kMaxPlaces = std::size_t{1} << 16;

  static constexpr std::uint64_t kLeastRecords = 3;

  struct Place {
    std::uint32_t parent = kNone;
    std::uint32_t elements = kNone;  // the place of all elements, if there is an array here
    bool is_elements = false;
    std::string key = {};
    std::uint64_t records = 0;      // records that have the place
    std::uint64_t last_record = 0;  // the last of them, counted from 1
    std::uint64_t values = 0;       // values at this place
    std::uint64_t leaves = 0;       // leaves among them
    std::uint64_t numbers = 0;      // numbers among them
    bool varies = false;            // the leaves at this place differ
    std::string leaf = {};          // otherwise, their common value, as compact JSON
    bool in_answer = false;
  };

  PathTree() : places_(1) {}

  // Adds an expected value.
  void AddGold(const LeafTable& table, const ShapeTable& shapes, NodeId root);

  // Marks the places of the gold that occur in an answer.
  void MarkAnswer(const LeafTable& table, const ShapeTable& shapes, NodeId root);

  // Finds the place of each node of a value: the place of root + i at [i]; kNone if the gold does not have
  // it.
  void Follow(const LeafTable& table, const ShapeTable& shapes, NodeId root,
              std::vector<std::uint32_t>& found) const;

  const std::vector<Place>& places() const { return places_; }
  std::uint64_t records() const { return records_; }  // in the gold
  std::uint64_t leaves() const { return leaves_; }

  // Returns whether this place has only leaves, all equal, in at least a tenth of the records and in at least
  // kLeastRecords: in fewer records, equal leaves may be chance.
  bool IsConstant(std::uint32_t place) const {
    const Place& p = places_[place];
    return p.leaves != 0 && p.leaves == p.values && !p.varies && p.records >= kLeastRecords &&
           10 * p.records >= records_;
  }

  // Returns the path of a place, such as items[*].name, or * for the whole value.
  std::string Text(std::uint32_t place) const;

 private:
  template <class ChildOf>
  static void Walk(const LeafTable& table, const ShapeTable& shapes, NodeId root,
                   std::vector<std::uint32_t>& found, ChildOf child_of);
  std::uint32_t Find(std::uint32_t parent, bool is_elements, std::string_view key) const;
  std::uint32_t FindOrAdd(std::uint32_t parent, bool is_elements, std::string_view key);
  static std::uint64_t HashOf(std::uint32_t parent, std::string_view key);

  std::vector<Place> places_;
  IdTable children_;  // by parent and key
  std::uint64_t records_ = 0;
  std::uint64_t leaves_ = 0;
  std::vector<std::uint32_t> found_;
  std::string text_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_PATH_TREE_H_
