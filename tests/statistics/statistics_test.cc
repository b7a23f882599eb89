// The statistics against SciPy and statsmodels: tests/statistics/reference.py says what was computed, and
// how.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/statistics/families.h"
#include "engine/statistics/kendall_tau.h"
#include "engine/statistics/mean_estimate.h"
#include "engine/statistics/paired_tests.h"

namespace leafscore::internal {
namespace {

constexpr double kConfidence = 0.95;
constexpr double kPower = 0.8;

std::vector<double> Numbers(const rapidjson::Value& array) {
  std::vector<double> numbers;
  for (const auto& number : array.GetArray()) numbers.push_back(number.GetDouble());
  return numbers;
}

// Returns the lines of the reference that have this member.
std::vector<rapidjson::Document> LinesWith(const char* member) {
  std::vector<rapidjson::Document> lines;
  std::ifstream file(LEAFSCORE_TEST_DATA "/statistics/reference.jsonl");
  for (std::string text; std::getline(file, text);) {
    rapidjson::Document line;
    line.Parse<rapidjson::kParseFullPrecisionFlag>(text.c_str());
    if (line.HasMember(member)) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<Unit> UnitsOf(const std::vector<double>& differences) {
  std::vector<Unit> units;
  for (const double difference : differences) units.push_back({difference, 1});
  return units;
}

void ExpectClose(double got, double want, double tolerance) {
  EXPECT_LE(std::abs(got - want), tolerance * std::max(1.0, std::abs(want))) << got << " and " << want;
}

TEST(Statistics, PairedTestsAreThoseOfTheReference) {
  const std::vector<rapidjson::Document> lines = LinesWith("differences");
  EXPECT_GE(lines.size(), 200u);
  std::size_t wilcoxon = 0;
  for (const rapidjson::Document& line : lines) {
    const std::vector<double> differences = Numbers(line["differences"]);
    const std::vector<double> turned = Numbers(line["turned"]);
    ExpectClose(McNemarTest(static_cast<std::uint64_t>(turned[0]), static_cast<std::uint64_t>(turned[1])),
                line["mcnemar"].GetDouble(), 1e-12);
    if (line["wilcoxon"].IsNull()) continue;
    ++wilcoxon;
    ExpectClose(WilcoxonTest(differences), line["wilcoxon"].GetDouble(), 1e-10);
  }
  EXPECT_GE(wilcoxon, 190u);
}

// 0.8 to 0.6 and 0.4 to 0.2 are one fall, though their doubles differ in the last bit.
TEST(WilcoxonTest, EqualDifferencesOfScoresShareARank) {
  EXPECT_NE(0.6 - 0.8, 0.2 - 0.4);
  const std::vector<double> scores = {0.6 - 0.8, 0.2 - 0.4, 1.0 - 0.8, 0.4 - 0.2,
                                      0.4 - 0.8, 0.2 - 0.6, 1.0 - 0.4};
  const std::vector<double> exact = {-1, -1, 1, 1, -2, -2, 3};
  EXPECT_EQ(WilcoxonTest(scores), WilcoxonTest(exact));
  EXPECT_EQ(WilcoxonTest(std::vector<double>{0.3 - 0.1 - 0.2, 0.5}), WilcoxonTest(std::vector<double>{0.5}));
}

TEST(Statistics, TheTTestItsIntervalAndPowerAreThoseOfTheReference) {
  for (const rapidjson::Document& line : LinesWith("t")) {
    const MeanEstimate estimate = *EstimateMean(UnitsOf(Numbers(line["differences"])));
    const rapidjson::Value& t = line["t"];
    ExpectClose(PairedTTest(estimate), t["p"].GetDouble(), 1e-9);
    const Interval interval = TInterval(estimate, kConfidence);
    ExpectClose(interval.low, t["low"].GetDouble(), 1e-9);
    ExpectClose(interval.high, t["high"].GetDouble(), 1e-9);
    // The reference looks for its root less closely.
    ExpectClose(DetectableMean(estimate, 1 - kConfidence, kPower), t["detectable"].GetDouble(), 1e-5);
  }
}

TEST(Statistics, ClusteredErrorsAreThoseOfTheReference) {
  const std::vector<rapidjson::Document> lines = LinesWith("clustered");
  EXPECT_GE(lines.size(), 90u);
  for (const rapidjson::Document& line : lines) {
    const std::vector<double> differences = Numbers(line["differences"]);
    const std::vector<double> clusters = Numbers(line["clustered"]["clusters"]);
    std::map<double, Unit> by_cluster;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      Unit& unit = by_cluster.try_emplace(clusters[i], Unit{0, 0}).first->second;
      unit.sum += differences[i];
      unit.count += 1;
    }
    std::vector<Unit> units;
    for (const auto& [cluster, unit] : by_cluster) units.push_back(unit);
    const MeanEstimate estimate = *EstimateMean(units);
    ExpectClose(estimate.standard_error, line["clustered"]["error"].GetDouble(), 1e-9);
    ExpectClose(PairedTTest(estimate), line["clustered"]["p"].GetDouble(), 1e-8);
  }
}

TEST(Statistics, FamiliesAreThoseOfTheReference) {
  for (const rapidjson::Document& line : LinesWith("p_values")) {
    const std::vector<double> p_values = Numbers(line["p_values"]);
    const std::vector<double> holm = HolmCorrected(p_values);
    const std::vector<double> hochberg = BenjaminiHochbergCorrected(p_values);
    for (std::size_t i = 0; i < p_values.size(); ++i) {
      ExpectClose(holm[i], Numbers(line["holm"])[i], 1e-12);
      ExpectClose(hochberg[i], Numbers(line["benjamini_hochberg"])[i], 1e-12);
    }
  }
}

TEST(Statistics, KendallsTauIsThatOfTheReference) {
  const std::vector<rapidjson::Document> lines = LinesWith("tau");
  EXPECT_GE(lines.size(), 200u);
  std::size_t none = 0;
  for (const rapidjson::Document& line : lines) {
    const std::optional<double> tau = KendallTauB(Numbers(line["one"]), Numbers(line["other"]));
    ASSERT_EQ(tau.has_value(), !line["tau"].IsNull());
    none += !tau;
    if (tau) ExpectClose(*tau, line["tau"].GetDouble(), 1e-12);
  }
  EXPECT_GE(none, 20u);
}

TEST(Statistics, WithoutSpreadOrUnits) {
  EXPECT_FALSE(EstimateMean({}));
  EXPECT_FALSE(EstimateMean(UnitsOf({0.5})));
  const MeanEstimate equal = *EstimateMean(UnitsOf({0.25, 0.25, 0.25}));
  EXPECT_EQ(PairedTTest(equal), 0);
  EXPECT_EQ(PairedTTest(*EstimateMean(UnitsOf({0, 0}))), 1);
  EXPECT_EQ(WilcoxonTest({}), 1);
  EXPECT_EQ(McNemarTest(0, 0), 1);
  EXPECT_TRUE(HolmCorrected({}).empty());
}

// The variance of a rate p over n records is p (1 - p) / (n - 1): 0.5 / sqrt((0.16 + 0.21) / 9) is 2.466
// standard errors.
TEST(Statistics, RatesOfUnpairedRecordsDifferByTheirVariances) {
  ExpectClose(UnpairedRatesTest(8, 3, 10), 0.013663712868181223, 1e-12);
  ExpectClose(UnpairedRatesTest(3, 8, 10), 0.013663712868181223, 1e-12);
  EXPECT_EQ(UnpairedRatesTest(10, 0, 10), 0);
  EXPECT_EQ(UnpairedRatesTest(5, 5, 10), 1);
  EXPECT_EQ(UnpairedRatesTest(1, 0, 1), 1);
}

}  // namespace
}  // namespace leafscore::internal
