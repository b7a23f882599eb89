#include "engine/config/config_builder.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"

namespace leafscore::internal {

using Kind = ConfigValue::Kind;

ConfigBuilder::ConfigBuilder(std::string source_name) : source_name_(std::move(source_name)) {}

void ConfigBuilder::Null(int line) {
  Count(line);
  if (AtKey()) Fail(line, "an empty key; write a name before the colon, in quotes if the name is null or ~");
  ConfigValue value;
  value.line = line;
  Attach(std::move(value));
}

void ConfigBuilder::Scalar(int line, std::string text, bool quoted) {
  Count(line);
  if (AtKey()) {
    if (text == "<<" && !quoted) Fail(line, "merge keys (<<) are not supported; write the members out");
    AddKey(line, std::move(text));
    return;
  }
  ConfigValue value;
  value.kind = Kind::kScalar;
  value.quoted = quoted;
  value.line = line;
  value.scalar = std::move(text);
  Attach(std::move(value));
}

void ConfigBuilder::StartList(int line) { Open(line, Kind::kList); }

void ConfigBuilder::StartMap(int line) { Open(line, Kind::kMap); }

void ConfigBuilder::End() {
  ConfigValue value = std::move(open_.back().value);
  open_.pop_back();
  Attach(std::move(value));
}

void ConfigBuilder::Fail(int line, std::string_view message) const {
  throw ConfigError(source_name_, line, message);
}

ConfigValue ConfigBuilder::Take() { return std::move(root_); }

void ConfigBuilder::Count(int line) {
  if (++nodes_ > kMaxConfigNodes.default_value) {
    Fail(line, fmt::format("more than {} keys and values; shorten the configuration",
                           kMaxConfigNodes.default_value));
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

void ConfigBuilder::Open(int line, Kind kind) {
  Count(line);
  if (AtKey()) Fail(line, "a list or map as a key; a key must be text");
  if (open_.size() == kMaxConfigDepth.default_value) {
    Fail(line, fmt::format("more than {} lists and maps within each other; flatten the configuration",
                           kMaxConfigDepth.default_value));
  }
  Frame& frame = open_.emplace_back();
  frame.value.kind = kind;
  frame.value.line = line;
}

void ConfigBuilder::Attach(ConfigValue value) {
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
