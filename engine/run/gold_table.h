// engine/run/gold_table.h: the expected values, by id, of a run whose inputs contain only answers.
//
// The gold file is read once. The table keeps the id, the expected value (byte for byte) and the group fields
// of each record. It keeps them as texts or, for a large file that can be read again, as positions in the
// file. Each worker parses the values that its batch needs, and uses them as if the records contained them.
// Ids are texts: the number 11 and the text "11" are the same id, and null is not an id. If several records
// have the same id, the last one counts. THREADS: one thread reads the file; then any number may look up.
#ifndef LEAFSCORE_ENGINE_RUN_GOLD_TABLE_H_
#define LEAFSCORE_ENGINE_RUN_GOLD_TABLE_H_

#include <sys/stat.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/file_descriptor.h"
#include "engine/base/id_table.h"
#include "engine/io/record_reader.h"
#include "engine/json/json_view.h"
#include "engine/report/join_summary.h"
#include "engine/run/field_presence.h"
#include "engine/scores/manifest.h"
#include "leafscore/files.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// The texts of a gold file. Eight bytes identify a text: its position in the mapped file, or in blocks of
// memory that never move. Only a part of the mapped file stays in memory. THREADS: one adds texts; then any
// number may read them.
class GoldTexts {
 public:
  // A text, or the absence of a text.
  class Ref {
   public:
    bool present() const { return bits_ != kNone; }

   private:
    friend class GoldTexts;
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    std::uint64_t bits_ = kNone;  // whether it is in the file, its position, its size
  };

  GoldTexts() = default;
  ~GoldTexts();
  GoldTexts(const GoldTexts&) = delete;
  GoldTexts& operator=(const GoldTexts&) = delete;

  // Maps a file if it is regular, uncompressed and larger than `kept_bytes`. At most about `kept_bytes` of
  // the mapped file stay in memory. RETURNS: whether the file was mapped.
  bool Map(const std::string& path, std::size_t kept_bytes);

  bool mapped() const { return map_ != nullptr; }

  // ERRORS: Error(kInput) if the mapped file has changed since it was mapped.
  void CheckUnchanged() const;

  // Copies a text.
  Ref Store(std::string_view text);

  // Refers to a text in the mapped file. REQUIRES: the text lies within the file.
  Ref InFile(std::uint64_t offset, std::size_t size);

  // Returns a text, or an empty one if it is absent. The text is valid as long as this object.
  std::string_view Get(Ref ref) const;

 private:
  Ref Make(bool in_file, std::uint64_t position, std::size_t size);
  void Touch(std::size_t size) const;

  std::string path_;
  FileDescriptor file_;
  struct stat mapped_ {};
  const char* map_ = nullptr;
  std::size_t kept_bytes_ = 0;
  mutable std::atomic<std::size_t> touched_ = 0;  // about how many bytes were read since the last unmapping
  std::deque<std::string> blocks_;                // the copied texts
  std::map<std::uint64_t, std::size_t> long_;     // by the bits of a Ref: the size of a text too long for it
};

// A group field of a gold record, as a text and as JSON; views with null data if the record lacks the field.
struct GoldGroup {
  std::string_view text = {};
  std::string_view json = {};
};

class GoldTable {
 public:
  static constexpr std::uint32_t kNone = IdTable::kNone;

  GoldTable() = default;

  // Adds a record. A record without an id is only counted, as it cannot be joined. REQUIRES: the same number
  // of groups for each record. ERRORS: Error(kInput) for more than 2^32 - 1 ids.
  void Add(std::optional<std::string_view> id, std::string_view expected_json,
           std::span<const JsonView> groups = {});

  // Reads options.gold.
  // ERRORS: Error(kInput) if the gold cannot be read to its end or has no ids; with options.strict_gold also
  // if a record is broken, has no id, or repeats an id. Error(kUsage) if both the gold and one of
  // options.inputs are standard input.
  // COST: 26 to 32 bytes for each id, 16 for each of its group fields, and the texts. The texts of a mapped
  // file take `kept_bytes`.
  explicit GoldTable(const FileOptions& options);
  // `id_option` is the option for the field of the ids, as messages name it.
  GoldTable(const FileOptions& options, const ReaderOptions& reading, std::size_t kept_bytes,
            const char* id_option = "--gold-id-field");

  // RETURNS: the entry with this id, or kNone. Entries are numbered from 0, in the order in which their ids
  // first occur. `likely` is tried first: an entry that probably has the id, such as the one after the last
  // answer's entry.
  std::uint32_t Find(std::string_view id, std::uint32_t likely = kNone) const {
    return likely < size() && this->id(likely) == id ? likely : FindByHash(id, Hash(id));
  }

  std::size_t size() const { return entries_.size(); }
  // The texts are valid as long as this object.
  std::string_view id(std::uint32_t entry) const { return texts_.Get(entries_[entry].id); }
  // Returns the JSON text of the expected value; empty if the record has none.
  std::string_view expected_json(std::uint32_t entry) const {
    return texts_.Get(entries_[entry].expected_json);
  }
  // The group fields of the record, in the order of RecordGroups.
  std::size_t group_fields() const { return group_fields_; }
  GoldGroup group(std::uint32_t entry, std::size_t field) const {
    const GroupRefs& refs = groups_[entry * group_fields_ + field];
    return {texts_.Get(refs.text), texts_.Get(refs.json)};
  }

  // Returns whether the file is mapped, so that at most `kept_bytes` of it are in memory.
  bool mapped() const { return texts_.mapped(); }

  // Checks that the file has not changed since it was read. ERRORS: Error(kInput) if it has.
  void CheckUnchanged() const { texts_.CheckUnchanged(); }

  // How many records have each field. The fields are the id, the expected value, then the groups.
  static constexpr std::size_t kIdField = 0;
  static constexpr std::size_t kExpectedField = 1;
  const FieldPresence& presence() const { return presence_; }
  // Returns whether any record has this group field.
  bool HasGroups(std::size_t field) const { return presence_.found[kExpectedField + 1 + field] > 0; }
  const GoldCounts& counts() const { return counts_; }
  const Manifest::File& file() const { return file_; }  // the file that was read

 private:
  using Ref = GoldTexts::Ref;
  struct Entry {
    Ref id;
    Ref expected_json;
  };
  struct GroupRefs {
    Ref text;
    Ref json;
  };

  void CheckStrictly(const std::optional<std::string>& id, const FileOptions& options) const;
  void AddRecord(std::optional<std::string_view> id, std::string_view written_id,
                 std::string_view expected_json, std::span<const JsonView> groups);
  static std::uint32_t Hash(std::string_view id);
  // Returns the tag of a slot whose entry has this hash: never 0, and made of other bits of the hash than
  // those that choose the slot.
  static std::uint8_t TagOf(std::uint32_t hash) { return static_cast<std::uint8_t>(1 + (hash >> 25)); }
  std::uint32_t FindByHash(std::string_view id, std::uint32_t hash) const;
  void AddSlot(std::uint32_t hash, std::uint32_t entry);
  Ref Keep(std::string_view text);
  Ref KeepAs(std::string_view text, std::string_view written);
  GroupRefs KeepGroup(const JsonView& value);

  GoldTexts texts_;
  const RecordBatch* mapped_batch_ = nullptr;  // the current batch of a mapped file
  std::deque<Entry> entries_;
  std::deque<std::uint32_t> hashes_;  // hashes of the ids, entry by entry
  // A hash table of entries, with linear probing; at most 7/8 of the slots are full. The search skips entries
  // with another tag without reading their hashes, which would wait for memory.
  std::vector<std::uint8_t> tags_;  // 0: free
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint64_t> records_;  // with options.strict_gold: each entry's record number, from 1
  std::size_t group_fields_ = 0;
  std::deque<GroupRefs> groups_;  // entry by entry
  GoldCounts counts_;
  Manifest::File file_;
  FieldPresence presence_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_GOLD_TABLE_H_
