#include "cli/judge_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <utility>

#include "cli/config_file.h"
#include "cli/environment.h"
#include "cli/file_name.h"
#include "cli/option_groups.h"
#include "cli/terminal.h"
#include "cli/whole_number.h"
#include "engine/base/suggest.h"
#include "engine/config/config_parser.h"
#include "engine/render/cells.h"
#include "engine/run/scorer_set.h"

namespace leafscore::internal {

void AddJudgeOptions(CLI::App& command, JudgeArguments& arguments) {
  StartGroup(command, kJudgesGroup);
  command
      .add_option(
          "--judge-cache", arguments.cache,
          "File that keeps each reply of a judge, so that nothing is asked twice; none keeps no reply "
          "[default: OUTPUT.judges.db]")
      ->type_name("FILE")
      ->check(CheckFileName);
  CLI::Option* const replay = command.add_flag(
      "--judge-replay", arguments.replay, "Take all replies from the cache; one that is missing is an error");
  command
      .add_flag("--judge-retry-errors", arguments.retry_errors,
                "Also ask again where the cache has as many replies without a score as max_retries allows")
      ->excludes(replay);
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
          "Prices in US dollars per million tokens, before the built-in ones: a file of YAML or JSON, or the "
          "text, as in 'gpt-4o: {input: 2.5, output: 10}'")
      ->type_name("FILE")
      ->check(CheckFileName);
}

void AddBatch(CLI::App& command, JudgeArguments& arguments) {
  command
      .add_flag("--batch", arguments.batch,
                "Ask all questions before the run, in batches that OpenAI, Anthropic or Gemini answer within "
                "a day at half the price; the same command, run again, continues with unfinished batches")
      ->group(kJudgesGroup)
      ->excludes(OptionOf(command, "--judge-replay"));
}

void AskInBatches(const JudgeArguments& arguments, Judges* judges, std::span<const std::string> inputs,
                  const std::function<void()>& pass) {
  if (!arguments.batch || judges == nullptr || arguments.dry_run) return;
  for (const std::string& input : inputs) {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(input, ignored);
    if (input != "-" && (is_regular_file(status) || is_directory(status) || !exists(status))) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("--batch reads its inputs twice, but {} can be read once; write it to a file",
                            input == "-" ? "standard input (-)" : QuoteForMessage(input)));
  }
  while (judges->CollectQuestions(pass) != 0) judges->AskInBatches(&PrintMessage);
}

JudgeArguments WithCache(JudgeArguments arguments, bool asks, const std::string& output) {
  constexpr std::string_view kNoCache = "none";
  if (!asks) return arguments;
  const bool is_unwanted = arguments.cache == kNoCache;
  const bool has_output = !output.empty() && output != "-";
  if (is_unwanted) arguments.cache.clear();
  if (!is_unwanted && arguments.cache.empty() && has_output) {
    arguments.cache = output.substr(0, output.find_last_not_of('/') + 1) + ".judges.db";
  }
  if (!arguments.cache.empty()) return arguments;
  if (arguments.replay) {
    throw Error(ErrorCode::kUsage, "--judge-replay takes replies from a cache: name it with --judge-cache");
  }
  if (arguments.batch && !arguments.dry_run) {
    throw Error(
        ErrorCode::kUsage,
        "--batch keeps batches and their replies in a cache: name an output file with -o, or the cache with "
        "--judge-cache");
  }
  if (!is_unwanted && !arguments.dry_run) {
    PrintMessage(
        "replies of judges are not kept, so a run that is interrupted pays for them again: name an "
        "output file with -o or a cache with --judge-cache (none: keep no replies)");
  }
  return arguments;
}

namespace {

// Warns of old built-in prices if the run uses prices.
void PrintOldPrices(const JudgeArguments& arguments) {
  constexpr std::chrono::days kOld{90};
  if (!arguments.dry_run && !arguments.max_cost) return;
  const std::int64_t now = EpochOfEnvironment().value_or(std::time(nullptr));
  if (std::chrono::sys_seconds(std::chrono::seconds(now)) <= PriceTable::day() + kOld) return;
  PrintMessage(
      fmt::format("warning: the built-in prices of models are of {}, more than {} days ago; give "
                  "today's with --judge-prices",
                  PriceTable::date(), kOld.count()));
}

// Prints what to expect of a run, estimated from the first reply of a judge.
void PrintProbe(const JudgeProbe& probe) {
  constexpr double kMany = 1000;
  const double seconds = std::chrono::duration<double>(probe.latency).count();
  std::string text = fmt::format("the judge {} replied in {:.2f} s as {}", QuoteForMessage(probe.model),
                                 seconds, probe.form);
  if (probe.cost) text += fmt::format(" for {:.6f} dollars", *probe.cost);
  text += fmt::format("; {} such questions take about {:.0f} s at {} at a time", WithThousands(1000),
                      std::ceil(kMany * seconds / probe.max_concurrency), probe.max_concurrency);
  if (probe.cost) text += fmt::format(" and cost about {:.2f} dollars", kMany * *probe.cost);
  if (IsInteractive(STDERR_FILENO)) PrintNotice("\r\x1b[K");  // the progress bar is drawn again
  PrintMessage(text);
}

}  // namespace

std::shared_ptr<Judges> MakeJudges(const JudgeArguments& arguments, const Plan& plan,
                                   const std::string& output, const std::atomic<bool>* stop) {
  return MakeJudges(arguments, plan.scorers().asks(), output, stop);
}

std::shared_ptr<Judges> MakeJudges(const JudgeArguments& arguments, bool asks, const std::string& output,
                                   const std::atomic<bool>* stop) {
  const std::pair<bool, const char*> given[] = {
      {!arguments.cache.empty(), "--judge-cache"},
      {arguments.dry_run, "--dry-run"},
      {arguments.retry_errors, "--judge-retry-errors"},
      {arguments.max_requests.has_value(), "--max-requests"},
      {arguments.max_cost.has_value(), "--max-cost"},
      {!arguments.prices.empty(), "--judge-prices"},
      {arguments.batch, "--batch"},
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
                       .retry_errors = arguments.retry_errors,
                       .max_requests = arguments.max_requests,
                       .max_cost = arguments.max_cost,
                       .batch = arguments.batch,
                       .on_probe = PrintProbe};
  if (!arguments.prices.empty()) {
    const bool is_text = arguments.prices.find(": {") != std::string::npos;
    options.prices = is_text ? PriceTable(ParseConfig(arguments.prices, "--judge-prices"), "--judge-prices")
                             : PriceTable(ReadConfigFile(arguments.prices), arguments.prices);
  }
  PrintOldPrices(arguments);
  return std::make_shared<Judges>(std::move(options), stop);
}

void PrintDryRun(const JudgeReport& judges) {
  PrintNotice(fmt::format(
      "a run would ask {} questions; the cache answers {} more\n"
      "about {:.0f} tokens in and {:.0f} out, without retries: {}\n",
      WithThousands(judges.requests), WithThousands(judges.cached), judges.prompt_tokens,
      judges.completion_tokens,
      judges.cost ? fmt::format("about {:.4f} dollars, by the prices of {}", *judges.cost, judges.prices)
                  : "a model has no price; give it by --judge-prices 'MODEL: {input: 2.5, output: 10}'"));
}

}  // namespace leafscore::internal
