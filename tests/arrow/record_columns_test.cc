#include "engine/arrow/record_columns.h"

#include <algorithm>
#include <limits>
#include <utility>

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
    ColumnNames(*schema).Find(name);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kUsage);
    return e.what();
  }
  return "found";
}

TEST(ColumnNamesTest, ByName) {
  int releases = 0;
  const OwnedSchema schema = Export(kSchema, &releases);
  const ColumnNames columns(*schema);
  EXPECT_EQ(columns.Find("expected"), 0u);
  EXPECT_EQ(columns.Find("actual"), 1u);
  EXPECT_STREQ(columns.type(1).name, "actual");
}

TEST(ColumnNamesTest, NamesWhatIsThere) {
  EXPECT_EQ(FindRefusal(kSchema, "actaul"),
            R"(unknown column "actaul"; did you mean "actual"? valid: expected, actual)");
  EXPECT_EQ(FindRefusal({.format = "+s"}, "id"), R"(unknown column "id"; there is none to give)");
}

TEST(ColumnNamesTest, RefusesWhatIsAmbiguousOrNoRecord) {
  TestSchema twice = kSchema;
  twice.children.push_back(kSchema.children[0]);
  EXPECT_EQ(FindRefusal(twice, "expected"), R"(more than one column is named "expected"; rename the others)");
  EXPECT_EQ(FindRefusal(twice, "actual"), "found");
  EXPECT_EQ(FindRefusal({.format = "u"}, "actual"),
            "an Arrow stream of format \"u\" has no record batches; give tables or record batches, which "
            "have named columns");
}

// A schema of a kept column with everything that a schema may have.
const TestSchema kNested{
    .format = "+s",
    .children = {{.format = "+l",
                  .name = "kept",
                  .metadata = std::string("\1\0\0\0\1\0\0\0k\0\0\0\0", 13),
                  .children = {{.format = "c", .name = "item", .dictionary = {{.format = "u"}}}}}}};

std::string SchemaRefusal(const ArrowSchema& schema) {
  try {
    CheckSchema(schema);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInput);
    return e.what();
  }
  return "good";
}

std::string SchemaMessage(const std::string& name, const std::string& what) {
  return "the Arrow schema of \"" + name + "\" is damaged: " + what + "; have its producer validate it";
}

TEST(CheckSchemaTest, WhatIsNotThereAtAnyLevel) {
  int releases = 0;
  const OwnedSchema schema = Export(kNested, &releases);
  EXPECT_EQ(SchemaRefusal(*schema), "good");
  ArrowSchema* const list = schema->children[0];
  ArrowSchema* const item = list->children[0];
  // Changes a member, checks, and changes it back.
  const auto with = [&](auto& member, auto changed) {
    const auto before = std::exchange(member, changed);
    const std::string refusal = SchemaRefusal(*schema);
    member = before;
    return refusal;
  };
  EXPECT_EQ(with(list->format, nullptr), SchemaMessage("kept", "it has no format"));
  EXPECT_EQ(with(item->dictionary->format, nullptr), SchemaMessage("", "it has no format"));
  EXPECT_EQ(with(list->children, nullptr), SchemaMessage("kept", "the pointer to its children is null"));
  EXPECT_EQ(with(item->n_children, -1), SchemaMessage("item", "the pointer to its children is null"));
  EXPECT_EQ(with(list->children[0], nullptr), SchemaMessage("kept", "one of its children is null"));
  EXPECT_EQ(with(item->release, nullptr), SchemaMessage("kept", "one of its children is null"));
  EXPECT_EQ(with(item->dictionary->release, nullptr), SchemaMessage("item", "its dictionary was released"));
  EXPECT_EQ(with(list->name, nullptr), "good");
  EXPECT_EQ(SchemaRefusal(*schema), "good");
}

TEST(CheckSchemaTest, NegativeSizesInMetadata) {
  TestSchema test = kNested;
  std::string& metadata = test.children[0].metadata;
  const auto refusal = [&] {
    int releases = 0;
    return SchemaRefusal(*Export(test, &releases));
  };
  const std::string good = std::exchange(metadata, std::string(4, '\xff'));
  EXPECT_EQ(refusal(), SchemaMessage("kept", "its metadata have a negative size"));
  metadata = good;
  std::fill_n(metadata.begin() + 4, 4, '\xff');  // the size of the key
  EXPECT_EQ(refusal(), SchemaMessage("kept", "its metadata have a negative size"));
  metadata = good;
  std::fill_n(metadata.begin() + 9, 4, '\xff');  // the size of the value
  EXPECT_EQ(refusal(), SchemaMessage("kept", "its metadata have a negative size"));
}

TEST(CheckRecordBatchTest, StructsThatAreNotThereAtAnyLevel) {
  int releases = 0;
  const OwnedSchema schema = Export(kNested, &releases);
  const OwnedArray batch =
      Export(TestArray{.length = 1,
                       .buffers = {std::nullopt},
                       .children = {{.length = 1,
                                     .buffers = {std::nullopt, BufferOf<std::int32_t>({0, 1})},
                                     .children = {{.length = 1,
                                                   .buffers = {std::nullopt, BufferOf<std::int8_t>({0})},
                                                   .dictionary = {OffsetArray<std::int32_t>({"a"})}}}}}},
             &releases);
  ArrowArray* const list = batch->children[0];
  ArrowArray* const item = list->children[0];
  const auto with = [&](auto& member, auto changed) {
    const auto before = std::exchange(member, changed);
    std::string refusal = "good";
    try {
      CheckRecordBatch(*schema, *batch);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kInput);
      refusal = e.what();
    }
    member = before;
    return refusal;
  };
  const auto message = [](const std::string& what) {
    return "an Arrow record batch is damaged: " + what + "; have its producer validate it";
  };
  EXPECT_EQ(with(list->null_count, -1), "good");
  EXPECT_EQ(with(const_cast<ArrowArray&>(*batch).children, nullptr),
            message("it has 0 columns and its schema 1"));
  EXPECT_EQ(with(list->buffers, nullptr),
            message("column \"kept\" has 2 buffers, but the pointer to them is null"));
  EXPECT_EQ(with(item->n_buffers, -1),
            message("column \"item\" has -1 buffers, but the pointer to them is null"));
  EXPECT_EQ(with(list->n_children, 0), message("column \"kept\" lacks some of its 1 children"));
  EXPECT_EQ(with(list->children, nullptr), message("column \"kept\" lacks some of its 1 children"));
  EXPECT_EQ(with(list->children[0], nullptr), message("column \"kept\" lacks some of its 1 children"));
  EXPECT_EQ(with(item->release, nullptr), message("column \"kept\" lacks some of its 1 children"));
  EXPECT_EQ(with(item->dictionary, nullptr), message("column \"item\" has no dictionary"));
  EXPECT_EQ(with(item->dictionary->release, nullptr), message("column \"item\" has no dictionary"));
  EXPECT_EQ(with(item->dictionary->length, -1), message("column \"\" has the length -1 and the offset 0"));
  EXPECT_EQ(with(list->dictionary, item),
            message("column \"kept\" has a dictionary, but its schema has none"));
  EXPECT_EQ(with(list->offset, std::numeric_limits<std::int64_t>::max()),
            message("column \"kept\" has the length 1 and the offset 9223372036854775807"));
  // The bitmap of the rows is then taken for missing.
  ArrowArray& root = const_cast<ArrowArray&>(*batch);
  root.null_count = -1;
  EXPECT_EQ(with(root.buffers, nullptr), "good");
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
