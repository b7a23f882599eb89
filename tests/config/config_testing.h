// tests/config/config_testing.h: shows errors and trees as text for the tests of this folder.
#ifndef LEAFSCORE_TESTS_CONFIG_CONFIG_TESTING_H_
#define LEAFSCORE_TESTS_CONFIG_CONFIG_TESTING_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/config/config_parser.h"
#include "engine/config/config_value.h"
#include "leafscore/error.h"

namespace leafscore::internal {

// Runs `action`. RETURNS: the text of the usage error that it threw, "no error", or what else it threw.
template <typename Action>
std::string ErrorOf(Action&& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.code() == ErrorCode::kUsage ? e.what() : "not a usage error: " + std::string(e.what());
  } catch (const std::exception& e) {
    return "not of ours: " + std::string(e.what());
  }
  return "no error";
}

inline std::string ParseError(std::string_view text) {
  return ErrorOf([&] { ParseConfig(text, "c.yaml"); });
}

// Writes a tree on one line: null ~, plain scalars bare, quoted ones in '', lists [], maps {}.
inline std::string Show(const ConfigValue& value) {
  std::string out;
  switch (value.kind) {
    case ConfigValue::Kind::kNull:
      return "~";
    case ConfigValue::Kind::kScalar:
      return value.quoted ? "'" + value.scalar + "'" : value.scalar;
    case ConfigValue::Kind::kList:
      for (const ConfigValue& item : value.items) out += (out.empty() ? "" : ", ") + Show(item);
      return "[" + out + "]";
    case ConfigValue::Kind::kMap:
      for (const ConfigMember& member : value.members) {
        out += (out.empty() ? "" : ", ") + member.key + ": " + Show(member.value);
      }
      return "{" + out + "}";
  }
  return out;
}

inline std::string Parsed(std::string_view text) { return Show(ParseConfig(text, "c.yaml")); }

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_CONFIG_CONFIG_TESTING_H_
