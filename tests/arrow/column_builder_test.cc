#include "engine/arrow/column_builder.h"

#include "arrow/arrow_testing.h"
#include "engine/arrow/text_array.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

const ArrowField kLeaves{"leaves",
                         ArrowType::kList,
                         true,
                         {{"item",
                           ArrowType::kStruct,
                           false,
                           {{"path", ArrowType::kText, false},
                            {"expected", ArrowType::kText},
                            {"similarity", ArrowType::kNumber}}}}};

template <typename Value>
const Value* BufferAt(const ArrowArray& array, int i) {
  return static_cast<const Value*>(array.buffers[i]);
}

bool IsValid(const ArrowArray& array, int row) {
  return array.buffers[0] == nullptr || (BufferAt<std::uint8_t>(array, 0)[row / 8] >> (row % 8) & 1) != 0;
}

void ExpectAligned(const ArrowArray& array) {
  for (std::int64_t i = 0; i < array.n_buffers; ++i) {
    EXPECT_TRUE(i == 0 || array.buffers[i] != nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.buffers[i]) % 64, 0u);
  }
  for (std::int64_t i = 0; i < array.n_children; ++i) ExpectAligned(*array.children[i]);
}

// Writes a schema as text: format, name, and "?" where it is nullable.
std::string TextOf(const ArrowSchema& schema) {
  std::string text = std::string(schema.format) + " " + schema.name;
  if (schema.flags == ARROW_FLAG_NULLABLE) text += "?";
  for (std::int64_t i = 0; i < schema.n_children; ++i) text += " (" + TextOf(*schema.children[i]) + ")";
  return text;
}

TEST(ExportFieldTest, Schemas) {
  EXPECT_EQ(TextOf(*ExportField({"score", ArrowType::kNumber})), "g score?");
  EXPECT_EQ(TextOf(*ExportField({"passed", ArrowType::kBool, false})), "b passed");
  EXPECT_EQ(TextOf(*ExportField(kLeaves)), "+l leaves? (+s item (u path) (u expected?) (g similarity?))");
  std::vector<OwnedSchema> columns;
  columns.push_back(ExportField({"a", ArrowType::kText}));
  columns.push_back(ExportField({"b", ArrowType::kBool}));
  EXPECT_EQ(TextOf(*ExportRecordSchema(std::move(columns))), "+s  (u a?) (b b?)");
}

TEST(ColumnBuilderTest, Numbers) {
  ColumnBuilder builder({"score", ArrowType::kNumber});
  builder.Reserve(20);
  for (int i = 0; i < 20; ++i) {
    if (i % 3 == 1) {
      builder.AppendNull();
    } else {
      builder.AppendNumber(i / 4.0);
    }
  }
  EXPECT_EQ(builder.rows(), 20u);
  const OwnedArray array = builder.Finish();
  ExpectAligned(*array);
  EXPECT_EQ(array->length, 20);
  EXPECT_EQ(array->null_count, 7);
  EXPECT_EQ(array->n_buffers, 2);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(IsValid(*array, i), i % 3 != 1);
    EXPECT_EQ(BufferAt<double>(*array, 1)[i], i % 3 == 1 ? 0 : i / 4.0);
  }
}

TEST(ColumnBuilderTest, Bools) {
  ColumnBuilder builder({"passed", ArrowType::kBool});
  for (int i = 0; i < 19; ++i) {
    if (i == 9) {
      builder.AppendNull();
    } else {
      builder.AppendBool(i % 5 < 2);
    }
  }
  const OwnedArray array = builder.Finish();
  EXPECT_EQ(array->null_count, 1);
  for (int i = 0; i < 19; ++i) {
    EXPECT_EQ(IsValid(*array, i), i != 9);
    EXPECT_EQ(BufferAt<std::uint8_t>(*array, 1)[i / 8] >> (i % 8) & 1, i % 5 < 2 ? 1 : 0) << i;
  }
}

TEST(ColumnBuilderTest, Texts) {
  ColumnBuilder builder({"reason", ArrowType::kText});
  builder.AppendText("a");
  builder.AppendNull();
  builder.AppendText("");
  builder.AppendText("text");
  const OwnedArray array = builder.Finish();
  EXPECT_EQ(array->null_count, 1);
  const TextArray texts({"reason", TextLayout::kOffsets32}, *array, 0, 4);
  EXPECT_EQ(texts.text(0), "a");
  EXPECT_TRUE(texts.is_null(1));
  EXPECT_EQ(texts.text(2), "");
  EXPECT_EQ(texts.text(3), "text");
}

TEST(ColumnBuilderTest, WithoutNullsThereIsNoBitmap) {
  ColumnBuilder builder({"outcome", ArrowType::kText, false});
  builder.AppendText("scored");
  const OwnedArray array = builder.Finish();
  EXPECT_EQ(array->null_count, 0);
  EXPECT_EQ(array->buffers[0], nullptr);
}

TEST(ColumnBuilderTest, ListsOfStructs) {
  ColumnBuilder leaves(kLeaves);
  leaves.Reserve(4);
  ColumnBuilder& item = leaves.child(0);
  const auto add = [&](const char* path, const char* expected, double similarity) {
    item.child(0).AppendText(path);
    if (expected == nullptr) {
      item.child(1).AppendNull();
    } else {
      item.child(1).AppendText(expected);
    }
    item.child(2).AppendNumber(similarity);
    item.AppendStruct();
  };
  add("a", "1", 1);
  add("b", nullptr, 0);
  leaves.AppendList();
  leaves.AppendNull();
  leaves.AppendList();
  add("c", "3", 0.5);
  leaves.AppendList();

  const OwnedArray array = leaves.Finish();
  ExpectAligned(*array);
  EXPECT_EQ(array->length, 4);
  EXPECT_EQ(array->null_count, 1);
  EXPECT_FALSE(IsValid(*array, 1));
  const std::int32_t* offsets = BufferAt<std::int32_t>(*array, 1);
  EXPECT_EQ(std::vector<std::int32_t>(offsets, offsets + 5), (std::vector<std::int32_t>{0, 2, 2, 2, 3}));
  const ArrowArray& items = *array->children[0];
  EXPECT_EQ(items.length, 3);
  EXPECT_EQ(items.n_buffers, 1);
  const TextArray paths({"path", TextLayout::kOffsets32}, *items.children[0], 0, 3);
  EXPECT_EQ(paths.text(2), "c");
  EXPECT_FALSE(IsValid(*items.children[1], 1));
  EXPECT_EQ(BufferAt<double>(*items.children[2], 1)[2], 0.5);
}

TEST(ColumnBuilderTest, NullStructsFillTheirMembers) {
  ColumnBuilder builder({"s",
                         ArrowType::kStruct,
                         true,
                         {{"n", ArrowType::kNumber, false},
                          {"b", ArrowType::kBool, false},
                          {"t", ArrowType::kText, false},
                          {"l", ArrowType::kList, false, {{"item", ArrowType::kText}}},
                          {"s", ArrowType::kStruct, false, {{"n", ArrowType::kNumber, false}}}}});
  builder.AppendNull();
  builder.AppendNull();
  const OwnedArray array = builder.Finish();
  EXPECT_EQ(array->null_count, 2);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(array->children[i]->length, 2);
    EXPECT_EQ(array->children[i]->null_count, 0);
  }
  EXPECT_EQ(array->children[4]->children[0]->length, 2);
}

TEST(ColumnBuilderTest, BeginsAnewAfterFinish) {
  ColumnBuilder builder(kLeaves);
  const auto add_list = [&] {
    ColumnBuilder& item = builder.child(0);
    item.child(0).AppendText("path");
    item.child(1).AppendNull();
    item.child(2).AppendNumber(1);
    item.AppendStruct();
    builder.AppendList();
  };
  const OwnedArray none = builder.Finish();
  ExpectAligned(*none);
  EXPECT_EQ(none->length, 0);
  EXPECT_EQ(BufferAt<std::int32_t>(*none, 1)[0], 0);
  add_list();
  builder.AppendNull();
  const OwnedArray first = builder.Finish();
  add_list();
  const OwnedArray second = builder.Finish();
  EXPECT_EQ(first->length, 2);
  EXPECT_EQ(second->length, 1);
  EXPECT_EQ(second->null_count, 0);
  EXPECT_EQ(BufferAt<std::int32_t>(*second, 1)[1], 1);
  EXPECT_EQ(second->children[0]->length, 1);
}

// The text is not read when it is too long, so it need not be there.
TEST(ColumnBuilderTest, TextsOfOneBatchAreLimited) {
  ColumnBuilder builder({"message", ArrowType::kText});
  builder.AppendText("a");
  const std::string_view too_long("a", (std::size_t{1} << 31) - 1);
  try {
    builder.AppendText(too_long);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kUsage);
    EXPECT_STREQ(e.what(),
                 "column \"message\" of the results would hold more than 2^31 - 1 bytes in one batch; give "
                 "smaller batches");
  }
}

TEST(ExportRecordBatchTest, OwnsItsColumns) {
  int releases = 0;
  std::vector<OwnedArray> columns;
  columns.push_back(Export(OffsetArray<std::int32_t>({"a", "b"}), &releases));
  ColumnBuilder scores({"score", ArrowType::kNumber});
  scores.AppendNumber(1);
  scores.AppendNull();
  columns.push_back(scores.Finish());
  {
    const OwnedArray batch = ExportRecordBatch(2, std::move(columns));
    EXPECT_EQ(batch->length, 2);
    EXPECT_EQ(batch->null_count, 0);
    EXPECT_EQ(batch->n_buffers, 1);
    EXPECT_EQ(batch->n_children, 2);
    EXPECT_EQ(releases, 0);
  }
  EXPECT_EQ(releases, 1);
}

}  // namespace
}  // namespace leafscore::internal
