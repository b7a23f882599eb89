// engine/scorers/records/record_rules.h: the options of the scorer `records`, read and checked once: which
// values are cells, when cells are equal, and how rows are paired. Immutable.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_RULES_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_RULES_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/match/path_rules.h"
#include "engine/match/target_path.h"
#include "engine/scorers/answer_envelopes.h"
#include "engine/text/normaliser.h"

namespace leafscore::internal {

// How the elements of two arrays are paired.
enum class ArrayMode : std::uint8_t {
  kAnyOrder,  // so that as many cells as possible match
  kOrdered,   // by position
  kWhole,     // the array is one cell
};

// The rules that the options or the schema give for one place. Members that are not set change nothing.
struct PlaceRule {
  std::optional<std::uint32_t> normaliser;  // index of RecordRules::normalisers
  std::optional<double> tolerance;
  bool relative = false;
  std::optional<double> similarity;
  std::optional<ArrayMode> mode;
  std::optional<std::uint32_t> keys;  // index of RecordRules::keys
  bool ignored = false;
};

class RecordSchema;

struct RecordRules {
  explicit RecordRules(const OptionReader& options);

  // Adds a schema, which replaces an earlier one. ERRORS: as for RecordSchema.
  void AddSchema(const OptionReader& options, const ConfigValue& given);
  // Adds a normaliser with these rules. RETURNS: its number.
  std::uint32_t AddNormaliser(const NormaliserRules& rules);
  // Reads a list of key paths, such as the paths of match_by. RETURNS: the number of the list.
  std::uint32_t AddKeys(const OptionReader& options, std::string_view option,
                        const std::vector<std::string>& paths);

  PathRules paths;                            // ignored paths; marks are numbers of place_rules
  std::vector<PlaceRule> place_rules;         // later ones win
  std::optional<std::uint32_t> root_rule;     // the rule of "*", which also applies to the whole value
  std::vector<Normaliser> normalisers;        // the first one is for fields without their own
  std::uint32_t date_normaliser = 0;          // like the first one, but also reads dates
  std::vector<std::vector<TargetPath>> keys;  // of rows, relative to the row
  bool null_is_value = false;
  bool match_left = true;
  bool defaults = true;
  Envelopes unwraps = {(1u << Envelope::kSingle) | (1u << Envelope::kValue)};
  bool has_similarity = false;
  std::string any_of_key;      // empty if the option is not given
  std::string confidence_key;  // the member of an envelope with the confidence in its value, or empty
  std::shared_ptr<const RecordSchema> schema;
};

// The options of one place. Tables with them also have kNormaliseOption.
inline constexpr OptionSpec kCellToleranceOption{"tolerance", "number", "0",
                                                 "largest difference at which numbers are equal"};
inline constexpr OptionSpec kCellRelativeOption{"relative", "bool", "false",
                                                "the tolerance is relative to the expected number"};
inline constexpr OptionSpec kCellSimilarityOption{
    "similarity", "number from 0 to 1", "none",
    "similarity (1 - edit distance / longer text) from which texts are equal"};

// Reads the options of one place from a map.
void ReadCellRule(const OptionReader& options, RecordRules& rules, PlaceRule& rule);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_RULES_H_
