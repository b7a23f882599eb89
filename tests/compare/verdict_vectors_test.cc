// The published vectors of comparisons, through the rows of `compare`: tests/statistics has those of the
// statistics.
#include "statistics/verdict_vectors.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compare/paired_mean.h"
#include "engine/compare/verdicts.h"

namespace leafscore::internal {
namespace {

const std::map<std::string_view, ComparisonVerdict> kVerdicts = {
    {"regressed", ComparisonVerdict::kRegressed},
    {"improved", ComparisonVerdict::kImproved},
    {"equivalent", ComparisonVerdict::kEquivalent},
    {"inconclusive", ComparisonVerdict::kInconclusive}};

PairedMean MeanOf(const rapidjson::Value& vector) {
  const ScoreColumns scores = ScoresOfVector(vector);
  std::map<double, std::vector<std::size_t>> records;  // by cluster, or each alone
  for (std::size_t i = 0; i < scores.base.size(); ++i) {
    const bool clustered = vector.HasMember("cluster");
    const double unit =
        clustered ? vector["cluster"][static_cast<unsigned>(i)].GetDouble() : static_cast<double>(i);
    records[unit].push_back(i);
  }
  PairedMean mean;
  std::uint32_t number = 0;
  for (const auto& [unit, of_unit] : records) {
    for (const std::size_t i : of_unit) mean.Add(number, scores.base[i], scores.now[i]);
    ++number;
  }
  return mean;
}

TEST(ComparedRowTest, GivesThePublishedVectors) {
  for (const rapidjson::Document& vector : VerdictVectors("compare")) {
    SCOPED_TRACE(vector["id"].GetString());
    const rapidjson::Value& want = vector["want"];
    const ComparisonOptions options{.margin = vector["options"]["margin"].GetDouble(),
                                    .alpha = vector["options"]["alpha"].GetDouble()};
    const PairedMean mean = MeanOf(vector);
    ComparedRow row;
    row.records = mean.records();
    row.units = mean.units();
    row.mean = mean.Figure(options);
    ComparedRow* const family[] = {&row};
    SetUnitsToFail(family, options.alpha, Correction::kHolm);
    DecideFamily(family, options.margin, options.alpha, Correction::kHolm);
    EXPECT_EQ(row.verdict, kVerdicts.at(want["verdict"].GetString()));
    EXPECT_FALSE(row.contradiction);
    EXPECT_NEAR(row.mean.difference, want["difference"].GetDouble(), 1e-12);
    EXPECT_EQ(row.mean.p_corrected, row.mean.p);
    EXPECT_NEAR(*row.mean.p, want["p"].GetDouble(),
                want["p"].GetDouble() * want["p_relative_tolerance"].GetDouble());
    EXPECT_NEAR(row.mean.bounds->low, want["bounds"][0].GetDouble(), want["bounds_tolerance"].GetDouble());
    EXPECT_NEAR(row.mean.bounds->high, want["bounds"][1].GetDouble(), want["bounds_tolerance"].GetDouble());
    if (want.HasMember("interval")) {
      EXPECT_NEAR(row.mean.interval->low, want["interval"][0].GetDouble(), 1e-9);
      EXPECT_NEAR(row.mean.interval->high, want["interval"][1].GetDouble(), 1e-9);
    }
  }
}

TEST(JoinedTest, GivesThePublishedVectors) {
  const std::vector<rapidjson::Document> vectors = VerdictVectors("endpoints");
  EXPECT_EQ(vectors.size(), 5u);
  for (const rapidjson::Document& vector : vectors) {
    EXPECT_EQ(Joined(kVerdicts.at(vector["mean"].GetString()), kVerdicts.at(vector["pass_rate"].GetString())),
              kVerdicts.at(vector["want"]["verdict"].GetString()))
        << vector["id"].GetString();
    EXPECT_FALSE(vector["want"]["contradiction"].GetBool());
  }
}

}  // namespace
}  // namespace leafscore::internal
