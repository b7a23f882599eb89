#include "engine/judge/price_table.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "engine/config/config_parser.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

PriceTable Table(const std::string& text) {
  return PriceTable(ParseConfig(text, "prices.yaml"), "prices.yaml");
}

TEST(PriceTable, KnowsModelsByTheirShortNamesToo) {
  const PriceTable prices = Table(
      "gpt-4o: {input: 2.5, output: 10}\n"
      "proxy/azure/GPT-4o: {input: 1, output: 1}\n"
      "granite-13b: {input: 0, output: 0}\n");
  EXPECT_EQ(prices.Cost("gpt-4o", 1'000'000, 100'000), 3.5);
  EXPECT_EQ(prices.Cost("proxy/azure/GPT-4o", 1'000'000, 100'000), 1.1);
  EXPECT_EQ(prices.Cost("litellm/Azure/GPT-4o-20240806", 1'000'000, 0), 2.5);
  EXPECT_EQ(prices.Cost("gpt-4o-240806", 1'000'000, 0), 2.5);
  EXPECT_EQ(prices.Cost("gpt-4o-24080", 1'000'000, 0), std::nullopt);  // five digits are no date
  EXPECT_EQ(prices.Cost("gpt-4o-mini", 1'000'000, 0), std::nullopt);
  EXPECT_EQ(prices.Cost("watsonx/ibm/granite-13b", 5, 5), 0.0);
  EXPECT_EQ(prices.Cost("", 5, 5), std::nullopt);
}

TEST(PriceTable, EstimatesNothingWithoutTokens) {
  const PriceTable prices = Table("m: {input: 1, output: 1}");
  EXPECT_EQ(prices.Cost("m", std::nullopt, std::nullopt), std::nullopt);
  EXPECT_EQ(prices.Cost("m", 0, 0), std::nullopt);
  EXPECT_EQ(prices.Cost("m", 0, std::nullopt), std::nullopt);
  EXPECT_EQ(prices.Cost("m", 1, 0), 0.000001);
  EXPECT_EQ(prices.Cost("m", std::nullopt, 5), 0.000005);  // as the origin, which knows no unknown counts
  EXPECT_EQ(prices.Cost("m", 5, std::nullopt), 0.000005);
}

TEST(PriceTable, ShipsThePricesOfTheOriginWithTheirDate) {
  const PriceTable shipped = PriceTable::OfAssetOpsBench();
  EXPECT_EQ(shipped.source(), "AssetOpsBench, 2026-09");
  EXPECT_EQ(shipped.Cost("litellm_proxy/azure/GPT-4o-20240806", 1'000'000, 100'000), 3.5);
  EXPECT_EQ(shipped.Cost("aws/claude-opus-4-5", 1'000'000, 1'000'000), 90);
  EXPECT_EQ(shipped.Cost("llama-4-maverick", 1'000'000, 1'000'000), 1.12);
  EXPECT_EQ(shipped.Cost("gemini-3.6-flash", 1, 1), 0.000009);
  EXPECT_EQ(shipped.Cost("m", 1, 1), std::nullopt);
  const PriceTable other = Table("m: {input: 1, output: 1}");
  EXPECT_EQ(other.source(), "prices.yaml");
  EXPECT_EQ(other.Cost("gpt-4o", 1, 1), std::nullopt);  // in the place of those shipped, not beside them
}

TEST(PriceTable, NamesWhatIsWrong) {
  const auto error = [](const std::string& text) { return ErrorOf(ErrorCode::kUsage, [&] { Table(text); }); };
  EXPECT_NE(error("- a").find("prices.yaml:1: prices are a map"), std::string::npos);
  EXPECT_NE(error("\nm: 5").find("prices.yaml:2: prices are a map"), std::string::npos);
  EXPECT_NE(error("m: {input: 1}").find("has no \"output\" price"), std::string::npos);
  EXPECT_NE(error("m: {input: 1, ouput: 2}").find("did you mean \"output\"?"), std::string::npos);
  EXPECT_NE(error("m: {input: -1, output: 2}").find("prices.yaml:1"), std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
