// Two texts of a megabyte each, on one thread and on two, rounds alternating; the answers must agree.
//
//   long_pair_bench [--rounds=N]
//
// Prints the fastest round: seconds, and giga cell updates a second (|a| * |b| cells).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "leafscore/leafscore.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kBytes = 1'000'000;

char Letter(std::mt19937& random) { return static_cast<char>('a' + random() % 26); }

std::string Letters(std::mt19937& random) {
  std::string text;
  for (std::size_t i = 0; i < kBytes; ++i) text += Letter(random);
  return text;
}

// Replaces 15% of the letters.
std::string Damaged(std::string text, std::mt19937& random) {
  for (char& letter : text) {
    if (random() % 100 < 15) letter = Letter(random);
  }
  return text;
}

int Run(int rounds) {
  const Plan plan({"json_similarity"});
  std::mt19937 random(1);
  const std::string base = Letters(random);
  const std::pair<const char*, std::string> workloads[] = {{"unrelated", Letters(random)},
                                                           {"15% edits", Damaged(base, random)}};
  fmt::print("{:10} {:>8} {:>10} {:>10} {:>8}\n", "workload", "threads", "seconds", "GCUPS", "speed-up");
  for (const auto& [name, other] : workloads) {
    const std::int64_t ends[] = {0, kBytes};
    double seconds[] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    double scores[2] = {};
    for (int round = 0; round < rounds; ++round) {
      for (const unsigned threads : {1u, 2u}) {
        const Runner runner(plan, {.max_pair_cells = 2 * kBytes * kBytes, .threads = threads});
        const auto start = std::chrono::steady_clock::now();
        scores[threads - 1] =
            runner.ScoreTexts({base, ends}, {other, ends}, {TextFormat::kText, TextFormat::kText})[0]
                .score[0];
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        seconds[threads - 1] = std::min(seconds[threads - 1], time.count());
      }
    }
    if (scores[0] != scores[1] || scores[0] <= 0) {
      fmt::print("{}: the scores are {} and {}\n", name, scores[0], scores[1]);
      return 1;
    }
    for (const unsigned threads : {1u, 2u}) {
      fmt::print("{:10} {:>8} {:>10.3f} {:>10.1f} {:>8.2f}\n", name, threads, seconds[threads - 1],
                 1e-9 * kBytes * kBytes / seconds[threads - 1], seconds[0] / seconds[threads - 1]);
    }
  }
  return 0;
}

}  // namespace
}  // namespace leafscore::internal

int main(int argc, char** argv) {
  const std::string_view option = argc > 1 ? argv[1] : "";
  return leafscore::internal::Run(option.starts_with("--rounds=") ? std::max(1, std::atoi(option.data() + 9))
                                                                  : 3);
}
