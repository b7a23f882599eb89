#include "engine/scorers/target_path.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

#include "engine/json_text.h"

namespace leafscore {

std::optional<TargetPath> TargetPath::Parse(std::string_view text) {
  TargetPath path{std::string(text), {}};
  if (text == "*") return path;
  std::string_view rest = text;
  while (!rest.empty()) {
    Step step;
    if (rest[0] == '[') {
      const char* const end = rest.data() + rest.size();
      const auto [close, error] = std::from_chars(rest.data() + 1, end, step.position);
      if (error != std::errc() || close == end || *close != ']') return std::nullopt;
      rest.remove_prefix(static_cast<std::size_t>(close - rest.data()) + 1);
    } else {
      const std::size_t size = std::min(rest.find_first_of(".[]"), rest.size());
      if (size == 0) return std::nullopt;
      step.key = rest.substr(0, size);
      rest.remove_prefix(size);
    }
    path.steps.push_back(std::move(step));
    if (!rest.empty() && rest[0] == '.') {
      rest.remove_prefix(1);
      if (rest.empty() || rest[0] == '[') return std::nullopt;
    } else if (!rest.empty() && rest[0] != '[') {
      return std::nullopt;
    }
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

}  // namespace leafscore
