// engine/report/join_summary.h: how the answers of a run were joined with its gold, input by input.
#ifndef LEAFSCORE_ENGINE_REPORT_JOIN_SUMMARY_H_
#define LEAFSCORE_ENGINE_REPORT_JOIN_SUMMARY_H_

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/json/json_writer.h"
#include "leafscore/report.h"

namespace leafscore::internal {

inline constexpr std::size_t kMaxListedIds = 10;
inline constexpr std::size_t kMaxListedIdBytes = 256;  // a longer id is cut, with an ellipsis

// Adds an id. A missing id is counted, but not listed.
void AddId(std::optional<std::string_view> id, ListedIds& ids);

// Appends the ids of later records.
void AddIds(const ListedIds& later, ListedIds& ids);

// Writes an object that lists ids: {"count", "first"}.
void WriteListedIds(const ListedIds& ids, JsonWriter& json);
void WriteListedMembers(const ListedIds& ids, JsonWriter& json);

struct JoinSummary {
  GoldCounts gold;
  std::vector<SourceCounts> sources;  // in the order of the inputs
  bool all_answers_count = false;     // all answers to one id of a source count, not only one of them
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_JOIN_SUMMARY_H_
