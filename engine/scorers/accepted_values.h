// engine/scorers/accepted_values.h: sets of accepted values in an expected value, such as {"$any": ["red",
// null]}. A set is an object with one member, whose key is given by the option `any_of_key`; the member is
// the list of accepted values. If null is in the list, a missing value is accepted, too. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_ACCEPTED_VALUES_H_
#define LEAFSCORE_ENGINE_SCORERS_ACCEPTED_VALUES_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/match/pair_walker.h"
#include "leafscore/error.h"

namespace leafscore::internal {

inline constexpr OptionSpec kAnyOfKeyOption{
    "any_of_key", "text", "none", "key of objects that list the accepted values, as in {$any: [red, null]}"};

// Returns kAnyOfKeyOption; empty if it is not given. ERRORS: Error(kUsage) if it is given in a revision other
// than seed.
std::string ReadAnyOfKey(const OptionReader& options, bool is_seed);

// Returns the error for a scorer that is to compare line by line and also has sets of accepted values.
Error NoLinesWithAccepted(const OptionReader& options);

// Returns the list, possibly empty, of a set of accepted values; kNoNode if the value is no such set.
NodeId AcceptedValues(const LeafTable& table, const ShapeTable& shapes, NodeId value,
                      std::string_view any_of_key);

// Appends the accepted values of a set, including the values of sets within it. Appends a value that is not a
// set as it is.
void ListAccepted(ValueRef value, const ShapeTable& shapes, std::string_view any_of_key,
                  std::vector<ValueRef>& accepted);

// Returns the JSON text of a value with the first accepted value in place of each set that is not empty.
// REQUIRES: valid JSON.
std::string WithFirstAccepted(std::string_view json, std::string_view any_of_key);

// Tells whether the actual value, which may be absent, is DeepEqual to the expected one. At the place of a
// set of accepted values, any value of the set may be present. REQUIRES: `expected` is present. COST: linear
// in both.
bool EqualToAccepted(ValueRef expected, ValueRef actual, const ShapeTable& shapes,
                     std::string_view any_of_key, PairWalker& walker);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_ACCEPTED_VALUES_H_
