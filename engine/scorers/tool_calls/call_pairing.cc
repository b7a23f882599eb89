#include "engine/scorers/tool_calls/call_pairing.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/base/limits.h"
#include "engine/match/deep_equal.h"

namespace leafscore::internal {

void CallPairing::Begin(const CallSide& expected, const CallSide& actual) {
  expected_ = &expected;
  actual_ = &actual;
  partner_.assign(expected.calls.size(), kNone);
  credit_.assign(expected.calls.size(), 0);
  greedy_ = false;
  NumberNames();
}

// Numbers the names of both sides, so that each pair of names is compared only once.
void CallPairing::NumberNames() {
  constexpr std::size_t kLookedThrough = 16;
  names_.clear();
  number_of_name_.clear();
  const auto number_of = [&](std::string_view name) {
    if (names_.size() <= kLookedThrough) {
      const auto found = std::ranges::find(names_, name);
      if (found != names_.end()) return static_cast<std::uint32_t>(found - names_.begin());
      names_.push_back(name);
      if (names_.size() > kLookedThrough) {
        for (std::uint32_t n = 0; n < names_.size(); ++n) number_of_name_.emplace(names_[n], n);
      }
      return static_cast<std::uint32_t>(names_.size() - 1);
    }
    const auto [found, is_new] = number_of_name_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(name);
    return found->second;
  };
  expected_names_.clear();
  actual_names_.clear();
  for (const ToolCall& call : expected_->calls) expected_names_.push_back(number_of(call.name));
  for (const ToolCall& call : actual_->calls) actual_names_.push_back(number_of(call.name));
  names_match_.clear();
  constexpr std::size_t kMostRemembered = 2048;
  if (rules_->name_match != NameMatch::kExact && names_.size() <= kMostRemembered) {
    names_match_.assign(names_.size() * names_.size(), -1);
  }
}

bool CallPairing::NamesMatch(std::size_t expected, std::size_t actual) {
  const std::uint32_t e = expected_names_[expected];
  const std::uint32_t a = actual_names_[actual];
  if (e == a) return true;
  if (rules_->name_match == NameMatch::kExact) return false;
  if (names_match_.empty()) return rules_->NamesMatch(names_[e], names_[a]);
  signed char& matches = names_match_[e * names_.size() + a];
  if (matches < 0) matches = rules_->NamesMatch(names_[e], names_[a]) ? 1 : 0;
  return matches == 1;
}

// Returns the credit of a pair, from 0 to 1. If the credit is 0, the calls cannot be paired.
double CallPairing::Credit(std::size_t expected, std::size_t actual) {
  if (!NamesMatch(expected, actual)) return 0;
  if (rules_->name_credit == 1) return 1;
  const ArgumentShare share =
      comparer_->Compare(expected_->calls[expected], actual_->calls[actual], expected_->rules[expected]);
  if (share.whole()) return 1;
  const double partial = rules_->each_argument ? share.share() : 0;
  return rules_->name_credit + (1 - rules_->name_credit) * partial;
}

void CallPairing::Pair(const CallSide& expected, const CallSide& actual, CallMode mode) {
  Begin(expected, actual);
  if (mode == CallMode::kExact) return PairByPosition();
  if (mode == CallMode::kInOrder) return PairInOrder();
  Indexes all_expected(expected.calls.size());
  Indexes all_actual(actual.calls.size());
  std::iota(all_expected.begin(), all_expected.end(), 0);
  std::iota(all_actual.begin(), all_actual.end(), 0);
  PairBest(std::move(all_expected), std::move(all_actual));
}

CallPairing::Indexes CallPairing::PairLeftOver() {
  const Indexes partners = partner_;
  const std::vector<double> credits = credit_;
  const bool greedy = greedy_;
  std::vector<bool> taken(actual_->calls.size(), false);
  Indexes expected;
  Indexes actual;
  for (std::uint32_t e = 0; e < partners.size(); ++e) {
    if (partners[e] == kNone) {
      expected.push_back(e);
    } else {
      taken[partners[e]] = true;
    }
  }
  for (std::uint32_t a = 0; a < taken.size(); ++a) {
    if (!taken[a]) actual.push_back(a);
  }
  partner_.assign(partner_.size(), kNone);
  PairBest(std::move(expected), std::move(actual));
  Indexes left_over = std::exchange(partner_, partners);
  credit_ = credits;
  greedy_ = greedy;
  return left_over;
}

// Pairs call i with call i. If the calls of a step are unordered, steps that overlap cover a block of
// positions. The calls of a block are paired in any order.
void CallPairing::PairByPosition() {
  const std::size_t e_count = expected_->calls.size();
  const std::size_t a_count = actual_->calls.size();
  const std::size_t positions = std::max(e_count, a_count);
  std::vector<bool> joined(positions, false);  // to the previous position
  if (rules_->parallel_unordered) {
    for (const CallSide* const side : {expected_, actual_}) {
      for (std::size_t i = 1; i < side->calls.size(); ++i) {
        if (side->calls[i].step == side->calls[i - 1].step) joined[i] = true;
      }
    }
  }
  for (std::size_t begin = 0; begin < positions && !stopped();) {
    std::size_t end = begin + 1;
    while (end < positions && joined[end]) ++end;
    if (end == begin + 1) {
      if (begin < e_count && begin < a_count) {
        const double credit = Credit(begin, begin);
        const auto position = static_cast<std::uint32_t>(begin);
        if (credit > 0) Take(position, position, credit);
      }
    } else {
      Indexes expected;
      Indexes actual;
      for (std::size_t i = begin; i < std::min(end, e_count); ++i)
        expected.push_back(static_cast<std::uint32_t>(i));
      for (std::size_t i = begin; i < std::min(end, a_count); ++i)
        actual.push_back(static_cast<std::uint32_t>(i));
      PairBest(std::move(expected), std::move(actual));
    }
    begin = end;
  }
}

// Sorts the calls of each actual step in the order of the expected calls. A call has the place of the first
// expected call that equals it or, if there is none, of the first with the same name. Calls with other names
// come last.
void CallPairing::OrderSteps(Indexes& order) {
  const std::size_t e_count = expected_->calls.size();
  std::vector<std::pair<std::size_t, std::size_t>> rank(actual_->calls.size());
  for (std::size_t a = 0; a < rank.size(); ++a) {
    std::size_t equal = e_count;
    std::size_t named = e_count;
    for (std::size_t e = 0; e < e_count && equal == e_count; ++e) {
      if (!NamesMatch(e, a)) continue;
      named = std::min(named, e);
      if (comparer_->Equal(expected_->calls[e], actual_->calls[a])) equal = e;
    }
    rank[a] = {equal != e_count ? equal : named, a};
  }
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && actual_->calls[end].step == actual_->calls[begin].step) ++end;
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
              order.begin() + static_cast<std::ptrdiff_t>(end),
              [&](std::uint32_t left, std::uint32_t right) { return rank[left] < rank[right]; });
    begin = end;
  }
}

// Chooses pairs in ascending order on both sides so that their total weight is greatest: a weighted longest
// common subsequence. The loop goes backwards. best[a] is the greatest weight of pairs between the expected
// calls from e on and the actual calls from a on. Two bits per cell record the choices.
void CallPairing::PairInOrder() {
  const std::size_t e_count = expected_->calls.size();
  const std::size_t a_count = actual_->calls.size();
  Indexes order(a_count);
  std::iota(order.begin(), order.end(), 0);
  if (rules_->parallel_unordered) OrderSteps(order);
  std::vector<double> best(a_count + 1, 0);
  std::vector<double> below(a_count + 1, 0);
  std::vector<bool> takes(e_count * a_count, false);    // the pair reaches best[a]
  std::vector<bool> goes_on(e_count * a_count, false);  // best[a + 1] reaches it, too
  for (std::size_t e = e_count; e-- != 0;) {
    std::swap(best, below);
    best[a_count] = 0;
    for (std::size_t a = a_count; a-- != 0;) {
      const std::uint32_t call = order[a];
      const double credit = Credit(e, call);
      if (stopped()) return;
      double most = std::max(below[a], best[a + 1]);
      const double weight = std::min(expected_->weight(e), actual_->weight(call));
      const double with = credit * weight + below[a + 1];
      const bool is_pair = credit > 0;
      most = is_pair ? std::max(most, with) : most;
      best[a] = most;
      takes[e * a_count + a] = is_pair && with == most;
      goes_on[e * a_count + a] = best[a + 1] == most;
    }
  }
  std::size_t from = 0;
  for (std::size_t e = 0; e < e_count; ++e) {
    for (std::size_t a = from; a < a_count; ++a) {
      if (takes[e * a_count + a]) {
        Take(static_cast<std::uint32_t>(e), order[a], Credit(e, order[a]));
        from = a + 1;
        break;
      }
      if (!goes_on[e * a_count + a]) break;
    }
  }
}

void CallPairing::PairBest(Indexes expected, Indexes actual) {
  if (rules_->name_match != NameMatch::kExact) return PairGroup(expected, actual);
  const auto sort = [](Indexes& calls, const Indexes& names) {
    std::ranges::sort(calls, {}, [&](std::uint32_t call) { return std::pair(names[call], call); });
  };
  sort(expected, expected_names_);
  sort(actual, actual_names_);
  Indexes e_group;
  Indexes a_group;
  for (std::size_t e = 0, a = 0; e < expected.size() && !stopped();) {
    const std::uint32_t name = expected_names_[expected[e]];
    e_group.clear();
    a_group.clear();
    while (e < expected.size() && expected_names_[expected[e]] == name) e_group.push_back(expected[e++]);
    while (a < actual.size() && actual_names_[actual[a]] < name) ++a;
    while (a < actual.size() && actual_names_[actual[a]] == name) a_group.push_back(actual[a++]);
    if (!a_group.empty()) PairGroup(e_group, a_group);
  }
}

void CallPairing::PairGroup(Indexes& expected, Indexes& actual) {
  if (expected.empty() || actual.empty()) return;
  const bool is_one = expected.size() == 1 && actual.size() == 1;
  if (!is_one && rules_->name_match == NameMatch::kExact && rules_->pairs_by_equality()) {
    TakeEqualOnes(expected, actual);
    if (expected.empty() || actual.empty()) return;
  }
  Assign(expected, actual);
}

// Pairs equal calls of one name, in order, and removes them from both lists.
void CallPairing::TakeEqualOnes(Indexes& expected, Indexes& actual) {
  // Hashes the arguments and, if they count, the outputs. An expected call without arguments or output
  // accepts any, so it is not paired here.
  const auto hash_of = [&](const ToolCall& call, bool has_output) {
    std::uint64_t hash = call.bad_arguments          ? 2
                         : call.has_some_arguments() ? DeepHash(call.arguments, *shapes_)
                                                     : 1;
    if (has_output) hash = hash * 31 + DeepHash(call.output, *shapes_);
    return hash;
  };
  struct Free {
    std::uint64_t hash;
    std::uint32_t call;
  };
  const bool compares_output = expected_->rules[expected[0]].compares_output;
  std::vector<Free> free;
  for (const std::uint32_t a : actual) {
    const ToolCall& call = actual_->calls[a];
    free.push_back({hash_of(call, compares_output && call.output.present()), a});
  }
  std::ranges::sort(free, {}, [](const Free& f) { return std::pair(f.hash, f.call); });
  std::vector<bool> taken(actual_->calls.size(), false);
  std::vector<std::size_t> gone(free.size() + 1,
                                0);  // by the begin of a hash: how many of its calls are taken
  std::erase_if(expected, [&](std::uint32_t e) {
    const ToolCall& call = expected_->calls[e];
    if (!call.has_arguments() || (compares_output && !call.output.present())) return false;
    const std::uint64_t hash = hash_of(call, compares_output && call.output.present());
    const auto start =
        static_cast<std::size_t>(std::ranges::lower_bound(free, hash, {}, &Free::hash) - free.begin());
    std::size_t f = start + gone[start];
    for (; f < free.size() && free[f].hash == hash; ++f) {
      const double credit = Credit(e, free[f].call);
      if (credit < 1) continue;  // another value with the same hash
      Take(e, free[f].call, credit);
      taken[free[f].call] = true;
      gone[start] = f + 1 - start;
      return true;
    }
    return false;
  });
  std::erase_if(actual, [&](std::uint32_t a) { return taken[a]; });
}

void CallPairing::Assign(const Indexes& expected, const Indexes& actual) {
  if (expected.size() == 1 && actual.size() == 1) {
    const double credit = Credit(expected[0], actual[0]);
    if (credit > 0) Take(expected[0], actual[0], credit);
    return;
  }
  const bool is_exact = std::max(expected.size(), actual.size()) <= kMaxExactAssignment;
  if (!is_exact) {
    greedy_ = true;
    if (!rules_->each_argument) return AssignFirstFit(expected, actual);
  }
  weights_.clear();
  bool any_weight = false;
  for (const std::uint32_t e : expected) {
    for (const std::uint32_t a : actual) any_weight |= std::min(expected_->weight(e), actual_->weight(a)) > 0;
  }
  for (const std::uint32_t e : expected) {
    for (const std::uint32_t a : actual) {
      // Calls without weight are paired only for the details.
      const double weight = any_weight ? std::min(expected_->weight(e), actual_->weight(a)) : 1;
      weights_.push_back(weight * Credit(e, a));
      if (stopped()) return;
    }
  }
  const AssignmentResult best = AssignBest(weights_, expected.size(), actual.size(), workspace_);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::uint32_t column = best.column_of_row[i];
    if (column == kUnassigned) continue;
    const double credit = Credit(expected[i], actual[column]);
    if (credit > 0) Take(expected[i], actual[column], credit);
  }
}

// Pairs greedily if there are only two possible credits: the higher credit first, and each expected call with
// the first free actual call. AssignBest would give the same result with a matrix.
void CallPairing::AssignFirstFit(const Indexes& expected, const Indexes& actual) {
  std::vector<bool> taken(actual.size(), false);
  const bool has_worse = rules_->name_credit > 0 && rules_->name_credit < 1;
  for (const double least : {1.0, rules_->name_credit}) {
    if (least < 1 && !has_worse) continue;
    for (const std::uint32_t e : expected) {
      if (partner_[e] != kNone) continue;
      for (std::size_t i = 0; i < actual.size(); ++i) {
        if (taken[i]) continue;
        const double credit = Credit(e, actual[i]);
        if (stopped()) return;
        if (credit < least) continue;
        Take(e, actual[i], credit);
        taken[i] = true;
        break;
      }
    }
  }
}

}  // namespace leafscore::internal
