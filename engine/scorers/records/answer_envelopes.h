// engine/scorers/records/answer_envelopes.h: answers whose JSON is written anew before they are compared, as
// they say what is expected in pieces or under other keys. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_ANSWER_ENVELOPES_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_ANSWER_ENVELOPES_H_

#include <optional>
#include <string>

#include "engine/json/shape_table.h"
#include "engine/match/pair_walker.h"

namespace leafscore::internal {

// Returns the one object that a list of objects makes up together: their arrays joined under each key, else
// the first value there that is not null, blank or empty. Nothing when it is no list of objects, or with
// `of_arrays` when none of them holds an array.
std::optional<std::string> MergedDocuments(ValueRef list, const ShapeTable& shapes, bool of_arrays);

// Returns an answer with the keys that are expected in place of those that differ from them in case, blanks,
// hyphens and underscores alone. A key stays where the object has the expected one as well, or where several
// keys of either side would become one. Nothing when all keys stay. Elements of all arrays at one place are
// expected to have the keys of any of them.
std::optional<std::string> WithExpectedKeys(ValueRef expected, ValueRef actual, const ShapeTable& shapes);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_ANSWER_ENVELOPES_H_
