// engine/run/record_survey.h: looks at the first records of a file, and guesses from names and values what
// each field is for. People read and correct the guess, and nothing else depends on it. THREADS: values; any
// number.
#ifndef LEAFSCORE_ENGINE_RUN_RECORD_SURVEY_H_
#define LEAFSCORE_ENGINE_RUN_RECORD_SURVEY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run/service_output.h"
#include "leafscore/files.h"

namespace leafscore::internal {

// The kind of most values of a field.
enum class SurveyedKind : std::uint8_t {
  kNothing,
  kToolCalls,
  kStructure,  // objects and arrays, also as texts
  kLabels,     // short texts with few different values
  kNumbers,    // also as texts, and booleans
  kTexts,
};

// Returns the kind in words, for example "objects and arrays".
std::string_view KindInWords(SurveyedKind kind);

struct SurveyedField {
  std::string name;
  std::uint64_t values = 0;  // records in which the field is neither absent nor null
  std::uint64_t tool_calls = 0;
  std::uint64_t structures = 0;  // without tool calls
  std::uint64_t numbers = 0;
  std::uint64_t booleans = 0;
  std::size_t longest = 0;                // of its texts, in bytes
  std::set<std::string> different = {};   // its different texts, at most kMostDifferent
  bool is_unique = true;                  // no text repeats, up to kMostDifferent texts
  std::vector<std::string> members = {};  // keys of its objects, at most kMostMembers
  static constexpr std::size_t kMostDifferent = 1000;
  static constexpr std::size_t kMostMembers = 100;

  SurveyedKind kind() const;
};

struct RecordSurvey {
  std::string input;
  std::uint64_t records = 0;  // records that were looked at
  std::uint64_t unreadable = 0;
  bool is_whole = true;  // there are no further records
  std::vector<SurveyedField> fields;
  // The names of fields; empty if there is no such field.
  std::string id = {};
  std::string expected = {};
  std::string actual = {};
  std::string source = {};  // says who answered, if ids repeat
  std::vector<std::string> groups = {};
  // The fields with the answers of several models. `actual` then has a `*`: answers.* or answer_*.
  std::vector<std::string> wide = {};
  std::optional<ServiceOutput> service = {};  // the records are output of a service
  bool may_be_gold = false;                   // the name of `actual` may also stand for expected values

  const SurveyedField* Find(std::string_view name) const;  // null if absent
};

// Looks at the first 1,000 records of an input. The options say how it is read. ERRORS: as RecordReader.
RecordSurvey SurveyRecords(const std::string& input, const FileOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RECORD_SURVEY_H_
