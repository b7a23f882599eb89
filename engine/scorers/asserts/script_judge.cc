#include "engine/scorers/asserts/script_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/base/utf8.h"
#include "engine/config/config_json.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_writer.h"
#include "engine/languages/javascript_text.h"
#include "engine/process/handed_file.h"
#include "engine/scorers/field_accuracy/rules_2026_07.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxInlineCharacters = 50'000;

// Returns a key in snake_case: each capital begins a word. A key that begins with a capital stays as it is.
std::string SnakeCase(std::string_view key) {
  std::string snake;
  const bool name = !key.empty() && key[0] >= 'A' && key[0] <= 'Z';
  for (const char c : key) {
    if (!name && c >= 'A' && c <= 'Z') {
      snake += '_';
      snake += static_cast<char>(c | 0x20);
    } else {
      snake += c;
    }
  }
  return snake;
}

void WriteSnakeJson(const JsonView& value, JsonWriter& json) {
  if (value.Is(ValueKind::kObject)) {
    json.StartObject();
    value.ForEachMember([&](std::string_view key, const JsonView& member) {
      json.Key(SnakeCase(key));
      WriteSnakeJson(member, json);
    });
    json.EndObject();
  } else if (value.Is(ValueKind::kArray)) {
    json.StartArray();
    value.ForEachChild([&](const JsonView& element) { WriteSnakeJson(element, json); });
    json.EndArray();
  } else {
    json.Raw(value.Json().value_or("null"));
  }
}

// Writes a value as a list of messages. A list of messages stays as it is; another value is the content of
// one message; null gives an empty list.
void WriteMessages(const JsonView& value, std::string_view role, JsonWriter& json) {
  bool messages = value.Is(ValueKind::kArray);
  value.ForEachChild([&](const JsonView& element) { messages &= element.Member("role").IsText(); });
  if (messages) return WriteSnakeJson(value, json);
  json.StartArray();
  if (value.present() && !value.Is(ValueKind::kNull)) {
    json.StartObject();
    json.Key("role").String(role);
    json.Key("content");
    WriteSnakeJson(value, json);
    json.EndObject();
  }
  json.EndArray();
}

ScriptVerdict Failed(std::string reason) { return {.reason = std::move(reason)}; }

std::optional<bool> BoolOf(const JsonView& value) {
  if (value.Is(ValueKind::kTrue)) return true;
  if (value.Is(ValueKind::kFalse)) return false;
  return std::nullopt;
}

double Limited(double score) { return std::isfinite(score) ? std::clamp(score, 0.0, 1.0) : 0; }

// Adds a check to the mean and to the list of results. RETURNS: false if it is ill-formed.
bool AddCheck(const JsonView& check, double& sum, JsonWriter& kept) {
  const std::optional<bool> pass = BoolOf(check.Member("pass"));
  if (!check.Member("text").IsText() || !check.Member("reason").IsText() || !pass) return false;
  const std::optional<double> score = check.Member("score").Number();
  sum += score ? Limited(*score) : *pass ? 1.0 : 0.0;
  kept.Raw(*check.Json());
  return true;
}

// Reads a reply that is an object. RETURNS: nullopt if it has no usable member.
std::optional<ScriptVerdict> ReadReplyObject(const JsonView& reply) {
  ScriptVerdict verdict;
  const std::optional<bool> pass = BoolOf(reply.Member("pass"));
  const std::optional<double> score = reply.Member("score").Number();
  double sum = 0;
  std::size_t checks = 0;
  std::string checks_json;
  JsonWriter json(checks_json, JsonLayout::kOneLine);
  json.StartArray();
  if (reply.Member("checks").Is(ValueKind::kArray)) {
    reply.Member("checks").ForEachChild([&](const JsonView& check) { checks += AddCheck(check, sum, json); });
  }
  json.EndArray();
  if (!pass && !score && checks == 0) return std::nullopt;
  if (score) {
    verdict.score = Limited(*score);
  } else if (checks > 0) {
    verdict.score = sum / static_cast<double>(checks);
  } else {
    verdict.score = *pass ? 1 : 0;
  }
  verdict.passed = pass.value_or(verdict.score >= 0.8);
  if (reply.Member("reason").IsText()) verdict.reason = ReplaceInvalidUtf8(*reply.Member("reason").Text());
  if (checks > 0) verdict.checks_json = std::move(checks_json);
  if (reply.Member("details").Is(ValueKind::kObject)) verdict.details_json = *reply.Member("details").Json();
  return verdict;
}

// Returns the folder where a script runs.
fs::path FolderOf(const OptionReader& options) {
  const fs::path of_file = fs::current_path() / fs::path(options.source_name()).parent_path();
  fs::path folder = (of_file / options.GetText("cwd", ".")).lexically_normal();
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw options.MakeError(
        "cwd", fmt::format("there is no folder {}; paths are relative to the folder of the configuration",
                           QuoteForMessage(folder.string(), 256)));
  }
  return folder;
}

}  // namespace

Script ReadScript(const OptionReader& options, std::uint64_t max_memory_bytes) {
  Script script;
  script.program.folder = FolderOf(options).string();
  script.program.max_memory_bytes = max_memory_bytes;
  script.program.arguments = options.GetTextList("command");
  if (script.program.arguments.empty() || script.program.arguments[0].empty()) {
    throw options.MakeError("command", "name the program, as in command: [python3, judge.py]");
  }
  if (options.GetAny("command")->kind == ConfigValue::Kind::kScalar) {
    script.program.arguments = {"sh", "-lc", script.program.arguments[0]};
  }
  script.program.path = FindProgram(script.program.arguments[0], script.program.folder);
  if (script.program.path.empty()) {
    throw options.MakeError(
        "command",
        fmt::format("there is no executable program {}; install it, or make the file executable (chmod +x)",
                    QuoteForMessage(script.program.arguments[0])));
  }
  AppendConfigAsJson(options.GetAny("config").value_or(ConfigValue{}), script.config_json);
  return script;
}

bool TakesOutputFile(std::string_view answer) {
  if (answer.size() <= kMaxInlineCharacters / 6) return false;  // the longest escape is \u001F
  std::string json;
  AppendJsonString(json, answer);
  std::size_t characters = 0;  // units of UTF-16: a code point of four bytes has two
  for (const char c : json) {
    characters += IsContinuation(c) ? 0 : static_cast<unsigned char>(c) >= 0xF0 ? 2 : 1;
  }
  return characters > kMaxInlineCharacters;
}

std::string ScriptDocument(std::string_view answer, const std::optional<std::string>& output_path,
                           const ScriptTest& test, std::string_view config_json) {
  std::string document;
  JsonWriter json(document, JsonLayout::kIndented);
  json.StartObject();
  json.Key("criteria");
  WriteSnakeJson(test.criteria, json);
  json.Key("expected_output");
  WriteMessages(test.expected_output, "assistant", json);
  json.Key("output");
  if (output_path) {
    json.Null();
    json.Key("output_path").LossyString(*output_path);
    json.Key("messages").Null();
  } else {
    json.String(answer);
    json.Key("messages");
    json.StartArray();
    json.StartObject();
    json.Key("role").String("assistant");
    json.Key("content").String(answer);
    json.EndObject();
    json.EndArray();
  }
  json.Key("input_files").Null();
  json.Key("input");
  WriteMessages(test.input, "user", json);
  json.Key("metadata");
  WriteSnakeJson(test.metadata, json);
  for (const char* const none : {"trace", "trace_summary", "token_usage", "cost_usd", "duration_ms",
                                 "start_time", "end_time", "file_changes", "workspace_path"}) {
    json.Key(none).Null();
  }
  json.Key("config");
  ShapeTable shapes;
  LeafTable table;
  JsonReader reader(&shapes);
  reader.Begin(config_json, /*lines=*/false, &table);
  WriteSnakeJson({table, shapes, reader.Read(0, static_cast<std::uint32_t>(config_json.size())).root}, json);
  json.EndObject();
  document += '\n';
  return document;
}

std::optional<ScriptVerdict> ReadScriptReply(std::string_view output, std::string_view error_tail,
                                             int wait_status, std::string_view end_message) {
  const std::string text = ReplaceInvalidUtf8(JavaScriptTrim(ReplaceInvalidUtf8(output)));
  const bool structured = text.starts_with('{') || text.starts_with('[');
  if (wait_status != 0 && (structured || !error_tail.empty())) {
    const std::string errors = ReplaceInvalidUtf8(error_tail);
    return Failed(errors.empty() ? std::string(end_message)
                                 : fmt::format("{}: {}", end_message, JavaScriptTrim(errors)));
  }
  if (text.starts_with('{')) {
    ShapeTable shapes;
    LeafTable table;
    JsonReader reader(&shapes);
    reader.Begin(text, /*lines=*/false, &table);
    const JsonResult result = reader.Read(0, static_cast<std::uint32_t>(text.size()));
    if (result.reason == RejectReason::kTooDeep) return std::nullopt;
    const JsonView reply(table, shapes, result.root);
    if (reply.Is(ValueKind::kObject) && FindNamedNumber(table, result.root) == kNoNode) {
      return ReadReplyObject(reply).value_or(
          Failed("the reply has none of \"pass\" (true or false), \"score\" (a number) and \"checks\""));
    }
  }
  const bool passed = wait_status == 0;
  return ScriptVerdict{.score = passed ? 1.0 : 0.0, .passed = passed, .reason = text};
}

std::optional<ScriptVerdict> RunScript(const Script& script, const TurnLimits& limits,
                                       std::string_view answer, const ScriptTest& test, RejectReason* reason,
                                       std::string* message) {
  try {
    std::optional<HandedFile> file;  // for an answer that is too long for the document
    std::optional<std::string> path;
    if (TakesOutputFile(answer)) path = file.emplace(answer).path();
    ChildProcess process(script.program);
    const TurnEnd end = process.ExchangeAll(ScriptDocument(answer, path, test, script.config_json), limits);
    if (end == TurnEnd::kStopped) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
    if (end == TurnEnd::kExited) {
      std::optional<ScriptVerdict> verdict = ReadScriptReply(process.output(), process.error_tail(),
                                                             process.wait_status(), process.EndMessage());
      if (!verdict) {
        *reason = RejectReason::kJudgeBadReply;
        *message = fmt::format("the reply is nested more than {} levels deep", kMaxDepth.default_value);
      }
      return verdict;
    }
    *reason = end == TurnEnd::kTimedOut ? RejectReason::kJudgeTimeout : RejectReason::kJudgeBadReply;
    *message =
        end == TurnEnd::kTimedOut
            ? fmt::format("the program was killed after {} ms (timeout_ms)", limits.timeout.count())
            : fmt::format("the reply is longer than {} bytes (max_output_bytes)", limits.max_output_bytes);
  } catch (const std::system_error& error) {
    *reason = RejectReason::kJudgeCrashed;
    *message = fmt::format("the program cannot be started: {}", error.what());
  }
  return std::nullopt;
}

}  // namespace leafscore::internal
