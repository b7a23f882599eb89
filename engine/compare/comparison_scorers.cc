#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_names.h"
#include "engine/compare/comparison_sections.h"
#include "engine/compare/row_figures.h"
#include "engine/report/human_numbers.h"

namespace leafscore::internal {
namespace {

using Kind = Section::Kind;
using Means = std::vector<const ComparedRow*>;

constexpr std::size_t kMaxGroupRows = 50;  // JSON and CSV have all

std::string Percent(double share) { return fmt::format("{:.0f}%", 100 * share); }

// Returns what more records would tell of an inconclusive figure: how many see a drop of the margin, and the
// chance of a verdict with twice and four times as many.
std::string WhatMoreWouldTell(const ComparedFigure& figure, const Comparison& comparison) {
  const bool clusters = !comparison.cluster.empty();
  const auto counted = [&](std::uint64_t units) {
    return Counted(units, clusters ? "cluster" : "record", clusters ? "clusters" : "records");
  };
  std::string text;
  if (figure.units_for_margin) {
    text += fmt::format("{} in all see a drop of {:.6g} in 4 of 5 runs", counted(*figure.units_for_margin),
                        comparison.margin);
  }
  for (const ConditionalPower& more : figure.more) {
    text += fmt::format(
        "{}{} tell with a chance of {} if the difference stays, {} if it is a drop of {:.6g}, "
        "{} if there is none",
        text.empty() ? "" : "; ", counted(more.units), Percent(more.if_as_seen), Percent(more.if_margin),
        comparison.margin, Percent(more.if_unchanged));
  }
  if (!text.empty()) text += "; testing again after adding records needs --looks or --anytime";
  return text;
}

// Returns what makes a verdict less sure than its p-value says; empty where nothing does.
std::string DoubtOf(const ComparedFigure& figure) {
  if (figure.holds_for_any_scores) return "";
  const bool fell = figure.verdict == ComparisonVerdict::kRegressed;
  return fmt::format(
      "the runs differ; that the mean of records like these {} is sure only if no rare large {} was missed "
      "(it may "
      "be up to {})",
      fell ? "fell" : "rose", fell ? "rise" : "drop",
      Signed(fell ? figure.bounds->high : figure.bounds->low));
}

// Returns whether the same tests, asked again, or more tests make a comparison surer; empty where nothing
// tells.
std::string WhatAskingAgainTells(const RepeatFigures& repeats) {
  if (!repeats.asking_noise) return "";
  return fmt::format("{} of the noise comes from asking: {}", Percent(*repeats.asking_noise),
                     *repeats.asking_noise < 0.5 ? "more tests help, not more repeats"
                                                 : "more repeats of the same tests help");
}

// Returns the rows to show: the gravest of them, where they are many.
Means ShownGroups(const std::vector<ComparedRow>& groups) {
  Means shown;
  for (const NamedChoice<ComparisonVerdict>& verdict : kVerdictNames) {
    for (const ComparedRow& group : groups) {
      if (group.verdict == verdict.choice && shown.size() < kMaxGroupRows) shown.push_back(&group);
    }
  }
  std::ranges::sort(shown);  // in their order
  return shown;
}

}  // namespace

std::vector<std::string> ScorerNotes(const ScorerComparison& scorer, const Comparison& comparison) {
  constexpr double kFewClusters = 10;
  std::vector<std::string> notes;
  const std::string name = ShownName(scorer.scorer);
  const auto add = [&](const std::string& of, const std::string& note) {
    if (!note.empty()) notes.push_back(of + ": " + note);
  };
  ForEachFigure(scorer.all, [&](ComparedPart part, const ComparedFigure& figure) {
    const std::string of = name + PartSuffix(part, comparison);
    add(of, DoubtOf(figure));
    if (figure.verdict == ComparisonVerdict::kInconclusive) add(of, WhatMoreWouldTell(figure, comparison));
  });
  if (scorer.all.repeats) add(name, WhatAskingAgainTells(*scorer.all.repeats));
  if (!comparison.cluster.empty() && scorer.all.effective_units < kFewClusters) {
    add(name, fmt::format("only {:.1f} clusters' worth of evidence", scorer.all.effective_units));
  }
  if (scorer.base_errors + scorer.now_errors > 0) {
    add(name, fmt::format("errors that no answer is to blame for: {} in the base, {} now",
                          WithThousands(scorer.base_errors), WithThousands(scorer.now_errors)));
  }
  if (scorer.nothing_compared > 0) {
    add(name, "scores that say nothing of the answer: " + WithThousands(scorer.nothing_compared));
  }
  return notes;
}

Section Scorers(const Comparison& comparison, const FileComparison& file) {
  Section section{.kind = Kind::kScorers, .title = "Scorers" + InFile(comparison, file), .left_columns = 2};
  section.rows.push_back(FigureTitles("scorer", comparison));
  for (const ScorerComparison& scorer : file.scorers) {
    AddFigures(scorer.scorer, scorer.all, comparison, section.rows);
    for (std::string& note : ScorerNotes(scorer, comparison)) section.lines.push_back({0, std::move(note)});
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
      row->push_back(fmt::format("{} {}", Signed(scorer.all.mean.difference), NameOf(scorer.all.verdict)));
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
    const ComparedFigure& mean = scorer.all.mean;
    section.rows.push_back({ShownName(scorer.scorer), WithThousands(mean.wins), WithThousands(mean.ties),
                            WithThousands(mean.losses), PValue(mean.p_wilcoxon), Signed(mean.effect),
                            FourDecimals(mean.detectable), WithThousands(scorer.all.scored_in_both),
                            Signed(scorer.all.difference_scored)});
  }
  return section;
}

Section Groups(const Comparison& comparison, const ScorerComparison& scorer, const std::string& of) {
  Section section{.kind = Kind::kGroups,
                  .title = fmt::format("{}: groups by {}", of, ShownName(comparison.by)),
                  .left_columns = 2};
  section.rows.push_back(FigureTitles("group", comparison));
  const Means shown = ShownGroups(scorer.groups);
  for (const ComparedRow* const group : shown) {
    AddFigures(group->group.value_or(""), *group, comparison, section.rows);
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
    const ComparedRow& row = scorer.all;
    if (!row.base_pass_rate && !row.now_pass_rate) continue;
    TextRow cells = {ShownName(scorer.scorer), FourDecimals(row.base_pass_rate),
                     FourDecimals(row.now_pass_rate)};
    for (const auto count : {&FlipCounts::pass_to_fail, &FlipCounts::fail_to_pass, &FlipCounts::both_pass,
                             &FlipCounts::both_fail}) {
      cells.push_back(row.flips ? WithThousands(*row.flips.*count) : "-");
    }
    cells.push_back(PValue(row.flips ? row.flips->p : std::nullopt));
    cells.push_back(PValue(row.flips ? row.flips->p_unpaired : std::nullopt));
    if (section.rows.empty()) {
      section.rows.push_back({"scorer", "base", "now", "pass to fail", "fail to pass", "both pass",
                              "both fail", "p (McNemar)", "p (unpaired)"});
    }
    section.rows.push_back(std::move(cells));
  }
  return section;
}

}  // namespace leafscore::internal
