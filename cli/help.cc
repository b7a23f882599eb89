#include "cli/help.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "cli/option_groups.h"
#include "cli/terminal.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kHelpColumn = 30;  // where the help of an option begins
constexpr char kNoGroup[] = "Options";   // where CLI11 puts an option without a group

// Returns the name for a value of an option, with a blank before it; empty for a flag.
std::string ValueName(const CLI::Option& option) {
  if (!TakesValue(option)) return "";
  std::string name = option.get_type_name();
  if (name == "UINT" || name == "UINT64") name = "N";
  if (name == "FLOAT") name = "NUMBER";
  const bool takes_several =
      option.get_allow_extra_args() && option.get_expected_max() == CLI::detail::expected_max_vector_size;
  return " " + name + (takes_several ? "..." : "");
}

bool CanBeRepeated(const CLI::Option& option) {
  return option.nonpositional() && option.get_expected_max() == CLI::detail::expected_max_vector_size;
}

// Returns the option among these that all others need; null if there is none.
const CLI::Option* NeededByAll(const std::vector<const CLI::Option*>& options) {
  if (options.size() < 2) return nullptr;
  const std::set<CLI::Option*> needs = options.back()->get_needs();
  for (const CLI::Option* const needed : needs) {
    const bool by_all = std::ranges::all_of(options, [&](const CLI::Option* option) {
      const std::set<CLI::Option*> of_option = option->get_needs();
      return option == needed || std::ranges::find(of_option, needed) != of_option.end();
    });
    if (by_all) return needed;
  }
  return nullptr;
}

std::vector<std::string> OrderedGroups(const CLI::App& command) {
  std::vector<std::string> groups(std::begin(kOptionGroups), std::end(kOptionGroups));
  for (const std::string& group : command.get_groups()) {
    const bool is_known = group == kNoGroup || std::ranges::find(groups, group) != groups.end();
    if (!is_known && !group.empty()) groups.push_back(group);  // the empty one is hidden
  }
  groups.emplace_back(kNoGroup);
  return groups;
}

// Lists the subcommands by group. Groups are in the order of their first subcommands.
void AppendCommands(const CLI::App& app, std::size_t columns, std::string& out) {
  std::vector<std::string> groups;
  for (const CLI::App* const command : app.get_subcommands({})) {
    const std::string& group = command->get_group();
    if (!group.empty() && std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
  }
  for (const std::string& group : groups) {
    out += fmt::format("\n{}:\n", group == "Subcommands" ? "Commands" : group);
    for (const CLI::App* const command : app.get_subcommands({})) {
      if (command->get_group() == group)
        AppendEntry(command->get_name(), command->get_description(), columns, out);
    }
  }
}

class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode /*mode*/) const {
  const std::size_t columns = HelpColumns();
  std::string out;
  AppendWrapped(app->get_description(), 0, 0, columns, out);
  out += "\nUsage: ";
  AppendWrapped(UsageLine(*app, name), 7, 7, columns, out);
  const std::vector<const CLI::Option*> positionals = Positionals(*app);
  if (!positionals.empty()) out += "\nArguments:\n";
  for (const CLI::Option* const option : positionals) {
    AppendEntry(OptionSynopsis(*option), OptionHelp(*option), columns, out);
  }
  for (const OptionSection& section : OptionSections(*app)) {
    out += fmt::format("\n{}:\n", section.title);
    for (const CLI::Option* const option : section.options) {
      AppendEntry(OptionSynopsis(*option), OptionHelp(*option), columns, out);
    }
  }
  AppendCommands(*app, columns, out);
  const std::string footer = app->get_footer();
  return footer.empty() ? out : out + "\n" + footer + "\n";
}

}  // namespace

std::size_t HelpColumns() {
  constexpr int kFewest = 60;
  constexpr int kMost = 100;
  if (!IsInteractive(STDOUT_FILENO)) return kMost;
  return static_cast<std::size_t>(std::clamp(TerminalColumns(STDOUT_FILENO), kFewest, kMost));
}

void AppendWrapped(std::string_view text, std::size_t at, std::size_t indent, std::size_t columns,
                   std::string& out) {
  bool is_first = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!is_first && at + 1 + word.size() > columns) {
      out.append("\n").append(indent, ' ');
      at = indent;
    } else if (!is_first) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
    is_first = false;
  }
  out += '\n';
}

void AppendEntry(std::string_view name, std::string_view text, std::size_t columns, std::string& out) {
  out.append("  ").append(name);
  const std::size_t end = 2 + name.size();
  if (end + 1 < kHelpColumn) {
    out.append(kHelpColumn - end, ' ');
  } else {
    out.append("\n").append(kHelpColumn, ' ');
  }
  AppendWrapped(text, kHelpColumn, kHelpColumn, columns, out);
}

std::vector<OptionSection> OptionSections(const CLI::App& command) {
  std::vector<OptionSection> sections;
  for (const std::string& group : OrderedGroups(command)) {
    OptionSection section{group, command.get_options([&](const CLI::Option* option) {
                            return option->get_group() == group && option->nonpositional();
                          })};
    if (section.options.empty()) continue;
    if (group == kNoGroup && !sections.empty()) section.title = "Other options";
    if (const CLI::Option* const needed = NeededByAll(section.options)) {
      section.title += fmt::format(" (with {})", needed->get_name());
    }
    sections.push_back(std::move(section));
  }
  return sections;
}

std::vector<const CLI::Option*> Positionals(const CLI::App& command) {
  return command.get_options(
      [](const CLI::Option* option) { return option->get_positional() && !option->get_group().empty(); });
}

std::vector<const CLI::Option*> NamedOptions(const CLI::App& command) {
  return command.get_options(
      [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
}

std::vector<std::string> OptionNames(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> OptionNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : NamedOptions(command)) {
    for (std::string& name : OptionNames(*option)) names.push_back(std::move(name));
  }
  return names;
}

bool TakesValue(const CLI::Option& option) { return option.get_expected_max() != 0; }

std::string OptionSynopsis(const CLI::Option& option) {
  if (option.get_positional()) {
    return option.get_name(true, false) + (option.get_expected_max() > 1 ? "..." : "");
  }
  return fmt::format("{}{}", fmt::join(OptionNames(option), ", "), ValueName(option));
}

std::string OptionHelp(const CLI::Option& option) {
  std::string help = option.get_description();
  if (!option.get_default_str().empty()) help += fmt::format(" [default: {}]", option.get_default_str());
  if (option.get_required() && option.nonpositional()) help += " (required)";
  if (CanBeRepeated(option)) help += " (repeatable)";
  return help;
}

std::string UsageLine(const CLI::App& command, std::string_view name) {
  std::string usage(name);
  for (const CLI::Option* const option : command.get_options({})) {
    if (option->nonpositional() && option->get_required()) usage += " " + OptionSynopsis(*option);
  }
  usage += " [OPTIONS]";
  for (const CLI::Option* const option : Positionals(command)) {
    const std::string synopsis = OptionSynopsis(*option);
    usage += option->get_required() ? " " + synopsis : fmt::format(" [{}]", synopsis);
  }
  return command.get_subcommands({}).empty() ? usage : usage + " COMMAND";
}

void FormatHelp(CLI::App& command) { command.formatter(std::make_shared<HelpFormatter>()); }

}  // namespace leafscore::internal
