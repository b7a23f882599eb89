#include "engine/import/agentv_asserts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/config/config_json.h"
#include "engine/config/config_parser.h"
#include "engine/import/agentv_parts.h"
#include "engine/import/agentv_vars.h"
#include "engine/import/config_maker.h"
#include "engine/import/import_config.h"
#include "engine/languages/javascript_regex.h"
#include "engine/languages/javascript_text.h"
#include "engine/process/child_process.h"
#include "engine/scorers/asserts/assert_list.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;
using Kind = ConfigValue::Kind;

constexpr std::string_view kTextTypes[] = {"contains",     "icontains",     "contains-any",
                                           "contains-all", "icontains-any", "icontains-all",
                                           "starts-with",  "ends-with",     "equals"};

// Members that AgentV reads in asserts of the types that are scored here. (Scripts get all members.)
constexpr std::string_view kKnownInAssert[] = {
    "type",      "metric",   "name",        "weight",        "required",    "min_score", "negate",
    "transform", "value",    "flags",       "fields",        "aggregation", "assert",    "threshold",
    "config",    "provider", "postprocess", "preprocessors", "target"};
constexpr std::string_view kKnownInField[] = {"path",      "match",    "required", "weight",
                                              "tolerance", "relative", "formats"};

constexpr std::string_view kNeedsModel =
    "needs a model; judge these answers with your own llm_judge scorer (docs/judges.md)";
constexpr std::string_view kNeedsAgentTrace =
    "needs a trace of the agent's run, which records do not have; check it where the agent runs";
constexpr std::string_view kRunsCode = "runs code within AgentV; write it as a script assert";

struct Unavailable {
  std::string_view type;
  std::string_view advice;
};
constexpr Unavailable kUnavailable[] = {
    {"llm-rubric", kNeedsModel},
    {"agent-rubric", kNeedsModel},
    {"similar", kNeedsModel},
    {"skill-used", kNeedsAgentTrace},
    {"not-skill-used", kNeedsAgentTrace},
    {"latency", kNeedsAgentTrace},
    {"cost", kNeedsAgentTrace},
    {"token-usage", kNeedsAgentTrace},
    {"execution-metrics", kNeedsAgentTrace},
    {"javascript", kRunsCode},
    {"python", kRunsCode},
    {"webhook", "calls a service; call it from a script assert"},
};

// Former names of AgentV's types, and the current ones.
constexpr std::pair<std::string_view, std::string_view> kOlderTypes[] = {
    {"contains_any", "contains-any"},
    {"contains_all", "contains-all"},
    {"icontains_any", "icontains-any"},
    {"icontains_all", "icontains-all"},
    {"starts_with", "starts-with"},
    {"ends_with", "ends-with"},
    {"is_json", "is-json"},
    {"field_accuracy", "field-accuracy"},
    {"code_judge", "script"},
    {"code-judge", "script"},
    {"code_grader", "script"},
    {"code-grader", "script"},
    {"composite", "assert-set"},
    {"llm_judge", "llm-rubric"},
    {"llm-judge", "llm-rubric"},
    {"llm_grader", "llm-rubric"},
    {"llm-grader", "llm-rubric"},
    {"rubrics", "llm-rubric"},
    {"rubric", "llm-rubric"},
    {"agent_judge", "agent-rubric"},
    {"agent-judge", "agent-rubric"},
    {"tool_trajectory", "trajectory:tool-sequence"},
    {"tool-trajectory", "trajectory:tool-sequence"},
    {"token_usage", "token-usage"},
    {"execution_metrics", "execution-metrics"},
};

// Types of asserts that promptfoo has and AgentV does not. The two file formats are similar.
constexpr std::string_view kForeignTypes[] = {"answer-relevance",
                                              "bleu",
                                              "classifier",
                                              "contains-html",
                                              "contains-json",
                                              "contains-sql",
                                              "contains-xml",
                                              "context-faithfulness",
                                              "context-recall",
                                              "context-relevance",
                                              "conversation-relevance",
                                              "factuality",
                                              "finish-reason",
                                              "g-eval",
                                              "gleu",
                                              "guardrails",
                                              "is-html",
                                              "is-refusal",
                                              "is-sql",
                                              "is-valid-function-call",
                                              "is-valid-openai-function-call",
                                              "is-valid-openai-tools-call",
                                              "is-xml",
                                              "levenshtein",
                                              "max-score",
                                              "meteor",
                                              "model-graded-closedqa",
                                              "model-graded-factuality",
                                              "moderation",
                                              "perplexity",
                                              "perplexity-score",
                                              "pi",
                                              "rouge-n",
                                              "search-rubric",
                                              "select-best",
                                              "trace-error-spans",
                                              "trace-span-count",
                                              "trace-span-duration"};

template <class Table>
bool Holds(const Table& table, std::string_view name) {
  return std::ranges::find(table, name) != std::end(table);
}

// Copies a member if AgentV would read it; otherwise AgentV's default applies.
void CopyIf(bool is_right, const ConfigValue& from, std::string_view key, ConfigValue& to) {
  if (is_right) AddMember(key, *FindValue(from, key), to);
}

ConfigValue MakeNumber(double number, int line) { return MakeScalar(fmt::format("{}", number), false, line); }

constexpr double kLargestNumber = 1e100;  // for weights and tolerances; sums of these do not overflow

bool IsBlank(std::string_view text) { return JavaScriptTrim(text).empty(); }

bool IsIn01(const ConfigValue* value) {
  const std::optional<double> number = NumberIn(value);
  return number && *number >= 0 && *number <= 1;
}

}  // namespace

ConfigValue AgentVAsserts::WithIncluded(const ConfigValue& list, const std::string& from, int depth) {
  constexpr int kDeepest = 3;
  ConfigValue whole = MakeList(list.line);
  for (const ConfigValue& item : list.items) {
    const ConfigValue* const name = FindValue(item, "include");
    if (name == nullptr) {
      whole.items.push_back(item);
      continue;
    }
    if (depth == kDeepest)
      throw SkippedTest{item.line, "templates include each other more than 3 levels deep"};
    std::string file;
    const ConfigValue included = WithIncluded(ReadTemplate(*name, from, &file), file, depth + 1);
    whole.items.insert(whole.items.end(), included.items.begin(), included.items.end());
  }
  return whole;
}

ConfigValue AgentVAsserts::ReadTemplate(const ConfigValue& name, const std::string& from, std::string* file) {
  if (name.kind != Kind::kScalar || name.scalar.empty())
    throw SkippedTest{name.line, "include does not name a template"};
  const std::string folder = FolderOfFile(from);
  std::vector<std::string> places = {name.scalar};
  const bool is_path = name.scalar.find('/') != std::string::npos || name.scalar.ends_with(".yaml") ||
                       name.scalar.ends_with(".yml");
  if (!is_path) {
    const std::string base = ".agentv/templates/" + name.scalar;
    places = {base + ".yaml", base + ".yml"};
  }
  std::optional<std::string> found;
  for (const std::string& place : places) {
    if (!found) found = FindUpward(place, folder);
  }
  if (!found) throw SkippedTest{name.line, fmt::format("there is no template {}", places[0])};
  *file = *found;
  templates_.insert(*found);
  const ConfigValue read = ParseConfig(ReadImportText(*found), *found, kAgentVLimits);
  const ConfigValue* const list = FindValue(read, "assert");
  if (list == nullptr || list->kind != Kind::kList) {
    throw SkippedTest{name.line, fmt::format("the template {} has no list \"assert\"", places[0])};
  }
  return *list;
}

void AgentVAsserts::Append(const ConfigValue& list, const std::string& test, ConfigValue& asserts) {
  test_ = test;
  AppendMembers(list, nullptr, asserts);
}

void AgentVAsserts::AppendMembers(const ConfigValue& list, const ConfigValue* set_config,
                                  ConfigValue& asserts) {
  ConfigValue rubric = MakeMap(list.line);
  ConfigValue texts = MakeList(list.line);
  for (const ConfigValue& item : list.items) {
    if (IsText(item) && !IsBlank(item.scalar)) texts.items.push_back(item);
  }
  if (!texts.items.empty()) {
    AddMember("type", MakeText("llm-rubric", texts.items[0].line), rubric);
    AddMember("weight", MakeNumber(static_cast<double>(texts.items.size()), texts.items[0].line), rubric);
    AddMember("value", std::move(texts), rubric);
    AppendOne(rubric, set_config, asserts);
  }
  for (const ConfigValue& item : list.items) {
    if (item.kind == Kind::kMap) {
      AppendOne(item, set_config, asserts);
    } else if (!IsText(item)) {
      LeaveOut(item.line, "an assert that is neither a map nor a text is left out");
    } else if (IsBlank(item.scalar)) {
      LeaveOut(item.line, "an assert that is an empty text is left out");
    }
  }
}

void AgentVAsserts::AppendOne(const ConfigValue& item, const ConfigValue* set_config, ConfigValue& asserts) {
  const ConfigValue* const type_value = FindValue(item, "type");
  if (type_value == nullptr || !IsText(*type_value)) {
    LeaveOut(item.line, "an assert without a type is left out");
    return;
  }
  const std::string& type = type_value->scalar;
  const auto older =
      std::ranges::find(kOlderTypes, type, &std::pair<std::string_view, std::string_view>::first);
  if (older != std::end(kOlderTypes)) {
    throw SkippedTest{item.line, fmt::format("the type {} is now {}", type, older->second)};
  }
  if (Holds(kForeignTypes, type)) {
    throw SkippedTest{item.line, fmt::format("AgentV has no type {}; write a script assert", type)};
  }
  const ConfigValue* const weight = FindValue(item, "weight");
  const double weighs = weight == nullptr ? 1 : NumberIn(weight).value_or(-1);
  if (!(weighs >= 0 && std::isfinite(weighs))) {
    throw SkippedTest{weight->line, "a weight is a number that is neither negative nor infinite"};
  }
  if (weighs > kLargestNumber) throw SkippedTest{weight->line, "a weight above 1e100 is not supported"};
  const ConfigValue* const required = FindValue(item, "required");
  if (NumberIn(required)) {
    throw SkippedTest{required->line, "required is true or false; give the score as min_score"};
  }
  const ConfigValue* const metric = FindValue(item, "metric");
  const bool named = metric != nullptr && IsText(*metric) && !metric->scalar.empty();
  const bool has_value = Holds(kTextTypes, type) || type == "regex";
  const std::string name =
      named ? metric->scalar : DefaultAssertName(type, has_value ? FindValue(item, "value") : nullptr);
  ConfigValue out = MakeMap(item.line);
  AddMember("type", MakeText(type, item.line), out);
  AddMember("name", MakeText(name, item.line), out);
  CopyIf(weight != nullptr, item, "weight", out);
  CopyIf(IsTrue(required), item, "required", out);
  const ConfigValue* const min_score = FindValue(item, "min_score");
  const bool has_min_score = IsIn01(min_score) && *NumberIn(min_score) > 0;
  CopyIf(has_min_score, item, "min_score", out);
  if (!has_min_score) NoteUnused(item, "min_score", "a number above 0 and up to 1");
  CopyIf(IsTrue(FindValue(item, "negate")), item, "negate", out);
  const bool is_known = has_value || type == "is-json" || type == "field-accuracy" || type == "assert-set" ||
                        TrajectoryTypeOf(type).has_value();
  if (is_known) {
    NoteUnknown(item, "member of an assert", kKnownInAssert);
  }
  const auto unavailable = std::ranges::find(kUnavailable, type, &Unavailable::type);
  bool kept = true;
  if (FindValue(item, "transform") != nullptr) {
    MakeUnavailable(item, type, "has a transform, which runs code within AgentV; write it as a script assert",
                    out);
  } else if (unavailable != std::end(kUnavailable)) {
    MakeUnavailable(item, type, unavailable->advice, out);
  } else if (TrajectoryTypeOf(type)) {
    AddTrajectory(item, type, out);
  } else if (has_value) {
    kept = AddValue(item, type, out);
  } else if (type == "field-accuracy") {
    kept = AddFields(item, name, out);
  } else if (type == "script") {
    kept = AddScript(item, set_config, name, out);
  } else if (type == "assert-set") {
    kept = AddMembers(item, out);
  } else if (type != "is-json") {
    MakeUnavailable(item, type,
                    "is not one of AgentV's types, so it is a file in your .agentv/assertions; write it as a "
                    "script assert",
                    out);
  }
  if (kept) asserts.items.push_back(std::move(out));
}

void AgentVAsserts::NoteUnknown(const ConfigValue& map, std::string_view what,
                                std::span<const std::string_view> known) {
  for (const ConfigMember& member : map.members) {
    if (std::ranges::find(known, member.key) != known.end()) continue;
    const int line = std::max(map.line, member.line);  // within a row, members know only their line in it
    if (!unknown_.emplace(line, member.key).second) continue;
    notes_.push_back({ImportNoteKind::kSkipped, path_, line, fmt::format("member \"{}\"", member.key),
                      fmt::format("AgentV has no such {}{}", what, DidYouMean(member.key, known))});
  }
}

void AgentVAsserts::NoteUnused(const ConfigValue& map, std::string_view key, std::string_view taken) {
  const ConfigMember* const member = map.Find(key);
  if (member == nullptr) return;
  const int line = std::max(map.line, member->line);  // within a row, members know only their line in it
  if (!unknown_.emplace(line, key).second) return;
  notes_.push_back({ImportNoteKind::kIgnored, path_, line, fmt::format("member \"{}\"", key),
                    fmt::format("AgentV accepts only {} here, and ignores anything else", taken)});
}

bool AgentVAsserts::LeaveOut(int line, std::string text) {
  notes_.push_back(
      {ImportNoteKind::kSkipped, path_, line, fmt::format("test \"{}\"", test_), std::move(text)});
  return false;
}

bool AgentVAsserts::AddValue(const ConfigValue& item, std::string_view type, ConfigValue& out) {
  const ConfigValue* const value = FindValue(item, "value");
  const bool several = type.ends_with("-any") || type.ends_with("-all");
  const bool right =
      value != nullptr && (several ? value->kind == Kind::kList && std::ranges::any_of(value->items, IsText)
                                   : IsText(*value) && !value->scalar.empty());
  if (!right) {
    return LeaveOut(item.line, fmt::format("the assert {} is left out, as its value is not a {}", type,
                                           several ? "list of texts" : "text or is empty; put it in quotes"));
  }
  ConfigValue kept = *value;
  if (std::erase_if(kept.items, [](const ConfigValue& each) { return !IsText(each); }) > 0) {
    LeaveOut(
        value->line,
        fmt::format("items of the value of {} that are not texts are left out; put them in quotes", type));
  }
  kept.quoted = true;
  for (ConfigValue& text : kept.items) text.quoted = true;
  AddMember("value", std::move(kept), out);
  if (type != "regex") return true;
  const ConfigValue* const flags = FindValue(item, "flags");
  const bool has_flags = flags != nullptr && IsText(*flags);
  CopyIf(has_flags, item, "flags", out);
  const JavaScriptRegex regex(value->scalar, has_flags ? flags->scalar : "");
  if (regex.state() == JavaScriptRegex::State::kUnsupported) {
    MakeUnavailable(item, type,
                    fmt::format("has a pattern that is not supported here ({}); rewrite it", regex.fault()),
                    out);
  } else if (regex.state() == JavaScriptRegex::State::kInvalid) {
    notes_.push_back(
        {ImportNoteKind::kRuns, path_, value->line, fmt::format("test \"{}\"", test_),
         fmt::format("the pattern of regex is invalid in JavaScript ({}), so that assert scores 0, "
                     "as in AgentV",
                     regex.fault())});
  }
  return true;
}

// Keeps an assert about the calls of a run, unless it counts steps that are neither tools nor commands.
void AgentVAsserts::AddTrajectory(const ConfigValue& item, std::string_view type, ConfigValue& out) {
  const ConfigValue* const value = FindValue(item, "value");
  if (value != nullptr) AddMember("value", *value, out);
  if (TrajectoryTypeOf(type)->kind == TrajectoryKind::kStepCount && value != nullptr &&
      value->kind == Kind::kMap) {
    const ConfigValue* const counted = FindValue(*value, "type");
    if (counted == nullptr || (counted->scalar != "tool" && counted->scalar != "command")) {
      return MakeUnavailable(
          item, type,
          "counts messages or spans, which outputs do not have; count those of type tool or command", out);
    }
  }
  if (trajectories_.count++ == 0) trajectories_.line = item.line;
}

// Copies a number, which may be negative: AgentV accepts that.
void AgentVAsserts::CopyNumber(const ConfigValue& from, std::string_view key, ConfigValue& to) {
  const ConfigValue* const value = FindValue(from, key);
  const std::optional<double> number = NumberIn(value);
  if (!number) return;
  if (std::abs(*number) <= kLargestNumber) {
    AddMember(key, *value, to);
    return;
  }
  AddMember(key, MakeNumber(std::copysign(kLargestNumber, *number), value->line), to);
  notes_.push_back({ImportNoteKind::kDiffers, path_, value->line, fmt::format("test \"{}\"", test_),
                    fmt::format("the {} of a field counts as 1e100, the largest value here", key)});
}

bool AgentVAsserts::AddFields(const ConfigValue& item, const std::string& name, ConfigValue& out) {
  ConfigValue fields = MakeList(item.line);
  const ConfigValue* const list = FindValue(item, "fields");
  const std::span<const ConfigValue> given = list == nullptr ? std::span<const ConfigValue>() : list->items;
  for (const ConfigValue& field : given) {
    const ConfigValue* const path = FindValue(field, "path");
    const ConfigValue* const match = FindValue(field, "match");
    NoteUnknown(field, "member of a field", kKnownInField);
    constexpr std::string_view kMatches[] = {"exact", "numeric_tolerance", "date"};
    if (path == nullptr || path->kind != Kind::kScalar ||
        path->scalar.find_first_not_of(".[]") == std::string::npos) {
      LeaveOut(field.line, fmt::format("a field of \"{}\" is left out, as it has no path", name));
      continue;
    }
    if (match == nullptr || !Holds(kMatches, match->scalar)) {
      LeaveOut(field.line,
               fmt::format(
                   "the field {} of \"{}\" is left out, as its match is not exact, numeric_tolerance or date",
                   path->scalar, name));
      continue;
    }
    ConfigValue kept = MakeMap(field.line);
    AddMember("path", MakeText(path->scalar, path->line), kept);
    AddMember("match", *match, kept);
    CopyIf(IsFalse(FindValue(field, "required")), field, "required", kept);
    CopyNumber(field, "weight", kept);
    if (match->scalar == "numeric_tolerance") {
      CopyNumber(field, "tolerance", kept);
      CopyIf(IsTrue(FindValue(field, "relative")), field, "relative", kept);
    }
    const ConfigValue* const formats = FindValue(field, "formats");
    CopyIf(match->scalar == "date" && formats != nullptr && formats->kind == Kind::kList &&
               std::ranges::all_of(formats->items, IsText),
           field, "formats", kept);
    fields.items.push_back(std::move(kept));
  }
  if (fields.items.empty()) {
    return LeaveOut(item.line, fmt::format("the assert \"{}\" is left out, as it has no fields", name));
  }
  AddMember("fields", std::move(fields), out);
  const ConfigValue* const aggregation = FindValue(item, "aggregation");
  CopyIf(aggregation != nullptr && aggregation->scalar == "all_or_nothing", item, "aggregation", out);
  return true;
}

bool AgentVAsserts::AddScript(const ConfigValue& item, const ConfigValue* set_config, const std::string& name,
                              ConfigValue& out) {
  for (const std::string_view old : {"script", "target"}) {
    const ConfigMember* const member = item.Find(old);
    if (member != nullptr) {
      throw SkippedTest{member->line,
                        fmt::format("a script assert no longer has the member {}; give its command", old)};
    }
  }
  const ConfigValue* const command = FindValue(item, "command");
  if (command == nullptr)
    return LeaveOut(item.line, fmt::format("the script \"{}\" is left out, as it has no command", name));
  const bool is_list = command->kind == Kind::kList;
  const bool right =
      is_list ? !command->items.empty() && std::ranges::all_of(command->items,
                                                               [](const ConfigValue& word) {
                                                                 return IsText(word) && !IsBlank(word.scalar);
                                                               })
              : IsText(*command) && !IsBlank(command->scalar);
  if (!right)
    throw SkippedTest{command->line, "the command of a script is a non-empty text or list of texts"};
  if (FindValue(item, "provider") != nullptr) {
    MakeUnavailable(item, "script", "asks models through AgentV (provider); ask them from the script itself",
                    out);
    return true;
  }
  constexpr std::string_view kNoConfig[] = {"type",   "metric",  "name", "weight", "required", "min_score",
                                            "negate", "command", "cwd",  "config", "provider", "transform"};
  ConfigValue config = MergeMaps(set_config, nullptr);
  ConfigValue others = MakeMap(item.line);
  for (const ConfigMember& member : item.members) {
    if (!Holds(kNoConfig, member.key)) others.members.push_back(member);
  }
  const ConfigValue own = MergeMaps(&others, FindValue(item, "config"));
  config = MergeMaps(&config, &own);
  ConfigValue script = MakeMap(item.line);
  AddMember("command", *command, script);
  const std::string folder = FolderOfFile(path_);
  std::string where = folder;
  if (const ConfigValue* const cwd = FindValue(item, "cwd"); cwd != nullptr && cwd->kind == Kind::kScalar) {
    const std::optional<std::string> found = FindUpward(cwd->scalar, folder);
    if (!found) {
      MakeUnavailable(item, "script",
                      fmt::format("would run in the folder {}, which does not exist", cwd->scalar), out);
      return true;
    }
    where = *found;
    std::error_code error;
    AddMember("cwd", MakeText(fs::relative(*found, folder, error).string(), cwd->line), script);
  }
  if (is_list && FindProgram(command->items[0].scalar, where).empty()) {
    MakeUnavailable(item, "script",
                    fmt::format("needs the program {}, which does not exist; install it",
                                QuoteForMessage(command->items[0].scalar)),
                    out);
    return true;
  }
  if (!config.members.empty()) AddMember("config", std::move(config), script);
  AddMember("script", MakeText(KeepScript(name, std::move(script)), item.line), out);
  return true;
}

std::string AgentVAsserts::KeepScript(const std::string& name, ConfigValue script) {
  std::string json;
  AppendConfigAsJson(script, json);
  std::string& kept = script_names_[json];
  if (!kept.empty()) return kept;
  kept = name;
  for (int n = 2; scripts_.Find(kept) != nullptr; ++n) kept = fmt::format("{}-{}", name, n);
  if (scripts_.kind != Kind::kMap) scripts_ = MakeMap();
  AddMember(kept, std::move(script), scripts_);
  return kept;
}

bool AgentVAsserts::AddMembers(const ConfigValue& item, ConfigValue& out) {
  ConfigValue members = MakeList(item.line);
  const ConfigValue* const list = FindValue(item, "assert");
  if (list != nullptr && list->kind == Kind::kList) AppendMembers(*list, FindValue(item, "config"), members);
  if (members.items.empty()) return LeaveOut(item.line, "an assert-set is left out, as it has no members");
  AddMember("asserts", std::move(members), out);
  const bool has_threshold = IsIn01(FindValue(item, "threshold"));
  CopyIf(has_threshold, item, "threshold", out);
  if (!has_threshold) NoteUnused(item, "threshold", "a number from 0 to 1");
  return true;
}

// Makes `out` an assert that scores 0 and says what it replaces.
void AgentVAsserts::MakeUnavailable(const ConfigValue& item, std::string_view type, std::string_view advice,
                                    ConfigValue& out) {
  OfflineAsserts& offline = offline_[fmt::format("{} {}", type, advice)];
  if (offline.count++ == 0) offline.line = item.line;
  offline.advice = fmt::format("{} {}", type, advice);
  ConfigValue made = MakeMap(item.line);
  AddMember("type", MakeText("unavailable", item.line), made);
  AddMember("stands_for", MakeText(std::string(type), item.line), made);
  for (const std::string_view kept : {"name", "weight", "required", "min_score"}) {
    if (const ConfigValue* const value = FindValue(out, kept)) AddMember(kept, *value, made);
  }
  AddMember("reason", MakeText(fmt::format("it {}", advice), item.line), made);
  AddMember("was", item, made);
  out = std::move(made);
}

}  // namespace leafscore::internal
