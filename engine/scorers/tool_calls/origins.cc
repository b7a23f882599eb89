#include "engine/scorers/tool_calls/origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/limits.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/tool_calls/call_batch.h"
#include "engine/scorers/tool_calls/call_options.h"

namespace leafscore::internal {
namespace {

// In the order of kToolCallRevisions, without our own revision.
const Origin* const kOrigins[] = {&kUiPathOrigin, &kAdkOrigin,       &kAgentevalsOrigin,
                                  &kAgentvOrigin, &kRagasOrigin,     &kMlflowOrigin,
                                  &kTau2Origin,   &kPromptfooOrigin, &kBfclOrigin};

// The options that every revision uses.
constexpr std::string_view kCommonOptions[] = {
    "mode", "threshold", "call_text", "incomplete", kTargetOutputKeyOption.name, kDefaultExpectedOption.name};

enum OriginMetric : std::size_t { kExpectedCount, kActualCount, kProseReply };
constexpr std::string_view kOriginMetrics[] = {"expected_calls", "actual_calls", "prose"};
constexpr TextMetric kOriginTexts[] = {{"lcs", /*is_list=*/true}};

struct OriginSettings {
  PairSelectorOptions selection;
  CallRules rules;
  CallReading reading;
  const Origin* origin;
};

// Returns the number of steps that a comparison with this value costs: one for each of its nodes, and one for
// every 16 bytes of its JSON text.
std::uint64_t StepsOf(ValueRef value) {
  constexpr std::uint64_t kPiece = 16;
  if (!value.present()) return 0;
  const LeafTable& table = *value.table;
  return table.end(value.node) - value.node + table.token(value.node).size() / kPiece;
}

std::uint64_t StepsOf(std::span<const ToolCall> calls) {
  std::uint64_t steps = 0;
  for (const ToolCall& call : calls) steps += StepsOf(call.arguments) + StepsOf(call.output);
  return steps;
}

class OriginBatch final : public CallBatch {
 public:
  OriginBatch(const OriginSettings* settings, WorkerTools tools)
      : CallBatch(&settings->selection, tools, kOriginMetrics, kProseReply),
        settings_(settings),
        reader_(&settings->reading, tools),
        walker_(tools.shapes) {}

  std::span<const TextMetric> text_metrics() const override {
    return settings_->origin == &kUiPathOrigin && settings_->rules.mode == CallMode::kInOrder
               ? std::span(kOriginTexts)
               : std::span<const TextMetric>();
  }
  void AppendTexts(std::uint32_t record, std::size_t /*metric*/,
                   std::vector<std::string>& texts) const override {
    texts.insert(texts.end(), lcs_[record].begin(), lcs_[record].end());
  }

 private:
  void BeginBatch(std::uint32_t records) override {
    reader_.Begin();
    lcs_.assign(records, {});
  }
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;

  const OriginSettings* settings_;
  CallReader reader_;
  PairWalker walker_;
  CallList expected_;
  CallList actual_;
  std::vector<std::vector<std::string>> lcs_;  // by record
};

void OriginBatch::MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  const SelectedPart& part = selector_.parts().front();
  const Origin& origin = *settings_->origin;
  if (part.actual.kind() == ValueKind::kNull) {
    return SetUnscored(record, Outcome::kUnanswered, RejectReason::kMissingActual, "the actual value is null",
                       columns_);
  }
  expected_.Clear();
  if (!origin.reads_expected && settings_->rules.mode != CallMode::kCounts) {
    reader_.Read(part.expected, expected_);
    if (!expected_.readable()) return FailExpected(record, expected_.fault);
    if (expected_.is_prose) return FailExpected(record, "it is a text without calls");
  }
  reader_.Read(part.actual, actual_);
  if (!actual_.readable()) return SetUnreadable(record, "the actual value: " + actual_.fault, columns_);
  if (std::max(expected_.calls.size(), actual_.calls.size()) > kMaxToolCalls.max) {
    return SetRecordError(record, RejectReason::kWorkLimit, "a side has more than 4,096 tool calls",
                          columns_);
  }
  // Origins compare all pairs of calls without a limit, so the work is limited here.
  const bool has_calls = !expected_.calls.empty();
  const std::uint64_t expected_calls =
      has_calls ? expected_.calls.size() : std::min<std::uint64_t>(StepsOf(part.expected), kMaxToolCalls.max);
  const std::uint64_t expected_steps = has_calls ? StepsOf(expected_.calls) : StepsOf(part.expected);
  if (expected_steps * actual_.calls.size() + StepsOf(actual_.calls) * expected_calls > kMaxCallSteps.max) {
    return SetRecordError(record, RejectReason::kWorkLimit,
                          "comparing all pairs of calls takes too many steps; score a part of the run",
                          columns_);
  }
  OriginScore score = origin.score({&settings_->rules, &reader_, shapes_, &walker_, part.expected,
                                    part.actual, expected_.calls, actual_.calls});
  if (!score.expected_fault.empty()) return FailExpected(record, score.expected_fault);
  if (!score.actual_fault.empty()) {
    return SetUnreadable(record, "the actual value: " + score.actual_fault, columns_);
  }
  if (!origin.reads_expected && settings_->rules.mode != CallMode::kCounts) {
    metric(kExpectedCount, record) = static_cast<double>(expected_.calls.size());
  }
  metric(kActualCount, record) = static_cast<double>(actual_.calls.size());
  metric(kProseReply, record) = actual_.is_prose;
  columns_.score[record] = score.score;
  columns_.passed[record] = score.score >= settings_->rules.threshold;
  lcs_[record] = std::move(score.lcs);
}

static_assert(std::size(kOrigins) + 1 == std::size(kToolCallRevisions));

}  // namespace

std::unique_ptr<Scorer> MakeOriginScorer(const OptionReader& options, std::size_t revision) {
  const Origin& origin = *kOrigins[revision - 1];
  const std::string_view name = kToolCallRevisions[revision];
  for (const OptionSpec& option : kToolCallsOptions) {
    const auto is_in = [&](std::span<const std::string_view> names) {
      return std::ranges::find(names, option.name) != names.end();
    };
    if (options.Has(option.name) && !is_in(kCommonOptions) && !is_in(origin.options)) {
      throw options.MakeError(option.name, fmt::format("revision {} has no such option; leave it out", name));
    }
  }
  OriginSettings settings{PairSelectorOptions(options), CallRules(options), ReadCallReading(options),
                          &origin};
  if (settings.selection.builds_object()) {
    throw options.MakeError(kTargetOutputKeyOption.name, "give one path, to the messages, spans or calls");
  }
  settings.selection.ReadCalls();
  settings.reading.python = origin.python;
  if (!options.Has("mode")) settings.rules.mode = origin.modes.front();
  if (std::ranges::find(origin.modes, settings.rules.mode) == origin.modes.end()) {
    throw options.MakeError("mode", fmt::format("revision {} has no such mode", name));
  }
  return std::make_unique<ConfiguredScorer<OriginBatch, OriginSettings>>(std::move(settings));
}

}  // namespace leafscore::internal
