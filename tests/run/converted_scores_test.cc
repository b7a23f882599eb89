#include "leafscore/converted_scores.h"

#include <string>

#include "engine/scores/manifest.h"
#include "engine/scores/verified_scores.h"
#include "run/run_testing.h"

namespace leafscore {
namespace {

using internal::ErrorOf;

constexpr char kLine[] = "{\"id\": \"a\", \"scorer\": \"match\", \"outcome\": \"scored\", \"score\": 1.0}\n";

class ConvertedScoresTest : public internal::RunTest {
 protected:
  std::string Path(const std::string& name) { return folder_ / name; }
};

TEST_F(ConvertedScoresTest, TheManifestVouchesForTheLines) {
  Input("log.json", "{}\n");
  ConvertedScores scores({"inspect_ai", "1", "inspect", "task/id"});
  scores.AddInput(Path("log.json"));
  scores.AddScorer("match", {{"tasks", R"({"t": {"version": 1.0}})"}, {"metric", "\"match\""}});
  scores.AddRecord("a", "\"Oslo\"");
  scores.AddRecord("b", std::nullopt);
  scores.AddRecord(std::nullopt, std::nullopt);
  scores.AddLines(kLine);
  scores.AddLines(std::string(kLine) + kLine);
  const std::string path = Input("scores.jsonl", std::string(kLine) + kLine + kLine);
  Input("scores.jsonl.manifest.json", scores.Manifest());
  std::size_t lines = 0;
  const auto count = [&](const internal::RecordBatch& batch) { lines += batch.records.size(); };
  const auto manifest = internal::ReadVerifiedScores(path, /*accept_unverified=*/false, count);
  EXPECT_EQ(lines, 3u);
  ASSERT_TRUE(manifest.has_value());
  EXPECT_EQ(manifest->origin->tool, "inspect_ai");
  EXPECT_EQ(manifest->records_asked, 3u);
  EXPECT_EQ(manifest->ids, 2u);
  EXPECT_EQ(manifest->without_id, 1u);
  EXPECT_EQ(manifest->expected, 1u);
  ASSERT_EQ(manifest->scorers.size(), 1u);
  EXPECT_EQ(manifest->scorers[0].type, "converted");
  EXPECT_EQ(manifest->scorers[0].options[0].name, "metric");
  EXPECT_EQ(manifest->scorers[0].options[1].json, R"({"t":{"version":1.0}})");
  ASSERT_EQ(manifest->inputs.size(), 1u);
  EXPECT_EQ(manifest->inputs[0].bytes, 3u);
  EXPECT_TRUE(manifest->inputs[0].checksum.starts_with("xxh3-128-16k:"));

  Input("scores.jsonl", std::string(kLine) + kLine);
  EXPECT_TRUE(ErrorOf(ErrorCode::kInput, [&] {
                internal::ReadVerifiedScores(path, false, count);
              }).starts_with(path + " was cut short"));
}

TEST_F(ConvertedScoresTest, TheTrailerSaysTheSame) {
  ConvertedScores scores({"", "", "records", "as it is in the record"});
  scores.AddScorer("score", {});
  scores.AddRecord("a", std::nullopt);
  scores.AddLines(kLine);
  EXPECT_EQ(internal::ManifestJson(internal::ReadTrailer(scores.Trailer(), "")), scores.Manifest());
}

TEST_F(ConvertedScoresTest, WhatCannotStandInAManifestIsRefused) {
  ConvertedScores scores({"", "", "records", ""});
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage,
                    [&] {
                      scores.AddScorer("s", {{"range", "[0, 1"}});
                    }),
            "the option range is not a JSON value");
  EXPECT_NE(ErrorOf(ErrorCode::kInput, [&] { scores.AddInput(Path("nowhere.jsonl")); }), "");
}

}  // namespace
}  // namespace leafscore
