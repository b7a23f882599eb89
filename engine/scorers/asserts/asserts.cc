// AgentV's tests: each record's expected value is a test with its own asserts. The score is the weighted mean
// of the asserts, or 0 if a required assert falls short.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/text_map.h"
#include "engine/config/config_parser.h"
#include "engine/json/json_view.h"
#include "engine/process/program_files.h"
#include "engine/scorers/asserts/assert_judge.h"
#include "engine/scorers/asserts/assert_list.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kAssertsOptions[] = {
    kTargetOutputKeyOption.WithHelp(
        "part of the actual value to judge: a.b, items[0].name; \"*\" is the whole value"),
    kDefaultExpectedOption,
    kThresholdOption.WithDefault("0.8").WithHelp(
        "score from which a test without a threshold of its own passes"),
    {"scripts", "map of maps", "none", "programs that tests refer to by name: {command, cwd, config}"},
    {"timeout_ms", "number from 1 to 86400000", "60000", "time after which a script is killed"},
    {"max_memory_bytes", "number from 1048576", "1099511627776", "limit of the address space of a script"},
    {"max_output_bytes", "number from 2 to 67108864", "1048576", "a longer reply from a script is an error"},
};

constexpr OptionSpec kScriptOptions[] = {
    {"command", "text or list of texts", "none", "program and arguments as a list, or a line for sh -lc"},
    {"cwd", "text", "the configuration's folder", "the folder to run in, relative to the configuration"},
    {"config", "map", "none", "passed to the program"},
};

constexpr TextMetric kAssertsTextMetrics[] = {{"hits", /*is_list=*/true}, {"misses", /*is_list=*/true}};

struct AssertsSettings {
  PairSelectorOptions selection;
  double threshold;
  ScriptsByName scripts;
  TurnLimits limits;
  std::vector<std::string> files;
  std::unique_ptr<std::atomic<std::uint64_t>> failures_in_a_row =
      std::make_unique<std::atomic<std::uint64_t>>(0);
};

// The asserts of a test, ready to judge answers.
struct ReadyTest {
  std::vector<Assert> asserts;
  std::string fault;  // why the test cannot be used; empty if it can
};

class AssertsBatch final : public SelectingBatch {
 public:
  AssertsBatch(const AssertsSettings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools),
        settings_(settings),
        keeps_details_(tools.details != DetailLevel::kNone),
        judge_(tools, settings->limits, settings->failures_in_a_row.get()) {}

  // The expected value is a test, not an answer.
  AnswerCauses possible_causes() const override { return kCausesOfAnyScorer; }
  std::span<const TextMetric> text_metrics() const override {
    return keeps_details_ ? std::span(kAssertsTextMetrics) : std::span<const TextMetric>();
  }
  void AppendTexts(std::uint32_t record, std::size_t metric, std::vector<std::string>& texts) const override;
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const override;

 private:
  struct Judged {
    std::shared_ptr<const ReadyTest> test;
    std::vector<AssertResult> results;
  };

  void BeginBatch(std::uint32_t records) override {
    judge_.CheckNotStopped();
    judged_.assign(records, {});
  }
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  std::shared_ptr<const ReadyTest> FindTest(const JsonView& asserts);
  void ScoreTest(std::uint32_t record, double threshold);

  const AssertsSettings* settings_;
  bool keeps_details_;
  AssertJudge judge_;
  TextMap<std::string, std::shared_ptr<const ReadyTest>> tests_;  // by the JSON of their asserts
  std::string answer_;
  std::vector<Judged> judged_;  // by record
};

// A worker keeps the tests that it has read, because further answers may belong to them.
std::shared_ptr<const ReadyTest> AssertsBatch::FindTest(const JsonView& asserts) {
  constexpr std::size_t kMostTests = 1024;
  std::string json = asserts.Json().value_or("null");
  if (tests_.size() >= kMostTests) {
    judge_.Forget();
    tests_.clear();
  }
  std::shared_ptr<const ReadyTest>& known = tests_[json];
  if (known == nullptr) {
    auto test = std::make_shared<ReadyTest>();
    try {
      test->asserts = ReadAsserts(ParseConfig(json, ""), settings_->scripts, "the test", "");
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kUsage) throw;
      test->fault = error.what();
      test->fault.erase(0, test->fault.find(": ") + 2);  // drops the line number, which belongs to no file
    }
    known = std::move(test);
  }
  return known;
}

void AssertsBatch::MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  const ValueRef expected = selector_.parts()[0].expected;
  const JsonView test(*expected.table, *shapes_, expected.node);
  const auto refuse = [&](std::string message) {
    SetRecordError(record, RejectReason::kInvalidExpectedJson, std::move(message), columns_);
  };
  const JsonView list = test.Member("asserts");
  if (!list.Is(ValueKind::kArray))
    return refuse("the expected value is not a test: it has no list \"asserts\"");
  const std::optional<double> own = test.Member("threshold").Number();
  const double threshold = own.value_or(settings_->threshold);
  if (!(threshold >= 0 && threshold <= 1)) return refuse("the test's threshold is not from 0 to 1");
  Judged& judged = judged_[record];
  judged.test = FindTest(list);
  if (!judged.test->fault.empty()) return refuse(judged.test->fault);
  answer_.clear();
  selector_.AppendText(/*expected_side=*/false, TextForm::kCompactJson, answer_);
  const ValueRef actual = selector_.builds_object() ? ValueRef{} : selector_.parts()[0].actual;
  judge_.SetAnswer({answer_,
                    actual,
                    selector_.has_calls_field() ? std::optional(selector_.calls(record)) : std::nullopt,
                    MemberOf(expected, "expected_output", *shapes_),
                    {test.Member("criteria"), test.Member("expected_output"), test.Member("input"),
                     test.Member("metadata")}});
  for (const Assert& assert : judged.test->asserts) {
    AssertResult result = judge_.Judge(assert);
    if (judge_.failure()) {
      SetRecordError(record, judge_.failure()->reason,
                     fmt::format("assert {}: {}", assert.name, judge_.failure()->message), columns_);
      judged = {};
      return;
    }
    if (assert.negate && assert.kind != AssertKind::kUnavailable) {
      result.score = 1 - result.score;
      result.passed = !result.passed;
    }
    judged.results.push_back(std::move(result));
  }
  ScoreTest(record, threshold);
  if (!keeps_details_) judged = {};
}

void AssertsBatch::ScoreTest(std::uint32_t record, double threshold) {
  const Judged& judged = judged_[record];
  double sum = 0;
  double weights = 0;
  bool gated = false;
  bool compares = false;
  for (std::size_t a = 0; a < judged.results.size(); ++a) {
    const Assert& assert = judged.test->asserts[a];
    const double score = judged.results[a].score;
    sum += score * assert.weight;
    weights += assert.weight;
    gated |= assert.required&& score < assert.min_score.value_or(threshold);
    compares |= assert.kind != AssertKind::kUnavailable && (assert.weight > 0 || assert.required);
  }
  columns_.score[record] = gated || weights == 0 ? 0 : sum / weights;
  columns_.passed[record] = columns_.score[record] >= threshold;
  if (!compares) CompareNothing(record);
}

void AssertsBatch::AppendTexts(std::uint32_t record, std::size_t metric,
                               std::vector<std::string>& texts) const {
  const Judged& judged = judged_[record];
  for (std::size_t a = 0; a < judged.results.size(); ++a) {
    if (judged.results[a].passed == (metric == 0)) texts.push_back(judged.test->asserts[a].name);
  }
}

void WriteResult(const Assert& assert, const AssertResult& result, DetailsWriter& json) {
  json.StartObject();
  json.Key<"name">().String(assert.name);
  json.Key<"type">().String(assert.type);
  json.Key<"score">().Number(result.score);
  json.Key<"verdict">().String(result.passed ? "pass" : "fail");
  json.Key<"weight">().Number(assert.weight);
  if (assert.required) json.Key<"required">().Bool(true);
  if (assert.kind == AssertKind::kUnavailable) json.Key<"available">().Bool(false);
  if (!result.reason.empty()) json.Key<"reason">().String(result.reason);
  if (!result.checks_json.empty()) json.Key<"checks">().Raw(result.checks_json);
  if (!result.details_json.empty()) json.Key<"details">().Raw(result.details_json);
  if (assert.kind == AssertKind::kSet) {
    json.Key<"children">();
    json.StartArray();
    for (std::size_t m = 0; m < result.children.size(); ++m) {
      WriteResult(assert.members[m], result.children[m], json);
    }
    json.EndArray();
  }
  json.EndObject();
}

void AssertsBatch::WriteDetails(std::uint32_t record, DetailLevel /*level*/, DetailsWriter& json) const {
  const Judged& judged = judged_[record];
  json.Key<"asserts">();
  json.StartList();
  for (std::size_t a = 0; a < judged.results.size(); ++a) {
    WriteResult(judged.test->asserts[a], judged.results[a], json);
    if (!json.EndElement()) break;
  }
  json.EndArray();
}

ScriptsByName ReadScripts(const OptionReader& options) {
  ScriptsByName scripts;
  const auto memory =
      static_cast<std::uint64_t>(options.GetNumber("max_memory_bytes", 1ull << 40, 1 << 20, 1ull << 53));
  const std::optional<ConfigValue> map = options.GetAny("scripts");
  if (!map || map->kind == ConfigValue::Kind::kNull) return scripts;
  if (map->kind != ConfigValue::Kind::kMap) {
    throw options.MakeError("scripts", "give a map such as {judge: {command: [python3, judge.py]}}");
  }
  for (const ConfigMember& member : map->members) {
    const OptionReader script =
        options.Nested(member.value, kScriptOptions, fmt::format("script {}", member.key));
    scripts.emplace(member.key, ReadScript(script, memory));
  }
  return scripts;
}

std::unique_ptr<Scorer> MakeAsserts(const OptionReader& options) {
  AssertsSettings settings{
      .selection = PairSelectorOptions(options, SelectedSides::kActual),
      .threshold = ReadThreshold(options, 0.8),
      .scripts = ReadScripts(options),
      .limits = {options.GetMilliseconds("timeout_ms", 60000),
                 static_cast<std::size_t>(options.GetNumber("max_output_bytes", 1 << 20, 2, 64 << 20))},
      .files = {}};
  for (const auto& [name, script] : settings.scripts) {
    for (std::string& file : FilesOfProgram(script.program)) settings.files.push_back(std::move(file));
  }
  return std::make_unique<ConfiguredScorer<AssertsBatch, AssertsSettings>>(std::move(settings));
}

}  // namespace

constinit const ScorerType kAssertsScorer = {
    "asserts",
    "weighted mean of a test's asserts: texts, patterns, fields, scripts",
    kAssertsOptions,
    MakeAsserts,
    {"For tests in which each record has checks of its own, such as texts, patterns, fields and scripts. The "
     "score is the weighted mean of the checks of the record.",
     "asserts", R"({"asserts": [{"type": "contains", "value": "INV-7"}, {"type": "is-json", "weight": 2}]})",
     R"("{\"invoice\": \"INV-8\"}")", "", 2.0 / 3}};

}  // namespace leafscore::internal
