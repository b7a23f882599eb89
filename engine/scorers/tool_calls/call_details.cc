#include "engine/scorers/tool_calls/call_details.h"

#include <algorithm>
#include <utility>

#include "engine/json/compact_text.h"
#include "engine/json/json_writer.h"
#include "engine/match/target_path.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kVerdictNames[] = {"matched", "partial", "wrong_arguments", "out_of_order",
                                              "missing", "extra",   "repeated"};

std::string JsonOf(const ToolCall& call, const ShapeTable& shapes) {
  std::string text;
  JsonWriter json(text);
  json.StartObject();
  json.Key<"name">().String(call.name);
  if (call.has_arguments()) {
    AppendStandardJson(*call.arguments.table, shapes, call.arguments.node,
                       json.Key<"arguments">().RawValue());
  }
  if (call.bad_arguments) json.Key<"bad_arguments">().Bool(true);
  json.EndObject();
  return text;
}

}  // namespace

void JudgeCalls(const CallSide& expected, const CallSide& actual, CallPairing& pairing,
                ArgumentComparer& comparer, std::vector<JudgedCall>& calls) {
  constexpr std::uint32_t kNone = CallPairing::kNone;
  const CallPairing::Indexes left_over = pairing.PairLeftOver();
  const auto partners = pairing.partners();
  std::vector<bool> taken(actual.calls.size(), false);
  for (const std::uint32_t a : partners) {
    if (a != kNone) taken[a] = true;
  }
  for (std::uint32_t e = 0; e < expected.calls.size(); ++e) {
    JudgedCall call{CallVerdict::kMissing, e, expected.calls[e]};
    std::uint32_t a = partners[e];
    if (a != kNone) {
      call.credit = pairing.credit(e);
      call.verdict = call.credit == 1 ? CallVerdict::kMatched : CallVerdict::kPartial;
    } else if (left_over[e] != kNone) {
      a = left_over[e];
      call.verdict = CallVerdict::kOutOfOrder;
    } else {
      for (std::uint32_t i = 0; i < actual.calls.size() && a == kNone; ++i) {
        if (!taken[i] && pairing.NamesMatch(e, i)) a = i;
      }
      if (a != kNone) call.verdict = CallVerdict::kWrongArguments;
    }
    if (a != kNone) {
      call.actual = actual.calls[a];
      call.actual_position = a;
      if (call.credit != 1) {
        comparer.ListDifferences(call.expected, call.actual, expected.rules[e], call.differing);
      }
    }
    calls.push_back(std::move(call));
  }
  for (std::uint32_t a = 0; a < actual.calls.size(); ++a) {
    if (taken[a]) continue;
    bool is_repeated = false;
    for (std::uint32_t i = 0; i < actual.calls.size() && !is_repeated; ++i) {
      is_repeated = taken[i] && comparer.EqualActual(actual.calls[i], actual.calls[a]);
    }
    JudgedCall call{is_repeated ? CallVerdict::kRepeated : CallVerdict::kExtra, a};
    call.actual = actual.calls[a];
    call.actual_position = a;
    calls.push_back(std::move(call));
  }
}

JudgedLeaf LeafOf(const JudgedCall& call, const ShapeTable& shapes) {
  JudgedLeaf leaf{call.is_expected() ? "calls" : "extra_calls", {}, {}, call.credit};
  AppendPositionStep(leaf.path, call.position);
  AppendKeyStep(leaf.path, call.is_expected() ? call.expected.name : call.actual.name);
  if (call.is_expected()) leaf.expected_json = JsonOf(call.expected, shapes);
  if (call.actual_position != CallPairing::kNone) leaf.actual_json = JsonOf(call.actual, shapes);
  return leaf;
}

void WriteCall(const JudgedCall& call, const ShapeTable& shapes, DetailsWriter& json) {
  const JudgedLeaf leaf = LeafOf(call, shapes);
  json.StartObject();
  json.Key<"path">().String(leaf.path);
  json.Key<"verdict">().String(kVerdictNames[static_cast<std::size_t>(call.verdict)]);
  if (!leaf.expected_json.empty()) json.Key<"expected">().Raw(leaf.expected_json);
  if (!leaf.actual_json.empty()) json.Key<"actual">().Raw(leaf.actual_json);
  if (call.actual_position != CallPairing::kNone) {
    json.Key<"actual_position">().Integer(call.actual_position);
  }
  json.Key<"similarity">().Number(leaf.similarity);
  if (!call.differing.empty()) {
    json.Key<"differing">();
    json.Array(call.differing, [&](const std::string& path) { json.String(path); });
  }
  json.EndObject();
}

void WriteMadeCalls(std::span<const JudgedCall> calls, DetailsWriter& json) {
  std::vector<const JudgedCall*> made;  // by position on the actual side
  for (const JudgedCall& call : calls) {
    if (call.actual_position == CallPairing::kNone) continue;
    made.resize(std::max<std::size_t>(made.size(), call.actual_position + 1));
    // `calls` has the expected calls first. If several entries are about one actual call, its paired expected
    // call is the one to show.
    const JudgedCall*& known = made[call.actual_position];
    if (known == nullptr || (call.is_expected() && call.is_paired())) known = &call;
  }
  for (const JudgedCall* const call : made) {
    if (call == nullptr) continue;
    std::string path = "made";
    AppendPositionStep(path, call->actual_position);
    AppendKeyStep(path, call->actual.name);
    json.StartObject();
    json.Key<"call">().String(path);
    json.Key<"verdict">().String(kVerdictNames[static_cast<std::size_t>(call->verdict)]);
    if (call->is_expected()) json.Key<"expected_position">().Integer(call->position);
    json.EndObject();
    if (!json.EndElement()) break;
  }
}

}  // namespace leafscore::internal
