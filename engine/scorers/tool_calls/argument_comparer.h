// engine/scorers/tool_calls/argument_comparer.h: compares the arguments of an expected call with the
// arguments of an actual call, leaf by leaf. The work for a record is bounded; beyond the limit, the comparer
// sets a fault and finds no matches.
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_ARGUMENT_COMPARER_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_ARGUMENT_COMPARER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/match/path_rules.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/scorer.h"
#include "engine/scorers/tool_calls/argument_judge.h"
#include "engine/scorers/tool_calls/call_rules.h"
#include "engine/scorers/tool_calls/expected_rule.h"
#include "engine/scorers/tool_calls/fuzzy_texts.h"
#include "engine/scorers/tool_calls/tool_call.h"

namespace leafscore::internal {

// How many leaves count, and how many of them match.
struct ArgumentShare {
  std::uint64_t matched = 0;
  std::uint64_t counted = 0;

  bool whole() const { return matched == counted; }
  double share() const {
    return counted == 0 ? 1 : static_cast<double>(matched) / static_cast<double>(counted);
  }
};

class ArgumentComparer {
 public:
  // REQUIRES: `rules` and `fuzzy` outlive this.
  ArgumentComparer(const CallRules* rules, WorkerTools tools, FuzzyTexts* fuzzy);

  void BeginBatch();
  // Begins a record whose two values have this many bytes.
  void BeginRecord(std::uint64_t bytes);

  // Compares two calls by the rules for the expected call's tool. ERRORS: Error(kInterrupted) if the run is
  // stopped during a long search.
  ArgumentShare Compare(const ToolCall& expected, const ToolCall& actual, const ToolRules& rules);
  // Appends the paths of the arguments that do not match, in order.
  void ListDifferences(const ToolCall& expected, const ToolCall& actual, const ToolRules& rules,
                       std::vector<std::string>& paths);

  // Return why the record has no score; kNone and an empty text if no reason was found.
  RejectReason reason() const { return work_.reason(); }
  const std::string& fault() const { return work_.fault(); }

  // Returns whether all arguments of two calls are equal. Both calls may come from the same side.
  bool Equal(const ToolCall& a, const ToolCall& b);
  // Does the same for two actual calls. A call without arguments equals a call with {}.
  bool EqualActual(const ToolCall& a, const ToolCall& b);

 private:
  using State = PathMatcher::State;
  // The states of the walk: in the patterns of `fields`, and in the patterns of `ignore_paths`.
  struct Place {
    State fields = PathMatcher::kStart;
    State ignored = PathMatcher::kStart;
  };

  // The comparison of two calls, or of a value with rules in it.
  struct Comparison {
    ArgsMode mode = ArgsMode::kExact;
    PathMatcher* fields = nullptr;
    PathMatcher* ignored = nullptr;
    const PathSet* field_set = nullptr;
    const std::vector<std::vector<ValueRef>>* field_values = nullptr;
    ValueRef defaults_of_tool = {};
    ArgumentShare share = {};
    bool stops = false;  // whether a single miss decides the result
    std::vector<std::string>* differences = nullptr;
  };

  void CompareCalls(const ToolCall& expected, const ToolCall& actual, const ToolRules& rules);
  void Walk(ValueRef expected, ValueRef actual, Place place, std::size_t depth);
  void WalkObjects(ValueRef expected, ValueRef actual, Place place, std::size_t depth);
  void WalkArrays(ValueRef expected, ValueRef actual, Place place, std::size_t depth);
  void WalkMember(ValueRef expected, ValueRef actual, Place place, std::size_t depth, std::string_view key);
  // Judges a value that only one side has, or two values without children to compare.
  void JudgeLeaf(ValueRef expected, ValueRef actual);
  bool JudgeByRule(const ExpectedRule& rule, ValueRef actual);
  bool MatchesValue(ValueRef expected, ValueRef actual);
  const ArgumentField* FieldAt(Place place) const;
  bool IgnoresAt(Place place) const;
  Place Next(Place place, ValueRef container, std::uint32_t member) const;
  void Miss(std::uint64_t leaves);
  void Hit(std::uint64_t leaves);
  // Returns whether the walk may end, because a single miss decides the result.
  bool done() const { return work_.has_failed() || (now_.stops && !now_.share.whole()); }

  const CallRules* rules_;
  ShapeTable* shapes_;
  ParsedTexts texts_;
  PairWalker walker_;
  CallWork work_;
  ArgumentJudge judge_;
  std::vector<std::unique_ptr<PathMatcher>> matchers_;      // by PathSet
  std::vector<std::vector<std::vector<ValueRef>>> values_;  // by PathSet and field, for any_of
  std::vector<ValueRef> defaults_;
  std::vector<std::vector<PathFollower>> expected_followers_;  // by ArgsRule and path
  std::vector<std::vector<PathFollower>> actual_followers_;
  std::vector<NodeId> children_;
  Comparison now_;
  std::string path_;  // of the current place, if differences are listed
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_ARGUMENT_COMPARER_H_
