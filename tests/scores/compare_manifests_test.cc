#include "engine/scores/compare_manifests.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

using Change = std::function<void(Manifest&)>;

Manifest Example() {
  Manifest manifest;
  manifest.leafscore = "1.0";
  manifest.scorers = {{"s", "levenshtein", "", {{"threshold", "0.5"}}, {}}};
  manifest.inputs = {{"in", 1, "i"}};
  manifest.gold = {"gold", 10, "g"};
  manifest.ids = 100;
  manifest.ids_checksum = "x";
  manifest.expected = 100;
  manifest.expected_checksum = "e";
  manifest.options = {{"details", "\"basic\""}, {"strict_json", "false"}};
  manifest.checksum = "c";
  return manifest;
}

// An output of the test, scored from answers of its own.
NamedManifest Output(const std::string& name) {
  NamedManifest output = {name, Example()};
  output.manifest.inputs[0].checksum += name;
  return output;
}

std::vector<std::string> Compare(const Change& change, bool same_ids = true) {
  std::vector<NamedManifest> manifests = {Output("a"), Output("b"), Output("c")};
  change(manifests[2].manifest);
  return CompareManifests(manifests, same_ids);
}

void ExpectRefused(const Change& change, const std::string& difference, const std::string& instead = "") {
  EXPECT_EQ(ErrorOf(ErrorCode::kInput, [&] { Compare(change); }),
            "a and c cannot be compared: " + difference + "; score both alike" + instead);
}

TEST(CompareManifests, WhatDoesNotChangeScoresMayDiffer) {
  EXPECT_EQ(CompareManifests({}, true).size(), 0u);
  EXPECT_EQ(Compare([](Manifest&) {}).size(), 0u);
  EXPECT_EQ(Compare([](Manifest& m) {
              m.inputs = {{"other", 2, "j"}};
              m.gold->name = "the same under another name";
              m.options[0].json = "\"leaves\"";
              m.checksum = "d";
            }).size(),
            0u);
  // Another scorer is no other configuration of this one.
  EXPECT_EQ(Compare([](Manifest& m) { m.scorers[0] = {"t", "exact_match", "", {}, {}}; }).size(), 0u);
}

TEST(CompareManifests, ACopyOfAnOutputIsTold) {
  const auto copy = [](Manifest& m) { m.inputs = {{"in under another name", 1, "ia"}}; };
  EXPECT_EQ(Compare(copy), std::vector<std::string>{
                               "a and c were scored from the same answers, so only the scoring can differ"});
  // One file may hold the answers of several models.
  EXPECT_TRUE(Compare([&](Manifest& m) {
                copy(m);
                m.options.push_back({"actual_field", "\"answers.large\""});
              }).empty());
  EXPECT_TRUE(Compare([](Manifest& m) { m.inputs = {{"in", 1, "ia"}, {"more", 1, "n"}}; }).empty());
}

TEST(CompareManifests, OtherScorersAreRefused) {
  ExpectRefused([](Manifest& m) { m.scorers[0].type = "exact_match"; },
                R"(the types of the scorer "s" differ: "levenshtein" and "exact_match")");
  ExpectRefused([](Manifest& m) { m.scorers[0].revision = "2"; },
                R"(the revisions of the scorer "s" differ: "" and "2")");
  // Before there were others, revisions had no name.
  EXPECT_EQ(Compare([](Manifest& m) { m.scorers[0].revision = "seed"; }).size(), 0u);
  ExpectRefused([](Manifest& m) { m.scorers[0].options[0].json = "0.6"; },
                R"(the options of the scorer "s", "threshold" differ: 0.5 and 0.6)");
  ExpectRefused([](Manifest& m) { m.scorers[0].options.clear(); },
                R"(the options of the scorer "s", "threshold" differ: 0.5 and (not given))");
  ExpectRefused(
      [](Manifest& m) {
        m.scorers[0].options.push_back({"x", "1"});
      },
      R"(the options of the scorer "s", "x" differ: (not given) and 1)");
}

TEST(CompareManifests, AScorerIsComparedWithTheFirstFileThatHasIt) {
  std::vector<NamedManifest> manifests = {Output("a"), Output("b"), Output("c")};
  manifests[0].manifest.scorers[0].name = "other";
  manifests[2].manifest.scorers[0].options.clear();
  EXPECT_EQ(ErrorOf(ErrorCode::kInput, [&] { CompareManifests(manifests, true); }),
            "b and c cannot be compared: the options of the scorer \"s\", \"threshold\" differ: 0.5 and (not "
            "given); "
            "score both alike");
}

TEST(CompareManifests, OtherGoldIsRefused) {
  ExpectRefused([](Manifest& m) { m.gold->checksum = "h"; },
                R"(the gold files differ: "gold" (10 bytes, g) and "gold" (10 bytes, h))");
  ExpectRefused([](Manifest& m) { m.gold.reset(); },
                R"(the gold files differ: "gold" (10 bytes, g) and no gold)");
}

TEST(CompareManifests, ChecksumsOfTwoKindsAreNoSignOfOtherGold) {
  const auto compare = [](const std::string& a, const std::string& b, std::uint64_t bytes) {
    std::vector<NamedManifest> two = {Output("a"), Output("b")};
    two[0].manifest.gold->checksum = a;
    two[1].manifest.gold->checksum = b;
    two[1].manifest.gold->bytes = bytes;
    return ErrorOf(ErrorCode::kInput, [&] { CompareManifests(two, true); });
  };
  EXPECT_EQ(
      compare("xxh3-128:aa", "xxh3-128-16k:bb", 10),
      "a and b cannot be compared: their manifests have checksums of two kinds for the gold file, "
      "\"gold\" (10 "
      "bytes, xxh3-128:aa) and \"gold\" (10 bytes, xxh3-128-16k:bb), as different versions of leafscore "
      "wrote them, so it is unknown whether the files are the same; score both with one version");
  // Other sizes tell other files.
  EXPECT_NE(compare("xxh3-128:aa", "xxh3-128-16k:bb", 11).find("the gold files differ"), std::string::npos);
  EXPECT_NE(compare("xxh3-128:aa", "xxh3-128:bb", 10).find("the gold files differ"), std::string::npos);
}

TEST(CompareManifests, OtherOptionsThatChangeScoresAreRefused) {
  ExpectRefused([](Manifest& m) { m.options[1].json = "true"; },
                R"(the options "strict_json" differ: false and true)");
}

TEST(CompareManifests, OtherIdsAreRefusedWhereTheyMustBeTheSame) {
  const std::string common = ", or give --common-only to compare the ids that both have";
  const Change other = [](Manifest& m) { m.ids_checksum = "y"; };
  ExpectRefused(other, "the ids that were asked differ: 100 ids (x) and 100 ids (y)", common);
  ExpectRefused([](Manifest& m) { m.ids = 99; }, "the ids that were asked differ: 100 ids (x) and 99 ids (x)",
                common);
  // One more record, even one whose id is not known.
  ExpectRefused([](Manifest& m) { m.without_id = 1; },
                "the ids that were asked differ: 100 ids (x) and 100 ids and 1 records without an id (x)",
                common);
  EXPECT_EQ(Compare(other, /*same_ids=*/false).size(), 0u);
}

TEST(CompareManifests, OtherExpectedValuesForTheSameIdsAreRefused) {
  const Change other = [](Manifest& m) { m.expected_checksum = "f"; };
  const std::string difference =
      "the values expected for the same ids, or how they are written, differ: 100 (e) and 100 (f)";
  ExpectRefused(other, difference);
  EXPECT_EQ(ErrorOf(ErrorCode::kInput, [&] { Compare(other, /*same_ids=*/false); }),
            "a and c cannot be compared: " + difference + "; score both alike");
  // Those of other ids cannot be compared.
  EXPECT_EQ(Compare(
                [](Manifest& m) {
                  m.ids_checksum = "y";
                  m.expected_checksum = "f";
                },
                /*same_ids=*/false)
                .size(),
            0u);
}

TEST(CompareManifests, WarnsWhereExpectedValuesAreNotKnown) {
  const std::vector<std::string> warnings = Compare([](Manifest& m) {
    m.expected = 99;  // the value of one id is in a line that could not be read
    m.expected_checksum = "f";
  });
  EXPECT_EQ(warnings, std::vector<std::string>{
                          "it is unknown whether a and c expected the same values: 100 (e) and 99 (f)"});
}

TEST(CompareManifests, AChangedProgramIsRefused) {
  ExpectRefused(
      [](Manifest& m) {
        m.scorers[0].files = {{"judge.py", 3, "p"}};
      },
      R"(the program files of the scorer "s" differ: none and "judge.py" (3 bytes, p))");
  std::vector<NamedManifest> manifests = {Output("a"), Output("b")};
  manifests[0].manifest.scorers[0].files = {{"here/judge.py", 3, "p"}};
  manifests[1].manifest.scorers[0].files = {{"there/judge.py", 3, "p"}};
  EXPECT_EQ(CompareManifests(manifests, true).size(), 0u);
  manifests[1].manifest.scorers[0].files[0].checksum = "q";
  EXPECT_EQ(ErrorOf(ErrorCode::kInput, [&] { CompareManifests(manifests, true); }),
            "a and b cannot be compared: the program files of the scorer \"s\" differ: \"here/judge.py\" (3 "
            "bytes, p) and \"there/judge.py\" (3 bytes, q); score both alike");
}

TEST(CompareManifests, WarnsWhereIdsAreNotKnown) {
  const std::vector<std::string> warnings = Compare([](Manifest& m) {
    m.ids = 99;
    m.without_id = 1;
    m.ids_checksum = "y";
  });
  EXPECT_EQ(warnings,
            std::vector<std::string>{
                "it is unknown whether a and c were asked the same ids: 100 ids (x) and 99 ids and 1 "
                "records without an id (y)"});
}

// One gold is the same for all; without, the checksums are of other ids.
TEST(CompareManifests, WarnsWhereWhatWasExpectedIsNotKnown) {
  std::vector<NamedManifest> manifests = {Output("a"), Output("b")};
  for (NamedManifest& named : manifests) named.manifest.gold.reset();
  manifests[1].manifest.ids_checksum = "y";
  EXPECT_EQ(CompareManifests(manifests, /*same_ids=*/false),
            std::vector<std::string>{"it is unknown whether a and b expected the same values for the ids "
                                     "that they share; score them with one --gold"});
}

TEST(CompareManifests, WarnsOfAnotherVersion) {
  EXPECT_EQ(
      Compare([](Manifest& m) { m.leafscore = "1.1"; }),
      std::vector<std::string>{R"(a was scored by leafscore "1.0" and c by "1.1", so scores may differ)"});
  // It may have options that the other does not know.
  EXPECT_EQ(Compare([](Manifest& m) {
              m.leafscore = "1.1";
              m.scorers[0].options.push_back({"new", "1"});
            }).size(),
            1u);
}

// Returns the manifest of scores that a tool computed.
Manifest Converted(const std::string& tool, const std::string& version) {
  Manifest manifest = Example();
  manifest.gold.reset();
  manifest.options.clear();
  manifest.origin = {tool, version, "inspect", "task/id"};
  manifest.scorers = {
      {"match", "converted", "", {{"metric", "\"match\""}, {"tasks", R"({"capitals":1})"}}, {}}};
  return manifest;
}

TEST(CompareManifests, ScoresOfTwoToolsAreRefused) {
  const auto refusal = [](const Manifest& a, const Manifest& b) {
    const std::vector<NamedManifest> manifests = {{"a", a}, {"b", b}};
    return ErrorOf(ErrorCode::kInput, [&] { CompareManifests(manifests, true); });
  };
  const Manifest inspect = Converted("inspect_ai", "1");
  EXPECT_EQ(
      refusal(inspect, Converted("", "")),
      "a and b cannot be compared: the tools that computed the scores differ: \"inspect_ai\" and \"another "
      "tool\"; convert both alike");
  EXPECT_EQ(refusal(Example(), inspect),
            "a and b cannot be compared: the tools that computed the scores differ: \"leafscore\" and "
            "\"inspect_ai\"; score both alike");
  Manifest other_task = inspect;
  other_task.scorers[0].options[1].json = R"({"rivers":1})";
  EXPECT_EQ(refusal(inspect, other_task),
            "a and b cannot be compared: the options of the scorer \"match\", \"tasks\" differ: "
            "{\"capitals\":1} and "
            "{\"rivers\":1}; convert both alike");
}

TEST(CompareManifests, TellsWhoComputedTheScores) {
  const std::vector<NamedManifest> own = {Output("a"), Output("b")};
  EXPECT_EQ(OriginNotes(own).size(), 0u);
  std::vector<NamedManifest> manifests = {{"a", Converted("inspect_ai", "1")},
                                          {"b", Converted("inspect_ai", "1")}};
  EXPECT_EQ(CompareManifests(manifests, true).size(), 0u);
  EXPECT_EQ(
      OriginNotes(manifests),
      std::vector<std::string>{"inspect_ai 1 computed the scores of a, b; leafscore only converted them"});
  manifests[1].manifest.origin->version = "2";
  EXPECT_EQ(OriginNotes(manifests),
            (std::vector<std::string>{
                "inspect_ai 1 computed the scores of a; leafscore only converted them",
                "inspect_ai 2 computed the scores of b; leafscore only converted them",
                "scores may differ because different tools, or versions of them, computed them"}));
}

// Two files that say nothing of what was expected are not known to be of one test.
TEST(CompareManifests, WarnsWhereOtherToolsDoNotTellWhatWasExpected) {
  std::vector<NamedManifest> manifests = {{"a", Converted("", "")}, {"b", Converted("", "")}};
  for (NamedManifest& named : manifests) {
    named.manifest.expected = 0;
    named.manifest.expected_checksum = "z";
  }
  EXPECT_EQ(
      CompareManifests(manifests, true),
      std::vector<std::string>{"it is unknown whether a and b expected the same values: 0 (z) and 0 (z)"});
}

}  // namespace
}  // namespace leafscore::internal
