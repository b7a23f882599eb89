// cli/choice_option.h: options made from the names in engine/base/choices.h.
#ifndef LEAFSCORE_CLI_CHOICE_OPTION_H_
#define LEAFSCORE_CLI_CHOICE_OPTION_H_

#include <CLI/CLI.hpp>
#include <cstddef>
#include <map>
#include <string>

#include "engine/base/choices.h"

namespace leafscore::internal {

// Adds an option whose value is one of these names.
template <class Choice, std::size_t kCount>
CLI::Option* AddChoice(CLI::App& command, const std::string& option,
                       const NamedChoice<Choice> (&choices)[kCount], Choice& value, const std::string& help) {
  std::map<std::string, Choice> by_name;
  std::string names;
  for (const NamedChoice<Choice>& choice : choices) {
    by_name.emplace(choice.name, choice.choice);
    names.append(names.empty() ? "" : "|").append(choice.name);
  }
  return command.add_option(option, value, help)
      ->transform(CLI::CheckedTransformer(by_name).description(""))
      ->type_name(names);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_CHOICE_OPTION_H_
