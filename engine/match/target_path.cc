#include "engine/match/target_path.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>

#include "engine/json/json_text.h"

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kFarthestPosition = TargetPath::kNoPosition - 1;  // no array goes so far

// Returns the position that a text of digits writes, or nothing for another text.
std::optional<std::uint32_t> ParsePosition(std::string_view text) {
  std::uint32_t position = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, position);
  if (last != end || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc() ? std::min(position, kFarthestPosition) : kFarthestPosition;
}

// Calls visit(run, in_brackets) for each run of characters other than dots and brackets; `in_brackets` tells
// that it alone stands between [ and ].
template <class Visit>
void ForEachRun(std::string_view path, Visit visit) {
  constexpr std::string_view kSeparators = ".[]";
  std::size_t begin = path.find_first_not_of(kSeparators);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(path.find_first_of(kSeparators, begin), path.size());
    const bool in_brackets = begin > 0 && path[begin - 1] == '[' && end < path.size() && path[end] == ']';
    visit(path.substr(begin, end - begin), in_brackets);
    begin = path.find_first_not_of(kSeparators, end);
  }
}

}  // namespace

std::optional<TargetPath> TargetPath::Parse(std::string_view text) {
  TargetPath path{std::string(text), {}};
  if (text == "*") return path;
  ForEachRun(text, [&](std::string_view run, bool in_brackets) {
    const std::optional<std::uint32_t> position = in_brackets ? ParsePosition(run) : std::nullopt;
    path.steps.push_back(position ? Step{"", *position} : Step{std::string(run), kNoPosition});
  });
  if (path.steps.empty()) return std::nullopt;
  return path;
}

TargetPath TargetPath::ParseLoosely(std::string_view text) {
  TargetPath path{std::string(text), {}};
  ForEachRun(text, [&](std::string_view run, bool /*in_brackets*/) {
    path.steps.push_back({std::string(run), ParsePosition(run).value_or(kNoPosition)});
  });
  return path;
}

std::string TargetPath::JsonPointer() const {
  std::string pointer;
  for (const Step& step : steps) {
    pointer += '/';
    if (step.key.empty()) {
      pointer += std::to_string(step.position);
    } else {
      AppendPointerToken(pointer, step.key);
    }
  }
  return pointer;
}

std::string_view TakePathStep(std::string_view& path) {
  const std::size_t size =
      path.starts_with('[') ? path.find(']') + 1 : std::min(path.find_first_of(".[]"), path.size());
  const std::string_view step = path.substr(0, size);
  path.remove_prefix(size);
  const bool dot = path.starts_with('.');
  if (dot) path.remove_prefix(1);
  // A dot stands before a key, nothing before a bracket.
  const bool goes_on = dot ? !path.empty() && path[0] != '[' : path.empty() || path[0] == '[';
  return goes_on ? step : std::string_view();
}

std::optional<std::uint32_t> PositionOfStep(std::string_view step) {
  const char* const end = step.data() + step.size() - 1;
  std::uint32_t position = 0;
  const auto [last, error] = std::from_chars(step.data() + 1, end, position);
  return error == std::errc() && last == end ? std::optional(position) : std::nullopt;
}

ValueRef PathFollower::Follow(ValueRef root) {
  const LeafTable& table = *root.table;
  NodeId node = root.node;
  for (std::size_t i = 0; i < path_->steps.size(); ++i) {
    const TargetPath::Step& step = path_->steps[i];
    if (table.kind(node) == ValueKind::kArray) {
      const NodeId end = table.end(node);
      if (step.position == TargetPath::kNoPosition) return {};
      NodeId element = node + 1;
      for (std::uint32_t p = 0; p < step.position && element != end; ++p) element = table.end(element);
      if (element == end) return {};
      node = element;
    } else if (table.kind(node) == ValueKind::kObject && !step.key.empty()) {
      Seen& seen = seen_[i];
      if (const ShapeId shape = table.shape(node); shape != seen.shape) {
        seen = {shape, shapes_->FindMember(shape, step.key)};
      }
      if (seen.member == ShapeTable::kNoMember) return {};
      node = table.Child(node, seen.member);
    } else {
      return {};
    }
  }
  return {&table, node};
}

}  // namespace leafscore::internal
