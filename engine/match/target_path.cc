#include "engine/match/target_path.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

#include "engine/json/json_scalar.h"
#include "engine/json/json_text.h"

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kFarthestPosition = TargetPath::kNoPosition - 1;  // no array is that long

// Returns the position that a text of digits denotes, or nullopt for any other text.
std::optional<std::uint32_t> ParsePosition(std::string_view text) {
  std::uint32_t position = 0;
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, position);
  if (last != end || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc() ? std::min(position, kFarthestPosition) : kFarthestPosition;
}

// Returns the size of the step ["key"] at the start of a path, or 0 if the path begins differently.
std::size_t QuotedStepSize(std::string_view path) {
  if (!path.starts_with("[\"")) return 0;
  std::size_t end = 2;
  while (end < path.size() && path[end] != '"') {
    if (static_cast<unsigned char>(path[end]) < 0x20) return 0;
    end += path[end] == '\\' ? 2 : 1;
  }
  std::size_t fault = 0;
  const bool closed = end + 1 < path.size() && path[end + 1] == ']';
  if (!closed || ClassifyEscapes(path.substr(2, end - 2), &fault) == TokenClass::kInvalid) return 0;
  return end + 2;
}

// How a run of characters is written in a path.
enum class RunKind { kPlain, kInBrackets, kQuoted };

// Calls visit(run, kind) for each run of characters other than dots and brackets, and for the key of each
// ["key"] step. A run is in brackets if there is nothing else between [ and ].
template <class Visit>
void ForEachRun(std::string_view path, Visit visit) {
  std::size_t at = 0;
  while (at < path.size()) {
    if (const std::size_t quoted = QuotedStepSize(path.substr(at)); quoted != 0) {
      visit(*KeyOfQuotedStep(path.substr(at, quoted)), RunKind::kQuoted);
      at += quoted;
      continue;
    }
    const std::size_t end = std::min(path.find_first_of(".[]", at), path.size());
    if (end == at) {
      ++at;
      continue;
    }
    const bool in_brackets = at > 0 && path[at - 1] == '[' && end < path.size() && path[end] == ']';
    visit(path.substr(at, end - at), in_brackets ? RunKind::kInBrackets : RunKind::kPlain);
    at = end;
  }
}

}  // namespace

std::optional<TargetPath> TargetPath::Parse(std::string_view text) {
  TargetPath path{std::string(text), {}};
  if (text == "*") return path;
  ForEachRun(text, [&](std::string_view run, RunKind kind) {
    const std::optional<std::uint32_t> position =
        kind == RunKind::kInBrackets ? ParsePosition(run) : std::nullopt;
    path.steps.push_back(position ? Step{"", *position} : Step{std::string(run), kNoPosition});
  });
  if (path.steps.empty()) return std::nullopt;
  return path;
}

TargetPath TargetPath::ParseLoosely(std::string_view text) {
  TargetPath path{std::string(text), {}};
  ForEachRun(text, [&](std::string_view run, RunKind kind) {
    const std::optional<std::uint32_t> position =
        kind == RunKind::kQuoted ? std::nullopt : ParsePosition(run);
    path.steps.push_back({std::string(run), position.value_or(kNoPosition)});
  });
  return path;
}

TargetPath ReadPath(const OptionReader& options, std::string_view option, std::string_view text,
                    std::string_view complaint) {
  std::optional<TargetPath> path = TargetPath::Parse(text);
  if (!path || path->steps.empty()) throw options.MakeError(option, complaint);
  return *std::move(path);
}

std::string TargetPath::Canonical() const {
  std::string path;
  for (const Step& step : steps) {
    if (step.has_key()) {
      AppendKeyStep(path, step.key);
    } else {
      AppendPositionStep(path, step.position);
    }
  }
  return path;
}

void AppendKeyStep(std::string& path, std::string_view key) {
  // Does not use find_first_of, because that calls a function for each character.
  const bool is_plain = !key.empty() &&
                        std::ranges::none_of(key, [](char c) { return c == '.' || c == '[' || c == ']'; }) &&
                        key != "*" && key != "**" && !key.starts_with('/');
  if (!is_plain) {
    path += '[';
    AppendJsonString(path, key);
    path += ']';
    return;
  }
  if (!path.empty()) path += '.';
  path += key;
}

void AppendPositionStep(std::string& path, std::size_t position) {
  path += '[';
  path += std::to_string(position);
  path += ']';
}

std::string_view TakePathStep(std::string_view& path) {
  const std::size_t size = path.starts_with("[\"") ? QuotedStepSize(path)
                           : path.starts_with('[') ? path.find(']') + 1
                                                   : std::min(path.find_first_of(".[]"), path.size());
  const std::string_view step = path.substr(0, size);
  path.remove_prefix(size);
  const bool dot = path.starts_with('.');
  if (dot) path.remove_prefix(1);
  // A key follows a dot; a bracket follows directly.
  const bool goes_on = dot ? !path.empty() && path[0] != '[' : path.empty() || path[0] == '[';
  return goes_on ? step : std::string_view();
}

std::optional<std::string> KeyOfQuotedStep(std::string_view step) {
  if (QuotedStepSize(step) != step.size() || step.empty()) return std::nullopt;
  std::string key;
  AppendUnescaped(step.substr(2, step.size() - 4), key);
  return key;
}

std::string PathOfPointer(std::string_view pointer) {
  std::string path;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);  // the slash
    const std::string_view token = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(token.size());
    std::string key(token);
    for (const auto& [escape, character] : {std::pair("~1", "/"), std::pair("~0", "~")}) {
      for (std::size_t at = 0; (at = key.find(escape, at)) != std::string::npos; ++at)
        key.replace(at, 2, character);
    }
    const bool is_position = !key.empty() && key.find_first_not_of("0123456789") == std::string::npos;
    if (is_position) {
      path += '[';
      path += key;
      path += ']';
    } else {
      AppendKeyStep(path, key);
    }
  }
  return path;
}

std::optional<std::uint32_t> PositionOfStep(std::string_view step) {
  const char* const end = step.data() + step.size() - 1;
  std::uint32_t position = 0;
  const auto [last, error] = std::from_chars(step.data() + 1, end, position);
  return error == std::errc() && last == end ? std::optional(position) : std::nullopt;
}

ValueRef PathFollower::Follow(ValueRef root, std::size_t first) {
  const LeafTable& table = *root.table;
  NodeId node = root.node;
  for (std::size_t i = first; i < path_->steps.size(); ++i) {
    const TargetPath::Step& step = path_->steps[i];
    if (table.kind(node) == ValueKind::kArray) {
      const NodeId end = table.end(node);
      if (step.position == TargetPath::kNoPosition) return {};
      NodeId element = node + 1;
      for (std::uint32_t p = 0; p < step.position && element != end; ++p) element = table.end(element);
      if (element == end) return {};
      node = element;
    } else if (table.kind(node) == ValueKind::kObject && step.has_key()) {
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
