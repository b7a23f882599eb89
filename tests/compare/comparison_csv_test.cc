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
  const std::string titles =
      "base,now,difference,standard_error,interval_low,interval_high,t_interval_low,t_interval_high,bounds_"
      "low,"
      "bounds_high,p,least_p,p_corrected,p_equivalence,p_equivalence_corrected,p_t,p_wilcoxon,effect,"
      "detectable,units_for_margin,wins,ties,losses";
  const auto prefixed = [&](const std::string& prefix) {
    std::string all = prefix + titles;
    for (std::size_t at = 0; (at = all.find(',', at)) != std::string::npos; ++at) all.insert(at + 1, prefix);
    return all;
  };
  const std::string mean =
      "regressed,0.9,0.8,-0.1,0.025,-0.15,-0.05,-0.149,-0.051,-0.16,-0.04,2e-05,1e-40,6e-05,0.75,1,3e-05,0."
      "0012,"
      "-0.5,0.0625,,20,960,120";
  const std::string pass =
      "regressed,0.9,0.8,-0.1,,-0.15,-0.05,-0.149,-0.051,-0.16,-0.04,2e-05,1e-40,6e-05,0.75,1,3e-05,,-0.5,0."
      "0625,,"
      "10,970,120";
  const std::string no_pass(47, ',');  // nor pass^k
  EXPECT_EQ(
      Csv(ExampleComparison()),
      "file,scorer,group,field,rate,verdict,records,units,effective_units,units_to_fail,say_nothing,"
      "pooled_groups,base_pass_rate,now_pass_rate,flips_pass_to_fail,flips_fail_to_pass,flips_both_pass,"
      "flips_both_fail,flips_p,flips_p_unpaired,repeats_base_flake_rate,repeats_now_flake_rate,"
      "repeats_asking_noise,repeats_short_tests,scored_in_both,difference_scored,contribution,"
      "mean_verdict," +
          titles + ",pass_verdict," + prefixed("pass_") + ",pass_k_verdict," + prefixed("pass_k_") +
          "\n"
          "new.jsonl,exact_match,,,,regressed,1100,1100,1100,6,0,0,0.9,0.8,120,10,870,100,0.008,0.08,0.1,0."
          "25,"
          "0.3,0,1090,"
          "-0.0917,," +
          mean + ',' + pass + ',' + pass +
          "\n"
          "new.jsonl,exact_match,extract,,,regressed,1100,1100,1100,6,0,0,,,,,,,,,,,,,,,," +
          mean + ',' + no_pass +
          "\n"
          "new.jsonl,exact_match,(none),,,inconclusive,1,1,0,0,0,0,,,,,,,,,,,,,,,,inconclusive,0,0,0,,,,,,,,,"
          ","
          ",,,,"
          ",,,"
          ",0,0,0," +
          no_pass +
          "\n"
          "new.jsonl,exact_match,,items[*].price,,regressed,1100,1100,1100,6,0,0,,,,,,,,,,,,,,,-0.08," +
          mean + ',' + no_pass +
          "\n"
          "new.jsonl,exact_match,,items[*].price,recall,regressed,1100,1100,1100,6,0,0,,,,,,,,,,,,,,,," +
          mean + ',' + no_pass + "\n");
}

TEST(ComparisonCsvTest, WhatIsNotFiniteIsNoFigure) {
  Comparison comparison = ExampleComparison();
  ComparedFigure& mean = comparison.files[0].scorers[0].all.mean;
  mean.effect = -std::numeric_limits<double>::infinity();
  mean.interval = {-std::numeric_limits<double>::infinity(), 1};
  EXPECT_NE(Csv(comparison)
                .find(",0.025,,1,-0.149,-0.051,-0.16,-0.04,2e-05,1e-40,6e-05,0.75,1,3e-05,0.0012,,0.0625,"),
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
