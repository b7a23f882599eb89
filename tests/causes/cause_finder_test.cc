#include "engine/causes/cause_finder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <ostream>
#include <string>

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
  EXPECT_EQ(planted.size(), kAnswerCauses);
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

TEST(CauseFinderTest, LongAnswersTakeLinearTime) {
  JsonValue value({});
  CauseFinder finder(&value.shapes(), {});
  std::string open = R"({"expected": {"a": 1}, "actual": ")" + std::string(1 << 20, '[') + "\"}";
  const JsonView record = value.Read(open);
  const AnswerCauses causes = finder.Find({&value.table(), record.Member("expected").node()},
                                          {&value.table(), record.Member("actual").node()});
  EXPECT_EQ(TextOf(causes), "cut_off ");
}

}  // namespace
}  // namespace leafscore::internal
