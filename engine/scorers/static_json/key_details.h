// engine/scorers/static_json/key_details.h: what `--details` tells of answers that are compared key by key.
// Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_KEY_DETAILS_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_KEY_DETAILS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_writer.h"
#include "engine/scorers/details_writer.h"
#include "engine/text/answer_reader.h"

namespace leafscore::internal {

// How a key was judged.
struct KeyDetail {
  enum class Presence : std::uint8_t {
    kBoth,
    kMissing,
    kExtra,
    kJudgedWhole,  // by a rule of its own; such details stay in their order
    kOnlyListed,   // no detail, but one of the missing or extra keys
  };

  Presence presence = Presence::kBoth;
  Presence listed = Presence::kBoth;  // kMissing or kExtra: among these keys, too
  bool exact = false;
  bool accepted = false;
  bool satisfied = false;
  bool numeric = false;
  std::optional<bool> range_match;
  std::optional<bool> delta_match;
  std::string_view match_type;  // static; empty: as the similarity says
  double similarity = 0;
  std::string key;
  std::string gold_value;
  std::string model_value;
};

// Whether the members from `accepted` on are written.
enum class DetailMembers { kFew, kAll };

// RETURNS: the details of a record in the order of the report: keys of both sides, then those that are
// missing, then those that are extra, each by their texts; then those that were judged whole.
std::vector<KeyDetail> SortedKeyDetails(std::span<const KeyDetail> details);

// Writes how one side was read, as two members.
void WriteReading(std::string_view steps_key, std::string_view span_key, const AnswerSteps& steps,
                  JsonWriter& json);

// Writes the member details. A similarity of more than the threshold is called partial. REQUIRES: sorted
// details.
void WriteKeyDetails(std::span<const KeyDetail> details, double similarity_threshold, DetailMembers members,
                     DetailsWriter& json);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_KEY_DETAILS_H_
