// engine/scores/source_field_search.h: which field of records says who answered, as far as they tell: one by
// whose values ids that come again are unique, but for a few that may be repeated by mistake.
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

  // Returns a field that all records have, by whose values 99 of 100 ids are unique and which has fewer
  // values than there are ids; among several, the one with the fewest values.
  std::optional<std::string> Best() const;

 private:
  struct Candidate {
    std::set<std::uint64_t> values;  // as hashes
    std::set<std::uint64_t> ids_by_value;
    std::uint64_t records = 0;
    std::uint64_t repeated = 0;  // ids that came again with their value
  };

  std::uint64_t id_ = 0;  // of the record, as a hash
  std::uint64_t records_ = 0;
  std::set<std::uint64_t> ids_;
  std::map<std::string, Candidate, std::less<>> candidates_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_SOURCE_FIELD_SEARCH_H_
