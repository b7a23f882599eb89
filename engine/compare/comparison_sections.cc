#include "engine/compare/comparison_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_names.h"
#include "engine/report/human_numbers.h"

namespace leafscore::internal {
namespace {

using Kind = Section::Kind;
using Means = std::vector<const ComparedMean*>;

constexpr std::size_t kMaxGroupRows = 50;  // JSON and CSV have all
constexpr std::size_t kMaxFailedGates = 50;

// Returns a part of a title that names the file, where there are several.
std::string InFile(const Comparison& comparison, const FileComparison& file) {
  return comparison.files.size() > 1 ? ", " + ShownName(file.file) : "";
}

Section FailedGates(std::span<const GateResult> gates, bool several_files) {
  Section section{.kind = Kind::kGates, .title = "Failed gates"};
  std::size_t failed = 0;
  for (const GateResult& gate : gates) {
    if (gate.passed || ++failed > kMaxFailedGates) continue;
    section.lines.push_back({0, GateName(gate, several_files) + ": " + Visible(gate.sentence)});
  }
  if (failed > kMaxFailedGates) {
    section.lines.push_back({0, fmt::format("and {} more", failed - kMaxFailedGates)});
  }
  return section;
}

// Returns for example "3 ids have a line in the base only and count as 0 here: a, b, c".
std::string OnOneSide(const ListedIds& ids, std::string_view side, bool common_only) {
  std::string text = fmt::format("{} a line in {} only and {}: ", Counted(ids.count, "id has", "ids have"),
                                 side, common_only ? "are left out" : "count as 0 where they have none");
  for (const std::string& id : ids.first) (text += &id == &ids.first.front() ? "" : ", ") += ShownName(id);
  return ids.count > ids.first.size() ? text + ", …" : text;
}

Section Files(const Comparison& comparison) {
  Section section{.kind = Kind::kFiles, .title = "Files"};
  section.lines.push_back({0, "base: " + ShownName(comparison.base)});
  for (const FileComparison& file : comparison.files) {
    section.lines.push_back(
        {0, fmt::format("new: {}: {}, {} compared", ShownName(file.file), NameOf(file.verdict),
                        Counted(file.records, "record", "records"))});
    const auto add = [&](std::uint64_t count, const std::string& text) {
      if (count > 0) section.lines.push_back({1, text});
    };
    add(file.only_base.count, OnOneSide(file.only_base, "the base", comparison.common_only));
    add(file.only_now.count, OnOneSide(file.only_now, "the new file", comparison.common_only));
    add(file.base_repeated, fmt::format("lines of the base that others of their id replace: {}",
                                        WithThousands(file.base_repeated)));
    add(file.now_repeated, fmt::format("lines of the new file that others of their id replace: {}",
                                       WithThousands(file.now_repeated)));
    add(file.not_asked, fmt::format("lines that answer no id of the gold, and are left out: {}",
                                    WithThousands(file.not_asked)));
  }
  return section;
}

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

Section Scorers(const Comparison& comparison, const FileComparison& file) {
  Section section{.kind = Kind::kScorers, .title = "Scorers" + InFile(comparison, file), .left_columns = 2};
  section.rows.push_back(MeanTitles("scorer", comparison));
  for (const ScorerComparison& scorer : file.scorers) {
    section.rows.push_back(MeanCells(scorer.scorer, scorer.all));
    AddScorerLines(scorer, comparison, section);
  }
  return section;
}

// Returns a column for each of several files, which have the same scorers.
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

// Record by record: how many rose and fell, and what else tells how large the change is.
Section Records(const Comparison& comparison, const FileComparison& file) {
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

}  // namespace

std::string GateName(const GateResult& gate, bool several_files) {
  std::string name = Visible(gate.gate);
  if (!gate.scorer.empty()) name += ", " + ShownName(gate.scorer);
  if (gate.group) name += ", group " + ShownName(*gate.group);
  if (gate.field) name += ", field " + ShownName(*gate.field);
  return several_files ? name + ", " + ShownName(gate.file) : name;
}

std::vector<Section> SectionsOf(const Comparison& comparison, std::span<const GateResult> gates) {
  std::vector<Section> sections;
  const auto add = [&](Section section) {
    if (section.rows.size() > 1 || !section.lines.empty()) sections.push_back(std::move(section));
  };
  add(FailedGates(gates, comparison.files.size() > 1));
  add(Files(comparison));
  const auto for_scorers = [&](const auto& make) {
    for (const FileComparison& file : comparison.files) {
      for (const ScorerComparison& scorer : file.scorers) {
        add(make(scorer, ShownName(scorer.scorer) + InFile(comparison, file)));
      }
    }
  };
  add(AllFiles(comparison));
  for (const FileComparison& file : comparison.files) {
    add(Scorers(comparison, file));
    add(Records(comparison, file));
  }
  for_scorers(
      [&](const ScorerComparison& scorer, const std::string& of) { return Groups(comparison, scorer, of); });
  for_scorers(WhereItWent);
  for (const FileComparison& file : comparison.files) add(Flips(comparison, file));
  for_scorers(WorstRecords);
  add(Notes(comparison));
  return sections;
}

}  // namespace leafscore::internal
