#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "leafscore/leafscore.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

// A column with its memory; texts may be null.
template <class Offset>
struct Texts {
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
std::vector<ScoreColumns> ScorePairs(const Plan& plan, const Pairs& pairs, const BatchOptions& options = {}) {
  Texts<Offset> expected;
  Texts<Offset> actual;
  for (const auto& [e, a] : pairs) {
    expected.Add(e);
    actual.Add(a);
  }
  return plan.ScoreTexts(expected.column(), actual.column(), options);
}

bool SameNumber(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Checks that row `row` of `columns` is what `one`, columns of a single row, holds.
void ExpectSameRow(const ScoreColumns& columns, std::size_t row, const ScoreColumns& one) {
  EXPECT_EQ(columns.scorer, one.scorer);
  EXPECT_EQ(columns.outcome[row], one.outcome[0]) << row;
  EXPECT_EQ(columns.score[row], one.score[0]) << row;
  EXPECT_EQ(columns.passed[row], one.passed[0]) << row;
  ASSERT_EQ(columns.metrics.size(), one.metrics.size());
  for (std::size_t m = 0; m < one.metrics.size(); ++m) {
    EXPECT_EQ(columns.metrics[m].name, one.metrics[m].name);
    EXPECT_TRUE(SameNumber(columns.metrics[m].values[row], one.metrics[m].values[0])) << row;
  }
}

TEST(Plan, ScorePair) {
  const Plan plan({"json_similarity", "levenshtein", "exact_match", "contains"});
  EXPECT_EQ(plan.scorer_names(),
            (std::vector<std::string>{"json_similarity", "levenshtein", "exact_match", "contains"}));
  const auto scores = plan.ScorePair(R"({"city": "Oslo"})", R"({"city": "Olso"})");
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

TEST(Plan, TextsWithOffsetsOfBothWidths) {
  const Pairs pairs = {
      {"1", "2"}, {"\"a\"", "\"b\""}, {"[1, {\"x\": null}]", "[1, {\"x\": null}]"}, {"{", "1"}};
  const Plan plan({"json_similarity", "levenshtein"});
  const auto narrow = ScorePairs<std::int32_t>(plan, pairs);
  const auto wide = ScorePairs<std::int64_t>(plan, pairs);
  for (std::size_t s = 0; s < 2; ++s) {
    ASSERT_EQ(narrow[s].outcome.size(), 4u);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto one = plan.ScorePair(pairs[i].first, pairs[i].second);
      ExpectSameRow(narrow[s], i, one[s]);
      ExpectSameRow(wide[s], i, one[s]);
    }
  }
  EXPECT_EQ(narrow[0].score, (std::vector{0.0, 0.0, 1.0, 0.0}));
}

TEST(Plan, SlicesBeginAnywhere) {
  const std::string bytes = "junk\"abc\"\"abd\"1junk";
  const std::int32_t offsets[] = {4, 9, 14, 15};
  const std::int64_t first[] = {4, 9, 14};
  const std::int32_t second[] = {9, 14, 15};
  const Plan plan({"json_similarity"});
  const auto scores =
      plan.ScoreTexts(TextColumn(bytes, std::span(first)), TextColumn(bytes, std::span(second)));
  EXPECT_EQ(scores[0].score, (std::vector{1 - 1.0 / 3, 0.0}));
  const auto all =
      plan.ScoreTexts(TextColumn(bytes, std::span(offsets)), TextColumn(bytes, std::span(offsets)));
  EXPECT_EQ(all[0].score, (std::vector{1.0, 1.0, 1.0}));
}

TEST(Plan, EmptyColumns) {
  const Plan plan({"json_similarity", "levenshtein"});
  const std::int32_t one_offset[] = {0};
  for (const TextColumn& empty :
       {TextColumn("", std::span<const std::int32_t>()), TextColumn("", std::span<const std::int64_t>()),
        TextColumn("x", std::span(one_offset))}) {
    EXPECT_EQ(empty.size(), 0u);
    const auto scores = plan.ScoreTexts(empty, empty);
    ASSERT_EQ(scores.size(), 2u);
    EXPECT_EQ(scores[1].scorer, "levenshtein");
    EXPECT_TRUE(scores[1].score.empty());
    ASSERT_EQ(scores[1].metrics.size(), 1u);
    EXPECT_TRUE(scores[1].metrics[0].values.empty());
  }
}

TEST(Plan, NullsAreMissingValues) {
  Texts<std::int32_t> expected;
  Texts<std::int32_t> actual;
  for (int i = 0; i < 20; ++i) {
    expected.Add(i % 3 == 0 ? "not json" : "1", i % 3 != 0);
    actual.Add("1", i % 5 != 0);
  }
  const auto scores = Plan({"json_similarity", "levenshtein"}).ScoreTexts(expected.column(), actual.column());
  std::size_t next_error = 0;
  for (std::uint32_t i = 0; i < 20; ++i) {
    const bool is_scored = i % 3 != 0 && i % 5 != 0;
    EXPECT_EQ(scores[0].outcome[i], is_scored ? Outcome::kScored : Outcome::kError);
    EXPECT_EQ(scores[0].score[i], is_scored ? 1.0 : 0.0);
    EXPECT_EQ(std::isnan(scores[0].metrics[0].values[i]), !is_scored);
    if (!is_scored) {
      const RecordError& error = scores[0].errors.at(next_error++);
      EXPECT_EQ(error.record, i);
      EXPECT_EQ(error.reason, i % 3 == 0 ? RejectReason::kMissingExpected : RejectReason::kMissingActual);
      EXPECT_FALSE(error.message.empty());
    }
    // A levenshtein score does without an expected value: it is 0.
    EXPECT_EQ(scores[1].outcome[i], i % 5 != 0 ? Outcome::kScored : Outcome::kError);
    EXPECT_EQ(scores[1].score[i], is_scored ? 1.0 : 0.0);
  }
  EXPECT_EQ(next_error, scores[0].errors.size());
}

TEST(Plan, ColumnsOfTexts) {
  const Plan plan({"exact_match", "levenshtein", "json_similarity"});
  BatchOptions options;
  options.actual_format = TextFormat::kText;
  const Pairs pairs = {{R"("say \"hi\"")", R"(say "hi")"},
                       {R"("a\\n")", R"(a\n)"},
                       {R"("a\n")", "a\n"},
                       {"\"\"", ""},
                       {"1", "1"},
                       {"[1,\"x\"]", "[1,\"x\"]"}};
  const auto scores = ScorePairs<std::int64_t>(plan, pairs, options);
  EXPECT_EQ(scores[0].score, (std::vector{1.0, 1.0, 1.0, 1.0, 1.0, 1.0}));
  EXPECT_EQ(scores[1].score, (std::vector{1.0, 1.0, 1.0, 1.0, 1.0, 1.0}));
  EXPECT_EQ(scores[2].score, (std::vector{1.0, 1.0, 1.0, 1.0, 0.0, 0.0}));  // a text is no number
  options.expected_format = TextFormat::kText;
  const auto texts =
      ScorePairs<std::int32_t>(plan, {{"a\\\"", "a\\\""}, {"", ""}, {"\x01", "\x02"}}, options);
  EXPECT_EQ(texts[2].score, (std::vector{1.0, 1.0, 0.0}));
}

TEST(Plan, RejectsNameTheSide) {
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
      EXPECT_EQ(columns.outcome[i + 1], Outcome::kError);
      EXPECT_EQ(columns.score[i + 1], 0.0);
    }
  }
}

TEST(Plan, StrictJson) {
  const Pairs pairs = {{"NaN", "1"}, {"1", "1e999"}, {"1", "1"}};
  const Plan plan({"json_similarity"});
  EXPECT_TRUE(ScorePairs<std::int32_t>(plan, pairs)[0].errors.empty());
  const auto scores = ScorePairs<std::int32_t>(plan, pairs, {.strict_json = true});
  ASSERT_EQ(scores[0].errors.size(), 2u);
  EXPECT_EQ(scores[0].errors[0].reason, RejectReason::kNonstandardJson);
  EXPECT_EQ(scores[0].errors[1].reason, RejectReason::kNonstandardJson);
}

TEST(Plan, DepthAtItsLimit) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  const Pairs pairs = {{nested(1023), nested(1023)}, {nested(1024), nested(1024)}, {"1", nested(1025)}};
  const auto scores = ScorePairs<std::int32_t>(Plan({"json_similarity"}), pairs);
  EXPECT_EQ(scores[0].outcome, (std::vector{Outcome::kScored, Outcome::kScored, Outcome::kError}));
  EXPECT_EQ(scores[0].errors.at(0).reason, RejectReason::kTooDeep);
}

TEST(Plan, ColumnsThatDoNotFit) {
  const Plan plan({"json_similarity"});
  const std::int32_t three[] = {0, 1, 2};
  const std::int32_t two[] = {0, 1};
  EXPECT_EQ(
      ErrorOf(ErrorCode::kUsage,
              [&] { plan.ScoreTexts(TextColumn("12", std::span(three)), TextColumn("1", std::span(two))); }),
      "the expected column has 2 texts and the actual column 1; give two columns of one size");
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
    EXPECT_NE(ErrorOf(ErrorCode::kUsage, [&] { plan.ScoreTexts(bad, good); }).find("offset"),
              std::string::npos);
    EXPECT_NE(ErrorOf(ErrorCode::kUsage, [&] { plan.ScoreTexts(good, bad); }).find("offset"),
              std::string::npos);
  }
}

// The engine's positions have 32 bits; what is longer must not wrap around.
TEST(Plan, ATextOfMoreThanFourGibibytes) {
  constexpr std::size_t kBytes = (std::size_t{4} << 30) + 1;
  void* const memory = mmap(nullptr, kBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const std::int64_t large[] = {0, 0, kBytes, kBytes};
  const std::int64_t small[] = {0, 1, 2, 3};
  const TextColumn expected({static_cast<const char*>(memory), kBytes}, std::span(large));
  const auto scores = Plan({"exact_match"}).ScoreTexts(expected, TextColumn("111", std::span(small)));
  ASSERT_EQ(scores[0].errors.size(), 3u);
  EXPECT_EQ(scores[0].errors[1].reason, RejectReason::kLineTooLong);
  EXPECT_EQ(scores[0].errors[1].message, "expected: the text is longer than 1 GiB (byte 0)");
  EXPECT_EQ(scores[0].errors[2].reason, RejectReason::kInvalidJson);
  munmap(memory, kBytes);
}

// Columns are read in place, and nothing is read beyond their bytes.
TEST(Plan, TextsRightBeforeAGuardPage) {
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
        const BatchOptions options{.expected_format = format, .actual_format = format};
        const auto at_guard = plan.ScoreTexts(guarded, guarded, options);
        const auto plain = plan.ScoreTexts(copy, copy, options);
        for (std::size_t s = 0; s < at_guard.size(); ++s) ExpectSameRow(at_guard[s], 0, plain[s]);
      }
    }
  }
  munmap(memory, 2 * page);
}

TEST(Plan, ManyRowsInParallelAreWhatTheyAreAlone) {
  Texts<std::int64_t> expected;
  Texts<std::int64_t> actual;
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
  for (const auto& [e, a] : kinds) alone.push_back(plan.ScorePair(e, a));
  for (const unsigned threads : {1u, 2u, 7u}) {
    const auto scores = plan.ScoreTexts(expected.column(), actual.column(), {.threads = threads});
    for (std::size_t s = 0; s < scores.size(); ++s) {
      std::uint32_t errors = 0;
      for (std::uint32_t i = 0; i < kRows; ++i) {
        if (i % 11 != 0) ExpectSameRow(scores[s], i, alone[i * 7 % kinds.size()][s]);
        if (scores[s].outcome[i] == Outcome::kError) {
          ASSERT_EQ(scores[s].errors.at(errors++).record, i);
        }
      }
      EXPECT_EQ(errors, scores[s].errors.size());
      if (HasFailure()) return;
    }
  }
}

TEST(Plan, FromConfig) {
  const Plan plan = Plan::FromConfig(
      "evaluators:\n"
      "  - {name: strict, type: levenshtein, threshold: 0.9}\n"
      "  - {type: exact_match, negated: true}\n");
  EXPECT_EQ(plan.scorer_names(), (std::vector<std::string>{"strict", "exact_match"}));
  const auto scores = plan.ScorePair("\"abcde\"", "\"abcdx\"");
  EXPECT_EQ(scores[0].scorer, "strict");
  EXPECT_EQ(scores[0].score[0], 0.8);
  EXPECT_EQ(scores[0].passed[0], 0);
  EXPECT_EQ(scores[1].score[0], 1.0);

  const std::string error = ErrorOf(ErrorCode::kUsage, [] {
    Plan::FromConfig("evaluators:\n  - type: levenshtein\n    treshold: 0.9\n", "my.yaml");
  });
  EXPECT_EQ(error.rfind("my.yaml:3: ", 0), 0u) << error;
  EXPECT_NE(error.find("did you mean \"threshold\"?"), std::string::npos) << error;
}

TEST(Plan, AnUnknownScorer) {
  const std::string error = ErrorOf(ErrorCode::kUsage, [] { Plan({"exact_mach"}); });
  EXPECT_NE(error.find("did you mean \"exact_match\"?"), std::string::npos) << error;
}

TEST(Plan, Moves) {
  Plan plan({"exact_match"});
  Plan other = std::move(plan);
  plan = std::move(other);
  EXPECT_EQ(plan.ScorePair("1", "1")[0].score[0], 1.0);
}

class PlanFilesTest : public RunTest {};

TEST_F(PlanFilesTest, ScoreFiles) {
  FileOptions options;
  options.inputs = {Input("in.jsonl", R"({"expected": "abcd", "actual": "abcd"})"
                                      "\n"
                                      R"({"expected": "abcd", "actual": "abxx"})"
                                      "\n"
                                      R"({"expected": "abcd"})"
                                      "\nrejected\n")};
  options.output = folder_ / "out.csv.gz";
  const auto summaries = Plan({"levenshtein", "json_similarity"}).ScoreFiles(options);
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].scorer, "levenshtein");
  EXPECT_EQ(summaries[0].records, 4u);
  EXPECT_EQ(summaries[0].scored, 2u);
  EXPECT_EQ(summaries[0].unreadable, 0u);
  EXPECT_EQ(summaries[0].errors, 2u);
  EXPECT_EQ(summaries[0].mean, 0.75);
  EXPECT_NEAR(summaries[0].standard_error.value(), 0.25, 1e-12);
  EXPECT_EQ(summaries[0].pass_rate, 0.5);
  EXPECT_EQ(summaries[1].pass_rate, std::nullopt);
  EXPECT_EQ(SplitLines(ReadAll(options.output).bytes).size(), 9u);
}

TEST(Plan, DefaultsAreThoseOfTheCommand) {
  const FileOptions options;
  EXPECT_EQ(options.batch_bytes, kBatchBytes.default_value);
  EXPECT_EQ(options.max_line_bytes, kMaxLineBytes.default_value);
  EXPECT_EQ(options.max_depth, kMaxDepth.default_value);
  EXPECT_EQ(options.max_groups, kMaxGroups.default_value);
  EXPECT_EQ(options.max_pair_cells, kMaxPairCells.default_value);
  EXPECT_EQ(BatchOptions().max_pair_cells, kMaxPairCells.default_value);
}

TEST(Plan, ScoreFilesHoldsTheLimitsOfTheCommand) {
  const Plan plan({"levenshtein"});
  const auto expect_refused = [&](auto FileOptions::*member, auto value, const std::string& name) {
    FileOptions options;
    options.inputs = {"/dev/null"};
    options.*member = value;
    const std::string error = ErrorOf(ErrorCode::kUsage, [&] { plan.ScoreFiles(options); });
    EXPECT_NE(error.find(name), std::string::npos) << name << ": " << error;
  };
  expect_refused(&FileOptions::max_depth, 0u, "--max-depth");
  expect_refused(&FileOptions::max_depth, 1025u, "--max-depth");
  expect_refused(&FileOptions::max_depth, ~0u, "--max-depth");
  expect_refused(&FileOptions::max_line_bytes, ~std::size_t{0}, "--max-line-bytes");
  expect_refused(&FileOptions::batch_bytes, std::size_t{0}, "--batch-bytes");
  expect_refused(&FileOptions::batch_bytes, ~std::size_t{0}, "--batch-bytes");
  expect_refused(&FileOptions::max_groups, std::size_t{0}, "--max-groups");
  expect_refused(&FileOptions::max_pair_cells, std::uint64_t{0}, "--max-pair-cells");
  expect_refused(&FileOptions::max_pair_cells, (std::uint64_t{1} << 50) + 1, "--max-pair-cells");
  expect_refused(&FileOptions::threads, 1025u, "threads");
}

TEST_F(PlanFilesTest, ErrorsAreThrown) {
  const Plan plan({"levenshtein"});
  FileOptions options;
  options.inputs = {folder_ / "absent"};
  ErrorOf(ErrorCode::kInput, [&] { plan.ScoreFiles(options); });
  const std::string gzip = Gzip("{\"expected\": 1, \"actual\": 1}\n");
  options.inputs = {Input("cut.gz", gzip.substr(0, gzip.size() - 1))};
  ErrorOf(ErrorCode::kInput, [&] { plan.ScoreFiles(options); });
  const std::atomic<bool> stop{true};
  options.inputs = {Input("in", "{}")};
  options.stop = &stop;
  ErrorOf(ErrorCode::kInterrupted, [&] { plan.ScoreFiles(options); });
}

}  // namespace
}  // namespace leafscore::internal
