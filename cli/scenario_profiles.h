// cli/scenario_profiles.h: selects scenarios by name, as AssetOpsBench does: fcc+fmsr_lite means the
// scenarios of the categories fcc and fmsr in the profile lite, a file such as
//
//   fcc: [501, 502]
//   fmsr: [104]
#ifndef LEAFSCORE_CLI_SCENARIO_PROFILES_H_
#define LEAFSCORE_CLI_SCENARIO_PROFILES_H_

#include <string>
#include <vector>

namespace leafscore::internal {

// Returns the selected ids, each once. A value that selects from a profile stands for the ids of that
// selection; any other value is an id. `profiles` is a folder with files such as lite.yaml (.yml, .json), one
// such file, or empty.
// ERRORS: Error(kUsage) for a category that the profile lacks, for a file that is not a profile, for a folder
// without profiles, and if, with `profiles`, no value selects from a profile or no id is selected;
// Error(kInput) if a profile cannot be read.
std::vector<std::string> ResolveScenarioIds(const std::vector<std::string>& values,
                                            const std::string& profiles);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_SCENARIO_PROFILES_H_
