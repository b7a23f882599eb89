#include "engine/run/record_scan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

TEST(RecordScan, GivesEachRecordOfAllInputsWithItsFields) {
  const TempDir folder;
  WriteFile(folder / "a.jsonl", "{\"id\": 1, \"a\": {\"b\": \"deep\"}}\nno record\n{\"a.b\": \"by name\"}\n");
  WriteFile(folder / "b.json", "[{\"id\": \"z\"}]");
  for (const std::size_t batch_bytes : {std::size_t{1}, std::size_t{256} << 10}) {
    ReaderOptions reading;
    reading.batch_bytes = batch_bytes;
    RecordScan scan({folder / "a.jsonl", folder / "b.json"}, reading, {}, {"id", "a.b"});
    std::vector<std::string> seen;
    int batches = 0;
    while (scan.Next()) {
      std::string& record = seen.emplace_back(std::to_string(scan.batch().input) + "/" +
                                              std::to_string(scan.number_in_input()));
      batches += scan.begins_batch() ? 1 : 0;
      for (std::size_t f = 0; scan.is_readable() && f < 2; ++f) {
        record += " " + scan.field(f).Text().value_or("-");
      }
    }
    EXPECT_EQ(seen, (std::vector<std::string>{"0/1 1 deep", "0/2", "0/3 - by name", "1/1 z -"}));
    EXPECT_EQ(batches, batch_bytes == 1 ? 4 : 2);
    EXPECT_FALSE(scan.Next());
    EXPECT_EQ(scan.presence().records, 3u);
    EXPECT_EQ(scan.presence().found, (std::vector<std::uint64_t>{2, 2}));
    EXPECT_EQ(scan.presence().there.front(), "id");
  }
}

TEST(RecordScan, SaysWhyARecordCannotBeRead) {
  const TempDir folder;
  WriteFile(folder / "a.jsonl", "{\"id\": 1}\n[]\n{\"id\": \n");
  RecordScan scan({folder / "a.jsonl"}, {}, {}, {"id"});
  ASSERT_TRUE(scan.Next());
  EXPECT_TRUE(scan.is_readable());
  ASSERT_TRUE(scan.Next());
  EXPECT_FALSE(scan.is_readable());
  EXPECT_EQ(scan.parsed().reason, RejectReason::kNotAnObject);
  ASSERT_TRUE(scan.Next());
  EXPECT_EQ(scan.parsed().reason, RejectReason::kInvalidJson);
  EXPECT_FALSE(scan.Next());
}

}  // namespace
}  // namespace leafscore::internal
