#include "engine/lint/accepted.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/lint/lint_names.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Returns the subjects in a text of names separated by colons; a name may contain colons itself.
std::vector<std::string> SplitSubjects(std::string_view text, std::span<const std::string_view> known) {
  std::vector<std::string> subjects;
  for (;;) {
    // The longest known name at the start of the text; if there is none, the part before the next colon.
    std::string_view found = text.substr(0, text.find(':'));
    for (const std::string_view name : known) {
      const bool fits = text == name || (text.starts_with(name) && text.substr(name.size()).starts_with(':'));
      if (fits && name.size() > found.size()) found = name;
    }
    if (std::ranges::find(known, found) == known.end()) {
      throw Error(ErrorCode::kUsage,
                  "--accept: " + UnknownNameMessage("scorer, answer or input", found, known));
    }
    subjects.emplace_back(found);
    if (found.size() == text.size()) return subjects;
    text.remove_prefix(found.size() + 1);
  }
}

}  // namespace

AcceptedFindings::AcceptedFindings(std::span<const std::string> accept,
                                   std::span<const std::string_view> subjects) {
  const std::vector<std::string_view> kinds = LintKindNames();
  for (const std::string& text : accept) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    Accepted accepted{text, text.substr(0, colon), {}};
    if (std::ranges::find(kinds, accepted.kind) == kinds.end()) {
      throw Error(ErrorCode::kUsage, "--accept: " + UnknownNameMessage("finding", accepted.kind, kinds));
    }
    if (colon < text.size()) {
      accepted.subjects = SplitSubjects(std::string_view(text).substr(colon + 1), subjects);
    }
    accepted_.push_back(std::move(accepted));
  }
}

void AcceptedFindings::Mark(LintReport& report) const {
  for (const Accepted& accepted : accepted_) {
    bool any = false;
    for (LintFinding& finding : report.findings) {
      const auto has = [&](const std::string& subject) {
        return subject == finding.scorer || subject == finding.answer || subject == finding.source;
      };
      if (LintKindName(finding.kind) != accepted.kind || !std::ranges::all_of(accepted.subjects, has))
        continue;
      finding.accepted = any = true;
    }
    if (!any) report.accepted_not_found.push_back(accepted.text);
  }
}

}  // namespace leafscore::internal
