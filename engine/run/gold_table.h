// engine/run/gold_table.h: the expected values of a run whose inputs hold answers only, by id.
//
// The gold file is read once. Kept are the text of each id, of its expected value, byte for byte, and of its
// group fields, in blocks that never move; each worker parses the values that its batch asks for, so that a
// value is in the same tables as if it stood in the record. Ids are texts: the number 11 and the text "11"
// are one id, and null is none. Of records with one id the last counts. THREADS: reads the file in one
// thread; then any number may look up.
#ifndef LEAFSCORE_ENGINE_RUN_GOLD_TABLE_H_
#define LEAFSCORE_ENGINE_RUN_GOLD_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/json/json_view.h"
#include "engine/report/join_summary.h"
#include "engine/report/manifest.h"
#include "engine/run/field_presence.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {

// A group field of a gold record, as a text and as JSON; views of nothing (null data) when it lacks the
// field.
struct GoldGroup {
  std::string_view text = {};
  std::string_view json = {};
};

class GoldTable {
 public:
  static constexpr std::uint32_t kNone = IdTable::kNone;

  GoldTable() = default;

  // Adds a record; without an id it cannot be joined. REQUIRES: as many groups for each record.
  // ERRORS: Error(kInput) for 2^32 - 1 ids.
  void Add(std::optional<std::string_view> id, std::string_view expected_json,
           std::span<const JsonView> groups = {});

  // Reads options.gold.
  // ERRORS: Error(kInput) when it cannot be read to its end or holds no id; with options.strict_gold also for
  //         a record that is broken, has no id, or has the id of another. Error(kUsage) when it and one of
  //         options.inputs are both standard input.
  // COST:   the memory of the ids and values, and about 60 bytes an id.
  explicit GoldTable(const FileOptions& options);

  // RETURNS: the entry with this id, or kNone. Entries count from 0, in the order in which their ids came.
  std::uint32_t Find(std::string_view id) const;

  std::size_t size() const { return entries_.size(); }
  std::string_view id(std::uint32_t entry) const { return entries_[entry].id; }
  // The JSON text of the expected value; empty when the record has none.
  std::string_view expected_json(std::uint32_t entry) const { return entries_[entry].expected_json; }
  // The group fields of the record, in the order of RecordGroups.
  std::span<const GoldGroup> groups(std::uint32_t entry) const {
    return std::span(groups_).subspan(entry * group_fields_, group_fields_);
  }
  // Which records have which field: id and expected, then the groups.
  static constexpr std::size_t kIdField = 0;
  static constexpr std::size_t kExpectedField = 1;
  const FieldPresence& presence() const { return presence_; }
  // Whether any record has this group field.
  bool HasGroups(std::size_t field) const { return presence_.found[kExpectedField + 1 + field] > 0; }
  const GoldCounts& counts() const { return counts_; }
  const Manifest::File& file() const { return file_; }  // that was read

 private:
  struct Entry {
    std::string_view id;
    std::string_view expected_json;
    std::uint64_t record;  // its number, from 1
  };

  void CheckStrictly(const std::optional<std::string>& id, const FileOptions& options) const;
  std::string_view Store(std::string_view text);
  GoldGroup StoreGroup(const JsonView& value);

  std::vector<Entry> entries_;
  std::size_t group_fields_ = 0;
  std::vector<GoldGroup> groups_;  // entry after entry
  IdTable by_id_;
  std::deque<std::string> blocks_;  // of the texts
  GoldCounts counts_;
  Manifest::File file_;
  FieldPresence presence_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_GOLD_TABLE_H_
