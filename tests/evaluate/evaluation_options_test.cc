#include <gtest/gtest.h>

#include <string>

#include "io/io_test_util.h"
#include "leafscore/evaluate.h"

namespace leafscore::internal {
namespace {

TEST(EvaluationOptions, PathsThatAreMissingOrHoldANullByteAreRefused) {
  TempDir folder;
  const EvaluationOptions good = {.trajectories = folder / "runs",
                                  .scenarios = {folder / "scenarios"},
                                  .reports_dir = folder / "reports"};
  std::filesystem::create_directories(good.trajectories);
  const auto refusal = [](const EvaluationOptions& options) -> std::string {
    try {
      Evaluate(options);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return error.what();
    }
    return "none";
  };
  EvaluationOptions options = good;
  options.trajectories = "";
  EXPECT_EQ(refusal(options), "no --trajectories were named; name a folder or a file of agent runs");
  options = good;
  options.scenarios = {};
  EXPECT_EQ(refusal(options), "no --scenarios were named; name folders or files of scenarios");
  for (std::string EvaluationOptions::*path :
       {&EvaluationOptions::trajectories, &EvaluationOptions::reports_dir}) {
    options = good;
    (options.*path).push_back('\0');
    EXPECT_NE(refusal(options).find("holds a null byte"), std::string::npos);
  }
}

}  // namespace
}  // namespace leafscore::internal
