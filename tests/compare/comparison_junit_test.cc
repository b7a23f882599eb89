#include <gtest/gtest.h>

#include <cstdlib>
#include <pugixml.hpp>
#include <string>

#include "compare/example_comparison.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

class ComparisonJunitTest : public ::testing::Test {
 protected:
  // Renders, and reads back as CI servers do. RETURNS: <testsuites>.
  pugi::xml_node Read(const Comparison& comparison, std::span<const GateResult> gates = {}) {
    text_ = RenderComparison(comparison, gates, ComparisonFormat::kJunit);
    const pugi::xml_parse_result result = document_.load_buffer(text_.data(), text_.size());
    EXPECT_TRUE(result) << result.description() << ": " << text_;
    return document_.child("testsuites");
  }

  std::string text_;
  pugi::xml_document document_;
};

TEST_F(ComparisonJunitTest, ASuiteAScorerWithItsGatesAndRecords) {
  Read(ExampleComparison(), ExampleGates());
  EXPECT_EQ(text_,
            R"XML(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="leafscore compare" tests="4" failures="3">
  <testsuite name="exact_match in new.jsonl" tests="4" failures="3" errors="0" skipped="0">
    <testcase name="max-drop 0.05" classname="exact_match in new.jsonl">
      <failure message="the mean fell by up to 0.15" />
    </testcase>
    <testcase name="max-drop 0.05 in group extract" classname="exact_match in new.jsonl" />
    <testcase name="test t-7" classname="exact_match in new.jsonl">
      <failure message="passed 5 of 5, now 1 of 5; p 0.0476" />
    </testcase>
    <testcase name="record inv-7" classname="exact_match in new.jsonl">
      <failure message="fell from 1 to 0.5 (scored to scored)" />
    </testcase>
  </testsuite>
</testsuites>
)XML");
}

TEST_F(ComparisonJunitTest, RecordsOfASuiteThatHoldsAreSkipped) {
  const std::vector<GateResult> gates = ExampleGates();
  const pugi::xml_node suite = Read(ExampleComparison(), std::span(gates).last(1)).child("testsuite");
  EXPECT_STREQ(suite.attribute("failures").value(), "0");
  EXPECT_STREQ(suite.attribute("skipped").value(), "2");
  EXPECT_TRUE(suite.last_child().child("skipped"));
}

TEST_F(ComparisonJunitTest, WithoutGatesTheVerdictFailsWhereItIsRegressed) {
  Comparison comparison = ExampleComparison();
  pugi::xml_node suite = Read(comparison).child("testsuite");
  EXPECT_STREQ(suite.child("testcase").attribute("name").value(), "verdict: regressed");
  EXPECT_STREQ(suite.child("testcase").child("failure").attribute("message").value(),
               "the mean went from 0.9 to 0.8");
  comparison.files[0].scorers[0].all.verdict = ComparisonVerdict::kInconclusive;
  suite = Read(comparison).child("testsuite");
  EXPECT_STREQ(suite.child("testcase").attribute("name").value(), "verdict: inconclusive");
  EXPECT_FALSE(suite.child("testcase").child("failure"));
  // With gates, those of other scorers, a verdict fails nothing.
  suite = Read(ExampleComparison(), ExampleGates("levenshtein")).child("testsuite");
  EXPECT_STREQ(suite.child("testcase").attribute("name").value(), "verdict: regressed");
  EXPECT_FALSE(suite.child("testcase").child("failure"));
  // And they are told all the same.
  EXPECT_STREQ(suite.next_sibling().attribute("name").value(), "gates");
  EXPECT_STREQ(suite.next_sibling().attribute("failures").value(), "1");
}

TEST_F(ComparisonJunitTest, AtMostAHundredRecordsOfASuite) {
  for (const std::size_t records : {99u, 100u, 101u}) {
    Comparison comparison = ExampleComparison();
    comparison.files[0].scorers[0].single_tests.reset();
    std::vector<ChangedRecord>& worst = comparison.files[0].scorers[0].worst;
    worst.assign(records, worst[0]);
    const pugi::xml_node suite = Read(comparison).child("testsuite");
    EXPECT_EQ(suite.attribute("tests").as_uint(), 1 + std::min<std::size_t>(records, 100));
    EXPECT_EQ(static_cast<std::size_t>(std::distance(suite.begin(), suite.end())),
              suite.attribute("tests").as_uint());
  }
}

TEST_F(ComparisonJunitTest, HostileTextsAreEscaped) {
  const pugi::xml_node suite = Read(HostileComparison(), HostileGates()).child("testsuite");
  const std::string shown = "<b>&\"'|`*_#\\u001B[31m\\u202E\\u000A=1,{}\\$%~^\\u200B\uFFFD\\uFFFE]]>";
  EXPECT_EQ(suite.attribute("name").value(), shown + " in " + shown);
  EXPECT_EQ(suite.child("testcase").child("failure").attribute("message").value(), shown);
  EXPECT_EQ(suite.last_child().attribute("name").value(), "record " + shown);
}

// What CI servers read: tests/data/junit.xsd.
TEST_F(ComparisonJunitTest, IsValidByTheSchema) {
  if (std::system("command -v xmllint >/dev/null") != 0) GTEST_SKIP() << "there is no xmllint";
  const TempDir folder;
  const auto is_valid = [&](const std::string& text) {
    WriteFile(folder / "junit.xml", text);
    return std::system(("xmllint --noout --nonet --schema " LEAFSCORE_TEST_DATA "/junit.xsd " +
                        (folder / "junit.xml") + " 2>/dev/null")
                           .c_str()) == 0;
  };
  Read(HostileComparison(), HostileGates());
  EXPECT_TRUE(is_valid(text_));
  Read(ExampleComparison(), std::span<const GateResult>());
  EXPECT_TRUE(is_valid(text_));
  const std::vector<GateResult> gates = ExampleGates();
  Read(ExampleComparison(), std::span(gates).last(1));
  EXPECT_TRUE(is_valid(text_));
  EXPECT_FALSE(is_valid("<testsuites><testsuite name=\"s\" tests=\"1\"/></testsuites>"));
  EXPECT_FALSE(is_valid("<testsuites><testcase name=\"s\"/></testsuites>"));
}

}  // namespace
}  // namespace leafscore::internal
