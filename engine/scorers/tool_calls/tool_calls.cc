// Compares the tool calls of an agent's answer with the expected ones: which tools, with which arguments, in
// which order.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/hash.h"
#include "engine/base/limits.h"
#include "engine/match/deep_equal.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/tool_calls/argument_comparer.h"
#include "engine/scorers/tool_calls/call_batch.h"
#include "engine/scorers/tool_calls/call_counts.h"
#include "engine/scorers/tool_calls/call_details.h"
#include "engine/scorers/tool_calls/call_options.h"
#include "engine/scorers/tool_calls/call_pairing.h"
#include "engine/scorers/tool_calls/call_reader.h"
#include "engine/scorers/tool_calls/call_rules.h"
#include "engine/scorers/tool_calls/expected_rule.h"
#include "engine/scorers/tool_calls/origins.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kToolCallsMetricNames[] = {"expected_calls", "actual_calls", "matched_calls",
                                                      "precision",      "recall",       "prose"};
constexpr TextMetric kToolCallsTextMetrics[] = {{"pairing", /*is_list=*/false}};

// A sum whose last bit does not depend on the order of its summands.
class SumInAnyOrder {
 public:
  void Add(double summand) { ++counts_[summand]; }
  double Total() const {
    double total = 0;
    for (const auto& [summand, count] : counts_) total += static_cast<double>(count) * summand;
    return total;
  }

 private:
  std::map<double, std::size_t> counts_;
};

struct ToolCallsSettings {
  PairSelectorOptions selection;
  CallRules rules;
  CallReading reading;
};

class ToolCallsBatch final : public CallBatch {
 public:
  enum MetricIndex : std::size_t { kExpectedCalls, kActualCalls, kMatchedCalls, kPrecision, kRecall, kProse };

  ToolCallsBatch(const ToolCallsSettings* settings, WorkerTools tools)
      : CallBatch(&settings->selection, tools, kToolCallsMetricNames, kProse),
        rules_(&settings->rules),
        details_(tools.details),
        reader_(&settings->reading, tools),
        comparer_(&settings->rules, tools, &fuzzy_),
        pairing_(&settings->rules, tools.shapes, &comparer_) {}

  void Reduce(const StringPairs& pairs) override;
  std::span<const TextMetric> text_metrics() const override { return kToolCallsTextMetrics; }
  void AppendTexts(std::uint32_t record, std::size_t metric, std::vector<std::string>& texts) const override;
  bool counts_cells() const override { return rules_->mode != CallMode::kCounts; }
  void AppendCellCounts(std::uint32_t record, std::vector<NamedCellCounts>& counts) const override;
  void AppendLeaves(std::uint32_t record, LeafList& leaves) const override;
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const override;

 private:
  // The data for the details of a record.
  struct Entry {
    std::size_t calls_begin = 0, calls_end = 0;
    std::size_t counts_begin = 0, counts_end = 0;
    std::size_t tools_begin = 0, tools_end = 0;
    bool greedy = false;
    bool details_cut = false;
  };
  // A record whose calls wait for similarities of texts.
  struct Waiting {
    std::uint32_t record = 0;
    std::uint64_t bytes = 0;
    CallSide expected = {};
    CallSide actual = {};
  };

  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void MissRecord(std::uint32_t record, StringPairs& pairs) override;
  std::string ReadExpected(ValueRef expected);
  bool ReadActual(std::uint32_t record, ValueRef actual);
  void CountRecord(std::uint32_t record, ValueRef expected);
  void TakeSide(const CallList& list, bool is_actual, CallSide& side);
  void JudgeRecord(std::uint32_t record, std::uint64_t bytes, const CallSide& expected,
                   const CallSide& actual);
  void Keep(std::uint32_t record, const CallSide& expected, const CallSide& actual);
  void KeepTools(std::uint32_t record, const CallSide& expected, const CallSide& actual,
                 const std::vector<bool>& whole);
  void KeepDetails(std::uint32_t record, std::uint64_t bytes, const CallSide& expected,
                   const CallSide& actual);

  const CallRules* rules_;
  DetailLevel details_;
  CallReader reader_;
  FuzzyTexts fuzzy_;
  ArgumentComparer comparer_;
  CallPairing pairing_;
  CallList expected_list_;
  CallList actual_list_;
  CallSide expected_;
  CallSide actual_;
  std::vector<Waiting> waiting_;
  std::vector<Entry> entries_;  // by record
  std::vector<JudgedCall> calls_;
  std::vector<CountEntry> counts_;
  std::vector<CountEntry> counts_of_record_;
  std::vector<NamedCellCounts> tools_;
};

void ToolCallsBatch::BeginBatch(std::uint32_t records) {
  reader_.Begin();
  fuzzy_.BeginBatch();
  comparer_.BeginBatch();
  waiting_.clear();
  entries_.assign(records, {});
  calls_.clear();
  counts_.clear();
  tools_.clear();
}

// Reads the calls of the expected value. RETURNS: what is wrong with them, or "".
std::string ToolCallsBatch::ReadExpected(ValueRef expected) {
  if (expected.kind() == ValueKind::kNull) return "it is null; write [] where no calls are expected";
  reader_.Read(expected, expected_list_);
  std::string fault = expected_list_.fault;
  if (fault.empty() && expected_list_.is_prose) {
    fault = "it is a text without calls; write [] where no calls are expected";
  }
  for (const ToolCall& call : expected_list_.calls) {
    if (!fault.empty()) break;
    if (call.bad_arguments) {
      fault = "the arguments of a call of " + std::string(call.name) + " are not an object with names";
    } else if (rules_->expected_rules && call.has_arguments()) {
      fault = FaultOfExpectedRules(call.arguments, *shapes_);
    }
  }
  return fault;
}

bool ToolCallsBatch::ReadActual(std::uint32_t record, ValueRef actual) {
  if (actual.kind() == ValueKind::kNull) {
    SetUnscored(record, Outcome::kUnanswered, RejectReason::kMissingActual, "the actual value is null",
                columns_);
    return false;
  }
  reader_.Read(actual, actual_list_);
  if (actual_list_.readable()) return true;
  SetUnreadable(record, "the actual value: " + actual_list_.fault, columns_);
  return false;
}

// Takes the calls that count from the list of one side: those that are not ignored and, with duplicates_once,
// no repeated ones. A repeated actual call may have {} where the other call has no arguments; for expected
// calls this is a difference, because a call without arguments accepts any.
void ToolCallsBatch::TakeSide(const CallList& list, bool is_actual, CallSide& side) {
  side.Clear();
  std::multimap<std::uint64_t, std::size_t> seen;  // by hash
  for (const ToolCall& call : list.calls) {
    if (rules_->Ignores(call.name)) continue;
    const ToolRules rules = rules_->Of(call.name);
    if (rules_->duplicates_once) {
      const bool compares = rules_->args[rules.args].mode != ArgsMode::kIgnore;
      const bool hashes = compares && (is_actual ? call.has_some_arguments() : call.has_arguments());
      const std::uint64_t hash =
          HashBytes(call.name, hashes ? DeepHash(call.arguments, *shapes_) : HashSeed());
      const auto [begin, end] = seen.equal_range(hash);
      const bool is_repeated = std::any_of(begin, end, [&](const auto& entry) {
        const ToolCall& other = side.calls[entry.second];
        if (!compares) return other.name == call.name;
        return is_actual ? comparer_.EqualActual(other, call) : comparer_.Equal(other, call);
      });
      if (is_repeated) continue;
      seen.emplace(hash, side.calls.size());
    }
    side.calls.push_back(call);
    side.rules.push_back(rules);
  }
}

void ToolCallsBatch::MatchRecord(std::uint32_t record, StringPairs& pairs) {
  const SelectedPart& part = selector_.parts().front();
  if (rules_->mode == CallMode::kCounts) return CountRecord(record, part.expected);
  if (const std::string fault = ReadExpected(part.expected); !fault.empty()) {
    return FailExpected(record, fault);
  }
  if (!ReadActual(record, part.actual)) return MissRecord(record, pairs);
  for (const CallList* const list : {&expected_list_, &actual_list_}) {
    if (list->calls.size() <= kMaxToolCalls.max) continue;
    return SetRecordError(record, RejectReason::kWorkLimit,
                          "a side has more than 4,096 tool calls, too many to pair; ignore_tools does not "
                          "help, as it leaves calls out after reading, so score a part of the run",
                          columns_);
  }
  metric(kProse, record) = actual_list_.is_prose;
  const std::uint64_t bytes = part.expected.table->token(part.expected.node).size() +
                              part.actual.table->token(part.actual.node).size();
  comparer_.BeginRecord(bytes);
  if (!rules_->has_fuzzy) {
    TakeSide(expected_list_, /*is_actual=*/false, expected_);
    TakeSide(actual_list_, /*is_actual=*/true, actual_);
    return JudgeRecord(record, bytes, expected_, actual_);
  }
  Waiting& waiting = waiting_.emplace_back();
  waiting.record = record;
  waiting.bytes = bytes;
  TakeSide(expected_list_, /*is_actual=*/false, waiting.expected);
  TakeSide(actual_list_, /*is_actual=*/true, waiting.actual);
  fuzzy_.Collect(record, &pairs);
  pairing_.ForEachCandidate(waiting.expected, waiting.actual, [&](std::size_t e, std::size_t a) {
    std::vector<std::string> ignored;
    comparer_.ListDifferences(waiting.expected.calls[e], waiting.actual.calls[a], waiting.expected.rules[e],
                              ignored);
  });
}

// Counts the expected calls of a record without a readable answer as missing.
void ToolCallsBatch::MissRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  if (rules_->mode == CallMode::kCounts || selector_.parts().empty()) return;
  const ValueRef expected = selector_.parts().front().expected;
  if (!expected.present() || !ReadExpected(expected).empty()) return;
  comparer_.BeginRecord(expected.table->token(expected.node).size());
  TakeSide(expected_list_, /*is_actual=*/false, expected_);
  actual_.Clear();
  pairing_.Pair(expected_, actual_, rules_->mode);
  KeepTools(record, expected_, actual_, {});
}

void ToolCallsBatch::Reduce(const StringPairs& pairs) {
  if (waiting_.empty()) return;
  fuzzy_.Compute();
  calls_.clear();
  for (const Waiting& waiting : waiting_) {
    if (!scored(waiting.record)) continue;
    fuzzy_.Look(waiting.record, &pairs);
    comparer_.BeginRecord(waiting.bytes);
    JudgeRecord(waiting.record, waiting.bytes, waiting.expected, waiting.actual);
  }
}

void ToolCallsBatch::JudgeRecord(std::uint32_t record, std::uint64_t bytes, const CallSide& expected,
                                 const CallSide& actual) {
  pairing_.Pair(expected, actual, rules_->mode);
  if (comparer_.reason() != RejectReason::kNone) {
    return SetRecordError(record, comparer_.reason(), comparer_.fault(), columns_);
  }
  Keep(record, expected, actual);
  if (details_ == DetailLevel::kLeaves) KeepDetails(record, bytes, expected, actual);
}

// Stores the result of each call. This work has its own budget, so that the outcome does not depend on the
// level of details.
void ToolCallsBatch::KeepDetails(std::uint32_t record, std::uint64_t bytes, const CallSide& expected,
                                 const CallSide& actual) {
  Entry& entry = entries_[record];
  entry.calls_begin = calls_.size();
  comparer_.BeginRecord(bytes);
  JudgeCalls(expected, actual, pairing_, comparer_, calls_);
  entry.details_cut = comparer_.reason() != RejectReason::kNone;
  if (entry.details_cut) calls_.resize(entry.calls_begin);
  entry.calls_end = calls_.size();
}

// Computes the metrics and the score of the record whose calls were paired.
void ToolCallsBatch::Keep(std::uint32_t record, const CallSide& expected, const CallSide& actual) {
  SumInAnyOrder expected_weights;
  SumInAnyOrder actual_weights;
  SumInAnyOrder pairs;
  bool all_expected = true;
  bool all_actual = true;
  std::vector<bool> whole(actual.calls.size(), false);
  const auto partners = pairing_.partners();
  for (std::size_t e = 0; e < expected.calls.size(); ++e) {
    const double weight = expected.weight(e);
    expected_weights.Add(weight);
    const std::uint32_t a = partners[e];
    const bool is_whole = a != CallPairing::kNone && pairing_.credit(e) == 1;
    if (a != CallPairing::kNone) pairs.Add(pairing_.credit(e) * std::min(weight, actual.weight(a)));
    if (is_whole) whole[a] = true;
    all_expected &= is_whole || weight == 0;
  }
  for (std::size_t a = 0; a < actual.calls.size(); ++a) {
    actual_weights.Add(actual.weight(a));
    all_actual &= whole[a] || actual.weight(a) == 0;
  }
  KeepTools(record, expected, actual, whole);
  const double e_sum = expected_weights.Total();
  const double a_sum = actual_weights.Total();
  const double matched = pairs.Total();
  const bool extra_free = rules_->mode == CallMode::kSuperset || rules_->extra_calls_free;
  const bool missing_free = rules_->mode == CallMode::kSubset;
  const bool all = (all_expected || missing_free) && (all_actual || extra_free);
  const double divisor = extra_free ? e_sum : missing_free ? a_sum : e_sum + a_sum;
  double score = all ? 1 : 0;
  if (!all && !rules_->all_or_nothing && divisor > 0) {
    score = std::min(1.0, (extra_free || missing_free ? matched : 2 * matched) / divisor);
  }
  const auto share = [&](double sum, double other) {
    return sum > 0 ? std::min(1.0, matched / sum) : other > 0 ? 0.0 : 1.0;
  };
  metric(kExpectedCalls, record) = static_cast<double>(expected.calls.size());
  metric(kActualCalls, record) = static_cast<double>(actual.calls.size());
  metric(kMatchedCalls, record) = matched;
  metric(kPrecision, record) = share(a_sum, e_sum);
  metric(kRecall, record) = share(e_sum, a_sum);
  columns_.score[record] = score;
  columns_.passed[record] = score >= rules_->threshold;
  if (extra_free && e_sum == 0) CompareNothing(record);
  entries_[record].greedy = pairing_.greedy();
}

// Stores how many calls of each tool match fully, whatever their weight. An expected call counts for the
// expected name, which may be a pattern.
void ToolCallsBatch::KeepTools(std::uint32_t record, const CallSide& expected, const CallSide& actual,
                               const std::vector<bool>& whole) {
  std::map<std::string_view, CellCounts> counts;
  for (std::size_t e = 0; e < expected.calls.size(); ++e) {
    CellCounts& tool = counts[expected.calls[e].name];
    const std::uint32_t a = pairing_.partners()[e];
    ++(a != CallPairing::kNone && whole[a] ? tool.right : tool.missing);
  }
  for (std::size_t a = 0; a < actual.calls.size(); ++a) {
    if (!whole[a]) ++counts[actual.calls[a].name].extra;
  }
  entries_[record].tools_begin = tools_.size();
  for (const auto& [name, tool] : counts) tools_.push_back({name, tool});
  entries_[record].tools_end = tools_.size();
}

// Scores how often each tool was called.
void ToolCallsBatch::CountRecord(std::uint32_t record, ValueRef expected) {
  ValueRef actual = selector_.parts().front().actual;
  if (expected.kind() == ValueKind::kNull) {
    return FailExpected(record, "it is null; write {} where no counts are expected");
  }
  if (IsAnyText(expected)) {
    if (const ValueRef read = reader_.ReadJson(reader_.TextOf(expected)); read.present()) expected = read;
  }
  if (!IsObject(expected)) {
    return FailExpected(record, "give a map from tools to counts, such as {\"search\": 2, \"pay\": \"<=1\"}");
  }
  actual_list_.Clear();
  if (!ReadActual(record, actual)) return;
  const std::string fault = CountCalls(expected, actual_list_.calls, *rules_, reader_, counts_of_record_);
  if (!fault.empty()) return FailExpected(record, fault);
  SumInAnyOrder weights;
  SumInAnyOrder weights_held;
  bool all = true;
  for (const CountEntry& entry : counts_of_record_) {
    weights.Add(entry.weight);
    if (entry.holds) weights_held.Add(entry.weight);
    all &= entry.holds || entry.weight == 0;
  }
  const double sum = weights.Total();
  const double held = weights_held.Total();
  const double score = all ? 1 : rules_->all_or_nothing || sum == 0 ? 0 : held / sum;
  metric(kActualCalls, record) = static_cast<double>(actual_list_.calls.size());
  metric(kProse, record) = actual_list_.is_prose;
  columns_.score[record] = score;
  columns_.passed[record] = score >= rules_->threshold;
  if (sum == 0) CompareNothing(record);
  if (details_ != DetailLevel::kLeaves) return;
  entries_[record].counts_begin = counts_.size();
  counts_.insert(counts_.end(), counts_of_record_.begin(), counts_of_record_.end());
  entries_[record].counts_end = counts_.size();
}

void ToolCallsBatch::AppendTexts(std::uint32_t record, std::size_t /*metric*/,
                                 std::vector<std::string>& texts) const {
  texts.emplace_back(entries_[record].greedy ? "greedy" : "exact");
}

void ToolCallsBatch::AppendCellCounts(std::uint32_t record, std::vector<NamedCellCounts>& counts) const {
  const Entry& entry = entries_[record];
  counts.insert(counts.end(), tools_.begin() + static_cast<std::ptrdiff_t>(entry.tools_begin),
                tools_.begin() + static_cast<std::ptrdiff_t>(entry.tools_end));
}

void ToolCallsBatch::AppendLeaves(std::uint32_t record, LeafList& leaves) const {
  const Entry& entry = entries_[record];
  if (entry.details_cut) leaves.SetCut();
  for (std::size_t i = entry.calls_begin; i < entry.calls_end; ++i) {
    if (!leaves.Add(LeafOf(calls_[i], *shapes_))) return;
  }
  for (std::size_t i = entry.counts_begin; i < entry.counts_end; ++i) {
    const CountEntry& count = counts_[i];
    JudgedLeaf leaf = MakeJudgedLeaf(count.name, count.asked, {}, count.holds ? 1 : 0, *shapes_);
    leaf.actual_json = std::to_string(count.count);
    if (!leaves.Add(std::move(leaf))) return;
  }
}

void ToolCallsBatch::WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const {
  ScorerBatch::WriteDetails(record, level, json);
  if (level != DetailLevel::kLeaves) return;
  const Entry& entry = entries_[record];
  if (entry.details_cut) json.SetCut();
  json.Key<"leaves">();
  json.StartList();
  for (std::size_t i = entry.calls_begin; i < entry.calls_end; ++i) {
    WriteCall(calls_[i], *shapes_, json);
    if (!json.EndElement()) break;
  }
  for (std::size_t i = entry.counts_begin; i < entry.counts_end; ++i) {
    const CountEntry& count = counts_[i];
    const JudgedLeaf leaf = MakeJudgedLeaf(count.name, count.asked, {}, count.holds ? 1 : 0, *shapes_);
    json.StartObject();
    json.Key<"path">().String(leaf.path);
    json.Key<"verdict">().String(count.holds ? "matched" : "wrong_count");
    json.Key<"expected">().Raw(leaf.expected_json);
    json.Key<"actual">().Integer(count.count);
    json.Key<"similarity">().Number(leaf.similarity);
    json.EndObject();
    if (!json.EndElement()) break;
  }
  json.EndArray();
  if (entry.calls_begin == entry.calls_end) return;
  json.Key<"made">();
  json.StartList();
  WriteMadeCalls(std::span(calls_).subspan(entry.calls_begin, entry.calls_end - entry.calls_begin), json);
  json.EndArray();
}

std::unique_ptr<Scorer> MakeToolCalls(const OptionReader& options) {
  const std::size_t revision = options.GetChoice(kRevisionOption.name, 0, kToolCallRevisions);
  if (revision != 0) return MakeOriginScorer(options, revision);
  PairSelectorOptions selection(options);
  if (selection.builds_object()) {
    throw options.MakeError(kTargetOutputKeyOption.name, "give one path, to the messages, spans or calls");
  }
  selection.ReadCalls();
  return std::make_unique<ConfiguredScorer<ToolCallsBatch, ToolCallsSettings>>(
      ToolCallsSettings{std::move(selection), CallRules(options), ReadCallReading(options)});
}

}  // namespace

constinit const ScorerType kToolCallsScorer = {
    "tool_calls",
    "whether the right tools were called, with the right arguments, in the right order",
    kToolCallsOptions,
    MakeToolCalls,
    {"For agents: which tools were called, with which arguments and in which order. The score is F1 over the "
     "calls, paired so that most of them match.",
     "tool_calls",
     R"([{"name": "search", "arguments": {"q": "Oslo"}}, {"name": "open", "arguments": {"id": 7}}])",
     R"([{"name": "search", "arguments": {"q": "Oslo"}}])", "", 2.0 / 3},
    kToolCallRevisions};

}  // namespace leafscore::internal
