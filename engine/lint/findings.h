// engine/lint/findings.h: adds findings to a report, and formats numbers of records in their sentences.
// Stateless.
#ifndef LEAFSCORE_ENGINE_LINT_FINDINGS_H_
#define LEAFSCORE_ENGINE_LINT_FINDINGS_H_

#include <fmt/format.h>

#include <string>
#include <utility>

#include "engine/render/cells.h"
#include "leafscore/lint.h"

namespace leafscore::internal {

// Adds a finding about the records with these ids, unless there are none.
inline void AddAbout(const ListedIds& ids, LintFinding finding, LintReport& report) {
  if (ids.count == 0) return;
  finding.ids = ids;
  finding.numbers.emplace_back("records", static_cast<double>(ids.count));
  report.findings.push_back(std::move(finding));
}

// Returns "1 record", "2 records".
inline std::string RecordsOf(const ListedIds& ids) {
  return fmt::format("{} record{}", WithThousands(ids.count), ids.count == 1 ? "" : "s");
}

// Returns "1 record has", "2 records have", and the like.
inline std::string RecordsHave(const ListedIds& ids) {
  return RecordsOf(ids) + (ids.count == 1 ? " has" : " have");
}
inline std::string RecordsAre(const ListedIds& ids) {
  return RecordsOf(ids) + (ids.count == 1 ? " is" : " are");
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_FINDINGS_H_
