// A set refers to its evaluators by id, and each record says which of them apply, and with which criteria. So
// the gold of a record is an object of criteria by these ids (engine/run/criteria.h).
#include "engine/import/uipath.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/config/config_json.h"
#include "engine/config/config_parser.h"
#include "engine/import/config_maker.h"
#include "engine/import/import_config.h"
#include "engine/import/uipath_evaluator.h"
#include "engine/import/uipath_members.h"
#include "engine/json/json_writer.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

using Kind = ConfigValue::Kind;

ConfigValue ParseUiPath(std::string_view text, const std::string& path) {
  return ParseConfig(text, path, {kMaxImportedBytes.default_value, kMaxImportedNodes.default_value});
}

bool IsSet(const ConfigValue& root) {
  if (root.kind != Kind::kMap || root.Find("evaluators") != nullptr || root.Find("scorers") != nullptr) {
    return false;
  }
  if (root.Find("evaluations") == nullptr) return false;
  return root.Find("evaluatorRefs") != nullptr || root.Find("evaluatorConfigs") != nullptr ||
         root.Find("evaluator_refs") != nullptr || root.Find("evaluator_configs") != nullptr ||
         root.Find("id") != nullptr;
}

// Returns an id as UiPath compares it: GUIDs in lower case.
std::string NormalId(std::string id) {
  constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  const bool is_guid = std::ranges::equal(id, kForm, [](char c, char form) {
    return form == 'x' ? std::isxdigit(static_cast<unsigned char>(c)) != 0 : c == form;
  });
  if (is_guid) {
    std::ranges::transform(id, id.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  return id;
}

// Returns whether the member `version` is a number or text of at least 1.
bool IsNewerSet(const ConfigValue& root) {
  const ConfigValue* const version = FindValue(root, "version");
  if (version == nullptr || version->kind != Kind::kScalar) return false;
  if (!version->quoted && version->scalar == "true") return true;
  double number = 0;
  const char* const end = version->scalar.data() + version->scalar.size();
  return std::from_chars(version->scalar.data(), end, number).ec == std::errc() && number >= 1;
}

// The evaluators in the folder beside the set's folder, by id.
class EvaluatorFolder {
 public:
  // ERRORS: Error(kUsage) for a file there that is not a JSON object, because UiPath reads all files.
  explicit EvaluatorFolder(const std::string& set_path) {
    const std::filesystem::path set(set_path);
    folder_ = (set.parent_path() / ".." / "evaluators").lexically_normal();
    if (set.parent_path().empty()) folder_ = std::filesystem::path("..") / "evaluators";
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
      if (entry.path().extension() == ".json" && entry.is_regular_file(error)) {
        paths_.push_back(entry.path().string());
      }
    }
    std::ranges::sort(paths_);
    for (const std::string& path : paths_) Add(path);
  }

  // ERRORS: Error(kUsage) for an evaluator that UiPath refuses, and for two with one id; only the evaluators
  // in use are checked.
  std::optional<UiPathEvaluator> Find(const std::string& id) const {
    const auto [first, end] = files_.equal_range(id);
    if (first == end) return std::nullopt;
    const File& file = first->second;
    if (const auto second = std::next(first); second != end) {
      throw ConfigError(
          file.path, file.root.line,
          fmt::format("{} also has the id {}, and criteria refer to evaluators by id; change one of them",
                      second->second.path, QuoteForMessage(id)));
    }
    return ReadUiPathEvaluator(file.root, file.path);
  }

  std::string name() const { return folder_.string(); }
  const std::vector<std::string>& paths() const { return paths_; }  // all files there

 private:
  struct File {
    std::string path;
    ConfigValue root;
  };

  // Ignore an object that is not an evaluator.
  void Add(const std::string& path) {
    ConfigValue root = ParseUiPath(ReadImportText(path), path);
    if (root.kind != Kind::kMap) {
      throw ConfigError(path, root.line,
                        "UiPath reads all files in the folder of a set's evaluators, and this one is not a "
                        "JSON object; correct it or move it away");
    }
    const ConfigValue* const id = FindValue(root, "id");
    if (!IsUiPathEvaluator(root) || id == nullptr || !id->quoted) return;
    const std::string text = id->scalar;
    files_.emplace(text, File{path, std::move(root)});
  }

  std::filesystem::path folder_;
  std::vector<std::string> paths_;
  std::multimap<std::string, File> files_;
};

// The evaluator of a set.
struct SetMember {
  UiPathEvaluator evaluator;
  double weight = 1;
};

class SetReader {
 public:
  SetReader(const ConfigValue& root, const std::string& path)
      : root_(root), path_(path), set_(root, path, "the evaluation set"), is_newer_(IsNewerSet(root)) {}

  ImportedConfig Read() {
    imported_.origin = ConfigOrigin::kUiPath;
    for (const std::string_view required : {"id", "name"}) set_.RequiredText(required);
    if (is_newer_ && (!set_.Find("version")->quoted || set_.Find("version")->scalar != "1.0")) {
      set_.Refuse(set_.FindMember("version")->line, "the only \"version\" that UiPath knows is \"1.0\"");
    }
    if (!is_newer_) {
      for (const std::string_view required : {"fileName", "createdAt", "updatedAt"})
        set_.RequiredText(required);
    }
    ReadReferences();
    if (members_.empty())
      Note(ImportNoteKind::kOffline, root_.line, "evaluators", "the set refers to no evaluator");
    for (const ConfigMember* const member :
         set_.Others({"id", "name", "version", "evaluatorRefs", "evaluatorConfigs", "evaluations", "fileName",
                      "createdAt", "updatedAt"})) {
      Note(ImportNoteKind::kIgnored, member->line, fmt::format("member \"{}\"", member->key),
           "it describes how an agent is run, or nothing");
    }
    ReadEvaluations();
    MakeScorers();
    return std::move(imported_);
  }

 private:
  void Note(ImportNoteKind kind, int line, std::string what, std::string text) {
    imported_.notes.push_back({kind, path_, line, std::move(what), std::move(text)});
  }

  void ReadReferences() {
    const EvaluatorFolder folder(path_);
    imported_.files = folder.paths();
    const ConfigMember* member = is_newer_ ? set_.FindMember("evaluatorConfigs") : nullptr;
    if (member == nullptr || member->value.items.empty()) member = set_.FindMember("evaluatorRefs");
    if (member == nullptr) return;
    if (member->value.kind != Kind::kList) {
      set_.Refuse(member->line, fmt::format("\"{}\" must be a list", member->key));
    }
    for (const ConfigValue& item : member->value.items) {
      std::string id = item.scalar;
      double weight = 1;
      if (item.kind == Kind::kMap) {
        const UiPathMembers reference(item, path_, "the reference to an evaluator");
        id = reference.RequiredText("ref");
        weight = reference.Number("weight").value_or(1);
        if (weight < 0) reference.Refuse(item.line, "\"weight\" is below 0");
      } else if (!item.quoted) {
        set_.Refuse(item.line, "a reference to an evaluator must be its id");
      }
      const bool is_known =
          std::ranges::any_of(members_, [&](const SetMember& other) { return other.evaluator.id == id; });
      if (is_known) continue;
      std::optional<UiPathEvaluator> evaluator = folder.Find(id);
      if (!evaluator) {
        set_.Refuse(item.line, fmt::format("no evaluator with the id {} is in the folder {}",
                                           QuoteForMessage(id), folder.name()));
      }
      imported_.notes.insert(imported_.notes.end(), evaluator->notes.begin(), evaluator->notes.end());
      members_.push_back({*std::move(evaluator), weight});
    }
  }

  void ReadEvaluations() {
    const ConfigMember* const list = set_.FindMember("evaluations");
    if (list->value.kind != Kind::kList) set_.Refuse(list->line, "\"evaluations\" must be a list");
    std::map<std::string, int> names;
    for (const ConfigValue& evaluation : list->value.items) {
      if (evaluation.kind != Kind::kMap) set_.Refuse(evaluation.line, "an evaluation must be an object");
      const UiPathMembers members(evaluation, path_, "the evaluation");
      const std::string name = members.RequiredText("name");
      if (++names[name] == 2) {
        Note(ImportNoteKind::kDiffers, evaluation.line, fmt::format("evaluation {}", QuoteForMessage(name)),
             "several have this name: UiPath counts their mean once in its averages; here, each counts");
      }
      AddRecord(evaluation, members, name);
    }
    for (const auto& [id, place] : unknown_) {
      Note(ImportNoteKind::kSkipped, place.line, fmt::format("criteria of {}", QuoteForMessage(id)),
           fmt::format("no evaluator of the set has this id; this affects {} of the evaluations",
                       place.count));
    }
    for (const auto& [fault, place] : faults_) {
      Note(ImportNoteKind::kDiffers, place.line, fmt::format("criteria of {}", QuoteForMessage(fault.first)),
           fmt::format("{}; this affects {} of the evaluations: each is an error of this evaluator here, and "
                       "of all evaluators in UiPath",
                       fault.second, place.count));
    }
    if (lowered_.count > 0) {
      Note(ImportNoteKind::kDiffers, lowered_.line, "ids of evaluations",
           fmt::format("UiPath and the gold use GUIDs in lower case, but {} in the file are not; the ids of "
                       "the outputs must be in lower case, too",
                       lowered_.count));
    }
    if (imported_.gold.empty()) {
      Note(ImportNoteKind::kOffline, list->line, "evaluations", "there are none");
      return;
    }
    Note(ImportNoteKind::kRuns, list->line, "evaluations",
         fmt::format("{} gold records", imported_.gold.size()));
  }

  void AddRecord(const ConfigValue& evaluation, const UiPathMembers& members, const std::string& name) {
    const std::string written_id = members.RequiredText("id");
    const std::string id = NormalId(written_id);
    if (id != written_id) CountIn(lowered_, members.FindMember("id")->line);
    if (++ids_[id] == 2) {
      Note(ImportNoteKind::kDiffers, evaluation.line, fmt::format("evaluation {}", QuoteForMessage(id)),
           "several have this id: UiPath runs all; here, outputs are joined with the last one");
    }
    const ConfigMember* const inputs = members.FindMember("inputs");
    if (inputs == nullptr || inputs->value.kind != Kind::kMap) {
      members.Refuse(evaluation.line, "\"inputs\" must be an object");
    }
    if (!is_newer_) {
      for (const std::string_view required : {"evalSetId", "createdAt", "updatedAt"}) {
        members.RequiredText(required);
      }
    }
    const ConfigValue* const own = members.Has("expectedOutput") ? members.Find("expectedOutput") : nullptr;
    const bool fits = own == nullptr || own->kind == Kind::kMap || (is_newer_ && own->quoted);
    if (!fits || (own == nullptr && !is_newer_)) {
      members.Refuse(evaluation.line, is_newer_ ? "\"expectedOutput\" must be an object or a text"
                                                : "\"expectedOutput\" must be an object");
    }
    std::string& record = imported_.gold.emplace_back();
    JsonWriter json(record, JsonLayout::kCompact);
    json.StartObject();
    json.Key("id").String(id);
    json.Key("name").String(name);
    json.Key("expected").StartObject();
    if (is_newer_) {
      AddCriteria(evaluation, members, own, json);
    } else {
      for (const SetMember& member : members_) {
        if (member.evaluator.can_run()) AddExpected(member, *own, json);
      }
    }
    json.EndObject();
    AppendConfigAsJson(inputs->value, json.Key("inputs").RawValue());
    json.EndObject();
  }

  void AddCriteria(const ConfigValue& evaluation, const UiPathMembers& members, const ConfigValue* own,
                   JsonWriter& json) {
    const ConfigMember* const all = members.FindMember("evaluationCriterias");
    if (all == nullptr || all->value.kind != Kind::kMap) {
      members.Refuse(evaluation.line, "\"evaluationCriterias\" must be an object");
    }
    for (const ConfigMember& member : all->value.members) {
      const bool is_known = std::ranges::any_of(
          members_, [&](const SetMember& known) { return known.evaluator.id == member.key; });
      if (!is_known) CountIn(unknown_[member.key], member.line);
    }
    for (const SetMember& member : members_) {
      const UiPathEvaluator& evaluator = member.evaluator;
      const ConfigValue* const criteria = FindValue(all->value, evaluator.id);
      if (criteria == nullptr || !evaluator.can_run()) continue;
      if (criteria->kind != Kind::kNull && criteria->kind != Kind::kMap) {
        members.Refuse(criteria->line, "criteria must be an object or null");
      }
      const bool is_empty = criteria->members.empty();
      const ConfigValue* value = criteria->Find(evaluator.criteria_member) == nullptr
                                     ? nullptr
                                     : FindValue(*criteria, evaluator.criteria_member);
      const bool takes_own = own != nullptr && evaluator.criteria_member == "expectedOutput";
      if (value == nullptr && takes_own) value = own;
      if (value == nullptr && !is_empty) {
        value = UiPathMembers(*criteria, path_, "criteria").Find(evaluator.criteria_member);
      }
      if (evaluator.is_older) {  // it has no default, and takes nothing from the evaluation itself
        AddOlder(member, *criteria, json);
      } else if (value != nullptr) {
        AddExpected(member, *value, json);
      } else if (is_empty) {
        json.Key(evaluator.id).StartObject();
        json.EndObject();
      } else {
        AddFault(member, criteria->line,
                 fmt::format("its criteria have no \"{}\"", evaluator.criteria_member), json);
      }
    }
  }

  void AddOlder(const SetMember& member, const ConfigValue& criteria, JsonWriter& json) {
    const UiPathMembers members(criteria, path_, "criteria");
    const ConfigValue* const value = members.Find("expectedOutput");
    const ConfigValue* const behavior = members.Find("expectedAgentBehavior");
    if (value == nullptr || behavior == nullptr || !behavior->quoted) {
      return AddFault(member, criteria.line,
                      "its criteria have no \"expectedOutput\" or no \"expectedAgentBehavior\"", json);
    }
    AddExpected(member, *value, json);
  }

  void AddExpected(const SetMember& member, const ConfigValue& value, JsonWriter& json) {
    const std::string_view fault = FaultOfCriteria(member.evaluator, value);
    if (!fault.empty()) return AddFault(member, value.line, fault, json);
    if (!IsOfClasses(member.evaluator, value)) {
      CountFault(member, value.line, "the expected class is not one of the classes");
    }
    json.Key(member.evaluator.id).StartObject();
    AppendConfigAsJson(ExpectedOfCriteria(member.evaluator, value), json.Key("expected").RawValue());
    json.EndObject();
  }

  void AddFault(const SetMember& member, int line, std::string_view fault, JsonWriter& json) {
    CountFault(member, line, fault);
    json.Key(member.evaluator.id).StartObject();
    json.Key("fault").String(fault);
    json.EndObject();
  }

  void CountFault(const SetMember& member, int line, std::string_view fault) {
    CountIn(faults_[{member.evaluator.id, std::string(fault)}], line);
  }

  // Returns false if the expected class is not one of the classes of a classification.
  static bool IsOfClasses(const UiPathEvaluator& evaluator, const ConfigValue& value) {
    const ConfigValue* const classes = FindValue(evaluator.scorer, "classes");
    if (evaluator.criteria_member != "expectedClass" || classes == nullptr) return true;
    const auto lower_case = [](std::string text) {
      ToLowerCase(text);
      return text;
    };
    return std::ranges::any_of(classes->items, [&](const ConfigValue& each) {
      return lower_case(each.scalar) == lower_case(value.scalar);
    });
  }

  // Where something was first seen, and how often.
  struct Place {
    int line = 0;
    int count = 0;
  };

  static void CountIn(Place& place, int line) {
    if (place.count++ == 0) place.line = line;
  }

  // Makes the scorers, with unique names.
  void MakeScorers() {
    std::map<std::string, int> names;
    for (const SetMember& member : members_) ++names[member.evaluator.name];
    std::vector<ConfigValue> scorers;
    for (const SetMember& member : members_) {
      const UiPathEvaluator& evaluator = member.evaluator;
      if (!evaluator.can_run()) continue;
      ConfigValue scorer = evaluator.scorer;
      if (names[evaluator.name] > 1) {
        ConfigValue& name = std::ranges::find(scorer.members, "name", &ConfigMember::key)->value;
        name.scalar = fmt::format("{} ({})", evaluator.name, evaluator.id);
        Note(ImportNoteKind::kDiffers, root_.line, fmt::format("evaluator \"{}\"", evaluator.id),
             fmt::format(
                 "several evaluators have its name, so it is called {} here; UiPath counts their mean once",
                 QuoteForMessage(name.scalar)));
      }
      AddMember("criteria_key", MakeText(evaluator.id, scorer.line), scorer);
      AddMember("final_weight", MakeScalar(fmt::format("{}", member.weight), /*quoted=*/false, scorer.line),
                scorer);
      scorers.push_back(std::move(scorer));
    }
    imported_.config = MakeConfig(std::move(scorers));
  }

  const ConfigValue& root_;
  const std::string& path_;
  UiPathMembers set_;
  bool is_newer_;
  std::vector<SetMember> members_;
  std::map<std::string, int> ids_;                               // ids of the evaluations
  std::map<std::string, Place> unknown_;                         // ids in criteria that no evaluator has
  std::map<std::pair<std::string, std::string>, Place> faults_;  // criteria that do not fit: id and fault
  Place lowered_;  // ids of the evaluations that were lower-cased
  ImportedConfig imported_;
};

}  // namespace

bool IsUiPathFile(std::string_view text, std::string_view name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return false;
  try {
    const ConfigValue root = ParseUiPath(text, std::string(name));
    return IsUiPathEvaluator(root) || IsSet(root);
  } catch (const Error&) {  // a later reader reports what is wrong
    return std::ranges::any_of(
        std::array<std::string_view, 2>{"\"evaluatorTypeId\"", "\"evaluationCriterias\""},
        [&](std::string_view key) { return text.find(key) != std::string_view::npos; });
  }
}

ImportedConfig ImportUiPath(std::string_view text, const std::string& path) {
  const ConfigValue root = ParseUiPath(text, path);
  if (!IsUiPathEvaluator(root)) return SetReader(root, path).Read();
  UiPathEvaluator evaluator = ReadUiPathEvaluator(root, path);
  ImportedConfig imported;
  imported.origin = ConfigOrigin::kUiPath;
  std::vector<ConfigValue> scorers;
  if (evaluator.can_run()) scorers.push_back(std::move(evaluator.scorer));
  imported.config = MakeConfig(std::move(scorers));
  imported.notes = std::move(evaluator.notes);
  return imported;
}

}  // namespace leafscore::internal
