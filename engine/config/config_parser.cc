// Two parsers, one builder. yaml-cpp 0.7 would read most JSON as YAML, but it refuses surrogate pairs such as
// "\ud83d\ude00" and accepts what no JSON reader takes, so JSON goes to RapidJSON.
#include "engine/config/config_parser.h"

#include <fmt/format.h>
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstddef>
#include <istream>
#include <streambuf>
#include <string>
#include <utility>

#include "engine/base/limits.h"
#include "engine/base/utf8.h"
#include "engine/config/config_builder.h"

namespace leafscore::internal {
namespace {

int LineAt(std::string_view text, std::size_t offset) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + offset, '\n'));
}

void CheckCharacters(std::string_view text, const ConfigBuilder& builder) {
  const std::size_t valid = FindInvalidUtf8(text);
  if (valid < text.size()) builder.Fail(LineAt(text, valid), "invalid UTF-8; save the file as UTF-8");
  // Neither format allows these, but yaml-cpp reads on, and takes byte 4 for the end of the text.
  const auto control = std::find_if(text.begin(), text.end(), [](unsigned char c) {
    return c < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
  if (control != text.end()) {
    builder.Fail(LineAt(text, static_cast<std::size_t>(control - text.begin())),
                 fmt::format("control character U+{:04X}; remove it", static_cast<int>(*control)));
  }
}

// Hands the text to yaml-cpp in small pieces and ends it early when too much is read without an event: an
// open [ might turn out to be a key, so yaml-cpp holds all tokens from there until it is closed.
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

  // yaml-cpp takes the early end for that of the text, and makes events and errors of it.
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
  // yaml-cpp 0.7 takes a quote that is never closed for closed when the text ends with a new line, so it ends
  // with a comment instead.
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

// RapidJSON's SAX events. The stream stands at the token of the event, and no token holds a newline.
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
  // Numbers come as RawNumber.
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
  // In place, as RapidJSON's own stack adds to a null pointer (undefined behaviour) when it is first used.
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
