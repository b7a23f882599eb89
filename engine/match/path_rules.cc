#include "engine/match/path_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/match/target_path.h"

namespace leafscore::internal {

PathRules::PathRules(const OptionReader& options) {
  AddIgnored(options);
  if (const std::optional<ConfigValue> weights = options.GetAny(kWeightsOption.name)) {
    std::vector<OptionSpec> specs;
    for (const ConfigMember& member : weights->members) {
      specs.push_back({member.key, "number", "1", ""});
    }
    const OptionReader numbers = options.Nested(*weights, specs, kWeightsOption.name);
    for (const ConfigMember& member : weights->members) {
      const double weight = numbers.GetNumber(member.key, 1, 0, kMaxWeight);
      Add(options, kWeightsOption.name, member.key, {Step::Kind::kWeigh, 0, weight});
    }
    options.Note(kWeightsOption.name, numbers.read());
  }
}

PathRules PathRules::OnlyIgnored(const OptionReader& options) {
  PathRules rules;
  rules.AddIgnored(options);
  return rules;
}

void PathRules::AddIgnored(const OptionReader& options) {
  for (const std::string& text : options.GetTextList(kIgnorePathsOption.name)) {
    Add(options, kIgnorePathsOption.name, text, {Step::Kind::kIgnore, 0, 1});
  }
}

const PathRules::Pattern* PathRules::WithPosition() const {
  for (std::size_t p = 0; p < patterns_.size(); ++p) {
    const std::size_t end = p + 1 < starts_.size() ? starts_[p + 1] : steps_.size();
    for (std::size_t i = starts_[p]; i < end; ++i) {
      if (steps_[i].kind == Step::Kind::kSymbol && !is_key_[steps_[i].symbol]) return &patterns_[p];
    }
  }
  return nullptr;
}

void PathRules::AddMark(const OptionReader& options, std::string_view option, const std::string& pattern,
                        std::uint32_t number) {
  Add(options, option, pattern, {Step::Kind::kMark, number, 1});
}

void PathRules::Add(const OptionReader& options, std::string_view option, const std::string& text, Step end) {
  if (text.starts_with('/')) {
    throw options.MakeError(option, fmt::format("\"{}\" is a JSON Pointer; write it as {}, or a key with a "
                                                "slash in front as [\"/key\"]",
                                                text, PathOfPointer(text)));
  }
  if (!AddPattern(text)) {
    throw options.MakeError(option, "\"" + text +
                                        "\" is not a path pattern; write it like a.b[0].c, with * for "
                                        "any key, [*] for any position and ** for any depth");
  }
  steps_.push_back(end);
  patterns_.push_back({text, option});
}

// Adds the steps of a pattern. RETURNS: false if the pattern is malformed.
bool PathRules::AddPattern(std::string_view rest) {
  if (rest.empty()) return false;
  starts_.push_back(static_cast<std::uint32_t>(steps_.size()));
  const auto symbol_of = [&](auto& symbols, auto key, bool is_key) {
    const auto [entry, is_new] = symbols.try_emplace(std::move(key), static_cast<Symbol>(is_key_.size()));
    if (is_new) is_key_.push_back(is_key);
    return entry->second;
  };
  while (!rest.empty()) {
    const std::string_view step = TakePathStep(rest);
    if (step.empty()) return false;
    if (std::optional<std::string> key = KeyOfQuotedStep(step)) {
      steps_.push_back({Step::Kind::kSymbol, symbol_of(key_symbols_, *std::move(key), true)});
    } else if (step == "[*]") {
      steps_.push_back({Step::Kind::kAnyPosition});
    } else if (step[0] == '[') {
      const std::optional<std::uint32_t> position = PositionOfStep(step);
      if (!position) return false;
      steps_.push_back({Step::Kind::kSymbol, symbol_of(position_symbols_, *position, false)});
    } else if (step == "*") {
      steps_.push_back({Step::Kind::kAnyKey});
    } else if (step == "**") {
      steps_.push_back({Step::Kind::kAnyDepth});
    } else {
      steps_.push_back({Step::Kind::kSymbol, symbol_of(key_symbols_, std::string(step), true)});
    }
  }
  return true;
}

PathRules::Symbol PathRules::KeySymbol(std::string_view key) const {
  const auto found = key_symbols_.find(key);
  return found == key_symbols_.end() ? kOtherKey : found->second;
}

PathRules::Symbol PathRules::PositionSymbol(std::uint32_t position) const {
  const auto found = position_symbols_.find(position);
  return found == position_symbols_.end() ? kOtherPosition : found->second;
}

void PathMatcher::Begin() {
  constexpr std::size_t kMaxKeptStates = 1024;
  member_symbols_.clear();
  if (!states_.empty() && states_.size() <= kMaxKeptStates) return;
  states_.clear();
  state_of_steps_.clear();
  Intern(rules_->starts_);
}

const PathRules::Symbol* PathMatcher::MemberSymbols(ShapeId shape) {
  const auto [entry, is_new] = member_symbols_.try_emplace(shape);
  if (is_new) {
    for (const std::string_view key : shapes_->Keys(shape)) entry->second.push_back(rules_->KeySymbol(key));
  }
  return entry->second.data();
}

std::size_t PathMatcher::PatternOf(std::uint32_t step) const {
  const std::vector<std::uint32_t>& starts = rules_->starts_;
  return static_cast<std::size_t>(std::ranges::upper_bound(starts, step) - starts.begin()) - 1;
}

PathMatcher::State PathMatcher::MakeNext(State state, PathRules::Symbol symbol) {
  using StepKind = PathRules::Step::Kind;
  std::vector<std::uint32_t> steps;
  for (const std::uint32_t s : states_[state].steps) {
    const PathRules::Step& step = rules_->steps_[s];
    const bool is_key = rules_->is_key_[symbol];
    if (step.kind == StepKind::kAnyDepth) steps.push_back(s);
    if ((step.kind == StepKind::kSymbol && step.symbol == symbol) ||
        (step.kind == StepKind::kAnyKey && is_key) || (step.kind == StepKind::kAnyPosition && !is_key)) {
      steps.push_back(s + 1);
    }
  }
  const State next = Intern(std::move(steps));
  states_[state].next[symbol] = next;
  return next;
}

PathMatcher::State PathMatcher::Intern(std::vector<std::uint32_t> steps) {
  using StepKind = PathRules::Step::Kind;
  // "Any depth" includes a depth of zero, so the step after it can match here, too.
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (rules_->steps_[steps[i]].kind == StepKind::kAnyDepth) steps.push_back(steps[i] + 1);
  }
  std::ranges::sort(steps);
  steps.erase(std::ranges::unique(steps).begin(), steps.end());
  const auto [entry, is_new] = state_of_steps_.try_emplace(steps, static_cast<State>(states_.size()));
  if (is_new) {
    Effect effect{.final = true};
    for (const std::uint32_t s : steps) {
      const PathRules::Step& step = rules_->steps_[s];
      if (step.kind == StepKind::kIgnore) {
        effect.ignored = true;
      } else if (step.kind == StepKind::kWeigh) {
        effect.has_weight = true;
        effect.weight = step.weight;  // the last one wins
      } else if (step.kind == StepKind::kMark) {
        effect.marks.push_back(step.symbol);
      } else {
        effect.final = false;
      }
    }
    // States are made when a path first reaches them.
    for (const std::uint32_t s : steps) {
      const bool ends = rules_->steps_[s].kind >= StepKind::kIgnore;
      if (ends || effect.ignored) led_somewhere_[PatternOf(s)] = true;
    }
    states_.push_back({std::move(steps), std::vector<State>(rules_->is_key_.size(), kUnknown), effect});
  }
  return entry->second;
}

}  // namespace leafscore::internal
