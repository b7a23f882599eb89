// cli/option_groups.h: the groups in which help shows the options of a command.
#ifndef LEAFSCORE_CLI_OPTION_GROUPS_H_
#define LEAFSCORE_CLI_OPTION_GROUPS_H_

#include <CLI/App.hpp>
#include <string_view>

namespace leafscore::internal {

inline constexpr char kInputGroup[] = "Input";
inline constexpr char kFieldsGroup[] = "Fields of a record";
inline constexpr char kGoldGroup[] = "Gold";
inline constexpr char kScorersGroup[] = "Scorers";
inline constexpr char kOutputGroup[] = "Output";
inline constexpr char kGatesGroup[] = "Gates";
inline constexpr char kComparisonGroup[] = "Comparison";
inline constexpr char kComparisonGatesGroup[] = "Gates on the comparison";
inline constexpr char kLooksGroup[] = "Records that are still being collected";
inline constexpr char kRepeatsGroup[] = "Tests that are run several times";
inline constexpr char kJudgesGroup[] = "Judges";
inline constexpr char kLimitsGroup[] = "Limits";
inline constexpr char kMachineGroup[] = "Machine";

// In the order in which help shows them. Options of other groups follow.
inline constexpr const char* kOptionGroups[] = {
    kInputGroup,      kFieldsGroup,          kGoldGroup,  kScorersGroup, kOutputGroup, kGatesGroup,
    kComparisonGroup, kComparisonGatesGroup, kLooksGroup, kRepeatsGroup, kJudgesGroup, kLimitsGroup,
    kMachineGroup};

// Puts the options that are added to the command from now on into a group.
inline void StartGroup(CLI::App& command, const char* group) { command.option_defaults()->group(group); }

// Returns an option of the command. CLI11's own get_option ends the process if there is no memory for a copy
// of the name. REQUIRES: the command has the option.
inline CLI::Option* OptionOf(CLI::App& command, std::string_view flag) {
  for (CLI::Option* const option : command.get_options({})) {
    if (option->get_name() == flag) return option;
  }
  return nullptr;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_OPTION_GROUPS_H_
