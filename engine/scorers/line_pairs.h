// engine/scorers/line_pairs.h: compares two texts, whole or line by line, by UiPath's rules. Line by line,
// both texts are split at a delimiter, blank parts are dropped, and line i is compared with line i. The
// shorter side is padded with empty lines. The score of a record is the mean over its lines, or 0 if there
// are no lines.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_SCORERS_LINE_PAIRS_H_
#define LEAFSCORE_ENGINE_SCORERS_LINE_PAIRS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/scorers/pair_selector.h"
#include "engine/scorers/selecting_batch.h"

namespace leafscore::internal {

inline constexpr OptionSpec kLineByLineOption{"line_by_line", "bool", "false",
                                              "compare line by line; the score is the mean of the lines"};
inline constexpr OptionSpec kLineDelimiterOption{"line_delimiter", "text", "a line end",
                                                 "text that separates lines, with line_by_line"};

struct LineOptions {
  bool by_line = false;
  std::string delimiter = "\n";
  // The score of every line, whatever it contains; not set if lines are compared. UiPath looks for the path
  // again in each line, and never finds a path with several steps. In version 1.0, each line is then an error
  // and scores 0. Before version 1.0, both sides of a line are then empty objects, so it scores 1.
  std::optional<double> of_every_line;
};

// Reads both options. ERRORS: Error(kUsage) for an empty delimiter.
LineOptions ReadLineOptions(const OptionReader& options, const PairSelectorOptions& selection);

class LinePairs {
 public:
  explicit LinePairs(const LineOptions* options) : options_(options) {}

  // Splits the texts of a record.
  void Split(std::string expected, std::string actual);

  std::size_t size() const { return std::max(expected_.size(), actual_.size()); }
  std::size_t actual_lines() const { return actual_.size(); }
  std::size_t expected_lines() const { return expected_.size(); }
  std::string_view expected(std::size_t i) const { return i < expected_.size() ? expected_[i] : ""; }
  std::string_view actual(std::size_t i) const { return i < actual_.size() ? actual_[i] : ""; }

 private:
  void SplitText(std::string_view text, std::vector<std::string_view>& lines) const;

  const LineOptions* options_;
  std::string expected_text_;
  std::string actual_text_;
  std::vector<std::string_view> expected_;
  std::vector<std::string_view> actual_;
};

// The texts that were compared, by record and line, to explain a score (`--details leaves`).
class JudgedLines {
 public:
  void Reset() { lines_.clear(); }

  // Adds a line of a record, or its whole text as line 0. REQUIRES: records in rising order.
  void Add(std::uint32_t record, std::size_t line, std::string_view expected, std::string_view actual,
           double score) {
    lines_.push_back({record, line, std::string(expected), std::string(actual), score});
  }
  void SetScore(std::size_t i, double score) { lines_[i].score = score; }
  std::size_t size() const { return lines_.size(); }

  void AppendLeaves(std::uint32_t record, LeafList& leaves) const;
  // Writes `lines`, or, for a whole text, the members `expected` and `actual`.
  void Write(std::uint32_t record, DetailsWriter& json) const;

 private:
  struct Line {
    std::uint32_t record;
    std::size_t line;
    std::string expected;
    std::string actual;
    double score;
  };

  std::span<const Line> OfRecord(std::uint32_t record) const;

  std::vector<Line> lines_;
};

// The base of the batches that compare texts, and keep them for `--details leaves`.
class TextBatch : public SelectingBatch {
 public:
  bool missing_key_ends_record() const final { return by_line() && rules_ == SelectionRules::kUiPath; }
  void AppendLeaves(std::uint32_t record, LeafList& leaves) const final;
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const final;

 protected:
  // `lines` is null for a scorer that only compares whole texts.
  // REQUIRES: `selection` and `lines` outlive the batch.
  TextBatch(const PairSelectorOptions* selection, WorkerTools tools, const LineOptions* lines,
            bool expected_optional = false);

  void BeginBatch(std::uint32_t /*records*/) override { judged_.Reset(); }

  SelectionRules rules() const { return rules_; }
  bool by_line() const { return line_options_ != nullptr && line_options_->by_line; }

  // Splits the texts of a record into `lines_`, and sets its metrics. REQUIRES: by_line().
  void SplitLines(std::uint32_t record, std::string expected, std::string actual);

  // Sets the score of a record from its lines. `scores(expected, actual)` returns whether a line scores 1.
  template <class Scores>
  void ScoreLines(std::uint32_t record, Scores scores) {
    if (lines_.size() == 0) return;
    double sum = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const double score =
          line_options_->of_every_line.value_or(scores(lines_.expected(i), lines_.actual(i)) ? 1 : 0);
      sum += score;
      if (keeps_texts_) judged_.Add(record, i + 1, lines_.expected(i), lines_.actual(i), score);
    }
    columns_.score[record] = sum / static_cast<double>(lines_.size());
  }

  LinePairs lines_;
  bool keeps_texts_;  // for the details; exact_match and contains keep them only by UiPath's rules
  JudgedLines judged_;

 private:
  const LineOptions* line_options_;
  SelectionRules rules_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_LINE_PAIRS_H_
