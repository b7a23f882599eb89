#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/config_file.h"
#include "cli/file_name.h"
#include "cli/interrupt.h"
#include "cli/option_groups.h"
#include "cli/terminal.h"
#include "engine/config/canonical_config.h"
#include "engine/config/config_json.h"
#include "engine/config/config_parser.h"
#include "engine/import/config_yaml.h"
#include "engine/import/import_config.h"
#include "engine/import/moved_config.h"
#include "engine/io/output_file.h"
#include "engine/io/replaced_files.h"

namespace leafscore::internal {
namespace {

constexpr char kImportExamples[] = R"(Examples:
  leafscore import evaluator.json
  leafscore import eval-set.json -o scorers.yaml --gold gold.jsonl
  leafscore import suite.eval.yaml -o scorers.yaml --gold gold.jsonl.gz)";

struct ImportArguments {
  std::string input;
  std::string output = "-";
  std::string gold;
};

std::string JsonOf(const ConfigValue& value) {
  std::string json;
  AppendConfigAsJson(value, json);
  return json;
}

// Returns the configuration as YAML for people, or as JSON if YAML cannot express it, because a text is too
// long.
std::string TextOf(const ConfigValue& config, const std::string& path) {
  std::string yaml = ConfigAsYaml(config);
  try {
    if (JsonOf(ParseConfig(yaml, path)) == JsonOf(config)) return yaml;
  } catch (const Error&) {
  }
  return CanonicalConfig(ReadScorerSpecs(config, path));
}

// Returns comments that name the tool of the imported file, and the parts of the file that are not in the
// text.
std::string HeadOf(const ImportedConfig& imported) {
  std::string head = fmt::format("# a file of {} was imported\n", NameOfOrigin(imported.origin));
  for (const ImportNote& note : imported.notes) {
    if (note.kind == ImportNoteKind::kRuns || note.kind == ImportNoteKind::kIgnored) continue;
    head += fmt::format("# {}\n", TextOfNote(note));
  }
  return head;
}

struct Output {
  std::string path;
  std::string text;
};

// Writes all outputs. Files get their names only when nothing else can fail.
void Write(const std::vector<Output>& outputs) {
  std::vector<std::unique_ptr<OutputFile>> files;
  for (const Output& output : outputs) {
    files.push_back(output.path == "-" ? nullptr : OutputFile::Open(output.path, &CatchInterrupts()));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (files[i] == nullptr) {
      Print(outputs[i].text);
    } else {
      files[i]->Write(outputs[i].text);
      files[i]->Complete();
    }
  }
  CheckPrinted();
  for (const std::unique_ptr<OutputFile>& file : files) {
    if (file == nullptr) continue;
    file->Commit();
    PrintLeftovers(file->leftovers());
  }
}

void Import(const ImportArguments& arguments) {
  ImportedConfig imported = LoadScorerConfig(arguments.input);
  const ScorerSet made(ReadScorerSpecs(imported.config, arguments.input), arguments.input);  // or throws
  std::vector<std::string> inputs = std::move(imported.files);
  inputs.push_back(arguments.input);
  AddProgramFiles(made, inputs);
  CheckReplacesNone(std::vector{arguments.output, arguments.gold}, inputs);
  MoveScripts(arguments.input, arguments.output, imported.config);
  std::string text = TextOf(imported.config, arguments.input);
  const bool is_yaml = !text.starts_with('{');
  if (is_yaml && imported.origin != ConfigOrigin::kLeafscore) text.insert(0, HeadOf(imported));
  std::vector<Output> outputs;
  if (!arguments.gold.empty()) {
    if (imported.gold.empty()) {
      throw Error(ErrorCode::kUsage, arguments.input + " holds no gold records; leave out --gold");
    }
    outputs.push_back({arguments.gold, fmt::format("{}\n", fmt::join(imported.gold, "\n"))});
  } else if (!imported.gold.empty()) {
    PrintMessage(fmt::format("{} holds {} gold records, too; write them with --gold FILE", arguments.input,
                             imported.gold.size()));
  }
  outputs.push_back({arguments.output, std::move(text)});
  Write(outputs);
}

}  // namespace

void AddImportCommand(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("import", "Convert a file of another tool to a configuration of ours, and its gold");
  const auto arguments = std::make_shared<ImportArguments>();
  command
      ->add_option(
          "file", arguments->input,
          "An evaluator or evaluation set of UiPath, or AgentV's YAML; `leafscore check` explains it")
      ->type_name("FILE")
      ->required()
      ->check(CheckFileName);
  StartGroup(*command, kOutputGroup);
  command
      ->add_option("-o,--output", arguments->output, "Configuration to write [default: standard output, -]")
      ->type_name("FILE")
      ->check(CheckFileName);
  command->add_option("--gold", arguments->gold, "File for its gold records, as `score --gold` reads them")
      ->type_name("FILE")
      ->check(CheckFileName);
  command->footer(kImportExamples);
  command->callback([arguments] { Import(*arguments); });
}

}  // namespace leafscore::internal
