#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/lint/checks.h"
#include "engine/lint/findings.h"
#include "engine/report/join_summary.h"
#include "engine/scorers/accepted_values.h"

namespace leafscore::internal {
namespace {

struct ScorerTally {
  ListedIds unscored;
  std::string first_message;
  ListedIds imperfect;
  double least = 1;
  ListedIds nothing_compared;
};

void Tell(const ScorerTally& tally, const std::string& scorer, LintReport& report) {
  AddAbout(tally.unscored,
           {.severity = LintSeverity::kError,
            .kind = LintKind::kUnscorableGold,
            .scorer = scorer,
            .message = fmt::format("{} no score with the gold as the answer; the first: {}.",
                                   RecordsHave(tally.unscored), tally.first_message),
            .advice = "Correct the gold or the scorer's options: no answer to these can be right."},
           report);
  AddAbout(tally.imperfect,
           {.severity = LintSeverity::kError,
            .kind = LintKind::kGoldNotPerfect,
            .scorer = scorer,
            .message =
                fmt::format("{} a score below 1, or no pass, with the gold as the answer; the least score is "
                            "{:.4f}.",
                            RecordsHave(tally.imperfect), tally.least),
            .advice =
                "Write this gold as the scorer reads it, or choose another scorer: no answer to these can be "
                "right."},
           report);
  AddAbout(tally.nothing_compared,
           {.severity = LintSeverity::kWarning,
            .kind = LintKind::kNothingCompared,
            .scorer = scorer,
            .message = fmt::format("In {}, the scorer compares nothing, whatever the answer.",
                                   RecordsOf(tally.nothing_compared)),
            .advice = "Expect something of these records, or name other paths in the scorer's options."},
           report);
}

void ReportAbsent(const std::vector<std::string>& absent, const std::string& scorer, LintReport& report) {
  if (absent.empty()) return;
  LintFinding& finding = report.findings.emplace_back();
  finding.severity = LintSeverity::kError;
  finding.kind = LintKind::kAbsentPath;
  finding.scorer = scorer;
  for (const std::string& path : absent) AddId(path, finding.paths);
  finding.numbers = {{"paths", static_cast<double>(absent.size())}};
  finding.message = "Paths in the options of the scorer lead nowhere in any expected value.";
  finding.advice = "Correct them: the values that they should compare, weigh or ignore do not exist.";
}

}  // namespace

void CheckAgainstItself(const GoldRecords& gold, const std::vector<std::string>& scorers, BatchJudge& judge,
                        LintReport& report) {
  std::vector<ScorerTally> tallies(scorers.size());
  judge.SetTake([&](const Judgement& judgement) {
    ScorerTally& tally = tallies[judgement.scorer];
    const std::string id = gold.Name(judgement.row);
    if (!judgement.scored) {
      if (tally.unscored.count == 0) tally.first_message = judgement.message;
      AddId(id, tally.unscored);
    } else if (judgement.nothing_compared) {
      AddId(id, tally.nothing_compared);
    } else if (!judgement.is_full()) {
      AddId(id, tally.imperfect);
      tally.least = std::min(tally.least, judgement.score);
    }
  });
  for (std::uint32_t row = 0; row < gold.size(); ++row) {
    const auto expected = gold.Expected(row);
    if (!expected) continue;
    if (judge.any_of_key().empty()) {
      judge.Add(row, expected, *expected);
    } else {
      judge.Add(row, expected, WithFirstAccepted(*expected, judge.any_of_key()));
    }
  }
  judge.Flush();
  const std::vector<std::vector<std::string>> absent = judge.AbsentPaths();
  for (std::size_t s = 0; s < scorers.size(); ++s) {
    Tell(tallies[s], scorers[s], report);
    ReportAbsent(absent[s], scorers[s], report);
  }
}

}  // namespace leafscore::internal
