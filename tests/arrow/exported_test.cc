#include "engine/arrow/exported.h"

#include <utility>

#include "arrow/arrow_testing.h"
#include "engine/arrow/text_array.h"

namespace leafscore::internal {
namespace {

// A key and its value, as the interface lays metadata out.
const std::string kMetadata("\1\0\0\0\3\0\0\0key\5\0\0\0va\0ue", 20);

void ExpectEqual(const ArrowSchema& schema, const TestSchema& wanted) {
  EXPECT_EQ(schema.format, wanted.format);
  EXPECT_EQ(schema.name, wanted.name);
  if (wanted.metadata.empty()) {
    EXPECT_EQ(schema.metadata, nullptr);
  } else {
    EXPECT_EQ(std::string(schema.metadata, wanted.metadata.size()), wanted.metadata);
  }
  EXPECT_EQ(schema.flags, wanted.flags);
  ASSERT_EQ(schema.n_children, static_cast<std::int64_t>(wanted.children.size()));
  for (std::size_t i = 0; i < wanted.children.size(); ++i)
    ExpectEqual(*schema.children[i], wanted.children[i]);
  ASSERT_EQ(schema.dictionary != nullptr, !wanted.dictionary.empty());
  if (schema.dictionary != nullptr) ExpectEqual(*schema.dictionary, wanted.dictionary[0]);
}

TEST(CopySchemaTest, AllPartsAtEveryLevel) {
  const TestSchema inner{
      .format = "+s",
      .name = "item",
      .metadata = kMetadata,
      .children = {
          {.format = "u", .name = "a", .flags = 2},
          {.format = "c", .name = "b", .flags = 3, .dictionary = {{.format = "U", .metadata = kMetadata}}}}};
  const TestSchema test{
      .format = "+l", .name = "kept", .metadata = std::string(4, '\0'), .flags = 2, .children = {inner}};
  int releases = 0;
  OwnedSchema copy;
  {
    const OwnedSchema schema = Export(test, &releases);
    copy = CopySchema(*schema);
    EXPECT_EQ(releases, 0);
  }
  EXPECT_EQ(releases, 5);
  ExpectEqual(*copy, test);
  ArrowSchema nameless{};
  nameless.format = "n";
  EXPECT_STREQ(CopySchema(nameless)->name, "");
}

// Releases a schema's child, as a consumer that has moved it out does.
TEST(MakeSchemaTest, ChildrenMayBeMovedOut) {
  SchemaParts parts{.format = "+s"};
  for (const char* name : {"a", "b"}) parts.children.push_back(MakeSchema({.format = "u", .name = name}));
  OwnedSchema schema = MakeSchema(std::move(parts));
  const OwnedSchema child(schema->children[1]);
  schema = OwnedSchema();
  EXPECT_STREQ(child->name, "b");
}

TEST(MakeArrayTest, OwnsWhatItIsGiven) {
  int owned = 0;
  const auto owner = [&] { return std::shared_ptr<const void>(nullptr, [&](const void*) { ++owned; }); };
  ArrayParts parts{.length = 2, .null_count = 1, .offset = 3, .buffers = {&owned, nullptr}, .owner = owner()};
  parts.children.push_back(MakeArray({.owner = owner()}));
  parts.children.push_back(MakeArray({.owner = owner()}));
  parts.dictionary = MakeArray({.length = 7, .owner = owner()});
  OwnedArray array = MakeArray(std::move(parts));
  EXPECT_EQ(array->length, 2);
  EXPECT_EQ(array->null_count, 1);
  EXPECT_EQ(array->offset, 3);
  EXPECT_EQ(array->n_buffers, 2);
  EXPECT_EQ(array->buffers[0], &owned);
  EXPECT_EQ(array->n_children, 2);
  EXPECT_EQ(array->dictionary->length, 7);
  OwnedArray child(array->children[0]);
  EXPECT_EQ(owned, 0);
  array = OwnedArray();
  EXPECT_EQ(owned, 3);
  child = OwnedArray();
  EXPECT_EQ(owned, 4);
}

TEST(MakeArrayTest, ReleaseMarksTheStruct) {
  ArrowArray array;
  MakeArray({}).MoveTo(&array);
  array.release(&array);
  EXPECT_EQ(array.release, nullptr);
  ArrowSchema schema;
  MakeSchema({.format = "n"}).MoveTo(&schema);
  schema.release(&schema);
  EXPECT_EQ(schema.release, nullptr);
}

// A batch of rows [offset, offset + length) of a column of texts and one that is a dictionary.
TestArray Batch(std::int64_t length, std::int64_t offset) {
  return {.length = length,
          .offset = offset,
          .buffers = {std::nullopt},
          .children = {OffsetArray<std::int32_t>({"a", "b", {}, "d"}),
                       {.length = 4,
                        .buffers = {{}, BufferOf<std::int8_t>({1, 0, 0, 1})},
                        .dictionary = {OffsetArray<std::int32_t>({"x", "y"})}}}};
}

TEST(TakeColumnTest, TheOtherColumnsGoWithTheBatch) {
  int releases = 0;
  OwnedArray batch = Export(Batch(4, 0), &releases);
  const void* const buffer = batch->children[0]->buffers[2];
  OwnedArray texts = TakeColumn(batch, 0);
  EXPECT_EQ(texts->buffers[2], buffer) << "copied";
  EXPECT_EQ(texts->null_count, 1);
  batch = OwnedArray();
  EXPECT_EQ(releases, 3) << "the batch, and the other column with its dictionary";
  EXPECT_EQ(TextArray({"c", TextLayout::kOffsets32}, *texts, 0, 4).text(3), "d");
  texts = OwnedArray();
  EXPECT_EQ(releases, 4);
}

TEST(TakeColumnTest, DictionariesLiveAsLongAsTheyAreNeeded) {
  int releases = 0;
  OwnedArray batch = Export(Batch(4, 0), &releases);
  OwnedArray dictionary = TakeColumn(batch, 1);
  batch = OwnedArray();
  EXPECT_EQ(releases, 2);
  const TextArray read({"c", TextLayout::kIndexes, 'c', TextLayout::kOffsets32}, *dictionary, 0, 4);
  EXPECT_EQ(read.text(0), "y");
  OwnedArray entries(dictionary->dictionary);
  dictionary = OwnedArray();
  EXPECT_EQ(releases, 2) << "the moved dictionary still needs its column";
  EXPECT_EQ(TextArray({"c", TextLayout::kOffsets32}, *entries, 0, 2).text(1), "y");
  entries = OwnedArray();
  EXPECT_EQ(releases, 4);
}

TEST(TakeColumnTest, TakesTheRowsOfTheBatch) {
  int releases = 0;
  TestArray test = Batch(2, 1);
  test.children[0].offset = 1;
  test.children[0].length = 3;
  OwnedArray batch = Export(test, &releases);
  const OwnedArray texts = TakeColumn(batch, 0);
  EXPECT_EQ(texts->length, 2);
  EXPECT_EQ(texts->offset, 2);
  EXPECT_EQ(texts->null_count, -1);
  const TextArray read({"c", TextLayout::kOffsets32}, *texts, 0, 2);
  EXPECT_TRUE(read.is_null(0));
  EXPECT_EQ(read.text(1), "d");
  EXPECT_EQ(TakeColumn(batch, 1)->null_count, 0);
}

TEST(TakeColumnTest, Children) {
  int releases = 0;
  const TestArray list{.length = 2,
                       .buffers = {{}, BufferOf<std::int32_t>({0, 1, 3})},
                       .children = {OffsetArray<std::int32_t>({"a", "b", "c"})}};
  OwnedArray batch =
      Export(TestArray{.length = 1, .offset = 1, .buffers = {{}}, .children = {list}}, &releases);
  OwnedArray taken = TakeColumn(batch, 0);
  batch = OwnedArray();
  EXPECT_EQ(taken->offset, 1);
  EXPECT_EQ(taken->children[0]->length, 3);
  OwnedArray child(taken->children[0]);
  taken = OwnedArray();
  EXPECT_EQ(TextArray({"c", TextLayout::kOffsets32}, *child, 0, 3).text(2), "c");
  child = OwnedArray();
  EXPECT_EQ(releases, 3);
}

}  // namespace
}  // namespace leafscore::internal
