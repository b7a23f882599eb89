// engine/scorers/pair_selector_options.h: the options by which a scorer selects what it compares.
#ifndef LEAFSCORE_ENGINE_SCORERS_PAIR_SELECTOR_OPTIONS_H_
#define LEAFSCORE_ENGINE_SCORERS_PAIR_SELECTOR_OPTIONS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/json/leaf_table.h"
#include "engine/match/target_path.h"
#include "engine/scorers/answer_envelopes.h"
#include "leafscore/options.h"

namespace leafscore::internal {

inline constexpr OptionSpec kTargetOutputKeyOption{
    "target_output_key", "text or list of texts", "\"*\"",
    "part of both sides to score: a.b, items[0].name, or a list of such paths; \"*\" is the whole value"};
inline constexpr OptionSpec kDefaultExpectedOption{"default_expected", "any value", "none",
                                                   "expected value for records that have none"};
inline constexpr OptionSpec kTextOfOption{
    "text_of", "json or python", "json",
    "text of a value that is not a string: compact JSON, or as Python prints it with numbers as floats"};

// The text of a value that is not a string.
enum class TextForm { kCompactJson, kPython };

// Reads kTextOfOption.
TextForm ReadTextForm(const OptionReader& options);

inline constexpr OptionSpec kParseTextsOption{
    "parse_texts", "auto, prose, never or always", "the run's",
    "parse JSON objects and arrays inside strings; auto: in answers where one is expected, and in both texts "
    "if the expected text holds one; prose: also with other text around it in answers"};

// Which texts a scorer reads as JSON.
enum class TextReading {
  kNone,
  kBesideStructure,  // an answer, if an object or array is expected
  kStructure,        // also two texts, if the expected text holds an object or array
  kAnswer,           // also an answer with prose around its JSON
};

// The rules by which a scorer reads the two sides of a record.
enum class SelectionRules {
  kOurs,
  // UiPath's rules. The expected value must be an object or a text; if the paths apply only to the actual
  // side, it must be a text. An actual value that is null or an empty text counts as an empty object.
  kUiPath,
  // UiPath's rules before its version 1.0. Expected texts are not parsed, and a missing part counts as an
  // empty object. For equality, a part that is missing on one side counts as missing on both, and paths are
  // followed only if both sides are objects. Line by line, a side that lacks the part is split as a whole.
  kUiPathOlderEquality,
  kUiPathOlderSimilarity,
};

// The revisions of a UiPath scorer: its first one here, the rules of UiPath's evaluators of version 1.0 in
// August 2026, and the rules of the evaluators before version 1.0.
inline constexpr std::string_view kUiPathRevisions[] = {"seed", "2026-08", "2025-06"};

// The sides to which the paths apply.
enum class SelectedSides { kBoth, kActual };

// The options, read and checked once.
class PairSelectorOptions {
 public:
  explicit PairSelectorOptions(const OptionReader& options, SelectedSides sides = SelectedSides::kBoth,
                               SelectionRules rules = SelectionRules::kOurs);

  // Makes the options of a scorer that compares structure. Also reads kParseTextsOption.
  static PairSelectorOptions OfStructure(const OptionReader& options,
                                         SelectionRules rules = SelectionRules::kOurs);
  // Makes the options of a scorer that compares structure and also looks for JSON in the prose of answers.
  static PairSelectorOptions OfAnswers(const OptionReader& options);
  // For a scorer that has its own rules for two texts. With the rules of an origin, texts are not read as
  // JSON.
  void ReadTextsBesideStructure() {
    if (rules_ == SelectionRules::kOurs) reading_ = TextReading::kBesideStructure;
  }

  // For a scorer with sets of accepted values (accepted_values.h). An answer is of the expected kind if it
  // has the kind of any accepted value, or if one of these is neither an object nor an array.
  void AcceptAnyOf(const std::string& key) {
    any_of_key_ = key;
    SeekAnyOfKey(key);
  }
  // For a scorer that handles sets of accepted values itself. The key is reported if no expected value has
  // it.
  void SeekAnyOfKey(const std::string& key) { sought_any_of_key_ = key; }

  // Reads kUnwrapOption. ERRORS: Error(kUsage) if it is given in a revision other than seed.
  void ReadUnwraps(const OptionReader& options, bool is_seed);

  // Makes the options of a scorer that looks only at the answer. If `wanted` is an object or array, a text is
  // searched for JSON of that kind, also within prose.
  static PairSelectorOptions OfAnswersAlone(const OptionReader& options, std::optional<ValueKind> wanted);

  // For a scorer that reads the calls of the run in place of the actual value.
  void ReadCalls() { reads_calls_ = true; }

  std::span<const TargetPath> paths() const { return paths_; }
  bool whole() const { return paths_.size() == 1 && paths_[0].steps.empty(); }
  // A list of paths, even of one, builds an object; its keys are the paths as written.
  bool builds_object() const { return is_list_; }
  bool selects_expected() const { return sides_ == SelectedSides::kBoth; }
  const std::optional<std::string>& default_expected_json() const { return default_expected_json_; }
  TextReading reading() const { return reading_; }
  bool reads_calls() const { return reads_calls_; }
  const std::string& any_of_key() const { return any_of_key_; }
  // Returns the key that some expected value should have; empty if there is no such key.
  const std::string& sought_any_of_key() const { return sought_any_of_key_; }
  std::optional<ValueKind> wanted() const { return wanted_; }
  SelectionRules rules() const { return rules_; }
  Envelopes unwraps() const { return unwraps_; }
  ParseTexts parse_texts(ParseTexts of_run) const { return parse_texts_.value_or(of_run); }

 private:
  void ReadParseTexts(const OptionReader& options);

  std::vector<TargetPath> paths_;
  bool is_list_ = false;
  SelectedSides sides_;
  SelectionRules rules_;
  std::optional<std::string> default_expected_json_;
  TextReading reading_ = TextReading::kNone;
  bool reads_calls_ = false;
  std::string any_of_key_;
  std::string sought_any_of_key_;
  Envelopes unwraps_ = {};
  std::optional<ValueKind> wanted_;
  std::optional<ParseTexts> parse_texts_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_PAIR_SELECTOR_OPTIONS_H_
