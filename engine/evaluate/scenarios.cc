#include "engine/evaluate/scenarios.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/base/utf8.h"
#include "engine/config/config_parser.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_text.h"
#include "engine/json/structural_index.h"
#include "engine/languages/python_text.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kGroundTruthName = "groundtruth.txt";
constexpr std::string_view kFolderPrefix = "scenario_";
constexpr std::string_view kFolderType = "structured";  // as AssetOpsBench's reports call it
constexpr std::string_view kWhiteSpace = " \t\r\n";

// The files beside the ground truth of a scenario.
constexpr std::string_view kQuestionName = "question.txt";
constexpr std::string_view kMetadataName = "groundtruth_eval.json";
constexpr std::string_view kMethodName = "scenario_meta.json";
constexpr std::string_view kRubricName = "rubric.json";
constexpr std::string_view kReferenceName = "reference_answer.json";
constexpr std::string_view kReadCompanions[] = {kMetadataName, kMethodName, kRubricName, kReferenceName};

bool IsCompanion(std::string_view name) {
  return name == kQuestionName || std::ranges::find(kReadCompanions, name) != std::end(kReadCompanions);
}

bool IsScenarioFile(std::string_view name) {
  return (name.ends_with(".json") || name.ends_with(".jsonl")) && !IsCompanion(name);
}

// Returns whether a file is probably meant as the ground truth: GroundTruth.txt, ground_truth.md,
// groundtruth.
bool IsNearGroundTruth(std::string_view name) {
  if (name == kGroundTruthName || IsScenarioFile(name)) return false;
  std::string letters;
  for (const char c : Stem(name)) {
    if (c != '_' && c != '-' && c != ' ') letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return letters == Stem(kGroundTruthName);
}

// Returns the file name that a similar name probably stands for, for example groundtruth_eval.json for
// Groundtruth_Eval.json; else an empty text.
std::string_view MeantName(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  for (const std::string_view meant : kReadCompanions) {
    if (name != meant && IsScenarioFile(name) && lower == meant) return meant;
  }
  return {};
}

bool IsOfScenarios(std::string_view name) {
  return name == kGroundTruthName || IsCompanion(name) || IsScenarioFile(name) || IsNearGroundTruth(name);
}

using FolderSet = std::set<std::string, std::less<>>;

std::string PathIn(std::string_view folder, std::string_view name) {
  return folder.empty() ? std::string(name) : fmt::format("{}/{}", folder, name);
}

// Adds the folders around one.
void AddAround(std::string_view folder, FolderSet& folders) {
  while (!folder.empty()) folders.emplace(folder = SplitPath(folder).folder);
}

// Returns whether `folders` contains this folder or a folder that encloses it.
bool IsWithin(const FolderSet& folders, std::string_view folder) {
  for (;; folder = SplitPath(folder).folder) {
    if (folders.contains(folder)) return true;
    if (folder.empty()) return false;
  }
}

// Finds the folders of scenarios without ground truth, and adds them to `scenario_folders`, which already has
// the folders with ground truth. RETURNS: each folder that was found, with the reason.
std::vector<SkippedFile> FoldersWithoutGroundTruth(const FileTree::Listing& listing,
                                                   std::string_view root_name, FolderSet& scenario_folders) {
  std::map<std::string, std::string, std::less<>>
      signs;                      // by folder: the name that is probably meant, or empty
  FolderSet with_scenario_files;  // in them or below
  FolderSet beside_ground_truth;  // the folders that such folders are in
  FolderSet around_ground_truth;  // folders of scenarios
  FolderSet around_signs;         // folders that are probably scenarios
  for (const std::string& folder : scenario_folders) {
    AddAround(folder, around_ground_truth);
    if (!folder.empty()) beside_ground_truth.emplace(SplitPath(folder).folder);
  }
  for (const FileTree::File& file : listing.files) {
    const SplitPath split(file.path);
    if (IsScenarioFile(split.name)) {
      with_scenario_files.emplace(split.folder);
      AddAround(split.folder, with_scenario_files);
    } else if (split.name != kGroundTruthName) {
      std::string& meant = signs[std::string(split.folder)];
      if (!IsCompanion(split.name)) meant = split.name;
      AddAround(split.folder, around_signs);
    }
  }
  const auto is_named_so = [](std::string_view name) { return name.starts_with(kFolderPrefix); };
  for (const std::string& folder : listing.folders) {
    if (is_named_so(SplitPath(folder).name)) AddAround(folder, around_signs);
  }

  std::vector<SkippedFile> found;
  const auto look_at = [&](std::string_view folder) {
    const SplitPath split(folder);
    const auto sign = signs.find(folder);
    const bool is_one = is_named_so(folder.empty() ? root_name : split.name) &&
                        ((!folder.empty() && beside_ground_truth.contains(split.folder)) ||
                         !with_scenario_files.contains(folder));
    if (around_ground_truth.contains(folder) || IsWithin(scenario_folders, folder)) return;
    if (sign == signs.end() && (!is_one || around_signs.contains(folder))) return;
    scenario_folders.emplace(folder);
    std::string why = fmt::format("it has no {}", kGroundTruthName);
    if (sign != signs.end() && !sign->second.empty()) {
      why += fmt::format("; is {} meant?", QuoteForMessage(sign->second));
    }
    found.push_back({std::string(folder), std::move(why)});
  };
  look_at("");
  for (const std::string& folder : listing.folders) look_at(folder);
  return found;
}

Scenario ScenarioOfFolder(std::string_view name) {
  if (name.starts_with(kFolderPrefix)) name.remove_prefix(kFolderPrefix.size());
  Scenario scenario;
  scenario.id = ReplaceInvalidUtf8(name);
  scenario.type = kFolderType;
  return scenario;
}

}  // namespace

void CheckHoldsNoScenario(const std::string& reports, std::span<const std::string> scenarios) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path folder = fs::canonical(reports, none);
  if (!fs::is_directory(folder, none)) return;  // it does not exist yet
  const bool is_below = std::ranges::any_of(scenarios, [&](const std::string& path) {
    const fs::path around = fs::canonical(path, none);
    return folder != around &&
           std::mismatch(around.begin(), around.end(), folder.begin(), folder.end()).first == around.end();
  });
  if (!is_below) return;
  const auto is_ground_truth = [](std::string_view name) {
    return name == kGroundTruthName || IsNearGroundTruth(name);
  };
  const FileTree tree(reports);
  const FileTree::Listing listing = tree.List(is_ground_truth, {});
  if (listing.files.empty()) return;
  throw Error(
      ErrorCode::kUsage,
      fmt::format("{} is ground truth, and would be skipped with the reports: name another --reports-dir",
                  tree.DisplayPath(listing.files[0].path)));
}

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
  FileTree::Listing listing = tree.List(IsOfScenarios, except);
  FolderSet broken;  // paths of metadata and methods that are not files
  for (SkippedFile& skipped : listing.skipped) {
    broken.insert(skipped.path);
    Skip(tree.DisplayPath(skipped.path), std::move(skipped.why));
  }
  for (const std::string& folder : listing.folders) {
    const std::string_view name = SplitPath(folder).name;
    if (std::ranges::find(kReadCompanions, name) == std::end(kReadCompanions)) continue;
    broken.insert(folder);
    Skip(tree.DisplayPath(folder), "it is a folder, not a file");
  }
  const auto name_of = [&](std::string_view folder) {
    return folder.empty() ? std::string_view(tree.root_name()) : SplitPath(folder).name;
  };
  FolderSet scenario_folders;
  FolderSet companions;  // paths of files
  for (const FileTree::File& file : listing.files) {
    const SplitPath split(file.path);
    if (split.name == kGroundTruthName) scenario_folders.emplace(split.folder);
    if (IsCompanion(split.name)) companions.insert(file.path);
  }
  if (!tree.is_file()) {
    for (SkippedFile& folder : FoldersWithoutGroundTruth(listing, tree.root_name(), scenario_folders)) {
      AddWithoutGroundTruth(ScenarioOfFolder(name_of(folder.path)), tree.DisplayPath(folder.path),
                            std::move(folder.why));
    }
  }
  for (const FileTree::File& file : listing.files) {
    const SplitPath split(file.path);
    const std::string_view meant = MeantName(split.name);
    if (meant.empty() || !scenario_folders.contains(split.folder)) continue;
    Skip(tree.DisplayPath(file.path), fmt::format("it is not used; is {} meant?", meant));
  }
  FileTreeReader reader(tree);
  std::string text;
  for (const FileTree::File& file : listing.files) {
    const SplitPath split(file.path);
    const bool is_ground_truth = split.name == kGroundTruthName;
    if (!is_ground_truth && (!IsScenarioFile(split.name) || IsWithin(scenario_folders, split.folder)))
      continue;
    const std::string source = tree.DisplayPath(file.path);
    std::string why = reader.Read(file.path, max_file_bytes, text);
    if (is_ground_truth) {
      Scenario scenario = ScenarioOfFolder(name_of(split.folder));
      ReadCompanions(tree, split.folder, companions, max_file_bytes, reader, scenario);
      scenario.metadata_is_broken |= broken.contains(PathIn(split.folder, kMetadataName));
      scenario.method_is_broken |= broken.contains(PathIn(split.folder, kMethodName));
      for (const std::string_view name : {kMethodName, kRubricName, kReferenceName}) {
        scenario.companions_are_broken |= broken.contains(PathIn(split.folder, name));
      }
      AddGroundTruth(std::move(scenario), text, std::move(why), source);
    } else if (!why.empty()) {
      Skip(source, std::move(why));
    } else {
      AddFile(text, split.name.ends_with("l"), tree.is_file(), source);
    }
  }
}

// Reads the files beside the ground truth of a scenario.
void ScenarioSet::ReadCompanions(const FileTree& tree, std::string_view folder,
                                 const std::set<std::string, std::less<>>& companions,
                                 std::size_t max_file_bytes, FileTreeReader& reader, Scenario& scenario) {
  for (const std::string_view name : kReadCompanions) {
    const std::string path = PathIn(folder, name);
    if (!companions.contains(path)) continue;
    const std::string source = tree.DisplayPath(path);
    std::string text;
    std::string why = reader.Read(path, max_file_bytes, text);
    if (why.empty()) {
      ShapeTable shapes;
      JsonReader json_reader(&shapes);
      LeafTable table;
      json_reader.Begin(text, /*lines=*/false, &table);
      const JsonResult result = json_reader.Read(0, static_cast<std::uint32_t>(text.size()));
      const JsonView root(table, shapes, result.root);
      if (!root.present()) {
        why = fmt::format("{}: {}", RejectReasonName(result.reason), result.message);
      } else if (name == kMethodName && !root.Is(ValueKind::kObject)) {
        why = "not_an_object: it must be a JSON object";
      } else if (name == kMetadataName) {
        SetMetadata(root, source, scenario);
      } else {
        if (name == kMethodName) SetMethod(root, source, scenario);
        AddCompanion(Stem(name), root, source, scenario);
      }
    }
    if (why.empty()) continue;
    if (name == kMetadataName) {
      scenario.metadata_is_broken = true;
    } else {
      scenario.companions_are_broken = true;
      scenario.method_is_broken |= name == kMethodName;
    }
    Skip(source, std::move(why));
  }
}

void ScenarioSet::SetMethod(JsonView object, const std::string& source, Scenario& scenario) {
  const JsonView method = object.Member("scoring_method");
  if (!method.present() || method.Is(ValueKind::kNull)) return;
  scenario.method_is_broken = !method.IsText();
  if (scenario.method_is_broken) return Skip(source, "its scoring_method must be a text");
  scenario.scoring_method = *method.Text();
}

void ScenarioSet::AddCompanion(std::string_view name, JsonView content, const std::string& source,
                               Scenario& scenario) {
  try {
    if (!scenario.companions) scenario.companions.emplace().kind = ConfigValue::Kind::kMap;
    scenario.companions->members.push_back({std::string(name), 0, ParseConfig(*content.Json(), "JSON")});
  } catch (const Error& error) {
    scenario.companions_are_broken = true;
    Skip(source, fmt::format("it cannot be read: {}", error.what()));
  }
}

void ScenarioSet::SetMetadata(JsonView metadata, const std::string& source, Scenario& scenario) {
  if (!metadata.present() || metadata.Is(ValueKind::kNull)) return;
  try {
    if (!metadata.Is(ValueKind::kObject)) throw Error(ErrorCode::kUsage, "it must be a JSON object");
    scenario.metadata = ParseConfig(*metadata.Json(), "JSON");
  } catch (const Error& error) {
    scenario.metadata_is_broken = true;
    Skip(source, fmt::format("the evaluation_metadata cannot be read: {}", error.what()));
  }
}

void ScenarioSet::AddGroundTruth(Scenario scenario, std::string_view text, std::string why,
                                 const std::string& source) {
  if (const std::size_t fault = FindInvalidUtf8(text); why.empty() && fault != text.size()) {
    why = fmt::format("{}: byte {}", RejectReasonName(RejectReason::kInvalidUtf8), fault);
  }
  if (why.empty() && StripSpace(text).empty()) why = "it is empty";
  if (!why.empty()) return AddWithoutGroundTruth(std::move(scenario), source, std::move(why));
  AppendJsonString(scenario.expected_json.emplace(), StripSpace(text));
  Add(std::move(scenario));
}

void ScenarioSet::AddWithoutGroundTruth(Scenario scenario, std::string source, std::string why) {
  Skip(std::move(source), std::move(why));
  ++without_ground_truth_;
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
    if (scenario.expected_json || expected.Is(ValueKind::kNull) || expected.Written() == R"("")") continue;
    scenario.expected_json = expected.Json();
  }
  scenario.type = object.Member("type").Text().value_or("");
  SetMethod(object, source, scenario);
  SetMetadata(object.Member("evaluation_metadata"), source, scenario);
  if (scenario.expected_json) return Add(std::move(scenario));
  AddWithoutGroundTruth(std::move(scenario), source,
                        "the scenario has no expected_answer and no characteristic_form");
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
    } else if (std::ranges::find(unknown, id) == unknown.end()) {
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
