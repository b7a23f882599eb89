#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/file_name.h"
#include "cli/terminal.h"
#include "engine/base/display.h"
#include "engine/config/scorer_specs.h"
#include "engine/import/import_config.h"
#include "engine/run/scorer_set.h"

namespace leafscore::internal {
namespace {

constexpr char kCheckFooter[] =
    R"(Each line names the file and the line, what becomes of that part, and what to do about a part that
cannot run here. If there is such a part, or nothing to run at all, the exit status is 1.

Examples:
  leafscore check scorers.yaml
  leafscore check eval-set.json
  leafscore check suite.eval.yaml)";

// Makes the notes on a configuration in our own format.
std::vector<ImportNote> NotesOn(const std::vector<ScorerSpec>& specs, const std::string& path) {
  std::vector<ImportNote> notes;
  for (const ScorerSpec& spec : specs) {
    notes.push_back(
        {ImportNoteKind::kRuns, path, spec.line, fmt::format("scorer \"{}\"", spec.name), spec.type});
  }
  return notes;
}

int Check(const std::string& path) {
  const ImportedConfig imported = LoadConfig(path);
  std::vector<ImportNote> notes = imported.notes;
  if (imported.scores()) {
    std::vector<ScorerSpec> specs = ReadScorerSpecs(imported.config, path);
    if (imported.origin == ConfigOrigin::kLeafscore) notes = NotesOn(specs, path);
    const ScorerSet made(std::move(specs), path);  // refuses what scoring would refuse
  }
  std::string text;
  if (imported.origin != ConfigOrigin::kLeafscore) {
    text = fmt::format("{} is a file of {}\n", DisplayText(path), NameOfOrigin(imported.origin));
  }
  for (const ImportNote& note : notes) text += TextOfNote(note) + '\n';
  Print(text);
  return imported.lacks_any() || !imported.scores() ? kExitGateFailed : kExitFine;
}

}  // namespace

void AddCheckCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand(
      "check", "Explain line by line what a configuration does: ours, or a file of another tool");
  const auto path = std::make_shared<std::string>();
  command
      ->add_option("config", *path,
                   "Our YAML or JSON, an evaluator or evaluation set of UiPath, or AgentV's YAML")
      ->type_name("FILE")
      ->required()
      ->check(CheckFileName);
  command->footer(kCheckFooter);
  command->callback([path, &exit_code] { exit_code = Check(*path); });
}

}  // namespace leafscore::internal
