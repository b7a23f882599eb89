// engine/compare/comparison_cells.h: formats the figures and names of a comparison for people. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_COMPARISON_CELLS_H_
#define LEAFSCORE_ENGINE_COMPARE_COMPARISON_CELLS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/render/cells.h"
#include "engine/render/document.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// Returns any bytes as valid UTF-8 on one line. Invisible characters, and characters that XML does not allow,
// are escaped.
std::string Visible(std::string_view bytes);

// Returns a name as Visible would, but shortened as by DisplayName.
std::string ShownName(std::string_view bytes);

// Returns for example "+0.0123"; "-" for nullopt.
std::string Signed(std::optional<double> number);

// Returns for example "95%" for 0.05.
std::string Confidence(double alpha);

// Returns the p-value corrected for its family; the p-value itself if it was not corrected.
std::optional<double> FinalP(const ComparedFigure& figure);

// Returns the name of an outcome; "no line" for nullopt.
std::string_view OutcomeText(std::optional<Outcome> outcome);

// Returns the short name of a correction for tables; empty for no correction.
std::string_view ShortNameOf(Correction correction);

// Returns the title of a column of corrected p-values.
std::string PTitle(const Comparison& comparison);

// Returns the titles of a table of figures: name, verdict, records, base, now, difference, its interval, p.
TextRow FigureTitles(std::string_view name, const Comparison& comparison);

// Adds the figures of a row to a table with FigureTitles: the mean and, below it, the pass rate and pass^k if
// the row has them.
void AddFigures(std::string_view name, const ComparedRow& row, const Comparison& comparison,
                std::vector<TextRow>& rows);

// Returns the suffix after the name of a row for one of its figures: empty, ", passed" or ", pass^3".
std::string PartSuffix(ComparedPart part, const Comparison& comparison);

// Returns for example "3 of 5".
std::string OutOf(std::uint64_t part, std::uint64_t all);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_COMPARISON_CELLS_H_
