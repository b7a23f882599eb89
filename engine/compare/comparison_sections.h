// engine/compare/comparison_sections.h: what people are told of a comparison, part by part, before it is a
// table for terminals, Markdown or LaTeX. Plain values; all texts are valid UTF-8 on one line and safe to
// show, but still to be escaped for the format.
#ifndef LEAFSCORE_ENGINE_COMPARE_COMPARISON_SECTIONS_H_
#define LEAFSCORE_ENGINE_COMPARE_COMPARISON_SECTIONS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/report/text_table.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

struct Section {
  enum class Kind : std::uint8_t { kGates, kFiles, kScorers, kGroups, kWhere, kFlips, kWorst, kNotes };
  struct Line {
    std::size_t depth = 0;  // of a list
    std::string text;       // may hold marks (edit_marks.h)
  };

  Kind kind = Kind::kNotes;
  std::string title = {};
  std::vector<TextRow> rows = {};  // a table, its titles first; none where empty
  std::size_t left_columns = 1;    // of the table, the others are numbers
  std::vector<Line> lines = {};    // below it
};

// Returns the verdict and why, and how many gates failed, as one line.
std::string VerdictLine(const Comparison& comparison, std::span<const GateResult> gates);

// Returns a gate, and what it was held against.
std::string GateName(const GateResult& gate, bool several_files);

// Returns what stands below that line, in order: failed gates, files, scorers, groups, where it went, flips,
// the worst records, repeated tests, notes. Parts without content are left out. Of each scorer at most
// max_fields are shown.
inline constexpr std::size_t kMaxFieldRows = 30;  // JSON and CSV have all
std::vector<Section> SectionsOf(const Comparison& comparison, std::span<const GateResult> gates,
                                std::size_t max_fields = kMaxFieldRows);

// Returns the part of a title that names the file, where there are several.
std::string InFile(const Comparison& comparison, const FileComparison& file);

// Returns a column for each of several files.
Section AllFiles(const Comparison& comparison);

// Returns how sure tests are that were asked several times; those of a scorer that got worse, and its flaky
// ones.
Section AskedAgain(const Comparison& comparison, const FileComparison& file);
Section WorseTests(const Comparison& comparison, const ScorerComparison& scorer, const std::string& of);
Section FlakyTests(const ScorerComparison& scorer, const std::string& of);

// Returns the means of all scorers of a file; how many records rose and fell; the groups of one; flips.
Section Scorers(const Comparison& comparison, const FileComparison& file);
Section RecordByRecord(const Comparison& comparison, const FileComparison& file);
Section Groups(const Comparison& comparison, const ScorerComparison& scorer, const std::string& of);
Section Flips(const Comparison& comparison, const FileComparison& file);

// Returns the sentences on a scorer that stand below its figures: what more records would tell of what is
// inconclusive, what to doubt, and errors, which are no answer's making.
std::vector<std::string> ScorerNotes(const ScorerComparison& scorer, const Comparison& comparison);

// Returns the change of a scorer's mean, split over fields and outcomes, with the sum in the last row. Fields
// are left out where they make up less than half of the change, as for an F1, which is no sum over fields.
Section WhereItWent(const ScorerComparison& scorer, const std::string& of, std::size_t max_fields);

// Returns the records of a scorer that fell most.
Section WorstRecords(const ScorerComparison& scorer, const std::string& of);

// Returns how sure it all is: margin, families of tests, what is not verified, warnings.
Section Notes(const Comparison& comparison);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_COMPARISON_SECTIONS_H_
