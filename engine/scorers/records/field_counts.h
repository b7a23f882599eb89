// engine/scorers/records/field_counts.h: counts the expected, actual and matching cells of each field of a
// record. A field is a path in which [*] stands for all positions of an array: a.b[*].c. THREADS: one at a
// time; each worker owns its own.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_FIELD_COUNTS_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_FIELD_COUNTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/cell_rows.h"
#include "engine/base/text_map.h"
#include "engine/match/target_path.h"
#include "engine/scorers/details_writer.h"

namespace leafscore::internal {

// The results for the cells of one field.
struct FieldCells {
  std::uint32_t matched = 0;
  std::uint32_t expected = 0;
  std::uint32_t actual = 0;
};

struct FieldCount {
  std::uint32_t field;
  FieldCells cells;
};

// Numbers the fields, for scorers without rules by place.
class FieldPaths {
 public:
  static constexpr std::uint32_t kRoot = 0;  // the whole value

  FieldPaths() { Clear(); }
  void Clear() {
    fields_.clear();
    fields_.push_back({"*"});
  }

  std::uint32_t Member(std::uint32_t object, std::string_view key) {
    const auto found = fields_[object].members.find(key);
    if (found != fields_[object].members.end()) return found->second;
    std::string path = object == kRoot ? "" : fields_[object].path;
    AppendKeyStep(path, key);
    const std::uint32_t member = Add(std::move(path));
    fields_[object].members.emplace(key, member);
    return member;
  }
  std::uint32_t Element(std::uint32_t array) {
    if (fields_[array].element == kNone) {
      const std::uint32_t element = Add((array == kRoot ? "" : fields_[array].path) + "[*]");
      fields_[array].element = element;
    }
    return fields_[array].element;
  }
  const std::string& PathOf(std::uint32_t field) const { return fields_[field].path; }
  std::size_t size() const { return fields_.size(); }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Field {
    std::string path;
    std::uint32_t element = kNone;
    TextMap<std::string, std::uint32_t> members = {};
  };

  std::uint32_t Add(std::string path) {
    fields_.push_back({std::move(path)});
    return static_cast<std::uint32_t>(fields_.size() - 1);
  }

  std::deque<Field> fields_;  // never moved
};

// Counts the cells of one record after the other, by field.
class FieldCellTally {
 public:
  struct Range {
    std::size_t begin = 0, end = 0;
  };

  void BeginBatch() { kept_.clear(); }

  // Returns the counts of a field in the current record. REQUIRES: the caller then increases one of them.
  FieldCells& operator[](std::uint32_t field) {
    if (field >= of_record_.size()) of_record_.resize(field + std::size_t{1});
    FieldCells& cells = of_record_[field];
    if (cells.matched + cells.expected + cells.actual == 0) touched_.push_back(field);
    return cells;
  }

  // Keeps the counts of the record, sorted by path, and begins the next one.
  template <class PathOf>
  Range Keep(PathOf path_of) {
    std::ranges::sort(touched_, {}, path_of);
    const Range range{kept_.size(), kept_.size() + touched_.size()};
    for (const std::uint32_t field : touched_) kept_.push_back({field, std::exchange(of_record_[field], {})});
    touched_.clear();
    return range;
  }

  // Returns the counts of a record of the batch, sorted by path.
  std::span<FieldCount> Of(Range record) {
    return std::span(kept_).subspan(record.begin, record.end - record.begin);
  }
  std::span<const FieldCount> Of(Range record) const {
    return std::span(kept_).subspan(record.begin, record.end - record.begin);
  }

 private:
  std::vector<FieldCells> of_record_;   // of the current record, by field
  std::vector<std::uint32_t> touched_;  // the fields of the current record
  std::vector<FieldCount> kept_;        // of the batch
};

// Writes the member `fields` of details. `path_of` returns the path of a field.
template <class PathOf>
void WriteFields(std::span<const FieldCount> fields, PathOf path_of, DetailsWriter& json) {
  json.Key<"fields">();
  json.StartList();
  for (const auto& [field, cells] : fields) {
    json.StartObject();
    json.Key<"path">().String(path_of(field));
    json.Key<"tp">().Number(cells.matched);
    json.Key<"fp">().Number(cells.actual - cells.matched);
    json.Key<"fn">().Number(cells.expected - cells.matched);
    json.EndObject();
    if (!json.EndElement()) break;
  }
  json.EndArray();
}

// Appends the counts for ScorerBatch::AppendCellCounts. REQUIRES: the paths outlive `counts`.
template <class PathOf>
void AppendFieldCounts(std::span<const FieldCount> fields, PathOf path_of,
                       std::vector<NamedCellCounts>& counts) {
  for (const auto& [field, cells] : fields) {
    counts.push_back(
        {path_of(field), {cells.matched, cells.actual - cells.matched, cells.expected - cells.matched}});
  }
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_FIELD_COUNTS_H_
