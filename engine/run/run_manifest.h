// engine/run/run_manifest.h: the manifest of a run over files. Keeps no state.
#ifndef LEAFSCORE_ENGINE_RUN_RUN_MANIFEST_H_
#define LEAFSCORE_ENGINE_RUN_RUN_MANIFEST_H_

#include <string>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/run/run_journal.h"
#include "engine/run/scorer_set.h"
#include "engine/scores/manifest.h"
#include "leafscore/files.h"

namespace leafscore::internal {

// Returns what is known before the run: its version, scorers and options.
Manifest BeginManifest(const ScorerSet& scorers, const FileOptions& options);

// Returns what must be as it was for a run to go on with what an earlier one left.
std::vector<RunFact> FactsOf(const Manifest& begun, const FileOptions& options);

// Tells whether a file begins as a manifest, or with `or_part` holds less than that, and nothing else. False
// for one that is not there or no regular file.
bool BeginsAsManifest(const std::string& name, bool or_part = false);

// Checks that where the manifest of an output is to be lies nothing but an earlier manifest.
// ERRORS: Error(kOutput).
void CheckManifestPlace(const std::string& output);

// Returns a file that was read to its end.
template <class AnyChecksum>
Manifest::File FileOf(const std::string& name, const AnyChecksum& read) {
  return {name, read.bytes(), read.Text()};
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RUN_MANIFEST_H_
