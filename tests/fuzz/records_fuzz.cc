// Fuzzes `records` and its revisions: scores and shares are between 0 and 1, a value agrees with itself, and
// precision and recall swap with the sides.
// An input's first byte chooses the options; two lines follow, the expected and the actual value.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz_check.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {
namespace {

// The first two treat both sides alike.
std::vector<std::string> ListOptions() {
  const std::string schema = "schema: {type: object, properties: {a: {type: array, items: {type: object}}}}";
  return {"unwrap: []",
          "unwrap: [], arrays: {'**': ordered}",
          "normalise: [null_words, typography, accents, number, date, case, space]",
          "revision: extractbench-2026-09",
          "revision: anls-star-1.0",
          "revision: sob-2026-06, " + schema,
          "revision: omni-0.1, " + schema};
}

Runner RunnerOf(const std::string& options) {
  return Runner(Plan::FromConfig("scorers: [{type: records, " + options + "}]"));
}

double MetricOf(const ScoreColumns& scores, std::string_view name) {
  for (const Metric& metric : scores.metrics) {
    if (metric.name == name) return metric.values[0];
  }
  Check(false, "no metric " + std::string(name));
  return 0;
}

bool IsShare(double value) { return value >= 0 && value <= 1; }

void CheckRecords(std::uint8_t choice, std::string_view expected, std::string_view actual) {
  static const auto* const runners = [] {
    auto* const made = new std::vector<Runner>;
    for (const std::string& options : ListOptions()) made->push_back(RunnerOf(options));
    return made;
  }();
  const std::size_t which = choice % runners->size();
  const Runner& runner = (*runners)[which];
  const ScoreColumns scores = runner.ScorePair(expected, actual)[0];
  if (scores.outcome[0] != Outcome::kScored) return;
  Check(IsShare(scores.score[0]), "a score beyond 0 and 1");
  const ScoreColumns own = runner.ScorePair(expected, expected)[0];
  if (own.outcome[0] == Outcome::kScored && which < 2)
    Check(own.score[0] == 1, "a value differs from itself");
  if (which >= 2) return;
  const ScoreColumns swapped = runner.ScorePair(actual, expected)[0];
  if (swapped.outcome[0] != Outcome::kScored) return;
  Check(IsShare(MetricOf(scores, "precision")) && IsShare(MetricOf(scores, "recall")), "no shares");
  Check(MetricOf(scores, "precision") == MetricOf(swapped, "recall") && scores.score[0] == swapped.score[0],
        "precision does not become recall");
}

}  // namespace
}  // namespace leafscore::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find('\n');
  if (end == text.npos || end == 0) return 0;
  leafscore::internal::CheckRecords(data[0], text.substr(1, end - 1), text.substr(end + 1));
  return 0;
}
