#include <fmt/format.h>

#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_sections.h"
#include "engine/report/human_numbers.h"

namespace leafscore::internal {
namespace {

using Kind = Section::Kind;

std::string ShownTest(const RepeatedTest& test) {
  const std::string id = ShownName(test.id);
  return test.group ? fmt::format("{} ({})", id, ShownName(*test.group)) : id;
}

// Adds a line where a table has not all of them.
void AddMore(std::uint64_t all, std::size_t shown, Section& section) {
  if (shown == all) return;
  section.lines.push_back({0, Counted(all - shown, "more test", "more tests") + "; --worst shows more"});
}

}  // namespace

Section AskedAgain(const Comparison& comparison, const FileComparison& file) {
  Section section{.kind = Kind::kFlips, .title = "Asked several times" + InFile(comparison, file)};
  section.rows.push_back(
      {"scorer", "flake rate, base", "now", "flaky tests", "got worse", "noise of asking"});
  for (const ScorerComparison& scorer : file.scorers) {
    if (!scorer.all.repeats) continue;
    const RepeatFigures& repeats = *scorer.all.repeats;
    if (!repeats.base_flake_rate && !repeats.now_flake_rate && !repeats.asking_noise) continue;
    const auto count = [&](std::uint64_t SingleTests::*member) {
      return scorer.single_tests ? WithThousands(*scorer.single_tests.*member) : "-";
    };
    section.rows.push_back({ShownName(scorer.scorer), FourDecimals(repeats.base_flake_rate),
                            FourDecimals(repeats.now_flake_rate), count(&SingleTests::flaky),
                            count(&SingleTests::worse), FourDecimals(repeats.asking_noise)});
  }
  return section;
}

Section WorseTests(const Comparison& comparison, const ScorerComparison& scorer, const std::string& of) {
  Section section{.kind = Kind::kFlips, .title = of + ": single tests that got worse"};
  if (!scorer.single_tests) return section;
  const SingleTests& tests = *scorer.single_tests;
  section.rows.push_back({"test", "passed, base", "now", PTitle(comparison)});
  for (const RepeatedTest& test : tests.got_worse) {
    section.rows.push_back({ShownTest(test), OutOf(test.base_passed, test.base_asked),
                            OutOf(test.now_passed, test.now_asked), PValue(test.p_corrected)});
  }
  AddMore(tests.worse, tests.got_worse.size(), section);
  return section;
}

Section FlakyTests(const ScorerComparison& scorer, const std::string& of) {
  Section section{.kind = Kind::kFlips, .title = of + ": flaky tests"};
  if (!scorer.single_tests) return section;
  const SingleTests& tests = *scorer.single_tests;
  section.rows.push_back({"test", "passed, base", "now", "flake rate, base", "now"});
  for (const RepeatedTest& test : tests.most_flaky) {
    section.rows.push_back({ShownTest(test), OutOf(test.base_passed, test.base_asked),
                            OutOf(test.now_passed, test.now_asked), FourDecimals(test.base_flake_rate),
                            FourDecimals(test.now_flake_rate)});
  }
  AddMore(tests.flaky, tests.most_flaky.size(), section);
  return section;
}

}  // namespace leafscore::internal
