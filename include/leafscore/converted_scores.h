// leafscore/converted_scores.h: manifests for scores that another tool computed. CompareFiles and RankFiles
// accept such scores if they have a manifest. The manifest shows that the file is complete and unchanged, and
// that leafscore did not compute the scores. `leafscore convert --to scores` writes such files.
//
//   leafscore::ScoresOrigin origin;
//   origin.tool = "my_tool";
//   origin.ids = "the name of each sample";
//   leafscore::ConvertedScores scores(origin);
//   scores.AddScorer("accuracy", {});
//   scores.AddRecord("q1", R"("Oslo")");
//   const std::string line = R"({"id": "q1", "scorer": "accuracy", "outcome": "scored", "score": 1})" "\n";
//   scores.AddLines(line);
//   std::ofstream("mine.jsonl") << line;
//   std::ofstream("mine.jsonl.manifest.json") << scores.Manifest();
//   const std::vector<std::string> files = {"mine.jsonl"};
//   assert(leafscore::RankFiles(files)[0].verified);
#ifndef LEAFSCORE_CONVERTED_SCORES_H_
#define LEAFSCORE_CONVERTED_SCORES_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leafscore/export.h"

namespace leafscore {

// The origin of the scores.
struct ScoresOrigin {
  std::string tool;     // the tool that computed them; empty: unknown
  std::string version;  // the version of the tool; empty: unknown
  std::string format;   // the format of its files, for example "inspect"
  std::string ids;      // a description of how the ids were made
};

// An option of a scorer. Its value is JSON.
struct ConvertedOption {
  std::string name;
  std::string json;
};

// Collects the content of a manifest while the lines of scores are written.
// THREADS: one at a time.
class LEAFSCORE_EXPORT ConvertedScores {
 public:
  explicit ConvertedScores(const ScoresOrigin& origin);
  ~ConvertedScores();
  ConvertedScores(const ConvertedScores&) = delete;
  ConvertedScores& operator=(const ConvertedScores&) = delete;

  // Adds a file that the scores come from, and reads it for its checksum.
  // ERRORS: Error(kInput) when the file cannot be read.
  void AddInput(const std::string& path);

  // Adds a scorer. Two files of scores cannot be compared if a scorer has different options in them.
  // ERRORS: Error(kUsage) for an option that is not a JSON value.
  void AddScorer(const std::string& name, const std::vector<ConvertedOption>& options);

  // Adds a record that was asked. Call this once for each id, even if the id has several answers. `id` is
  // nullopt if the record has no id. `expected_json` is the expected value as compact JSON, or nullopt if it
  // is unknown.
  void AddRecord(std::optional<std::string_view> id, std::optional<std::string_view> expected_json);

  // Adds the lines that are written to the output next (docs/formats.md), before compression.
  void AddLines(std::string_view lines);

  // Returns the content of the file OUTPUT.manifest.json, which belongs beside the output.
  std::string Manifest() const;

  // Returns the manifest as the last line of an output, for an output such as a pipe.
  std::string Trailer() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace leafscore

#endif  // LEAFSCORE_CONVERTED_SCORES_H_
