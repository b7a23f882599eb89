// engine/compare/comparison_names.h: the names of the enumerations of a comparison and its gates, as the
// command and all formats spell them. Constants.
#ifndef LEAFSCORE_ENGINE_COMPARE_COMPARISON_NAMES_H_
#define LEAFSCORE_ENGINE_COMPARE_COMPARISON_NAMES_H_

#include "engine/base/choices.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// Sorted with the gravest verdict first, in the order of Graver. Reports show verdicts in this order.
inline constexpr NamedChoice<ComparisonVerdict> kVerdictNames[] = {
    {"regressed", ComparisonVerdict::kRegressed},
    {"inconclusive", ComparisonVerdict::kInconclusive},
    {"improved", ComparisonVerdict::kImproved},
    {"equivalent", ComparisonVerdict::kEquivalent}};
inline constexpr NamedChoice<Correction> kCorrectionChoices[] = {
    {"holm", Correction::kHolm}, {"bh", Correction::kBenjaminiHochberg}, {"none", Correction::kNone}};
inline constexpr NamedChoice<FailOn> kFailOnChoices[] = {{"regressed", FailOn::kRegressed},
                                                         {"inconclusive", FailOn::kInconclusive},
                                                         {"any-drop", FailOn::kAnyDrop},
                                                         {"powerless", FailOn::kPowerless}};
inline constexpr NamedChoice<ComparisonFormat> kComparisonFormatChoices[] = {
    {"table", ComparisonFormat::kTable}, {"md", ComparisonFormat::kMarkdown},
    {"json", ComparisonFormat::kJson},   {"csv", ComparisonFormat::kCsv},
    {"junit", ComparisonFormat::kJunit}, {"latex", ComparisonFormat::kLatex}};

inline constexpr NamedChoice<FieldRate> kFieldRateNames[] = {
    {"precision", FieldRate::kPrecision}, {"recall", FieldRate::kRecall}, {"f1", FieldRate::kF1}};

inline std::string_view NameOf(FieldRate rate) { return NameOf(kFieldRateNames, rate); }
inline std::string_view NameOf(ComparisonVerdict verdict) { return NameOf(kVerdictNames, verdict); }

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_COMPARISON_NAMES_H_
