#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "leafscore/report.h"

namespace leafscore::internal {
namespace {

std::string Refusal(const Gates& gates) {
  RunReport report;
  report.scorers.push_back({.scorer = "s", .figures = {.asked = 1, .scored = 1}});
  try {
    FailedGates(report, gates);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "none";
}

TEST(Gates, ThatAreNoNumbersAreRefused) {
  const std::string message = "a gate is NaN, which nothing reaches; give a number";
  EXPECT_EQ(Refusal({.fail_under = {{.least = std::nan("")}}}), message);
  EXPECT_EQ(Refusal({.min_pass_rate = {{"s", 0.5}, {"s", std::nan("")}}}), message);
  EXPECT_EQ(Refusal({.min_coverage = std::nan("")}), message);
  EXPECT_EQ(Refusal({.max_errors = ErrorLimit{.share = std::nan("")}}), message);
  EXPECT_EQ(Refusal({.fail_under = {{.least = INFINITY}}, .max_errors = ErrorLimit{.share = 0.5}}), "none");
}

}  // namespace
}  // namespace leafscore::internal
