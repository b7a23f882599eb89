#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_names.h"
#include "engine/compare/comparison_sections.h"
#include "engine/report/human_numbers.h"

namespace leafscore::internal {
namespace {

using Kind = Section::Kind;
using Means = std::vector<const ComparedMean*>;

constexpr std::size_t kMaxGroupRows = 50;  // JSON and CSV have all

// What is inconclusive says what would decide; errors are no answer's making.
void AddScorerLines(const ScorerComparison& scorer, const Comparison& comparison, Section& section) {
  const std::string name = ShownName(scorer.scorer);
  if (scorer.all.verdict == ComparisonVerdict::kInconclusive && scorer.all.more_units) {
    const bool clusters = !comparison.cluster.empty();
    section.lines.push_back({0, fmt::format("{}: about {} more would decide", name,
                                            Counted(*scorer.all.more_units, clusters ? "cluster" : "record",
                                                    clusters ? "clusters" : "records"))});
  }
  if (scorer.base_errors + scorer.now_errors > 0) {
    section.lines.push_back(
        {0, fmt::format("{}: errors that no answer is to blame for: {} in the base, {} now", name,
                        WithThousands(scorer.base_errors), WithThousands(scorer.now_errors))});
  }
  if (scorer.nothing_compared > 0) {
    section.lines.push_back({0, fmt::format("{}: scores that say nothing of the answer: {}", name,
                                            WithThousands(scorer.nothing_compared))});
  }
}

// Returns the rows to show: the gravest of them, where they are many.
Means ShownGroups(const std::vector<ComparedMean>& groups) {
  Means shown;
  for (const NamedChoice<ComparisonVerdict>& verdict : kVerdictNames) {
    for (const ComparedMean& group : groups) {
      if (group.verdict == verdict.choice && shown.size() < kMaxGroupRows) shown.push_back(&group);
    }
  }
  std::ranges::sort(shown);  // in their order
  return shown;
}

}  // namespace

Section Scorers(const Comparison& comparison, const FileComparison& file) {
  Section section{.kind = Kind::kScorers, .title = "Scorers" + InFile(comparison, file), .left_columns = 2};
  section.rows.push_back(MeanTitles("scorer", comparison));
  for (const ScorerComparison& scorer : file.scorers) {
    section.rows.push_back(MeanCells(scorer.scorer, scorer.all));
    AddScorerLines(scorer, comparison, section);
  }
  return section;
}

Section AllFiles(const Comparison& comparison) {
  Section section{.kind = Kind::kScorers, .title = "All files"};
  if (comparison.files.size() < 2) return section;
  section.rows.push_back({"scorer"});
  for (const FileComparison& file : comparison.files) {
    section.rows[0].push_back(ShownName(file.file));
    for (const ScorerComparison& scorer : file.scorers) {
      const std::string name = ShownName(scorer.scorer);
      auto row = std::ranges::find(section.rows, name, [](const TextRow& r) { return r.front(); });
      if (row == section.rows.end()) row = section.rows.insert(row, {name});
      row->resize(section.rows[0].size() - 1, "-");
      row->push_back(fmt::format("{} {}", Signed(scorer.all.difference), NameOf(scorer.all.verdict)));
    }
  }
  for (TextRow& row : section.rows) row.resize(section.rows[0].size(), "-");
  return section;
}

Section RecordByRecord(const Comparison& comparison, const FileComparison& file) {
  Section section{.kind = Kind::kScorers, .title = "Record by record" + InFile(comparison, file)};
  section.rows.push_back({"scorer", "rose", "same", "fell", "p (ranks)", "effect", "sees drops of",
                          "both scored", "difference there"});
  for (const ScorerComparison& scorer : file.scorers) {
    const ComparedMean& mean = scorer.all;
    section.rows.push_back({ShownName(scorer.scorer), WithThousands(mean.wins), WithThousands(mean.ties),
                            WithThousands(mean.losses), PValue(mean.p_wilcoxon), Signed(mean.effect),
                            FourDecimals(mean.detectable), WithThousands(mean.scored_in_both),
                            Signed(mean.difference_scored)});
  }
  return section;
}

Section Groups(const Comparison& comparison, const ScorerComparison& scorer, const std::string& of) {
  Section section{.kind = Kind::kGroups,
                  .title = fmt::format("{}: groups by {}", of, ShownName(comparison.by)),
                  .left_columns = 2};
  section.rows.push_back(MeanTitles("group", comparison));
  const Means shown = ShownGroups(scorer.groups);
  for (const ComparedMean* const group : shown) {
    section.rows.push_back(MeanCells(group->group.value_or(""), *group));
  }
  if (shown.size() < scorer.groups.size()) {
    section.lines.push_back(
        {0, fmt::format("{} more, of which none is graver; JSON and CSV have all",
                        Counted(scorer.groups.size() - shown.size(), "group", "groups"))});
  }
  return section;
}

Section Flips(const Comparison& comparison, const FileComparison& file) {
  Section section{.kind = Kind::kFlips, .title = "Passed and failed" + InFile(comparison, file)};
  for (const ScorerComparison& scorer : file.scorers) {
    const ComparedMean& mean = scorer.all;
    if (!mean.base_pass_rate && !mean.now_pass_rate) continue;
    TextRow row = {ShownName(scorer.scorer), FourDecimals(mean.base_pass_rate),
                   FourDecimals(mean.now_pass_rate)};
    for (const auto count : {&FlipCounts::pass_to_fail, &FlipCounts::fail_to_pass, &FlipCounts::both_pass,
                             &FlipCounts::both_fail}) {
      row.push_back(mean.flips ? WithThousands(*mean.flips.*count) : "-");
    }
    row.push_back(PValue(mean.flips ? mean.flips->p : std::nullopt));
    row.push_back(PValue(mean.flips ? mean.flips->p_unpaired : std::nullopt));
    if (section.rows.empty()) {
      section.rows.push_back({"scorer", "base", "now", "pass to fail", "fail to pass", "both pass",
                              "both fail", "p (McNemar)", "p (unpaired)"});
    }
    section.rows.push_back(std::move(row));
  }
  return section;
}

}  // namespace leafscore::internal
