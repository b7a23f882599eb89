// engine/scorers/tool_calls/call_details.h: the result for each call of a record, for its details.
// THREADS: one at a time; each batch owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_DETAILS_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_DETAILS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scorers/details_writer.h"
#include "engine/scorers/tool_calls/argument_comparer.h"
#include "engine/scorers/tool_calls/call_pairing.h"
#include "engine/scorers/tool_calls/tool_call.h"

namespace leafscore::internal {

// The names are part of the output format.
enum class CallVerdict : std::uint8_t {
  kMatched,
  kPartial,
  kWrongArguments,
  kOutOfOrder,  // could be paired in any order, but not here
  kMissing,
  kExtra,
  kRepeated,  // equal to an actual call that is paired
};

// A call of the expected side, or a remaining call of the actual side.
struct JudgedCall {
  CallVerdict verdict;
  std::uint32_t position;  // on its side
  ToolCall expected = {};  // its name is empty for calls of the actual side
  ToolCall actual = {};    // the call that it was compared with, if any
  std::uint32_t actual_position = CallPairing::kNone;
  double credit = 0;
  std::vector<std::string> differing = {};  // paths of arguments

  bool is_expected() const { return verdict < CallVerdict::kExtra; }
  bool is_paired() const { return verdict <= CallVerdict::kPartial; }
};

// Appends the results for the calls of both sides after the last pairing: first each expected call, then each
// remaining actual call.
void JudgeCalls(const CallSide& expected, const CallSide& actual, CallPairing& pairing,
                ArgumentComparer& comparer, std::vector<JudgedCall>& calls);

// Returns a judged call as a leaf: calls[0].search, or extra_calls[2].fetch.
JudgedLeaf LeafOf(const JudgedCall& call, const ShapeTable& shapes);

// Writes a judged call as an element of a list.
void WriteCall(const JudgedCall& call, const ShapeTable& shapes, DetailsWriter& json);

// Writes the actual calls of a record, in their order, as elements of a list. Each element has the verdict on
// the call, and the expected call that it was paired or compared with. REQUIRES: all judged calls of one
// record.
void WriteMadeCalls(std::span<const JudgedCall> calls, DetailsWriter& json);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_DETAILS_H_
