#include "cli/man_page.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string_view>

#include "cli/help.h"
#include "leafscore/version.h"

namespace leafscore::internal {
namespace {

// Appends lines of text so that roff shows them as they are: it takes a line that begins with . or ' for a
// request.
void AppendRoff(std::string_view text, std::string& page) {
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) page += "\\&";
    if (c == '\\') {
      page += "\\e";
    } else if (c == '-') {
      page += "\\-";
    } else {
      page += c;
    }
    begins_line = c == '\n';
  }
  page += '\n';
}

void AppendVerbatim(std::string_view text, std::string& page) {
  page += ".PP\n.nf\n";
  AppendRoff(text, page);
  page += ".fi\n";
}

void AppendTagged(const CLI::Option& option, std::string& page) {
  page += ".TP\n.B ";
  AppendRoff(OptionSynopsis(option), page);
  AppendRoff(OptionHelp(option), page);
}

void AppendOptions(const CLI::App& command, std::string& page) {
  for (const CLI::Option* const option : Positionals(command)) AppendTagged(*option, page);
  for (const OptionSection& section : OptionSections(command)) {
    page += ".PP\n.I ";
    AppendRoff(section.title, page);
    for (const CLI::Option* const option : section.options) AppendTagged(*option, page);
  }
}

void AppendCommand(const CLI::App& command, const std::string& name, std::string& page) {
  page += ".SS ";
  AppendRoff(UsageLine(command, name), page);
  AppendRoff(command.get_description(), page);
  AppendOptions(command, page);
  const std::string footer = command.get_footer();
  if (footer != command.get_parent()->get_footer()) AppendVerbatim(footer, page);  // else inherited
  for (const CLI::App* const part : command.get_subcommands({})) {
    AppendCommand(*part, name + " " + part->get_name(), page);
  }
}

}  // namespace

std::string ManPage(const CLI::App& app) {
  std::string page =
      fmt::format(".TH LEAFSCORE 1 \"\" \"leafscore {}\"\n.SH NAME\nleafscore \\- ", Version());
  AppendRoff(app.get_description(), page);
  page += ".SH SYNOPSIS\n";
  AppendRoff(UsageLine(app, app.get_name()), page);
  page += ".SH OPTIONS\n";
  AppendOptions(app, page);
  page += ".SH COMMANDS\n";
  for (const CLI::App* const command : app.get_subcommands({})) {
    AppendCommand(*command, app.get_name() + " " + command->get_name(), page);
  }
  page += ".SH NOTES\n";
  AppendVerbatim(app.get_footer(), page);
  return page;
}

}  // namespace leafscore::internal
