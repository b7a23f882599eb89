#include "engine/config/config_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"

namespace leafscore::internal {

using Kind = ConfigValue::Kind;

ConfigBuilder::ConfigBuilder(std::string source_name, std::uint64_t max_nodes, bool allows_aliases)
    : source_name_(std::move(source_name)), max_nodes_(max_nodes), allows_aliases_(allows_aliases) {}

void ConfigBuilder::Null(int line, std::size_t anchor) {
  Count(line);
  CheckAnchor(line, anchor);
  if (AtKey()) Fail(line, "an empty key; write a name before the colon, in quotes if the name is null or ~");
  ConfigValue value;
  value.line = line;
  Attach(std::move(value), anchor);
}

void ConfigBuilder::Scalar(int line, std::string text, bool quoted, std::size_t anchor) {
  Count(line);
  CheckAnchor(line, anchor);
  if (AtKey()) {
    if (text == "<<" && !quoted) {
      if (!allows_aliases_) Fail(line, "merge keys (<<) are not supported; write the members out");
      open_.back().merges = true;
    }
    AddKey(line, std::move(text));
    return;
  }
  ConfigValue value;
  value.kind = Kind::kScalar;
  value.quoted = quoted;
  value.line = line;
  value.scalar = std::move(text);
  Attach(std::move(value), anchor);
}

void ConfigBuilder::StartList(int line, std::size_t anchor) { Open(line, Kind::kList, anchor); }

void ConfigBuilder::StartMap(int line, std::size_t anchor) { Open(line, Kind::kMap, anchor); }

void ConfigBuilder::End() {
  Frame frame = std::move(open_.back());
  open_.pop_back();
  if (frame.merges) Merge(frame.value);
  Attach(std::move(frame.value), frame.anchor);
}

void ConfigBuilder::Alias(int line, std::size_t anchor) {
  CheckAnchor(line, anchor);
  if (AtKey()) Fail(line, "an alias as a key; a key must be text");
  const auto known = anchors_.find(anchor);
  if (known == anchors_.end()) Fail(line, "an alias (*) of what it is within");
  CountAll(known->second, line);
  Attach(known->second, 0);
}

void ConfigBuilder::CheckAnchor(int line, std::size_t anchor) const {
  if (anchor != 0 && !allows_aliases_) {
    Fail(line, "anchors (&) and aliases (*) are not supported; write the value out");
  }
}

void ConfigBuilder::CountAll(const ConfigValue& value, int line) {
  Count(line);
  for (const ConfigValue& item : value.items) CountAll(item, line);
  for (const ConfigMember& member : value.members) {
    Count(line);
    CountAll(member.value, line);
  }
}

// Puts the members of the map at the merge key, or of the maps in a list there, behind those of the map, as
// far as it lacks them.
void ConfigBuilder::Merge(ConfigValue& map) const {
  const auto merge = std::ranges::find(map.members, "<<", &ConfigMember::key);
  const ConfigMember merged = std::move(*merge);
  map.members.erase(merge);
  const std::vector<ConfigValue> maps =
      merged.value.kind == Kind::kList ? merged.value.items : std::vector<ConfigValue>{merged.value};
  for (const ConfigValue& from : maps) {
    if (from.kind != Kind::kMap) Fail(merged.line, "a merge key (<<) takes a map, or a list of maps");
    for (const ConfigMember& member : from.members) {
      if (map.Find(member.key) == nullptr) map.members.push_back(member);
    }
  }
}

void ConfigBuilder::Fail(int line, std::string_view message) const {
  throw ConfigError(source_name_, line, message);
}

ConfigValue ConfigBuilder::Take() { return std::move(root_); }

void ConfigBuilder::Count(int line) {
  if (++nodes_ > max_nodes_) {
    Fail(line, fmt::format("more than {} keys and values; shorten the configuration", max_nodes_));
  }
}

bool ConfigBuilder::AtKey() const {
  return !open_.empty() && open_.back().value.kind == Kind::kMap && !open_.back().has_key;
}

void ConfigBuilder::AddKey(int line, std::string key) {
  Frame& map = open_.back();
  const auto [first, is_new] = map.key_lines.emplace(key, line);
  if (!is_new) {
    Fail(line, fmt::format("duplicate key {}, first on line {}; remove one of them", QuoteForMessage(key),
                           first->second));
  }
  map.value.members.push_back({std::move(key), line, {}});
  map.has_key = true;
}

void ConfigBuilder::Open(int line, Kind kind, std::size_t anchor) {
  Count(line);
  CheckAnchor(line, anchor);
  if (AtKey()) Fail(line, "a list or map as a key; a key must be text");
  if (open_.size() == kMaxConfigDepth.default_value) {
    Fail(line, fmt::format("more than {} lists and maps within each other; flatten the configuration",
                           kMaxConfigDepth.default_value));
  }
  Frame& frame = open_.emplace_back();
  frame.value.kind = kind;
  frame.value.line = line;
  frame.anchor = anchor;
}

void ConfigBuilder::Attach(ConfigValue value, std::size_t anchor) {
  if (anchor != 0) anchors_[anchor] = value;
  if (open_.empty()) {
    if (has_root_) {
      Fail(value.line, "more text after the end of the first document; keep one document in the file");
    }
    root_ = std::move(value);
    has_root_ = true;
  } else if (open_.back().has_key) {
    open_.back().value.members.back().value = std::move(value);
    open_.back().has_key = false;
  } else {
    open_.back().value.items.push_back(std::move(value));
  }
}

}  // namespace leafscore::internal
