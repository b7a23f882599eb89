#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/compare/comparison_cells.h"
#include "engine/compare/comparison_names.h"
#include "engine/compare/drop_causes.h"
#include "engine/compare/gate_scope.h"
#include "engine/compare/row_figures.h"
#include "engine/render/cells.h"
#include "leafscore/compare.h"

namespace leafscore {

using namespace internal;

namespace {

constexpr std::string_view kEachField = "*";

// The result of a gate for a row.
struct Ruling {
  bool passed;
  std::string sentence;
  bool could_fail = true;
  std::string caveat = {};
};

std::string Change(const ComparedFigure& figure) {
  return fmt::format("{:.4f} -> {:.4f} ({:+.4f})", figure.base, figure.now, figure.difference);
}

// Returns the figure that a gate checks: the mean, pass^k or the pass rate. If score and verdict are one
// number, the pass rate is the mean. RETURNS: null if the row has no pass rate or pass^k to check.
const ComparedFigure* FigureOf(const ComparedRow& row, ComparedPart part) {
  if (part == ComparedPart::kPassK) return row.pass_k ? &*row.pass_k : nullptr;
  if (part != ComparedPart::kPassRate) return &row.mean;
  if (row.pass) return &*row.pass;
  return row.base_pass_rate && row.now_pass_rate ? &row.mean : nullptr;
}

std::string_view PartName(ComparedPart part) {
  return part == ComparedPart::kPassRate ? "pass rate " : part == ComparedPart::kPassK ? "pass^k " : "";
}

// Returns the name and the change of the first figure for which `is_told` holds. If it holds for no figure,
// returns the change in the mean.
template <class IsTold>
std::string ChangeTold(const ComparedRow& row, const IsTold& is_told) {
  std::string change;
  ForEachFigure(row, [&](ComparedPart part, const ComparedFigure& figure) {
    if (change.empty() && is_told(figure)) change = std::string(PartName(part)) + Change(figure);
  });
  return change.empty() ? Change(row.mean) : change;
}

constexpr char kNothingJudged[] = "nothing passes or fails on both sides";

std::string TooFew(const ComparedRow& row) {
  return fmt::format("could not have failed: {}, at least {} are needed",
                     Counted(row.units, "record or cluster", "records or clusters"), row.units_to_fail);
}

Ruling RuleOnVerdict(const ComparedRow& row, FailOn what, ComparedPart part) {
  const ComparedFigure* const figure = FigureOf(row, part);
  if (figure == nullptr) return {false, kNothingJudged};
  const bool is_all = part == ComparedPart::kAll;
  const ComparisonVerdict verdict = is_all ? row.verdict : figure->verdict;
  const bool regressed = verdict == ComparisonVerdict::kRegressed;
  const bool inconclusive = verdict == ComparisonVerdict::kInconclusive;
  const auto has_regressed = [](const ComparedFigure& one) {
    return one.verdict == ComparisonVerdict::kRegressed;
  };
  const std::string change = is_all ? ChangeTold(row, has_regressed) : Change(*figure);
  switch (what) {
    case FailOn::kRegressed:
      if (!row.could_fail()) return {!regressed, TooFew(row), false};
      return {!regressed, fmt::format("{}: {}", regressed ? "it regressed" : "it did not regress", change)};
    case FailOn::kInconclusive:
      return {!regressed && !inconclusive, fmt::format("{}: {}",
                                                       regressed      ? "it regressed"
                                                       : inconclusive ? "these records cannot tell"
                                                                      : "these records can tell",
                                                       change)};
    case FailOn::kPowerless:
      return {row.could_fail(), row.could_fail() ? fmt::format("it could have failed: {} of {} needed",
                                                               row.units, row.units_to_fail)
                                                 : TooFew(row)};
    case FailOn::kAnyDrop:
      break;
  }
  if (!is_all) return {figure->now >= figure->base, Change(*figure)};
  const auto has_fallen = [](const ComparedFigure& one) { return one.now < one.base; };
  bool any_fell = false;
  ForEachFigure(row, [&](ComparedPart, const ComparedFigure& one) { any_fell |= has_fallen(one); });
  return {!any_fell, ChangeTold(row, has_fallen)};
}

// Passes if the lower bound of the change rules out a drop of `most` or more. The bound holds for any
// distribution of scores.
Ruling RuleOnDrop(const ComparedRow& row, double most, ComparedPart part) {
  const ComparedFigure* const figure = FigureOf(row, part);
  if (figure == nullptr) return {false, kNothingJudged};
  if (!figure->bounds) return {false, "there is no record"};
  const double drop = -figure->bounds->low;
  return {drop < most, fmt::format("{}; the drop may be up to {:.4f}", Change(*figure), std::max(drop, 0.0))};
}

Ruling RuleOnFlips(const ComparedRow& row, double most) {
  if (!row.flips) return {false, kNothingJudged};
  const auto flips = static_cast<double>(row.flips->pass_to_fail);
  return {flips <= most,
          Counted(row.flips->pass_to_fail, "record that passed fails now", "records that passed fail now")};
}

// Returns for example "2 single tests got worse: t-7 (5 of 5 passed, now 0 of 5), …".
std::string WorseTestsText(const SingleTests& tests) {
  constexpr std::size_t kMaxNamed = 5;
  if (tests.worse == 0) return "no single test got worse";
  std::string text = Counted(tests.worse, "single test", "single tests") + " got worse";
  const std::size_t named = std::min(kMaxNamed, tests.got_worse.size());
  for (std::size_t i = 0; i < named; ++i) {
    const RepeatedTest& test = tests.got_worse[i];
    text += fmt::format("{}{} ({} of {} passed, now {} of {})", i == 0 ? ": " : ", ", test.id,
                        test.base_passed, test.base_asked, test.now_passed, test.now_asked);
  }
  return named < tests.worse ? text + ", …" : text;
}

// Returns the tests on which the gate could not have failed; empty if there are no such tests. For example:
// "could not have failed on 19 of 20 tests, asked too few times or not answered: t-1, …".
std::string PowerlessTestsText(const SingleTests& tests) {
  if (tests.powerless == 0) return "";
  std::string text =
      fmt::format("could not have failed on {} of {}, asked too few times or not answered: ",
                  WithThousands(tests.powerless), Counted(tests.passed_in_base, "test", "tests"));
  for (std::size_t i = 0; i < tests.powerless_ids.size(); ++i) {
    text += (i == 0 ? "" : ", ") + ShownName(tests.powerless_ids[i]);
  }
  return tests.powerless_ids.size() < tests.powerless ? text + ", …" : text;
}

// Fails the gate if a test got worse. Also fails it if most tests that passed in the base could not have
// failed the gate, because then the gate says nothing about the run.
Ruling RuleOnTests(const SingleTests& tests) {
  if (!tests.could_fail) {
    return {
        true,
        fmt::format("could not have failed: tests were asked up to {} times in both runs, at least {} are "
                    "needed",
                    tests.most_asked, tests.asked_to_fail),
        false};
  }
  const std::string powerless = PowerlessTestsText(tests);
  const std::string sentence = WorseTestsText(tests) + (powerless.empty() ? "" : "; it ") + powerless;
  const bool is_blind = 2 * tests.powerless > tests.passed_in_base;
  return {tests.worse == 0 && !is_blind, sentence, true, powerless};
}

// Returns for example "3 records say nothing about the answers: errors in the base 1, errors here 2". A
// record may be in error on both sides.
std::string ErrorsText(std::uint64_t errors, const ScorerComparison& scorer, std::uint64_t only_now) {
  if (errors == 0) return "every record says something about the answers";
  std::string text = fmt::format("{} say nothing about the answers: ", Counted(errors, "record", "records"));
  std::string_view separator;
  const auto add = [&](std::string_view what, std::uint64_t count) {
    if (count == 0) return;
    text += fmt::format("{}{} {}", separator, what, WithThousands(count));
    separator = ", ";
  };
  add("errors in the base", scorer.base_errors);
  add("errors here", scorer.now_errors);
  add("nothing compared", scorer.nothing_compared);
  add("without a line in the base", only_now);
  return text;
}

class Checker {
 public:
  Checker(const Comparison& comparison, const ComparisonGates& gates)
      : comparison_(comparison), gates_(gates) {}

  std::vector<GateResult> Check() {
    for (const ComparisonGates::Verdict& gate : gates_.fail_on) {
      const std::size_t first = results_.size();
      Hold(fmt::format("fail-on {}", NameOf(kFailOnChoices, gate.what)), gate.scope,
           [&](const ComparedRow& row, ComparedPart part) { return RuleOnVerdict(row, gate.what, part); });
      FailIfPowerless(std::span(results_).subspan(first));
    }
    for (const ComparisonLimit& gate : gates_.max_drop) {
      Hold(fmt::format("max-drop {}", gate.most), gate.scope,
           [&](const ComparedRow& row, ComparedPart part) { return RuleOnDrop(row, gate.most, part); });
    }
    for (const ComparisonLimit& gate : gates_.max_pass_drop) {
      Hold(fmt::format("max-pass-drop {}", gate.most), gate.scope, [&](const ComparedRow& row, ComparedPart) {
        return RuleOnDrop(row, gate.most, ComparedPart::kPassRate);
      });
    }
    if (!gates_.max_flips.empty() && comparison_.repeats == Repeats::kAll) {
      throw Error(ErrorCode::kUsage,
                  "--max-flips counts the verdicts of records that were asked once, but --repeats all takes "
                  "means; use --fail-on-test or --max-pass-drop");
    }
    for (const ComparisonLimit& gate : gates_.max_flips) {
      Hold(fmt::format("max-flips {}", gate.most), gate.scope,
           [&](const ComparedRow& row, ComparedPart) { return RuleOnFlips(row, gate.most); });
    }
    if (gates_.fail_on_test) CheckTests();
    if (gates_.any()) CheckErrors();
    return std::move(results_);
  }

 private:
  template <class Rule>
  void Hold(const std::string& gate, const ComparisonScope& scope, Rule rule);
  // Fails all results of a gate if no row could have failed it.
  static void FailIfPowerless(std::span<GateResult> results) {
    if (std::ranges::any_of(results, &GateResult::could_fail)) return;
    for (GateResult& result : results) result.passed = false;
  }
  void CheckTests();
  void CheckErrors();
  void Add(const std::string& gate, const FileComparison& file, const ComparedRow& row, Ruling ruling) {
    results_.push_back({gate, file.file, row.scorer, row.group, row.field, ruling.passed, ruling.could_fail,
                        std::move(ruling.sentence), std::move(ruling.caveat)});
  }

  const Comparison& comparison_;
  const ComparisonGates& gates_;
  std::vector<GateResult> results_;
};

// Checks a gate for all rows of its scope. ERRORS: Error(kUsage) if there are no such rows.
template <class Rule>
void Checker::Hold(const std::string& gate, const ComparisonScope& written, Rule rule) {
  bool has_scorer = false;
  bool has_row = false;
  std::set<std::string_view> scorers;
  for (const FileComparison& file : comparison_.files) {
    for (const ScorerComparison& scorer : file.scorers) scorers.emplace(scorer.scorer);
  }
  const ComparisonScope scope = ResolveScope(written, std::vector(scorers.begin(), scorers.end()));
  if (scope.part == ComparedPart::kPassK && comparison_.pass_k == 0) {
    throw Error(ErrorCode::kUsage,
                "--" + gate + ": pass^k is not compared; give --repeats all and a k with --pass-k");
  }
  std::set<std::string_view> fields;  // fields of the selected scorers
  for (const FileComparison& file : comparison_.files) {
    for (const ScorerComparison& scorer : file.scorers) {
      if (!scope.scorer.empty() && scope.scorer != scorer.scorer) continue;
      has_scorer = true;
      const auto hold = [&](const ComparedRow& row) {
        has_row = true;
        Ruling ruling = rule(row, scope.part);
        if (!ruling.passed) {
          ruling.sentence += fmt::format("; over {}", Counted(row.records, "record", "records"));
          if (!row.group && !row.field) ruling.sentence += DropCausesText(scorer);
        }
        Add(gate, file, row, std::move(ruling));
      };
      if (scope.field.empty()) {
        hold(scorer.all);
        std::ranges::for_each(scorer.groups, hold);
        continue;
      }
      for (const ComparedRow& row : scorer.fields) {
        fields.emplace(*row.field);
        if (scope.field == kEachField || scope.field == row.field) hold(row);
      }
    }
  }
  if (has_row) return;
  const auto unknown = [](std::string_view what, std::string_view name,
                          const std::set<std::string_view>& known) {
    return UnknownNameMessage(what, name, std::vector(known.begin(), known.end()));
  };
  std::string problem;
  if (!has_scorer) {
    problem = unknown("scorer", scope.scorer, scorers);
  } else if (!fields.empty()) {
    problem = unknown("field", scope.field, fields);
  } else {
    problem = (scope.scorer.empty() ? "no line" : "no line of " + QuoteForMessage(scope.scorer)) +
              " lists fields; use a scorer that judges them, and score with --details leaves";
  }
  throw Error(ErrorCode::kUsage, "--" + gate + ": " + problem);
}

// Skips scorers that do not pass or fail records, because their tests cannot get worse.
void Checker::CheckTests() {
  if (comparison_.repeats != Repeats::kAll || comparison_.anytime) {
    throw Error(ErrorCode::kUsage,
                comparison_.anytime
                    ? "--fail-on-test: single tests have no p-values that are valid at every look; leave out "
                      "--anytime"
                    : "--fail-on-test needs tests that were asked several times; give --repeats all");
  }
  const std::size_t first = results_.size();
  for (const FileComparison& file : comparison_.files) {
    for (const ScorerComparison& scorer : file.scorers) {
      if (scorer.single_tests) Add("fail-on-test", file, scorer.all, RuleOnTests(*scorer.single_tests));
    }
  }
  if (results_.size() == first) {
    throw Error(ErrorCode::kUsage, std::string("--fail-on-test: ") + kNothingJudged +
                                       "; use a scorer with a threshold or a verdict");
  }
  FailIfPowerless(std::span(results_).subspan(first));
}

// Limits the records that say nothing about the answers on at least one side, so that they do not decide a
// comparison.
void Checker::CheckErrors() {
  for (const FileComparison& file : comparison_.files) {
    for (const ScorerComparison& scorer : file.scorers) {
      const std::uint64_t only_now = comparison_.common_only ? 0 : file.only_now.count;
      const std::uint64_t errors = scorer.all.say_nothing + only_now;
      const ErrorLimit limit = gates_.max_errors.value_or(ErrorLimit{});
      const auto records = static_cast<double>(scorer.all.records);
      const bool passed =
          limit.share ? static_cast<double>(errors) <= *limit.share * records : errors <= limit.count;
      // Without the option, only failures are worth a line.
      if (passed && !gates_.max_errors) continue;
      Add(limit.share ? fmt::format("max-errors {}%", *limit.share * 100)
                      : fmt::format("max-errors {}", limit.count),
          file, scorer.all, {passed, ErrorsText(errors, scorer, only_now)});
    }
  }
}

}  // namespace

std::vector<GateResult> CheckComparison(const Comparison& comparison, const ComparisonGates& gates) {
  return Checker(comparison, gates).Check();
}

}  // namespace leafscore
