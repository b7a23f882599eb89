// How often the verdicts of comparisons and leaderboards are right: records are drawn, of models that changed
// and that did not, and tested by the functions that the command calls. Prints tables, with standard errors.
// Usage: comparison_simulation [--runs RUNS] [--seed SEED] [TABLE...]    (2000, 1, all tables)
// Exits with 1 where a table that has to hold its level does not, by more than four standard errors.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "bench/comparison_simulation/simulation.h"
#include "engine/threads/parallel.h"

namespace leafscore::internal {
namespace {

struct Table {
  std::string_view name;
  bool (*print)(const SimulationOptions& options);
};

constexpr Table kTables[] = {{"sizes", PrintSizes},
                             {"power", PrintPower},
                             {"clusters", PrintClusters},
                             {"intervals", PrintIntervals},
                             {"equivalence", PrintEquivalence},
                             {"pass_rates", PrintPassRates},
                             {"families", PrintFamilies},
                             {"scorers", PrintScorers},
                             {"plans", PrintPlans},
                             {"looks", PrintLooks},
                             {"looks_of_families", PrintLooksOfFamilies},
                             {"ranks", PrintRanks},
                             {"missing_ids", PrintMissingIds},
                             {"repeats", PrintRepeats}};

int Usage() {
  fmt::print(stderr, "usage: comparison_simulation [--runs RUNS] [--seed SEED] [TABLE...]; tables:");
  for (const Table& table : kTables) fmt::print(stderr, " {}", table.name);
  fmt::print(stderr, "\n");
  return 2;
}

int Run(const std::vector<std::string_view>& arguments) {
  SimulationOptions options;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (!argument.starts_with("--")) {
      if (std::ranges::find(kTables, argument, &Table::name) == std::end(kTables)) return Usage();
      names.push_back(argument);
      continue;
    }
    if (++i == arguments.size()) return Usage();
    std::uint64_t value = 0;
    const std::string_view text = arguments[i];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0) return Usage();
    if (argument == "--runs") {
      options.runs = value;
    } else if (argument == "--seed") {
      options.seed = value * 1000;  // tables add to it
    } else {
      return Usage();
    }
  }
  std::string failed;
  for (const Table& table : kTables) {
    if (!names.empty() && std::ranges::find(names, table.name) == names.end()) continue;
    if (!table.print(options)) failed += fmt::format(" {}", table.name);
    std::fflush(stdout);
  }
  fmt::print("\n{}{}\n", failed.empty() ? "All levels hold." : "NOT held:", failed);
  return failed.empty() ? 0 : 1;
}

}  // namespace
}  // namespace leafscore::internal

int main(int argc, char** argv) {
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  int status = 1;
  leafscore::internal::WithThreads(0, [&] { status = leafscore::internal::Run(arguments); });
  return status;
}
