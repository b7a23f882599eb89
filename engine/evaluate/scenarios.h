// engine/evaluate/scenarios.h: the ground truth of an evaluation, by id.
//
// It comes from files and from folders. A file NAME.json holds one scenario or a list of them, NAME.jsonl one
// a line: {"id", "expected_answer", else "characteristic_form", "type", "scoring_method",
// "evaluation_metadata"}; null and the empty text are no expected answer. In a file that the user names, a
// scenario without an id has its position, from 1. In a folder, groundtruth.txt is the ground truth of the
// folder that it lies in, whose name without "scenario_" is the id and whose type is "structured"; where it
// cannot be read or is not there, the scenario is there without an expected answer. groundtruth_eval.json
// beside it is its evaluation_metadata, and scenario_meta.json holds its scoring_method, which with
// rubric.json and reference_answer.json is what the scorer fmea reads. Without ground truth, a folder is a
// scenario's when one of these, question.txt or a name like ground_truth.md lies in it, or when its own name
// begins with "scenario_" and either a folder beside it has ground truth or no scenario file is in it. Other
// files in such a folder are its data and are not read. What else there is of *.json and
// *.jsonl are scenario files, in which every scenario needs an id. Ids are texts: the number 11 and the text
// "11" are one id. Of two scenarios with one id the later one counts: in the order in which paths are given,
// by path within a folder. THREADS: loads in one thread; then any number may read it.
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
  std::string type;                            // empty when not stated
  std::optional<std::string> expected_json;    // a JSON value
  std::string scoring_method;                  // empty when not stated
  std::optional<ConfigValue> metadata = {};    // evaluation_metadata, a map
  bool metadata_is_broken = false;             // there is some, which cannot be read
  std::optional<ConfigValue> companions = {};  // of a folder: scenario_meta, rubric and reference_answer
  bool companions_are_broken = false;          // one of them cannot be read
  bool method_is_broken = false;               // likewise a scoring_method
  bool selected = true;
};

// Checks that the folder of the reports, which is passed over where it lies below a path of scenarios, holds
// no ground truth, which would be left out with it. ERRORS: Error(kUsage).
void CheckHoldsNoScenario(const std::string& reports, std::span<const std::string> scenarios);

class ScenarioSet {
 public:
  // Reads all paths. What is broken is skipped, and what can be read beside it counts.
  // ERRORS: Error(kInput) when a path does not exist or no scenario is in any of them.
  // COST:   one file is held at a time.
  ScenarioSet(std::span<const std::string> paths, std::size_t max_file_bytes,
              std::optional<FolderIdentity> except);

  // Selects the scenarios with these ids only. RETURNS: the ids that no scenario has.
  std::vector<std::string> Select(std::span<const std::string> ids);

  // RETURNS: the index into scenarios(), or kNone.
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t Find(std::string_view id) const;

  const std::vector<Scenario>& scenarios() const { return scenarios_; }
  const std::vector<SkippedFile>& skipped() const { return skipped_; }
  // How many of the skipped are the ground truth of a scenario, which is there without one.
  std::size_t without_ground_truth() const { return without_ground_truth_; }
  // Ids that occurred again, once for each time.
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

  std::vector<Scenario> scenarios_;  // in the order in which their ids came first
  TextMap<std::string, std::uint32_t> by_id_;
  std::vector<SkippedFile> skipped_;
  std::size_t without_ground_truth_ = 0;
  std::vector<std::string> duplicates_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_SCENARIOS_H_
