#include "engine/compare/comparison_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_names.h"
#include "engine/compare/row_figures.h"
#include "engine/render/cells.h"
#include "engine/render/edit_marks.h"
#include "engine/render/look_alikes.h"
#include "engine/report/label_section.h"

namespace leafscore::internal {
namespace {

std::string InFile(const Comparison& comparison, const FileComparison& file) {
  return comparison.files.size() > 1 ? ", " + ShownName(file.file) : "";
}

constexpr std::size_t kMaxFailedGates = 50;

Section FailedGates(std::span<const GateResult> gates, bool several_files) {
  Section section{.title = "Failed gates"};
  std::size_t failed = 0;
  for (const GateResult& gate : gates) {
    if (gate.passed || ++failed > kMaxFailedGates) continue;
    section.items.push_back({0, GateName(gate, several_files) + ": " + Visible(gate.sentence)});
  }
  if (failed > kMaxFailedGates) {
    section.items.push_back({0, fmt::format("and {} more", failed - kMaxFailedGates)});
  }
  return section;
}

// Returns for example "3 ids in the base only, 0 in the new file: a, b, c".
std::string OnOneSide(const ListedIds& ids, std::string_view side, std::string_view other, bool common_only) {
  std::string text = fmt::format("{} in {} only, {}: ", Counted(ids.count, "id", "ids"), side,
                                 common_only ? "left out" : fmt::format("0 in {}", other));
  for (const std::string& id : ids.first) (text += &id == &ids.first.front() ? "" : ", ") += ShownName(id);
  return ids.count > ids.first.size() ? text + ", …" : text;
}

Section Files(const Comparison& comparison) {
  Section section{.title = "Files"};
  section.items.push_back({0, "base: " + ShownName(comparison.base)});
  for (const FileComparison& file : comparison.files) {
    section.items.push_back(
        {0, fmt::format("new: {}: {}, {} compared", ShownName(file.file), NameOf(file.verdict),
                        Counted(file.records, "record", "records"))});
    const auto add = [&](std::uint64_t count, const std::string& text) {
      if (count > 0) section.items.push_back({1, text});
    };
    add(file.only_base.count, OnOneSide(file.only_base, "the base", "the new file", comparison.common_only));
    add(file.only_now.count, OnOneSide(file.only_now, "the new file", "the base", comparison.common_only));
    add(file.base_repeated, fmt::format("lines of the base replaced by others with the same id: {}",
                                        WithThousands(file.base_repeated)));
    add(file.now_repeated, fmt::format("lines of the new file replaced by others with the same id: {}",
                                       WithThousands(file.now_repeated)));
    add(file.not_asked, fmt::format("lines left out because their ids are not in the gold: {}",
                                    WithThousands(file.not_asked)));
  }
  return section;
}

using Means = std::vector<const ComparedRow*>;

constexpr std::size_t kMaxGroupRows = 50;  // JSON and CSV list all groups

std::string Percent(double share) { return fmt::format("{:.0f}%", 100 * share); }

// Returns how more records would help with an inconclusive figure: how many records detect a drop as large as
// the margin, and how likely two and four times as many records as now lead to a verdict.
std::string WhatMoreWouldTell(const ComparedFigure& figure, const Comparison& comparison) {
  const bool clusters = !comparison.cluster.empty();
  const auto counted = [&](std::uint64_t units) {
    return Counted(units, clusters ? "cluster" : "record", clusters ? "clusters" : "records");
  };
  std::string text;
  if (figure.units_for_margin) {
    text += fmt::format("{} in total detect a drop of {:.6g} in 4 of 5 runs",
                        counted(*figure.units_for_margin), comparison.margin);
  }
  for (const ConditionalPower& more : figure.more) {
    text += fmt::format(
        "{}{} reach a verdict with a probability of {} if the difference stays, {} if it is a drop of "
        "{:.6g}, {} if there is none",
        text.empty() ? "" : "; ", counted(more.units), Percent(more.if_as_seen), Percent(more.if_margin),
        comparison.margin, Percent(more.if_unchanged));
  }
  if (!text.empty()) text += "; testing again after adding records needs --looks or --anytime";
  return text;
}

// Returns why groups in which nothing changed are still inconclusive; empty if there are no such groups.
std::string WhyUnchangedIsInconclusive(const ScorerComparison& scorer, double margin) {
  const auto is_unchanged = [](const ComparedRow& group) {
    return group.verdict == ComparisonVerdict::kInconclusive && group.mean.wins + group.mean.losses == 0 &&
           group.records > 0;
  };
  const auto count = std::ranges::count_if(scorer.groups, is_unchanged);
  if (count == 0) return "";
  return fmt::format(
      "no score changed in {} of {} groups, but they have too few records to rule out a change of {:.6g}",
      count, scorer.groups.size(), margin);
}

// Returns why a verdict is less sure than its p-value says; empty if there is no reason.
std::string DoubtOf(const ComparedFigure& figure) {
  if (figure.holds_for_any_scores) return "";
  const bool fell = figure.verdict == ComparisonVerdict::kRegressed;
  return fmt::format(
      "the runs differ, but the mean of records like these surely {} only if no rare large {} was missed "
      "(the change may be up to {})",
      fell ? "fell" : "rose", fell ? "rise" : "drop",
      Signed(fell ? figure.bounds->high : figure.bounds->low));
}

// Returns whether more repeats of the same tests or more tests would make a comparison surer; empty if
// unknown.
std::string WhatAskingAgainTells(const RepeatFigures& repeats) {
  if (!repeats.asking_noise) return "";
  return fmt::format("{} of the noise comes from asking: {}", Percent(*repeats.asking_noise),
                     *repeats.asking_noise < 0.5 ? "more tests help, not more repeats"
                                                 : "more repeats of the same tests help");
}

// Returns the rows to show: the gravest ones if there are many.
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

Section Scorers(const Comparison& comparison, const FileComparison& file) {
  Section section{.title = "Scorers" + InFile(comparison, file), .table = {.left_columns = 2}};
  section.table.rows.push_back(FigureTitles("scorer", comparison));
  for (const ScorerComparison& scorer : file.scorers) {
    AddFigures(scorer.scorer, scorer.all, comparison, section.table.rows);
    for (std::string& note : ScorerNotes(scorer, comparison)) section.items.push_back({0, std::move(note)});
  }
  return section;
}

Section AllFiles(const Comparison& comparison) {
  Section section{.title = "All files"};
  if (comparison.files.size() < 2) return section;
  section.table.rows.push_back({"scorer"});
  for (const FileComparison& file : comparison.files) {
    section.table.rows[0].push_back(ShownName(file.file));
    for (const ScorerComparison& scorer : file.scorers) {
      const std::string name = ShownName(scorer.scorer);
      auto row = std::ranges::find(section.table.rows, name, [](const TextRow& r) { return r.front(); });
      if (row == section.table.rows.end()) row = section.table.rows.insert(row, {name});
      row->resize(section.table.rows[0].size() - 1, "-");
      row->push_back(fmt::format("{} {}", Signed(scorer.all.mean.difference), NameOf(scorer.all.verdict)));
    }
  }
  for (TextRow& row : section.table.rows) row.resize(section.table.rows[0].size(), "-");
  return section;
}

Section RecordByRecord(const Comparison& comparison, const FileComparison& file) {
  Section section{.title = "Record by record" + InFile(comparison, file)};
  section.table.rows.push_back({"scorer", "rose", "same", "fell", "p (ranks)", "effect", "sees drops of",
                                "both scored", "difference there"});
  for (const ScorerComparison& scorer : file.scorers) {
    const ComparedFigure& mean = scorer.all.mean;
    section.table.rows.push_back({ShownName(scorer.scorer), WithThousands(mean.wins),
                                  WithThousands(mean.ties), WithThousands(mean.losses),
                                  PValue(mean.p_wilcoxon), Signed(mean.effect), FourDecimals(mean.detectable),
                                  WithThousands(scorer.all.scored_in_both),
                                  Signed(scorer.all.difference_scored)});
  }
  // If every record is scored on both sides, the last two columns repeat others.
  const bool all_scored = std::ranges::all_of(file.scorers, [](const ScorerComparison& scorer) {
    return scorer.all.scored_in_both == scorer.all.records;
  });
  if (all_scored) section.table.idle = {7, 8};
  return section;
}

Section Groups(const Comparison& comparison, const ScorerComparison& scorer, const std::string& of) {
  Section section{.part = kGroupsPart,
                  .title = fmt::format("{}: groups by {}", of, ShownName(comparison.by)),
                  .table = {.left_columns = 2}};
  section.table.rows.push_back(FigureTitles("group", comparison));
  const Means shown = ShownGroups(scorer.groups);
  for (const ComparedRow* const group : shown) {
    AddFigures(group->group.value_or(""), *group, comparison, section.table.rows);
  }
  if (shown.size() < scorer.groups.size()) {
    section.items.push_back(
        {0, fmt::format("{} more, none with a worse verdict; JSON and CSV have all",
                        Counted(scorer.groups.size() - shown.size(), "group", "groups"))});
  }
  return section;
}

Section Flips(const Comparison& comparison, const FileComparison& file) {
  Section section{.title = "Passed and failed" + InFile(comparison, file)};
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
    if (section.table.rows.empty()) {
      section.table.rows.push_back({"scorer", "base", "now", "pass to fail", "fail to pass", "both pass",
                                    "both fail", "p (McNemar)", "p (unpaired)"});
    }
    section.table.rows.push_back(std::move(cells));
  }
  return section;
}

Section Corrected(const Comparison& comparison, const FileComparison& file) {
  std::vector<CorrectedRow> rows;
  std::vector<Section::Item> differences;
  for (const ScorerComparison& scorer : file.scorers) {
    if (!scorer.labels) continue;
    rows.push_back({scorer.scorer, comparison.base, scorer.all.base_pass_rate, scorer.labels->base});
    rows.push_back({scorer.scorer, file.file, scorer.all.now_pass_rate, scorer.labels->now});
    if (const std::optional<Interval>& difference = scorer.labels->difference) {
      differences.push_back(
          {0, fmt::format("{}: {} after correction (95% from {} to {})", ShownName(scorer.scorer),
                          Signed(*scorer.labels->now.pass_rate - *scorer.labels->base.pass_rate),
                          Signed(difference->low), Signed(difference->high))});
    }
  }
  Section section = LabelSection(rows, "file");
  section.items.insert(section.items.begin(), differences.begin(), differences.end());
  return section;
}

double Contribution(const ComparedRow& field) { return field.contribution.value_or(0); }

// Returns whether fields and outcomes explain the change in the mean: at most half of it comes from
// elsewhere.
bool IsSumOfFields(const ScorerComparison& scorer) {
  return std::abs(scorer.elsewhere) <= std::abs(scorer.all.mean.difference) / 2;
}

// Returns the fields to show: the ones that changed the mean most. Leaves out fields that changed in no
// record.
std::vector<const ComparedRow*> ShownFields(const std::vector<ComparedRow>& fields, std::size_t most) {
  std::vector<const ComparedRow*> shown;
  for (const ComparedRow& field : fields) {
    if (field.mean.wins + field.mean.losses > 0) shown.push_back(&field);
  }
  if (shown.size() <= most) return shown;
  std::ranges::stable_sort(shown, std::greater(),
                           [](const ComparedRow* field) { return std::abs(Contribution(*field)); });
  shown.resize(most);
  std::ranges::sort(shown);  // in their order
  return shown;
}

constexpr std::size_t kMaxShownCauses = 6;

TextRow PartRow(const std::string& part, std::uint64_t records, double contribution) {
  return {part, "", WithThousands(records), "", "", "", Signed(contribution)};
}

Section WhereItWent(const ScorerComparison& scorer, const std::string& of, std::size_t max_fields) {
  Section section{.part = kWherePart, .title = of + ": where it went", .table = {.left_columns = 2}};
  const std::vector<ComparedRow> none;
  const std::vector<ComparedRow>& fields = IsSumOfFields(scorer) ? scorer.fields : none;
  if (fields.empty() && scorer.outcomes.empty()) return section;
  section.table.rows.push_back({"part", "verdict", "records", "base", "now", "difference", "of the mean"});
  double sum = 0;
  double rest = 0;
  for (const ComparedRow& field : fields) rest += Contribution(field);
  const std::vector<const ComparedRow*> shown = ShownFields(fields, max_fields);
  for (const ComparedRow* const field : shown) {
    section.table.rows.push_back({ShownName(field->field.value_or("")), std::string(NameOf(field->verdict)),
                                  WithThousands(field->records), FourDecimals(field->mean.base),
                                  FourDecimals(field->mean.now), Signed(field->mean.difference),
                                  Signed(field->contribution)});
    sum += Contribution(*field);
    rest -= Contribution(*field);
  }
  if (shown.size() < fields.size()) {
    section.table.rows.push_back(
        {fmt::format("({})", Counted(fields.size() - shown.size(), "more field", "more fields")), "", "", "",
         "", "", Signed(rest)});
    sum += rest;
  }
  for (const OutcomeChange& change : scorer.outcomes) {
    section.table.rows.push_back(
        PartRow(fmt::format("({} to {})", OutcomeText(change.from), OutcomeText(change.to)), change.records,
                change.contribution));
    sum += change.contribution;
  }
  section.table.rows.push_back({"(elsewhere)", "", "", "", "", "", Signed(scorer.elsewhere)});
  section.table.rows.push_back(PartRow("(all)", scorer.all.records, sum + scorer.elsewhere));
  return section;
}

// Returns the rows of single fields that changed.
Means ChangedRates(const std::vector<ComparedRow>& rates) {
  Means changed;
  for (const ComparedRow& row : rates) {
    if (row.field && row.mean.wins + row.mean.losses > 0) changed.push_back(&row);
  }
  return changed;
}

Section RatesOfFields(const Comparison& comparison, const ScorerComparison& scorer, const std::string& of,
                      std::size_t max_fields) {
  Section section{
      .part = kWherePart, .title = of + ": precision, recall and F1 of fields", .table = {.left_columns = 2}};
  section.table.rows.push_back(FigureTitles("field", comparison));
  Means shown = ChangedRates(scorer.field_rates);
  if (shown.size() > max_fields) {
    section.items.push_back({0, fmt::format("{} more changed, with a larger p; JSON and CSV have all",
                                            shown.size() - max_fields)});
    std::ranges::stable_sort(shown, {}, [](const ComparedRow* row) { return row->mean.p; });
    shown.resize(max_fields);
  }
  for (const ComparedRow& row : scorer.field_rates) {
    if (!row.field) shown.push_back(&row);
  }
  std::ranges::sort(shown);  // in their order
  for (const ComparedRow* const row : shown) {
    const std::string name = row->field ? ShownName(*row->field) : "(all)";
    AddFigures(fmt::format("{}, {}", name, NameOf(*row->rate)), *row, comparison, section.table.rows);
  }
  return section;
}

// Returns a table of the causes that changed the mean most.
Section WhatWentWrong(const ScorerComparison& scorer, const std::string& of) {
  Section section{
      .part = kWherePart, .title = of + ": what is wrong with answers", .table = {.left_columns = 1}};
  if (scorer.causes.empty()) return section;
  section.table.rows.push_back({"cause", "base records", "now records", "of the mean"});
  std::vector<const CauseChange*> shown;
  for (const CauseChange& change : scorer.causes) shown.push_back(&change);
  std::ranges::stable_sort(shown, std::greater(),
                           [](const CauseChange* change) { return std::abs(change->contribution); });
  if (shown.size() > kMaxShownCauses) shown.resize(kMaxShownCauses);
  for (const CauseChange* const change : shown) {
    section.table.rows.push_back({std::string(AnswerCauseName(change->cause)),
                                  WithThousands(change->base_records), WithThousands(change->now_records),
                                  Signed(change->contribution)});
  }
  return section;
}

using Text = std::optional<std::string>;

constexpr std::size_t kMaxShownFields = 5;  // per record

// Returns the text, shortened as MarkEdits shortens texts; "(none)" for nullopt.
std::string Plain(const Text& text) {
  if (!text) return "(none)";
  const std::string valid = ReplaceInvalidUtf8(*text);
  return MarkEdits(valid, valid).expected;
}

// Adds the expected text, and both answers with the edits between them marked.
void AddTexts(std::size_t depth, const Text& expected, const Text& base, const Text& now,
              std::vector<Section::Item>& lines) {
  const bool as_expected = expected && expected == base;
  if (expected && !as_expected) lines.push_back({depth, "expected: " + Plain(expected)});
  if (!base && !now) return;
  const MarkedTexts shown = base && now ? MarkEdits(ReplaceInvalidUtf8(*base), ReplaceInvalidUtf8(*now))
                                        : MarkedTexts{Plain(base), Plain(now)};
  lines.push_back({depth, (as_expected ? "base, as expected: " : "base: ") + shown.expected});
  lines.push_back({depth, "now: " + shown.actual});
}

std::string_view PassText(std::optional<bool> passed) {
  return !passed ? "" : *passed ? ", passed" : ", failed";
}

// Returns whether the base has a value in the field and the new answer has none.
bool IsLost(const ChangedField& field) { return field.base && !field.now; }

// Returns the names of the lost fields. Empty if only one field is lost, because its base value is shown
// instead.
std::vector<std::string> LostFields(const ChangedRecord& record) {
  std::vector<std::string> names;
  for (const ChangedField& field : record.fields) {
    if (IsLost(field)) names.push_back(ShownName(field.path));
  }
  return names.size() > 1 ? names : std::vector<std::string>();
}

Section WorstRecords(const ScorerComparison& scorer, const std::string& of) {
  Section section{.part = kWorstPart, .title = of + ": records that fell most"};
  for (const ChangedRecord& record : scorer.worst) {
    std::string head = "record " + ShownName(record.id);
    if (record.group) head += " of " + ShownName(*record.group);
    head +=
        fmt::format(": {} ({}{}) to {} ({}{})", FourDecimals(record.base), OutcomeText(record.base_outcome),
                    PassText(record.base_passed), FourDecimals(record.now), OutcomeText(record.now_outcome),
                    PassText(record.now_passed));
    section.items.push_back({0, head});
    AddTexts(1, record.expected, record.base_answer, record.now_answer, section.items);
    const std::vector<std::string> lost = LostFields(record);
    if (!lost.empty()) section.items.push_back({1, fmt::format("no value now: {}", fmt::join(lost, ", "))});
    std::size_t shown = 0;
    for (const ChangedField& field : record.fields) {
      if (!lost.empty() && IsLost(field)) continue;
      if (shown == kMaxShownFields) {
        const std::size_t more = record.fields.size() - lost.size() - shown;
        section.items.push_back({1, "and " + Counted(more, "field", "fields") + " more; JSON has them"});
        break;
      }
      ++shown;
      section.items.push_back(
          {1, fmt::format("field {}: {} to {}", ShownName(field.path), FourDecimals(field.base_match),
                          FourDecimals(field.now_match))});
      AddTexts(2, field.expected, field.base, field.now, section.items);
    }
  }
  return section;
}

std::string ShownTest(const RepeatedTest& test) {
  const std::string id = ShownName(test.id);
  return test.group ? fmt::format("{} ({})", id, ShownName(*test.group)) : id;
}

// Adds a line if a table does not show all rows.
void AddMore(std::uint64_t all, std::size_t shown, Section& section) {
  if (shown == all) return;
  section.items.push_back({0, Counted(all - shown, "more test", "more tests") + "; --worst shows more"});
}

Section AskedAgain(const Comparison& comparison, const FileComparison& file) {
  Section section{.title = "Asked several times" + InFile(comparison, file)};
  section.table.rows.push_back(
      {"scorer", "flake rate, base", "now", "flaky tests", "got worse", "noise of asking"});
  for (const ScorerComparison& scorer : file.scorers) {
    if (!scorer.all.repeats) continue;
    const RepeatFigures& repeats = *scorer.all.repeats;
    if (!repeats.base_flake_rate && !repeats.now_flake_rate && !repeats.asking_noise) continue;
    const auto count = [&](std::uint64_t SingleTests::*member) {
      return scorer.single_tests ? WithThousands(*scorer.single_tests.*member) : "-";
    };
    section.table.rows.push_back({ShownName(scorer.scorer), FourDecimals(repeats.base_flake_rate),
                                  FourDecimals(repeats.now_flake_rate), count(&SingleTests::flaky),
                                  count(&SingleTests::worse), FourDecimals(repeats.asking_noise)});
  }
  return section;
}

Section WorseTests(const Comparison& comparison, const ScorerComparison& scorer, const std::string& of) {
  Section section{.title = of + ": single tests that got worse"};
  if (!scorer.single_tests) return section;
  const SingleTests& tests = *scorer.single_tests;
  section.table.rows.push_back({"test", "passed, base", "now", PTitle(comparison)});
  for (const RepeatedTest& test : tests.got_worse) {
    section.table.rows.push_back({ShownTest(test), OutOf(test.base_passed, test.base_asked),
                                  OutOf(test.now_passed, test.now_asked), PValue(test.p_corrected)});
  }
  AddMore(tests.worse, tests.got_worse.size(), section);
  return section;
}

Section FlakyTests(const ScorerComparison& scorer, const std::string& of) {
  Section section{.title = of + ": flaky tests"};
  if (!scorer.single_tests) return section;
  const SingleTests& tests = *scorer.single_tests;
  section.table.rows.push_back({"test", "passed, base", "now", "flake rate, base", "now"});
  for (const RepeatedTest& test : tests.most_flaky) {
    section.table.rows.push_back({ShownTest(test), OutOf(test.base_passed, test.base_asked),
                                  OutOf(test.now_passed, test.now_asked), FourDecimals(test.base_flake_rate),
                                  FourDecimals(test.now_flake_rate)});
  }
  AddMore(tests.flaky, tests.most_flaky.size(), section);
  return section;
}

// Returns a sentence for each family of p-values, with its correction.
std::string FamiliesText(const Comparison& comparison) {
  constexpr char kIntervals[] = "; intervals are not corrected";
  std::string tests;
  for (const TestFamily& family : comparison.families) {
    tests += fmt::format("{}{} of {}", tests.empty() ? "" : ", ", Counted(family.tests, "test", "tests"),
                         Visible(family.name));
  }
  switch (comparison.correction) {
    case Correction::kHolm:
      return "p-values are corrected by Holm within each family: " + tests + kIntervals;
    case Correction::kBenjaminiHochberg:
      return "p-values are corrected by Benjamini and Hochberg (BH) within each family: " + tests +
             kIntervals;
    default:
      return "p-values are not corrected for multiple tests: " + tests;
  }
}

// Adds lines about names of scorers and of groups that look alike. Names of fields are not checked, because
// they are the user's own keys.
void AddLookAlikes(const Comparison& comparison, std::vector<Section::Item>& lines) {
  std::vector<std::string> scorers;
  std::vector<std::string> groups;
  for (const FileComparison& file : comparison.files) {
    for (const ScorerComparison& scorer : file.scorers) {
      scorers.push_back(scorer.scorer);
      for (const ComparedRow& group : scorer.groups) groups.push_back(group.group.value_or(""));
    }
  }
  for (const std::vector<std::string>* const names : {&scorers, &groups}) {
    std::string notes = LookAlikeNotes(*names);
    for (std::size_t begin = 0, end = 0; (end = notes.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      lines.push_back({0, notes.substr(begin, end - begin)});
    }
  }
}

Section Notes(const Comparison& comparison) {
  Section section{.title = "Notes", .items_in_latex = true};
  std::vector<Section::Item>& lines = section.items;
  lines.push_back({0, fmt::format("margin {:.6g}: the smallest change of a mean that matters; alpha {:.6g}",
                                  comparison.margin, comparison.alpha)});
  if (!comparison.families.empty()) lines.push_back({0, FamiliesText(comparison)});
  if (!comparison.cluster.empty()) {
    lines.push_back({0, "records depend on each other within clusters by " + ShownName(comparison.cluster)});
  }
  if (comparison.common_only) lines.push_back({0, "only ids with a line on both sides are compared"});
  if (!comparison.verified) lines.push_back({0, "not verified, as manifests are missing"});
  for (const std::string& warning : comparison.warnings) lines.push_back({0, "warning: " + Visible(warning)});
  AddLookAlikes(comparison, lines);
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
  add(name, WhyUnchangedIsInconclusive(scorer, comparison.margin));
  if (!comparison.cluster.empty() && scorer.all.effective_units < kFewClusters) {
    add(name, fmt::format("only {:.1f} clusters' worth of evidence", scorer.all.effective_units));
  }
  if (scorer.base_errors + scorer.now_errors > 0) {
    add(name, fmt::format("errors not caused by answers: {} in the base, {} now",
                          WithThousands(scorer.base_errors), WithThousands(scorer.now_errors)));
  }
  if (scorer.nothing_compared > 0) {
    add(name, "scores that say nothing about the answer: " + WithThousands(scorer.nothing_compared));
  }
  return notes;
}

Document DocumentOf(const Comparison& comparison, std::span<const GateResult> gates, std::size_t max_fields) {
  Document document{.headline = VerdictLine(comparison, gates)};
  const auto add = [&](Section section) {
    if (section.table.rows.size() > 1 || !section.items.empty())
      document.sections.push_back(std::move(section));
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
    add(RecordByRecord(comparison, file));
  }
  for_scorers(
      [&](const ScorerComparison& scorer, const std::string& of) { return Groups(comparison, scorer, of); });
  for_scorers([&](const ScorerComparison& scorer, const std::string& of) {
    return WhereItWent(scorer, of, max_fields);
  });
  for_scorers(WhatWentWrong);
  for (const FileComparison& file : comparison.files) add(Flips(comparison, file));
  for (const FileComparison& file : comparison.files) add(Corrected(comparison, file));
  for_scorers(WorstRecords);
  for_scorers([&](const ScorerComparison& scorer, const std::string& of) {
    return RatesOfFields(comparison, scorer, of, max_fields);
  });
  for (const FileComparison& file : comparison.files) add(AskedAgain(comparison, file));
  for_scorers([&](const ScorerComparison& scorer, const std::string& of) {
    return WorseTests(comparison, scorer, of);
  });
  for_scorers(FlakyTests);
  add(Notes(comparison));
  return document;
}

}  // namespace leafscore::internal
