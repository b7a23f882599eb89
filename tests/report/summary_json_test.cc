#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "engine/report/run_summary.h"

namespace leafscore::internal {
namespace {

TEST(SummaryJson, WholeText) {
  RunSummary summary({"contains"}, {"model"}, 10);
  summary.totals() = {.records_read = 3,
                      .rejected = 1,
                      .nonstandard = 1,
                      .duplicate_keys = 2,
                      .bytes = 1'500'000'000,
                      .wall_seconds = 0.5};
  for (ScoreStatistics* statistics :
       {&summary.Overall(0), &summary.Statistics(0, 0, summary.GroupIndex(0, "a"))}) {
    statistics->AddScored(0.5, true);
    statistics->AddScored(1, true);
  }
  summary.Overall(0).AddError();
  summary.Statistics(0, 0, kNoneGroup).AddError();
  EXPECT_EQ(summary.Report().ToJson(), R"json({
  "records_read": 3,
  "rejected": 1,
  "nonstandard": 1,
  "duplicate_keys": 2,
  "bytes": 1500000000,
  "timing": {
    "seconds": 0.5,
    "records_per_second": 6,
    "gigabytes_per_second": 3
  },
  "counts_add_up": true,
  "scorers": [
    {
      "scorer": "contains",
      "records": 3,
      "scored": 2,
      "unreadable": 0,
      "errors": 1,
      "mean": 0.75,
      "mean_unreadable_as_zero": 0.75,
      "standard_error": 0.25,
      "min": 0.5,
      "p5": 0.5,
      "p50": 0.5,
      "p95": 1,
      "pass_rate": 1,
      "groups": [
        {
          "field": "model",
          "value": "a",
          "kind": "value",
          "records": 2,
          "scored": 2,
          "unreadable": 0,
          "errors": 0,
          "mean": 0.75,
          "mean_unreadable_as_zero": 0.75,
          "standard_error": 0.25,
          "min": 0.5,
          "p5": 0.5,
          "p50": 0.5,
          "p95": 1,
          "pass_rate": 1
        },
        {
          "field": "model",
          "value": "(none)",
          "kind": "none",
          "records": 1,
          "scored": 0,
          "unreadable": 0,
          "errors": 1,
          "mean": null,
          "mean_unreadable_as_zero": null,
          "standard_error": null,
          "min": null,
          "p5": null,
          "p50": null,
          "p95": null,
          "pass_rate": null
        }
      ]
    }
  ]
}
)json");
}

TEST(SummaryJson, FiguresReadBackExactly) {
  RunSummary summary({"contains"}, {}, 10);
  for (const double score : {0.1, 1.0 / 3, 0x1.fffffffffffffp-2}) summary.Overall(0).AddScored(score, false);
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(summary.Report().ToJson().c_str());
  ASSERT_FALSE(document.HasParseError());
  const rapidjson::Value& scorer = document["scorers"][0];
  EXPECT_EQ(scorer["mean"].GetDouble(), *summary.Overall(0).Mean());
  EXPECT_EQ(scorer["standard_error"].GetDouble(), *summary.Overall(0).StandardError());
  EXPECT_EQ(scorer["min"].GetDouble(), 0.1);
  EXPECT_EQ(scorer["p50"].GetDouble(), 1.0 / 3);
  EXPECT_EQ(scorer["p95"].GetDouble(), 0x1.fffffffffffffp-2);
  EXPECT_EQ(scorer["pass_rate"].GetDouble(), 0);
  EXPECT_TRUE(document["timing"]["records_per_second"].IsNull());
  EXPECT_FALSE(document["counts_add_up"].GetBool());
}

TEST(SummaryJson, HostileNamesReadBack) {
  const std::string hostile("\"\\\n\x1b\0模型", 11);
  RunSummary summary({hostile}, {hostile}, 10);
  summary.Statistics(0, 0, summary.GroupIndex(0, hostile)).AddError();
  rapidjson::Document document;
  document.Parse(summary.Report().ToJson().c_str());
  ASSERT_FALSE(document.HasParseError());
  const auto text = [](const rapidjson::Value& value) {
    return std::string(value.GetString(), value.GetStringLength());
  };
  const rapidjson::Value& scorer = document["scorers"][0];
  EXPECT_EQ(text(scorer["scorer"]), hostile);
  EXPECT_EQ(text(scorer["groups"][0]["field"]), hostile);
  EXPECT_EQ(text(scorer["groups"][0]["value"]), hostile);
}

TEST(SummaryJson, BytesThatAreNotUtf8AreReplaced) {
  RunSummary summary({"contains"}, {"f\xff"}, 10);
  summary.Statistics(0, 0, summary.GroupIndex(0, "v\xc3")).AddError();
  summary.join().emplace().sources.emplace_back().source = "a\xe9.jsonl";
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(summary.Report().ToJson().c_str());
  ASSERT_FALSE(document.HasParseError());
  EXPECT_STREQ(document["scorers"][0]["groups"][0]["field"].GetString(), "f\uFFFD");
  EXPECT_STREQ(document["scorers"][0]["groups"][0]["value"].GetString(), "v\uFFFD");
  EXPECT_STREQ(document["sources"][0]["source"].GetString(), "a\uFFFD.jsonl");
}

TEST(SummaryJson, KindTellsValuesFromSpecialGroups) {
  RunSummary summary({"contains"}, {"f"}, 1);
  summary.Statistics(0, 0, summary.GroupIndex(0, "(none)")).AddError();
  summary.Statistics(0, 0, kNoneGroup).AddError();
  summary.Statistics(0, 0, summary.GroupIndex(0, "beyond")).AddError();
  rapidjson::Document document;
  document.Parse(summary.Report().ToJson().c_str());
  ASSERT_FALSE(document.HasParseError());
  const rapidjson::Value& groups = document["scorers"][0]["groups"];
  ASSERT_EQ(groups.Size(), 3u);
  EXPECT_STREQ(groups[0]["kind"].GetString(), "value");
  EXPECT_STREQ(groups[1]["kind"].GetString(), "none");
  EXPECT_STREQ(groups[2]["kind"].GetString(), "other");
}

}  // namespace
}  // namespace leafscore::internal
