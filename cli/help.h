// cli/help.h: the text of --help, made from CLI11's description of a command.
#ifndef LEAFSCORE_CLI_HELP_H_
#define LEAFSCORE_CLI_HELP_H_

#include <CLI/App.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// Returns the width of running text on standard output: the width of the terminal, but at least 60 and at
// most 100 columns, because longer lines are hard to read. Without a terminal, it is 100.
std::size_t HelpColumns();

// Appends a text and a line end. The text is broken between words so that lines fit `columns`; it begins in
// column `at`, and further lines begin in column `indent`.
void AppendWrapped(std::string_view text, std::size_t at, std::size_t indent, std::size_t columns,
                   std::string& out);

// Appends a name, with its description beside or below it.
void AppendEntry(std::string_view name, std::string_view text, std::size_t columns, std::string& out);

// Options of a command under the title that help gives them.
struct OptionSection {
  std::string title;
  std::vector<const CLI::Option*> options;
};

// Returns the named options of a command by their groups, in the order of kOptionGroups. If all options
// of a group need one of them, the title of the group names that option.
std::vector<OptionSection> OptionSections(const CLI::App& command);

// Returns the arguments of a command that have no name before them.
std::vector<const CLI::Option*> Positionals(const CLI::App& command);

// Returns the options of a command that have a name, other than hidden ones.
std::vector<const CLI::Option*> NamedOptions(const CLI::App& command);

// Returns the names of an option, such as "-o" and "--output", or the names of all named options of a
// command.
std::vector<std::string> OptionNames(const CLI::Option& option);
std::vector<std::string> OptionNames(const CLI::App& command);

// Returns whether an option takes a value; a flag takes none.
bool TakesValue(const CLI::Option& option);

// Returns an option as it is written: "-o, --output FILE".
std::string OptionSynopsis(const CLI::Option& option);

// Returns what an option does, and whether it is required or can be given several times.
std::string OptionHelp(const CLI::Option& option);

// Returns how a command is called: "leafscore merge [OPTIONS] shards...".
std::string UsageLine(const CLI::App& command, std::string_view name);

// Gives a command, and the subcommands that are added to it later, help whose lines fit HelpColumns(). The
// footer of a command stays as it is.
void FormatHelp(CLI::App& command);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_HELP_H_
