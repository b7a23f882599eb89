// Fuzzes the reader of configurations: any text ends in a value or in an Error that names its source, and a
// text in JSON gives the tree that the slow reference reads.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/limits.h"
#include "engine/config/config_parser.h"
#include "fuzz/fuzz_check.h"
#include "json/json_reference.h"

namespace leafscore::internal {
namespace {

struct Reading {
  std::optional<ConfigValue> value;
  std::string refusal;
};

Reading Read(std::string_view text) {
  try {
    return {ParseConfig(text, "fuzzed"), ""};
  } catch (const Error& error) {
    Check(error.code() == ErrorCode::kUsage && std::string_view(error.what()).starts_with("fuzzed"),
          error.what());
    return {std::nullopt, error.what()};
  }
}

bool Agree(const ConfigValue& read, const reference::Value& expected) {
  using Kind = reference::Value::Kind;
  switch (expected.kind) {
    case Kind::kNull:
      return read.kind == ConfigValue::Kind::kNull;
    case Kind::kFalse:
    case Kind::kTrue:
      return !read.quoted && read.scalar == (expected.kind == Kind::kTrue ? "true" : "false");
    case Kind::kNumber:
    case Kind::kString:
      return read.kind == ConfigValue::Kind::kScalar && read.scalar == expected.text &&
             read.quoted == (expected.kind == Kind::kString);
    case Kind::kArray:
      return read.kind == ConfigValue::Kind::kList &&
             std::equal(read.items.begin(), read.items.end(), expected.items.begin(), expected.items.end(),
                        Agree);
    case Kind::kObject:
      break;
  }
  if (read.kind != ConfigValue::Kind::kMap || read.members.size() != expected.keys.size()) return false;
  for (std::size_t i = 0; i < expected.keys.size(); ++i) {
    if (read.members[i].key != expected.keys[i] || !Agree(read.members[i].value, expected.items[i]))
      return false;
  }
  return true;
}

void CheckConfig(std::string_view text) {
  const Reading read = Read(text);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos || (text[begin] != '{' && text[begin] != '['))
    return;  // YAML, which has no reference here
  const std::optional<reference::Parsed> expected = reference::Parse(text, kMaxConfigDepth.default_value);
  const bool is_valid = expected && !expected->outside_grammar;
  if (read.value) {
    Check(is_valid, "no JSON, and taken");
    Check(Agree(*read.value, expected->value), "another tree: " + reference::Show(expected->value));
  } else {
    // JSON may have keys that are equal, empty or those of a merge, and exponents that RapidJSON refuses
    // (even 0e999).
    const auto names = [&](std::string_view word) { return read.refusal.find(word) != std::string::npos; };
    Check(!is_valid || names("key") || names("too big to be stored in double"),
          "JSON that is refused: " + read.refusal);
  }
}

}  // namespace
}  // namespace leafscore::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  leafscore::internal::CheckConfig({reinterpret_cast<const char*>(data), size});
  return 0;
}
