#include "engine/scorers/json_similarity/judged_leaves.h"

#include <algorithm>

#include "engine/json/compact_text.h"
#include "engine/match/target_path.h"

namespace leafscore::internal {
namespace {

// Makes the paths of the nodes of one value, one after the other in document order.
class PathWriter {
 public:
  PathWriter(const LeafTable& table, const ShapeTable& shapes, NodeId root, std::string prefix)
      : table_(table), shapes_(shapes), next_(root), path_(std::move(prefix)) {}

  // RETURNS: the path of `node`, "*" for the whole value. REQUIRES: nodes in rising order.
  std::string_view PathOf(NodeId node) {
    for (; next_ <= node; ++next_) {
      while (!open_.empty() && open_.back().end == next_) open_.pop_back();
      if (!open_.empty()) {
        OpenContainer& parent = open_.back();
        path_.resize(parent.path_size);
        if (parent.is_object) {
          AppendKeyStep(path_, parent.keys[parent.next_child]);
        } else {
          AppendPositionStep(path_, parent.next_child);
        }
        ++parent.next_child;
      }
      const ValueKind kind = table_.kind(next_);
      if (!IsContainer(kind)) continue;
      const bool is_object = kind == ValueKind::kObject;
      open_.push_back({table_.end(next_), path_.size(), is_object, 0, {}});
      if (is_object) open_.back().keys = shapes_.Keys(table_.shape(next_));
    }
    return path_.empty() ? "*" : std::string_view(path_);
  }

 private:
  struct OpenContainer {
    NodeId end;
    std::size_t path_size;
    bool is_object;
    std::size_t next_child;
    std::vector<std::string_view> keys;
  };

  const LeafTable& table_;
  const ShapeTable& shapes_;
  NodeId next_;
  std::string path_;
  std::vector<OpenContainer> open_;
};

}  // namespace

void JudgedLeaves::Reset() {
  entries_.clear();
  parts_.clear();
}

void JudgedLeaves::BeginPart(std::uint32_t record, const SelectedPart& part) {
  parts_.push_back({record, part, entries_.size()});
}

void JudgedLeaves::AddMissing(const LeafTable& table, NodeId expected) {
  for (NodeId node = expected; node != table.end(expected); ++node) {
    if (!IsContainer(table.kind(node))) Add(node, kNoNode, 0);
  }
}

void JudgedLeaves::Resolve(const StringPairs& strings, const NumberPairs& numbers) {
  for (Entry& entry : entries_) {
    if (entry.source == Source::kStrings) entry.similarity = strings.Similarity(entry.pair);
    if (entry.source == Source::kNumbers) entry.similarity = numbers.similarity(entry.pair);
  }
}

// Calls visit(path, expected, actual, entry) for each entry of a record until `visit` returns false.
template <class Visit>
void JudgedLeaves::ForEachEntry(std::uint32_t record, const ShapeTable& shapes, Visit visit) const {
  auto part = std::ranges::lower_bound(parts_, record, {}, &Part::record);
  for (; part != parts_.end() && part->record == record; ++part) {
    const SelectedPart& values = part->values;
    PathWriter paths(*values.expected.table, shapes, values.expected.node, values.path->Canonical());
    const std::size_t end = part + 1 == parts_.end() ? entries_.size() : part[1].first_entry;
    for (std::size_t i = part->first_entry; i < end; ++i) {
      const Entry& entry = entries_[i];
      if (!visit(paths.PathOf(entry.expected), ValueRef{values.expected.table, entry.expected},
                 ValueRef{values.actual.table, entry.actual}, entry)) {
        return;
      }
    }
  }
}

void JudgedLeaves::Write(std::uint32_t record, const ShapeTable& shapes, DetailsWriter& json) const {
  json.StartList();
  ForEachEntry(
      record, shapes, [&](std::string_view path, ValueRef expected, ValueRef actual, const Entry& entry) {
        json.StartObject();
        json.Key<"path">().String(path);
        AppendStandardJson(*expected.table, shapes, expected.node, json.Key<"expected">().RawValue());
        if (actual.present()) {
          AppendStandardJson(*actual.table, shapes, actual.node, json.Key<"actual">().RawValue());
        }
        json.Key<"similarity">().Number(entry.similarity);
        if (entry.weight != 1) json.Key<"weight">().Number(entry.weight);
        json.EndObject();
        return json.EndElement();
      });
  json.EndArray();
}

void JudgedLeaves::AppendLeaves(std::uint32_t record, const ShapeTable& shapes, LeafList& leaves) const {
  ForEachEntry(record, shapes,
               [&](std::string_view path, ValueRef expected, ValueRef actual, const Entry& entry) {
                 return leaves.Add(MakeJudgedLeaf(path, expected, actual, entry.similarity, shapes));
               });
}

}  // namespace leafscore::internal
