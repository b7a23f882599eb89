// engine/json/json_writer.h: writes JSON text value by value, with commas, colons and line breaks.
//
// The caller opens and closes containers, and writes keys and values in order; the writer adds the
// punctuation. It appends to the caller's text and never reads it, so the caller may move finished text
// elsewhere at any time.
// THREADS: one at a time; writers of different texts are independent.
#ifndef LEAFSCORE_ENGINE_JSON_JSON_WRITER_H_
#define LEAFSCORE_ENGINE_JSON_JSON_WRITER_H_

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/json/json_text.h"

namespace leafscore::internal {

enum class JsonLayout : std::uint8_t {
  kOneLine,   // {"a": 1, "b": [2, 3]}
  kCompact,   // {"a":1,"b":[2,3]}
  kIndented,  // a line for each member and element, indented by two spaces
};

// A key known at compile time, with its quotes and its punctuation in the layout kOneLine.
// REQUIRES: lower-case letters and underscores.
template <std::size_t kSize>
struct LiteralKey {
  consteval LiteralKey(const char (&name)[kSize]) {
    char* out = std::ranges::copy(std::string_view(", \""), text).out;
    for (const char c : std::string_view(name)) {
      if (c != '_' && (c < 'a' || c > 'z')) throw "not plain";  // not a constant expression: does not compile
      *out++ = c;
    }
    std::ranges::copy(std::string_view("\": "), out);
  }
  constexpr std::string_view member() const { return {text, sizeof text}; }
  constexpr std::string_view first_member() const { return member().substr(2); }
  constexpr std::string_view name() const { return {text + 3, kSize - 1}; }

  char text[kSize + 5] = {};
};

class JsonWriter {
 public:
  // Writes one value at the end of `out`, which must outlive the writer.
  explicit JsonWriter(std::string& out, JsonLayout layout = JsonLayout::kOneLine)
      : out_(out), layout_(layout) {}

  void StartObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void StartArray() { Open('['); }
  void EndArray() { Close(']'); }

  // Writes the key of a member; its value comes next.
  // REQUIRES: an object is open; valid UTF-8.
  // RETURNS:  the writer, to write that value: json.Key("a").Integer(1).
  JsonWriter& Key(std::string_view utf8);

  // Writes a key known at compile time: json.Key<"a">().Integer(1). This is several times as fast, and meant
  // for members that every record has.
  template <LiteralKey kKey>
  JsonWriter& Key() {
    if (layout_ != JsonLayout::kOneLine) return Key(kKey.name());
    if (next_ == Next::kFirst) {
      out_ += kKey.first_member();
    } else {
      out_ += kKey.member();
    }
    next_ = Next::kMemberValue;
    return *this;
  }

  // Writes a string.
  // REQUIRES: valid UTF-8.
  void String(std::string_view utf8);

  // Writes any bytes as a string, with U+FFFD for each byte that is not part of valid UTF-8.
  void LossyString(std::string_view bytes);

  // Writes an optional string as LossyString does; null for nullopt.
  void LossyStringOrNull(const auto& bytes) {
    if (bytes) {
      LossyString(*bytes);
    } else {
      Null();
    }
  }

  // Writes a decimal that reads back as the same double, as AppendJsonNumber does; null for NaN and nullopt.
  // In kIndented, it is the spelling with the fewest characters (1e-04 for 0.0001).
  // REQUIRES: not infinite.
  void Number(double value);
  void Number(std::optional<double> value);

  void Integer(std::integral auto value) {
    char digits[24];
    Raw(std::string_view(digits, std::to_chars(digits, digits + sizeof digits, value).ptr));
  }
  void Bool(bool value) { RawValue() += value ? "true" : "false"; }
  void Null() { RawValue() += "null"; }

  // Writes an array: calls write(item), which writes one or more elements, for each item.
  template <class Items, class Write>
  void Array(const Items& items, const Write& write) {
    StartArray();
    for (const auto& item : items) write(item);
    EndArray();
  }
  void LossyStrings(const auto& texts) {
    Array(texts, [&](std::string_view text) { LossyString(text); });
  }

  // Writes an object: write() writes its members.
  template <class Write>
  void Object(const Write& write) {
    StartObject();
    write();
    EndObject();
  }

  // Writes the value that write(json) writes, on one line in every layout.
  template <class Write>
  void Line(const Write& write) {
    std::string line;
    JsonWriter json(line);
    write(json);
    Raw(line);
  }

  // Appends text that is already JSON.
  void Raw(std::string_view json) { RawValue() += json; }
  JsonWriter& RawKey(std::string_view json) {
    Raw(json);
    return EndKey();
  }

  // Returns the text, to which the caller appends one value as JSON.
  std::string& RawValue() {
    if (next_ != Next::kMemberValue) Separate();
    next_ = Next::kFurther;
    return out_;
  }

 private:
  // The role of the next key or value.
  enum class Next : std::uint8_t {
    kMemberValue,  // the value after a key, or the value of the whole text
    kFirst,        // the first in a container
    kFurther,      // a further one in a container
  };

  JsonWriter& EndKey() {
    out_ += layout_ == JsonLayout::kCompact ? ":" : ": ";
    next_ = Next::kMemberValue;
    return *this;
  }
  void Open(char bracket) {
    RawValue() += bracket;
    next_ = Next::kFirst;
    ++depth_;
  }
  void Close(char bracket) {
    --depth_;
    if (layout_ == JsonLayout::kIndented && next_ == Next::kFurther) BreakLine();
    out_ += bracket;
    next_ = Next::kFurther;
  }
  void Separate();
  void BreakLine();

  std::string& out_;
  const JsonLayout layout_;
  Next next_ = Next::kMemberValue;
  std::uint32_t depth_ = 0;  // the number of open containers
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_JSON_WRITER_H_
