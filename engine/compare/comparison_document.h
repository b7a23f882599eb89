// engine/compare/comparison_document.h: the report of a comparison for people, part by part, for all text
// formats. Stateless. All texts are valid UTF-8 on one line and safe to show, but each format must still
// escape them.
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

// The parts that are left out of a text that is too long.
inline constexpr std::string_view kWorstPart = "the records that fell most";
inline constexpr std::string_view kWherePart = "where the change went";
inline constexpr std::string_view kGroupsPart = "groups";

inline constexpr std::size_t kMaxFieldRows = 30;  // JSON and CSV list all fields

// Returns one line with the verdict, its reason, and the number of failed gates.
std::string VerdictLine(const Comparison& comparison, std::span<const GateResult> gates);

// Returns the name of a gate and of what the gate checked.
std::string GateName(const GateResult& gate, bool several_files);

// Returns the sentences below a scorer's figures: for an inconclusive verdict, how more records would help;
// reasons for doubt; and errors that no answer caused.
std::vector<std::string> ScorerNotes(const ScorerComparison& scorer, const Comparison& comparison);

// Returns the verdict, then failed gates, files, scorers, groups, where the change went, what went wrong,
// flips, corrected pass rates, the worst records, precision and recall of fields, repeated tests and notes.
// Leaves out sections without content. Each table of fields has at most max_fields fields.
Document DocumentOf(const Comparison& comparison, std::span<const GateResult> gates,
                    std::size_t max_fields = kMaxFieldRows);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_COMPARISON_DOCUMENT_H_
