// cli/run_option.h: makes options of the command line from engine/base/run_options.h.
#ifndef LEAFSCORE_CLI_RUN_OPTION_H_
#define LEAFSCORE_CLI_RUN_OPTION_H_

#include <CLI/CLI.hpp>
#include <algorithm>
#include <concepts>
#include <string>
#include <type_traits>
#include <vector>

#include "cli/choice_option.h"
#include "cli/limit_option.h"
#include "engine/base/run_options.h"

namespace leafscore::internal {

template <class Option, class Value>
CLI::Option* AddRunOption(CLI::App& command, const Option& option, Value& value) {
  const OnCommandLine& shown = option.command_line;
  std::string flag(shown.flag);
  if (flag.empty()) {
    flag = "--" + std::string(option.name);
    std::ranges::replace(flag, '_', '-');
  }
  const std::string help(shown.help);
  CLI::Option* added = nullptr;
  if constexpr (std::same_as<Value, bool>) {
    added = command.add_flag(flag, value, help);
  } else if constexpr (std::is_enum_v<Value>) {
    added = AddChoice(command, flag, ChoicesOf(value), value, help);
  } else if constexpr (std::integral<Value>) {
    added = AddLimit(command, *option.limit, value);
  } else {
    added = command.add_option(flag, value, help)->type_name("FIELD")->allow_extra_args(false);
  }
  return added->group(std::string(shown.group));
}

// Adds the options that these commands share, in the order of the table. RETURNS: the options.
inline std::vector<CLI::Option*> AddRunOptions(CLI::App& command, Commands commands, FileOptions& run) {
  std::vector<CLI::Option*> added;
  ForEachOption(run, [&](const auto& option, auto& value) {
    if (option.command_line.commands == commands) added.push_back(AddRunOption(command, option, value));
  });
  return added;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_RUN_OPTION_H_
