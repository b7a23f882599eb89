#include "cli/usage_error.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/help.h"
#include "engine/base/suggest.h"
#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

// Returns the subcommand that the command line chose, or the command itself.
const CLI::App& ChosenCommand(const CLI::App& app) {
  const CLI::App* chosen = &app;
  while (!chosen->get_subcommands().empty()) chosen = chosen->get_subcommands().back();
  return *chosen;
}

std::string FullName(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return parent == nullptr ? command.get_name() : FullName(*parent) + " " + command.get_name();
}

// Returns the subcommands that have an option of this name.
std::vector<std::string> CommandsWith(const CLI::App& app, const std::string& option) {
  std::vector<std::string> commands;
  for (const CLI::App* const command : app.get_subcommands({})) {
    const std::vector<std::string> names = OptionNames(*command);
    if (std::ranges::find(names, option) != names.end()) commands.push_back(command->get_name());
  }
  return commands;
}

std::string UnknownOptionText(const CLI::App& app, const CLI::App& command, std::string_view argument) {
  const std::string name(argument.substr(0, argument.find('=')));
  const std::string text = fmt::format("{} has no option {}", FullName(command), QuoteForMessage(name));
  const std::string meant = DidYouMean(name, OptionNames(command));
  if (!meant.empty()) return text + meant;
  const std::vector<std::string> others = CommandsWith(app, name);
  if (!others.empty())
    return fmt::format("{}, but these commands have it: {}", text, fmt::join(others, ", "));
  std::error_code none;
  if (std::filesystem::exists(std::string(argument), none)) {
    return fmt::format("{}; for the file of this name, write ./{}", text, argument);
  }
  return fmt::format("{}; `{} --help` lists its options", text, FullName(command));
}

std::string UnexpectedArgumentText(const CLI::App& command, std::string_view argument) {
  std::vector<std::string> taken;
  for (const CLI::Option* const option : Positionals(command)) taken.push_back(OptionSynopsis(*option));
  return fmt::format(
      "unexpected argument {}: {} takes {}; leave it out, name its option, or quote a text that "
      "holds blanks",
      QuoteForMessage(argument), FullName(command),
      taken.empty() ? "options only" : fmt::format("only {} and options", fmt::join(taken, " ")));
}

std::string UnknownCommandText(const CLI::App& command, const std::vector<std::string>& rest) {
  std::vector<std::string_view> names;
  for (const CLI::App* const part : command.get_subcommands({})) names.push_back(part->get_name());
  if (!rest.empty()) return UnknownNameMessage("command", rest.front(), names);
  return fmt::format("name a command: {}; `{} --help` explains them", fmt::join(names, ", "),
                     FullName(command));
}

bool IsOption(std::string_view argument) { return argument.size() > 1 && argument[0] == '-'; }

}  // namespace

std::string UsageErrorText(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = ChosenCommand(app);
  const std::vector<std::string> rest = app.remaining(/*recurse=*/true);
  const auto option = std::ranges::find_if(rest, IsOption);
  if (option != rest.end()) return UnknownOptionText(app, command, *option);
  const bool lacks_something = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (lacks_something && !command.get_subcommands({}).empty()) return UnknownCommandText(command, rest);
  if (!rest.empty()) return UnexpectedArgumentText(command, rest.front());
  constexpr std::size_t kMostShown = 1000;  // of arguments of any length
  std::string text = error.what();
  if (text.size() > kMostShown) text = std::string(ClipText(text, kMostShown)) + "…";
  return fmt::format("{}; `{} --help` explains the options", text, FullName(command));
}

}  // namespace leafscore::internal
