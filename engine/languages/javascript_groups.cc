#include "engine/languages/javascript_groups.h"

#include <algorithm>

namespace leafscore::internal {
namespace {

// The quantifier at the start of a text. Numbers above nine count as nine.
struct Quantifier {
  unsigned least = 1;
  unsigned most = 1;
};

Quantifier ReadQuantifier(std::u32string_view text) {
  constexpr unsigned kMany = 9;
  if (text.starts_with(U'*')) return {0, kMany};
  if (text.starts_with(U'+')) return {1, kMany};
  if (text.starts_with(U'?')) return {0, 1};
  if (!text.starts_with(U'{')) return {};
  std::size_t at = 1;
  const auto number = [&](unsigned otherwise) {
    if (at == text.size() || text[at] < '0' || text[at] > '9') return otherwise;
    unsigned value = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      value = std::min<unsigned>(value * 10 + (text[at] - '0'), kMany);
    }
    return value;
  };
  Quantifier quantifier;
  quantifier.least = quantifier.most = number(1);
  if (at < text.size() && text[at] == ',') {
    ++at;
    quantifier.most = number(kMany);
  }
  return quantifier;
}

}  // namespace

JavaScriptGroups::JavaScriptGroups(std::u32string_view pattern) {
  groups_.push_back({0, 0});
  std::vector<std::size_t> open = {0};
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char32_t c = pattern[i];
    if (c == '\\') {
      ++i;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
    } else if (c == '(') {
      open.push_back(Open(pattern, i, open.back()));
    } else if (c == '|') {
      ++groups_[open.back()].alternatives;
    } else if (c == ')' && open.size() > 1) {
      const Quantifier quantifier = ReadQuantifier(pattern.substr(i + 1));
      groups_[open.back()].repeats = quantifier.most > 1;
      groups_[open.back()].optional = quantifier.least == 0;
      open.pop_back();
    }
  }
}

std::size_t JavaScriptGroups::Open(std::u32string_view pattern, std::size_t at, std::size_t parent) {
  groups_.push_back({parent, groups_[parent].alternatives});
  const std::size_t group = groups_.size() - 1;
  const std::u32string_view inside = pattern.substr(at + 1);
  const bool named = inside.starts_with(U"?<") && !inside.starts_with(U"?<=") && !inside.starts_with(U"?<!");
  if (!named && inside.starts_with(U'?')) return group;
  captures_.push_back(group);
  if (!named) return group;
  const std::size_t end = std::min(inside.find(U'>'), inside.size());
  names_[std::u32string(inside.substr(2, end - 2))].push_back(static_cast<std::uint32_t>(captures_.size()));
  return group;
}

std::span<const std::uint32_t> JavaScriptGroups::Named(std::u32string_view name) const {
  const auto found = names_.find(name);
  if (found == names_.end()) return {};
  return found->second;
}

bool JavaScriptGroups::name_stands_twice() const {
  for (const auto& [name, numbers] : names_) {
    for (std::size_t a = 0; a < numbers.size(); ++a) {
      for (std::size_t b = a + 1; b < numbers.size(); ++b) {
        if (MightBothMatch(captures_[numbers[a] - 1], captures_[numbers[b] - 1])) return true;
      }
    }
  }
  return false;
}

bool JavaScriptGroups::MightBothMatch(std::size_t a, std::size_t b) const {
  while (groups_[a].parent != groups_[b].parent) {  // parents have smaller indices
    std::size_t& deeper = groups_[a].parent > groups_[b].parent ? a : b;
    deeper = groups_[deeper].parent;
  }
  return groups_[a].alternative == groups_[b].alternative;
}

bool JavaScriptGroups::RepeatMayPassOver(std::uint32_t number) const {
  std::size_t group = captures_[number - 1];
  bool may_be_passed = groups_[group].optional;
  while (group != 0) {
    group = groups_[group].parent;
    may_be_passed |= groups_[group].alternatives > 1;
    if (groups_[group].repeats && may_be_passed) return true;
    may_be_passed |= groups_[group].optional;
  }
  return false;
}

}  // namespace leafscore::internal
