// tests/compare/example_comparison.h: a comparison made by hand, for the tests of its formats.
#ifndef LEAFSCORE_TESTS_COMPARE_EXAMPLE_COMPARISON_H_
#define LEAFSCORE_TESTS_COMPARE_EXAMPLE_COMPARISON_H_

#include <string>
#include <vector>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Control sequences of terminals, markup of several formats, and bytes that are not text.
inline constexpr char kHostile[] = "<b>&\"'|`*_#\x1b[31m\u202E\n=1,{}\\$%~^\u200B\xff\uFFFE]]>";

inline ComparedRow ExampleRow(const std::string& scorer) {
  ComparedRow row{.scorer = scorer, .verdict = ComparisonVerdict::kRegressed};
  row.records = 1100;
  row.units = 1100;
  row.effective_units = 1100;
  row.units_to_fail = 6;
  ComparedFigure& mean = row.mean;
  mean.verdict = ComparisonVerdict::kRegressed;
  mean.base = 0.9;
  mean.now = 0.8;
  mean.difference = -0.1;
  mean.standard_error = 0.025;
  mean.interval = {-0.15, -0.05};
  mean.t_interval = {-0.149, -0.051};
  mean.bounds = {-0.16, -0.04};
  mean.p = 0.00002;
  mean.least_p = 1e-40;
  mean.p_t = 0.00003;
  mean.p_corrected = 0.00006;
  mean.p_equivalence = 0.75;
  mean.p_equivalence_corrected = 1;
  mean.p_wilcoxon = 0.0012;
  mean.effect = -0.5;
  mean.detectable = 0.0625;
  mean.wins = 20;
  mean.ties = 960;
  mean.losses = 120;
  return row;
}

inline ScorerComparison ExampleScorer(const std::string& name) {
  ScorerComparison scorer{.scorer = name, .all = ExampleRow(name)};
  ComparedRow& all = scorer.all;
  all.base_pass_rate = 0.9;
  all.now_pass_rate = 0.8;
  all.flips = FlipCounts{.pass_to_fail = 120,
                         .fail_to_pass = 10,
                         .both_pass = 870,
                         .both_fail = 100,
                         .p = 0.008,
                         .p_unpaired = 0.08};
  ComparedFigure& pass = all.pass.emplace(all.mean);
  pass.standard_error.reset();
  pass.p_wilcoxon.reset();
  pass.wins = 10;
  pass.ties = 970;
  all.scored_in_both = 1090;
  all.difference_scored = -0.0917;

  all.pass_k = all.pass;
  all.repeats = RepeatFigures{.base_flake_rate = 0.1, .now_flake_rate = 0.25, .asking_noise = 0.3};
  const RepeatedTest test{.id = "t-7",
                          .group = "extract",
                          .base_asked = 5,
                          .base_passed = 5,
                          .now_asked = 5,
                          .now_passed = 1,
                          .base_flake_rate = 0,
                          .now_flake_rate = 0.4};
  SingleTests& tests = scorer.single_tests.emplace();
  tests.flaky = 12;
  tests.most_flaky.push_back(test);
  tests.worse = 1;
  tests.got_worse.push_back(test);
  tests.got_worse[0].p = 0.0238;
  tests.got_worse[0].p_corrected = 0.0476;
  tests.could_fail = true;
  tests.most_asked = 5;
  tests.asked_to_fail = 4;

  ComparedRow group = ExampleRow(name);
  group.group = "extract";
  scorer.groups.push_back(group);
  group = {.scorer = name,
           .group = "(none)",
           .verdict = ComparisonVerdict::kInconclusive,
           .records = 1,
           .units = 1};
  scorer.groups.push_back(group);

  ComparedRow field = ExampleRow(name);
  field.field = "items[*].price";
  field.contribution = -0.08;
  scorer.fields.push_back(field);

  ComparedRow rate = ExampleRow(name);
  rate.field = "items[*].price";
  rate.rate = FieldRate::kRecall;
  scorer.field_rates.push_back(rate);

  scorer.outcomes.push_back({Outcome::kScored, Outcome::kUnreadable, 15, -0.03});
  scorer.outcomes.push_back({std::nullopt, Outcome::kScored, 1, 0.005});
  scorer.elsewhere = 0.005;
  scorer.now_errors = 2;

  ChangedRecord record{.id = "inv-7", .base = 1, .now = 0.5};
  record.group = "extract";
  record.base_outcome = Outcome::kScored;
  record.now_outcome = Outcome::kScored;
  record.base_passed = true;
  record.now_passed = false;
  record.fields.push_back({.path = "items[2].price",
                           .expected = "\"12.50\"",
                           .base = "\"12.50\"",
                           .now = "\"12.60\"",
                           .base_match = 1,
                           .now_match = 0});
  scorer.worst.push_back(record);
  return scorer;
}

inline Comparison ExampleComparison(const std::string& scorer = "exact_match") {
  Comparison comparison{.base = "base.jsonl", .by = "task", .margin = 0.01, .alpha = 0.05};
  comparison.repeats = Repeats::kAll;
  comparison.pass_k = 3;
  comparison.verdict = ComparisonVerdict::kRegressed;
  FileComparison file{.file = "new.jsonl", .verdict = ComparisonVerdict::kRegressed, .records = 1100};
  file.only_base = {.count = 12, .first = {"a", "b"}};
  file.scorers.push_back(ExampleScorer(scorer));
  comparison.files.push_back(file);
  comparison.families = {{"scorers", 1}, {"groups", 2}};
  comparison.warnings = {"the ids of two lines are not known"};
  return comparison;
}

inline std::vector<GateResult> ExampleGates(const std::string& scorer = "exact_match") {
  return {{.gate = "max-drop 0.05",
           .file = "new.jsonl",
           .scorer = scorer,
           .passed = false,
           .sentence = "the mean fell by up to 0.15"},
          {.gate = "max-drop 0.05",
           .file = "new.jsonl",
           .scorer = scorer,
           .group = "extract",
           .passed = true,
           .sentence = "the mean fell by up to 0.04"}};
}

// All texts in it are hostile.
inline Comparison HostileComparison() {
  Comparison comparison = ExampleComparison(kHostile);
  FileComparison& file = comparison.files[0];
  ScorerComparison& scorer = file.scorers[0];
  comparison.base = comparison.by = comparison.cluster = file.file = kHostile;
  comparison.warnings = {kHostile};
  file.only_base.first = {kHostile};
  scorer.groups[0].group = kHostile;
  scorer.fields[0].field = kHostile;
  for (auto* const tests : {&scorer.single_tests->got_worse, &scorer.single_tests->most_flaky}) {
    tests->at(0).id = kHostile;
    tests->at(0).group = kHostile;
  }
  ChangedRecord& record = scorer.worst[0];
  record.id = kHostile;
  record.group = record.expected = record.base_answer = kHostile;
  record.now_answer = std::string(kHostile) + "?";
  ChangedField& field = record.fields[0];
  field.path = kHostile;
  field.expected = field.base = field.now = kHostile;
  return comparison;
}

inline std::vector<GateResult> HostileGates() {
  std::vector<GateResult> gates = ExampleGates(kHostile);
  for (GateResult& gate : gates) gate.gate = gate.sentence = gate.file = kHostile;
  gates[0].group = gates[0].field = kHostile;
  return gates;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_COMPARE_EXAMPLE_COMPARISON_H_
