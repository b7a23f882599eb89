// engine/scores/compare_manifests.h: checks whether scores of several outputs can be compared. Keeps no
// state.
#ifndef LEAFSCORE_ENGINE_SCORES_COMPARE_MANIFESTS_H_
#define LEAFSCORE_ENGINE_SCORES_COMPARE_MANIFESTS_H_

#include <span>
#include <string>
#include <vector>

#include "engine/scores/manifest.h"
#include "leafscore/files.h"

namespace leafscore::internal {

struct NamedManifest {
  std::string output;  // owner of the manifest, for messages
  Manifest manifest;
};

// Checks that all outputs were scored alike. Scorers of the same name must have the same programs, gold and
// options that change scores, and the same ids must have the same expected values. With `same_ids`, all
// outputs must also have been asked the same ids. Without `same_base`, their answers may have been compared
// with answers of different models (--versus).
// RETURNS: a sentence for each difference that may affect scores, but need not: another version of leafscore,
// or ids and expected values that cannot be compared because records have no id or could not be read. It also
// returns a sentence for each output that was scored from the same answers as an earlier one.
std::vector<std::string> CompareManifests(std::span<const NamedManifest> manifests, bool same_ids,
                                          bool same_base = true);

// Returns a sentence for each tool other than leafscore that computed scores, and one if there are several.
std::vector<std::string> OriginNotes(std::span<const NamedManifest> manifests);

// Checks that `repeats` is the choice of the run, if the run had gold and did not refuse repeated answers.
// Another choice among several answers to one id would give other figures. ERRORS: Error(kUsage) that names
// the output.
void CheckRepeats(const NamedManifest& scores, Repeats repeats);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORES_COMPARE_MANIFESTS_H_
