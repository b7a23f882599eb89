// cli/choice_option.h: options made from the names in engine/base/choices.h.
#ifndef LEAFSCORE_CLI_CHOICE_OPTION_H_
#define LEAFSCORE_CLI_CHOICE_OPTION_H_

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/choices.h"
#include "engine/base/suggest.h"

namespace leafscore::internal {

// Adds an option whose value is one of these names. ERRORS: any other name is refused, and the message
// suggests a similar one.
template <class Choice, std::size_t kCount>
CLI::Option* AddChoice(CLI::App& command, const std::string& option,
                       const NamedChoice<Choice> (&choices)[kCount], Choice& value, const std::string& help) {
  std::vector<std::pair<std::string_view, Choice>> known;
  std::string names;
  for (const NamedChoice<Choice>& choice : choices) {
    known.emplace_back(choice.name, choice.choice);
    names.append(names.empty() ? "" : "|").append(choice.name);
  }
  const auto read = [known](std::string& text) {
    std::vector<std::string_view> valid;
    for (const auto& [name, choice] : known) {
      valid.push_back(name);
      if (name != text) continue;
      text = std::to_string(static_cast<std::int64_t>(choice));  // as CLI11 reads an enumeration
      return std::string();
    }
    return UnknownNameMessage("value", text, valid);
  };
  return command.add_option(option, value, help)->transform(CLI::Validator(read, ""))->type_name(names);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_CHOICE_OPTION_H_
