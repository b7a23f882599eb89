// engine/scorers/records/extract_lists.h: turns an answer that is a list into the object that is expected, as
// ExtractBench does. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_LISTS_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_LISTS_H_

#include <optional>
#include <string>
#include <string_view>

#include "engine/json/shape_table.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/records/extract_schema.h"

namespace leafscore::internal {

// How an answer was unwrapped, by number.
enum class ListMode { kNoOp, kBareRows, kSingletonDoc, kWrapperMerge };
inline constexpr std::string_view kListModeNames[] = {"no_op", "bare_rows", "singleton_doc", "wrapper_merge"};

struct UnwrappedList {
  std::string json;
  ListMode mode;
};

// Returns the object for which a list stands: the rows of the only array of objects that is expected, one
// object without lists, or several objects whose lists are joined. RETURNS: nullopt if it is none of these.
std::optional<UnwrappedList> UnwrapListAnswer(ValueRef expected, ValueRef list, const ExtractSchema& schema,
                                              const ShapeTable& shapes);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_LISTS_H_
