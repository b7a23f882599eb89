#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/terminal.h"
#include "engine/scorers/registry.h"

namespace leafscore::internal {
namespace {

void PrintScorers() {
  std::string text;
  for (const ScorerType& type : ScorerTypes()) {
    text += fmt::format("{}: {}\n", type.name, type.summary);
    for (const OptionSpec& option : type.options) {
      text += fmt::format("  {} ({}, default {})\n      {}\n", option.name, option.type, option.default_text,
                          option.help);
    }
    if (!type.revisions.empty()) {
      text += fmt::format("  {} ({}, default {})\n      {}\n", kRevisionOption.name,
                          fmt::join(type.revisions, " or "), type.revisions.front(), kRevisionOption.help);
    }
    text += '\n';
  }
  text += "Every scorer:\n";
  for (const OptionSpec& option : kRunOptions) {
    text += fmt::format("  {} ({}, default {})\n      {}\n", option.name, option.type, option.default_text,
                        option.help);
  }
  Print(text);
}

}  // namespace

void AddScorersCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("scorers", "List the scorers and their options");
  command->callback(PrintScorers);
}

}  // namespace leafscore::internal
