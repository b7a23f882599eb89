#include "engine/match/target_path.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

#include "engine/json/json_text.h"

namespace leafscore::internal {

std::optional<TargetPath> TargetPath::Parse(std::string_view text) {
  TargetPath path{std::string(text), {}};
  if (text == "*") return path;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view taken = TakePathStep(rest);
    if (taken.empty()) return std::nullopt;
    Step step;
    if (taken[0] == '[') {
      const std::optional<std::uint32_t> position = PositionOfStep(taken);
      if (!position) return std::nullopt;
      step.position = *position;
    } else {
      step.key = taken;
    }
    path.steps.push_back(std::move(step));
  }
  if (path.steps.empty()) return std::nullopt;
  return path;
}

TargetPath TargetPath::ParseLoosely(std::string_view text) {
  TargetPath path{std::string(text), {}};
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t size = std::min(rest.find_first_of(".[]"), rest.size());
    if (size > 0) {
      Step step{std::string(rest.substr(0, size)), kNoPosition};
      const char* const end = rest.data() + size;
      const auto [last, error] = std::from_chars(rest.data(), end, step.position);
      if (error != std::errc() || last != end) step.position = kNoPosition;
      path.steps.push_back(std::move(step));
    }
    rest.remove_prefix(std::min(size + 1, rest.size()));
  }
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
