#include "engine/scorers/static_json/key_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/json/json_text.h"

namespace leafscore::internal {
namespace {

// Appends the keys of one place, as a member.
void AppendKeys(std::string_view name, KeyDetail::Place place, std::span<const KeyDetail> details,
                std::string& out) {
  fmt::format_to(std::back_inserter(out), ", \"{}\": [", name);
  const char* separator = "";
  for (const KeyDetail& detail : details) {
    if (detail.place != place) continue;
    out += separator;
    separator = ", ";
    AppendJsonString(out, detail.key);
  }
  out += ']';
}

void AppendDetail(const KeyDetail& detail, double similarity_threshold, std::string& out) {
  out += "{\"key\": ";
  AppendJsonString(out, detail.key);
  out += ", \"gold_value\": ";
  AppendJsonString(out, detail.gold_value);
  out += ", \"model_value\": ";
  AppendJsonString(out, detail.model_value);
  out += detail.exact ? ", \"exact\": true, \"match_type\": \"" : ", \"exact\": false, \"match_type\": \"";
  if (detail.place == KeyDetail::Place::kMissing) {
    out += "missing";
  } else if (detail.place == KeyDetail::Place::kExtra) {
    out += "extra";
  } else if (detail.exact) {
    out += "exact";
  } else if (detail.similarity > similarity_threshold) {
    fmt::format_to(std::back_inserter(out), "partial ({:.2f})", detail.similarity);
  } else {
    out += "mismatch";
  }
  out += "\", \"similarity\": ";
  AppendJsonNumber(out, detail.similarity);
  out += '}';
}

}  // namespace

void SortKeyDetails(std::span<KeyDetail> details) {
  std::ranges::sort(details, {}, [](const KeyDetail& detail) {
    return std::pair<KeyDetail::Place, std::string_view>(detail.place, detail.key);
  });
}

void AppendReading(std::string_view side, const AnswerSteps& steps, std::string& out) {
  fmt::format_to(std::back_inserter(out), ", \"{}_read_as\": \"", side);
  steps.AppendText(out);
  fmt::format_to(std::back_inserter(out), "\", \"{}_span\": ", side);
  if (steps.rung == AnswerRung::kValue) {
    out += "null";
  } else {
    fmt::format_to(std::back_inserter(out), "[{}, {}]", steps.begin, steps.end);
  }
}

void AppendKeyDetails(std::span<const KeyDetail> details, double similarity_threshold, std::string& out) {
  AppendKeys("missing_keys", KeyDetail::Place::kMissing, details, out);
  AppendKeys("extra_keys", KeyDetail::Place::kExtra, details, out);
  out += ", \"details\": [";
  const char* separator = "";
  for (const KeyDetail& detail : details) {
    out += separator;
    separator = ", ";
    AppendDetail(detail, similarity_threshold, out);
  }
  out += ']';
}

}  // namespace leafscore::internal
