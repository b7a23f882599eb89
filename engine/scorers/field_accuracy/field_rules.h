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
#include "engine/scorers/normalise_options.h"
#include "engine/text/date.h"
#include "engine/text/normaliser.h"

namespace leafscore::internal {

enum class FieldMatch : std::uint8_t { kExact, kNumericTolerance, kDate, kFuzzy };

// RETURNS: the name in configurations, for example "numeric_tolerance".
std::string_view FieldMatchName(FieldMatch match);

// How one field is compared. A member that belongs to another kind of match has no meaning.
struct FieldRule {
  TargetPath path;
  FieldMatch match;
  bool required;                                        // a missing actual value is a miss
  bool any_order;                                       // elements of arrays may be in any order
  double weight;                                        // in the weighted average
  bool relative;                                        // numeric_tolerance: relative to the expected number
  double tolerance;                                     // numeric_tolerance
  DayMonthOrder order;                                  // date
  bool jaro_winkler;                                    // fuzzy; if false, by edit distance
  double threshold;                                     // fuzzy: least similarity of a hit
  std::optional<Normaliser> normaliser = std::nullopt;  // exact: for both sides
};

// The revisions of field_accuracy: as first published, and July 2026.
inline constexpr std::string_view kFieldRevisions[] = {"seed", "2026-07"};

// The options that say how a field is compared, for tables of fields.
inline constexpr OptionSpec kFieldRequiredOption{"required", "bool", "true",
                                                 "whether a missing actual value is a miss"};
inline constexpr OptionSpec kFieldArrayMatchOption{"array_match", "ordered or any_order", "ordered",
                                                   "how array elements are paired"};
inline constexpr OptionSpec kFieldToleranceOption{
    "tolerance", "number", "0", "numeric_tolerance: largest difference at which numbers match"};
inline constexpr OptionSpec kFieldRelativeOption{
    "relative", "bool", "false", "numeric_tolerance: the tolerance is relative to the expected number"};
inline constexpr OptionSpec kFieldFormatsOption{"formats", "text or list of texts", "all",
                                                "date: formats such as DD/MM/YYYY, to tell days from months"};
inline constexpr OptionSpec kFieldAlgorithmOption{"algorithm", "levenshtein or jaro_winkler", "levenshtein",
                                                  "fuzzy: how the similarity of texts is measured"};
inline constexpr OptionSpec kFieldThresholdOption =
    kThresholdOption.WithDefault("0.85").WithHelp("fuzzy: similarity from which texts match");
inline constexpr OptionSpec kFieldNormaliseOption =
    kNormaliseOption.WithDefault("none").WithHelp("exact: differences to ignore, as in records");

// Reads the options above, which say how a field is compared, from a map that declares them.
// ERRORS: kUsage for a wrong value.
void ReadFieldComparison(const OptionReader& field, bool is_2026_07, FieldRule& rule);

// Reads the option `fields`. The revision of July 2026 has neither fuzzy nor array_match, and accepts formats
// of any name.
// ERRORS: Error(kUsage) with source and line if the option is not a list of maps, a path or another value is
// wrong, or an option belongs to another match or revision.
std::vector<FieldRule> ReadFieldRules(const OptionReader& options, bool is_2026_07);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_RULES_H_
