#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "leafscore/leafscore.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

// A column with its memory; texts may be null.
template <class Offset>
struct ArrowTexts {
  std::string bytes;
  std::vector<Offset> offsets = {0};
  std::vector<std::uint8_t> validity;

  void Add(const std::string& text, bool is_valid = true) {
    const std::size_t row = offsets.size() - 1;
    if (row % 8 == 0) validity.push_back(0);
    if (is_valid) validity.back() = static_cast<std::uint8_t>(validity.back() | 1 << row % 8);
    bytes += text;
    offsets.push_back(static_cast<Offset>(bytes.size()));
  }
  TextColumn column() const { return {bytes, std::span<const Offset>(offsets), validity.data()}; }
};

using Pairs = std::vector<std::pair<std::string, std::string>>;

template <class Offset>
std::vector<ScoreColumns> ScorePairs(const Plan& plan, const Pairs& pairs, TextFormats formats = {},
                                     const EngineOptions& options = {}) {
  ArrowTexts<Offset> expected;
  ArrowTexts<Offset> actual;
  for (const auto& [e, a] : pairs) {
    expected.Add(e);
    actual.Add(a);
  }
  return Runner(plan, options).ScoreTexts(expected.column(), actual.column(), formats);
}

bool SameNumber(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Checks that row `row` of `columns` is what `one`, columns of a single row, holds.
void ExpectSameRow(const ScoreColumns& columns, std::size_t row, const ScoreColumns& one) {
  EXPECT_EQ(columns.scorer, one.scorer);
  EXPECT_EQ(columns.outcome[row], one.outcome[0]) << row;
  EXPECT_TRUE(SameNumber(columns.score[row], one.score[0])) << row;
  EXPECT_EQ(columns.passed[row], one.passed[0]) << row;
  ASSERT_EQ(columns.metrics.size(), one.metrics.size());
  for (std::size_t m = 0; m < one.metrics.size(); ++m) {
    EXPECT_EQ(columns.metrics[m].name, one.metrics[m].name);
    EXPECT_TRUE(SameNumber(columns.metrics[m].values[row], one.metrics[m].values[0])) << row;
  }
}

TEST(Runner, ScorePair) {
  const Plan plan({"json_similarity", "levenshtein", "exact_match", "contains"});
  EXPECT_EQ(plan.scorer_names(),
            (std::vector<std::string>{"json_similarity", "levenshtein", "exact_match", "contains"}));
  const auto scores = Runner(plan).ScorePair(R"({"city": "Oslo"})", R"({"city": "Olso"})");
  ASSERT_EQ(scores.size(), 4u);
  EXPECT_EQ(scores[0].scorer, "json_similarity");
  EXPECT_EQ(scores[0].outcome, std::vector{Outcome::kScored});
  EXPECT_EQ(scores[0].score, std::vector{0.5});
  EXPECT_EQ(scores[0].passed, std::vector<std::int8_t>{-1});
  ASSERT_EQ(scores[0].metrics.size(), 2u);
  EXPECT_EQ(scores[0].metrics[0].name, "matched_leaves");
  EXPECT_EQ(scores[0].metrics[0].values, std::vector{0.5});
  EXPECT_EQ(scores[0].metrics[1].name, "total_leaves");
  EXPECT_EQ(scores[0].metrics[1].values, std::vector{1.0});
  EXPECT_EQ(scores[1].score, std::vector{0.87});  // {"city":"oslo"}: 1 - 2/15
  EXPECT_EQ(scores[1].passed, std::vector<std::int8_t>{1});
  EXPECT_EQ(scores[1].metrics[0].values, std::vector{2.0});
  EXPECT_EQ(scores[2].score, std::vector{0.0});
  EXPECT_EQ(scores[2].passed, std::vector<std::int8_t>{0});
  EXPECT_EQ(scores[3].score, std::vector{0.0});
  for (const ScoreColumns& columns : scores) EXPECT_TRUE(columns.errors.empty());
}

TEST(Runner, TextsWithOffsetsOfBothWidths) {
  const Pairs pairs = {
      {"1", "2"}, {"\"a\"", "\"b\""}, {"[1, {\"x\": null}]", "[1, {\"x\": null}]"}, {"{", "1"}};
  const Plan plan({"json_similarity", "levenshtein"});
  const auto narrow = ScorePairs<std::int32_t>(plan, pairs);
  const auto wide = ScorePairs<std::int64_t>(plan, pairs);
  for (std::size_t s = 0; s < 2; ++s) {
    ASSERT_EQ(narrow[s].outcome.size(), 4u);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto one = Runner(plan).ScorePair(pairs[i].first, pairs[i].second);
      ExpectSameRow(narrow[s], i, one[s]);
      ExpectSameRow(wide[s], i, one[s]);
    }
  }
  EXPECT_EQ(std::vector(narrow[0].score.begin(), narrow[0].score.begin() + 3), (std::vector{0.0, 0.0, 1.0}));
  EXPECT_TRUE(std::isnan(narrow[0].score[3]));
}

TEST(Runner, SlicesBeginAnywhere) {
  const std::string bytes = "junk\"abc\"\"abd\"1junk";
  const std::int32_t offsets[] = {4, 9, 14, 15};
  const std::int64_t first[] = {4, 9, 14};
  const std::int32_t second[] = {9, 14, 15};
  const Plan plan({"json_similarity"});
  const auto scores =
      Runner(plan).ScoreTexts(TextColumn(bytes, std::span(first)), TextColumn(bytes, std::span(second)));
  EXPECT_EQ(scores[0].score, (std::vector{1 - 1.0 / 3, 0.0}));
  const auto all =
      Runner(plan).ScoreTexts(TextColumn(bytes, std::span(offsets)), TextColumn(bytes, std::span(offsets)));
  EXPECT_EQ(all[0].score, (std::vector{1.0, 1.0, 1.0}));
}

TEST(Runner, EmptyColumns) {
  const Plan plan({"json_similarity", "levenshtein"});
  const std::int32_t one_offset[] = {0};
  for (const TextColumn& empty :
       {TextColumn("", std::span<const std::int32_t>()), TextColumn("", std::span<const std::int64_t>()),
        TextColumn("x", std::span(one_offset))}) {
    EXPECT_EQ(empty.size(), 0u);
    const auto scores = Runner(plan).ScoreTexts(empty, empty);
    ASSERT_EQ(scores.size(), 2u);
    EXPECT_EQ(scores[1].scorer, "levenshtein");
    EXPECT_TRUE(scores[1].score.empty());
    ASSERT_EQ(scores[1].metrics.size(), 1u);
    EXPECT_TRUE(scores[1].metrics[0].values.empty());
  }
}

TEST(Runner, NullsAreMissingValues) {
  ArrowTexts<std::int32_t> expected;
  ArrowTexts<std::int32_t> actual;
  for (int i = 0; i < 20; ++i) {
    expected.Add(i % 3 == 0 ? "not json" : "1", i % 3 != 0);
    actual.Add("1", i % 5 != 0);
  }
  const auto scores =
      Runner(Plan({"json_similarity", "levenshtein"})).ScoreTexts(expected.column(), actual.column());
  std::size_t next_error = 0;
  for (std::uint32_t i = 0; i < 20; ++i) {
    const bool is_scored = i % 3 != 0 && i % 5 != 0;
    EXPECT_EQ(scores[0].outcome[i], is_scored    ? Outcome::kScored
                                    : i % 3 == 0 ? Outcome::kError
                                                 : Outcome::kUnanswered);
    EXPECT_TRUE(SameNumber(scores[0].score[i], is_scored ? 1.0 : std::nan("")));
    EXPECT_EQ(std::isnan(scores[0].metrics[0].values[i]), !is_scored);
    if (!is_scored) {
      const RecordError& error = scores[0].errors.at(next_error++);
      EXPECT_EQ(error.record, i);
      EXPECT_EQ(error.reason, i % 3 == 0 ? RejectReason::kMissingExpected : RejectReason::kMissingActual);
      EXPECT_FALSE(error.message.empty());
      EXPECT_EQ(scores[0].ErrorOf(i), &error);
    } else {
      EXPECT_EQ(scores[0].ErrorOf(i), nullptr);
    }
    // A levenshtein score does without an expected value: it is 0.
    EXPECT_EQ(scores[1].outcome[i], i % 5 != 0 ? Outcome::kScored : Outcome::kUnanswered);
    EXPECT_TRUE(SameNumber(scores[1].score[i], i % 5 == 0 ? std::nan("") : is_scored ? 1.0 : 0.0));
  }
  EXPECT_EQ(next_error, scores[0].errors.size());
  EXPECT_EQ(scores[0].ErrorOf(20), nullptr);
  EXPECT_EQ(ScoreColumns().ErrorOf(0), nullptr);
}

TEST(Runner, ColumnsOfTexts) {
  const Plan plan({"exact_match", "levenshtein", "json_similarity"});
  TextFormats formats;
  formats.actual = TextFormat::kText;
  const Pairs pairs = {{R"("say \"hi\"")", R"(say "hi")"},
                       {R"("a\\n")", R"(a\n)"},
                       {R"("a\n")", "a\n"},
                       {"\"\"", ""},
                       {"1", "1"},
                       {"[1,\"x\"]", "[1,\"x\"]"}};
  const auto scores = ScorePairs<std::int64_t>(plan, pairs, formats);
  EXPECT_EQ(scores[0].score, (std::vector{1.0, 1.0, 1.0, 1.0, 1.0, 1.0}));
  EXPECT_EQ(scores[1].score, (std::vector{1.0, 1.0, 1.0, 1.0, 1.0, 1.0}));
  EXPECT_EQ(scores[2].score, (std::vector{1.0, 1.0, 1.0, 1.0, 0.0, 1.0}));  // a text is no number
  formats.expected = TextFormat::kText;
  const auto texts =
      ScorePairs<std::int32_t>(plan, {{"a\\\"", "a\\\""}, {"", ""}, {"\x01", "\x02"}}, formats);
  EXPECT_EQ(texts[2].score, (std::vector{1.0, 1.0, 0.0}));
}

TEST(Runner, RejectsNameTheSide) {
  const Pairs pairs = {{"{\"a\": 1}", "1"}, {"[1,", "1"}, {"1", "x"},
                       {"\"\xff\"", "y"},   {"", "1"},    {"1", " "}};
  const auto scores = ScorePairs<std::int32_t>(Plan({"json_similarity", "contains"}), pairs);
  for (const ScoreColumns& columns : scores) {
    ASSERT_EQ(columns.errors.size(), 5u);
    const char* const starts[] = {"expected: ", "actual: ", "expected: ", "expected: ", "actual: "};
    const char* const ends[] = {" (byte 3)", " (byte 0)", " (byte 1)", " (byte 0)", " (byte 1)"};
    for (std::uint32_t i = 0; i < 5; ++i) {
      const RecordError& error = columns.errors[i];
      EXPECT_EQ(error.record, i + 1);
      EXPECT_EQ(error.reason, i == 2 ? RejectReason::kInvalidUtf8 : RejectReason::kInvalidJson);
      EXPECT_EQ(error.message.rfind(starts[i], 0), 0u) << error.message;
      EXPECT_TRUE(error.message.ends_with(ends[i])) << error.message;
      // An answer that is no JSON is the answer's failure.
      EXPECT_EQ(columns.outcome[i + 1],
                error.message.starts_with("actual") ? Outcome::kUnreadable : Outcome::kError);
      EXPECT_TRUE(std::isnan(columns.score[i + 1]));
    }
  }
}

// As a member of a record would be: by it, one answer has one score in a column and in a file.
TEST(Runner, AnActualTextThatIsNoJsonCanBeAString) {
  const Runner runner(Plan({"json_similarity", "static_json"}));
  const TextFormats formats = {TextFormat::kJson, TextFormat::kJsonOrText};
  const auto score = [&](std::string_view actual) {
    return runner.ScorePair(R"({"a": 1})", actual, formats)[0].score[0];
  };
  EXPECT_EQ(score(R"({"a": 1})"), 1);
  EXPECT_EQ(score("Answer:\n```json\n{\"a\": 1}\n```"), 1);
  EXPECT_EQ(score("one"), 0);
  EXPECT_EQ(score(""), 0);
  EXPECT_EQ(runner.ScorePair(R"({"a": 1})", "{'a': 1}", formats)[1].score[0], 1);
  const std::vector<ScoreColumns> broken = runner.ScorePair("{", "\xff", formats);
  EXPECT_EQ(broken[0].outcome[0], Outcome::kError);
  EXPECT_EQ(runner.ScorePair("1", "\xff", formats)[0].errors.at(0).reason, RejectReason::kInvalidUtf8);
}

TEST(Runner, StrictJson) {
  const Pairs pairs = {{"NaN", "1"}, {"1", "1e999"}, {"1", "1"}};
  const Plan plan({"json_similarity"});
  EXPECT_TRUE(ScorePairs<std::int32_t>(plan, pairs)[0].errors.empty());
  const auto scores = ScorePairs<std::int32_t>(plan, pairs, {}, {.strict_json = true});
  ASSERT_EQ(scores[0].errors.size(), 2u);
  EXPECT_EQ(scores[0].errors[0].reason, RejectReason::kNonstandardJson);
  EXPECT_EQ(scores[0].errors[1].reason, RejectReason::kNonstandardJson);
}

TEST(Runner, DepthAtItsLimit) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  const Pairs pairs = {{nested(1023), nested(1023)}, {nested(1024), nested(1024)}, {"1", nested(1025)}};
  const auto scores = ScorePairs<std::int32_t>(Plan({"json_similarity"}), pairs);
  EXPECT_EQ(scores[0].outcome, (std::vector{Outcome::kScored, Outcome::kScored, Outcome::kUnreadable}));
  EXPECT_EQ(scores[0].errors.at(0).reason, RejectReason::kTooDeep);
}

TEST(Runner, ColumnsThatDoNotFit) {
  const Plan plan({"json_similarity"});
  const std::int32_t three[] = {0, 1, 2};
  const std::int32_t two[] = {0, 1};
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage,
                    [&] {
                      Runner(plan).ScoreTexts(TextColumn("12", std::span(three)),
                                              TextColumn("1", std::span(two)));
                    }),
            "the expected column has 2 texts and the actual column 1; give two columns of equal size");
  const std::int32_t alone_outside[] = {3};
  const TextColumn none("12", std::span(alone_outside));
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [&] { Runner(plan).ScoreTexts(none, none); }),
            "offset 0 of a column is 3; offsets must not decrease or exceed the bytes");
  const std::int32_t falling[] = {0, 2, 1};
  const std::int32_t negative[] = {-1, 0, 1};
  const std::int32_t outside[] = {0, 1, 3};
  const std::int64_t far_outside[] = {0, 1, INT64_MAX};
  const std::int64_t far_negative[] = {INT64_MIN, 0, 1};
  const TextColumn good("12", std::span(three));
  for (const TextColumn& bad :
       {TextColumn("12", std::span(falling)), TextColumn("12", std::span(negative)),
        TextColumn("12", std::span(outside)), TextColumn("12", std::span(far_outside)),
        TextColumn("12", std::span(far_negative))}) {
    EXPECT_NE(ErrorOf(ErrorCode::kUsage, [&] { Runner(plan).ScoreTexts(bad, good); }).find("offset"),
              std::string::npos);
    EXPECT_NE(ErrorOf(ErrorCode::kUsage, [&] { Runner(plan).ScoreTexts(good, bad); }).find("offset"),
              std::string::npos);
  }
}

// The engine's positions have 32 bits; what is longer must not wrap around.
TEST(Runner, ATextOfMoreThanFourGibibytes) {
  constexpr std::size_t kBytes = (std::size_t{4} << 30) + 1;
  void* const memory = mmap(nullptr, kBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const std::int64_t large[] = {0, 0, kBytes, kBytes};
  const std::int64_t small[] = {0, 1, 2, 3};
  const TextColumn expected({static_cast<const char*>(memory), kBytes}, std::span(large));
  const auto scores = Runner(Plan({"exact_match"})).ScoreTexts(expected, TextColumn("111", std::span(small)));
  ASSERT_EQ(scores[0].errors.size(), 3u);
  EXPECT_EQ(scores[0].errors[1].reason, RejectReason::kLineTooLong);
  EXPECT_EQ(scores[0].errors[1].message, "expected: the text is longer than 1 GiB (byte 0)");
  EXPECT_EQ(scores[0].errors[2].reason, RejectReason::kInvalidJson);
  munmap(memory, kBytes);
}

// Columns are read in place, and nothing is read beyond their bytes.
TEST(Runner, TextsRightBeforeAGuardPage) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  char* const end = static_cast<char*>(memory) + page;
  ASSERT_EQ(mprotect(end, page, PROT_NONE), 0);
  const Plan plan({"json_similarity", "exact_match", "contains", "levenshtein"});
  const std::vector<std::string> texts = {R"("aé")",    R"({"k\u00e9": [1.5, true]})",
                                          "[",          "\"open",
                                          "12",         "tru",
                                          "\"\\u12",    "",
                                          "\"\xf0\x9f", "-",
                                          "1e",         R"("tail\)"};
  for (const std::string& text : texts) {
    for (std::size_t padding = 0; padding < 70; padding += 3) {
      const std::string bytes = std::string(padding, ' ') + text;
      char* const begin = end - bytes.size();
      std::memcpy(begin, bytes.data(), bytes.size());
      const std::int32_t offsets[] = {0, static_cast<std::int32_t>(bytes.size())};
      const TextColumn guarded({begin, bytes.size()}, std::span(offsets));
      const TextColumn copy(bytes, std::span(offsets));
      for (const TextFormat format : {TextFormat::kJson, TextFormat::kText}) {
        const TextFormats formats{format, format};
        const auto at_guard = Runner(plan).ScoreTexts(guarded, guarded, formats);
        const auto plain = Runner(plan).ScoreTexts(copy, copy, formats);
        for (std::size_t s = 0; s < at_guard.size(); ++s) ExpectSameRow(at_guard[s], 0, plain[s]);
      }
    }
  }
  munmap(memory, 2 * page);
}

TEST(Runner, ManyRowsInParallelAreWhatTheyAreAlone) {
  ArrowTexts<std::int64_t> expected;
  ArrowTexts<std::int64_t> actual;
  Pairs kinds;
  for (int i = 0; i < 24; ++i) {
    const std::string number = std::to_string(i);
    const std::string value =
        R"({"name": "item )" + number + R"(", "tags": ["a", ")" + number + R"("], "n": )" + number;
    kinds.emplace_back(value + "}", i % 5 == 4 ? value : value + R"(, "more": )" + number + "}");
    kinds.emplace_back("\"" + std::string(static_cast<std::size_t>(i) * 40, 'x') + "\"", "\"xyz\"");
  }
  constexpr std::size_t kRows = 30000;  // several tasks of 1 MiB
  for (std::size_t i = 0; i < kRows; ++i) {
    expected.Add(kinds[i * 7 % kinds.size()].first, i % 11 != 0);
    actual.Add(kinds[i * 7 % kinds.size()].second);
  }
  ASSERT_GT(expected.bytes.size(), std::size_t{4} << 20);
  const Plan plan({"json_similarity", "levenshtein"});
  std::vector<std::vector<ScoreColumns>> alone;
  for (const auto& [e, a] : kinds) alone.push_back(Runner(plan).ScorePair(e, a));
  for (const unsigned threads : {1u, 2u, 7u}) {
    const auto scores = Runner(plan, {.threads = threads}).ScoreTexts(expected.column(), actual.column());
    for (std::size_t s = 0; s < scores.size(); ++s) {
      std::uint32_t errors = 0;
      for (std::uint32_t i = 0; i < kRows; ++i) {
        if (i % 11 != 0) ExpectSameRow(scores[s], i, alone[i * 7 % kinds.size()][s]);
        if (scores[s].outcome[i] != Outcome::kScored) {
          ASSERT_EQ(scores[s].errors.at(errors++).record, i);
        }
      }
      EXPECT_EQ(errors, scores[s].errors.size());
      if (HasFailure()) return;
    }
  }
}

TEST(Runner, KeepsItsWorkersFromCallToCall) {
  const Runner runner(Plan({"json_similarity", "levenshtein"}));
  const Runner copy = runner;
  const auto first = runner.ScorePair("[1, \"abc\"]", "[1, \"abd\"]");
  EXPECT_EQ(runner.ScorePair("[", "1")[0].outcome[0], Outcome::kError);
  for (int call = 0; call < 3; ++call) {
    const auto again = (call == 1 ? copy : runner).ScorePair("[1, \"abc\"]", "[1, \"abd\"]");
    for (std::size_t s = 0; s < 2; ++s) ExpectSameRow(again[s], 0, first[s]);
  }
}

TEST(Runner, ManyThreadsAtOnce) {
  const Runner runner(Plan({"json_similarity"}));
  std::vector<std::jthread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const std::string same = "{\"k\": " + std::to_string(t) + "}";
      for (int i = 0; i < 200; ++i) wrong += runner.ScorePair(same, same)[0].score[0] != 1.0;
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

TEST(Runner, StopsAndTellsItsProgress) {
  ArrowTexts<std::int64_t> texts;
  for (int i = 0; i < 1000; ++i) texts.Add("\"" + std::string(5000, 'x') + "\"");
  std::atomic<bool> stop = false;
  Progress progress;
  const Runner runner(Plan({"levenshtein"}), {.threads = 2, .stop = &stop, .progress = &progress});
  runner.ScoreTexts(texts.column(), texts.column());
  EXPECT_EQ(progress.records, 1000u);
  stop = true;
  ErrorOf(ErrorCode::kInterrupted, [&] { runner.ScoreTexts(texts.column(), texts.column()); });
}

TEST(Runner, ValidityMayBeginAtAnyBit) {
  const std::string bytes = "123";
  const std::int32_t offsets[] = {0, 1, 2, 3};
  const std::uint8_t bitmap[] = {0xff, 0xff, 0xff};
  for (std::size_t shift = 0; shift < 17; ++shift) {
    std::uint8_t validity[3];
    std::memcpy(validity, bitmap, sizeof validity);
    const std::size_t null = shift + 1;
    validity[null / 8] = static_cast<std::uint8_t>(validity[null / 8] & ~(1 << null % 8));
    const TextColumn column(bytes, std::span(offsets), validity, shift);
    const auto scores = Runner(Plan({"exact_match"})).ScoreTexts(column, column);
    EXPECT_EQ(scores[0].outcome, (std::vector{Outcome::kScored, Outcome::kError, Outcome::kScored})) << shift;
    EXPECT_EQ(Runner(Plan({"exact_match"})).ScoreTexts(column.Slice(1, 2), column.Slice(1, 2))[0].outcome,
              (std::vector{Outcome::kError, Outcome::kScored}));
  }
}

TEST(Runner, OptionsAreChecked) {
  const Plan plan({"exact_match"});
  for (const EngineOptions& bad :
       {EngineOptions{.max_depth = 0}, EngineOptions{.max_pair_cells = 0}, EngineOptions{.threads = 1025},
        EngineOptions{.device = "abacus"}, EngineOptions{.gpu_memory_bytes = 0}}) {
    ErrorOf(ErrorCode::kUsage, [&] { const Runner runner(plan, bad); });
  }
}

}  // namespace
}  // namespace leafscore::internal
