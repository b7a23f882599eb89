// Two parsers feed one builder. yaml-cpp 0.7 would read most JSON as YAML, but it refuses surrogate pairs
// such as "\ud83d\ude00" and accepts texts that no JSON reader accepts, so JSON goes to RapidJSON.
#include "engine/config/config_parser.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/base/utf8.h"
#include "engine/config/config_value.h"

namespace leafscore::internal {
namespace {

// Turns a parser's events into a ConfigValue and enforces the limits while it reads. Owns the tree until
// Take. One thread.

// Within a map, keys and values alternate; a key is a scalar. An anchor is a number; 0 means no anchor.
// ERRORS: Error(kUsage) with source and line: too deep, too many nodes, a key that is not a scalar, a
// duplicate key, a second root; also an anchor or a merge key if aliases are not allowed.
class ConfigBuilder {
 public:
  ConfigBuilder(std::string source_name, std::uint64_t max_nodes, bool allows_aliases);

  void Null(int line, std::size_t anchor = 0);
  void Scalar(int line, std::string text, bool quoted, std::size_t anchor = 0);
  void StartList(int line, std::size_t anchor = 0);
  void StartMap(int line, std::size_t anchor = 0);
  void End();
  // Repeats the value of an anchor. COST: all nodes of the value count again.
  void Alias(int line, std::size_t anchor);
  [[noreturn]] void Fail(int line, std::string_view message) const;

  // RETURNS: the root; a null value if there were no events.
  ConfigValue Take();

 private:
  struct Frame {
    ConfigValue value;
    std::map<std::string, int> key_lines;
    bool has_key = false;  // the last member has no value yet
    bool merges = false;   // the map has a merge key
    std::size_t anchor = 0;
  };

  void Count(int line);
  void CountAll(const ConfigValue& value, int line);
  void CheckAnchor(int line, std::size_t anchor) const;
  void Merge(ConfigValue& map) const;
  bool AtKey() const;
  void AddKey(int line, std::string key);
  void Open(int line, ConfigValue::Kind kind, std::size_t anchor);
  void Attach(ConfigValue value, std::size_t anchor);

  std::string source_name_;
  std::uint64_t max_nodes_;
  bool allows_aliases_;
  std::uint64_t nodes_ = 0;
  std::map<std::size_t, ConfigValue> anchors_;
  std::vector<Frame> open_;
  ConfigValue root_;
  bool has_root_ = false;
};

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
  if (known == anchors_.end()) Fail(line, "an alias (*) of the value that contains it");
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

// Replaces the merge key of `map` with the members of its value, which is a map or a list of maps. A key that
// `map` already has keeps its value.
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
    Fail(line, fmt::format("lists and maps nested more than {} deep; flatten the configuration",
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

int LineAt(std::string_view text, std::size_t offset) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + offset, '\n'));
}

void CheckCharacters(std::string_view text, const ConfigBuilder& builder) {
  const std::size_t valid = FindInvalidUtf8(text);
  if (valid < text.size()) builder.Fail(LineAt(text, valid), "invalid UTF-8; save the file as UTF-8");
  // Neither format allows these characters. But yaml-cpp accepts them, and treats byte 4 as the end of the
  // text.
  const auto control = std::find_if(text.begin(), text.end(), [](unsigned char c) {
    return c < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
  if (control != text.end()) {
    builder.Fail(LineAt(text, static_cast<std::size_t>(control - text.begin())),
                 fmt::format("control character U+{:04X}; remove it", static_cast<int>(*control)));
  }
}

// Passes the text to yaml-cpp in small pieces, and ends it early if yaml-cpp reads too much without an event.
// A list that begins with [ might turn out to be a key, so yaml-cpp holds all its tokens until the list ends.
class MeteredText : public std::streambuf {
 public:
  explicit MeteredText(std::string text) : text_(std::move(text)) {}
  void OnEvent() { budget_ = kMaxConfigReadAhead.default_value; }
  bool exceeded() const { return exceeded_; }

 protected:
  int_type underflow() override {
    const std::size_t count = std::min<std::size_t>(text_.size() - handed_out_, 2048);
    exceeded_ = exceeded_ || count > budget_;
    if (exceeded_ || count == 0) return traits_type::eof();
    char* const begin = text_.data() + handed_out_;
    setg(begin, begin, begin + count);
    handed_out_ += count;
    budget_ -= count;
    return traits_type::to_int_type(*begin);
  }

 private:
  std::string text_;
  std::size_t handed_out_ = 0;
  std::size_t budget_ = kMaxConfigReadAhead.default_value;
  bool exceeded_ = false;
};

class YamlEvents : public YAML::EventHandler {
 public:
  YamlEvents(ConfigBuilder& builder, MeteredText& text) : builder_(builder), text_(text) {}

  // yaml-cpp cannot tell the early end from the end of the text, so later events and errors may be wrong.
  void CheckReadAhead() const {
    if (!text_.exceeded()) return;
    builder_.Fail(line_, fmt::format("a value, comment or [...] list of more than {} KiB follows; shorten it",
                                     kMaxConfigReadAhead.default_value >> 10));
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    OnNode(mark, "");
    builder_.Null(line_, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    OnNode(mark, "");
    builder_.Alias(line_, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    OnNode(mark, tag);
    builder_.Scalar(line_, value, tag == "!", anchor);  // yaml-cpp gives plain scalars the tag "?"
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    OnNode(mark, tag);
    builder_.StartList(line_, anchor);
  }
  void OnSequenceEnd() override { builder_.End(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    OnNode(mark, tag);
    builder_.StartMap(line_, anchor);
  }
  void OnMapEnd() override { builder_.End(); }

 private:
  void OnNode(const YAML::Mark& mark, const std::string& tag) {
    CheckReadAhead();
    text_.OnEvent();
    line_ = mark.line + 1;
    if (tag.size() > 1) builder_.Fail(line_, "tags (!) are not supported; remove it, or quote the text");
  }

  ConfigBuilder& builder_;
  MeteredText& text_;
  int line_ = 1;
};

void ParseYaml(std::string_view text, ConfigBuilder& builder) {
  // yaml-cpp 0.7 accepts a quote that is never closed if the text ends with a new line, so end with a comment
  // instead.
  MeteredText metered(std::string(text) + (text.ends_with('\n') ? "#" : "\n#"));
  std::istream stream(&metered);
  YamlEvents events(builder, metered);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(events)) {
    }
  } catch (const YAML::Exception& e) {
    events.CheckReadAhead();
    builder.Fail(std::clamp(e.mark.line + 1, 1, LineAt(text, text.size())),
                 fmt::format("invalid YAML: {}; check the indentation (spaces, no tabs), quotes and brackets "
                             "here and above",
                             e.msg));
  }
  events.CheckReadAhead();
}

// RapidJSON's SAX events. At an event, the stream is at its token; tokens contain no newline.
class JsonEvents {
 public:
  JsonEvents(ConfigBuilder& builder, std::string_view text, rapidjson::InsituStringStream& stream)
      : builder_(builder), text_(text), stream_(stream) {}

  bool Null() { return builder_.Null(Line()), true; }
  bool Bool(bool value) { return builder_.Scalar(Line(), value ? "true" : "false", false), true; }
  bool RawNumber(const char* data, rapidjson::SizeType size, bool) {
    return builder_.Scalar(Line(), std::string(data, size), false), true;
  }
  bool String(const char* data, rapidjson::SizeType size, bool) {
    return builder_.Scalar(Line(), std::string(data, size), true), true;
  }
  bool Key(const char* data, rapidjson::SizeType size, bool copy) { return String(data, size, copy); }
  bool StartArray() { return builder_.StartList(Line()), true; }
  bool StartObject() { return builder_.StartMap(Line()), true; }
  bool EndArray(rapidjson::SizeType) { return builder_.End(), true; }
  bool EndObject(rapidjson::SizeType) { return builder_.End(), true; }
  // Numbers arrive as RawNumber.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }

 private:
  int Line() {
    const std::size_t offset = stream_.Tell();
    line_ += LineAt(text_.substr(counted_), offset - counted_) - 1;
    counted_ = offset;
    return line_;
  }

  ConfigBuilder& builder_;
  std::string_view text_;
  rapidjson::InsituStringStream& stream_;
  std::size_t counted_ = 0;
  int line_ = 1;
};

void ParseJson(std::string_view text, ConfigBuilder& builder) {
  std::string copy(text);
  // Parses in place. Otherwise, RapidJSON's own stack would add to a null pointer (undefined behaviour) on
  // first use.
  rapidjson::InsituStringStream stream(copy.data());
  JsonEvents events(builder, text, stream);
  rapidjson::Reader reader;
  constexpr unsigned kFlags = rapidjson::kParseInsituFlag | rapidjson::kParseNumbersAsStringsFlag;
  const auto result = reader.Parse<kFlags>(stream, events);
  if (result.IsError()) {
    builder.Fail(LineAt(text, std::min(result.Offset(), text.size())),
                 fmt::format("invalid JSON: {} A configuration that begins with {{ or [ is read as JSON.",
                             rapidjson::GetParseError_En(result.Code())));
  }
}

}  // namespace

ConfigValue ParseConfig(std::string_view text, const std::string& source_name, ConfigLimits limits) {
  ConfigBuilder builder(source_name, limits.nodes, limits.allows_aliases);
  const std::size_t max_bytes = limits.bytes;
  if (text.size() > max_bytes) {
    builder.Fail(LineAt(text, max_bytes),
                 fmt::format("more than {} bytes; shorten the configuration", max_bytes));
  }
  CheckCharacters(text, builder);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '{' || text[first] == '[')) {
    ParseJson(text, builder);
  } else {
    ParseYaml(text, builder);
  }
  return builder.Take();
}

}  // namespace leafscore::internal
