#include "engine/scorers/tool_calls/argument_comparer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/limits.h"
#include "engine/match/deep_equal.h"
#include "engine/scorers/tool_calls/call_keys.h"

namespace leafscore::internal {
namespace {

std::uint64_t LeavesOf(ValueRef value) {
  return value.present() ? std::max<std::uint64_t>(1, value.table->leaf_count(value.node)) : 0;
}

}  // namespace

ArgumentComparer::ArgumentComparer(const CallRules* rules, WorkerTools tools, FuzzyTexts* fuzzy)
    : rules_(rules),
      shapes_(tools.shapes),
      texts_(tools),
      walker_(tools.shapes),
      judge_(tools, fuzzy, &work_) {
  for (const PathSet& set : rules->path_sets) {
    matchers_.push_back(std::make_unique<PathMatcher>(&set.paths, tools.shapes));
  }
  for (const ArgsRule& rule : rules->args) {
    expected_followers_.emplace_back();
    actual_followers_.emplace_back();
    for (const TargetPath& path : rule.paths) {
      expected_followers_.back().emplace_back(&path, tools.shapes);
      actual_followers_.back().emplace_back(&path, tools.shapes);
    }
  }
}

void ArgumentComparer::BeginBatch() {
  for (const auto& matcher : matchers_) matcher->Begin();
  for (auto* const lists : {&expected_followers_, &actual_followers_}) {
    for (std::vector<PathFollower>& followers : *lists) {
      for (PathFollower& follower : followers) follower.Reset();
    }
  }
  judge_.BeginBatch();
  texts_.Truncate(0);
  defaults_.clear();
  for (const std::string& json : rules_->defaults_json) defaults_.push_back(texts_.Add(json));
  values_.clear();
  for (const PathSet& set : rules_->path_sets) {
    auto& of_fields = values_.emplace_back(set.fields.size());
    for (std::size_t f = 0; f < set.fields.size(); ++f) {
      const std::string& json = set.fields[f].values_json;
      if (!json.empty()) ListChildren(texts_.Add(json), of_fields[f]);
    }
  }
}

void ArgumentComparer::BeginRecord(std::uint64_t bytes) {
  work_.Begin(std::min(kMaxCallSteps.max, bytes * kMaxCallStepsOfByte.max));
}

void ArgumentComparer::Hit(std::uint64_t leaves) {
  now_.share.matched += leaves;
  now_.share.counted += leaves;
}

void ArgumentComparer::Miss(std::uint64_t leaves) {
  now_.share.counted += std::max<std::uint64_t>(1, leaves);
  if (now_.differences != nullptr) now_.differences->push_back(path_);
}

ArgumentShare ArgumentComparer::Compare(const ToolCall& expected, const ToolCall& actual,
                                        const ToolRules& rules) {
  now_.stops = !rules_->each_argument;
  now_.differences = nullptr;
  CompareCalls(expected, actual, rules);
  return now_.share;
}

void ArgumentComparer::ListDifferences(const ToolCall& expected, const ToolCall& actual,
                                       const ToolRules& rules, std::vector<std::string>& paths) {
  now_.stops = false;
  now_.differences = &paths;
  path_.clear();
  CompareCalls(expected, actual, rules);
  now_.differences = nullptr;
}

void ArgumentComparer::CompareCalls(const ToolCall& expected, const ToolCall& actual,
                                    const ToolRules& rules) {
  now_.share = {};
  if (!work_.Spend(1)) return Miss(1);
  const ArgsRule& args = rules_->args[rules.args];
  now_.mode = args.mode == ArgsMode::kPaths ? ArgsMode::kExact : args.mode;
  now_.fields = nullptr;
  now_.ignored = nullptr;
  now_.field_set = nullptr;
  now_.defaults_of_tool = {};
  if (expected.has_arguments() && args.mode != ArgsMode::kIgnore) {
    if (actual.bad_arguments) {
      Miss(LeavesOf(expected.arguments));
    } else if (args.mode == ArgsMode::kPaths) {
      for (std::size_t p = 0; p < args.paths.size() && !done(); ++p) {
        const ValueRef e = expected_followers_[rules.args][p].Follow(expected.arguments);
        if (!e.present()) continue;
        ValueRef a;
        if (actual.has_arguments()) a = actual_followers_[rules.args][p].Follow(actual.arguments);
        if (now_.differences != nullptr) path_ = args.paths[p].Canonical();
        Walk(e, a, {}, 1);
      }
      path_.clear();
    } else {
      if (rules.fields != kNoRules) {
        now_.fields = matchers_[rules.fields].get();
        now_.field_set = &rules_->path_sets[rules.fields];
        now_.field_values = &values_[rules.fields];
      }
      if (rules.ignored != kNoRules) now_.ignored = matchers_[rules.ignored].get();
      if (rules.defaults != kNoRules) now_.defaults_of_tool = defaults_[rules.defaults];
      Walk(expected.arguments, actual.arguments, {}, 0);
    }
  }
  if (!rules.compares_output || !expected.output.present() || done()) return;
  if (now_.differences != nullptr) path_ = "output";
  const bool equal = actual.output.present() && DeepEqual(expected.output, actual.output, walker_);
  equal ? Hit(1) : Miss(1);
  path_.clear();
}

const ArgumentField* ArgumentComparer::FieldAt(Place place) const {
  if (now_.fields == nullptr) return nullptr;
  const std::vector<std::uint32_t>& marks = now_.fields->effect(place.fields).marks;
  return marks.empty() ? nullptr : &now_.field_set->fields[marks.back()];
}

bool ArgumentComparer::IgnoresAt(Place place) const {
  return now_.ignored != nullptr && now_.ignored->effect(place.ignored).ignored;
}

ArgumentComparer::Place ArgumentComparer::Next(Place place, ValueRef container, std::uint32_t member) const {
  const auto next = [&](PathMatcher* matcher, State state) {
    if (matcher == nullptr) return state;
    const bool is_object = container.kind() == ValueKind::kObject;
    const PathRules::Symbol symbol =
        is_object ? matcher->MemberSymbols(container.table->shape(container.node))[member]
                  : matcher->rules().PositionSymbol(member);
    return matcher->Next(state, symbol);
  };
  return {next(now_.fields, place.fields), next(now_.ignored, place.ignored)};
}

// Compares the two sides of a place. Either side may be absent; at the root, the actual side is absent if the
// call has no arguments.
void ArgumentComparer::Walk(ValueRef expected, ValueRef actual, Place place, std::size_t depth) {
  if (done() || !work_.Spend(1) || IgnoresAt(place)) return;
  if (const ArgumentField* const field = FieldAt(place)) {
    if (field->match == ArgumentMatch::kIgnore) return;
    const bool is_free = (!expected.present() && now_.mode == ArgsMode::kSuperset) ||
                         (!actual.present() && (now_.mode == ArgsMode::kSubset || !field->required));
    if (is_free) return;
    const bool both = expected.present() && actual.present();
    const auto number = static_cast<std::size_t>(field - now_.field_set->fields.data());
    if (both && judge_.Matches(*field, (*now_.field_values)[number], expected, actual)) {
      Hit(1);
    } else {
      Miss(1);
    }
    return;
  }
  if (rules_->expected_rules && expected.present()) {
    if (const std::optional<ExpectedRule> rule = ExpectedRuleOf(expected, *shapes_)) {
      using Kind = ExpectedRule::Kind;
      const bool is_free =
          rule->kind == Kind::kIgnore ||
          (!actual.present() && (rule->kind == Kind::kOptional || now_.mode == ArgsMode::kSubset));
      if (is_free) return;
      actual.present() && JudgeByRule(*rule, actual) ? Hit(1) : Miss(1);
      return;
    }
  }
  const bool has_rules = now_.fields != nullptr || now_.ignored != nullptr || rules_->expected_rules;
  if (depth == 0 && !has_rules && actual.present()) {  // the whole value first, as most calls are byte-equal
    const std::string_view e = expected.table->token(expected.node);
    const std::string_view a = actual.table->token(actual.node);
    if (e == a) return Hit(expected.table->leaf_count(expected.node));
  }
  if (IsObject(expected) && (depth == 0 || IsObject(actual))) {
    WalkObjects(expected, actual, place, depth);
  } else if (IsArray(expected) && IsArray(actual)) {
    WalkArrays(expected, actual, place, depth);
  } else {
    JudgeLeaf(expected, actual);
  }
}

void ArgumentComparer::JudgeLeaf(ValueRef expected, ValueRef actual) {
  if (!expected.present()) {
    if (now_.mode != ArgsMode::kSuperset) Miss(LeavesOf(actual));
    return;
  }
  if (!actual.present()) {
    if (now_.mode != ArgsMode::kSubset) Miss(LeavesOf(expected));
    return;
  }
  const bool kinds_differ = IsContainer(expected.kind()) || IsContainer(actual.kind());
  if (!kinds_differ) {
    if (!work_.Spend(std::min(BytesOf(expected), BytesOf(actual)) / 64)) return;
    if (DeepEqual(expected, actual, walker_)) return Hit(1);
  }
  const std::uint64_t e = LeavesOf(expected);
  const std::uint64_t a = LeavesOf(actual);
  Miss(now_.mode == ArgsMode::kSuperset ? e : now_.mode == ArgsMode::kSubset ? a : std::max(e, a));
}

void ArgumentComparer::WalkMember(ValueRef expected, ValueRef actual, Place place, std::size_t depth,
                                  std::string_view key) {
  if (now_.differences == nullptr) return Walk(expected, actual, place, depth + 1);
  const std::size_t size = path_.size();
  AppendKeyStep(path_, key);
  Walk(expected, actual, place, depth + 1);
  path_.resize(size);
}

void ArgumentComparer::WalkObjects(ValueRef expected, ValueRef actual, Place place, std::size_t depth) {
  const LeafTable& e = *expected.table;
  const ShapeId e_shape = e.shape(expected.node);
  ShapeTable& shapes = *shapes_;
  const bool has_rules = now_.fields != nullptr || now_.ignored != nullptr;
  const ValueRef defaults = depth == 0 ? now_.defaults_of_tool : ValueRef{};
  const bool needs_keys = now_.differences != nullptr || defaults.present();
  const bool has_actual = actual.present();
  const ShapeId a_shape = has_actual ? actual.table->shape(actual.node) : ShapeTable::kEmptyShape;
  const auto default_of = [&](std::string_view key) {
    ValueRef value;
    if (!defaults.present()) return value;
    const std::uint32_t position = shapes.FindMember(defaults.table->shape(defaults.node), key);
    if (position != ShapeTable::kNoMember) {
      value = {defaults.table, defaults.table->Child(defaults.node, position)};
    }
    return value;
  };
  std::vector<std::string_view> e_keys;
  if (needs_keys) e_keys = shapes.Keys(e_shape);
  // Find the counterparts of the expected members, by position if both objects have the same keys.
  const bool same = e_shape == a_shape && has_actual;
  const std::uint32_t* members =
      same || !has_actual ? nullptr : shapes.CorrespondingMembers(e_shape, a_shape);
  const std::size_t first_child = children_.size();
  if (has_actual) {
    const LeafTable& a = *actual.table;
    for (NodeId node = actual.node + 1; node != a.end(actual.node); node = a.end(node)) {
      children_.push_back(node);
    }
  }
  const std::size_t a_count = children_.size() - first_child;
  std::vector<bool> met;
  if (!same) met.assign(a_count, false);
  std::uint32_t m = 0;
  for (NodeId node = expected.node + 1; node != e.end(expected.node) && !done(); node = e.end(node), ++m) {
    const std::string_view key = needs_keys ? e_keys[m] : std::string_view();
    ValueRef a;
    const std::uint32_t position = same ? m : members != nullptr ? members[m] : ShapeTable::kNoMember;
    if (position != ShapeTable::kNoMember) {
      a = {actual.table, children_[first_child + position]};
      if (!same) met[position] = true;
    } else {
      a = default_of(key);
    }
    const Place next = has_rules ? Next(place, expected, m) : Place{};
    WalkMember({&e, node}, a, next, depth, key);
  }
  if (!same && !done()) {
    std::vector<std::string_view> a_keys;
    if (needs_keys && has_actual) a_keys = shapes.Keys(a_shape);
    for (std::uint32_t i = 0; i < a_count && !done(); ++i) {
      if (met[i]) continue;
      const ValueRef a{actual.table, children_[first_child + i]};
      const std::string_view key = needs_keys ? a_keys[i] : std::string_view();
      const ValueRef standard = default_of(key);
      if (standard.present() && DeepEqual(standard, a, walker_)) continue;
      const Place next = has_rules ? Next(place, actual, i) : Place{};
      WalkMember({}, a, next, depth, key);
    }
  }
  children_.resize(first_child);
}

void ArgumentComparer::WalkArrays(ValueRef expected, ValueRef actual, Place place, std::size_t depth) {
  const LeafTable& e = *expected.table;
  const LeafTable& a = *actual.table;
  const bool has_rules = now_.fields != nullptr || now_.ignored != nullptr;
  NodeId e_node = expected.node + 1;
  NodeId a_node = actual.node + 1;
  for (std::uint32_t i = 0; !done(); ++i) {
    const bool has_e = e_node != e.end(expected.node);
    const bool has_a = a_node != a.end(actual.node);
    if (!has_e && !has_a) return;
    const Place next = has_rules ? Next(place, expected, i) : Place{};
    const std::size_t size = path_.size();
    if (now_.differences != nullptr) AppendPositionStep(path_, i);
    if (has_e && has_a) {
      Walk({&e, e_node}, {&a, a_node}, next, depth + 1);
    } else {
      const ArgumentField* const field = FieldAt(next);
      const bool counts =
          work_.Spend(1) && !IgnoresAt(next) && (field == nullptr || field->match != ArgumentMatch::kIgnore);
      const bool takes_misses = field != nullptr && !has_a && !field->required;
      // A position that only one side has is a miss, even if `args` allows extra or missing arguments.
      // Ignored places and missing values of fields that are not required do not count.
      const ValueRef value = has_e ? ValueRef{&e, e_node} : ValueRef{&a, a_node};
      const bool is_other_side =
          (now_.mode == ArgsMode::kSuperset && !has_e) || (now_.mode == ArgsMode::kSubset && !has_a);
      if (counts && !takes_misses) Miss(is_other_side ? 1 : LeavesOf(value));
    }
    path_.resize(size);
    if (has_e) e_node = e.end(e_node);
    if (has_a) a_node = a.end(a_node);
  }
}

bool ArgumentComparer::JudgeByRule(const ExpectedRule& rule, ValueRef actual) {
  switch (rule.kind) {
    case ExpectedRule::Kind::kAny: {
      bool any = false;
      ForEachChild(rule.operand, [&](ValueRef value) {
        any = MatchesValue(value, actual);
        return !any;
      });
      return any;
    }
    case ExpectedRule::Kind::kOptional:
      return MatchesValue(rule.operand, actual);
    case ExpectedRule::Kind::kRegex:
      return judge_.FitsPattern(rule.operand, actual);
    case ExpectedRule::Kind::kNear:
      return judge_.IsNear(rule.operand, actual);
    default:
      return true;
  }
}

// Tells whether an actual value matches all of an expected value, which may contain rules.
bool ArgumentComparer::MatchesValue(ValueRef expected, ValueRef actual) {
  const Comparison outer = std::exchange(now_, {.mode = now_.mode, .stops = true});
  Walk(expected, actual, {}, 1);
  const bool matches = now_.share.whole() && !work_.has_failed();
  now_ = outer;
  return matches;
}

bool ArgumentComparer::Equal(const ToolCall& a, const ToolCall& b) {
  if (a.name != b.name || a.bad_arguments != b.bad_arguments) return false;
  if (a.has_arguments() != b.has_arguments()) return false;
  return !a.has_arguments() || DeepEqual(a.arguments, b.arguments, walker_);
}

bool ArgumentComparer::EqualActual(const ToolCall& a, const ToolCall& b) {
  if (a.has_some_arguments() || b.has_some_arguments()) return Equal(a, b);
  return a.name == b.name && a.bad_arguments == b.bad_arguments;
}

}  // namespace leafscore::internal
