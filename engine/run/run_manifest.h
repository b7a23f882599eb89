// engine/run/run_manifest.h: makes the manifest of a run over files. Keeps no state.
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

// Returns what is known before the run: version, scorers and options.
Manifest BeginManifest(const ScorerSet& scorers, const FileOptions& options);

// Returns the facts that must be the same for a run to resume an earlier one.
std::vector<RunFact> FactsOf(const Manifest& begun, const FileOptions& options);

// Returns whether a file begins like a manifest or, with `or_part`, is the beginning of a manifest. False if
// the file does not exist or is not regular.
bool BeginsAsManifest(const std::string& name, bool or_part = false);

// Checks that the manifest of an output would replace nothing but an earlier manifest.
// ERRORS: Error(kOutput).
void CheckManifestPlace(const std::string& output);

// Returns the manifest's description of a file that was read to its end.
template <class AnyChecksum>
Manifest::File FileOf(const std::string& name, const AnyChecksum& read) {
  return {name, read.bytes(), read.Text()};
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RUN_MANIFEST_H_
