// engine/report/csv_scores.h: reads scores in CSV, as leafscore writes them, as the lines of JSON that they
// would have been. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_REPORT_CSV_SCORES_H_
#define LEAFSCORE_ENGINE_REPORT_CSV_SCORES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/report/text_table.h"

namespace leafscore::internal {

class CsvScores {
 public:
  // `fields` is how texts were written; nothing where that is not known.
  explicit CsvScores(std::optional<CsvFields> fields) : fields_(fields) {}

  // Whether a file of scores that begins so is CSV.
  static bool Begins(std::string_view text) { return text.starts_with("id,id_from,"); }

  // Takes the next bytes of the file, and appends a line of JSON for each row that is whole. An apostrophe by
  // which the writer kept a text from being a formula is taken off. Cells without anything, also without
  // quotes, are no members; but an id is always one.
  // ERRORS: Error(kInput) for a row with other columns than the first one names, and for an id, scorer or
  //         group that may have been another one: unless it is raw, with an escape, which may stand for a
  //         control character; where nothing tells whether it is raw, with an apostrophe before a formula.
  void Add(std::string_view bytes, std::string& lines);

  // Whether the bytes end behind a row.
  bool done() const { return state_ == State::kRowBegin; }

 private:
  enum class State { kRowBegin, kCell, kQuoted, kQuoteInQuoted };

  void EndCell();
  void EndRow(std::string& lines);
  void CheckCell(std::string_view column, const std::string& cell) const;

  std::optional<CsvFields> fields_;
  State state_ = State::kRowBegin;
  std::string cell_;
  bool is_quoted_ = false;                         // the cell
  std::vector<std::optional<std::string>> cells_;  // of the row; nothing for one without anything
  std::vector<std::string> columns_;               // once the first row is read
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_CSV_SCORES_H_
