// engine/scorers/tool_calls/call_pairing.h: pairs the expected calls with the actual calls: by position, in
// order, or in any order. The total credit of the pairs is as great as possible. THREADS: one at a time; each
// worker owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_PAIRING_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_PAIRING_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/match/assignment.h"
#include "engine/scorers/tool_calls/argument_comparer.h"
#include "engine/scorers/tool_calls/call_rules.h"
#include "engine/scorers/tool_calls/tool_call.h"

namespace leafscore::internal {

// The calls that count on one side, and the rules for each call.
struct CallSide {
  std::vector<ToolCall> calls;
  std::vector<ToolRules> rules;

  double weight(std::size_t call) const { return rules[call].weight; }
  void Clear() {
    calls.clear();
    rules.clear();
  }
};

class CallPairing {
 public:
  static constexpr std::uint32_t kNone = kUnassigned;
  using Indexes = std::vector<std::uint32_t>;

  // REQUIRES: `rules`, `shapes` and `comparer` outlive this.
  CallPairing(const CallRules* rules, const ShapeTable* shapes, ArgumentComparer* comparer)
      : rules_(rules), shapes_(shapes), comparer_(comparer) {}

  // Pairs the calls of two sides. The result is undefined if the comparer has found that the record has no
  // score. REQUIRES: the mode is not kCounts; the sides outlive the use of the result.
  void Pair(const CallSide& expected, const CallSide& actual, CallMode mode);

  // Return, for each expected call, the actual call that it is paired with, or kNone, and the credit of the
  // pair.
  std::span<const std::uint32_t> partners() const { return partner_; }
  double credit(std::size_t expected) const { return credit_[expected]; }
  // Returns whether another pairing might have more credit, because there were too many calls of one name to
  // find the best pairing.
  bool greedy() const { return greedy_; }

  // Pairs the remaining calls of both sides in any order. RETURNS: for each expected call, the actual call
  // that it is paired with, or kNone.
  Indexes PairLeftOver();

  // Tells whether two calls may be paired by their names.
  bool NamesMatch(std::size_t expected, std::size_t actual);

  // Calls use(expected, actual) for each pair of calls that may be paired.
  template <class Use>
  void ForEachCandidate(const CallSide& expected, const CallSide& actual, Use use) {
    Begin(expected, actual);
    for (std::size_t e = 0; e < expected.calls.size(); ++e) {
      for (std::size_t a = 0; a < actual.calls.size(); ++a) {
        if (NamesMatch(e, a)) use(e, a);
      }
    }
  }

 private:
  void Begin(const CallSide& expected, const CallSide& actual);
  void NumberNames();
  double Credit(std::size_t expected, std::size_t actual);
  void Take(std::uint32_t expected, std::uint32_t actual, double credit) {
    partner_[expected] = actual;
    credit_[expected] = credit;
  }
  void PairByPosition();
  void PairInOrder();
  void OrderSteps(Indexes& order);
  // Pairs some calls of both sides in any order.
  void PairBest(Indexes expected, Indexes actual);
  void PairGroup(Indexes& expected, Indexes& actual);
  void TakeEqualOnes(Indexes& expected, Indexes& actual);
  void Assign(const Indexes& expected, const Indexes& actual);
  void AssignFirstFit(const Indexes& expected, const Indexes& actual);
  bool stopped() const { return comparer_->reason() != RejectReason::kNone; }

  const CallRules* rules_;
  const ShapeTable* shapes_;
  ArgumentComparer* comparer_;
  const CallSide* expected_ = nullptr;
  const CallSide* actual_ = nullptr;
  Indexes partner_;
  std::vector<double> credit_;
  bool greedy_ = false;

  std::vector<std::string_view> names_;  // of both sides, without repetition
  TextMap<std::string_view, std::uint32_t> number_of_name_;
  Indexes expected_names_;
  Indexes actual_names_;
  std::vector<signed char> names_match_;  // by two names; -1: unknown yet
  std::vector<double> weights_;
  AssignmentWorkspace workspace_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_PAIRING_H_
