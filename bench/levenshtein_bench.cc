// Edit distances: every instruction set of ours, the peers that are installed, and the two-row programme, in
// turn over the same pairs, rounds alternating, so that a noisy machine treats all alike. Answers come first:
// a contestant that differs from the two-row programme ends the run.
//
//   levenshtein_bench [--rounds=N] [FILTER]     FILTER: part of the workload's name
//
// Prints the fastest round: ns a pair, giga cell updates a second (|a| * |b| cells a pair), and how many
// times faster than the reference: rapidfuzz-cpp where it is installed, else our portable kernel.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/string_workloads.h"
#include "kernels/levenshtein.h"

#ifdef LEAFSCORE_HAVE_RAPIDFUZZ
#include <rapidfuzz/distance.hpp>
#endif
#ifdef LEAFSCORE_HAVE_EDLIB
#include <edlib.h>
#endif

namespace leafscore {
namespace {

using Distances = std::vector<std::uint32_t>;

struct Contestant {
  std::string name;
  std::function<void(const StringWorkload&, Distances&)> run;
  bool ascii_only = false;
  double best_seconds = std::numeric_limits<double>::infinity();
};

std::uint32_t TwoRowDistance(const std::u32string& a, const std::u32string& b,
                             std::vector<std::uint32_t>& row) {
  row.resize(b.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::uint32_t diagonal = row[0];
    row[0] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::uint32_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

void RunTwoRow(const StringWorkload& workload, Distances& distances) {
  std::vector<std::uint32_t> row;
  for (std::size_t i = 0; i < workload.size(); ++i) {
    distances[i] = TwoRowDistance(workload.left_points[i], workload.right_points[i], row);
  }
}

void RunOurs(Isa isa, const StringWorkload& workload, Distances& distances) {
  const StringColumn left = workload.left.column();
  const StringColumn right = workload.right.column();
  static std::unique_ptr<std::byte, decltype(&std::free)> scratch(nullptr, &std::free);
  static std::size_t allocated = 0;
  const std::size_t needed = (LevenshteinScratchBytes(left, right) + 63) / 64 * 64;
  if (needed > allocated) {
    scratch.reset(static_cast<std::byte*>(std::aligned_alloc(64, needed)));
    allocated = needed;
  }
  LevenshteinBatch(left, right, distances, {scratch.get(), needed}, isa);
}

[[maybe_unused]] std::string_view StringAt(const StringColumn& column, std::size_t i) {
  return {reinterpret_cast<const char*>(column.bytes) + column.offsets[i],
          column.offsets[i + 1] - column.offsets[i]};
}

#ifdef LEAFSCORE_HAVE_RAPIDFUZZ
// Decoding as a user of a library on code points would write it; the input is valid.
void Decode(std::string_view bytes, std::vector<char32_t>& points) {
  points.clear();
  for (std::size_t i = 0; i < bytes.size();) {
    const auto at = [&](std::size_t k) {
      return static_cast<char32_t>(static_cast<unsigned char>(bytes[i + k]));
    };
    const char32_t lead = at(0);
    if (lead < 0x80) {
      points.push_back(lead), i += 1;
    } else if (lead < 0xE0) {
      points.push_back((lead & 0x1F) << 6 | (at(1) & 0x3F)), i += 2;
    } else if (lead < 0xF0) {
      points.push_back((lead & 0x0F) << 12 | (at(1) & 0x3F) << 6 | (at(2) & 0x3F)), i += 3;
    } else {
      points.push_back((lead & 0x07) << 18 | (at(1) & 0x3F) << 12 | (at(2) & 0x3F) << 6 | (at(3) & 0x3F)),
          i += 4;
    }
  }
}

void RunRapidfuzz(const StringWorkload& workload, Distances& distances) {
  const StringColumn left = workload.left.column();
  const StringColumn right = workload.right.column();
  static std::vector<char32_t> a, b;
  for (std::size_t i = 0; i < workload.size(); ++i) {
    if (workload.ascii) {
      const std::string_view x = StringAt(left, i);
      const std::string_view y = StringAt(right, i);
      distances[i] = static_cast<std::uint32_t>(rapidfuzz::levenshtein_distance(x, y));
    } else {
      Decode(StringAt(left, i), a);
      Decode(StringAt(right, i), b);
      distances[i] = static_cast<std::uint32_t>(rapidfuzz::levenshtein_distance(a, b));
    }
  }
}
#endif

#ifdef LEAFSCORE_HAVE_EDLIB
void RunEdlib(const StringWorkload& workload, Distances& distances) {
  const EdlibAlignConfig config = edlibNewAlignConfig(-1, EDLIB_MODE_NW, EDLIB_TASK_DISTANCE, nullptr, 0);
  for (std::size_t i = 0; i < workload.size(); ++i) {
    const std::string_view a = StringAt(workload.left.column(), i);
    const std::string_view b = StringAt(workload.right.column(), i);
    const EdlibAlignResult result =
        edlibAlign(a.data(), static_cast<int>(a.size()), b.data(), static_cast<int>(b.size()), config);
    // An empty string is no input for edlib.
    distances[i] = a.empty() || b.empty() ? static_cast<std::uint32_t>(a.size() + b.size())
                                          : static_cast<std::uint32_t>(result.editDistance);
    edlibFreeAlignResult(result);
  }
}
#endif

std::vector<Contestant> MakeContestants() {
  std::vector<Contestant> contestants;
#ifdef LEAFSCORE_HAVE_RAPIDFUZZ
  contestants.push_back({"rapidfuzz-cpp", RunRapidfuzz});
#else
  fmt::print(
      "rapidfuzz-cpp is missing: install librapidfuzz-cpp-dev from bookworm-backports to compare with it\n");
#endif
#ifdef LEAFSCORE_HAVE_EDLIB
  contestants.push_back({"edlib", RunEdlib, true});
#else
  fmt::print("edlib is missing: install libedlib-dev to compare with it\n");
#endif
  for (const Isa isa : AvailableIsas()) {
    contestants.push_back(
        {std::string(IsaName(isa)), [isa](const StringWorkload& w, Distances& d) { RunOurs(isa, w, d); }});
  }
  return contestants;
}

double Seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Print(const StringWorkload& workload, std::string_view name, double seconds, double reference_seconds) {
  fmt::print("{:14} {:14} {:12.1f} {:10.2f} {:8.2f}\n", workload.name, name,
             seconds * 1e9 / static_cast<double>(workload.size()), workload.cells / seconds / 1e9,
             reference_seconds / seconds);
}

int Run(int rounds, std::string_view filter) {
  std::vector<Contestant> contestants = MakeContestants();
#ifdef LEAFSCORE_HAVE_RAPIDFUZZ
  const std::string_view reference = "rapidfuzz-cpp";
#else
  const std::string_view reference = "portable";
#endif
  fmt::print("{:14} {:14} {:>12} {:>10} {:>8}\n", "workload", "contestant", "ns/pair", "GCUPS", "ratio");
  for (const StringWorkload& workload : MakeStringWorkloads()) {
    if (workload.name.find(filter) == std::string::npos) continue;
    Distances expected(workload.size());
    const double two_row_seconds = Seconds([&] { RunTwoRow(workload, expected); });
    for (Contestant& contestant : contestants) {
      contestant.best_seconds = std::numeric_limits<double>::infinity();
      if (contestant.ascii_only && !workload.ascii) continue;
      Distances distances(workload.size(), ~0u);
      contestant.run(workload, distances);
      if (distances != expected) {
        fmt::print("{}: {} gives wrong distances\n", workload.name, contestant.name);
        return 1;
      }
    }
    Distances distances(workload.size());
    for (int round = 0; round < rounds; ++round) {
      for (Contestant& contestant : contestants) {
        if (contestant.ascii_only && !workload.ascii) continue;
        const double seconds = Seconds([&] { contestant.run(workload, distances); });
        contestant.best_seconds = std::min(contestant.best_seconds, seconds);
      }
    }
    const double reference_seconds =
        std::ranges::find(contestants, reference, &Contestant::name)->best_seconds;
    Print(workload, "two-row", two_row_seconds, reference_seconds);
    for (const Contestant& contestant : contestants) {
      if (contestant.ascii_only && !workload.ascii) continue;
      Print(workload, contestant.name, contestant.best_seconds, reference_seconds);
    }
  }
  return 0;
}

}  // namespace
}  // namespace leafscore

int main(int argc, char** argv) {
  int rounds = 15;
  std::string_view filter;
  for (const std::string_view argument : std::span(argv + 1, static_cast<std::size_t>(argc - 1))) {
    if (argument.starts_with("--rounds=")) {
      rounds = std::max(1, std::atoi(argument.data() + 9));
    } else {
      filter = argument;
    }
  }
  return leafscore::Run(rounds, filter);
}
