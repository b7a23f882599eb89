// engine/scorers/pair_selector.h: selects the part of a record that a scorer compares (`target_output_key`,
// `default_expected`); shared by the scorers.
#ifndef LEAFSCORE_ENGINE_SCORERS_PAIR_SELECTOR_H_
#define LEAFSCORE_ENGINE_SCORERS_PAIR_SELECTOR_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/config/options.h"
#include "engine/json/compact_text.h"
#include "engine/match/pair_batch.h"
#include "engine/match/record_field.h"
#include "engine/match/target_path.h"
#include "engine/match/unexpected_leaves.h"
#include "engine/scorers/answer_envelopes.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/scorer.h"
#include "engine/text/answer_reader.h"

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
  kBesideStructure,  // an answer where an object or array is expected
  kStructure,        // and two texts, where the expected one holds an object or array
  kAnswer,           // and an answer that has prose around its JSON
};

// The rules by which a scorer reads the two sides of a record.
enum class SelectionRules {
  kOurs,
  // UiPath's rules. The expected value is an object or a text; if the paths apply only to the actual side, it
  // is a text. An actual value that is null or an empty text counts as an empty object.
  kUiPath,
  // UiPath's rules before its version 1.0. Expected texts are not parsed, and a missing part counts as an
  // empty object. For equality, a part that is missing on one side counts as missing on both, and paths are
  // followed only if both sides are objects. Line by line, a side that lacks the part is split as a whole.
  kUiPathOlderEquality,
  kUiPathOlderSimilarity,
};

// The revisions of a UiPath scorer: as first published here, with the rules of UiPath's evaluators of version
// 1.0 in August 2026, and with the rules of the evaluators before version 1.0.
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
  // For a scorer that has its own rules for two texts. With the rules of an origin, no texts are read.
  void ReadTextsBesideStructure() {
    if (rules_ == SelectionRules::kOurs) reading_ = TextReading::kBesideStructure;
  }

  // For a scorer with sets of accepted values (accepted_values.h). An answer is of the expected kind if it is
  // of the kind of one of the accepted values.
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
  // Several paths build an object, whose keys are the paths as written.
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

// One selected pair of values.
struct SelectedPart {
  ValueRef expected;  // may be absent if the scorer accepts that
  ValueRef actual;
  const TargetPath* path;
};

inline double ShareOfLeaves(std::uint64_t some, std::uint64_t all) {
  return some == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
}

// Selects the parts of record after record; a selection is valid until the next Begin.
// THREADS: one at a time.
class PairSelector {
 public:
  PairSelector(const PairSelectorOptions* options, WorkerTools tools);

  void Begin(const PairBatch& batch);

  // Selects the parts of a record, one for each path. If the record has no score, sets the reason in
  // `columns`; if the answer is the reason, the parts exist without actual values. With `expected_optional`,
  // a missing expected value is not an error; the parts then have no expected values.
  void Select(std::uint32_t record, bool expected_optional, ScoreColumns& columns);

  const PairBatch& batch() const { return *batch_; }
  std::span<const SelectedPart> parts() const { return parts_; }
  // Replaces the expected value of a part by another accepted value.
  void SetExpected(std::size_t part, ValueRef expected) { parts_[part].expected = expected; }
  // Returns the calls of the record's run, without following paths; an absent value if it has none.
  ValueRef calls(std::uint32_t record) const { return batch_->calls_value(record); }
  // Returns the whole answer, without following paths; if it was read from a text, the value that was read.
  // REQUIRES: Select found an answer.
  ValueRef whole_answer() const { return whole_.actual; }
  // Returns another field of the record; an absent value if it has none.
  ValueRef FieldOf(std::uint32_t record, RecordField& field) const { return field.Find(*batch_, record); }
  bool has_calls_field() const { return !batch_->calls_field.empty(); }
  // Returns whether the actual parts are the calls of the run that come from a field of their own.
  bool selects_calls_field() const { return options_->reads_calls() && has_calls_field(); }
  // Returns whether the two sides are the whole expected value, without alternatives, and the whole answer.
  bool compares_whole_values() const {
    return options_->whole() && !options_->reads_calls() && options_->any_of_key().empty();
  }
  // Returns the counts for the batch so far.
  JsonInTexts json_in_texts() const { return json_in_texts_; }
  // About the current record: whether its answer is a text that was read as JSON; and whether, after such
  // reading, the answer is not an object or array although one is expected.
  bool answer_was_read() const { return answer_was_read_; }
  bool answer_is_of_other_kind() const { return answer_is_of_other_kind_; }
  // Removes the envelopes in kUnwrapOption around the expected object or array of an answer. Select does so,
  // too, except for texts that the scorer reads itself.
  void Unwrap(ValueRef expected, ValueRef& actual);
  // Return whether the options ask for removing envelopes, and which envelopes were removed from the answer
  // of the current record.
  bool unwraps() const { return options_->unwraps().any(); }
  Envelopes unwrapped() const { return unwrapped_; }
  // Returns the share of the leaves in the actual parts that are not expected anywhere; 0 for a scorer that
  // does not compare structure. If the scorer has its own rules for two texts, whole texts are read as JSON,
  // as the scorer does. REQUIRES: the record is scored.
  double UnexpectedShare();
  // Appends the paths, unless they are the whole value or apply only to the actual side. (On the actual side,
  // a missing part is a fault of the answer, not of the path.) Also appends the key of accepted values, which
  // may be anywhere.
  void AppendNamedPaths(std::vector<NamedPaths>& rows) const;
  // Returns which expected values of the batch were examined. The result has no paths.
  NamedPaths LookedAt() const { return {{}, named_paths_.values, {}, named_paths_.first}; }
  bool builds_object() const { return options_->builds_object(); }

  // Appends the text of one side of the parts: the text of the value or, with several paths, the text of the
  // object that they build. REQUIRES: the paths apply to that side.
  void AppendText(bool expected_side, TextForm form, std::string& out) const;
  // Appends the text that is split into lines. UiPath applies the path, as a single key, to the selected
  // value again. Before its version 1.0, UiPath does not follow the path here. Instead, it takes the member
  // with that key from the whole value, twice on the actual side, or the value itself if there is no such
  // member. It also leaves integers as they are.
  void AppendLineText(bool expected_side, TextForm form, std::string& out) const;
  // Appends the text of a value.
  void AppendTextOf(ValueRef value, TextForm form, std::string& out) const;
  // Appends one side of the parts as JSON that every reader accepts (AppendStandardJson); null for no value.
  void AppendJson(bool expected_side, std::string& out) const;

 private:
  static ValueRef Side(const SelectedPart& part, bool expected_side) {
    return expected_side ? part.expected : part.actual;
  }
  void CountValue(ValueRef expected) {
    if (!expected.present()) return;
    if (named_paths_.values++ == 0) named_paths_.first = expected;
    if (!any_of_key_.paths.empty() && any_of_key_.found[0] == 0)
      any_of_key_.found[0] += HasAnyOfKey(expected);
  }
  bool HasAnyOfKey(ValueRef expected) const;
  // Sets the reason why there is no actual value at all.
  void SetNoActual(std::uint32_t record, ScoreColumns& columns) const;
  // Applies UiPath's rules to both sides. RETURNS: false for a record that has no score by them.
  bool ApplyRules(std::uint32_t record, ValueRef expected, ValueRef& actual, ScoreColumns& columns) const;
  // Selects the parts by the rules before version 1.0.
  void SelectOlder(std::uint32_t record, ValueRef expected, ValueRef actual, ScoreColumns& columns);
  // Replaces texts that contain JSON with the parsed values, as the options say.
  void ReadTexts(ValueRef& expected, ValueRef& actual);
  // Return whether an object or array is expected, and whether a value of this kind is expected. If there are
  // several accepted values, one of them is enough.
  bool ExpectsStructure(ValueRef expected) const;
  bool IsExpectedKind(ValueRef expected, ValueKind kind) const;
  // Replaces a text with the object or array in it. The JSON may be the whole text, follow an answer label,
  // or be in a fence. RETURNS: false if the text has no object or array.
  bool ReadHeldJson(ValueRef& text);
  // Does the same for an answer in prose; `expected` is the kind that is expected, object or array.
  bool ReadAnswerText(ValueKind expected, ValueRef& text);
  // Does the same for a text that is JSON as a whole.
  bool ReadWholeJson(ValueRef& text);
  // Reads `parsed`, the last of the parsed texts. RETURNS: as ReadHeldJson.
  bool ReadParsed(ParsedText& parsed, ValueRef& text);
  // Append the object that several paths build, as JSON and as Python prints it.
  void AppendObject(bool expected_side, decltype(&AppendCompactJson) append_json, std::string& out) const;
  void AppendPythonObject(bool expected_side, std::string& out) const;
  // Returns the member whose key is the whole path, or the value itself if it has no such member.
  ValueRef MemberOrSelf(ValueRef value, const TargetPath& path) const;

  bool is_older() const {
    return options_->rules() == SelectionRules::kUiPathOlderEquality ||
           options_->rules() == SelectionRules::kUiPathOlderSimilarity;
  }

  const PairSelectorOptions* options_;
  ShapeTable* shapes_;
  std::vector<PathFollower> expected_followers_;  // one per path
  std::vector<PathFollower> actual_followers_;
  const PairBatch* batch_ = nullptr;
  ValueRef default_expected_;
  ValueRef empty_object_;  // for rules that need one
  SelectedPart whole_{};   // both sides of the record
  std::vector<SelectedPart> parts_;
  ParseTexts parse_texts_;
  JsonInTexts json_in_texts_;
  bool answer_was_read_ = false;
  bool answer_is_of_other_kind_ = false;
  AnswerUnwrapper unwrapper_;
  Envelopes unwrapped_ = {};
  UnexpectedLeaves unexpected_leaves_;
  NamedPaths named_paths_;
  NamedPaths any_of_key_;  // the key of accepted values as a path, if it is given
  ParsedTexts parsed_texts_;
  AnswerReader answer_reader_;
  ReadAnswer read_answer_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_PAIR_SELECTOR_H_
