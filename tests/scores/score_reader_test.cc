#include "engine/scores/score_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/threads/parallel.h"
#include "io/io_test_util.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kLines = 15'000;  // several batches of 256 KiB, in chunks of 256 lines

struct NotedLine {
  ScoreLine score;
  std::string note;
};

class ScoreReaderTest : public ::testing::Test {
 protected:
  // Returns lines with the ids 1, 2, ...; those with the numbers in `broken` are no JSON.
  static std::string Lines(const std::vector<std::size_t>& broken = {}) {
    std::string lines;
    for (std::size_t i = 1; i <= kLines; ++i) {
      const bool is_broken = std::find(broken.begin(), broken.end(), i) != broken.end();
      lines += is_broken ? "{\"id\": \n"
                         : fmt::format(
                               "{{\"id\": {0}, \"scorer\": \"s\", \"outcome\": \"scored\", \"score\": 1, "
                               "\"note\": \"n{0}\"}}\n",
                               i);
    }
    return lines;
  }

  // Reads a file with these lines. RETURNS: the notes, with the records' numbers.
  std::vector<std::pair<std::string, std::uint64_t>> Read(const std::string& lines, unsigned threads) {
    WriteFile(path_, lines);
    std::vector<std::pair<std::string, std::uint64_t>> notes;
    WithThreads(threads, [&] {
      ScoreReader<NotedLine> reader;
      reader.Read(
          path_, {.accept_unverified = true},
          [](JsonView view, NotedLine& line) { line.note = view.Member("note").Text().value_or(""); },
          [&](const NotedLine& line, std::uint64_t record) { notes.emplace_back(line.note, record); });
    });
    return notes;
  }

  std::string Refusal(const std::string& lines, unsigned threads = 1) {
    return ErrorOf(ErrorCode::kInput, [&] { Read(lines, threads); });
  }

  const TempDir folder_;
  const std::string path_ = folder_ / "scores.jsonl";
};

TEST_F(ScoreReaderTest, LinesComeInTheirOrderOnAnyNumberOfThreads) {
  for (const unsigned threads : {1u, 4u}) {
    const auto notes = Read(Lines(), threads);
    ASSERT_EQ(notes.size(), kLines);
    for (std::size_t i = 0; i < kLines; ++i) EXPECT_EQ(notes[i], std::pair(fmt::format("n{}", i + 1), i + 1));
  }
}

// Not the one that a thread has met first.
TEST_F(ScoreReaderTest, TheFirstLineInTheFileThatIsNoneIsNamed) {
  for (int round = 0; round < 20; ++round) {
    EXPECT_EQ(Refusal(Lines({700, 701, 2900}), 4),
              path_ +
                  ": record 700 is not a line of scores: the text ends where a value is expected; give files "
                  "that leafscore score wrote as JSON Lines");
  }
}

// The lines of a batch are taken while those of the next one are parsed.
TEST_F(ScoreReaderTest, AnErrorOfTakingALineComesBeforeAFaultBehindIt) {
  WriteFile(path_, Lines({kLines}));
  for (const unsigned threads : {1u, 4u}) {
    for (const std::uint64_t refused : {std::uint64_t{1}, std::uint64_t{kLines - 1000}}) {
      std::uint64_t taken = 0;
      EXPECT_EQ(ErrorOf(ErrorCode::kInput,
                        [&] {
                          WithThreads(threads, [&] {
                            ScoreReader<NotedLine>().Read(
                                path_, {.accept_unverified = true}, [](JsonView, NotedLine&) {},
                                [&](const NotedLine&, std::uint64_t record) {
                                  if (record == refused)
                                    throw Error(ErrorCode::kInput, "it was there before");
                                  ++taken;
                                });
                          });
                        }),
                "it was there before");
      EXPECT_EQ(taken, refused - 1);
    }
  }
}

TEST_F(ScoreReaderTest, AFileWithoutLinesAndOneOfAnotherFormatAreRefused) {
  EXPECT_EQ(Refusal(""), path_ + " has no scores");
  EXPECT_NE(Refusal("PAR1\x15\x04\n").find("record 1 is not a line of scores: "), std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
