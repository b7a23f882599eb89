#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "compare/example_comparison.h"
#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

std::string Csv(const Comparison& comparison) {
  return RenderComparison(comparison, {}, ComparisonFormat::kCsv);
}

TEST(ComparisonCsvTest, ARowForEachMean) {
  const std::string means =
      "1100,1100,0,0.9,0.8,-0.1,0.025,-0.15,-0.05,-0.149,-0.051,2e-05,3e-05,6e-05,0.75,1,0.0012,-0.5,"
      "0.0625,,20,960,120";
  EXPECT_EQ(
      Csv(ExampleComparison()),
      "file,scorer,group,field,verdict,records,units,say_nothing,base,now,difference,standard_error,interval_"
      "low,"
      "interval_high,t_interval_low,t_interval_high,p,p_t,p_corrected,p_equivalence,p_equivalence_corrected,"
      "p_wilcoxon,effect,detectable,more_units,wins,ties,losses,base_pass_rate,now_pass_rate,"
      "flips_pass_to_fail,flips_fail_to_pass,flips_both_pass,flips_both_fail,flips_p,flips_p_unpaired,"
      "scored_in_both,difference_scored,contribution\n"
      "new.jsonl,exact_match,,,regressed," +
          means +
          ",0.9,0.8,120,10,870,100,0.008,0.08,1090,-0.0917,\n"
          "new.jsonl,exact_match,extract,,regressed," +
          means +
          ",,,,,,,,,,,\n"
          "new.jsonl,exact_match,(none),,inconclusive,1,1,0,0,0,0,,,,,,,,,,,,,,,0,0,0,,,,,,,,,,,\n"
          "new.jsonl,exact_match,,items[*].price,regressed," +
          means + ",,,,,,,,,,,-0.08\n");
}

TEST(ComparisonCsvTest, WhatIsNotFiniteIsNoFigure) {
  Comparison comparison = ExampleComparison();
  ComparedMean& mean = comparison.files[0].scorers[0].all;
  mean.effect = -std::numeric_limits<double>::infinity();
  mean.interval = {-std::numeric_limits<double>::infinity(), 1};
  EXPECT_NE(Csv(comparison).find(",0.025,,1,-0.149,-0.051,2e-05,3e-05,6e-05,0.75,1,0.0012,,0.0625,"),
            std::string::npos);
}

TEST(ComparisonCsvTest, HostileTextsAreOneFieldAndNoFormula) {
  Comparison comparison = HostileComparison();
  comparison.files[0].file = "=1+1";
  const std::string csv = Csv(comparison);
  EXPECT_EQ(FindInvalidUtf8(csv), csv.size());
  EXPECT_NE(csv.find("\n'=1+1,\"<b>&\"\"'|`"), std::string::npos) << csv;
  EXPECT_EQ(csv.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
