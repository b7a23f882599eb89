#include "engine/causes/cause_finder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/json/json_value.h"

namespace leafscore::internal {
namespace {

AnswerCauses CausesNamed(const JsonView& names) {
  AnswerCauses causes;
  names.ForEachChild([&](const JsonView& name) {
    for (std::uint32_t cause = 0; cause < kAnswerCauses; ++cause) {
      if (AnswerCauseName(static_cast<AnswerCause>(cause)) == *name.Text())
        causes.Add(static_cast<AnswerCause>(cause));
    }
  });
  return causes;
}

std::string TextOf(AnswerCauses causes) {
  std::string text;
  causes.ForEach([&](AnswerCause cause) { text += std::string(AnswerCauseName(cause)) + ' '; });
  return text.empty() ? "none" : text;
}

// A line of the data: the id, what is found, and what should be.
struct Finding {
  std::string id;
  AnswerCauses found;
  AnswerCauses wanted;
  std::string line;
};

std::vector<Finding> FindAll(const char* file) {
  std::vector<Finding> findings;
  std::ifstream lines(std::string(LEAFSCORE_TEST_DATA) + "/" + file);
  JsonValue value({});
  CauseFinder finder(&value.shapes(), {});
  for (std::string line; std::getline(lines, line);) {
    const JsonView record = value.Read(line);
    const auto ref = [&](const JsonView& view) { return ValueRef{&value.table(), view.node()}; };
    findings.push_back({*record.Member("id").Text(),
                        finder.Find(ref(record.Member("expected")), ref(record.Member("actual"))),
                        CausesNamed(record.Member("causes")), line});
  }
  return findings;
}

TEST(CauseFinderTest, CasesWrittenByHandHaveTheirCauses) {
  const std::vector<Finding> findings = FindAll("causes.jsonl");
  ASSERT_GT(findings.size(), 150u);
  for (const Finding& finding : findings) {
    EXPECT_EQ(TextOf(finding.found), TextOf(finding.wanted)) << finding.line;
  }
}

class PlantedCausesTest : public testing::TestWithParam<const char*> {};

// The words and forms of the generator (data/make_causes.py) were chosen without a look at the rules, and
// those of the second file without a look at the first.
TEST_P(PlantedCausesTest, AreFoundAndCleanAnswersAreNotBlamed) {
  std::map<AnswerCause, std::pair<int, int>> planted;  // found, all
  int clean = 0;
  int blamed = 0;
  for (const Finding& finding : FindAll(GetParam())) {
    if (finding.wanted.empty()) {
      ++clean;
      if (finding.found.empty()) continue;
      ++blamed;
      std::cout << finding.id << ": blamed for " << TextOf(finding.found) << '\n';
    }
    finding.wanted.ForEach([&](AnswerCause cause) {
      auto& [found, all] = planted[cause];
      found += finding.found.Has(cause);
      ++all;
      if (finding.found.Has(cause)) return;
      std::cout << finding.id << ": " << TextOf(finding.found) << "in place of " << TextOf(finding.wanted)
                << '\n';
    });
  }
  EXPECT_EQ(planted.size(), kAnswerCauses - 2u);  // those of runs: answers_of_others.py
  int found = 0;
  int all = 0;
  for (const auto& [cause, counts] : planted) {
    EXPECT_GE(counts.second, 40) << AnswerCauseName(cause);
    found += counts.first;
    all += counts.second;
  }
  std::cout << found << " of " << all << " planted causes found, " << blamed << " of " << clean
            << " clean answers blamed\n";
  EXPECT_GE(100 * found, 99 * all);
  EXPECT_LE(100 * blamed, clean);
}

INSTANTIATE_TEST_SUITE_P(Files, PlantedCausesTest, testing::Values("causes_made.jsonl", "causes_held.jsonl"));

// Each would take minutes if its work grew with the square of its size.
TEST(CauseFinderTest, HostileAnswersTakeLinearTime) {
  const auto joined = [](std::size_t count, auto make) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) list += (i == 0 ? "" : ",") + make(i);
    return list;
  };
  const auto key = [](std::size_t i) { return "\"key_" + std::to_string(i) + "\":" + std::to_string(i); };
  const auto other = [](std::size_t i) { return "\"Key " + std::to_string(29999 - i) + "\":1"; };
  const auto one = [](std::size_t /*i*/) { return std::string("1"); };
  const std::string deep(500, '[');
  const std::string closing(500, ']');
  const std::pair<std::string, std::string> cases[] = {
      {R"({"a":1})", '"' + std::string(1 << 19, '[') + '"'},
      {R"({"a":1})", '"' + joined(100'000, [](std::size_t) { return std::string("{[ "); }) + '"'},
      {'{' + joined(30'000, key) + '}', '{' + joined(30'000, other) + '}'},
      {'[' + joined(200'000, one) + ",2]", '[' + joined(200'000, one) + ",3]"},
      {deep + joined(100'000, one) + closing, deep + joined(99'999, one) + closing},
      {'"' + std::string(1 << 19, 'a') + "b\"", '"' + std::string((1 << 20) - 2, 'a') + '"'},
      {R"({"a":1})",
       '{' + joined(50'000, [](std::size_t i) { return "\"k" + std::to_string(i) + R"(":{"b":1})"; }) + '}'}};
  std::vector<std::string> told;
  for (const auto& [expected, actual] : cases) {
    JsonValue value({});
    CauseFinder finder(&value.shapes(), {});
    const std::string text = R"({"expected":)" + expected + R"(,"actual":)" + actual + '}';
    const JsonView record = value.Read(text);
    ASSERT_TRUE(record.present()) << text.substr(0, 80);
    told.push_back(TextOf(finder.Find({&value.table(), record.Member("expected").node()},
                                      {&value.table(), record.Member("actual").node()})));
  }
  EXPECT_EQ(told, (std::vector<std::string>{"cut_off ", "cut_off ", "none", "near_miss ", "missing ", "none",
                                            "missing extra "}));
}

}  // namespace
}  // namespace leafscore::internal
