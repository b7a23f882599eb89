// What the sinks of a run make of batches, each alone and without a file: records are texts here, and what is
// to be written stays in pieces.
#include "engine/run/sinks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/run/file_options.h"
#include "engine/run/resumed_run.h"
#include "engine/run/scoring.h"

namespace leafscore::internal {
namespace {

std::string Pair(const std::string& id, const std::string& actual, const std::string& more = "") {
  return R"({"id": ")" + id + R"(", "expected": "x", "actual": ")" + actual + "\"" + more + "}";
}

Checksum ChecksumAfter(const std::string& text) {
  Checksum checksum;
  checksum.Add(text);
  return checksum;
}

class SinksTest : public testing::Test {
 protected:
  SinksTest() = default;
  // Makes gold with these ids, before the sinks of a derived class are made from it.
  explicit SinksTest(const std::vector<std::string>& gold_ids) {
    options_.gold = "gold.jsonl";
    for (const std::string& id : gold_ids) gold_.Add(id, "\"x\"");
  }

  // Scores the next records of an input.
  ScoredBatch Scored(const std::vector<std::string>& records, std::uint32_t input = 0,
                     RejectReason reject_last = RejectReason::kNone) {
    ScoredBatch scored;
    RecordBatch& batch = scored.batch;
    std::string text(RecordBatch::kDataBegin, '\0');
    for (const std::string& record : records) {
      const auto begin = static_cast<std::uint32_t>(text.size());
      text += record;
      batch.records.push_back({begin, static_cast<std::uint32_t>(text.size())});
      text += "\n";
    }
    batch.records.back().reject = reject_last;
    batch.data_end = static_cast<std::uint32_t>(text.size());
    text.append(kTextPadding, '\0');
    batch.bytes.assign(text.begin(), text.end());
    batch.input = input;
    batch.first_record_in_run = records_ + 1;
    records_ += records.size();
    RecordFields fields = RecordFieldsOf(options_);
    fields.groups = RecordGroups(options_);
    fields.gold = options_.gold.empty() ? nullptr : &gold_;
    Scoring(scorers_, options_, plan_, fields, &writer_, nullptr, no_use_).Score(scored);
    EXPECT_FALSE(scored.in_parts);
    return scored;
  }

  // Returns the lines, and in entries_ the entries, that were added to the pieces since.
  std::string Lines() {
    std::string lines;
    entries_.clear();
    pieces_.End();
    pieces_.Write([&](const OutputPieces::Piece& piece) {
      lines += piece.lines;
      entries_ += piece.entries;
    });
    return lines;
  }

  const ScorerSet scorers_{DefaultScorerSpecs(std::vector<std::string>{"exact_match"}), "test"};
  FileOptions options_;
  MemoryPlan plan_ = PlanMemory(std::uint64_t{1} << 30, 1, kBatchBytes.default_value);
  const std::atomic<bool> no_use_ = false;
  GoldTable gold_;
  const ResultWriter writer_{{}, std::vector<std::string>{"in.jsonl", "more.jsonl"}};
  Manifest manifest_;
  OutputPieces pieces_;
  std::string entries_;
  std::uint64_t records_ = 0;
};

TEST_F(SinksTest, AnOutputHasTheLinesBehindOneHeader) {
  const ResultWriter csv({.format = OutputFormat::kCsv}, {});
  std::string header;
  csv.AppendHeader(header);
  OutputSink sink(csv, &pieces_, manifest_);
  std::string expected = header;
  for (const std::string id : {"a", "b"}) {
    ScoredBatch scored = Scored({Pair(id, "x"), Pair(id + id, "y")});
    expected += scored.lines;
    sink.Write(scored);
    EXPECT_EQ(scored.lines, "");
  }
  EXPECT_EQ(Lines(), expected);
  EXPECT_EQ(sink.written().Text(), ChecksumAfter(expected).Text());
  EXPECT_EQ(manifest_.lines, 4u);
}

TEST_F(SinksTest, ARunWithoutAnOutputHasNoLinesButAManifest) {
  OutputSink sink(writer_, nullptr, manifest_);
  ScoredBatch scored = Scored({Pair("a", "x"), Pair("b", "x"), R"({"expected": 1, "actual": 1})"});
  sink.Write(scored);
  EXPECT_FALSE(sink.has_output());
  sink.EndManifest(/*records_read=*/3, /*gold=*/nullptr, /*sources=*/0);
  EXPECT_EQ(manifest_.lines, 0u);
  EXPECT_EQ(manifest_.ids, 2u);
  EXPECT_EQ(manifest_.without_id, 1u);
  EXPECT_EQ(manifest_.expected, 3u);
}

TEST_F(SinksTest, LinesOfAnEarlierRunAreCountedAndNotWrittenAgain) {
  OutputSink sink(writer_, &pieces_, manifest_);
  sink.PassWritten();
  ScoredBatch earlier = Scored({Pair("a", "x")});
  sink.Write(earlier);
  EXPECT_EQ(Lines(), "");
  sink.GoOnBehind(ChecksumAfter("of the earlier run\n"));
  ScoredBatch later = Scored({Pair("b", "x")});
  const std::string lines = later.lines;
  sink.Write(later);
  EXPECT_EQ(Lines(), lines);
  EXPECT_EQ(sink.written().Text(), ChecksumAfter("of the earlier run\n" + lines).Text());
  EXPECT_EQ(manifest_.lines, 2u);
}

TEST_F(SinksTest, AnEntryOfAJournalIsTheSameWhoeverMakesIt) {
  const Checksum written = ChecksumAfter("what the output holds then");
  ScoredBatch scored = Scored({Pair("a", "x")});
  const std::string expected =
      FramedPart(JournalEntry(scored, 7, /*with_lines=*/true)) + FramedPart(JournalSeal(written));
  for (const bool prepares : {true, false}) {
    JournalSink sink({.memory_bytes = 7, .with_lines = true, .most_prepared = prepares ? 1000u : 0u}, written,
                     pieces_);
    sink.Prepare(scored);
    EXPECT_EQ(!scored.entry.empty(), prepares);
    sink.Begin(scored);
    sink.Write(scored);
    EXPECT_EQ(Lines(), "");
    EXPECT_EQ(entries_, expected);
  }
}

// It is another record when its input is whole.
TEST_F(SinksTest, ABatchThatWasCutOffWithItsInputIsInNoJournal) {
  const Checksum written;
  JournalSink sink({.most_prepared = 1000}, written, pieces_);
  ScoredBatch scored = Scored({Pair("a", "x"), Pair("b", "x")}, 0, RejectReason::kTruncatedInput);
  sink.Prepare(scored);
  sink.Begin(scored);
  sink.Write(scored);
  EXPECT_EQ(Lines() + entries_, "");
}

TEST_F(SinksTest, AShardHoldsEntriesAndCounts) {
  std::uint64_t lines = 0;
  RunTotals totals;
  ShardSink sink({.memory_bytes = 7, .with_lines = true, .most_prepared = 1000}, pieces_, lines, totals);
  sink.PassWritten();
  ScoredBatch earlier = Scored({Pair("a", "x"), "{"});
  sink.Write(earlier);
  EXPECT_EQ(Lines(), "");
  sink.GoOnBehind({});
  ScoredBatch later = Scored({Pair("b", "x")});
  const std::string expected =
      FramedPart(JournalEntry(later, 7, /*with_lines=*/true)) + FramedPart(JournalSeal({}));
  sink.Write(later);
  EXPECT_EQ(Lines(), expected);
  EXPECT_EQ(lines, 3u);
  EXPECT_EQ(totals.records_read, 3u);
  EXPECT_EQ(totals.rejected, 1u);
}

TEST_F(SinksTest, ASummaryCountsRowsByGroup) {
  options_.group_by = {"model"};
  const BatchScorer judged(scorers_, options_);
  RunSummary summary(scorers_.names(), options_.group_by, options_.max_groups);
  DescribeScorers(judged, summary);
  summary.repeated_ids().emplace();
  SummarySink sink(summary, {}, LayoutOf(judged), plan_.seen_ids, plan_.kept_memory, nullptr);
  std::vector<ScoredBatch> batches;
  batches.push_back(Scored({Pair("a", "x", R"(, "model": "m")"), Pair("b", "y", R"(, "model": "n")")}));
  batches.push_back(Scored({Pair("a", "x", R"(, "model": "m")"), Pair("c", "x")}));
  for (ScoredBatch& scored : batches) sink.Write(scored);
  for (std::size_t i = batches.size(); i-- > 0;) {  // in any order
    EXPECT_TRUE(batches[i].is_to_count);
    sink.Count(batches[i]);
  }
  sink.Finish();
  sink.Report();
  EXPECT_TRUE(summary.CountsAddUp());
  EXPECT_EQ(summary.totals().records_read, 4u);
  EXPECT_EQ(summary.Overall(0).Mean(Over::kScored), 0.75);
  EXPECT_EQ(summary.Statistics(0, 0, summary.GroupIndex(0, "m")).counts().scored, 2u);
  EXPECT_EQ(summary.Statistics(0, 0, summary.GroupIndex(0, "n")).counts().scored, 1u);
  EXPECT_EQ(summary.Statistics(0, 0, kNoneGroup).counts().scored, 1u);
  EXPECT_EQ(summary.lacking(), std::vector<std::uint64_t>{1});
  EXPECT_EQ(summary.repeated_ids()->ids.count, 1u);
}

// Two inputs answer three ids: the first only one of them, and the second two.
class JoinSinkTest : public SinksTest {
 protected:
  JoinSinkTest() : SinksTest({"a", "b", "c"}) { DescribeScorers(judged_, summary_); }

  void Take(ScoredBatch scored) {
    join_.Begin(scored);
    for (BatchSink* const sink : {static_cast<BatchSink*>(&output_), static_cast<BatchSink*>(&figures_),
                                  static_cast<BatchSink*>(&join_)}) {
      sink->Write(scored);
    }
    EXPECT_FALSE(scored.is_to_count);
  }

  void TakeAll() {
    Take(Scored({Pair("a", "x"), Pair("z", "x")}, 0));
    Take(Scored({Pair("b", "y"), Pair("c", "x")}, 1));
  }

  void ExpectUnanswered() {
    join_.Report();
    EXPECT_TRUE(summary_.CountsAddUp());
    ASSERT_EQ(summary_.join()->sources.size(), 2u);
    EXPECT_EQ(summary_.join()->sources[0].unanswered.first, (std::vector<std::string>{"b", "c"}));
    EXPECT_EQ(summary_.join()->sources[0].without_gold.count, 1u);
    EXPECT_EQ(summary_.join()->sources[1].unanswered.first, (std::vector<std::string>{"a"}));
    EXPECT_EQ(summary_.Overall(0).counts().scored, 3u);
    EXPECT_EQ(summary_.Overall(0).counts().unanswered, 3u);
    EXPECT_EQ(summary_.Overall(0).Mean(Over::kScored), 2.0 / 3);
  }

  const BatchScorer judged_{scorers_, options_};
  RunSummary summary_{scorers_.names(), {"source"}, options_.max_groups};
  OutputSink output_{writer_, &pieces_, manifest_};
  SummarySink figures_{summary_, {"in", "more"}, LayoutOf(judged_), 10, plan_.kept_memory, nullptr};
  int lines_done_ = 0;
  JoinSink join_{scorers_,
                 options_,
                 plan_,
                 gold_,
                 LayoutOf(judged_),
                 JoinSink::Targets{summary_, figures_, output_, writer_, [this] { ++lines_done_; }}};
};

TEST_F(JoinSinkTest, WhatASourceLeftUnansweredIsScoredAndWrittenWhenItEnds) {
  Take(Scored({Pair("a", "x"), Pair("z", "x")}, 0));
  const std::string first = Lines();
  EXPECT_EQ(manifest_.lines, 2u);
  Take(Scored({Pair("b", "y"), Pair("c", "x")}, 1));
  EXPECT_EQ(manifest_.lines, 6u);  // two more ids of the first source
  join_.EndInputs();
  EXPECT_EQ(manifest_.lines, 7u);
  EXPECT_EQ(lines_done_, 2);
  join_.Finish();
  EXPECT_EQ(manifest_.lines, 7u);
  EXPECT_EQ(output_.written().Text(), ChecksumAfter(first + Lines()).Text());
  ExpectUnanswered();
}

TEST_F(JoinSinkTest, WhatARunThatEndedEarlyLeftUnansweredIsOnlyCounted) {
  TakeAll();
  const std::uint64_t lines = manifest_.lines;
  join_.Finish();
  EXPECT_EQ(manifest_.lines, lines);
  ExpectUnanswered();
}

}  // namespace
}  // namespace leafscore::internal
