// engine/scorers/field_accuracy/field_rules.h: the options of field_accuracy: which fields are compared, and
// how. Read and checked once; immutable afterwards, so any thread may read it.
#ifndef LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_RULES_H_
#define LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_RULES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/match/target_path.h"
#include "engine/text/date.h"
#include "engine/text/normaliser.h"

namespace leafscore::internal {

enum class FieldMatch : std::uint8_t { kExact, kNumericTolerance, kDate, kFuzzy };

// RETURNS: the name in configurations, for example "numeric_tolerance".
std::string_view FieldMatchName(FieldMatch match);

// How one field is compared. Members for other matches are meaningless.
struct FieldRule {
  TargetPath path;
  FieldMatch match;
  bool required;                                        // a missing actual value is a miss
  bool any_order;                                       // elements of arrays may be in any order
  double weight;                                        // in the weighted average
  bool relative;                                        // numeric_tolerance: relative to the expected number
  double tolerance;                                     // numeric_tolerance
  DayMonthOrder order;                                  // date
  bool jaro_winkler;                                    // fuzzy: false: by edit distance
  double threshold;                                     // fuzzy: least similarity of a hit
  std::optional<Normaliser> normaliser = std::nullopt;  // exact: for both sides
};

// The revisions of field_accuracy: as first published, and July 2026.
inline constexpr std::string_view kFieldRevisions[] = {"seed", "2026-07"};

// Reads how a field is compared, all but its path, match and weight, from a map that declares these options.
// ERRORS: kUsage for a wrong value.
void ReadFieldComparison(const OptionReader& field, bool is_2026_07, FieldRule& rule);

// Reads the option `fields`. The revision of July 2026 has neither fuzzy nor array_match, and accepts formats
// of any name.
// ERRORS: Error(kUsage) with source and line: not a list of maps, not a path, a wrong value, or an option of
// another match or revision.
std::vector<FieldRule> ReadFieldRules(const OptionReader& options, bool is_2026_07);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_RULES_H_
