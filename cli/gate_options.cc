#include "cli/gate_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_groups.h"
#include "cli/terminal.h"

namespace leafscore::internal {
namespace {

template <class Number>
std::optional<Number> WholeText(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

// NaN is refused, too: as a gate, it would let every run pass.
double ReadShare(const std::string& option, std::string_view text) {
  const std::optional<double> value = WholeText<double>(text);
  if (value && *value >= 0 && *value <= 1) return *value;
  throw CLI::ValidationError(option, "\"" + std::string(text) + "\" is no number from 0 to 1");
}

std::uint64_t ReadCount(const std::string& option, std::string_view text) {
  if (const std::optional<std::uint64_t> count = WholeText<std::uint64_t>(text)) return *count;
  throw CLI::ValidationError(option, "\"" + std::string(text) + "\" is no whole number");
}

ErrorLimit ReadErrorLimit(const std::string& option, std::string_view text) {
  if (text.ends_with('%')) {
    const std::optional<double> percent = WholeText<double>(text.substr(0, text.size() - 1));
    if (percent && *percent >= 0 && *percent <= 100) return {.count = 0, .share = *percent / 100};
  } else if (const std::optional<std::uint64_t> count = WholeText<std::uint64_t>(text)) {
    return {.count = *count, .share = {}};
  }
  throw CLI::ValidationError(option,
                             "\"" + std::string(text) + "\" is neither a whole number nor a percentage");
}

namespace {

// Reads "0.9" or "scorer=0.9".
Gate ReadGate(const std::string& option, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos) return {.scorer = {}, .least = ReadShare(option, text)};
  if (equals == 0) throw CLI::ValidationError(option, "\"" + text + "\" has no scorer before the =");
  return {.scorer = text.substr(0, equals), .least = ReadShare(option, text.substr(equals + 1))};
}

void AddGate(CLI::App& command, const std::string& option, std::vector<Gate>& gates,
             const std::string& help) {
  command
      .add_option_function<std::vector<std::string>>(
          option,
          [option, &gates](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) gates.push_back(ReadGate(option, text));
          },
          help)
      ->type_name("[SCORER=]SHARE")
      ->allow_extra_args(false);
}

}  // namespace

void AddGateOptions(CLI::App& command, Gates& gates) {
  StartGroup(command, kGatesGroup);
  AddGate(command, "--fail-under", gates.fail_under,
          "Fail (exit 1) if the mean of a scorer, over all records asked for, is lower");
  AddGate(command, "--min-pass-rate", gates.min_pass_rate,
          "Fail if the pass rate of a scorer, over all records asked for, is lower");
  command.add_flag("--sure", gates.sure,
                   "Compare the lower end of the 95% interval with these gates, not the figure itself");
  command
      .add_option_function<std::string>(
          "--min-coverage",
          [&gates](const std::string& text) { gates.min_coverage = ReadShare("--min-coverage", text); },
          "Fail if a smaller share of what was asked for is scored")
      ->type_name("SHARE");
  command
      .add_option_function<std::string>(
          "--max-errors",
          [&gates](const std::string& text) { gates.max_errors = ReadErrorLimit("--max-errors", text); },
          "Fail if more records have errors that are not the answer's fault: bad gold, missing expected "
          "values, failed judges, rejected records [default: 0 if there is any gate]")
      ->type_name("N|P%");
  command.add_option("--gate-by", gates.by, "Also check the gates for each group of this --group-by field")
      ->type_name("FIELD")
      ->allow_extra_args(false);
}

namespace {

// A gate that a scorer may have passed by chance, over all records or in some groups.
struct ChanceGroups {
  const GateCheck* least_sure;
  std::size_t groups = 1;
};

void PrintChance(const ChanceGroups& chance) {
  const GateCheck& gate = *chance.least_sure;
  const std::string where = chance.groups > 1
                                ? fmt::format(" in {} groups, in this one most easily", chance.groups)
                                : std::string();
  if (gate.interval) {
    PrintMessage(fmt::format("gate holds, but chance may have passed it{}: {}; --sure asks for more", where,
                             gate.sentence));
  } else {
    PrintMessage(
        fmt::format("gate holds, but this figure has no interval to tell whether chance has passed "
                    "it{}: {}",
                    where, gate.sentence));
  }
}

// Returns how far the lower end of the interval is below the gate.
double Doubt(const GateCheck& gate) { return gate.interval ? *gate.wanted - gate.interval->low : 1; }

}  // namespace

bool PrintGates(std::span<const GateCheck> gates) {
  for (const GateCheck& gate : gates) {
    if (!gate.passed) PrintMessage("gate failed: " + gate.sentence);
  }
  if (!std::ranges::all_of(gates, &GateCheck::passed)) return false;
  std::vector<ChanceGroups> chance;
  for (const GateCheck& gate : gates) {
    if (!gate.by_chance) continue;
    const auto same = std::ranges::find_if(chance, [&](const ChanceGroups& other) {
      return !gate.group.empty() && !other.least_sure->group.empty() && other.least_sure->gate == gate.gate &&
             other.least_sure->scorer == gate.scorer;
    });
    if (same == chance.end()) {
      chance.push_back({&gate});
      continue;
    }
    ++same->groups;
    if (Doubt(gate) > Doubt(*same->least_sure)) same->least_sure = &gate;
  }
  for (const ChanceGroups& groups : chance) PrintChance(groups);
  return true;
}

}  // namespace leafscore::internal
