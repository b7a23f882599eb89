// cli/scenario_profiles.h: scenarios selected by name, as AssetOpsBench does: fcc+fmsr_lite are those of the
// categories fcc and fmsr in the profile lite, a file such as
//
//   fcc: [501, 502]
//   fmsr: [104]
#ifndef LEAFSCORE_CLI_SCENARIO_PROFILES_H_
#define LEAFSCORE_CLI_SCENARIO_PROFILES_H_

#include <string>
#include <vector>

namespace leafscore::internal {

// Returns the ids that are meant: selections of a profile stand for theirs, each id once, and all else is an
// id. `profiles` is a folder with lite.yaml (.yml, .json) and so on, one such file, or empty.
// ERRORS: Error(kUsage) for a category that the profile lacks, for what is no profile, and where nothing at
//         all is a selection of the profiles; Error(kInput) when one cannot be read.
std::vector<std::string> ResolveScenarioIds(const std::vector<std::string>& values,
                                            const std::string& profiles);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_SCENARIO_PROFILES_H_
