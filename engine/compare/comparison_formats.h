// engine/compare/comparison_formats.h: a comparison and its gates in each format of RenderComparison.
// Stateless. Texts may hold any bytes, and nothing in them is markup of the format.
#ifndef LEAFSCORE_ENGINE_COMPARE_COMPARISON_FORMATS_H_
#define LEAFSCORE_ENGINE_COMPARE_COMPARISON_FORMATS_H_

#include <cstddef>
#include <span>
#include <string>

#include "leafscore/compare.h"

namespace leafscore::internal {

inline constexpr std::size_t kMaxMarkdownBytes = (1 << 20) - 1;  // what GitHub shows of a step, less one
inline constexpr std::size_t kMaxRecordCases = 100;              // of JUnit, a suite

std::string ComparisonTable(const Comparison& comparison, std::span<const GateResult> gates, bool colour);

// Leaves out worst records, then where it went, then groups, and says so, to stay within max_bytes.
std::string ComparisonMarkdown(const Comparison& comparison, std::span<const GateResult> gates,
                               std::size_t max_bytes = kMaxMarkdownBytes);

// Returns the same in fewer than 60 lines, for people who look at a step of CI: the verdict, failed gates,
// scorers and where it went, as far as there is room, with the first rows of each part.
std::string ComparisonStepSummary(const Comparison& comparison, std::span<const GateResult> gates,
                                  std::size_t max_bytes);

std::string ComparisonJson(const Comparison& comparison, std::span<const GateResult> gates);

// A row for each compared mean.
std::string ComparisonCsv(const Comparison& comparison);

// A suite for each scorer in each file, with a case for each gate and each record that is shown. Without
// gates the verdict is a case, which fails where it is "regressed". Records fail with their suite: where
// that holds, they are skipped, so that a report is red only when the command fails.
std::string ComparisonJunit(const Comparison& comparison, std::span<const GateResult> gates);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_COMPARISON_FORMATS_H_
