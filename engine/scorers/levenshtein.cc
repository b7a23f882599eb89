// 2signal's levenshtein: the similarity of two whole texts, rounded to two decimals, with a pass or fail.
#include <cmath>
#include <string>
#include <vector>

#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kLevenshteinOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    kThresholdOption.WithDefault("0.7"),
    {"case_sensitive", "bool", "false", "whether upper and lower case differ"},
};

constexpr std::string_view kLevenshteinMetricNames[] = {"distance"};
constexpr TextMetric kLevenshteinTextMetrics[] = {{"label", /*is_list=*/false}};

struct LevenshteinSettings {
  PairSelectorOptions selection;
  double threshold;
  bool case_sensitive;
};

// Cuts a text to its first 10,000 code points, as in the original.
void CutToLimit(std::string& text) {
  constexpr std::size_t kMaxCodePoints = 10000;
  if (text.size() <= kMaxCodePoints) return;
  std::size_t code_points = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
    if (starts && ++code_points > kMaxCodePoints) {
      text.resize(i);
      return;
    }
  }
}

double RoundHalfUpToHundredths(double value) { return std::floor(value * 100.0 + 0.5) / 100.0; }

class LevenshteinBatch final : public SelectingBatch {
 public:
  LevenshteinBatch(const LevenshteinSettings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools, kLevenshteinMetricNames, /*expected_optional=*/true),
        settings_(settings) {}

  void Reduce(const StringPairs& pairs) override {
    for (std::uint32_t pair = first_pair_; pair < end_pair_; ++pair) {
      const std::uint32_t record = pairs.record(pair);
      const double score = RoundHalfUpToHundredths(pairs.Similarity(pair));
      columns_.score[record] = score;
      columns_.passed[record] = score >= settings_->threshold;
      metric(0, record) = pairs.distance(pair);
    }
  }

  std::span<const TextMetric> text_metrics() const override { return kLevenshteinTextMetrics; }
  void AppendTexts(std::uint32_t record, std::size_t /*metric*/,
                   std::vector<std::string>& texts) const override {
    texts.emplace_back(columns_.passed[record] == 1 ? "pass" : "fail");
  }

 private:
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override {
    const ValueRef expected = selector_.parts()[0].expected;
    const bool is_null = expected.present() && expected.kind() == ValueKind::kNull;
    if (!expected.present() || (is_null && !selector_.builds_object())) {
      columns_.passed[record] = 0.0 >= settings_->threshold;  // no expected output: the score stays 0
      return CompareNothing(record);
    }
    PrepareText(/*expected_side=*/true, expected_text_);
    PrepareText(/*expected_side=*/false, actual_text_);
    pairs.Append(expected_text_, actual_text_, record);
  }

  void PrepareText(bool expected_side, std::string& text) {
    text.clear();
    selector_.AppendText(expected_side, TextForm::kCompactJson, text);
    if (!settings_->case_sensitive) ToLowerCase(text);
    CutToLimit(text);
  }

  const LevenshteinSettings* settings_;
  std::string expected_text_;
  std::string actual_text_;
};

std::unique_ptr<Scorer> MakeLevenshtein(const OptionReader& options) {
  return std::make_unique<ConfiguredScorer<LevenshteinBatch, LevenshteinSettings>>(LevenshteinSettings{
      PairSelectorOptions(options), ReadThreshold(options, 0.7), options.GetBool("case_sensitive", false)});
}

}  // namespace

constinit const ScorerType kLevenshteinScorer = {
    "levenshtein",
    "similarity of the two whole texts by edit distance",
    kLevenshteinOptions,
    MakeLevenshtein,
    {"For free text whose exact wording matters. The score is 1 minus the edit distance divided by "
     "the length of the longer text.",
     "levenshtein", R"("Oslo")", R"("Olso")", "", 0.5}};

}  // namespace leafscore::internal
