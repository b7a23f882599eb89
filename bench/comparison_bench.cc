// What a comparison takes beside reading its files: the processor time of reading and verifying both files of
// scores alone, with their lines joined by id, and of the whole comparison, by turns.
// Usage: comparison_bench BASE NEW [ROUNDS]
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "engine/compare/score_file_reader.h"
#include "engine/threads/parallel.h"
#include "leafscore/compare.h"

namespace {

using leafscore::ComparisonOptions;

double UserSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

// Returns the records of the base.
std::size_t Read(const ComparisonOptions& options) {
  leafscore::internal::ComparedNames names;
  leafscore::internal::ScoreFileReader reader(options, names);
  leafscore::internal::Side base;
  leafscore::internal::Side now;
  leafscore::internal::WithThreads(options.threads, [&] {
    reader.Read({options.base}, base);
    reader.Read({options.news[0]}, now);
  });
  return base.by_scorer.at(0).by_id.size();
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: comparison_bench BASE NEW [ROUNDS]\n");
    return 2;
  }
  const ComparisonOptions options{.base = argv[1], .news = {argv[2]}, .threads = 1};
  const int rounds = argc > 3 ? std::max(1, std::atoi(argv[3])) : 7;
  std::vector<double> reading;
  std::vector<double> comparing;
  std::size_t records = 0;
  for (int round = 0; round < rounds; ++round) {
    const double begin = UserSeconds();
    records = Read(options);
    const double read = UserSeconds();
    if (leafscore::CompareFiles(options).files[0].records < records) return 1;
    reading.push_back(read - begin);
    comparing.push_back(UserSeconds() - read);
  }
  fmt::print("{} records: {:.3f} s to read both files, {:.3f} s to compare them, {:.2f} times as long\n",
             records, Median(reading), Median(comparing), Median(comparing) / Median(reading));
}
