#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "engine/report/run_summary.h"
#include "report/summary_testing.h"

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
  const std::uint32_t a = summary.GroupIndex(0, "a");
  Add(summary, 0, Scored(0.5, true), {a});
  Add(summary, 0, Scored(1, true), {a});
  Add(summary, 0, kInError, {kNoneGroup});
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
      "asked": 3,
      "scored": 2,
      "unreadable": 0,
      "unanswered": 0,
      "errors": 1,
      "coverage": 0.6666666666666666,
      "nothing_compared": 0,
      "read_from_text": 0,
      "of_other_kind": 0,
      "unexpected_share": 0,
      "effective_records": 3,
      "over_all": {
        "mean": 0.5,
        "standard_error": 0.28867513459481287,
        "min": 0,
        "p5": 0,
        "p50": 0.5,
        "p95": 1,
        "pass_rate": 0.6666666666666666,
        "mean_interval": {
          "low": 0.066211,
          "high": 0.933789
        },
        "pass_interval": {
          "low": 0.20765960080204768,
          "high": 0.9385080552796037
        }
      },
      "over_scored": {
        "mean": 0.75,
        "standard_error": 0.25,
        "min": 0.5,
        "p5": 0.5,
        "p50": 0.5,
        "p95": 1,
        "pass_rate": 1
      },
      "reasons": [
        {
          "outcome": "error",
          "reason": "missing_expected",
          "records": 1
        }
      ],
      "causes": [
        {
          "cause": "missing_expected",
          "records": 1,
          "share": 0.3333333333333333,
          "mean_without": 0.75,
          "example": "",
          "example_record": 0
        }
      ],
      "json_in_texts": {
        "parsed": 0,
        "as_texts": 0
      },
      "absent_paths": [],
      "groups": [
        {
          "field": "model",
          "value": "a",
          "kind": "value",
          "asked": 2,
          "scored": 2,
          "unreadable": 0,
          "unanswered": 0,
          "errors": 0,
          "coverage": 1,
          "nothing_compared": 0,
          "read_from_text": 0,
          "of_other_kind": 0,
          "unexpected_share": 0,
          "effective_records": 2,
          "over_all": {
            "mean": 0.75,
            "standard_error": 0.25,
            "min": 0.5,
            "p5": 0.5,
            "p50": 0.5,
            "p95": 1,
            "pass_rate": 1,
            "mean_interval": null,
            "pass_interval": {
              "low": 0.3423802275066531,
              "high": 1
            }
          },
          "over_scored": {
            "mean": 0.75,
            "standard_error": 0.25,
            "min": 0.5,
            "p5": 0.5,
            "p50": 0.5,
            "p95": 1,
            "pass_rate": 1
          }
        },
        {
          "field": "model",
          "value": "(none)",
          "kind": "none",
          "asked": 1,
          "scored": 0,
          "unreadable": 0,
          "unanswered": 0,
          "errors": 1,
          "coverage": 0,
          "nothing_compared": 0,
          "read_from_text": 0,
          "of_other_kind": 0,
          "unexpected_share": 0,
          "effective_records": 1,
          "over_all": {
            "mean": 0,
            "standard_error": null,
            "min": 0,
            "p5": 0,
            "p50": 0,
            "p95": 0,
            "pass_rate": null,
            "mean_interval": null,
            "pass_interval": null
          },
          "over_scored": {
            "mean": null,
            "standard_error": null,
            "min": null,
            "p5": null,
            "p50": null,
            "p95": null,
            "pass_rate": null
          },
          "causes": [
            {
              "cause": "missing_expected",
              "records": 1,
              "share": 1,
              "mean_without": null,
              "example": "",
              "example_record": 0
            }
          ]
        }
      ]
    }
  ]
}
)json");
}

TEST(SummaryJson, FiguresReadBackExactly) {
  RunSummary summary({"contains"}, {}, 10);
  for (const double score : {0.1, 1.0 / 3, 0x1.fffffffffffffp-2}) Add(summary, 0, Scored(score, false), {});
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(summary.Report().ToJson().c_str());
  ASSERT_FALSE(document.HasParseError());
  const rapidjson::Value& scorer = document["scorers"][0];
  const rapidjson::Value& figures = scorer["over_all"];
  EXPECT_EQ(figures["mean"].GetDouble(), *summary.Overall(0).Mean(Over::kAll));
  EXPECT_EQ(figures["standard_error"].GetDouble(), *summary.Overall(0).StandardError(Over::kAll));
  EXPECT_EQ(figures["min"].GetDouble(), 0.1);
  EXPECT_EQ(figures["p50"].GetDouble(), 1.0 / 3);
  EXPECT_EQ(figures["p95"].GetDouble(), 0x1.fffffffffffffp-2);
  EXPECT_EQ(figures["pass_rate"].GetDouble(), 0);
  EXPECT_TRUE(document["timing"]["records_per_second"].IsNull());
  EXPECT_FALSE(document["counts_add_up"].GetBool());
}

TEST(SummaryJson, HostileNamesReadBack) {
  const std::string hostile("\"\\\n\x1b\0模型", 11);
  RunSummary summary({hostile}, {hostile}, 10);
  Add(summary, 0, kInError, {summary.GroupIndex(0, hostile)});
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
  Add(summary, 0, kInError, {summary.GroupIndex(0, "v\xc3")});
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
  Add(summary, 0, kInError, {summary.GroupIndex(0, "(none)")});
  Add(summary, 0, kInError, {kNoneGroup});
  Add(summary, 0, kInError, {summary.GroupIndex(0, "beyond")});
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
