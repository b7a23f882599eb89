// engine/scorers/static_json/revision_2026_09.h: static_json by the rules of AssetOpsBench in September 2026.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_REVISION_2026_09_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_REVISION_2026_09_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

inline constexpr OptionSpec kEvaluationMetadataOption{
    "evaluation_metadata", "map", "none",
    "revision 2026-09: keys that are not judged by equality, as in groundtruth_eval.json"};

// The places where evaluations show the mean of a figure.
enum class MeanShown : std::uint8_t {
  kAlways,     // in reports, as in AssetOpsBench's reports, and on the terminal
  kInReports,  // in reports; on the terminal only with --verbose
  kOnRequest,  // only with --verbose, because AssetOpsBench does not report it
};

struct StaticJsonMetric {
  std::string_view name;
  MeanShown shown;
};

// In the order of AssetOpsBench's reports.
inline constexpr StaticJsonMetric kMetrics202609[] = {
    {"partial_match_accuracy", MeanShown::kAlways},
    {"partial_exact_match_accuracy", MeanShown::kAlways},
    {"strict_exact_match_accuracy", MeanShown::kAlways},
    {"partial_similarity_score", MeanShown::kAlways},
    {"partial_numeric_match_accuracy", MeanShown::kAlways},
    {"range_match_accuracy", MeanShown::kAlways},
    {"delta_1_match_accuracy", MeanShown::kAlways},
    {"precision", MeanShown::kAlways},
    {"recall", MeanShown::kAlways},
    {"f1", MeanShown::kAlways},
    {"total_gold_keys", MeanShown::kAlways},
    {"total_model_keys", MeanShown::kAlways},
    {"matched_keys", MeanShown::kAlways},
    {"accepted_value_matches", MeanShown::kInReports},
    {"exact_value_matches", MeanShown::kAlways},
    {"numeric_gold_keys", MeanShown::kInReports},
    {"numeric_value_matches", MeanShown::kInReports},
    {"range_eligible_keys", MeanShown::kInReports},
    {"range_value_matches", MeanShown::kInReports},
    {"delta_1_eligible_keys", MeanShown::kInReports},
    {"delta_1_value_matches", MeanShown::kInReports},
    {"satisfied_value_matches", MeanShown::kOnRequest},
    {"all_keys_satisfied", MeanShown::kOnRequest},
    {"exact_precision", MeanShown::kOnRequest},
    {"exact_recall", MeanShown::kOnRequest},
    {"exact_f1", MeanShown::kOnRequest},
    {"mode_key_match", MeanShown::kInReports},
    {"mode_exactly_one_key", MeanShown::kInReports},
    {"mode_term_coverage", MeanShown::kInReports},
    {"mode_optional_term_coverage", MeanShown::kInReports},
    {"mode_spec_matches_gold", MeanShown::kOnRequest},
    {"car_score", MeanShown::kInReports},
};

std::unique_ptr<Scorer> MakeStaticJson202609(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_REVISION_2026_09_H_
