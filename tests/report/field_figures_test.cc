#include "engine/report/field_figures.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/report/run_summary.h"
#include "report/summary_testing.h"

namespace leafscore::internal {
namespace {

TEST(FieldFigures, OfOneField) {
  const FieldFigures figures = FiguresOf({"a", 6, 2, 4, 9});
  EXPECT_EQ(figures.precision, 0.75);
  EXPECT_EQ(figures.recall, 0.6);
  EXPECT_EQ(figures.f1, 12.0 / 18);
}

TEST(FieldFigures, WithoutWhatDividesByZero) {
  const FieldFigures only_missing = FiguresOf({"a", 0, 0, 4, 9});
  EXPECT_EQ(only_missing.precision, std::nullopt);
  EXPECT_EQ(only_missing.recall, 0);
  EXPECT_EQ(only_missing.f1, 0);
  const FieldFigures empty = FiguresOf({"a", 0, 0, 0, 9});
  EXPECT_EQ(empty.precision, std::nullopt);
  EXPECT_EQ(empty.recall, std::nullopt);
  EXPECT_EQ(empty.f1, std::nullopt);
}

TEST(FieldFigures, MicroAndMacro) {
  // Right throughout; only missing values; nothing expected or given, so that it has no part in the means.
  const std::vector<FieldCounts> fields = {{"a", 8, 0, 0, 0}, {"b", 0, 0, 4, 0}, {"c", 0, 0, 0, 5}};
  const FieldFigures micro = FiguresOf(SumOf(fields));
  EXPECT_EQ(micro.precision, 1);
  EXPECT_EQ(micro.recall, 8.0 / 12);
  EXPECT_EQ(micro.f1, 16.0 / 20);
  const FieldFigures macro = MacroFigures(fields);
  EXPECT_EQ(macro.precision, 0.5);
  EXPECT_EQ(macro.recall, 0.5);
  EXPECT_EQ(macro.f1, 0.5);
  EXPECT_EQ(MacroFigures(std::span(fields).subspan(2)).f1, std::nullopt);
  EXPECT_EQ(MacroFigures({}).f1, std::nullopt);
}

TEST(CellTally, AddsUpInAnyOrder) {
  CellTally one;
  one.Add("b", {1, 2, 3});
  one.Add("a", {4, 0, 0});
  CellTally other;
  other.Add("b", {10, 0, 0});
  CellTally sum = other;
  sum += one;
  one += other;
  for (const CellTally* const tally : {&one, &sum}) {
    const std::vector<FieldCounts> fields = tally->Fields();
    ASSERT_EQ(fields.size(), 2u);
    EXPECT_EQ(fields[0].field, "a");
    EXPECT_EQ(fields[1].true_positives, 11u);
    EXPECT_EQ(fields[1].false_positives, 2u);
    EXPECT_EQ(fields[1].false_negatives, 3u);
  }
}

TEST(CellTally, HasOnlySumsAboveItsLimit) {
  CellTally half;
  CellTally other;
  for (std::size_t i = 0; i < CellTally::kMaxCellFields; ++i) {
    (i % 2 == 0 ? half : other).Add(std::to_string(i), {1, 0, 0});
  }
  half += other;
  EXPECT_EQ(half.Fields().size(), CellTally::kMaxCellFields);
  CellTally one_more;
  one_more.Add("one more", {0, 0, 1});
  one_more += half;
  one_more.Add("and another", {0, 1, 0});
  const std::vector<FieldCounts> fields = one_more.Fields();
  ASSERT_EQ(fields.size(), 1u);
  EXPECT_EQ(fields[0].field, "(all)");
  EXPECT_EQ(fields[0].true_positives, CellTally::kMaxCellFields);
  EXPECT_EQ(fields[0].false_positives, 1u);
  EXPECT_EQ(fields[0].false_negatives, 1u);
}

RunSummary WithFields() {
  RunSummary summary({"contains", "fields"}, {}, 10);
  summary.traits(1).judged_fields = {"total", "date"};
  const auto add = [&](int records, FieldOutcome total, FieldOutcome date) {
    const FieldOutcome fields[] = {total, date};
    for (int i = 0; i < records; ++i) summary.Add(1, Scored(1), {}, fields);
  };
  add(1'000, FieldOutcome::kTruePositive, FieldOutcome::kTrueNegative);
  add(250, FieldOutcome::kWrong, FieldOutcome::kTrueNegative);
  add(750, FieldOutcome::kFalseNegative, FieldOutcome::kTrueNegative);
  add(1, FieldOutcome::kTrueNegative, FieldOutcome::kTrueNegative);
  return summary;
}

TEST(FieldFigures, InTheTable) {
  EXPECT_NE(WithFields().Report().ToTable(false).find(R"(
scorer  field       tp   fp     fn     tn  precision  recall      f1
fields  total    1,000  250  1,000      1     0.8000  0.5000  0.6154
fields  date         0    0      0  2,001          -       -       -
fields  (micro)  1,000  250  1,000  2,002     0.8000  0.5000  0.6154
fields  (macro)      -    -      -      -     0.8000  0.5000  0.6154
)"),
            std::string::npos)
      << WithFields().Report().ToTable(false);
}

TEST(FieldFigures, InTheJson) {
  const std::string json = WithFields().Report().ToJson();
  EXPECT_NE(json.find(R"json(
      "fields": [
        {
          "field": "total",
          "true_positives": 1000,
          "false_positives": 250,
          "false_negatives": 1000,
          "true_negatives": 1,
          "precision": 0.8,
          "recall": 0.5,
          "f1": 0.6153846153846154
        },
        {
          "field": "date",
          "true_positives": 0,
          "false_positives": 0,
          "false_negatives": 0,
          "true_negatives": 2001,
          "precision": null,
          "recall": null,
          "f1": null
        }
      ],
      "micro": {
        "precision": 0.8,
        "recall": 0.5,
        "f1": 0.6153846153846154
      },
      "macro": {
        "precision": 0.8,
        "recall": 0.5,
        "f1": 0.6153846153846154
      },
      "groups": []
)json"),
            std::string::npos)
      << json;
}

}  // namespace
}  // namespace leafscore::internal
