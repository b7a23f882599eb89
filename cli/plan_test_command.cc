#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/between.h"
#include "cli/choice_option.h"
#include "cli/commands.h"
#include "cli/file_name.h"
#include "cli/interrupt.h"
#include "cli/limit_option.h"
#include "cli/option_groups.h"
#include "cli/scoring_options.h"
#include "cli/terminal.h"
#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/compare/test_planner.h"
#include "engine/statistics/test_plan.h"
#include "leafscore/compare.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {
namespace {

enum class PlanFormat : std::uint8_t { kTable, kJson };
constexpr NamedChoice<PlanFormat> kPlanFormatChoices[] = {{"table", PlanFormat::kTable},
                                                          {"json", PlanFormat::kJson}};

constexpr char kPlanFooter[] =
    R"(Give two files of scores of one model, from which the variation between runs is measured; or one
file, which gives an upper limit; or the variation itself: for verdicts --pass-rate, and --churn if
it is known; for scores --sd. With --slices K, or the groups of --by FIELD, each group is tested at
alpha / K.

Examples:
  leafscore plan-test --pass-rate 0.8 --churn 0.1 --drop 0.03
  leafscore plan-test --sd 0.2 --drop 0.02 --power 0.9
  leafscore plan-test run.jsonl again.jsonl --drop 0.02 --records 500)";

struct PlanTestArguments {
  std::vector<std::string> files;
  std::optional<double> pass_rate;
  std::optional<double> churn;
  std::optional<double> sd;
  std::optional<std::uint64_t> records;
  PlanGoal goal;
  ComparisonOptions pilot;  // how the files are read
  PlanFormat format = PlanFormat::kTable;
};

// ERRORS: Error(kUsage) for numbers that contradict each other.
void CheckNumbers(const PlanTestArguments& arguments) {
  const double drop = arguments.goal.drop;
  if (arguments.pass_rate && drop > *arguments.pass_rate) {
    throw Error(ErrorCode::kUsage, fmt::format("a pass rate of {} cannot fall by {}; give a smaller --drop",
                                               *arguments.pass_rate, drop));
  }
  if (!arguments.churn) return;
  if (drop > *arguments.churn) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format(
            "a drop of {} turns more verdicts than --churn {} says; give a --churn of {} at least, or "
            "a smaller --drop",
            drop, *arguments.churn, drop));
  }
  constexpr double kRounding = 1e-9;
  if (arguments.pass_rate && *arguments.churn > MostChurn(*arguments.pass_rate) + kRounding) {
    throw Error(ErrorCode::kUsage, fmt::format("two runs that pass {:.6g} of the records differ in {:.6g} of "
                                               "them at most; give a smaller --churn",
                                               *arguments.pass_rate, MostChurn(*arguments.pass_rate)));
  }
}

std::vector<ChanceOfFigure> ChancesOfNumbers(const PlanTestArguments& arguments) {
  CheckNumbers(arguments);
  std::vector<ChanceOfFigure> chances;
  if (arguments.churn || arguments.pass_rate) {
    chances.push_back({.is_pass_rate = true,
                       .churn = arguments.churn ? *arguments.churn : MostChurn(*arguments.pass_rate),
                       .at_most = !arguments.churn,
                       .figure = arguments.pass_rate});
  }
  if (arguments.sd) chances.push_back({.sd = arguments.sd});
  return chances;
}

std::vector<ChanceOfFigure> ChancesOfOne(const ComparisonOptions& pilot) {
  std::vector<ChanceOfFigure> chances = ChancesAtMost(
      pilot.base, {.repeats = pilot.repeats, .unverified = pilot.unverified, .max_ratio = pilot.max_ratio});
  if (pilot.scorers.empty()) return chances;
  for (const std::string& scorer : pilot.scorers) {
    if (std::ranges::find(chances, scorer, &ChanceOfFigure::scorer) != chances.end()) continue;
    std::set<std::string_view> known;
    for (const ChanceOfFigure& chance : chances) known.insert(chance.scorer);
    throw Error(ErrorCode::kInput,
                UnknownNameMessage("scorer", scorer, std::vector(known.begin(), known.end())));
  }
  std::erase_if(chances, [&](const ChanceOfFigure& chance) {
    return std::ranges::find(pilot.scorers, chance.scorer) == pilot.scorers.end();
  });
  return chances;
}

// Measures how far the runs in the files differ, and counts their groups.
std::vector<ChanceOfFigure> ChancesOfFiles(const PlanTestArguments& arguments, PlanGoal& goal) {
  ComparisonOptions pilot = arguments.pilot;
  pilot.base = arguments.files.front();
  pilot.news = {arguments.files.back()};
  pilot.worst = 0;
  pilot.stop = &CatchInterrupts();
  const bool is_alone = arguments.files.size() == 1;
  if (is_alone && pilot.by.empty()) return ChancesOfOne(pilot);
  const Comparison comparison = CompareFiles(pilot);
  if (!is_alone) {
    for (const std::string& warning : comparison.warnings) PrintMessage("warning: " + warning);
  }
  if (!pilot.by.empty()) {
    for (const ScorerComparison& scorer : comparison.files.front().scorers) {
      const auto groups = std::ranges::count(scorer.groups, 0u, &ComparedRow::pooled_groups);
      goal.slices = std::max(goal.slices, static_cast<std::uint64_t>(groups));
    }
  }
  return is_alone ? ChancesOfOne(pilot) : ChancesOf(comparison);
}

// ERRORS: Error(kUsage) if no figure can fall by the drop.
void CheckDrop(const std::vector<ChanceOfFigure>& chances, double drop) {
  if (!std::ranges::all_of(chances, [&](const ChanceOfFigure& chance) { return !chance.CanFallBy(drop); })) {
    return;
  }
  if (chances.empty()) return;
  const ChanceOfFigure& first = chances.front();
  throw Error(ErrorCode::kUsage,
              fmt::format("the {} of {} is {:.6g}, which cannot fall by {}; give a smaller --drop",
                          first.is_pass_rate ? "pass rate" : "mean", QuoteForMessage(first.scorer),
                          *first.figure, drop));
}

void RunPlanTest(const PlanTestArguments& arguments) {
  const bool has_numbers = arguments.pass_rate || arguments.churn || arguments.sd;
  if (has_numbers == !arguments.files.empty()) {
    throw Error(ErrorCode::kUsage,
                "give two files of scores of one model, or what is known of two such runs: --pass-rate and "
                "--churn, or --sd");
  }
  PlanGoal goal = arguments.goal;
  if (goal.power <= goal.alpha) {
    throw Error(ErrorCode::kUsage,
                fmt::format("runs without a drop are called changed in a share of {} as well; give a --power "
                            "above --alpha",
                            goal.alpha));
  }
  const std::vector<ChanceOfFigure> chances =
      has_numbers ? ChancesOfNumbers(arguments) : ChancesOfFiles(arguments, goal);
  CheckDrop(chances, goal.drop);
  std::vector<TestPlan> plans;
  for (const ChanceOfFigure& chance : chances) plans.push_back(PlanTest(chance, goal, arguments.records));
  Print(arguments.format == PlanFormat::kJson ? PlansAsJson(plans, goal) : PlansAsText(plans, goal));
}

}  // namespace

void AddPlanTestCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand(
      "plan-test", "Calculate how many records a test needs to find a drop, before they are collected");
  const auto arguments = std::make_shared<PlanTestArguments>();
  PlanGoal& goal = arguments->goal;
  ComparisonOptions& pilot = arguments->pilot;
  CLI::Option* const files =
      command
          ->add_option("files", arguments->files,
                       "A pilot: files of scores, from `leafscore score`, of one or two runs of one model")
          ->check(CheckFileName)
          ->expected(0, 2)
          ->type_name("FILE");
  StartGroup(*command, "Plan");
  const auto number = [&](const std::string& name, auto& value, const std::string& help) {
    return command->add_option(name, value, help)->type_name("NUMBER");
  };
  number("--pass-rate", arguments->pass_rate, "Share of the records that pass")->check(StrictlyBetween(0, 1));
  number("--churn", arguments->churn,
         "Share of the records whose verdict changes between two runs of one model [default: the most that "
         "the pass rate allows]")
      ->check(StrictlyBetween(0, 1));
  number("--sd", arguments->sd, "Standard deviation of the score differences between two such runs")
      ->check(StrictlyBetween(0, 2));
  number("--drop", goal.drop, "Drop of the mean or of the pass rate to find [default: 0.01]")
      ->check(StrictlyBetween(0, 1));
  number("--power", goal.power, "Share of the runs that should find it [default: 0.8]")
      ->check(StrictlyBetween(0, 1));
  number("--alpha", goal.alpha, "Accepted chance of a false alarm [default: 0.05]")
      ->check(StrictlyBetween(0, 0.5));
  number("--records", arguments->records,
         "Also say which drop this number of records finds [default: the records of the pilot]")
      ->check(CLI::Range(std::uint64_t{2}, kMostPlanned).description(""))
      ->type_name("N");
  CLI::Option* const slices =
      number("--slices", goal.slices, "Number of groups that are tested as well")
          ->check(CLI::Range(std::uint64_t{1}, kMaxGroups.default_value).description(""))
          ->type_name("K");
  number("--by", pilot.by, "Instead of --slices: count the groups of this field of the files")
      ->type_name("FIELD")
      ->excludes(slices)
      ->needs(files);
  StartGroup(*command, kInputGroup);
  command->add_option("--scorer,-s", pilot.scorers, "Plan only for this scorer of the files")
      ->type_name("SCORER")
      ->allow_extra_args(false)
      ->needs(files);
  AddRepeats(*command, "Which lines of an id count; all: their mean [default: last]", pilot.repeats)
      ->needs(files);
  command
      ->add_flag("--unverified", pilot.unverified,
                 "Also accept files without a manifest, as other tools write them")
      ->needs(files);
  StartGroup(*command, kOutputGroup);
  AddChoice(*command, "--format", kPlanFormatChoices, arguments->format,
            "Format of the plan [default: table]");
  AddLimit(*command, kMaxRatio, pilot.max_ratio);
  command->footer(kPlanFooter);
  command->callback([arguments] { RunPlanTest(*arguments); });
}

}  // namespace leafscore::internal
