#include "engine/import/agentv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/config/config_json.h"
#include "engine/config/config_parser.h"
#include "engine/import/agentv_asserts.h"
#include "engine/import/agentv_parts.h"
#include "engine/import/agentv_vars.h"
#include "engine/import/config_maker.h"
#include "engine/json/json_writer.h"

namespace leafscore::internal {
namespace {

using Kind = ConfigValue::Kind;

// Members of a suite or a test for which AgentV refuses the file, and advice for the message.
struct RefusedMember {
  std::string_view name;
  std::string_view advice;
};
constexpr RefusedMember kRefusedInSuite[] = {
    {"eval_cases", "give the tests as \"tests\""},
    {"input", "give \"prompts\", and variables in \"vars\""},
    {"expected_output", "give it as vars.expected_output of a test"},
    {"target", "give \"providers\""},
    {"targets", "give \"providers\""},
    {"model", "give \"providers\""},
    {"graders", "give \"assert\""},
    {"execution", "give its members to the tests, or to default_test"},
    {"repeat", "AgentV no longer has this member"},
    {"policy", "AgentV no longer has this member"},
    {"experiment", "AgentV no longer has this member"},
    {"imports", "AgentV no longer has this member"},
    {"preprocessors", "AgentV no longer has this member"},
};
constexpr RefusedMember kRefusedInTest[] = {
    {"input", "give \"prompts\", and variables in \"vars\""},
    {"expected_output", "give it as vars.expected_output"},
};

// Members of a suite that do not affect scores, or are read here.
constexpr std::string_view kKnownInSuite[] = {
    "$schema",     "name",        "description",      "category",        "version",
    "author",      "tags",        "license",          "requires",        "prompts",
    "providers",   "tests",       "scenarios",        "assert",          "default_test",
    "threshold",   "env",         "defaults",         "timeout_seconds", "environment",
    "output_path", "input_files", "evaluate_options", "derived_metrics", "nunjucks_filters",
    "extensions"};

// Members of a test or a row that AgentV reads, or refuses itself.
constexpr std::string_view kKnownInTest[] = {"id",
                                             "description",
                                             "vars",
                                             "criteria",
                                             "provider",
                                             "providers",
                                             "prompts",
                                             "input",
                                             "input_files",
                                             "expected_output",
                                             "assert",
                                             "assert_scoring_function",
                                             "options",
                                             "threshold",
                                             "execution",
                                             "run",
                                             "environment",
                                             "workspace",
                                             "metadata",
                                             "conversation_id",
                                             "suite",
                                             "depends_on",
                                             "on_dependency_failure",
                                             "mode",
                                             "turns",
                                             "aggregation",
                                             "on_turn_failure",
                                             "window_size",
                                             "evaluator",
                                             "expected_outcome",
                                             "include",
                                             "type",
                                             "select"};

bool EndsWithAny(std::string_view name, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

// Returns a file's name without its compression suffix.
std::string_view UnpackedName(std::string_view name) {
  for (const std::string_view end : {".gz", ".zst"}) {
    if (name.ends_with(end)) name.remove_suffix(end.size());
  }
  return name;
}

// Sets the line of a value, and of all values in it, to `line`, for a value that is one line of a file and
// was read as a text of its own. COST: recursive, within the depth limit of configurations.
void MoveToLine(int line, ConfigValue& value) {
  value.line = line;
  for (ConfigValue& item : value.items) MoveToLine(line, item);
  for (ConfigMember& member : value.members) {
    member.line = line;
    MoveToLine(line, member.value);
  }
}

bool IsRows(std::string_view path) { return UnpackedName(path).ends_with(".eval.jsonl"); }

class AgentVSuite {
 public:
  explicit AgentVSuite(const std::string& path) : path_(path), asserts_(path) {}

  ImportedConfig ImportYaml(const ConfigValue& suite);
  ImportedConfig ImportRows(std::string_view text);

 private:
  [[noreturn]] void Refuse(int line, std::string_view message) const {
    throw ConfigError(path_, line, message);
  }
  void RefuseMembers(const ConfigValue& map, std::span<const RefusedMember> refused,
                     std::string_view where) const;
  void RefuseOldAsserts(const ConfigValue& value) const;
  void NoteMembers(const ConfigValue& suite);
  void AddTest(const ConfigValue& test, bool is_row);
  void AddFilledTest(const ConfigValue& test, const ConfigValue& vars, bool is_row);
  ConfigValue AssertsOf(const ConfigValue& test, const ConfigValue& vars, const std::string& id,
                        bool* unfilled);
  ConfigValue AssertsOfRow(const ConfigValue& test, const std::string& id);
  ConfigValue AssertsOfLists(const std::vector<const ConfigValue*>& lists, int line, const ConfigValue* vars,
                             const std::string& id, bool* unfilled);
  void AddGold(const std::string& id, const ConfigValue& expected);
  std::optional<double> ThresholdOf(const ConfigValue& test);
  const ConfigValue* Default(std::string_view member) const {
    return default_test_ == nullptr ? nullptr : FindValue(*default_test_, member);
  }
  void Note(ImportNoteKind kind, int line, std::string what, std::string text) {
    asserts_.notes().push_back({kind, path_, line, std::move(what), std::move(text)});
  }
  ImportedConfig Finish(const std::string& name, const ConfigValue* threshold);

  std::string path_;
  AgentVAsserts asserts_;
  const ConfigValue* default_test_ = nullptr;
  const ConfigValue* suite_asserts_ = nullptr;
  const ConfigValue* suite_prompts_ = nullptr;
  std::map<std::string, int> ids_;  // how often each occurs
  std::vector<std::string> gold_;
  std::uint64_t tests_ = 0;  // tests in YAML, including combinations
  std::uint64_t bytes_ = 0;  // size of gold_
};

void AgentVSuite::RefuseMembers(const ConfigValue& map, std::span<const RefusedMember> refused,
                                std::string_view where) const {
  for (const RefusedMember& member : refused) {
    if (const ConfigMember* const found = map.Find(member.name)) {
      Refuse(found->line, fmt::format("AgentV refuses \"{}\" {}; {}", member.name, where, member.advice));
    }
  }
}

// A file with a renamed member is refused as a whole.
void AgentVSuite::RefuseOldAsserts(const ConfigValue& value) const {
  for (const ConfigValue& item : value.items) {
    for (const std::string_view old : {"postprocess", "preprocessors"}) {
      if (const ConfigMember* const found = item.Find(old)) {
        Refuse(found->line, fmt::format("AgentV refuses \"{}\" in an assert; give \"transform\"", old));
      }
    }
    if (const ConfigValue* const members = FindValue(item, "assert")) RefuseOldAsserts(*members);
  }
}

void AgentVSuite::NoteMembers(const ConfigValue& suite) {
  for (const ConfigMember& member : suite.members) {
    if (std::ranges::find(kKnownInSuite, member.key) == std::end(kKnownInSuite)) {
      Note(ImportNoteKind::kIgnored, member.line, fmt::format("member \"{}\"", member.key),
           UnknownNameMessage("member of a suite", member.key, kKnownInSuite));
    }
  }
  if (const ConfigMember* const scenarios = suite.Find("scenarios")) {
    Note(ImportNoteKind::kOffline, scenarios->line, "scenarios",
         "conversations are not read; score their tests one by one");
  }
  if (const ConfigMember* const metrics = suite.Find("derived_metrics")) {
    Note(ImportNoteKind::kOffline, metrics->line, "derived_metrics",
         "formulas over metrics are not computed; compute them from the scores");
  }
  if (const ConfigMember* const filters = suite.Find("nunjucks_filters")) {
    Note(ImportNoteKind::kOffline, filters->line, "nunjucks_filters",
         "filters in templates are not run; write out their results");
  }
}

ImportedConfig AgentVSuite::ImportYaml(const ConfigValue& suite) {
  if (suite.kind != Kind::kMap) Refuse(suite.line, "an AgentV suite is a map with \"tests\"");
  RefuseMembers(suite, kRefusedInSuite, "at the top");
  const ConfigValue* const tests = FindValue(suite, "tests");
  if (tests == nullptr && FindValue(suite, "scenarios") == nullptr)
    Refuse(suite.line, "an AgentV suite needs \"tests\"");
  if (tests != nullptr && tests->kind != Kind::kList) {
    Refuse(tests->line, "\"tests\" is not a list; write the tests out, or import their file");
  }
  const ConfigValue* const threshold = FindValue(suite, "threshold");
  if (threshold != nullptr) {
    const std::optional<double> number = NumberIn(threshold);
    if (!number || *number < 0 || *number > 1)
      Refuse(threshold->line, "\"threshold\" is not a number from 0 to 1");
  }
  NoteMembers(suite);
  default_test_ = FindValue(suite, "default_test");
  suite_asserts_ = FindValue(suite, "assert");
  suite_prompts_ = FindValue(suite, "prompts");
  if (suite_asserts_ != nullptr) RefuseOldAsserts(*suite_asserts_);
  if (const ConfigValue* const list = Default("assert")) RefuseOldAsserts(*list);
  if (const ConfigValue* const unread = Default("threshold")) {
    Note(ImportNoteKind::kDiffers, unread->line, "default_test.threshold",
         "AgentV's command uses it, but AgentV's library and `grade` use the suite's threshold, as does "
         "leafscore. Give \"threshold\" at the top instead");
  }
  if (tests != nullptr) {
    for (const ConfigValue& test : tests->items) {
      if (test.kind != Kind::kMap) {
        Note(ImportNoteKind::kOffline, test.line, "a test", "it is not written out here; import its file");
        continue;
      }
      RefuseMembers(test, kRefusedInTest, "in a test");
      if (const ConfigValue* const list = FindValue(test, "assert")) RefuseOldAsserts(*list);
    }
    for (const ConfigValue& test : tests->items) {
      if (test.kind == Kind::kMap) AddTest(test, /*is_row=*/false);
    }
  }
  const ConfigValue* const name = FindValue(suite, "name");
  return Finish(name != nullptr && name->kind == Kind::kScalar ? name->scalar : "", threshold);
}

ImportedConfig AgentVSuite::ImportRows(std::string_view text) {
  int line = 0;
  while (!text.empty()) {
    const std::string_view row = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(row.size() + 1, text.size()));
    ++line;
    if (row.find_first_not_of(" \t\r") == row.npos) continue;
    ConfigValue test;
    try {
      test = ParseConfig(row, "the row", kAgentVLimits);
    } catch (const Error& error) {
      Refuse(line, error.what());
    }
    if (test.kind != Kind::kMap) Refuse(line, "a row is a JSON object");
    MoveToLine(line, test);
    AddTest(test, /*is_row=*/true);
  }
  return Finish("", nullptr);
}

void AgentVSuite::AddTest(const ConfigValue& test, bool is_row) try {
  asserts_.NoteUnknown(test, "member of a test", kKnownInTest);
  if (is_row) return AddFilledTest(test, MakeMap(test.line), is_row);  // its texts stay as they are
  const ConfigValue vars = MergeMaps(Default("vars"), FindValue(test, "vars"));
  const std::uint64_t count = CountCombinations(vars);
  tests_ += count;
  if (tests_ > kMaxSuiteTests.default_value) {
    Refuse(test.line, fmt::format("the combinations of the lists in \"vars\" make more than {} tests; give "
                                  "shorter lists, or split the suite",
                                  kMaxSuiteTests.default_value));
  }
  for (std::uint64_t number = 0; number < count; ++number)
    AddFilledTest(test, Combination(vars, number), is_row);
} catch (const SuiteTooLarge&) {
  Refuse(test.line, fmt::format("with its variables filled in, the suite takes more than {} bytes; give "
                                "shorter texts, or split the suite",
                                kMaxSuiteBytes.default_value));
}

void AgentVSuite::AddFilledTest(const ConfigValue& test, const ConfigValue& vars, bool is_row) {
  bool unfilled = false;
  const ConfigValue* const id_value = FindValue(test, "id");
  const bool has_id = id_value != nullptr && IsText(*id_value) && !id_value->scalar.empty();
  std::string id = id_value == nullptr ? "" : id_value->scalar;
  if (has_id && !is_row) id = FillText(id, vars, &unfilled);
  const std::string what = fmt::format("test \"{}\"", id);
  try {
    if (!has_id) {
      throw SkippedTest{test.line, id.empty() ? "it has no id" : "its id is not a text; put it in quotes"};
    }
    const ConfigValue* prompts = FindValue(test, is_row ? "input" : "prompts");
    if (prompts == nullptr && !is_row) prompts = Default("prompts");
    if (prompts == nullptr && !is_row) prompts = suite_prompts_;
    if (prompts == nullptr) throw SkippedTest{test.line, is_row ? "it has no input" : "it has no prompt"};
    ConfigValue expected = MakeMap(test.line);
    ConfigValue asserts = is_row ? AssertsOfRow(test, id) : AssertsOf(test, vars, id, &unfilled);
    const std::size_t count = asserts.items.size();
    AddMember("asserts", std::move(asserts), expected);
    if (const auto threshold = is_row ? std::nullopt : ThresholdOf(test)) {
      AddMember("threshold", MakeScalar(fmt::format("{}", *threshold), false, test.line), expected);
    }
    const ConfigValue* const reference = FindValue(is_row ? test : vars, "expected_output");
    if (reference != nullptr) AddMember("expected_output", *reference, expected);
    ConfigValue input =
        !is_row && prompts->kind == Kind::kList && !prompts->items.empty() ? prompts->items[0] : *prompts;
    if (!is_row) FillValue(vars, input, &unfilled);
    AddMember("input", std::move(input), expected);
    if (const ConfigValue* const criteria = FindValue(test, "criteria"))
      AddMember("criteria", *criteria, expected);
    const ConfigValue metadata = MergeMaps(Default("metadata"), FindValue(test, "metadata"));
    if (!is_row && !metadata.members.empty()) AddMember("metadata", metadata, expected);
    if (++ids_[id] == 2) {
      Note(ImportNoteKind::kDiffers, test.line, what,
           "it occurs more than once, and the last one counts; give each its own id");
    }
    AddGold(id, expected);
    Note(ImportNoteKind::kRuns, test.line, what, count == 1 ? "1 assert" : fmt::format("{} asserts", count));
    if (unfilled) {
      Note(ImportNoteKind::kDiffers, test.line, what,
           "only {{ name }} is filled in; filters and expressions stay as they are written");
    }
    if (FindValue(test, "threshold") != nullptr) {
      Note(ImportNoteKind::kIgnored, test.line, what,
           is_row ? "AgentV does not read the threshold of a row"
                  : "AgentV does not read the threshold of a test; give it as run.threshold");
    } else if (const ConfigValue* const execution = FindValue(test, "execution");
               is_row && execution != nullptr && FindValue(*execution, "threshold") != nullptr) {
      Note(ImportNoteKind::kIgnored, test.line, what, "AgentV does not read the threshold of a row");
    }
  } catch (const SkippedTest& skipped) {
    Note(ImportNoteKind::kSkipped, skipped.line, what, skipped.message);
  }
}

// Returns our asserts for a test: its own, then those of default_test and of the suite, unless it skips
// these.
ConfigValue AgentVSuite::AssertsOf(const ConfigValue& test, const ConfigValue& vars, const std::string& id,
                                   bool* unfilled) {
  const ConfigValue* const execution = FindValue(test, "execution");
  const ConfigValue* own = FindValue(test, "assert");
  if (own == nullptr && execution != nullptr) own = FindValue(*execution, "assert");
  const bool skips = execution != nullptr && IsTrue(FindValue(*execution, "skip_defaults"));
  std::vector<const ConfigValue*> lists = {own};
  if (!skips) lists.insert(lists.end(), {Default("assert"), suite_asserts_});
  return AssertsOfLists(lists, test.line, &vars, id, unfilled);
}

// Returns our asserts for a row. If the row has no `assert`, its criteria are a rubric. If it has no criteria
// either, the asserts of its `execution` apply. Without these, AgentV asks a model if there is an expected
// output.
ConfigValue AgentVSuite::AssertsOfRow(const ConfigValue& test, const std::string& id) {
  const ConfigValue* const execution = FindValue(test, "execution");
  const ConfigValue* own = FindValue(test, "assert");
  const ConfigValue* const criteria = FindValue(test, "criteria");
  const ConfigValue* const reference = FindValue(test, "expected_output");
  ConfigValue made = MakeList(test.line);
  if (own == nullptr && criteria != nullptr && IsText(*criteria) && !criteria->scalar.empty()) {
    made.items.push_back(MakeText(criteria->scalar, test.line));
    own = &made;
  }
  if (own == nullptr && execution != nullptr) own = FindValue(*execution, "assert");
  if (own == nullptr && reference != nullptr && reference->kind != Kind::kNull) {
    made.items.push_back(MakeMap(test.line));
    AddMember("type", MakeText("llm-rubric", test.line), made.items.back());
    own = &made;
  }
  bool unfilled = false;
  return AssertsOfLists({own}, test.line, nullptr, id, &unfilled);
}

// `vars` may be null: no texts are filled in.
ConfigValue AgentVSuite::AssertsOfLists(const std::vector<const ConfigValue*>& lists, int line,
                                        const ConfigValue* vars, const std::string& id, bool* unfilled) {
  ConfigValue asserts = MakeList(line);
  bool any = false;
  for (const ConfigValue* const list : lists) {
    if (list == nullptr || list->kind != Kind::kList) continue;
    any |= !list->items.empty();
    ConfigValue filled = MakeList(list->line);
    for (const ConfigValue& item : list->items) {
      if (FindValue(item, "include") != nullptr) {  // its texts are not filled in
        ConfigValue one = MakeList(item.line);
        one.items = {item};
        for (ConfigValue& included : asserts_.WithIncluded(one).items)
          filled.items.push_back(std::move(included));
      } else {
        filled.items.push_back(item);
        if (vars != nullptr) FillValue(*vars, filled.items.back(), unfilled);
      }
    }
    asserts_.Append(filled, id, asserts);
  }
  if (!any) throw SkippedTest{line, "it has no assert"};
  if (asserts.items.empty()) throw SkippedTest{line, "no assert is left"};
  return asserts;
}

std::optional<double> AgentVSuite::ThresholdOf(const ConfigValue& test) {
  for (const std::string_view where : {"run", "execution"}) {
    const ConfigValue* const map = FindValue(test, where);
    if (map == nullptr) continue;
    const std::optional<double> number = NumberIn(FindValue(*map, "threshold"));
    if (number && *number >= 0 && *number <= 1) return number;
    asserts_.NoteUnused(*map, "threshold", "a number from 0 to 1");
  }
  return std::nullopt;
}

void AgentVSuite::AddGold(const std::string& id, const ConfigValue& expected) {
  std::string record = "{\"id\":";
  AppendJsonString(record, id);
  record += ",\"expected\":";
  AppendConfigAsJson(expected, record);
  record += '}';
  bytes_ += record.size();
  if (bytes_ > kMaxSuiteBytes.default_value) throw SuiteTooLarge();
  gold_.push_back(std::move(record));
}

ImportedConfig AgentVSuite::Finish(const std::string& name, const ConfigValue* threshold) {
  for (const auto& [type, offline] : asserts_.offline()) {
    Note(ImportNoteKind::kOffline, offline.line,
         fmt::format("{} assert{}", offline.count, offline.count == 1 ? "" : "s"),
         fmt::format("{}; until then it scores 0", offline.advice));
  }
  if (const PlacedAsserts& trajectories = asserts_.trajectories(); trajectories.count > 0) {
    Note(ImportNoteKind::kRuns, trajectories.line,
         fmt::format("{} trajectory assert{}", trajectories.count, trajectories.count == 1 ? "" : "s"),
         "give the field of the outputs with the messages of the run as --calls-field");
  }
  ImportedConfig imported;
  imported.origin = ConfigOrigin::kAgentV;
  imported.gold = std::move(gold_);
  imported.notes = std::move(asserts_.notes());
  imported.files.assign(asserts_.templates().begin(), asserts_.templates().end());
  std::ranges::stable_sort(imported.notes, {}, &ImportNote::line);
  if (imported.gold.empty()) {
    if (!std::ranges::any_of(imported.notes, [](const ImportNote& note) {
          return note.kind == ImportNoteKind::kSkipped || note.kind == ImportNoteKind::kOffline;
        })) {
      imported.notes.push_back({ImportNoteKind::kOffline, path_, 0, "tests", "there are none"});
    }
    imported.config = MakeConfig({});
    return imported;
  }
  ConfigValue scorer = MakeMap();
  std::string stem = std::filesystem::path(path_).filename().string();
  stem = stem.substr(0, stem.find('.'));
  AddMember("name", MakeText(!name.empty() ? name : !stem.empty() ? stem : "asserts"), scorer);
  AddMember("type", MakeText("asserts"), scorer);
  if (threshold != nullptr) AddMember("threshold", *threshold, scorer);
  if (!asserts_.scripts().members.empty()) AddMember("scripts", asserts_.scripts(), scorer);
  imported.config = MakeConfig({std::move(scorer)});
  return imported;
}

// Returns whether a line of YAML at the top level begins with a member that only suites have.
bool HasTests(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    for (const std::string_view key : {"tests:", "scenarios:", "eval_cases:"}) {
      if (line.starts_with(key)) return true;
    }
    if (line.starts_with("evaluators:") || line.starts_with("scorers:")) return false;
  }
  return false;
}

}  // namespace

bool IsAgentVFile(std::string_view text, std::string_view name) {
  if (EndsWithAny(UnpackedName(name), {".eval.yaml", ".eval.yml", ".eval.json", ".eval.jsonl"})) return true;
  return !text.starts_with('{') && !text.starts_with('[') && HasTests(text);
}

ImportedConfig ImportAgentV(std::string_view text, const std::string& path) {
  AgentVSuite suite(path);
  return IsRows(path) ? suite.ImportRows(text) : suite.ImportYaml(ParseConfig(text, path, kAgentVLimits));
}

}  // namespace leafscore::internal
