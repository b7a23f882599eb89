#include <gtest/gtest.h>

#include <string>

#include "compare/example_comparison.h"
#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

std::string Table(const Comparison& comparison, std::span<const GateResult> gates = {}, bool colour = false) {
  return RenderComparison(comparison, gates, ComparisonFormat::kTable, colour);
}

std::string FirstLine(const Comparison& comparison, std::span<const GateResult> gates = {}) {
  const std::string table = Table(comparison, gates);
  return table.substr(0, table.find('\n'));
}

TEST(ComparisonTableTest, VerdictFirstThenGatesThenAllParts) {
  EXPECT_EQ(
      Table(ExampleComparison(), ExampleGates()),
      R"(regressed: exact_match went from 0.9000 to 0.8000, -0.1000 (95% interval -0.1500 to -0.0500, p <0.0001), over 1,100 records; 1 of 2 gates failed

Failed gates
  max-drop 0.05, exact_match: the mean fell by up to 0.15

Files
  base: base.jsonl
  new: new.jsonl: regressed, 1,100 records compared
    12 ids in the base only, 0 in the new file: a, b, …

Scorers
scorer               verdict    records    base     now  difference  95% from       to  p (Holm)
exact_match          regressed    1,100  0.9000  0.8000     -0.1000   -0.1500  -0.0500   <0.0001
exact_match, passed  regressed    1,100  0.9000  0.8000     -0.1000   -0.1500  -0.0500   <0.0001
exact_match, pass^3  regressed    1,100  0.9000  0.8000     -0.1000   -0.1500  -0.0500   <0.0001
  exact_match: 30% of the noise comes from asking: more tests help, not more repeats
  exact_match: no score changed in 1 of 2 groups, but they have too few records to rule out a change of 0.01
  exact_match: errors not caused by answers: 0 in the base, 2 now

Record by record
scorer       rose  same  fell  p (ranks)   effect  sees drops of  both scored  difference there
exact_match    20   960   120     0.0012  -0.5000         0.0625        1,090           -0.0917

exact_match: groups by task
group    verdict       records    base     now  difference  95% from       to  p (Holm)
extract  regressed       1,100  0.9000  0.8000     -0.1000   -0.1500  -0.0500   <0.0001
(none)   inconclusive        1  0.0000  0.0000      0.0000         -        -         -

exact_match: where it went
part                    verdict    records    base     now  difference  of the mean
items[*].price          regressed    1,100  0.9000  0.8000     -0.1000      -0.0800
(scored to unreadable)                  15                                  -0.0300
(no line to scored)                      1                                  +0.0050
(elsewhere)                                                                 +0.0050
(all)                                1,100                                  -0.1000

Passed and failed
scorer         base     now  pass to fail  fail to pass  both pass  both fail  p (McNemar)  p (unpaired)
exact_match  0.9000  0.8000           120            10        870        100       0.0080        0.0800

exact_match: records that fell most
  record inv-7 of extract: 1.0000 (scored, passed) to 0.5000 (scored, failed)
    field items[2].price: 1.0000 to 0.0000
      base, as expected: "12.[-5-]0"
      now: "12.{+6+}0"

exact_match: precision, recall and F1 of fields
field                   verdict    records    base     now  difference  95% from       to  p (Holm)
items[*].price, recall  regressed    1,100  0.9000  0.8000     -0.1000   -0.1500  -0.0500   <0.0001

Asked several times
scorer       flake rate, base     now  flaky tests  got worse  noise of asking
exact_match            0.1000  0.2500           12          1           0.3000

exact_match: single tests that got worse
test           passed, base     now  p (Holm)
t-7 (extract)        5 of 5  1 of 5    0.0476

exact_match: flaky tests
test           passed, base     now  flake rate, base     now
t-7 (extract)        5 of 5  1 of 5            0.0000  0.4000
  11 more tests; --worst shows more

Notes
  margin 0.01: the smallest change of a mean that matters; alpha 0.05
  p-values are corrected by Holm within each family: 1 test of scorers, 2 tests of groups; intervals are not corrected
  warning: the ids of two lines are not known
)");
}

// An interval that leaves out 0 beside a p above alpha seemed to contradict it.
TEST(ComparisonTableTest, ANarrowTerminalDoesWithoutColumnsThatRepeatOthers) {
  Comparison comparison = ExampleComparison();
  const auto table = [&](std::size_t columns) {
    return RenderComparison(comparison, {}, ComparisonFormat::kTable, /*colour=*/false, columns);
  };
  EXPECT_EQ(table(80), table(0));  // not all are scored on both sides
  ComparedRow& row = comparison.files[0].scorers[0].all;
  row.scored_in_both = row.records;
  EXPECT_NE(table(120).find("difference there"), std::string::npos);
  const std::string narrow = table(80);
  EXPECT_NE(narrow.find("scorer       rose  same  fell  p (ranks)   effect  sees drops of\n"),
            std::string::npos)
      << narrow;
  EXPECT_NE(narrow.find("both scored, difference there"), std::string::npos) << narrow;  // in the line below
}

TEST(ComparisonTableTest, TheFirstLineSaysThatPIsCorrectedAndTheIntervalIsNot) {
  Comparison comparison = ExampleComparison();
  comparison.families[0].tests = 3;
  const std::string begin = "regressed: exact_match went from 0.9000 to 0.8000, -0.1000 (95% interval ";
  const std::string interval = "-0.1500 to -0.0500";
  EXPECT_TRUE(FirstLine(comparison)
                  .starts_with(begin + interval + ", uncorrected; p <0.0001 by Holm over 3 tests), over "))
      << FirstLine(comparison);
  comparison.correction = Correction::kBenjaminiHochberg;
  EXPECT_TRUE(FirstLine(comparison).starts_with(begin + interval + ", uncorrected; p <0.0001 by BH over 3 "))
      << FirstLine(comparison);
  comparison.correction = Correction::kNone;
  EXPECT_TRUE(FirstLine(comparison).starts_with(begin + interval + ", p <0.0001), over "));
}

TEST(ComparisonTableTest, TheFirstLineTellsTheVerdictAndWhy) {
  Comparison comparison = ExampleComparison();
  const std::string change =
      ": exact_match went from 0.9000 to 0.8000, -0.1000 (95% interval -0.1500 to -0.0500, p <0.0001), over "
      "1,100 records";
  EXPECT_EQ(FirstLine(comparison), "regressed" + change);

  ComparedRow& row = comparison.files[0].scorers[0].all;
  row.pass.reset();
  row.pass_k.reset();
  row.verdict = row.mean.verdict = comparison.verdict = ComparisonVerdict::kInconclusive;
  EXPECT_EQ(FirstLine(comparison),
            "inconclusive" + change + "; that may be chance: these detect drops of 0.0625 in 4 of 5 runs");
  row.units = 5;
  EXPECT_EQ(FirstLine(comparison),
            "inconclusive" + change +
                "; that may be chance: 5 records cannot show anything, at least 6 are needed");
  row.units = 1100;
  row.verdict = row.mean.verdict = comparison.verdict = ComparisonVerdict::kEquivalent;
  EXPECT_EQ(FirstLine(comparison), "equivalent" + change + "; a change of 0.01 or more is ruled out");
}

// What "about N more would decide" said took the difference that was seen for the true one.
TEST(ComparisonTableTest, AnInconclusiveRowSaysWhatMoreRecordsWouldTell) {
  Comparison comparison = ExampleComparison();
  ComparedFigure& mean = comparison.files[0].scorers[0].all.mean;
  mean.verdict = ComparisonVerdict::kInconclusive;
  mean.units_for_margin = 4000;
  mean.more = {{2200, 0.41, 0.25, 0.061}, {4400, 0.8, 0.5, 0.04}};
  EXPECT_NE(Table(comparison)
                .find("\n  exact_match: 4,000 records in total detect a drop of 0.01 in 4 of 5 runs; 2,200 "
                      "records reach a verdict with a probability of 41% if the difference stays, 25% if it "
                      "is a drop of 0.01, 6% if there is "
                      "none; 4,400 records reach a verdict with a probability of 80% if the difference "
                      "stays, 50% if it is a drop "
                      "of 0.01, 4% if there is none; testing again after adding records needs --looks or "
                      "--anytime\n"),
            std::string::npos)
      << Table(comparison);
}

TEST(ComparisonTableTest, DoubtsOfAVerdictStandBelowIt) {
  Comparison comparison = ExampleComparison();
  comparison.cluster = "document";
  ComparedRow& row = comparison.files[0].scorers[0].all;
  row.mean.holds_for_any_scores = false;
  row.mean.bounds->high = 0.004;
  row.effective_units = 3.25;
  const std::string table = Table(comparison);
  EXPECT_NE(table.find("\n  exact_match: the runs differ, but the mean of records like these surely fell "
                       "only if no rare large rise was missed (the change may be up to +0.0040)\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("\n  exact_match: only 3.2 clusters' worth of evidence\n"), std::string::npos)
      << table;
}

TEST(ComparisonTableTest, AFirstLineWithoutFiguresHasTheVerdictAlone) {
  EXPECT_EQ(FirstLine({}), "inconclusive");
  Comparison comparison = ExampleComparison();
  comparison.files[0].scorers[0].all = {
      .verdict = ComparisonVerdict::kRegressed, .records = 1, .mean = {.base = 1, .difference = -1}};
  EXPECT_EQ(FirstLine(comparison),
            "regressed: exact_match went from 1.0000 to 0.0000, -1.0000, over 1 record");
}

TEST(ComparisonTableTest, TheFirstLineTellsTheGreatestChangeAndCountsTheOthers) {
  Comparison comparison = ExampleComparison();
  FileComparison& file = comparison.files[0];
  ScorerComparison other = ExampleScorer("levenshtein");
  other.all.mean.difference = -0.2;
  file.scorers.push_back(other);
  other.scorer = "static_json";
  other.all.verdict = other.all.mean.verdict = ComparisonVerdict::kImproved;
  other.all.mean.difference = 0.9;
  file.scorers.push_back(other);
  comparison.files.push_back(file);
  comparison.files[1].file = "newer.jsonl";
  comparison.files[1].scorers[1].all.mean.difference = -0.3;
  EXPECT_EQ(
      FirstLine(comparison),
      "regressed: levenshtein in newer.jsonl went from 0.9000 to 0.8000, -0.3000 (95% interval -0.1500 to "
      "-0.0500, p <0.0001), over 1,100 records; of the others 3 regressed, 2 improved");
  EXPECT_NE(Table(comparison)
                .find("\nAll files\n"
                      "scorer               new.jsonl        newer.jsonl\n"
                      "exact_match  -0.1000 regressed  -0.1000 regressed\n"
                      "levenshtein  -0.2000 regressed  -0.3000 regressed\n"
                      "static_json   +0.9000 improved   +0.9000 improved\n"),
            std::string::npos)
      << Table(comparison);
}

TEST(ComparisonTableTest, TheFirstLineCountsGates) {
  const Comparison comparison = ExampleComparison();
  const std::vector<GateResult> gates = ExampleGates();
  const std::span<const GateResult> all(gates);
  EXPECT_TRUE(FirstLine(comparison, all).ends_with("; 1 of 2 gates failed"));
  EXPECT_TRUE(FirstLine(comparison, all.first(1)).ends_with("; 1 of 1 gate failed"));
  EXPECT_TRUE(FirstLine(comparison, all.last(1)).ends_with("; the gate holds"));
  const std::vector<GateResult> held(3, gates[1]);
  EXPECT_TRUE(FirstLine(comparison, held).ends_with("; all 3 gates hold"));
}

TEST(ComparisonTableTest, ContributionsAddUpWhereRowsAreLeftOut) {
  Comparison comparison = ExampleComparison();
  ScorerComparison& scorer = comparison.files[0].scorers[0];
  const ComparedRow field = scorer.fields[0];
  scorer.fields.assign(32, field);
  for (ComparedRow& one : scorer.fields) one.contribution = -0.01;
  scorer.fields[3].contribution = 0.001;
  scorer.fields[7].contribution = -0.002;
  const std::string table = Table(comparison);
  // 30 x -0.01 are shown; 0.001 - 0.002 are not; outcomes and elsewhere are -0.02.
  EXPECT_NE(table.find("(2 more fields) "), std::string::npos) << table;
  EXPECT_NE(table.find(" -0.0010\n(scored to unreadable)"), std::string::npos) << table;
  EXPECT_NE(table.find(" -0.3210\n"), std::string::npos) << table;
}

TEST(ComparisonTableTest, OfManyGroupsTheGravestAreShownInTheirOrder) {
  Comparison comparison = ExampleComparison();
  std::vector<ComparedRow>& groups = comparison.files[0].scorers[0].groups;
  groups.assign(60, groups[0]);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].group = "group-" + std::to_string(i);
    groups[i].verdict = i == 58 ? ComparisonVerdict::kRegressed : ComparisonVerdict::kEquivalent;
    groups[i].mean.verdict = groups[i].verdict;
  }
  const std::string table = Table(comparison);
  EXPECT_NE(table.find("\ngroup-48  equivalent"), std::string::npos) << table;
  EXPECT_EQ(table.find("\ngroup-49 "), std::string::npos) << table;
  EXPECT_NE(table.find("\ngroup-58  regressed "), std::string::npos) << table;
  EXPECT_NE(table.find("\n  10 groups more, none with a worse verdict; JSON and CSV have all\n"),
            std::string::npos)
      << table;
}

TEST(ComparisonTableTest, TellsWhatIsLeftOutOfTheFilesAndWhatToDoubt) {
  Comparison comparison = ExampleComparison();
  FileComparison& file = comparison.files[0];
  file.only_now = {.count = 1, .first = {"z"}};
  file.base_repeated = 3;
  file.now_repeated = 4;
  file.not_asked = 5;
  comparison.correction = Correction::kBenjaminiHochberg;
  comparison.cluster = "document";
  comparison.verified = false;
  file.scorers[0].nothing_compared = 6;
  std::string table = Table(comparison);
  EXPECT_NE(table.find("    1 id in the new file only, 0 in the base: z\n"
                       "    lines of the base replaced by others with the same id: 3\n"
                       "    lines of the new file replaced by others with the same id: 4\n"
                       "    lines left out because their ids are not in the gold: 5\n"),
            std::string::npos)
      << table;
  EXPECT_NE(table.find("  exact_match: scores that say nothing about the answer: 6\n"), std::string::npos)
      << table;
  EXPECT_NE(
      table.find("  p-values are corrected by Benjamini and Hochberg (BH) within each family: 1 test of "
                 "scorers, 2 tests of groups; intervals are not corrected\n"
                 "  records depend on each other within clusters by document\n"
                 "  not verified, as manifests are missing\n"),
      std::string::npos)
      << table;
  comparison.correction = Correction::kNone;
  comparison.common_only = true;
  table = Table(comparison);
  EXPECT_NE(table.find("    1 id in the new file only, left out: z\n"), std::string::npos) << table;
  EXPECT_NE(
      table.find("  p-values are not corrected for multiple tests: 1 test of scorers, 2 tests of groups\n"),
      std::string::npos);
  EXPECT_NE(table.find("95% from       to        p\n"), std::string::npos);
  EXPECT_NE(table.find("  only ids with a line on both sides are compared\n"), std::string::npos);
}

TEST(ComparisonTableTest, NamesThatLookAlikeAreSpelledOut) {
  Comparison comparison = ExampleComparison();
  comparison.files[0].scorers[0].groups[1].group = "extr\u0430ct";
  const std::string table = Table(comparison);
  EXPECT_NE(table.find("  These names look alike but differ: \"extract\", \"extr\\u0430ct\"\n"),
            std::string::npos)
      << table;
}

TEST(ComparisonTableTest, OfARecordFiveFieldsAreShown) {
  Comparison comparison = ExampleComparison();
  std::vector<ChangedField>& fields = comparison.files[0].scorers[0].worst[0].fields;
  fields.assign(5, {.path = "a", .expected = "1", .base = "2", .now = "3"});
  std::string table = Table(comparison);
  EXPECT_NE(table.find(
                "    field a: - to -\n      expected: 1\n      base: [-2-]\n      now: {+3+}\n\nexact_match: "
                "precision"),
            std::string::npos)
      << table;
  fields.push_back({.path = "b"});
  table = Table(comparison);
  EXPECT_NE(table.find("      now: {+3+}\n    and 1 field more; JSON has them\n\nexact_match: precision"),
            std::string::npos)
      << table;
}

// An answer that is gone altogether filled the report with "(none)".
TEST(ComparisonTableTest, FieldsWithoutAValueNowAreOneLine) {
  Comparison comparison = ExampleComparison();
  std::vector<ChangedField>& fields = comparison.files[0].scorers[0].worst[0].fields;
  const ChangedField lost{.path = "a", .expected = "1", .base = "1", .base_match = 1, .now_match = 0};
  fields = {lost};
  EXPECT_NE(Table(comparison)
                .find("    field a: 1.0000 to 0.0000\n      base, as expected: 1\n      now: "
                      "(none)\n\nexact_match: precision"),
            std::string::npos)
      << Table(comparison);
  fields.assign(7, lost);
  fields[6].path = "b\n";
  fields.insert(fields.begin() + 3, {.path = "c", .expected = "1", .base = "2", .now = "3"});
  EXPECT_NE(Table(comparison)
                .find("    no value now: a, a, a, a, a, a, b\\u000A\n    field c: - to -\n      "
                      "expected: 1\n      base: [-2-]\n      now: {+3+}\n\nexact_match: precision"),
            std::string::npos)
      << Table(comparison);
}

TEST(ComparisonTableTest, ColoursTheVerdictAndTheEdits) {
  const std::string table = Table(ExampleComparison(), {}, true);
  EXPECT_TRUE(table.starts_with("\x1b[1;31mregressed\x1b[0m: ")) << table;
  EXPECT_NE(table.find("\"12.\x1b[32m{+6+}\x1b[0m0\""), std::string::npos) << table;
}

TEST(ComparisonTableTest, HostileTextsSteerNothing) {
  const std::string table = Table(HostileComparison(), HostileGates());
  EXPECT_EQ(FindInvalidUtf8(table), table.size());
  EXPECT_EQ(table.find('\x1b'), std::string::npos);
  EXPECT_EQ(table.find("\u202E"), std::string::npos);
  EXPECT_EQ(table.find("\n=1"), std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
