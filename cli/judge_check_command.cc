#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/between.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/file_name.h"
#include "cli/interrupt.h"
#include "cli/judge_options.h"
#include "cli/option_groups.h"
#include "cli/scoring_options.h"
#include "cli/terminal.h"
#include "cli/whole_number.h"
#include "engine/calibrate/judge_check.h"
#include "engine/calibrate/judge_probes.h"
#include "engine/io/output_file.h"
#include "engine/io/replaced_files.h"
#include "engine/render/cells.h"

namespace leafscore::internal {
namespace {

constexpr char kJudgeCheckExamples[] = R"(Examples:
  leafscore judge-check labelled.jsonl -s levenshtein --label-field stars --label-max 5
  leafscore judge-check labelled.jsonl -c judge.yaml --by model --min-alpha 0.8 -o check.json
  leafscore judge-check answers.jsonl -c judge.yaml --probes --max-probe-shift 0.1 -o probes.json)";

struct JudgeCheckArguments {
  JudgeCheckOptions check;
  ScorerArguments scorers;
  JudgeArguments judges;
  std::string output;
  std::optional<double> min_alpha;
  bool probes = false;
  std::uint64_t probe_records = ProbeOptions().records;
  std::uint64_t probe_seed = ProbeOptions().seed;
  std::optional<double> max_probe_shift;
};

void WriteFigures(const std::string& json, const JudgeCheckArguments& arguments) {
  if (arguments.output.empty()) return;
  const std::unique_ptr<OutputFile> output = OutputFile::Open(arguments.output, arguments.check.run.stop);
  output->Write(json);
  output->Commit();
}

// Prints which probes shift a judge too far, or may do so. RETURNS: the exit code.
int CheckShifts(const JudgeProbes& probes, double most) {
  int exit_code = kExitFine;
  for (const ProbeFigures& probe : probes.probes) {
    const bool is_whole = probe.errors == 0 && probes.without_score == 0;
    if (probe.records != 0 && probe.Bound() <= most && is_whole) continue;
    const std::string_view name = kProbeNames[static_cast<std::size_t>(probe.probe)];
    std::string why = "the judge saw no changed answer";
    if (probe.records != 0) {
      why = fmt::format(
          "the shift is {:+.4f} (95% from {:+.4f} to {:+.4f}) over {} records, and may be at most {} up or "
          "down",
          *probe.shift, probe.interval->low, probe.interval->high, probe.records, most);
      if (const double least = LeastProbeBound(probe.units); least > most) {
        why += fmt::format(
            "; with so few records the gate cannot pass, as {:.4f} is possible even if no score shifts: ask "
            "about "
            "more (--probe-records)",
            least);
      }
    }
    if (!is_whole) {
      why += fmt::format("; {} changed and {} unchanged answers have no score, and all need one",
                         probe.errors, probes.without_score);
    }
    PrintMessage(fmt::format("gate failed: {}, probe {}: {}", probe.scorer, name, why));
    exit_code = kExitGateFailed;
  }
  return exit_code;
}

int RunProbes(const JudgeCheckArguments& arguments, const ScorerSet& scorers, const FileOptions& run) {
  const JudgeProbes probes =
      ProbeJudges(scorers, {.run = run, .records = arguments.probe_records, .seed = arguments.probe_seed});
  if (arguments.judges.dry_run) {
    PrintDryRun(run.judges->Report());
    return kExitFine;
  }
  Print(probes.ToText());
  if (const JudgeReport asked = run.judges->Report(); arguments.judges.batch) {
    // Batches answer the questions of all probes before the first is counted.
    PrintMessage(fmt::format("asked {} in batches{}", Counted(asked.requests, "question", "questions"),
                             asked.cost ? fmt::format(" for {:.4f} dollars", *asked.cost) : ""));
  }
  WriteFigures(probes.ToJson(), arguments);
  return arguments.max_probe_shift ? CheckShifts(probes, *arguments.max_probe_shift) : kExitFine;
}

int RunJudgeCheck(const JudgeCheckArguments& arguments) {
  JudgeCheckOptions options = arguments.check;
  const MadePlan made = MakePlan(arguments.scorers, options.run);
  const Plan& plan = made.plan;
  const JudgeArguments judges = WithCache(arguments.judges, plan.scorers().asks(), arguments.output);
  std::vector<std::string> inputs = options.run.inputs;
  inputs.push_back(judges.prices);
  inputs.insert(inputs.end(), made.files.begin(), made.files.end());
  CheckReplacesNone(std::vector{arguments.output, judges.cache}, inputs);
  options.run.stop = &CatchInterrupts();
  options.run.judges = MakeJudges(judges, plan, arguments.output, options.run.stop);
  if (arguments.probes) {
    if (!plan.scorers().asks())
      throw Error(ErrorCode::kUsage,
                  "--probes is for scorers that ask a model (llm_judge), and there is none");
    AskInBatches(judges, options.run.judges.get(), options.run.inputs, [&] {
      ProbeJudges(plan.scorers(),
                  {.run = options.run, .records = arguments.probe_records, .seed = arguments.probe_seed});
    });
    return RunProbes(arguments, plan.scorers(), options.run);
  }
  AskInBatches(judges, options.run.judges.get(), options.run.inputs,
               [&] { CheckJudges(plan.scorers(), options); });
  const JudgeCheck check = CheckJudges(plan.scorers(), options);
  if (judges.dry_run) {
    PrintDryRun(options.run.judges->Report());
    return kExitFine;
  }
  Print(check.ToText());
  WriteFigures(check.ToJson(), arguments);
  if (!arguments.min_alpha) return kExitFine;
  int exit_code = kExitFine;
  if (!check.is_complete()) {
    PrintMessage(fmt::format("gate failed: {} labels are invalid, and {} records could not be read",
                             check.invalid_labels, check.rejected));
    exit_code = kExitGateFailed;
  }
  for (const CheckedJudge& judge : check.judges) {
    const std::optional<Interval>& interval = judge.alpha_interval;
    if (interval && interval->low >= *arguments.min_alpha && judge.errors == 0) continue;
    PrintMessage(fmt::format(
        "gate failed: {} has an alpha {} over {} records, {} of them without a score; the lower end must be "
        "at least {}, and all records need a score",
        judge.scorer,
        interval ? fmt::format("of {:.4f} (95% from {:.4f})", *judge.alpha, interval->low)
                 : "without an interval, as they are too few or too alike,",
        judge.labelled, judge.errors, *arguments.min_alpha));
    exit_code = kExitGateFailed;
  }
  return exit_code;
}

}  // namespace

void AddJudgeCheckCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "judge-check", "Measure how far scores agree with those that people gave the same records");
  const auto arguments = std::make_shared<JudgeCheckArguments>();
  JudgeCheckOptions& check = arguments->check;
  AddScorerOptions(*command, check.run, arguments->scorers);
  StartGroup(*command, kFieldsGroup);
  command
      ->add_option("--label-field", check.label_field,
                   "Field with the score that people gave: a number from 0 on, or true or false [default: "
                   "label]")
      ->type_name("FIELD");
  command->add_option("--label-max", check.label_max, "The best label [default: 1]")
      ->check(CLI::Validator(CLI::PositiveNumber).description(""));
  command
      ->add_option("--threshold", check.threshold,
                   "Score, and label divided by the best, from which a record passes; 0 to 1 [default: 0.5]")
      ->check(CLI::Range(0.0, 1.0).description(""));
  command
      ->add_option("--by", check.by,
                   "Also report bias by this field, such as the answer's model or its position")
      ->type_name("FIELD")
      ->allow_extra_args(false);
  StartGroup(*command, kGatesGroup);
  CLI::Option* const min_alpha = command->add_option(
      "--min-alpha", arguments->min_alpha,
      "Fail (exit 1) if Krippendorff's alpha may be lower, by its 95% interval, a labelled "
      "record has no score, or a label or record cannot be read");
  CLI::Option* const max_shift =
      command
          ->add_option(
              "--max-probe-shift", arguments->max_probe_shift,
              "Fail (exit 1) if a probe may shift scores further, up or down, by its 95% interval, or a "
              "record has no score")
          ->check(StrictlyBetween(0, 1))
          ->type_name("X");
  StartGroup(*command, kJudgesGroup);
  CLI::Option* const probes = command->add_flag(
      "--probes", arguments->probes,
      "Instead of labels, measure what sways the judge: ask again about answers that are padded, restyled, "
      "ask for "
      "100, cite what does not exist, or name the judge as their author, and with the two sides swapped");
  probes->excludes(min_alpha);
  max_shift->needs(probes);
  command
      ->add_option("--probe-records", arguments->probe_records,
                   "With --probes: number of records to ask about [default: 100]")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000}).description(""))
      ->type_name("N")
      ->needs(probes);
  command
      ->add_option("--probe-seed", arguments->probe_seed,
                   "With --probes: another number takes other records [default: 1]")
      ->check(CheckWholeNumber)
      ->type_name("N")
      ->needs(probes);
  StartGroup(*command, kOutputGroup);
  command->add_option("-o,--output", arguments->output, "Write the figures as JSON to this file")
      ->type_name("FILE")
      ->check(CheckFileName);
  AddJudgeOptions(*command, arguments->judges);
  AddBatch(*command, arguments->judges);
  AddRecordOptions(*command, check.run);
  command->footer(kJudgeCheckExamples);
  command->callback([arguments, &exit_code] { exit_code = RunJudgeCheck(*arguments); });
}

}  // namespace leafscore::internal
