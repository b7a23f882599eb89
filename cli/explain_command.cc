#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/limit_option.h"
#include "cli/scoring_options.h"
#include "cli/terminal.h"
#include "engine/base/limits.h"
#include "engine/run/explain_records.h"

namespace leafscore::internal {
namespace {

constexpr char kExplainExamples[] = R"(Examples:
  leafscore explain inv-000007 pairs.jsonl -s json_similarity
  leafscore explain inv-000007 model-a.jsonl --gold gold.jsonl -c scorers.yaml
  leafscore explain 3 records-without-ids.jsonl -s levenshtein)";

struct ExplainArguments {
  std::string id;
  FileOptions run;
  ScorerArguments scorers;
};

void Explain(ExplainArguments& arguments) {
  const Plan plan = MakePlan(arguments.scorers, arguments.run).plan;
  arguments.run.stop = &CatchInterrupts();
  Print(ExplainRecords(plan.scorers(), arguments.run, arguments.id, UseColour(STDOUT_FILENO)));
}

}  // namespace

void AddExplainCommand(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("explain", "Show how the score of one record comes about, leaf by leaf");
  const auto arguments = std::make_shared<ExplainArguments>();
  command->add_option("id", arguments->id, "The record's id, or its number if it has none")
      ->required()
      ->type_name("ID");
  AddScorerOptions(*command, arguments->run, arguments->scorers);
  AddGoldOptions(*command, arguments->run, arguments->scorers);
  AddRecordOptions(*command, arguments->run);
  AddCallsField(*command, arguments->run);
  AddLimit(*command, kMaxDetailsBytes, arguments->run.max_details_bytes);
  command->footer(kExplainExamples);
  command->callback([arguments] { Explain(*arguments); });
}

}  // namespace leafscore::internal
