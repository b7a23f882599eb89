// bench/contest.h: programmes that answer the same questions about pairs of strings, timed in turn over the
// same pairs, so that a noisy machine treats all alike. Answers come first: a contestant that differs from
// the slow and obvious programme ends the run.
#ifndef LEAFSCORE_BENCH_CONTEST_H_
#define LEAFSCORE_BENCH_CONTEST_H_

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bench/string_workloads.h"

namespace leafscore::internal {

template <class Answer>
struct Contestant {
  std::string name;
  std::function<void(const StringWorkload&, std::vector<Answer>&)> run;
  bool ascii_only = false;
};

template <class Answer>
struct Contest {
  Contestant<Answer> slow;  // gives the right answers, and is timed once
  std::vector<Contestant<Answer>> contestants;
  std::string reference;     // the contestant that ratios compare with; none if there is no such
  bool counts_cells = true;  // whether |a| * |b| measures the work
};

inline double Seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline void PrintHeading() {
  fmt::print("{:14} {:22} {:>12} {:>10} {:>8}\n", "workload", "contestant", "ns/pair", "GCUPS", "ratio");
}

// Prints a line for each contestant's fastest round. RETURNS: false, after a message, for a wrong answer.
template <class Answer>
bool Hold(const Contest<Answer>& contest, const StringWorkload& workload, int rounds) {
  std::vector<const Contestant<Answer>*> contestants;
  for (const Contestant<Answer>& contestant : contest.contestants) {
    if (workload.ascii || !contestant.ascii_only) contestants.push_back(&contestant);
  }
  std::vector<Answer> expected(workload.size());
  const double slow_seconds = Seconds([&] { contest.slow.run(workload, expected); });
  for (const Contestant<Answer>* contestant : contestants) {
    std::vector<Answer> answers(workload.size());
    contestant->run(workload, answers);
    if (answers != expected) {
      fmt::print("{}: {} gives wrong answers\n", workload.name, contestant->name);
      return false;
    }
  }
  std::vector<double> best(contestants.size(), std::numeric_limits<double>::infinity());
  std::vector<Answer> answers(workload.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      best[i] = std::min(best[i], Seconds([&] { contestants[i]->run(workload, answers); }));
    }
  }
  double reference_seconds = 0;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    if (contestants[i]->name == contest.reference) reference_seconds = best[i];
  }
  const auto print = [&](const std::string& name, double seconds) {
    const double nanoseconds = seconds * 1e9 / static_cast<double>(workload.size());
    fmt::print("{:14} {:22} {:12.1f} {:>10} {:>8}\n", workload.name, name, nanoseconds,
               contest.counts_cells ? fmt::format("{:.2f}", workload.cells / seconds / 1e9) : "-",
               reference_seconds > 0 ? fmt::format("{:.2f}", reference_seconds / seconds) : "-");
  };
  print(contest.slow.name, slow_seconds);
  for (std::size_t i = 0; i < contestants.size(); ++i) print(contestants[i]->name, best[i]);
  return true;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_BENCH_CONTEST_H_
