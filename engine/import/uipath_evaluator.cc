#include "engine/import/uipath_evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "engine/import/config_maker.h"
#include "engine/import/uipath_members.h"

namespace leafscore::internal {
namespace {

using Kind = ConfigValue::Kind;

constexpr std::string_view kRevision = "2026-08";
constexpr std::string_view kOlderRevision = "2025-06";

constexpr std::string_view kExpectedOutput = "expectedOutput";
constexpr std::string_view kSearchText = "searchText";
constexpr std::string_view kExpectedClass = "expectedClass";
constexpr std::string_view kToolCallsOrder = "toolCallsOrder";
constexpr std::string_view kToolCallsCount = "toolCallsCount";
constexpr std::string_view kToolCalls = "toolCalls";
constexpr std::string_view kToolOutputs = "toolOutputs";
constexpr std::string_view kToolCallsType = "tool_calls";

// A type of evaluator.
struct Type {
  std::string_view id;
  std::string_view default_name;
  std::string_view criteria_member;
  std::string_view scorer;   // our scorer; empty: cannot be evaluated here
  std::string_view instead;  // in that case, what to do
};

constexpr std::string_view kNeedsTrace =
    "it judges the steps of an agent's run, which a file of answers does not have; leave it to UiPath";

constexpr Type kTypes[] = {
    {"uipath-json-similarity", "JsonSimilarityEvaluator", kExpectedOutput, "json_similarity", {}},
    {"uipath-exact-match", "ExactMatchEvaluator", kExpectedOutput, "exact_match", {}},
    {"uipath-contains", "ContainsEvaluator", kSearchText, "contains", {}},
    {"uipath-binary-classification", "BinaryClassificationEvaluator", kExpectedClass, "classification", {}},
    {"uipath-multiclass-classification",
     "MulticlassClassificationEvaluator",
     kExpectedClass,
     "classification",
     {}},
    {"uipath-llm-judge-output-semantic-similarity",
     "LLMJudgeOutputEvaluator",
     kExpectedOutput,
     "llm_judge",
     {}},
    {"uipath-llm-judge-output-strict-json-similarity",
     "LLMJudgeStrictJSONSimilarityOutputEvaluator",
     kExpectedOutput,
     "llm_judge",
     {}},
    {"uipath-llm-judge-trajectory-similarity", "LLMJudgeTrajectoryEvaluator", {}, {}, kNeedsTrace},
    {"uipath-llm-judge-trajectory-simulation", "LLMJudgeTrajectorySimulationEvaluator", {}, {}, kNeedsTrace},
    {"uipath-tool-call-args", "ToolCallArgsEvaluator", kToolCalls, kToolCallsType, {}},
    {"uipath-tool-call-count", "ToolCallCountEvaluator", kToolCallsCount, kToolCallsType, {}},
    {"uipath-tool-call-order", "ToolCallOrderEvaluator", kToolCallsOrder, kToolCallsType, {}},
    {"uipath-tool-call-output", "ToolCallOutputEvaluator", kToolOutputs, kToolCallsType, {}},
};

// Copies a member of UiPath's file to an option of ours, if the member exists.
class OptionCopier {
 public:
  OptionCopier(const UiPathMembers& members, ConfigValue& scorer) : members_(members), scorer_(scorer) {}

  void CopyBool(std::string_view theirs, std::string_view ours) {
    if (const std::optional<bool> value = members_.Bool(theirs)) Add(ours, MakeBool(*value, Line(theirs)));
  }
  void CopyNumber(std::string_view theirs, std::string_view ours) {
    if (const std::optional<double> value = members_.Number(theirs)) {
      Add(ours, MakeScalar(fmt::format("{}", *value), /*quoted=*/false, Line(theirs)));
    }
  }
  void CopyText(std::string_view theirs, std::string_view ours) {
    if (const std::optional<std::string> text = members_.Text(theirs))
      Add(ours, MakeText(*text, Line(theirs)));
  }
  void CopyTexts(std::string_view theirs, std::string_view ours) {
    const std::optional<std::vector<std::string>> texts = members_.Texts(theirs);
    if (!texts) return;
    ConfigValue list = MakeList(Line(theirs));
    for (const std::string& text : *texts) list.items.push_back(MakeText(text, list.line));
    Add(ours, std::move(list));
  }
  void Add(std::string_view ours, ConfigValue value) { AddMember(ours, std::move(value), scorer_); }

 private:
  int Line(std::string_view name) const { return members_.FindMember(name)->line; }

  const UiPathMembers& members_;
  ConfigValue& scorer_;
};

class EvaluatorReader {
 public:
  EvaluatorReader(const ConfigValue& root, const std::string& file) : root_(root), file_(file) {}

  UiPathEvaluator Read() {
    evaluator_.line = root_.line;
    const ConfigValue* const version = FindValue(root_, "version");
    if (version != nullptr && version->quoted && version->scalar == "1.0") {
      ReadNewer();
    } else {
      ReadOlder();
    }
    return std::move(evaluator_);
  }

 private:
  void Note(ImportNoteKind kind, int line, std::string text, std::string_view part = {}) {
    std::string what = fmt::format("evaluator \"{}\" ({})", evaluator_.name, evaluator_.type);
    if (!part.empty()) what += fmt::format(", \"{}\"", part);
    evaluator_.notes.push_back({kind, file_, line, std::move(what), std::move(text)});
  }

  void NoteIgnored(const std::vector<const ConfigMember*>& members, std::string_view why) {
    for (const ConfigMember* const member : members) {
      Note(ImportNoteKind::kIgnored, member->line, std::string(why), member->key);
    }
  }

  void ReadNewer() {
    const UiPathMembers outer(root_, file_, "the evaluator");
    evaluator_.id = outer.RequiredText("id");
    const ConfigValue* config = outer.Find("evaluatorConfig");
    const ConfigValue none = MakeMap(root_.line);
    if (config == nullptr || config->kind != Kind::kMap) config = &none;
    const UiPathMembers inner(*config, file_, fmt::format("the evaluator \"{}\"", evaluator_.id));
    if (ReadSchema(outer, inner)) return;

    evaluator_.type = outer.Text("evaluatorTypeId").value_or("");
    const auto type = std::ranges::find(kTypes, evaluator_.type, &Type::id);
    if (type == std::end(kTypes)) {
      const ConfigMember* const member = outer.FindMember("evaluatorTypeId");
      inner.Refuse(member == nullptr ? root_.line : member->line,
                   fmt::format("UiPath has no evaluators of the type \"{}\"", evaluator_.type));
    }
    evaluator_.name = NameOf(outer, inner, type->default_name);
    evaluator_.criteria_member = type->criteria_member;
    if (type->scorer.empty()) return Note(ImportNoteKind::kOffline, root_.line, std::string(type->instead));
    ReadConfig(*type, inner);
    if (!evaluator_.can_run()) return;
    NoteIgnored(outer.Others({"version", "id", "name", "description", "evaluatorTypeId", "evaluatorSchema",
                              "evaluatorConfig"}),
                "UiPath ignores it, too");
  }

  // Reads the name of an evaluator; a name outside its configuration wins.
  static std::string NameOf(const UiPathMembers& outer, const UiPathMembers& inner,
                            std::string_view fallback) {
    if (outer.FindMember("name") != nullptr) return outer.RequiredText("name");
    return inner.Text("name").value_or(std::string(fallback));
  }

  // Reads an evaluator that is a Python class of the user. RETURNS: false for any other evaluator.
  bool ReadSchema(const UiPathMembers& outer, const UiPathMembers& inner) {
    const ConfigValue* const schema = outer.Find("evaluatorSchema");
    if (schema == nullptr || !schema->scalar.starts_with("file://")) return false;
    evaluator_.type = schema->scalar;
    evaluator_.name = NameOf(outer, inner, evaluator_.id);
    Note(ImportNoteKind::kOffline, schema->line,
         "it is a Python class for UiPath's own runtime; turn it into a program, and a scorer of the type "
         "code_judge (docs/scorers.md)");
    return true;
  }

  // Begins the scorer.
  OptionCopier Begin(std::string_view type, std::string_view revision, const UiPathMembers& members) {
    evaluator_.scorer = MakeMap(root_.line);
    AddMember("name", MakeText(evaluator_.name, root_.line), evaluator_.scorer);
    AddMember("type", MakeText(std::string(type), root_.line), evaluator_.scorer);
    if (!revision.empty()) {
      AddMember("revision", MakeText(std::string(revision), root_.line), evaluator_.scorer);
    }
    return OptionCopier(members, evaluator_.scorer);
  }

  void ReadConfig(const Type& type, const UiPathMembers& config) {
    if (type.scorer == kToolCallsType) return ReadToolCalls(type, config);
    const bool is_judge = type.scorer == "llm_judge";
    const bool is_classification = type.scorer == "classification";
    std::vector<std::string_view> known = {"name",
                                           "description",
                                           "targetOutputKey",
                                           "lineByLineEvaluator",
                                           "lineDelimiter",
                                           "defaultEvaluationCriteria"};
    OptionCopier copy = Begin(type.scorer, is_classification ? "" : kRevision, config);
    ReadTargetKey(config, copy);
    ReadLines(config, type, copy);
    ReadDefault(config, copy);
    if (type.scorer == "exact_match" || type.scorer == "contains") {
      known.insert(known.end(), {"caseSensitive", "negated"});
      copy.CopyBool("caseSensitive", "case_sensitive");
      copy.CopyBool("negated", "negated");
    }
    if (type.scorer == "exact_match") {
      known.insert(known.end(), {"classes", "aggregators"});
      ReadAggregators(config, copy);
    }
    if (is_classification) ReadClassification(type, config, copy, known);
    if (is_judge) ReadJudge(type, config, copy, known);
    if (!evaluator_.can_run()) return;
    Note(ImportNoteKind::kRuns, root_.line,
         is_judge ? fmt::format("{}, which asks a model", type.scorer) : std::string(type.scorer));
    NoteIgnored(config.Others(known), "UiPath ignores it, too");
  }

  // Reads an evaluator of the calls of a run. Outputs have the calls in a field of their own.
  void ReadToolCalls(const Type& type, const UiPathMembers& config) {
    OptionCopier copy = Begin(type.scorer, "uipath-2026-08", config);
    std::vector<std::string_view> known = {"name", "description", "strict", "defaultEvaluationCriteria"};
    const auto add = [&](std::string_view option, std::string_view value) {
      copy.Add(option, MakeText(std::string(value), root_.line));
    };
    add("call_text", "never");
    if (type.criteria_member == kToolCallsCount) {
      add("mode", "counts");
    } else if (type.criteria_member == kToolCallsOrder) {
      add("mode", "in_order");
      add("args", "ignore");
    } else {
      add("mode", "superset");
      add("args", type.criteria_member == kToolCalls ? "superset" : "ignore");
    }
    if (type.criteria_member == kToolOutputs) add("output", "exact");
    if (config.Bool("strict").value_or(false)) add("aggregation", "all_or_nothing");
    if (type.criteria_member == kToolCalls) {
      known.push_back("subset");
      if (config.Bool("subset").value_or(false)) {
        Note(ImportNoteKind::kIgnored, config.FindMember("subset")->line,
             "UiPath reads it, but never uses it", "subset");
      }
    }
    ReadDefault(config, copy);
    Note(ImportNoteKind::kRuns, root_.line,
         "tool_calls; give the field of the outputs with the spans or messages of the run as --calls-field");
    NoteIgnored(config.Others(known), "UiPath ignores it, too");
  }

  static void ReadTargetKey(const UiPathMembers& config, OptionCopier& copy) {
    const ConfigValue* const key = config.Find("targetOutputKey");
    if (key == nullptr) return;
    if (key->kind == Kind::kList) {
      copy.CopyTexts("targetOutputKey", "target_output_key");
    } else {
      copy.CopyText("targetOutputKey", "target_output_key");
    }
  }

  void ReadLines(const UiPathMembers& config, const Type& type, OptionCopier& copy) {
    const bool by_line = config.Bool("lineByLineEvaluator").value_or(false);
    const std::optional<std::string> delimiter = config.Text("lineDelimiter");
    if (!by_line) return;
    const int line = config.FindMember("lineByLineEvaluator")->line;
    const ConfigValue* const key = config.Find("targetOutputKey");
    if (key != nullptr && key->kind == Kind::kList) {
      return Note(ImportNoteKind::kIgnored, line, "with a list of paths, UiPath ignores it, too",
                  "lineByLineEvaluator");
    }
    if (type.scorer == "llm_judge" || type.scorer == "classification") {
      evaluator_.scorer = {};
      return Note(ImportNoteKind::kOffline, line,
                  "this type is not judged line by line here; leave \"lineByLineEvaluator\" out, or make "
                  "each line a separate record");
    }
    copy.Add("line_by_line", MakeBool(true, line));
    if (!delimiter || *delimiter == "\n") return;
    const int delimiter_line = config.FindMember("lineDelimiter")->line;
    if (delimiter->empty()) config.Refuse(delimiter_line, "\"lineDelimiter\" is empty");
    copy.Add("line_delimiter", MakeText(*delimiter, delimiter_line));
  }

  void ReadDefault(const UiPathMembers& config, OptionCopier& copy) {
    if (!config.Has("defaultEvaluationCriteria")) return;
    const ConfigMember& member = *config.FindMember("defaultEvaluationCriteria");
    if (member.value.kind != Kind::kMap) {
      config.Refuse(member.line, "\"defaultEvaluationCriteria\" must be an object");
    }
    const UiPathMembers criteria(member.value, file_, "\"defaultEvaluationCriteria\"");
    const ConfigValue* const value = criteria.Find(evaluator_.criteria_member);
    if (value == nullptr) {
      criteria.Refuse(member.line, fmt::format("\"{}\" is missing", evaluator_.criteria_member));
    }
    if (const std::string_view fault = FaultOfCriteria(evaluator_, *value); !fault.empty()) {
      criteria.Refuse(member.line, fault);
    }
    copy.Add("default_expected", ExpectedOfCriteria(evaluator_, *value));
  }

  void ReadAggregators(const UiPathMembers& config, OptionCopier& copy) {
    if (config.Has("classes")) copy.CopyTexts("classes", "classes");
    if (!config.Has("aggregators")) return;
    const ConfigMember& member = *config.FindMember("aggregators");
    if (member.value.kind != Kind::kList) config.Refuse(member.line, "\"aggregators\" must be a list");
    ConfigValue list = MakeList(member.line);
    for (const ConfigValue& item : member.value.items) {
      ConfigValue aggregator = ReadAggregator(item);
      const bool is_new = std::ranges::none_of(list.items, [&](const ConfigValue& other) {
        return std::ranges::equal(other.members, aggregator.members, [](const auto& a, const auto& b) {
          return a.key == b.key && a.value.scalar == b.value.scalar;
        });
      });
      if (is_new) list.items.push_back(std::move(aggregator));
    }
    if (list.items.empty()) return;
    const std::vector<std::string> classes =
        config.Has("classes") ? config.Texts("classes").value_or(std::vector<std::string>())
                              : std::vector<std::string>();
    if (classes.empty()) config.Refuse(member.line, "\"aggregators\" need \"classes\"");
    for (const std::string_view other : {"lineByLineEvaluator", "caseSensitive", "negated"}) {
      if (config.Bool(other).value_or(false)) {
        config.Refuse(member.line, fmt::format("\"aggregators\" and \"{}\" cannot be combined", other));
      }
    }
    copy.Add("aggregators", std::move(list));
  }

  ConfigValue ReadAggregator(const ConfigValue& item) const {
    if (item.kind != Kind::kMap) throw ConfigError(file_, item.line, "an aggregator must be an object");
    const UiPathMembers members(item, file_, "the aggregator");
    const std::string type = members.RequiredText("type");
    ConfigValue aggregator = MakeMap(item.line);
    AddMember("type", MakeText(type, item.line), aggregator);
    if (type == "confusion_matrix") return aggregator;
    if (type != "precision" && type != "recall" && type != "fscore") {
      members.Refuse(item.line, fmt::format("there is no aggregator \"{}\"", type));
    }
    if (members.Find("averaging") == nullptr) members.Refuse(item.line, "\"averaging\" is missing");
    AddMember("averaging", MakeText(members.Word("averaging", {"macro", "micro"}), item.line), aggregator);
    if (type != "fscore") return aggregator;
    const double f_value = members.Number("fValue").value_or(1);
    if (!(f_value > 0 && f_value <= 1000)) {
      members.Refuse(item.line, "\"fValue\" must be above 0, and at most 1000");
    }
    AddMember("f_value", MakeScalar(fmt::format("{}", f_value), false, item.line), aggregator);
    return aggregator;
  }

  static void ReadClassification(const Type& type, const UiPathMembers& config, OptionCopier& copy,
                                 std::vector<std::string_view>& known) {
    known.insert(known.end(), {"metricType", "fValue"});
    const bool is_binary = type.id == "uipath-binary-classification";
    if (is_binary) {
      known.push_back("positiveClass");
      copy.Add("positive_class", MakeText(config.RequiredText("positiveClass")));
    } else {
      known.insert(known.end(), {"classes", "averaging"});
      if (!config.Texts("classes")) config.Refuse(1, "\"classes\" is missing");
      copy.CopyTexts("classes", "classes");
      copy.Add("averaging", MakeText(config.Word("averaging", {"macro", "micro"})));
    }
    const std::string metric = config.FindMember("metricType") == nullptr
                                   ? std::string(is_binary ? "precision" : "f-score")
                                   : config.Word("metricType", {"precision", "recall", "f-score"});
    copy.Add("metric", MakeText(metric == "f-score" ? "fscore" : metric));
    copy.CopyNumber("fValue", "f_value");
  }

  // Reads a judge. A placeholder that its prompt lacks is appended, as by UiPath. UiPath's own prompts are
  // not copied, because they are not ours.
  void ReadJudge(const Type& type, const UiPathMembers& config, OptionCopier& copy,
                 std::vector<std::string_view>& known) {
    known.insert(known.end(), {"prompt", "model", "temperature", "maxTokens"});
    const std::string model = config.Text("model").value_or("");
    if (model.empty()) {
      evaluator_.scorer = {};
      return Note(ImportNoteKind::kOffline, root_.line, "it names no model; add \"model\"");
    }
    const std::optional<std::string> prompt = config.Text("prompt");
    if (!prompt && type.id.ends_with("strict-json-similarity")) BeginStrictJudge();
    copy.Add("model", MakeText(model));
    if (prompt) copy.Add("prompt", MakeText(WithBothPlaces(*prompt)));
    copy.CopyNumber("temperature", "temperature");
    if (config.Has("maxTokens")) {
      copy.CopyNumber("maxTokens", "max_tokens");
    } else if (model.find("claude-haiku-4-5") != std::string::npos ||
               model.find("claude-sonnet-4-5") != std::string::npos) {
      copy.Add("max_tokens", MakeScalar("8000", /*quoted=*/false, root_.line));
    }
    copy.Add("structured", MakeText("tool"));
    Note(ImportNoteKind::kDiffers, root_.line,
         prompt ? "the system message is leafscore's" : "the prompt is leafscore's, as it has no own prompt");
  }

  // Turns the scorer into llm_judge_strict_json, which asks about each key and has no revision.
  void BeginStrictJudge() {
    std::vector<ConfigMember>& members = evaluator_.scorer.members;
    std::erase_if(members, [](const ConfigMember& member) { return member.key == "revision"; });
    std::ranges::find(members, "type", &ConfigMember::key)->value.scalar = "llm_judge_strict_json";
    AddMember("text_of", MakeText("python"), evaluator_.scorer);
  }

  static std::string WithBothPlaces(std::string prompt) {
    std::string more;
    for (const std::string_view place : {"Actual", "Expected"}) {
      if (prompt.find(fmt::format("{{{{{}Output}}}}", place)) != std::string::npos) continue;
      more += fmt::format("\n\n## {0} Output\n<{0}Output>\n{{{{{0}Output}}}}\n</{0}Output>", place);
    }
    return prompt + more;
  }

  void ReadOlder() {
    const UiPathMembers members(root_, file_, "the evaluator");
    evaluator_.is_older = true;
    evaluator_.criteria_member = kExpectedOutput;
    evaluator_.id = members.RequiredText("id");
    evaluator_.name = members.Text("name").value_or("");
    if (evaluator_.name.empty()) evaluator_.name = evaluator_.id;
    for (const std::string_view required : {"createdAt", "updatedAt"}) members.RequiredText(required);
    const double category = RequiredNumber(members, "category");
    const double type = RequiredNumber(members, "type");
    evaluator_.type = fmt::format("category {}, type {}", category, type);
    if (category == 0 && (type == 1 || type == 6)) return ReadOlderScorer(type == 1, members);
    if (category == 0 && type == 10) {
      return Note(ImportNoteKind::kOffline, root_.line,
                  "it compares a column of CSV; give the rows as records, and compare them with exact_match");
    }
    if (category == 1) {
      return Note(ImportNoteKind::kOffline, root_.line,
                  "it is a judge from before version 1.0; make it one of the type "
                  "uipath-llm-judge-output-semantic-similarity");
    }
    if (category == 3) return Note(ImportNoteKind::kOffline, root_.line, std::string(kNeedsTrace));
    members.Refuse(root_.line, fmt::format("UiPath has no evaluators of {}", evaluator_.type));
  }

  double RequiredNumber(const UiPathMembers& members, std::string_view name) const {
    const std::optional<double> number = members.Number(name);
    if (!number) members.Refuse(root_.line, fmt::format("\"{}\" is missing", name));
    return *number;
  }

  void ReadOlderScorer(bool is_equality, const UiPathMembers& members) {
    OptionCopier copy = Begin(is_equality ? "exact_match" : "json_similarity", kOlderRevision, members);
    if (members.Text("targetOutputKey").value_or("") != "")
      copy.CopyText("targetOutputKey", "target_output_key");
    if (members.Bool("lineByLineEvaluation").value_or(false)) {
      copy.Add("line_by_line", MakeBool(true, members.FindMember("lineByLineEvaluation")->line));
      copy.CopyText("lineDelimiter", "line_delimiter");
    }
    Note(ImportNoteKind::kRuns, root_.line, is_equality ? "exact_match" : "json_similarity");
    Note(ImportNoteKind::kDiffers, root_.line, "its scores are from 0 to 1, UiPath's from 0 to 100");
    NoteIgnored(
        members.Others({"fileName", "id", "name", "description", "category", "type", "targetOutputKey",
                        "createdAt", "updatedAt", "lineByLineEvaluation", "lineDelimiter"}),
        "UiPath ignores it, too");
  }

  const ConfigValue& root_;
  const std::string& file_;
  UiPathEvaluator evaluator_;
};

bool IsQuoted(const ConfigValue* value) {
  return value != nullptr && value->kind == Kind::kScalar && value->quoted;
}

bool IsName(const ConfigValue& value) { return IsQuoted(&value); }

// Returns whether a value is a list of two items: a comparator, and a whole number or its text.
bool IsCount(const ConfigValue& value) {
  if (value.kind != Kind::kList || value.items.size() != 2 || !IsQuoted(value.items.data())) return false;
  ConfigValue number = value.items[1];
  number.quoted = false;
  const std::optional<double> count = number.kind == Kind::kScalar ? AsNumber(number) : std::nullopt;
  return count && std::isfinite(*count) && *count == std::floor(*count);
}

bool HasNameAndId(const ConfigValue& call) {
  if (call.kind != Kind::kMap || !IsQuoted(FindValue(call, "name"))) return false;
  const ConfigValue* const id = FindValue(call, "id");
  return id == nullptr || id->kind == Kind::kNull || IsQuoted(id);
}

bool IsCall(const ConfigValue& value) {
  const ConfigValue* const args = HasNameAndId(value) ? FindValue(value, "args") : nullptr;
  return args != nullptr && args->kind == Kind::kMap;
}

bool IsOutput(const ConfigValue& value) {
  return HasNameAndId(value) && IsQuoted(FindValue(value, "output"));
}

// The criteria of the evaluators of tool calls.
struct ToolCriteria {
  std::string_view member;
  Kind kind;
  bool (*item_fits)(const ConfigValue& item);
  std::string_view fault;
};
// The members of calls in criteria, and our names for them.
constexpr std::pair<std::string_view, std::string_view> kMembersOfCalls[] = {
    {"name", "name"}, {"args", "arguments"}, {"output", "output"}, {"id", "tool_id"}};

constexpr ToolCriteria kToolCriteria[] = {
    {kToolCallsOrder, Kind::kList, IsName, "\"toolCallsOrder\" must be a list of names"},
    {kToolCallsCount, Kind::kMap, IsCount,
     "\"toolCallsCount\" must be an object such as {\"search\": [\">=\", 1]}"},
    {kToolCalls, Kind::kList, IsCall,
     "\"toolCalls\" must be a list of objects with a \"name\" and the object \"args\""},
    {kToolOutputs, Kind::kList, IsOutput,
     "\"toolOutputs\" must be a list of objects with a \"name\" and the text \"output\""},
};

}  // namespace

ConfigValue ExpectedOfCriteria(const UiPathEvaluator& evaluator, const ConfigValue& value) {
  if (evaluator.criteria_member != kToolCalls && evaluator.criteria_member != kToolOutputs) return value;
  ConfigValue calls = MakeList(value.line);
  for (const ConfigValue& call : value.items) {
    ConfigValue& made = calls.items.emplace_back(MakeMap(call.line));
    for (const auto& [theirs, ours] : kMembersOfCalls) {
      const ConfigValue* const member = FindValue(call, theirs);
      if (member != nullptr && member->kind != Kind::kNull) AddMember(ours, *member, made);
    }
  }
  return calls;
}

bool IsUiPathEvaluator(const ConfigValue& root) {
  if (root.kind != Kind::kMap) return false;
  if (root.Find("evaluatorTypeId") != nullptr || root.Find("evaluatorSchema") != nullptr) return true;
  return root.Find("category") != nullptr && root.Find("type") != nullptr && root.Find("id") != nullptr;
}

UiPathEvaluator ReadUiPathEvaluator(const ConfigValue& root, const std::string& file) {
  return EvaluatorReader(root, file).Read();
}

std::string_view FaultOfCriteria(const UiPathEvaluator& evaluator, const ConfigValue& value) {
  if (evaluator.is_older) return "";
  if (const auto form = std::ranges::find(kToolCriteria, evaluator.criteria_member, &ToolCriteria::member);
      form != std::end(kToolCriteria)) {
    const bool fits = form->kind == value.kind && std::ranges::all_of(value.items, form->item_fits) &&
                      std::ranges::all_of(value.members, [&](const ConfigMember& member) {
                        return form->item_fits(member.value);
                      });
    return fits ? "" : form->fault;
  }
  const bool is_text = value.kind == Kind::kScalar && value.quoted;
  if (evaluator.criteria_member == kExpectedOutput) {
    return is_text || value.kind == Kind::kMap ? "" : "\"expectedOutput\" must be an object or a text";
  }
  if (is_text) return "";
  return evaluator.criteria_member == kSearchText ? "\"searchText\" must be text"
                                                  : "\"expectedClass\" must be text";
}

}  // namespace leafscore::internal
