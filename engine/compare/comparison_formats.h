// engine/compare/comparison_formats.h: writes a comparison and its gates in each format of RenderComparison.
// Stateless. Texts may have any bytes; whatever would be markup in the format is escaped.
#ifndef LEAFSCORE_ENGINE_COMPARE_COMPARISON_FORMATS_H_
#define LEAFSCORE_ENGINE_COMPARE_COMPARISON_FORMATS_H_

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/render/figures.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

inline constexpr std::size_t kMaxMarkdownBytes = (1 << 20) - 1;  // one less than GitHub's limit per step
inline constexpr std::size_t kMaxRecordCases = 100;              // per JUnit suite

std::string ComparisonTable(const Comparison& comparison, std::span<const GateResult> gates, bool colour,
                            std::size_t columns);

// Stays within max_bytes: leaves out the worst records, then where the change went, then the groups, and says
// which parts are left out. If that is not enough, cuts the text.
std::string ComparisonMarkdown(const Comparison& comparison, std::span<const GateResult> gates,
                               std::size_t max_bytes = kMaxMarkdownBytes);

// Returns a version in fewer than 60 lines, for people who look at a CI step: the verdict, failed gates,
// scorers and where the change went. Each part has only its first rows, and a part that does not fit is left
// out.
std::string ComparisonStepSummary(const Comparison& comparison, std::span<const GateResult> gates,
                                  std::size_t max_bytes);

std::string ComparisonJson(const Comparison& comparison, std::span<const GateResult> gates);

// Returns the figures of the objects of ComparisonJson, for docs/schemas/comparison.json.
std::vector<DescribedObject> ComparisonObjects();

// Returns a row for each compared mean.
std::string ComparisonCsv(const Comparison& comparison);

// Returns a suite for each scorer in each file, with a case for each gate, each test that got worse and each
// record that is shown. In a suite without gates, the verdict is a case; it fails only if the command has no
// gates at all and the verdict is "regressed". The case of a test or a record fails if the suite fails
// anyway, and is skipped otherwise. So a report is red only if the command fails.
std::string ComparisonJunit(const Comparison& comparison, std::span<const GateResult> gates);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_COMPARISON_FORMATS_H_
