#include "engine/scorers/static_json/key_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/json/json_text.h"

namespace leafscore::internal {
namespace {

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

std::vector<KeyDetail> SortedKeyDetails(std::span<const KeyDetail> details) {
  std::vector<KeyDetail> sorted(details.begin(), details.end());
  std::ranges::sort(sorted, {}, [](const KeyDetail& detail) {
    return std::pair<KeyDetail::Place, std::string_view>(detail.place, detail.key);
  });
  return sorted;
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
