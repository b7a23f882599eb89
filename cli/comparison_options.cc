#include "cli/comparison_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "cli/choice_option.h"
#include "cli/file_name.h"
#include "cli/gate_options.h"
#include "cli/whole_number.h"
#include "engine/base/suggest.h"
#include "engine/compare/comparison_names.h"
#include "engine/compare/gate_scope.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr char kComparisonGroup[] = "Comparison";
constexpr char kComparisonGates[] = "Gates on the comparison";

// A value for a scope: "0.02", "scorer=0.02", "scorer:field=0.02".
struct ScopedText {
  ComparisonScope scope;
  std::string value;
};

// The last = splits, as values have none; then the first : that has no \ before it, as paths may hold colons.
ScopedText ReadScoped(const std::string& option, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) return {.scope = {}, .value = text};
  ScopedText read{.scope = {}, .value = text.substr(equals + 1)};
  std::string& scorer = read.scope.scorer;
  std::size_t at = 0;
  for (; at < equals && text[at] != ':'; ++at) {
    if (text.compare(at, 2, "\\:") == 0) ++at;
    scorer += text[at];
  }
  if (at < equals) {
    read.scope.field = text.substr(at + 1, equals - at - 1);
    if (read.scope.field.empty()) {
      throw CLI::ValidationError(
          option, "\"" + text + "\" has no field behind the : (write \\: for a colon in a scorer's name)");
    }
  }
  if (scorer.empty() && read.scope.field.empty()) {
    throw CLI::ValidationError(option, "\"" + text + "\" has no scorer before the =");
  }
  if (read.value.empty()) throw CLI::ValidationError(option, "\"" + text + "\" has nothing behind the =");
  return read;
}

// Adds a gate that can be given several times.
void AddScopedGate(CLI::App& command, const std::string& option, const std::string& type,
                   const std::string& help, const std::function<void(const ScopedText&)>& add) {
  command
      .add_option_function<std::vector<std::string>>(
          option,
          [option, add](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) add(ReadScoped(option, text));
          },
          help)
      ->type_name("[SCORER[:FIELD]=]" + type)
      ->allow_extra_args(false)
      ->group(kComparisonGates);
}

FailOn ReadFailOn(const std::string& text) {
  for (const NamedChoice<FailOn>& choice : kFailOnChoices) {
    if (choice.name == text) return choice.choice;
  }
  std::vector<std::string_view> known;
  for (const NamedChoice<FailOn>& choice : kFailOnChoices) known.push_back(choice.name);
  throw CLI::ValidationError("--fail-on", UnknownNameMessage("verdict", text, known));
}

void AddComparisonGates(CLI::App& command, ComparisonGates& gates) {
  AddScopedGate(
      command, "--fail-on", "regressed|inconclusive|any-drop|powerless",
      "Exit 1 when the verdict on a scorer, or on a group, is this one (inconclusive: or regressed); "
      "with SCORER.mean, SCORER.pass or SCORER.pass-k, that on this figure of it; with :FIELD, on a field of "
      "it "
      "(:*, on each); any-drop: when a figure is lower; powerless: when there are too few records to see it "
      "regress (repeatable)",
      [&gates](const ScopedText& read) {
        gates.fail_on.push_back({read.scope, ReadFailOn(read.value)});
      });
  AddScopedGate(command, "--max-drop", "X",
                "Exit 1 unless a drop of the mean by X or more is ruled out (repeatable)",
                [&gates](const ScopedText& read) {
                  gates.max_drop.push_back({read.scope, ReadShare("--max-drop", read.value)});
                });
  AddScopedGate(command, "--max-pass-drop", "X",
                "Exit 1 unless a drop of the pass rate by X or more is ruled out (repeatable)",
                [&gates](const ScopedText& read) {
                  gates.max_pass_drop.push_back({read.scope, ReadShare("--max-pass-drop", read.value)});
                });
  AddScopedGate(
      command, "--max-flips", "N", "Exit 1 when more records passed in the base and fail now (repeatable)",
      [&gates](const ScopedText& read) {
        gates.max_flips.push_back({read.scope, static_cast<double>(ReadCount("--max-flips", read.value))});
      });
}

// Adds a number that lies between two others, neither of which it may be. NaN lies nowhere.
void AddBetween(CLI::App& command, const std::string& option, double above, double below, double& value,
                const std::string& help) {
  command.add_option(option, value, help)
      ->check([above, below](const std::string& text) -> std::string {
        double number = 0;
        if (CLI::detail::lexical_cast(text, number) && number > above && number < below) return {};
        return "'" + text + "' does not lie between " + CLI::detail::to_string(above) + " and " +
               CLI::detail::to_string(below);
      })
      ->group(kComparisonGroup);
}

}  // namespace

void AddComparisonOptions(CLI::App& command, ComparisonArguments& arguments) {
  ComparisonOptions& options = arguments.options;
  const auto add = [&](const std::string& name, auto& value, const std::string& help) {
    return command.add_option(name, value, help)->group(kComparisonGroup);
  };
  add("--by", options.by, "Field whose values are groups (score with --group-by FIELD)");
  add("--cluster", options.cluster,
      "Field whose values are clusters of records that depend on each other, as those of one document");
  const auto add_flag = [&](const std::string& name, bool& value, const std::string& help) {
    command.add_flag(name, value, help)->group(kComparisonGroup);
  };
  add_flag("--common-only", options.common_only,
           "Leave out ids that one side has no line for [they count as 0 there]");
  add_flag("--accept-differences", options.accept_differences,
           "Compare in spite of other scorers, options, gold or ids asked, which is else refused");
  add_flag("--unverified", options.unverified, "Take files without a manifest, too, those of other tools");
  AddBetween(command, "--margin", 0, 1, options.margin, "The smallest change of a mean that matters [0.01]");
  AddBetween(command, "--alpha", 0, 0.5, options.alpha,
             "The chance of a false alarm that is accepted; intervals have the confidence 1 - alpha [0.05]");
  AddChoice(command, "--correction", kCorrectionChoices, options.correction,
            "How p-values are corrected for being many: Holm, Benjamini and Hochberg, or not [holm]")
      ->group(kComparisonGroup);
  add("--worst", options.worst,
      "How many records to show of each scorer, those that fell most; at most 1000 [10]")
      ->check(CheckWholeNumber);
  add("--records", options.records,
      "File of records whose answers are shown of these; one for each file of scores, that of the base first "
      "(repeatable)")
      ->allow_extra_args(false)
      ->check(CheckFileName);
  AddComparisonGates(command, arguments.gates);
  add_flag("--github", arguments.github,
           "Append the comparison to the summary of the step of GitHub Actions, and print annotations");
}

void AddCompareTo(CLI::App& command, ComparisonArguments& arguments) {
  CLI::Option* const base = command
                                .add_option("--compare-to", arguments.options.base,
                                            "Then compare the scores with those of this file, as `leafscore "
                                            "compare` does; --max-errors holds for the comparison, too")
                                ->check(CheckFileName)
                                ->group(kComparisonGroup);
  const std::vector<CLI::Option*> before = command.get_options({});
  command
      .add_option(
          "--comparison", arguments.outputs,
          "Write the comparison to this file, too, in the format that its suffix tells: .txt .md .json "
          ".csv .xml (JUnit) .tex (repeatable)")
      ->allow_extra_args(false)
      ->check(CheckFileName)
      ->group(kComparisonGroup);
  AddComparisonOptions(command, arguments);
  for (CLI::Option* const option : command.get_options({})) {
    if (std::ranges::find(before, option) == before.end()) option->needs(base);
  }
}

void CheckGateScorers(const ComparisonGates& gates, const std::vector<std::string_view>& scorers) {
  const auto check = [&](const ComparisonScope& scope) {
    const std::string scorer = ResolveScope(scope, scorers).scorer;
    if (scorer.empty() || std::ranges::find(scorers, scorer) != scorers.end()) return;
    throw Error(ErrorCode::kUsage, UnknownNameMessage("scorer", scope.scorer, scorers));
  };
  for (const ComparisonGates::Verdict& gate : gates.fail_on) check(gate.scope);
  for (const ComparisonLimit& gate : gates.max_drop) check(gate.scope);
  for (const ComparisonLimit& gate : gates.max_pass_drop) check(gate.scope);
  for (const ComparisonLimit& gate : gates.max_flips) check(gate.scope);
}

}  // namespace leafscore::internal
