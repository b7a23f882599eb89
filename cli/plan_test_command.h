// cli/plan_test_command.h: leafscore plan-test.
#ifndef LEAFSCORE_CLI_PLAN_TEST_COMMAND_H_
#define LEAFSCORE_CLI_PLAN_TEST_COMMAND_H_

#include <CLI/App.hpp>

namespace leafscore::internal {

void AddPlanTestCommand(CLI::App& app);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_PLAN_TEST_COMMAND_H_
