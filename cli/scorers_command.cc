#include "cli/scorers_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "engine/scorers/registry.h"

namespace leafscore {
namespace {

void PrintScorers() {
  for (const ScorerType& type : ScorerTypes()) {
    fmt::print("{}: {}\n", type.name, type.summary);
    for (const OptionSpec& option : type.options) {
      fmt::print("  {} ({}, default {})\n      {}\n", option.name, option.type, option.default_text,
                 option.help);
    }
    fmt::print("\n");
  }
}

}  // namespace

void AddScorersCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("scorers", "List the scorers and their options");
  command->callback(PrintScorers);
}

}  // namespace leafscore
