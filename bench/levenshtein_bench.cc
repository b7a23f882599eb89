// Edit distances: every instruction set of ours, the peers that are installed, and the two-row programme;
// then the other similarities of strings. See kHelp for how to call it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/contest.h"
#include "bench/pair_file.h"
#include "bench/string_workloads.h"
#include "engine/distance/kernel_memory.h"
#include "kernels/character_jaccard.h"
#include "kernels/jaro_winkler.h"
#include "kernels/levenshtein.h"
#include "leafscore/error.h"
#include "tests/kernels/string_reference.h"

#ifdef LEAFSCORE_HAVE_RAPIDFUZZ
#include <rapidfuzz/distance.hpp>
#endif
#ifdef LEAFSCORE_HAVE_EDLIB
#include <edlib.h>
#endif

namespace leafscore::internal {
namespace {

constexpr std::string_view kHelp =
    R"(levenshtein_bench [--rounds=N] [--pairs=FILE] [FILTER]: times the kernels over strings, against their peers

  --rounds=N    how often each contestant runs in turn with the others; the fastest round counts (15)
  --pairs=FILE  instead of the workloads with fixed seeds, the pairs of different strings at the same place of
                "expected" and "actual" in a file of records (JSON Lines; .gz and .zst too), ASCII and others apart
  FILTER        only the workloads whose names contain this

Prints for each workload and contestant ns a pair, giga cell updates a second (|a| * |b| cells a pair), and how many
times faster than the reference it is: rapidfuzz-cpp where it is installed, else our portable kernel.
bench/plot_levenshtein.py makes a picture of it.
)";

using Distances = std::vector<std::uint32_t>;
using Similarities = std::vector<double>;

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
  static KernelScratch scratch;
  const StringColumn left = workload.left.column();
  const StringColumn right = workload.right.column();
  LevenshteinBatch(left, right, distances, scratch.OfSize(LevenshteinScratchBytes(left, right)), isa);
}

void RunJaroWinkler(Isa isa, const StringWorkload& workload, Similarities& similarities) {
  static KernelScratch scratch;
  const StringColumn left = workload.left.column();
  const StringColumn right = workload.right.column();
  JaroWinklerBatch(left, right, similarities, scratch.OfSize(JaroWinklerScratchBytes(left, right)), isa);
}

void RunJaccard(Isa isa, const StringWorkload& workload, Similarities& similarities) {
  static KernelScratch scratch;
  const StringColumn left = workload.left.column();
  const StringColumn right = workload.right.column();
  CharacterJaccardBatch(left, right, similarities, scratch.OfSize(CharacterJaccardScratchBytes(left, right)),
                        isa);
}

// A set of bits for each string, as anyone would write it. Other texts than ASCII are left to the kernel.
void RunBitSets(const StringWorkload& workload, Similarities& similarities) {
  const StringColumn left = workload.left.column();
  const StringColumn right = workload.right.column();
  std::uint8_t seen = 0;
  for (std::size_t i = 0; i < left.size; ++i) {
    std::uint64_t a[2] = {}, b[2] = {};
    const auto add = [&](const StringColumn& column, std::uint64_t(&set)[2]) {
      for (std::uint32_t k = 0; k < column.string_bytes(i); ++k) {
        const std::uint8_t byte = column.string(i)[k];
        seen |= byte;
        set[byte / 64 % 2] |= std::uint64_t{1} << byte % 64;
      }
    };
    add(left, a);
    add(right, b);
    const int both = std::popcount(a[0] & b[0]) + std::popcount(a[1] & b[1]);
    const int either = std::popcount(a[0] | b[0]) + std::popcount(a[1] | b[1]);
    similarities[i] = either == 0 ? 1 : static_cast<double>(both) / either;
  }
  if (seen >= 0x80) RunJaccard(Isa::kPortable, workload, similarities);
}

// Makes a contestant of a slow and obvious function.
template <double (*kFunction)(const std::u32string&, const std::u32string&)>
void RunSlowly(const StringWorkload& workload, Similarities& similarities) {
  for (std::size_t i = 0; i < workload.size(); ++i) {
    similarities[i] = kFunction(workload.left_points[i], workload.right_points[i]);
  }
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

// Answers each pair with `compare`.
template <class Answer, class Compare>
void RunRapidfuzz(const StringWorkload& workload, std::vector<Answer>& answers, const Compare& compare) {
  static std::vector<char32_t> a, b;
  for (std::size_t i = 0; i < workload.size(); ++i) {
    if (workload.ascii) {
      answers[i] = static_cast<Answer>(compare(workload.left.text(i), workload.right.text(i)));
    } else {
      Decode(workload.left.text(i), a);
      Decode(workload.right.text(i), b);
      answers[i] = static_cast<Answer>(compare(a, b));
    }
  }
}
#endif

#ifdef LEAFSCORE_HAVE_EDLIB
void RunEdlib(const StringWorkload& workload, Distances& distances) {
  const EdlibAlignConfig config = edlibNewAlignConfig(-1, EDLIB_MODE_NW, EDLIB_TASK_DISTANCE, nullptr, 0);
  for (std::size_t i = 0; i < workload.size(); ++i) {
    const std::string_view a = workload.left.text(i);
    const std::string_view b = workload.right.text(i);
    const EdlibAlignResult result =
        edlibAlign(a.data(), static_cast<int>(a.size()), b.data(), static_cast<int>(b.size()), config);
    // An empty string is no input for edlib.
    distances[i] = a.empty() || b.empty() ? static_cast<std::uint32_t>(a.size() + b.size())
                                          : static_cast<std::uint32_t>(result.editDistance);
    edlibFreeAlignResult(result);
  }
}
#endif

Contest<std::uint32_t> DistanceContest() {
  Contest<std::uint32_t> contest{.slow = {"two-row", RunTwoRow}, .contestants = {}, .reference = "portable"};
#ifdef LEAFSCORE_HAVE_RAPIDFUZZ
  contest.reference = "rapidfuzz-cpp";
  contest.contestants.push_back({contest.reference, [](const StringWorkload& workload, Distances& distances) {
                                   RunRapidfuzz(workload, distances, [](const auto& a, const auto& b) {
                                     return rapidfuzz::levenshtein_distance(a, b);
                                   });
                                 }});
#endif
#ifdef LEAFSCORE_HAVE_EDLIB
  contest.contestants.push_back({"edlib", RunEdlib, true});
#endif
  for (const Isa isa : AvailableIsas()) {
    contest.contestants.push_back(
        {std::string(IsaName(isa)), [isa](const StringWorkload& w, Distances& d) { RunOurs(isa, w, d); }});
  }
  return contest;
}

Contest<double> JaroWinklerContest() {
  Contest<double> contest{.slow = {"jaro_winkler-slow", RunSlowly<reference::JaroWinkler>},
                          .contestants = {},
                          .reference = "",
                          .counts_cells = false};
#ifdef LEAFSCORE_HAVE_RAPIDFUZZ
  contest.reference = "rapidfuzz-jaro_winkler";
  contest.contestants.push_back(
      {contest.reference, [](const StringWorkload& workload, Similarities& similarities) {
         RunRapidfuzz(workload, similarities,
                      [](const auto& a, const auto& b) { return rapidfuzz::jaro_winkler_similarity(a, b); });
       }});
#endif
  for (const Isa isa : AvailableIsas()) {
    contest.contestants.push_back(
        {"jaro_winkler-" + std::string(IsaName(isa)),
         [isa](const StringWorkload& w, Similarities& s) { RunJaroWinkler(isa, w, s); }});
  }
  return contest;
}

Contest<double> JaccardContest() {
  Contest<double> contest{.slow = {"jaccard-slow", RunSlowly<reference::CharacterJaccard>},
                          .contestants = {{"jaccard-bit-sets", RunBitSets}},
                          .reference = "jaccard-bit-sets",
                          .counts_cells = false};
  for (const Isa isa : AvailableIsas()) {
    contest.contestants.push_back(
        {"jaccard-" + std::string(IsaName(isa)),
         [isa](const StringWorkload& w, Similarities& s) { RunJaccard(isa, w, s); }});
  }
  return contest;
}

int Run(int rounds, const std::string& pair_file, std::string_view filter) {
#ifndef LEAFSCORE_HAVE_RAPIDFUZZ
  fmt::print(
      "rapidfuzz-cpp is missing: install librapidfuzz-cpp-dev from bookworm-backports, or configure with "
      "-DRAPIDFUZZ_INCLUDE_DIR=FOLDER, to compare with it\n");
#endif
#ifndef LEAFSCORE_HAVE_EDLIB
  fmt::print("edlib is missing: install libedlib-dev to compare with it\n");
#endif
  const Contest<std::uint32_t> distances = DistanceContest();
  const Contest<double> jaro_winkler = JaroWinklerContest();
  const Contest<double> jaccard = JaccardContest();
  PrintHeading();
  for (const StringWorkload& workload : pair_file.empty() ? MakeStringWorkloads() : ReadPairFile(pair_file)) {
    if (workload.name.find(filter) == std::string::npos) continue;
    const bool is_right = Hold(distances, workload, rounds) && Hold(jaro_winkler, workload, rounds) &&
                          Hold(jaccard, workload, rounds);
    if (!is_right) return 1;
  }
  return 0;
}

}  // namespace
}  // namespace leafscore::internal

int main(int argc, char** argv) {
  int rounds = 15;
  std::string pair_file;
  std::string_view filter;
  for (const std::string_view argument : std::span(argv + 1, static_cast<std::size_t>(argc - 1))) {
    if (argument.starts_with("--rounds=")) {
      rounds = std::max(1, std::atoi(argument.data() + 9));
    } else if (argument.starts_with("--pairs=")) {
      pair_file = argument.substr(8);
    } else if (argument.starts_with("-")) {
      fmt::print("{}", leafscore::internal::kHelp);
      return argument == "--help" ? 0 : 2;
    } else {
      filter = argument;
    }
  }
  try {
    return leafscore::internal::Run(rounds, pair_file, filter);
  } catch (const leafscore::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
