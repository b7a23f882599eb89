// leafscore/converted_scores.h: the manifest of scores that another tool computed, so that CompareFiles and
// RankFiles take them as they take leafscore's own: whole, unchanged, and told apart from what leafscore
// computed. `leafscore convert --to scores` writes such files.
#ifndef LEAFSCORE_CONVERTED_SCORES_H_
#define LEAFSCORE_CONVERTED_SCORES_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leafscore/export.h"

namespace leafscore {

// Where the scores come from.
struct ScoresOrigin {
  std::string tool;     // that computed them; empty: not known
  std::string version;  // of the tool; empty: its files do not tell
  std::string format;   // of its files, for example "inspect"
  std::string ids;      // how ids were made, in words
};

// An option of a scorer, as a JSON value.
struct ConvertedOption {
  std::string name;
  std::string json;
};

// Gathers what a manifest says while the lines of scores are written. THREADS: one at a time.
class LEAFSCORE_EXPORT ConvertedScores {
 public:
  explicit ConvertedScores(const ScoresOrigin& origin);
  ~ConvertedScores();
  ConvertedScores(const ConvertedScores&) = delete;
  ConvertedScores& operator=(const ConvertedScores&) = delete;

  // Adds a file that the scores come from, which is read for its checksum.
  // ERRORS: Error(kInput) when it cannot be read.
  void AddInput(const std::string& path);

  // Adds a scorer. Files of scores in which a scorer of one name has other options cannot be compared.
  // ERRORS: Error(kUsage) for an option that is no JSON value.
  void AddScorer(const std::string& name, const std::vector<ConvertedOption>& options);

  // Adds a record that was asked. An id counts once, however many answers it has; nothing: it has none.
  // `expected_json` is what was expected, compact; nothing: not known.
  void AddRecord(std::optional<std::string_view> id, std::optional<std::string_view> expected_json);

  // Adds what is written to the output next: whole lines (docs/formats.md), before they are compressed.
  void AddLines(std::string_view lines);

  // Returns the content of the file that belongs beside the output, OUTPUT.manifest.json.
  std::string Manifest() const;

  // Returns the same as the last line of an output that has no place beside it.
  std::string Trailer() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace leafscore

#endif  // LEAFSCORE_CONVERTED_SCORES_H_
