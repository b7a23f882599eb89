#include "engine/arrow/record_columns.h"

#include <limits>

#include "arrow/arrow_testing.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

const TestSchema kSchema{
    .format = "+s", .children = {{.format = "u", .name = "expected"}, {.format = "u", .name = "actual"}}};

std::string FindRefusal(const TestSchema& test, const char* name) {
  int releases = 0;
  const OwnedSchema schema = Export(test, &releases);
  try {
    FindColumn(*schema, name);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kUsage);
    return e.what();
  }
  return "found";
}

TEST(FindColumnTest, ByName) {
  int releases = 0;
  const OwnedSchema schema = Export(kSchema, &releases);
  EXPECT_EQ(FindColumn(*schema, "expected"), 0u);
  EXPECT_EQ(FindColumn(*schema, "actual"), 1u);
}

TEST(FindColumnTest, NamesWhatIsThere) {
  EXPECT_EQ(FindRefusal(kSchema, "actaul"),
            R"(unknown column "actaul"; did you mean "actual"? valid: expected, actual)");
  EXPECT_EQ(FindRefusal({.format = "+s"}, "id"), R"(unknown column "id"; there is none to give)");
}

TEST(FindColumnTest, RefusesWhatIsAmbiguousOrNoRecord) {
  TestSchema twice = kSchema;
  twice.children.push_back(kSchema.children[0]);
  EXPECT_EQ(FindRefusal(twice, "expected"), R"(more than one column is named "expected"; rename the others)");
  EXPECT_EQ(FindRefusal(twice, "actual"), "found");
  EXPECT_EQ(FindRefusal({.format = "u"}, "actual"),
            "an Arrow stream of format \"u\" holds no record batches; give one of tables or record batches, "
            "which have "
            "named columns");
}

TestArray Batch() {
  return {.length = 2,
          .buffers = {std::nullopt},
          .children = {OffsetArray<std::int32_t>({"a", "b"}), OffsetArray<std::int32_t>({"c", "d"})}};
}

std::string BatchRefusal(const TestArray& test) {
  int releases = 0;
  const OwnedSchema schema = Export(kSchema, &releases);
  const OwnedArray batch = Export(test, &releases);
  try {
    CheckRecordBatch(*schema, *batch);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInput);
    return e.what();
  }
  return "good";
}

TEST(CheckRecordBatchTest, Lengths) {
  const auto with = [](std::int64_t length, std::int64_t offset) {
    TestArray test = Batch();
    test.length = length;
    test.offset = offset;
    return BatchRefusal(test);
  };
  const auto message = [](const std::string& what) {
    return "an Arrow record batch is damaged: " + what + "; have its producer validate it";
  };
  EXPECT_EQ(with(2, 0), "good");
  EXPECT_EQ(with(1, 1), "good");
  EXPECT_EQ(with(0, 2), "good");
  EXPECT_EQ(with(2, 1), message("column \"expected\" has 2 rows where 3 are needed"));
  EXPECT_EQ(with(-1, 1), message("its length is -1 and its offset 1"));
  EXPECT_EQ(with(1, -1), message("its length is 1 and its offset -1"));
  EXPECT_EQ(with(1, std::numeric_limits<std::int64_t>::max()),
            message("its length is 1 and its offset 9223372036854775807"));
  TestArray one = Batch();
  one.children.pop_back();
  EXPECT_EQ(BatchRefusal(one), message("it has 1 columns and its schema 2"));
}

TEST(CheckRecordBatchTest, ColumnsThatAreGone) {
  int releases = 0;
  const OwnedSchema schema = Export(kSchema, &releases);
  const OwnedArray batch = Export(Batch(), &releases);
  batch->children[1]->release(batch->children[1]);
  EXPECT_THROW(CheckRecordBatch(*schema, *batch), Error);
  ArrowArray* const column = std::exchange(batch->children[0], nullptr);
  EXPECT_THROW(CheckRecordBatch(*schema, *batch), Error);
  batch->children[0] = column;
}

TEST(CheckRecordBatchTest, RowsThatAreNullAsAWhole) {
  for (std::int64_t offset = 0; offset <= 17; ++offset) {
    std::vector<bool> valid(20, true);
    valid[19] = false;
    TestArray test{.length = 19 - offset, .null_count = -1, .offset = offset, .buffers = {Bitmap(valid)}};
    for (int i = 0; i < 2; ++i) test.children.push_back(OffsetArray<std::int32_t>(Texts(20, "a")));
    EXPECT_EQ(BatchRefusal(test), "good");
    ++test.length;
    EXPECT_EQ(BatchRefusal(test),
              "row " + std::to_string(19 - offset) +
                  " of an Arrow record batch is null as a whole; give a batch whose columns "
                  "are null instead");
    test.null_count = 0;  // the bitmap is then not read
    EXPECT_EQ(BatchRefusal(test), "good");
  }
}

}  // namespace
}  // namespace leafscore::internal
