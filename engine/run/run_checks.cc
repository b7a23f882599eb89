#include "engine/run/run_checks.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "engine/judge/judge_service.h"
#include "engine/render/cells.h"
#include "engine/run/path_presence.h"
#include "engine/run/record_survey.h"
#include "leafscore/error.h"

namespace leafscore::internal {

void RunChecks::NoteFault(const ScoredBatch& scored) {
  if (!first_fault_.empty() || scored.first_fault.empty()) return;
  first_fault_ = fmt::format("{}, {}", options_.inputs[scored.batch.input], scored.first_fault);
}

void RunChecks::LookForMistypedFields(const FieldPresence& presence) {
  constexpr std::uint64_t kFirstRecords = 10'000;
  if (has_looked_at_fields_ || presence.records < kFirstRecords) return;
  has_looked_at_fields_ = true;
  std::vector<WantedField> wanted = WantedFields(options_, scorers_.needs_expected());
  // A group field may occur only in later records, and its name may be similar to that of another field.
  std::erase_if(wanted, [](const WantedField& field) { return field.option == "--group-by"; });
  try {
    CheckNearFields(presence, wanted,
                    fmt::format("none of the first {} records", WithThousands(presence.records)));
  } catch (const Error&) {
    lacks_field_ = true;
    throw;
  }
}

void RunChecks::CheckWhole(const FieldPresence& presence, const std::vector<FieldPresence>& paths,
                           const BatchScorer& judged, RunSummary& summary) {
  const std::vector<WantedField> wanted = WantedFields(options_, scorers_.needs_expected());
  if (!AbsentFields(presence, wanted).empty()) {
    lacks_field_ = true;
    CheckFieldsAreThere(presence, wanted, "no record", AdviceOnInput(presence));
  }
  summary.interval_by() = options_.interval_by;
  summary.SetAbsentPaths(AbsentPaths(judged, paths));
  if (!options_.allow_absent_paths) CheckPathsLead(judged, paths);
  const bool only_counts = options_.judges != nullptr && options_.judges->only_counts();
  if (!only_counts) CheckSomethingScored(summary);
}

// Returns the end of a message, which says what to do about an input without the fields. An input that can be
// read again is searched for output of a service.
std::string RunChecks::AdviceOnInput(const FieldPresence& presence) const {
  const std::string& input = options_.inputs.front();
  std::error_code error;
  if (std::filesystem::is_regular_file(input, error)) {
    FileOptions options;
    options.input_format = options_.input_format;
    options.stop = options_.stop;
    const RecordSurvey survey = SurveyRecords(input, options);
    if (survey.service) return survey.service->Advice();
  }
  return std::string(AdviceOn(presence));
}

// Checks that at least one record was scored, so that the output may replace an earlier one.
void RunChecks::CheckSomethingScored(const RunSummary& summary) const {
  if (summary.totals().records_read == 0) throw Error(ErrorCode::kInput, "the input holds no records");
  for (std::size_t s = 0; s < summary.scorer_names().size(); ++s) {
    if (summary.Overall(s).counts().scored != 0) return;
  }
  throw Error(
      ErrorCode::kInput,
      fmt::format("not one record was scored{}{}; the output (or the table above) says why, record by "
                  "record",
                  first_fault_.empty() ? "" : "; ", first_fault_));
}

}  // namespace leafscore::internal
