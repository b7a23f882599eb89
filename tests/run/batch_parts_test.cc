#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/io/record_reader.h"
#include "engine/run/scoring.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

class BatchPartsTest : public ::testing::Test {
 protected:
  BatchPartsTest() {
    WriteFile(folder_ / "in.jsonl",
              "{\"a\": 1}\n\n {\"b\": 2} \n{\"c\": 3}\n" + std::string(300, 'x') + "\n{}");
    RecordReader reader({folder_ / "in.jsonl"}, {});
    reader.Next(batch_);
  }

  std::vector<std::string> Texts() const {
    std::vector<std::string> texts;
    for (const RecordSpan& record : batch_.records) texts.emplace_back(batch_.Text(record));
    return texts;
  }

  bool HasZerosBehind() const {
    return std::all_of(batch_.bytes.data() + batch_.data_end,
                       batch_.bytes.data() + batch_.data_end + kTextPadding,
                       [](char c) { return c == '\0'; });
  }

  TempDir folder_;
  RecordBatch batch_;
};

TEST_F(BatchPartsTest, EachPartIsABatchAndTogetherTheyAreAll) {
  const std::vector<std::string> all = Texts();
  std::vector<std::uint64_t> offsets;
  for (const RecordSpan& record : batch_.records) offsets.push_back(batch_.OffsetOf(record));
  ASSERT_EQ(all.size(), 5u);
  for (std::size_t count = 1; count <= 6; ++count) {
    const RecordBatch before = batch_;
    std::vector<std::string> seen;
    BatchParts parts(batch_);
    while (!parts.done()) {
      parts.Take(count);
      EXPECT_TRUE(HasZerosBehind());
      EXPECT_EQ(batch_.first_record_in_input, seen.size() + 1);
      EXPECT_EQ(batch_.first_record_in_run, seen.size() + 1);
      for (std::size_t r = 0; r < batch_.records.size(); ++r) {
        EXPECT_EQ(batch_.OffsetOf(batch_.records[r]), offsets[seen.size() + r]);
      }
      for (std::string& text : Texts()) seen.push_back(std::move(text));
      parts.Next();
    }
    EXPECT_EQ(seen, all);
    batch_ = before;
  }
}

TEST_F(BatchPartsTest, AnotherTakeReplacesThePart) {
  const std::vector<std::string> all = Texts();
  BatchParts parts(batch_);
  parts.Take(3);
  parts.Take(1);
  EXPECT_EQ(Texts(), std::vector{all[0]});
  parts.Next();
  parts.Take(2);
  EXPECT_EQ(Texts(), (std::vector{all[1], all[2]}));
}

TEST_F(BatchPartsTest, OfARejectedRecordItsBeginIsLeft) {
  const std::vector<std::string> all = Texts();
  BatchParts parts(batch_);
  parts.Take(3);
  parts.Next();
  parts.Take(1);
  parts.Reject(RejectReason::kOverMemoryBudget);
  EXPECT_EQ(Texts(), std::vector{std::string(kRejectHeadBytes, 'x')});
  EXPECT_EQ(batch_.records[0].reject, RejectReason::kOverMemoryBudget);
  EXPECT_TRUE(HasZerosBehind());
  parts.Next();
  parts.Take(1);
  EXPECT_EQ(Texts(), std::vector{all[4]});
  parts.Next();
  EXPECT_TRUE(parts.done());
}

}  // namespace
}  // namespace leafscore::internal
