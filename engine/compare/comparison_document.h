// engine/compare/comparison_document.h: what people are told of a comparison, part by part, in each format
// for them. Stateless. All texts are valid UTF-8 on one line and safe to show, but still to be escaped for
// the format.
#ifndef LEAFSCORE_ENGINE_COMPARE_COMPARISON_DOCUMENT_H_
#define LEAFSCORE_ENGINE_COMPARE_COMPARISON_DOCUMENT_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/render/document.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// The parts that a text which is too long leaves out.
inline constexpr std::string_view kWorstPart = "the records that fell most";
inline constexpr std::string_view kWherePart = "where the change went";
inline constexpr std::string_view kGroupsPart = "groups";

inline constexpr std::size_t kMaxFieldRows = 30;  // JSON and CSV have all

// Returns the verdict and why, and how many gates failed, as one line.
std::string VerdictLine(const Comparison& comparison, std::span<const GateResult> gates);

// Returns a gate, and what it was held against.
std::string GateName(const GateResult& gate, bool several_files);

// Returns the sentences on a scorer that stand below its figures: what more records would tell where it is
// inconclusive, what to doubt, and errors for which no answer is to blame.
std::vector<std::string> ScorerNotes(const ScorerComparison& scorer, const Comparison& comparison);

// Returns the verdict, then failed gates, files, scorers, groups, where the change went, flips, the worst
// records, repeated tests and notes. Sections without content are left out, and fields of a scorer beyond
// max_fields.
Document DocumentOf(const Comparison& comparison, std::span<const GateResult> gates,
                    std::size_t max_fields = kMaxFieldRows);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_COMPARISON_DOCUMENT_H_
