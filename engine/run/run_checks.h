// engine/run/run_checks.h: checks that a run over files has found what its options name, so that its figures
// mean something. THREADS: one.
#ifndef LEAFSCORE_ENGINE_RUN_RUN_CHECKS_H_
#define LEAFSCORE_ENGINE_RUN_RUN_CHECKS_H_

#include <string>
#include <vector>

#include "engine/report/run_summary.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/field_presence.h"
#include "engine/run/scored_batch.h"
#include "engine/run/scorer_set.h"
#include "leafscore/files.h"

namespace leafscore::internal {

class RunChecks {
 public:
  // REQUIRES: both arguments outlive this.
  RunChecks(const ScorerSet& scorers, const FileOptions& options) : scorers_(scorers), options_(options) {}

  // Remembers the first record that was rejected.
  void NoteFault(const ScoredBatch& scored);

  // Ends a long run early if its first records lack a wanted field, but have a field with nearly the same
  // name. ERRORS: Error(kInput).
  void LookForMistypedFields(const FieldPresence& presence);

  // Checks that the output may get its name. Tells the summary how intervals are made, and which paths in the
  // options of scorers lead nowhere in any expected value. `judged` lists these paths, and `paths` is their
  // presence.
  // ERRORS: Error(kInput) for a field that no record has, for such a path unless the options allow it, and if
  // no record was scored, unless the run only counts or collects questions to models.
  void CheckWhole(const FieldPresence& presence, const std::vector<FieldPresence>& paths,
                  const BatchScorer& judged, RunSummary& summary);

  // Returns whether the checks have found an option that names an absent field.
  bool lacks_field() const { return lacks_field_; }

 private:
  std::string AdviceOnInput(const FieldPresence& presence) const;
  void CheckSomethingScored(const RunSummary& summary) const;

  const ScorerSet& scorers_;
  const FileOptions& options_;
  bool has_looked_at_fields_ = false;
  bool lacks_field_ = false;
  std::string first_fault_;  // why the first rejected record was rejected; empty if no record was
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RUN_CHECKS_H_
