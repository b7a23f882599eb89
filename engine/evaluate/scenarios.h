// engine/evaluate/scenarios.h: the ground truth of an evaluation, by id.
//
// It comes from files and from folders. A file NAME.json contains one scenario or a list of them, NAME.jsonl
// one per line: {"id", "expected_answer", else "characteristic_form", "type", "scoring_method",
// "evaluation_metadata"}. Null and the empty text count as no expected answer. In a file that the user names,
// a scenario without an id has its position as id, counted from 1. In a folder, groundtruth.txt is the ground
// truth of the folder that contains it; the scenario's id is the folder's name without "scenario_", and its
// type is "structured". If the file cannot be read or does not exist, the scenario has no expected answer.
// Beside it, groundtruth_eval.json is its evaluation_metadata, and scenario_meta.json contains its
// scoring_method; the scorer fmea reads scenario_meta.json, rubric.json and reference_answer.json.
//
// A folder without ground truth belongs to a scenario if it contains one of these files, question.txt or a
// name like ground_truth.md; or if its own name begins with "scenario_" and either a folder beside it has
// ground truth or it contains no scenario file. Other files in a scenario's folder are its data and are not
// read. All other *.json and *.jsonl files are scenario files, in which every scenario needs an id.
//
// Ids are texts: the number 11 and the text "11" are the same id. If several scenarios have one id, the last
// counts: in the order in which paths are given, by path within a folder. THREADS: loads in one thread; then
// any number may read it.
#ifndef LEAFSCORE_ENGINE_EVALUATE_SCENARIOS_H_
#define LEAFSCORE_ENGINE_EVALUATE_SCENARIOS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/config/config_value.h"
#include "engine/io/file_tree.h"
#include "engine/json/json_view.h"

namespace leafscore::internal {

struct Scenario {
  std::string id;
  std::string type;                            // empty if not stated
  std::optional<std::string> expected_json;    // a JSON value
  std::string scoring_method;                  // empty if not stated
  std::optional<ConfigValue> metadata = {};    // evaluation_metadata, a map
  bool metadata_is_broken = false;             // it exists but cannot be read
  std::optional<ConfigValue> companions = {};  // of a folder: scenario_meta, rubric and reference_answer
  bool companions_are_broken = false;          // one of them cannot be read
  bool method_is_broken = false;               // the same for the scoring_method
  bool selected = true;
};

// Checks that the folder of the reports contains no ground truth. If that folder is below a path of
// scenarios, it is skipped, and ground truth in it would be skipped with it. ERRORS: Error(kUsage).
void CheckHoldsNoScenario(const std::string& reports, std::span<const std::string> scenarios);

class ScenarioSet {
 public:
  // Reads all paths. Broken files are skipped, and the others count.
  // ERRORS: Error(kInput) if a path does not exist or none of them contains a scenario.
  // COST: one file is in memory at a time.
  ScenarioSet(std::span<const std::string> paths, std::size_t max_file_bytes,
              std::optional<FolderIdentity> except);

  // Selects only the scenarios with these ids. RETURNS: the ids without a scenario.
  std::vector<std::string> Select(std::span<const std::string> ids);

  // RETURNS: the index into scenarios(), or kNone.
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t Find(std::string_view id) const;

  const std::vector<Scenario>& scenarios() const { return scenarios_; }
  const std::vector<SkippedFile>& skipped() const { return skipped_; }
  // Returns the number of skipped files that are ground truth. Their scenarios exist, but without ground
  // truth.
  std::size_t without_ground_truth() const { return without_ground_truth_; }
  // Repeated ids, once for each repetition.
  const std::vector<std::string>& duplicates() const { return duplicates_; }

 private:
  void LoadTree(const FileTree& tree, std::size_t max_file_bytes, std::optional<FolderIdentity> except);
  void AddGroundTruth(Scenario scenario, std::string_view text, std::string why, const std::string& source);
  void ReadCompanions(const FileTree& tree, std::string_view folder,
                      const std::set<std::string, std::less<>>& companions, std::size_t max_file_bytes,
                      FileTreeReader& reader, Scenario& scenario);
  void SetMethod(JsonView object, const std::string& source, Scenario& scenario);
  void SetMetadata(JsonView metadata, const std::string& source, Scenario& scenario);
  void AddCompanion(std::string_view name, JsonView content, const std::string& source, Scenario& scenario);
  void AddWithoutGroundTruth(Scenario scenario, std::string source, std::string why);
  void AddFile(std::string_view text, bool lines, bool position_is_id, const std::string& source);
  void AddScenario(JsonView object, std::size_t position, bool position_is_id, const std::string& source);
  void Add(Scenario scenario);
  void Skip(std::string path, std::string why) { skipped_.push_back({std::move(path), std::move(why)}); }

  std::vector<Scenario> scenarios_;  // in the order in which their ids first occurred
  TextMap<std::string, std::uint32_t> by_id_;
  std::vector<SkippedFile> skipped_;
  std::size_t without_ground_truth_ = 0;
  std::vector<std::string> duplicates_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_SCENARIOS_H_
