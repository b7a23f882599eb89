// engine/match/path_rules.h: path patterns that select the places of a value to ignore or to weigh more
// (`ignore_paths`, `weights`).
//
// A pattern is a path with the syntax of target_output_key, a.b[0].c, in which * stands for any key, [*] for
// any position in an array, and ** for any number of keys and positions, including zero. It matches the value
// at the end of its path and everything below. The weight of the deepest matched place applies; if several
// patterns match one place, the last pattern wins. All patterns run as one automaton whose states are made on
// first use, so that a step along a path costs one table look-up.
#ifndef LEAFSCORE_ENGINE_MATCH_PATH_RULES_H_
#define LEAFSCORE_ENGINE_MATCH_PATH_RULES_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/config/options.h"
#include "engine/json/shape_table.h"

namespace leafscore::internal {

inline constexpr OptionSpec kIgnorePathsOption{
    "ignore_paths", "text or list of texts", "none",
    "paths to ignore, as patterns: a.b[0], * any key, [*] any position, ** any depth"};
inline constexpr OptionSpec kWeightsOption{
    "weights", "map from path pattern to number", "none",
    "weight of the leaves at and below a path; the deepest match applies, then the last one written"};

// Keeps a sum of weights finite.
inline constexpr double kMaxWeight = 1e12;

// Immutable once made.
class PathRules {
 public:
  // A pattern as written, and the option that contains it.
  struct Pattern {
    std::string text;
    std::string_view option;
  };

  // One step along a path: a key or position that appears in some pattern, or any other key or position.
  using Symbol = std::uint32_t;
  static constexpr Symbol kOtherKey = 0;
  static constexpr Symbol kOtherPosition = 1;

  PathRules() = default;
  // Reads both options.
  explicit PathRules(const OptionReader& options);
  // Reads kIgnorePathsOption alone.
  static PathRules OnlyIgnored(const OptionReader& options);

  // Adds a pattern of `option`. Places that the pattern matches get the mark `number`; places below them do
  // not. ERRORS: Error(kUsage) if the text is not a pattern.
  void AddMark(const OptionReader& options, std::string_view option, const std::string& pattern,
               std::uint32_t number);

  bool empty() const { return steps_.empty(); }
  // Returns the first pattern that names a position in an array; null if no pattern does.
  const Pattern* WithPosition() const;
  const std::vector<Pattern>& patterns() const { return patterns_; }
  Symbol KeySymbol(std::string_view key) const;
  Symbol PositionSymbol(std::uint32_t position) const;

 private:
  friend class PathMatcher;

  struct Step {
    enum class Kind { kSymbol, kAnyKey, kAnyPosition, kAnyDepth, kIgnore, kWeigh, kMark } kind;
    Symbol symbol = 0;  // or the number of a mark
    double weight = 1;
  };

  bool AddPattern(std::string_view text);
  void Add(const OptionReader& options, std::string_view option, const std::string& text, Step end);
  void AddIgnored(const OptionReader& options);

  std::vector<Pattern> patterns_;
  std::vector<Step> steps_;  // all patterns one after another; each ends with kIgnore, kWeigh or kMark
  std::vector<std::uint32_t> starts_;         // where each pattern starts in steps_
  std::vector<bool> is_key_ = {true, false};  // indexed by symbol
  std::map<std::string, Symbol, std::less<>> key_symbols_;
  std::map<std::uint32_t, Symbol> position_symbols_;
};

// Follows paths in one worker. THREADS: one at a time.
class PathMatcher {
 public:
  using State = std::uint32_t;
  static constexpr State kStart = 0;  // the root

  // How the patterns affect a place.
  struct Effect {
    bool ignored = false;
    bool has_weight = false;
    double weight = 1;
    bool final = false;                     // no pattern matches anything below it
    std::vector<std::uint32_t> marks = {};  // in the order in which their patterns were added
  };

  PathMatcher(const PathRules* rules, const ShapeTable* shapes)
      : rules_(rules), shapes_(shapes), led_somewhere_(rules->patterns().size()) {
    Begin();
  }

  // Drops the known shapes, and all states if there are many. REQUIRES: called for each batch.
  void Begin();

  State Next(State state, PathRules::Symbol symbol) {
    const State next = states_[state].next[symbol];
    return next == kUnknown ? MakeNext(state, symbol) : next;
  }
  const Effect& effect(State state) const { return states_[state].effect; }

  // Returns the symbol of each member of a shape. COST: linear in the keys, once per shape and batch.
  const PathRules::Symbol* MemberSymbols(ShapeId shape);
  const PathRules& rules() const { return *rules_; }

  // Returns, for each pattern, whether a batch so far had a place that the pattern matches. Nothing inside an
  // ignored place is looked at, so all patterns that could match there count as matched.
  const std::vector<bool>& led_somewhere() const { return led_somewhere_; }

 private:
  static constexpr State kUnknown = 0xffffffffu;
  struct StateRow {
    std::vector<std::uint32_t> steps;  // pattern steps that the path's next step may match, in order
    std::vector<State> next;           // indexed by symbol
    Effect effect;
  };

  std::size_t PatternOf(std::uint32_t step) const;
  State MakeNext(State state, PathRules::Symbol symbol);
  State Intern(std::vector<std::uint32_t> steps);

  const PathRules* rules_;
  const ShapeTable* shapes_;
  std::vector<bool> led_somewhere_;
  std::vector<StateRow> states_;
  std::map<std::vector<std::uint32_t>, State> state_of_steps_;
  std::unordered_map<ShapeId, std::vector<PathRules::Symbol>> member_symbols_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_PATH_RULES_H_
