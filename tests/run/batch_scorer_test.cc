#include "engine/run/batch_scorer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "engine/run/owned_texts.h"

namespace leafscore::internal {
namespace {

void ExpectScored(const RowVerdict& verdict) {
  EXPECT_EQ(verdict.outcome, Outcome::kScored);
  EXPECT_EQ(verdict.reason, RejectReason::kNone);
  EXPECT_EQ(verdict.message, "");
}

TEST(BatchScorer, VerdictsOfTheReaderAndOfTheScorers) {
  const Plan plan = Plan::FromConfig(R"(
evaluators:
- {name: whole, type: exact_match}
- {name: part, type: exact_match, target_output_key: part}
)");
  constexpr std::string_view kExpected = R"({"part": 1}{"part": 1}{"part": {"part": 1})";
  constexpr std::array<std::int64_t, 5> kExpectedOffsets = {0, 11, 22, 31, 42};
  constexpr std::string_view kActual = R"({"part": 2}{}2[1})";
  constexpr std::array<std::int64_t, 5> kActualOffsets = {0, 11, 13, 14, 17};
  BatchScorer scorer(plan.scorers(), {.details = DetailLevel::kNone});
  scorer.ScoreTexts({kExpected, kExpectedOffsets}, {kActual, kActualOffsets}, {});

  // In any order: from the last row to the first.
  for (const std::size_t s : {0, 1}) {
    const RowVerdict broken_actual = scorer.Verdict(s, 3);
    EXPECT_EQ(broken_actual.outcome, Outcome::kUnreadable);
    EXPECT_EQ(broken_actual.reason, RejectReason::kInvalidJson);
    EXPECT_TRUE(broken_actual.rejected);
    EXPECT_EQ(broken_actual.side, "actual");
    EXPECT_EQ(broken_actual.offset, 2u);
    const RowVerdict broken_expected = scorer.Verdict(s, 2);
    EXPECT_TRUE(broken_expected.rejected);
    EXPECT_EQ(broken_expected.side, "expected");
    EXPECT_EQ(broken_expected.offset, 9u);
    EXPECT_NE(broken_expected.message, "");
    ExpectScored(scorer.Verdict(s, 0));
  }
  ExpectScored(scorer.Verdict(0, 1));
  const RowVerdict without_part = scorer.Verdict(1, 1);
  EXPECT_EQ(without_part.outcome, Outcome::kUnreadable);
  EXPECT_EQ(without_part.reason, RejectReason::kTargetKeyNotFound);
  EXPECT_NE(without_part.message, "");
  EXPECT_FALSE(without_part.rejected);
  EXPECT_EQ(without_part.side, "");
  EXPECT_EQ(without_part.offset, 0u);
}

// Short texts are read as lines, unless long ones raise their mean.
TEST(BatchScorer, ShortTextsAreReadAsAmongLongOnes) {
  constexpr std::string_view kWhole[] = {R"({"a": [1, "b\\", null], "c": {"d": "\u00e9"}})", R"("text")",
                                         "12", "[[], {}]", " {\n\t\"a\": true\r\n} "};
  constexpr std::string_view kBytes("{}[]\",:\\ \n0etf\x80\x01", 16);
  std::mt19937 random(1);
  std::vector<std::string> texts;
  for (int i = 0; i < 4000; ++i) {
    std::string text(kWhole[random() % std::size(kWhole)]);
    for (std::uint32_t edits = random() % 3; edits != 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text.erase(at, random() % 2 == 0 ? 1 : std::string::npos);
      } else {
        text.insert(at, 1, kBytes[random() % kBytes.size()]);
      }
    }
    texts.push_back(std::move(text));
  }
  const Plan plan({"exact_match"});
  for (const TextFormat format : {TextFormat::kJson, TextFormat::kJsonOrText}) {
    const auto verdicts = [&](std::size_t begin, std::size_t end, std::size_t more_bytes) {
      OwnedTexts expected, actual;
      for (std::size_t i = begin; i < end; ++i) expected.Add("1"), actual.Add(texts[i]);
      expected.Add("1"), actual.Add("\"" + std::string(more_bytes, 'x') + "\"");
      BatchScorer scorer(plan.scorers(), {});
      scorer.ScoreTexts(expected.column(), actual.column(), {.actual = format});
      std::vector<std::string> rows;
      for (std::uint32_t row = 0; row < end - begin; ++row) {
        const RowVerdict verdict = scorer.Verdict(0, row);
        rows.push_back(fmt::format("{} {} {} {}", verdict.rejected, static_cast<int>(verdict.reason),
                                   verdict.offset, verdict.message));
      }
      return rows;
    };
    for (std::size_t begin = 0; begin < texts.size(); begin += 50) {
      // A broken text makes the reader read all of its neighbours one by one; some have whole neighbours
      // only.
      const std::size_t end = begin + (begin % 100 == 0 ? 50 : 2);
      EXPECT_EQ(verdicts(begin, end, 0), verdicts(begin, end, 100'000)) << begin;
    }
  }
}

// Limits how many bytes of strings fit a column, while it lives.
class ColumnLimit {
 public:
  explicit ColumnLimit(std::size_t bytes) { max_column_bytes = kStringPadding + bytes; }
  ~ColumnLimit() { max_column_bytes = before_; }
  ColumnLimit(const ColumnLimit&) = delete;
  ColumnLimit& operator=(const ColumnLimit&) = delete;

 private:
  std::size_t before_ = max_column_bytes;
};

// More than 4 GiB of strings in one batch ended the run.
TEST(BatchScorer, StringsThatDoNotFitMakeSmallerBatchesAndARecordsError) {
  const Plan plan = Plan::FromConfig(R"(
evaluators:
- {type: levenshtein}
- {type: exact_match}
- {name: jaro, type: field_accuracy, fields: [{path: a, match: fuzzy, algorithm: jaro_winkler}]}
- {name: jaccard, type: static_json}
- {name: similar, type: json_similarity}
)");
  std::string expected, actual;
  std::vector<std::int64_t> expected_offsets = {0}, actual_offsets = {0};
  const std::size_t sizes[] = {8, 9, 10, 1, 30, 8, 10};
  for (const std::size_t size : sizes) {
    expected += "{\"a\": \"" + std::string(size, 'e') + "\"}";
    actual += "{\"a\": \"" + std::string(size, 'x') + "\"}";
    expected_offsets.push_back(static_cast<std::int64_t>(expected.size()));
    actual_offsets.push_back(static_cast<std::int64_t>(actual.size()));
  }
  const TextColumn expected_column(expected, expected_offsets);
  const TextColumn actual_column(actual, actual_offsets);
  const Runner runner(plan, {.threads = 1});
  const std::vector<ScoreColumns> whole = runner.ScoreTexts(expected_column, actual_column);

  // Two strings of ten bytes fit beside those of {"a": ...}, which levenshtein compares as a whole.
  for (const std::size_t bytes : {1000, 100, 60, 40}) {
    const ColumnLimit limit(bytes);
    const std::vector<ScoreColumns> parts = runner.ScoreTexts(expected_column, actual_column);
    for (std::size_t s = 0; s < whole.size(); ++s) {
      for (std::size_t r = 0; r < std::size(sizes); ++r) {
        // Of the longest record the strings of the first scorer fit, but not also those of the last.
        const bool fits = bytes > 60 || sizes[r] != 30 || whole[s].scorer != "similar";
        if (fits) {
          EXPECT_EQ(parts[s].outcome[r], whole[s].outcome[r]) << bytes << whole[s].scorer << r;
          EXPECT_TRUE(parts[s].score[r] == whole[s].score[r]) << bytes << whole[s].scorer << r;
          EXPECT_EQ(parts[s].passed[r], whole[s].passed[r]) << bytes << whole[s].scorer << r;
        } else {
          EXPECT_EQ(parts[s].outcome[r], Outcome::kError) << bytes << whole[s].scorer << r;
          ASSERT_EQ(parts[s].errors.size(), 1u);
          EXPECT_EQ(parts[s].errors[0].record, r);
          EXPECT_EQ(parts[s].errors[0].reason, RejectReason::kWorkLimit);
          EXPECT_EQ(parts[s].errors[0].message, "the strings to compare in the record take more than 4 GiB");
        }
      }
    }
  }
}

// Returns a batch of one line.
RecordBatch BatchOf(std::string_view record) {
  RecordBatch batch;
  batch.bytes.assign(RecordBatch::kDataBegin + record.size() + 1 + kTextPadding, '\0');
  std::ranges::copy(record, batch.bytes.begin() + RecordBatch::kDataBegin);
  const auto end = RecordBatch::kDataBegin + static_cast<std::uint32_t>(record.size());
  batch.bytes[end] = '\n';
  batch.data_end = end + 1;
  batch.records = {{RecordBatch::kDataBegin, end}};
  return batch;
}

TEST(BatchScorer, ServesRunsOfDifferentFieldsAndTexts) {
  const Plan plan({"exact_match"});
  BatchScorer scorer(plan.scorers(), {.details = DetailLevel::kNone});
  const RecordBatch batch = BatchOf(R"({"expected": 1, "actual": 1, "gold": 2, "answer": 3, "model": "m"})");
  const auto score = [&] { return scorer.scorer_batch(0).columns().score[0]; };

  EXPECT_EQ(scorer.ScoreRecords(batch), 1u);
  EXPECT_EQ(score(), 1);
  EXPECT_TRUE(scorer.records().groups.empty());

  RecordFields fields;
  fields.expected = "gold";
  fields.actual = "answer";
  fields.groups = {"model"};
  scorer.SetFields(fields);
  scorer.ScoreRecords(batch);
  EXPECT_EQ(score(), 0);
  EXPECT_EQ(scorer.records().groups.size(), 1u);

  // A rejected text leaves no trace of its side with the next batch of records.
  constexpr std::array<std::int64_t, 2> kOffsets = {0, 1};
  scorer.ScoreTexts({"1", kOffsets}, {"[", kOffsets}, {});
  EXPECT_EQ(scorer.Verdict(0, 0).side, "actual");
  scorer.SetFields({});
  scorer.ScoreRecords(BatchOf("[1]"));
  EXPECT_EQ(scorer.Verdict(0, 0).reason, RejectReason::kNotAnObject);
  EXPECT_EQ(scorer.Verdict(0, 0).side, "");
  scorer.ScoreRecords(batch);
  EXPECT_EQ(score(), 1);
}

}  // namespace
}  // namespace leafscore::internal
