// tests/compare/comparison_testing.h: files of scores written by hand, and comparisons of them.
#ifndef LEAFSCORE_TESTS_COMPARE_COMPARISON_TESTING_H_
#define LEAFSCORE_TESTS_COMPARE_COMPARISON_TESTING_H_

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/io_test_util.h"
#include "leafscore/compare.h"
#include "leafscore/error.h"

namespace leafscore::internal {

// Returns a line; `more` are additional members, each after a comma.
inline std::string Scored(std::string_view id, double score, std::string_view more = "",
                          std::string_view scorer = "s") {
  return fmt::format("{{\"id\": \"{}\", \"scorer\": \"{}\", \"outcome\": \"scored\", \"score\": {}{}}}\n", id,
                     scorer, score, more);
}

inline std::string Unscored(std::string_view id, std::string_view outcome, std::string_view more = "") {
  return fmt::format("{{\"id\": \"{}\", \"scorer\": \"s\", \"outcome\": \"{}\", \"reason\": \"r\"{}}}\n", id,
                     outcome, more);
}

// Returns a line of a scorer that passes or fails records.
inline std::string Judged(std::string_view id, bool passed) {
  return Scored(id, passed ? 1 : 0, passed ? ", \"passed\": true" : ", \"passed\": false");
}

// Returns lines with these scores for the ids from `first` on.
inline std::string Lines(std::size_t first, std::size_t count, double score) {
  std::string lines;
  for (std::size_t i = 0; i < count; ++i) lines += Scored(std::to_string(first + i), score);
  return lines;
}

class ComparisonTest : public ::testing::Test {
 protected:
  // Returns the comparison of the lines of a base with those of other files, which have no manifests.
  Comparison Compare(const std::string& base, const std::vector<std::string>& news,
                     ComparisonOptions options = {}) {
    options.unverified = true;
    options.base = folder_ / "base.jsonl";
    WriteFile(options.base, base);
    for (const std::string& lines : news) {
      options.news.push_back(folder_ / fmt::format("new-{}.jsonl", options.news.size()));
      WriteFile(options.news.back(), lines);
    }
    return CompareFiles(options);
  }

  // Returns the comparison of the only scorer of two files.
  ScorerComparison CompareOne(const std::string& base, const std::string& now,
                              const ComparisonOptions& options = {}) {
    const Comparison comparison = Compare(base, {now}, options);
    EXPECT_EQ(comparison.files.at(0).scorers.size(), 1u);
    return comparison.files.at(0).scorers.at(0);
  }

  std::string Refusal(const std::string& base, const std::string& now, const ComparisonOptions& options = {},
                      ErrorCode code = ErrorCode::kInput) {
    return ErrorOf(code, [&] { Compare(base, {now}, options); });
  }

  TempDir folder_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_COMPARE_COMPARISON_TESTING_H_
