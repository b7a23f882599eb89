#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/choice_option.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/terminal.h"
#include "engine/scorers/registry.h"

namespace leafscore::internal {
namespace {

enum class Shell : std::uint8_t { kBash, kZsh, kFish };
constexpr NamedChoice<Shell> kShells[] = {
    {"bash", Shell::kBash}, {"zsh", Shell::kZsh}, {"fish", Shell::kFish}};

constexpr char kCompletionsExamples[] = R"(Examples:
  leafscore completions bash > ~/.local/share/bash-completion/completions/leafscore
  leafscore completions zsh > "${fpath[1]}/_leafscore"
  leafscore completions fish > ~/.config/fish/completions/leafscore.fish)";

// The words that complete a value.
struct ValueWords {
  std::vector<std::string> words = {};
  bool is_file = false;
};

// A command or a subcommand of one, by its names: {"judge-cache", "ls"}.
struct NamedCommand {
  std::vector<std::string> names;
  const CLI::App* app;
};

std::vector<NamedCommand> AllCommands(const CLI::App& app) {
  std::vector<NamedCommand> commands;
  for (const CLI::App* const command : app.get_subcommands({})) {
    commands.push_back({{command->get_name()}, command});
    for (const CLI::App* const part : command->get_subcommands({})) {
      commands.push_back({{command->get_name(), part->get_name()}, part});
    }
  }
  return commands;
}

std::vector<std::string> CommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

bool IsWord(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

// Returns the words that an option takes: the types of scorers, or the words in the name of its type, as in
// "none|basic|leaves" and "[SCORER=]regressed|...".
ValueWords WordsOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (type == "FILE" || type == "PATH" || type == "FOLDER") return {.is_file = true};
  ValueWords value;
  if (type.starts_with("SCORER")) {
    for (const ScorerType& scorer : ScorerTypes()) value.words.emplace_back(scorer.name);
    return value;
  }
  std::string_view rest = std::string_view(type).substr(type.rfind(']') + 1);
  if (rest.find('|') == std::string_view::npos) return value;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (IsWord(word)) value.words.emplace_back(word);
  }
  return value;
}

// Returns the words that can be typed in the place of an argument without a name.
std::vector<std::string> ArgumentWords(const CLI::App& command) {
  std::vector<std::string> words = CommandNames(command);
  for (const CLI::Option* const option : Positionals(command)) {
    for (const std::string& word : WordsOf(*option).words) words.push_back(word);
  }
  return words;
}

// Returns the first clause of a help text, in single quotes for a shell.
std::string QuotedHelp(std::string_view help, std::string_view escaped) {
  const std::string_view clause = help.substr(0, help.find_first_of(";:[("));
  std::string text;
  for (const char c : clause.substr(0, clause.find_last_not_of(' ') + 1)) {
    if (escaped.find(c) != std::string_view::npos) text += '\\';
    text += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return text;
}

// bash: $command is the command that was typed, and $previous the word before the one to complete.
std::string BashScript(const CLI::App& app) {
  std::string values;
  std::string options;
  for (const NamedCommand& command : AllCommands(app)) {
    const std::string name = fmt::format("{}", fmt::join(command.names, " "));
    options +=
        fmt::format("      '{}') options='{}' arguments='{}' ;;\n", name,
                    fmt::join(OptionNames(*command.app), " "), fmt::join(ArgumentWords(*command.app), " "));
    for (const CLI::Option* const option : NamedOptions(*command.app)) {
      if (!TakesValue(*option)) continue;
      for (const std::string& option_name : OptionNames(*option)) {
        values += fmt::format("    '{} {}') words='{}' ;;\n", name, option_name,
                              fmt::join(WordsOf(*option).words, " "));
      }
    }
  }
  return fmt::format(R"(# bash completion for leafscore, written by `leafscore completions bash`.
_leafscore() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command=${{COMP_WORDS[1]}} words='' options='' arguments=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{} {}' -- "$current"))
    return
  fi
  if [[ $command == judge-cache ]] && ((COMP_CWORD > 2)); then command+=" ${{COMP_WORDS[2]}}"; fi
  case "$command $previous" in
{}    *)
      case "$command" in
{}      esac
      words=$arguments
      if [[ $current == -* ]]; then words=$options; fi
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _leafscore leafscore
)",
                     fmt::join(CommandNames(app), " "), fmt::join(OptionNames(app), " "), values, options);
}

// zsh: an option as _arguments takes it.
std::string ZshOption(const CLI::Option& option) {
  const std::vector<std::string> names = OptionNames(option);
  const bool is_repeatable = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  std::string spec = is_repeatable ? "'*'" : fmt::format("'({})'", fmt::join(names, " "));
  spec += names.size() == 1 ? names.front() : fmt::format("{{{}}}", fmt::join(names, ","));
  spec += fmt::format("'[{}]", QuotedHelp(option.get_description(), "[]\\"));
  if (TakesValue(option)) {
    const ValueWords value = WordsOf(option);
    spec += value.is_file ? ":file:_files" : fmt::format(":value:({})", fmt::join(value.words, " "));
  }
  return spec + "'";
}

std::string ZshArguments(const CLI::App& command) {
  std::string text = "_arguments";
  for (const CLI::Option* const option : NamedOptions(command)) text += " \\\n        " + ZshOption(*option);
  const std::vector<std::string> words = ArgumentWords(command);
  return text + " \\\n        " +
         (words.empty() ? "'*:file:_files'" : fmt::format("'*:argument:({})'", fmt::join(words, " ")));
}

std::string ZshScript(const CLI::App& app) {
  std::string commands;
  for (const CLI::App* const command : app.get_subcommands({})) {
    commands +=
        fmt::format("    '{}:{}'\n", command->get_name(), QuotedHelp(command->get_description(), ":\\"));
  }
  std::string cases;
  for (const NamedCommand& command : AllCommands(app)) {
    cases += fmt::format("    '{}')\n      {}\n      ;;\n", fmt::join(command.names, " "),
                         ZshArguments(*command.app));
  }
  return fmt::format(R"(#compdef leafscore
# zsh completion for leafscore, written by `leafscore completions zsh`.
_leafscore() {{
  local -a commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  if [[ $command == judge-cache ]] && ((CURRENT > 3)); then
    command+=" $words[3]"
    shift words
    ((CURRENT--))
  fi
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
_leafscore "$@"
)",
                     commands, cases);
}

std::string FishOption(const std::string& condition, const CLI::Option& option) {
  std::string line = fmt::format("complete -c leafscore -n '{}'", condition);
  for (const std::string& name : option.get_snames()) line += " -s " + name;
  for (const std::string& name : option.get_lnames()) line += " -l " + name;
  if (TakesValue(option)) {
    const ValueWords value = WordsOf(option);
    line += value.is_file ? " -r -F" : " -x";
    if (!value.words.empty()) line += fmt::format(" -a '{}'", fmt::join(value.words, " "));
  }
  return line + fmt::format(" -d '{}'\n", QuotedHelp(option.get_description(), "\\"));
}

std::string FishScript(const CLI::App& app) {
  std::string text = "# fish completion for leafscore, written by `leafscore completions fish`.\n";
  for (const CLI::App* const command : app.get_subcommands({})) {
    text += fmt::format("complete -c leafscore -n __fish_use_subcommand -f -a {} -d '{}'\n",
                        command->get_name(), QuotedHelp(command->get_description(), "\\"));
  }
  for (const NamedCommand& command : AllCommands(app)) {
    std::string condition;
    for (const std::string& name : command.names) {
      condition += (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + name);
    }
    const std::vector<std::string> words = ArgumentWords(*command.app);
    if (!words.empty())
      text += fmt::format("complete -c leafscore -n '{}' -f -a '{}'\n", condition, fmt::join(words, " "));
    for (const CLI::Option* const option : NamedOptions(*command.app)) text += FishOption(condition, *option);
  }
  return text;
}

void PrintCompletions(const CLI::App& app, Shell shell) {
  switch (shell) {
    case Shell::kBash:
      return Print(BashScript(app));
    case Shell::kZsh:
      return Print(ZshScript(app));
    case Shell::kFish:
      return Print(FishScript(app));
  }
}

}  // namespace

void AddCompletionsCommand(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("completions", "Write the completions of a shell: bash, zsh or fish");
  const auto shell = std::make_shared<Shell>(Shell::kBash);
  AddChoice(*command, "shell", kShells, *shell, "Shell to write for: bash, zsh or fish")->required();
  command->footer(kCompletionsExamples);
  command->callback([&app, shell] { PrintCompletions(app, *shell); });
}

}  // namespace leafscore::internal
