#include "engine/scores/manifest.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/base/checksum.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

Manifest ExampleManifest() {
  Manifest manifest;
  manifest.leafscore = "1.2.3";
  manifest.records_asked = 4;
  manifest.records_read = 3;
  manifest.scorers = {
      {"fields", "field_accuracy", "", {{"fields", R"([{"path":"a"}])"}, {"threshold", "0.50"}}, {}},
      {"judge", "code_judge", "2", {}, {{"judge.py", 5, "xxh3-128:06"}}}};
  manifest.inputs = {{"caf\xe9 \"1\".jsonl", 123, "xxh3-128:01"}, {"-", 0, "xxh3-128:02"}};
  manifest.gold = {"gold.jsonl.gz", 7, "xxh3-128:03"};
  manifest.ids = 2;
  manifest.without_id = 1;
  manifest.ids_checksum = "xxh3-128-sum:04";
  manifest.expected = 3;
  manifest.expected_checksum = "xxh3-128-sum:07";
  manifest.options = {{"details", "\"basic\""}, {"group_by", "[]"}};
  manifest.format = "jsonl";
  manifest.lines = 8;
  manifest.bytes = 18446744073709551615u;
  manifest.checksum = "xxh3-128:05";
  return manifest;
}

constexpr char kMembers[] =
    R"("manifest_kind":1,"leafscore":"1.2.3","records":{"asked":4,"read":3},"scorers":[)"
    R"({"name":"fields","type":"field_accuracy","options":{"fields":[{"path":"a"}],"threshold":0.50}},)"
    R"({"name":"judge","type":"code_judge","revision":"2","options":{},"files":[)"
    R"({"name":"judge.py","bytes":5,"checksum":"xxh3-128:06"}]}],"inputs":[)"
    "{\"name\":\"caf\uFFFD \\\"1\\\".jsonl\",\"bytes\":123,\"checksum\":\"xxh3-128:01\"},"
    R"({"name":"-","bytes":0,"checksum":"xxh3-128:02"}],)"
    R"("gold":{"name":"gold.jsonl.gz","bytes":7,"checksum":"xxh3-128:03"},)"
    R"("asked_ids":{"count":2,"without_id":1,"checksum":"xxh3-128-sum:04","with_expected":3,)"
    R"("expected_checksum":"xxh3-128-sum:07"},)"
    R"("options":{"details":"basic","group_by":[]},)"
    R"("output":{"format":"jsonl","lines":8,"bytes":18446744073709551615,"checksum":"xxh3-128:05"})";

// Returns a manifest with these members and the checksum over them.
std::string Signed(const std::string& members) {
  return "{" + members + ",\"checksum\":\"" + ChecksumOf("{" + members + "}") + "\"}";
}

std::string Refusal(const std::string& text) {
  return ErrorOf(ErrorCode::kInput, [&] { ReadManifest(text, "m.json"); });
}

TEST(Manifest, IsReadAsItWasWritten) {
  const std::string json = ManifestJson(ExampleManifest());
  EXPECT_EQ(ManifestJson(ReadManifest(json, "")), json);
  EXPECT_EQ(ManifestJson(ReadManifest(Signed(kMembers), "")), json);
  EXPECT_EQ(json.substr(0, 44), "{\n  \"manifest_kind\": 1,\n  \"leafscore\": \"1.2.");
  EXPECT_TRUE(json.ends_with("\"\n}\n"));

  const std::string trailer = ManifestTrailer(ExampleManifest());
  EXPECT_TRUE(trailer.starts_with(kTrailerBegin));
  EXPECT_EQ(trailer.find('\n'), trailer.size() - 1);
  EXPECT_EQ(ManifestJson(ReadTrailer(trailer, "")), json);

  Manifest without_gold = ExampleManifest();
  without_gold.gold.reset();
  EXPECT_FALSE(ReadManifest(ManifestJson(without_gold), "").gold);
}

TEST(Manifest, OfConvertedScoresTellsWhereTheyComeFrom) {
  Manifest converted = ExampleManifest();
  converted.origin = {"inspect_ai", "0.3", "inspect", "task/id"};
  const std::string json = ManifestJson(converted);
  EXPECT_EQ(ManifestJson(ReadManifest(json, "")), json);
  EXPECT_NE(
      ProvenanceJson(converted).find(
          R"("converted_from": {"tool": "inspect_ai", "version": "0.3", "format": "inspect", "ids": "task/id"})"),
      std::string::npos)
      << ProvenanceJson(converted);
  EXPECT_FALSE(ReadManifest(ManifestJson(ExampleManifest()), "").origin);
}

TEST(Manifest, ThatIsCutOrChangedAnywhereIsRefused) {
  const std::string json = ManifestJson(ExampleManifest());
  const std::string why = "m.json was cut or changed after leafscore wrote it; score again";
  for (std::size_t size = 0; size < json.size() - 1; ++size)
    EXPECT_EQ(Refusal(json.substr(0, size)), why) << size;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == ' ' || json[i] == '\n') continue;  // white space between the tokens says nothing
    std::string changed = json;
    changed[i] ^= 1;
    EXPECT_EQ(Refusal(changed), why) << i;
  }
  for (const std::string other : {"", "[]", "7", "{}", "{\"checksum\": 1}"})
    EXPECT_EQ(Refusal(other), why) << other;
  EXPECT_EQ(ErrorOf(ErrorCode::kInput, [&] { ReadTrailer(json, "m.json"); }), why);
}

TEST(Manifest, OfALaterVersionMayHaveMoreButNotOtherMembers) {
  std::string members = kMembers;
  members.insert(members.find(R"("gold")"), R"("later":{"more":[1e5,null]},)");
  EXPECT_EQ(ManifestJson(ReadManifest(Signed(members), "")), ManifestJson(ExampleManifest()));
  members.replace(members.find(":1,"), 3, ":2,");
  EXPECT_EQ(Refusal(Signed(members)),
            "m.json was written by the newer leafscore 1.2.3, in a format that this version does not know "
            "(kind 2); read it "
            "with that version");
}

TEST(Manifest, LiesBesideTheOutput) {
  EXPECT_EQ(ManifestPath("a/s.csv.gz"), "a/s.csv.gz.manifest.json");
  EXPECT_EQ(ManifestPath("-"), "");
  EXPECT_EQ(ManifestPath(""), "");
}

}  // namespace
}  // namespace leafscore::internal
