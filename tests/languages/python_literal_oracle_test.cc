// What python3 itself says of thousands of literals, and of as many that are damaged.
#include <gtest/gtest.h>

#include <string>

#include "engine/languages/python_literal.h"
#include "languages/python_literal_generator.h"
#include "languages/python_oracle.h"

namespace leafscore::internal {
namespace {

TEST(PythonLiteralOracle, AgreesWithPython) {
  PythonOracle oracle(LEAFSCORE_TEST_DATA "/../languages/python_literal_oracle.py");
  if (!oracle.available()) GTEST_SKIP() << "needs python3, 3.9 or later";

  constexpr int kLiterals = 20000;
  int accepted = 0;
  corpus::Random random(20250301, 0);
  for (int i = 0; i < kLiterals; ++i) {
    std::string text = RandomPythonLiteral(random);
    if (i % 2 == 1) text = DamagedPythonLiteral(text, random);
    std::string json;
    const bool read = PythonLiteralToJson(text, json);
    ASSERT_EQ(oracle.Ask(text, read ? &json : nullptr), read ? "accepted" : "refused");
    accepted += read;
  }
  EXPECT_GT(accepted, kLiterals / 4);
}

}  // namespace
}  // namespace leafscore::internal
