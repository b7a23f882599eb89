// engine/scores/source_field_search.h: guesses which field of the records says who answered. An id together
// with the value of this field is unique, except for a few records that may be repeated by mistake.
#ifndef LEAFSCORE_ENGINE_SCORES_SOURCE_FIELD_SEARCH_H_
#define LEAFSCORE_ENGINE_SCORES_SOURCE_FIELD_SEARCH_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace leafscore::internal {

// Looks for such a field. THREADS: one.
class SourceFieldSearch {
 public:
  // Begins a record, whose fields follow.
  void Begin(std::string_view id);
  void AddField(std::string_view name, std::string_view value);

  std::uint64_t records() const { return records_; }

  // Returns a field that all records have, and that has fewer values than there are ids. For at most 1 of 100
  // records, an earlier record has the same id and value. Among several such fields, returns one with the
  // fewest values.
  std::optional<std::string> Best() const;

 private:
  struct Candidate {
    std::set<std::uint64_t> values;  // as hashes
    std::set<std::uint64_t> ids_by_value;
    std::uint64_t records = 0;
    std::uint64_t repeated = 0;  // ids that occurred again with the same value
  };

  std::uint64_t id_ = 0;  // hash of the record's id
  std::uint64_t records_ = 0;
  std::set<std::uint64_t> ids_;
  std::map<std::string, Candidate, std::less<>> candidates_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_SOURCE_FIELD_SEARCH_H_
