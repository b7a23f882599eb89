#include "cli/comparison_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "cli/between.h"
#include "cli/choice_option.h"
#include "cli/file_name.h"
#include "cli/gate_options.h"
#include "cli/option_groups.h"
#include "cli/whole_number.h"
#include "engine/base/suggest.h"
#include "engine/compare/comparison_names.h"
#include "engine/compare/gate_scope.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// A value for a scope: "0.02", "scorer=0.02", "scorer:field=0.02".
struct ScopedText {
  ComparisonScope scope;
  std::string value;
};

// Splits a text at the last =, because values contain no =. Splits the part before it at the first : without
// a \ in front, because paths may contain colons.
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
      ->allow_extra_args(false);
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
  StartGroup(command, kComparisonGatesGroup);
  AddScopedGate(
      command, "--fail-on", "regressed|inconclusive|any-drop|powerless",
      "Fail (exit 1) if a scorer or a group has this verdict; inconclusive: or regressed; any-drop: if a "
      "figure is lower; powerless: if there are too few records to see it regress. SCORER.mean, SCORER.pass "
      "and SCORER.pass-k are single figures; SCORER:FIELD is a field, and SCORER:* each field",
      [&gates](const ScopedText& read) {
        gates.fail_on.push_back({read.scope, ReadFailOn(read.value)});
      });
  AddScopedGate(command, "--max-drop", "X", "Fail unless a drop of the mean by X or more is ruled out",
                [&gates](const ScopedText& read) {
                  gates.max_drop.push_back({read.scope, ReadShare("--max-drop", read.value)});
                });
  AddScopedGate(command, "--max-pass-drop", "X",
                "Fail unless a drop of the pass rate by X or more is ruled out",
                [&gates](const ScopedText& read) {
                  gates.max_pass_drop.push_back({read.scope, ReadShare("--max-pass-drop", read.value)});
                });
  AddScopedGate(
      command, "--max-flips", "N", "Fail if more records passed in the base and fail now",
      [&gates](const ScopedText& read) {
        gates.max_flips.push_back({read.scope, static_cast<double>(ReadCount("--max-flips", read.value))});
      });
}

}  // namespace

void AddComparisonOptions(CLI::App& command, ComparisonArguments& arguments) {
  ComparisonOptions& options = arguments.options;
  StartGroup(command, kComparisonGroup);
  command.add_option("--by", options.by, "Field whose values are groups (score with --group-by FIELD)")
      ->type_name("FIELD");
  command
      .add_option("--cluster", options.cluster,
                  "Field whose values are clusters of dependent records, such as those of one document")
      ->type_name("FIELD");
  command.add_flag("--common-only", options.common_only,
                   "Leave out ids that one side has no line for [default: they count as 0 on that side]");
  command.add_flag("--accept-differences", options.accept_differences,
                   "Compare although scorers, options, gold or the ids asked for differ");
  command.add_flag("--unverified", options.unverified,
                   "Also accept files without a manifest, as other tools write them");
  command.add_option("--margin", options.margin, "Smallest change of a mean that matters [default: 0.01]")
      ->check(StrictlyBetween(0, 1));
  command
      .add_option(
          "--alpha", options.alpha,
          "Accepted chance of a false alarm; the confidence of intervals is 1 - alpha [default: 0.05]")
      ->check(StrictlyBetween(0, 0.5));
  AddChoice(command, "--correction", kCorrectionChoices, options.correction,
            "Correction of p-values for multiple tests: Holm, Benjamini-Hochberg or none [default: holm]");
  command
      .add_option("--worst", options.worst,
                  "Show this number of records per scorer, those that fell most; at most 1,000 [default: 10]")
      ->check(CheckWholeNumber);
  command
      .add_option(
          "--records", options.records,
          "File of records, to show the answers of those that fell; one per file of scores, the base's "
          "first")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(CheckFileName);
  command.add_flag("--github", arguments.github,
                   "Append the comparison to the step summary of GitHub Actions, and print annotations");
  AddComparisonGates(command, arguments.gates);
}

void AddCompareTo(CLI::App& command, ComparisonArguments& arguments) {
  StartGroup(command, kComparisonGroup);
  CLI::Option* const base = command
                                .add_option("--compare-to", arguments.options.base,
                                            "Compare the new scores with those of this file, as `leafscore "
                                            "compare` does; --max-errors applies to both")
                                ->type_name("FILE")
                                ->check(CheckFileName);
  const std::vector<CLI::Option*> before = command.get_options({});
  command
      .add_option(
          "--comparison", arguments.outputs,
          "Also write the comparison to this file, in the format of its suffix: .txt .md .json .csv .xml "
          "(JUnit) .tex")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(CheckFileName);
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
