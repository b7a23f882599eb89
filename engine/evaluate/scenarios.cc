#include "engine/evaluate/scenarios.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_text.h"
#include "engine/json/structural_index.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kGroundTruthName = "groundtruth.txt";
constexpr std::string_view kFolderPrefix = "scenario_";
constexpr std::string_view kWhiteSpace = " \t\r\n";

bool MayHoldScenarios(std::string_view name) {
  return name == kGroundTruthName || name.ends_with(".json") || name.ends_with(".jsonl");
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kWhiteSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhiteSpace) + 1 - begin);
}

// Tells whether the folder or one around it is among `folders`.
bool IsWithin(const std::set<std::string, std::less<>>& folders, std::string_view folder) {
  for (;; folder = SplitPath(folder).folder) {
    if (folders.contains(folder)) return true;
    if (folder.empty()) return false;
  }
}

}  // namespace

ScenarioSet::ScenarioSet(std::span<const std::string> paths, std::size_t max_file_bytes,
                         std::optional<FolderIdentity> except) {
  for (const std::string& path : paths) LoadTree(FileTree(path), max_file_bytes, except);
  if (!scenarios_.empty()) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format("no scenario was found in {}{}; name folders with scenario_ID/groundtruth.txt, or JSON "
                  "or JSONL files of scenarios",
                  paths.front(), paths.size() > 1 ? " and the other paths" : "") +
          (skipped_.empty() ? "" : fmt::format(" ({}: {})", skipped_[0].path, skipped_[0].why)));
}

void ScenarioSet::LoadTree(const FileTree& tree, std::size_t max_file_bytes,
                           std::optional<FolderIdentity> except) {
  FileTree::Listing listing = tree.List(MayHoldScenarios, except);
  for (SkippedFile& skipped : listing.skipped) Skip(tree.DisplayPath(skipped.path), std::move(skipped.why));
  std::set<std::string, std::less<>> scenario_folders;
  for (const FileTree::File& file : listing.files) {
    const SplitPath split(file.path);
    if (split.name == kGroundTruthName) scenario_folders.emplace(split.folder);
  }
  FileTreeReader reader(tree);
  std::string text;
  for (const FileTree::File& file : listing.files) {
    const SplitPath split(file.path);
    const bool is_ground_truth = split.name == kGroundTruthName;
    if (!is_ground_truth && IsWithin(scenario_folders, split.folder)) continue;
    const std::string source = tree.DisplayPath(file.path);
    if (std::string why = reader.Read(file.path, max_file_bytes, text); !why.empty()) {
      Skip(source, std::move(why));
    } else if (is_ground_truth) {
      AddGroundTruth(split.folder.empty() ? tree.root_name() : SplitPath(split.folder).name, text, source);
    } else {
      AddFile(text, split.name.ends_with("l"), tree.is_file(), source);
    }
  }
}

void ScenarioSet::AddGroundTruth(std::string_view folder_name, std::string_view text,
                                 const std::string& source) {
  if (const std::size_t fault = FindInvalidUtf8(text); fault != text.size()) {
    return Skip(source, fmt::format("{}: byte {}", RejectReasonName(RejectReason::kInvalidUtf8), fault));
  }
  text = Trimmed(text);
  if (text.empty()) return Skip(source, "it is empty");
  if (folder_name.starts_with(kFolderPrefix)) folder_name.remove_prefix(kFolderPrefix.size());
  Scenario scenario;
  scenario.id = ReplaceInvalidUtf8(folder_name);
  AppendJsonString(scenario.expected_json.emplace(), text);
  Add(std::move(scenario));
}

void ScenarioSet::AddFile(std::string_view text, bool lines, bool position_is_id, const std::string& source) {
  ShapeTable shapes;
  JsonReader reader(&shapes);
  LeafTable table;
  reader.Begin(text, /*lines=*/false, &table);
  std::size_t position = 0;
  std::size_t begin = 0;
  std::size_t line = 0;
  while (begin < text.size()) {
    const std::size_t end = lines ? std::min(text.find('\n', begin), text.size()) : text.size();
    ++line;
    const std::string where = lines ? fmt::format("{}:{}", source, line) : source;
    if (text.find_first_not_of(kWhiteSpace, begin) < end) {
      const JsonResult result =
          reader.Read(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end));
      if (result.root == kNoNode) {
        Skip(where, fmt::format("{}: {} (byte {})", RejectReasonName(result.reason), result.message,
                                result.offset - begin));
        ++position;
      } else if (const JsonView root(table, shapes, result.root); !lines && root.Is(ValueKind::kArray)) {
        root.ForEachChild([&](JsonView item) {
          ++position;
          AddScenario(item, position, position_is_id, fmt::format("{}[{}]", source, position - 1));
        });
      } else {
        AddScenario(root, ++position, position_is_id, where);
      }
    }
    begin = end + 1;
  }
}

void ScenarioSet::AddScenario(JsonView object, std::size_t position, bool position_is_id,
                              const std::string& source) {
  if (!object.Is(ValueKind::kObject)) return Skip(source, "not_an_object: a scenario must be a JSON object");
  std::optional<std::string> id = object.Member("id").Text();
  if (!id && !position_is_id) return Skip(source, "the scenario has no id");
  Scenario scenario;
  scenario.id = id ? std::move(*id) : std::to_string(position);
  for (const std::string_view name : {"expected_answer", "characteristic_form"}) {
    const JsonView expected = object.Member(name);
    if (!scenario.expected_json && !expected.Is(ValueKind::kNull)) scenario.expected_json = expected.Json();
  }
  scenario.type = object.Member("type").Text().value_or("");
  scenario.scoring_method = object.Member("scoring_method").Text().value_or("");
  Add(std::move(scenario));
}

void ScenarioSet::Add(Scenario scenario) {
  const auto [found, is_new] = by_id_.emplace(scenario.id, static_cast<std::uint32_t>(scenarios_.size()));
  if (is_new) {
    scenarios_.push_back(std::move(scenario));
  } else {
    duplicates_.push_back(scenario.id);
    scenarios_[found->second] = std::move(scenario);
  }
}

std::vector<std::string> ScenarioSet::Select(std::span<const std::string> ids) {
  for (Scenario& scenario : scenarios_) scenario.selected = false;
  std::vector<std::string> unknown;
  for (const std::string& id : ids) {
    if (const std::uint32_t index = Find(id); index != kNone) {
      scenarios_[index].selected = true;
    } else {
      unknown.push_back(id);
    }
  }
  return unknown;
}

std::uint32_t ScenarioSet::Find(std::string_view id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? kNone : found->second;
}

}  // namespace leafscore::internal
