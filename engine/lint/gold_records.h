// engine/lint/gold_records.h: the gold for a linter: each record that can be judged, what is wrong with the
// others, and which records share an id, question or expected value.
// THREADS: reads the file in one thread; then any number may look up.
#ifndef LEAFSCORE_ENGINE_LINT_GOLD_RECORDS_H_
#define LEAFSCORE_ENGINE_LINT_GOLD_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_view.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/lint/path_tree.h"
#include "engine/lint/text_numbers.h"
#include "leafscore/lint.h"

namespace leafscore::internal {

class GoldRecords {
 public:
  // Equal values in two records have the same number. The number is kNone if a record has no value.
  struct Row {
    std::uint64_t record = 0;  // its number in the file, from 1
    std::uint32_t id = TextNumbers::kNone;
    std::uint32_t question = TextNumbers::kNone;
    std::uint32_t expected = TextNumbers::kNone;
  };

  // The values of a group field and, for each, the number of rows and the first row.
  struct Group {
    std::string field;
    TextNumbers values = {};
    std::vector<std::uint32_t> rows = {};
    std::vector<std::uint32_t> first_row = {};
  };

  // Reads options.files.gold. Records without an expected value are rows if the scorers need none.
  // ERRORS: Error(kInput) if it cannot be read to its end, has no record to judge, or lacks a field in all
  // records; Error(kResources) if it needs more than three quarters of the memory for the run.
  GoldRecords(const LintOptions& options, bool needs_expected);

  std::size_t size() const { return rows_.size(); }
  const std::vector<Row>& rows() const { return rows_; }

  // Returns the id of a row, or for example "record 7".
  std::string Name(std::size_t row) const;

  // Returns the expected value as written; nullopt if there is none.
  std::optional<std::string_view> Expected(std::size_t row) const;

  const TextNumbers& ids() const { return ids_; }
  const TextNumbers& questions() const { return questions_; }     // as compact JSON
  const TextNumbers& expected_values() const { return values_; }  // as compact JSON with sorted keys
  PathTree& paths() { return paths_; }
  const PathTree& paths() const { return paths_; }

  const std::vector<Group>& groups() const { return groups_; }

  std::uint64_t records() const { return records_; }  // all that were read, rows or not
  const ListedIds& unreadable() const { return unreadable_; }
  const ListedIds& without_id() const { return without_id_; }
  const ListedIds& without_expected() const { return without_expected_; }
  const std::string& first_fault() const { return first_fault_; }  // the first unreadable record

 private:
  void CheckMemory(std::uint64_t budget) const;
  // RETURNS: whether it is a row.
  bool AddRecord(const LeafTable& table, const ShapeTable& shapes, NodeId id, NodeId expected,
                 NodeId question, bool needs_expected);
  void AddToGroup(const JsonView& value, Group& group) const;  // for the last row

  std::vector<Row> rows_;
  TextNumbers ids_;
  TextNumbers questions_;
  TextNumbers values_;
  std::string written_;  // expected values, one after another
  std::vector<std::uint64_t> ends_;
  PathTree paths_;
  std::vector<Group> groups_;
  std::uint64_t records_ = 0;
  ListedIds unreadable_;
  ListedIds without_id_;
  ListedIds without_expected_;
  std::string first_fault_;
  std::string text_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_GOLD_RECORDS_H_
