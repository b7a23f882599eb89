#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/terminal.h"
#include "engine/base/suggest.h"
#include "engine/render/cells.h"
#include "engine/scorers/registry.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr char kScorersExamples[] = R"(Examples:
  leafscore scorers
  leafscore scorers json_similarity
  leafscore scorers --all)";

struct ScorersArguments {
  std::vector<std::string> names;
  bool all = false;
};

void AppendOption(const OptionSpec& option, std::string_view type, std::string_view default_text,
                  std::string& text) {
  text += fmt::format("  {} ({}, default {})\n      ", option.name, type, default_text);
  AppendWrapped(option.help, 6, 6, HelpColumns(), text);
}

void AppendOptions(std::span<const OptionSpec> options, std::string& text) {
  for (const OptionSpec& option : options) AppendOption(option, option.type, option.default_text, text);
}

void AppendScorerOptions(const ScorerType& type, std::string& text) {
  AppendOptions(type.options, text);
  if (type.revisions.empty()) return;
  AppendOption(kRevisionOption, fmt::format("{}", fmt::join(type.revisions, " or ")), type.revisions.front(),
               text);
}

std::string AllScorers() {
  std::string text;
  for (const ScorerType& type : ScorerTypes()) {
    text += fmt::format("{}: {}\n", type.name, type.summary);
    AppendScorerOptions(type, text);
    text += '\n';
  }
  text += "Every scorer:\n";
  AppendOptions(kRunOptions, text);
  return text;
}

std::string ListOfScorers() {
  std::string text;
  for (const ScorerType& type : ScorerTypes()) AppendEntry(type.name, type.summary, HelpColumns(), text);
  return text + "\n`leafscore scorers NAME` explains one, with its options and an example.\n";
}

void AppendExample(const ScorerGuide& guide, std::string& text) {
  text += fmt::format("\nExample:\n  scorer    {}\n  expected  {}\n  actual    {}\n", guide.scorer,
                      guide.expected, guide.actual);
  if (!guide.reply.empty()) text += fmt::format("  model     {}\n", guide.reply);
  text += fmt::format("  score     {}\n", FourDecimals(guide.score));
}

// ERRORS: Error(kUsage) for an unknown name.
std::string ExplainedScorer(const std::string& name) {
  const ScorerType* const type = FindScorerType(name);
  if (type == nullptr) {
    std::vector<std::string_view> known;
    for (const ScorerType& other : ScorerTypes()) known.push_back(other.name);
    throw Error(ErrorCode::kUsage, UnknownNameMessage("scorer", name, known));
  }
  std::string text = fmt::format("{}: {}\n\n", type->name, type->summary);
  AppendWrapped(type->guide.about, 0, 0, HelpColumns(), text);
  text += fmt::format("\nOptions, with -s {}:OPTION=VALUE,... or in a configuration:\n", type->name);
  AppendScorerOptions(*type, text);
  AppendOptions(kRunOptions, text);
  AppendExample(type->guide, text);
  return text;
}

void PrintScorers(const ScorersArguments& arguments) {
  if (arguments.names.empty()) return Print(arguments.all ? AllScorers() : ListOfScorers());
  std::string text;
  for (const std::string& name : arguments.names) {
    if (!text.empty()) text += "\n\n";
    text += ExplainedScorer(name);
  }
  Print(text);
}

}  // namespace

void AddScorersCommand(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("scorers", "List the scorers, or explain some of them");
  const auto arguments = std::make_shared<ScorersArguments>();
  CLI::Option* const names =
      command
          ->add_option("names", arguments->names, "Scorers to explain, each with its options and an example")
          ->type_name("SCORER");
  command->add_flag("--all", arguments->all, "List all scorers with their options")->excludes(names);
  command->footer(kScorersExamples);
  command->callback([arguments] { PrintScorers(*arguments); });
}

}  // namespace leafscore::internal
