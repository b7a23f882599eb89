#include "cli/judge_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "cli/config_file.h"
#include "cli/file_name.h"
#include "cli/option_groups.h"
#include "cli/terminal.h"
#include "cli/whole_number.h"
#include "engine/render/cells.h"
#include "engine/run/scorer_set.h"

namespace leafscore::internal {

void AddJudgeOptions(CLI::App& command, JudgeArguments& arguments) {
  StartGroup(command, kJudgesGroup);
  CLI::Option* const cache =
      command
          .add_option("--judge-cache", arguments.cache,
                      "File that keeps each reply of a judge, so that nothing is asked twice")
          ->type_name("FILE")
          ->check(CheckFileName);
  CLI::Option* const replay =
      command
          .add_flag("--judge-replay", arguments.replay,
                    "With --judge-cache: take all replies from the cache; one that is missing is an error")
          ->needs(cache);
  command
      .add_flag("--dry-run", arguments.dry_run,
                "Score nothing: count the questions to judges, and estimate tokens and cost")
      ->excludes(replay);
  command
      .add_option("--max-requests", arguments.max_requests,
                  "Stop the run after this number of questions to judges; --resume continues it")
      ->type_name("N")
      ->check(CheckWholeNumber);
  command
      .add_option("--max-cost", arguments.max_cost,
                  "Stop the run when judges have cost this much; --resume continues it")
      ->type_name("DOLLARS")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""));
  command
      .add_option(
          "--judge-prices", arguments.prices,
          "YAML or JSON file of prices in US dollars per million tokens: gpt-4o: {input: 2.5, output: 10}")
      ->type_name("FILE")
      ->check(CheckFileName);
}

std::shared_ptr<Judges> MakeJudges(const JudgeArguments& arguments, const Plan& plan,
                                   const std::string& output, const std::atomic<bool>* stop) {
  return MakeJudges(arguments, plan.scorers().asks(), output, stop);
}

std::shared_ptr<Judges> MakeJudges(const JudgeArguments& arguments, bool asks, const std::string& output,
                                   const std::atomic<bool>* stop) {
  const std::pair<bool, const char*> given[] = {
      {!arguments.cache.empty(), "--judge-cache"},
      {arguments.dry_run, "--dry-run"},
      {arguments.max_requests.has_value(), "--max-requests"},
      {arguments.max_cost.has_value(), "--max-cost"},
      {!arguments.prices.empty(), "--judge-prices"},
  };
  if (!asks) {
    for (const auto& [is_given, option] : given) {
      if (!is_given) continue;
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} is for scorers that ask a model (llm_judge), and there is none", option));
    }
    return nullptr;
  }
  const bool has_place = !arguments.cache.empty() && !output.empty() && output != "-";
  JudgeOptions options{.cache = arguments.cache,
                       .spare = has_place ? output + ".judge-replies" : "",
                       .replay = arguments.replay,
                       .dry_run = arguments.dry_run,
                       .max_requests = arguments.max_requests,
                       .max_cost = arguments.max_cost};
  if (!arguments.prices.empty()) {
    options.prices = PriceTable(ReadConfigFile(arguments.prices), arguments.prices);
  }
  return std::make_shared<Judges>(std::move(options), stop);
}

void TellDryRun(const JudgeReport& judges) {
  PrintNotice(fmt::format(
      "a run would ask {} questions; the cache answers {} more\n"
      "about {:.0f} tokens in and {:.0f} out, without retries: {}\n",
      WithThousands(judges.requests), WithThousands(judges.cached), judges.prompt_tokens,
      judges.completion_tokens,
      judges.cost ? fmt::format("about {:.4f} dollars, by the prices of {}", *judges.cost, judges.prices)
                  : fmt::format("{} has no price for a model; give one by --judge-prices", judges.prices)));
}

}  // namespace leafscore::internal
