#include "engine/arrow/text_array.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "arrow/arrow_testing.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Texts of 0 to 40 bytes, so that views are of both kinds, with a null now and then.
Texts SomeTexts(std::size_t rows, bool with_nulls) {
  Texts texts;
  for (std::size_t i = 0; i < rows; ++i) {
    texts.push_back(std::string(i * 7 % 41, static_cast<char>('a' + i % 26)));
    if (with_nulls && i % 3 == 1) texts.back().reset();
  }
  return texts;
}

std::vector<bool> ValidOf(const Texts& texts) {
  std::vector<bool> valid;
  for (const auto& text : texts) valid.push_back(text.has_value());
  return valid;
}

struct TestView {
  std::int32_t size = 0;
  char rest[12] = {};
};

TestView OutOfLine(std::int32_t size, std::int32_t buffer, std::int32_t offset) {
  TestView view{size};
  std::memcpy(view.rest + 4, &buffer, sizeof buffer);
  std::memcpy(view.rest + 8, &offset, sizeof offset);
  return view;
}

TestView Inline(const std::string& text) {
  TestView view{static_cast<std::int32_t>(text.size())};
  std::copy(text.begin(), text.end(), view.rest);
  return view;
}

// Long texts go to two buffers in turn.
TestArray ViewArray(const Texts& texts) {
  std::vector<TestView> views;
  std::string buffers[2];
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string text = texts[i].value_or("");
    if (text.size() <= 12) {
      views.push_back(Inline(text));
    } else {
      std::string& buffer = buffers[i % 2];
      views.push_back(
          OutOfLine(static_cast<std::int32_t>(text.size()), i % 2, static_cast<std::int32_t>(buffer.size())));
      std::copy_n(text.begin(), 4, views.back().rest);
      buffer += text;
    }
    if (!texts[i]) views.back() = OutOfLine(-5, -7, 9);  // what a null row holds means nothing
  }
  const std::vector<std::int64_t> sizes = {static_cast<std::int64_t>(buffers[0].size()),
                                           static_cast<std::int64_t>(buffers[1].size())};
  return {.length = static_cast<std::int64_t>(texts.size()),
          .null_count = -1,
          .buffers = {Bitmap(ValidOf(texts)), BufferOf(views), TextBuffer(buffers[0]), TextBuffer(buffers[1]),
                      BufferOf(sizes)}};
}

// An entry of the dictionary is one of the texts, so nulls are too; every second null is one of the index.
template <typename Index>
TestArray DictionaryArray(const Texts& texts) {
  Texts entries = {"unused"};
  std::vector<Index> indexes;
  std::vector<bool> valid;
  for (const auto& text : texts) {
    const bool is_valid = text || valid.size() % 2 == 0;
    auto entry = std::find(entries.begin(), entries.end(), text);
    if (is_valid && entry == entries.end()) entry = entries.insert(entries.end(), text);
    indexes.push_back(is_valid ? static_cast<Index>(entry - entries.begin()) : static_cast<Index>(-1));
    valid.push_back(is_valid);
  }
  return {.length = static_cast<std::int64_t>(texts.size()),
          .null_count = -1,
          .buffers = {Bitmap(valid), BufferOf(indexes)},
          .dictionary = {OffsetArray<std::int32_t>(entries)}};
}

struct Layout {
  const char* name;
  TextType type;
  TestArray (*encode)(const Texts&);
};

const Layout kLayouts[] = {
    {"utf8", {"c", TextLayout::kOffsets32}, OffsetArray<std::int32_t>},
    {"large_utf8", {"c", TextLayout::kOffsets64}, OffsetArray<std::int64_t>},
    {"utf8_view", {"c", TextLayout::kViews}, ViewArray},
    {"dictionary int8",
     {"c", TextLayout::kIndexes, 'c', TextLayout::kOffsets32},
     DictionaryArray<std::int8_t>},
    {"dictionary uint8",
     {"c", TextLayout::kIndexes, 'C', TextLayout::kOffsets32},
     DictionaryArray<std::uint8_t>},
    {"dictionary int16",
     {"c", TextLayout::kIndexes, 's', TextLayout::kOffsets32},
     DictionaryArray<std::int16_t>},
    {"dictionary uint16",
     {"c", TextLayout::kIndexes, 'S', TextLayout::kOffsets32},
     DictionaryArray<std::uint16_t>},
    {"dictionary int32",
     {"c", TextLayout::kIndexes, 'i', TextLayout::kOffsets32},
     DictionaryArray<std::int32_t>},
    {"dictionary uint32",
     {"c", TextLayout::kIndexes, 'I', TextLayout::kOffsets32},
     DictionaryArray<std::uint32_t>},
    {"dictionary int64",
     {"c", TextLayout::kIndexes, 'l', TextLayout::kOffsets32},
     DictionaryArray<std::int64_t>},
    {"dictionary uint64",
     {"c", TextLayout::kIndexes, 'L', TextLayout::kOffsets32},
     DictionaryArray<std::uint64_t>},
};

Texts Read(const TextArray& array) {
  Texts texts;
  for (std::size_t row = 0; row < array.size(); ++row) {
    if (array.is_null(row)) {
      texts.emplace_back();
    } else {
      texts.emplace_back(array.text(row));
    }
  }
  return texts;
}

// Reads as whoever knows nothing but what ContiguousTexts says.
Texts Read(const ContiguousTexts& contiguous) {
  Texts texts;
  const bool wide = !contiguous.offsets64.empty();
  const std::size_t offsets = wide ? contiguous.offsets64.size() : contiguous.offsets32.size();
  for (std::size_t i = 0; i + 1 < offsets; ++i) {
    const std::int64_t begin = wide ? contiguous.offsets64[i] : contiguous.offsets32[i];
    const std::int64_t end = wide ? contiguous.offsets64[i + 1] : contiguous.offsets32[i + 1];
    const std::size_t bit = contiguous.validity_offset + i;
    if (contiguous.validity != nullptr && (contiguous.validity[bit / 8] & 1 << (bit % 8)) == 0) {
      texts.emplace_back();
    } else {
      texts.emplace_back(
          contiguous.bytes.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    }
  }
  return texts;
}

// An array with an offset, in a batch that has one too, whose rows end before those of the array.
TEST(TextArrayTest, EveryLayoutAtEveryOffset) {
  for (const Layout& layout : kLayouts) {
    for (const bool with_nulls : {false, true}) {
      const Texts texts = SomeTexts(40, with_nulls);
      for (std::int64_t offset = 0; offset <= 17; ++offset) {
        for (const std::int64_t first : {0, 1, 5, 16}) {
          TestArray test = layout.encode(texts);
          test.offset = offset;
          test.length -= offset + 3;  // the last rows are of no part
          if (!with_nulls) test.null_count = 0;
          const std::int64_t rows = test.length - first - 1;
          int releases = 0;
          const OwnedArray array = Export(test, &releases);
          const TextArray read(layout.type, *array, first, rows);
          const Texts wanted(texts.begin() + offset + first, texts.begin() + offset + first + rows);
          ASSERT_EQ(Read(read), wanted) << layout.name << " at " << offset << " and " << first;
          const auto contiguous = read.Contiguous();
          const bool is_contiguous =
              layout.type.layout == TextLayout::kOffsets32 || layout.type.layout == TextLayout::kOffsets64;
          ASSERT_EQ(contiguous.has_value(), is_contiguous);
          if (!contiguous) continue;
          ASSERT_EQ(Read(*contiguous), wanted) << layout.name << " at " << offset << " and " << first;
        }
      }
    }
  }
}

// Lets a test read a whole array.
Texts ReadAll(const TextType& type, const TestArray& test) {
  int releases = 0;
  const OwnedArray array = Export(test, &releases);
  return Read(TextArray(type, *array, 0, array->length));
}

const TextType kUtf8{"answer", TextLayout::kOffsets32};
const TextType kLargeUtf8{"answer", TextLayout::kOffsets64};
const TextType kView{"answer", TextLayout::kViews};
const TextType kDictionary{"answer", TextLayout::kIndexes, 'c', TextLayout::kOffsets32};

TEST(TextArrayTest, OffsetsMayBeginBeyondZero) {
  const TestArray test{.length = 2,
                       .buffers = {{}, BufferOf<std::int32_t>({4, 6, 7}), TextBuffer("junkabc")}};
  EXPECT_EQ(ReadAll(kUtf8, test), (Texts{"ab", "c"}));
}

TEST(TextArrayTest, NullType) {
  const TextType type{"answer", TextLayout::kNull};
  EXPECT_EQ(ReadAll(type, {.length = 3, .null_count = 3}), Texts(3));
  EXPECT_EQ(ReadAll(type, {.length = 3, .null_count = -1, .offset = 9}), Texts(3));
  const TextType indexes{"answer", TextLayout::kIndexes, 'c', TextLayout::kNull};
  EXPECT_EQ(ReadAll(indexes, {.length = 2,
                              .buffers = {{}, BufferOf<std::int8_t>({0, 0})},
                              .dictionary = {{.length = 1, .null_count = 1}}}),
            Texts(2));
}

TEST(TextArrayTest, EmptyArraysNeedNoBuffers) {
  EXPECT_EQ(ReadAll(kUtf8, {.buffers = {{}, {}, {}}}), Texts());
  EXPECT_EQ(ReadAll(kLargeUtf8, {.null_count = -1, .buffers = {{}, {}, {}}}), Texts());
  EXPECT_EQ(ReadAll(kView, {.buffers = {{}, {}, {}}}), Texts());
  EXPECT_EQ(ReadAll(kDictionary, {.buffers = {{}, {}}, .dictionary = {{.buffers = {{}, {}, {}}}}}), Texts());
  int releases = 0;
  const OwnedArray array = Export(TestArray{.buffers = {{}, {}, {}}}, &releases);
  const auto contiguous = TextArray(kUtf8, *array, 0, 0).Contiguous();
  ASSERT_TRUE(contiguous);
  EXPECT_TRUE(contiguous->offsets32.empty() && contiguous->offsets64.empty() && contiguous->bytes.empty());
}

TEST(TextArrayTest, EmptyTextsNeedNoBytes) {
  EXPECT_EQ(ReadAll(kUtf8, {.length = 2, .buffers = {{}, BufferOf<std::int32_t>({0, 0, 0}), {}}}),
            (Texts{"", ""}));
  EXPECT_EQ(ReadAll(kView, {.length = 1, .buffers = {{}, BufferOf<TestView>({Inline("")}), {}}}), Texts{""});
}

TEST(TextArrayTest, BitmapsWithoutNullsAreNotRead) {
  EXPECT_EQ(ReadAll(kUtf8, {.length = 1,
                            .buffers = {Bitmap({false}), BufferOf<std::int32_t>({0, 1}), TextBuffer("a")}}),
            Texts{"a"});
  EXPECT_EQ(ReadAll(kUtf8, {.length = 1,
                            .null_count = -1,
                            .buffers = {{}, BufferOf<std::int32_t>({0, 1}), TextBuffer("a")}}),
            Texts{"a"});
}

TEST(TextArrayTest, ViewsAtTheInlineLimit) {
  const std::string text = "0123456789abc";
  const TestArray test{.length = 3,
                       .buffers = {{},
                                   BufferOf<TestView>({Inline(text.substr(0, 11)), Inline(text.substr(0, 12)),
                                                       OutOfLine(13, 0, 0)}),
                                   TextBuffer(text),
                                   BufferOf<std::int64_t>({13})}};
  EXPECT_EQ(ReadAll(kView, test), (Texts{"0123456789a", "0123456789ab", "0123456789abc"}));
}

TEST(TextArrayTest, DictionaryOfViewsWithAnOffset) {
  TestArray dictionary = ViewArray({"junk", "a", "a text of more than twelve bytes"});
  dictionary.offset = 1;
  dictionary.length = 2;
  const TextType type{"answer", TextLayout::kIndexes, 'S', TextLayout::kViews};
  EXPECT_EQ(
      ReadAll(type,
              {.length = 3, .buffers = {{}, BufferOf<std::uint16_t>({1, 0, 1})}, .dictionary = {dictionary}}),
      (Texts{"a text of more than twelve bytes", "a", "a text of more than twelve bytes"}));
}

TEST(TextArrayTest, BuffersNeedNotBeAligned) {
  for (const Layout& layout : kLayouts) {
    const Texts texts = SomeTexts(20, true);
    TestArray test = layout.encode(texts);
    test.buffers[1]->insert(test.buffers[1]->begin(), 'x');
    int releases = 0;
    const OwnedArray array = Export(test, &releases);
    array->buffers[1] = static_cast<const char*>(array->buffers[1]) + 1;
    const TextArray read(layout.type, *array, 0, array->length);
    EXPECT_EQ(Read(read), texts) << layout.name;
    EXPECT_FALSE(read.Contiguous()) << layout.name;
  }
}

std::string Damage(const TextType& type, const TestArray& test, std::int64_t first = 0,
                   std::int64_t rows = -1) {
  int releases = 0;
  const OwnedArray array = Export(test, &releases);
  try {
    TextArray(type, *array, first, rows == -1 ? array->length : rows);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInput);
    const std::string message = e.what();
    const std::string begin = "the Arrow array of column ";
    const std::string end = "; have its producer validate it";
    EXPECT_TRUE(message.starts_with(begin) && message.ends_with(end)) << message;
    return message.substr(begin.size(), message.size() - begin.size() - end.size());
  }
  return "accepted";
}

TEST(TextArrayTest, DamagedLengths) {
  const TestArray good = OffsetArray<std::int32_t>({"a", "b"});
  const auto with = [&](std::int64_t length, std::int64_t offset) {
    TestArray test = good;
    test.length = length;
    test.offset = offset;
    return test;
  };
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(Damage(kUtf8, with(-1, 0), 0, 0), R"("answer" is damaged: its length is -1 and its offset 0)");
  EXPECT_EQ(Damage(kUtf8, with(2, -1)), R"("answer" is damaged: its length is 2 and its offset -1)");
  // So far on that 4 bytes an offset would overflow a pointer.
  constexpr std::int64_t kFar = std::int64_t{1} << 61;
  EXPECT_EQ(Damage(kUtf8, with(kFar, kFar)),
            R"("answer" is damaged: its length is 2305843009213693952 and its offset 2305843009213693952)");
  EXPECT_EQ(Damage(kUtf8, with(kMax, 1), 0, 1),
            R"("answer" is damaged: its length is 9223372036854775807 and its offset 1)");
  EXPECT_EQ(Damage(kUtf8, with(2, 0), 1, 2), R"("answer" is damaged: it has 2 rows where 3 are needed)");
  EXPECT_EQ(Damage(kUtf8, with(2, 0), 1, 1), "accepted");
  EXPECT_EQ(Damage({"answer", TextLayout::kNull}, {.length = 1}, 0, 2),
            R"("answer" is damaged: it has 1 rows where 2 are needed)");
}

TEST(TextArrayTest, MissingBuffers) {
  const TestBuffer offsets = BufferOf<std::int32_t>({0, 1});
  EXPECT_EQ(Damage(kUtf8, {.length = 1}), R"("answer" is damaged: it has 0 buffers)");
  EXPECT_EQ(Damage(kUtf8, {.length = 1, .buffers = {{}, offsets}}),
            R"("answer" is damaged: it has 2 buffers)");
  EXPECT_EQ(Damage(kView, {.length = 1, .buffers = {{}, {}}}), R"("answer" is damaged: it has 2 buffers)");
  EXPECT_EQ(Damage(kDictionary, {.length = 1, .buffers = {{}, {}, {}}}),
            R"("answer" is damaged: it has 3 buffers)");
  EXPECT_EQ(Damage(kUtf8, {.length = 1, .buffers = {{}, {}, TextBuffer("a")}}),
            R"("answer" is damaged: it has 1 rows but no buffer of them)");
  EXPECT_EQ(Damage(kUtf8, {.length = 1, .buffers = {{}, offsets, {}}}),
            R"("answer" is damaged: it has no bytes)");
  EXPECT_EQ(Damage(kUtf8, {.length = 1, .null_count = 1, .buffers = {{}, offsets, TextBuffer("a")}}),
            R"("answer" is damaged: it has nulls but no bitmap of them)");
  EXPECT_EQ(Damage(kDictionary, {.length = 1, .buffers = {{}, BufferOf<std::int8_t>({0})}}),
            R"("answer" is damaged: it has no dictionary)");
}

TEST(TextArrayTest, OffsetsThatFall) {
  const auto utf8 = [](const std::vector<std::int32_t>& offsets) {
    return Damage(kUtf8, {.length = static_cast<std::int64_t>(offsets.size()) - 1,
                          .buffers = {{}, BufferOf(offsets), TextBuffer("abcdef")}});
  };
  EXPECT_EQ(utf8({0, 3, 2, 6}), R"("answer" is damaged: row 1 begins at offset 3 and ends at 2)");
  EXPECT_EQ(utf8({-1, 3, 4}), R"("answer" is damaged: row 0 begins at offset -1)");
  EXPECT_EQ(utf8({0, 3, -4}), R"("answer" is damaged: row 1 begins at offset 3 and ends at -4)");
  EXPECT_EQ(utf8({0, 3, 3, 6}), "accepted");
  // Also where the row is null, and for rows of the part that is read only.
  TestArray wide{
      .length = 3,
      .null_count = -1,
      .buffers = {Bitmap({true, false, true}), BufferOf<std::int64_t>({0, 3, 2, 6}), TextBuffer("abcdef")}};
  EXPECT_EQ(Damage(kLargeUtf8, wide), R"("answer" is damaged: row 1 begins at offset 3 and ends at 2)");
  EXPECT_EQ(Damage(kLargeUtf8, wide, 1, 2), R"("answer" is damaged: row 0 begins at offset 3 and ends at 2)");
  EXPECT_EQ(Damage(kLargeUtf8, wide, 2, 1), "accepted");
}

TEST(TextArrayTest, ViewsThatLeadOut) {
  const auto view = [](const TestView& last, bool has_buffer = true, bool has_sizes = true) {
    const std::vector<TestView> views = {Inline("a"), last};
    TestArray test{.length = 2, .buffers = {{}, BufferOf(views)}};
    test.buffers.push_back(has_buffer ? TextBuffer(std::string(20, 'b')) : std::nullopt);
    test.buffers.push_back(has_sizes ? BufferOf<std::int64_t>({20}) : std::nullopt);
    return Damage(kView, test);
  };
  const auto message = [](const char* where) {
    return R"("answer" is damaged: row 1 has )" + std::string(where) + ", which is missing";
  };
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(view(OutOfLine(20, 0, 0)), "accepted");
  EXPECT_EQ(view(OutOfLine(13, 0, 7)), "accepted");
  EXPECT_EQ(view(OutOfLine(13, 0, 8)), message("13 bytes at 8 of buffer 0"));
  EXPECT_EQ(view(OutOfLine(21, 0, 0)), message("21 bytes at 0 of buffer 0"));
  EXPECT_EQ(view(OutOfLine(kMax, 0, kMax)), message("2147483647 bytes at 2147483647 of buffer 0"));
  EXPECT_EQ(view(OutOfLine(13, 0, -1)), message("13 bytes at -1 of buffer 0"));
  EXPECT_EQ(view(OutOfLine(13, 1, 0)), message("13 bytes at 0 of buffer 1"));
  EXPECT_EQ(view(OutOfLine(13, -1, 0)), message("13 bytes at 0 of buffer -1"));
  EXPECT_EQ(view(OutOfLine(-1, 0, 0)), message("-1 bytes at 0 of buffer 0"));
  EXPECT_EQ(view(OutOfLine(13, 0, 0), false), message("13 bytes at 0 of buffer 0"));
  EXPECT_EQ(view(OutOfLine(13, 0, 0), true, false), message("13 bytes at 0 of buffer 0"));
}

template <typename Index>
std::string IndexDamage(char format, const std::vector<Index>& indexes) {
  return Damage({"answer", TextLayout::kIndexes, format, TextLayout::kOffsets32},
                {.length = static_cast<std::int64_t>(indexes.size()),
                 .buffers = {{}, BufferOf(indexes)},
                 .dictionary = {OffsetArray<std::int32_t>({"a", "b"})}});
}

TEST(TextArrayTest, IndexesThatLeadOut) {
  const std::string row1 = R"("answer" is damaged: the index of row 1 is not in the dictionary of 2 entries)";
  EXPECT_EQ(IndexDamage<std::int8_t>('c', {1, 2}), row1);
  EXPECT_EQ(IndexDamage<std::int8_t>('c', {1, -1}), row1);
  EXPECT_EQ(IndexDamage<std::uint8_t>('C', {1, 255}), row1);
  EXPECT_EQ(IndexDamage<std::int16_t>('s', {1, -1}), row1);
  EXPECT_EQ(IndexDamage<std::uint16_t>('S', {1, 256}), row1);
  EXPECT_EQ(IndexDamage<std::int32_t>('i', {1, -1}), row1);
  EXPECT_EQ(IndexDamage<std::uint32_t>('I', {1, 65536}), row1);
  EXPECT_EQ(IndexDamage<std::int64_t>('l', {1, -1}), row1);
  EXPECT_EQ(IndexDamage<std::uint64_t>('L', {1, 1ull << 32}), row1);
  EXPECT_EQ(IndexDamage<std::uint64_t>('L', {1, 0}), "accepted");
}

TEST(TextArrayTest, DamagedDictionaries) {
  const TestBuffer indexes = BufferOf<std::int8_t>({0});
  EXPECT_EQ(Damage(kDictionary, {.length = 1, .buffers = {{}, indexes}, .dictionary = {{.length = -1}}}),
            R"("answer's dictionary" is damaged: its length is -1 and its offset 0)");
  const TestArray falling{.length = 2, .buffers = {{}, BufferOf<std::int32_t>({0, 2, 1}), TextBuffer("ab")}};
  EXPECT_EQ(Damage(kDictionary, {.length = 1, .buffers = {{}, indexes}, .dictionary = {falling}}),
            R"("answer's dictionary" is damaged: row 1 begins at offset 2 and ends at 1)");
}

// Random arrays that are damaged in most cases: refused when a slow look finds the damage, and else readable.
TEST(TextArrayTest, RandomArrays) {
  std::uint32_t state = 1;
  const auto random = [&](std::uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return static_cast<std::int32_t>((state >> 8) % below);
  };
  int accepted = 0;
  for (int round = 0; round < 5000; ++round) {
    const std::int64_t rows = random(4);
    std::vector<std::int32_t> offsets;
    std::vector<TestView> views;
    std::vector<std::int8_t> indexes;
    bool good_offsets = true;
    bool good_views = true;
    bool good_indexes = true;
    for (std::int64_t row = 0; row <= rows; ++row) {
      offsets.push_back(random(12) - 1);
      good_offsets = good_offsets && offsets.back() >= (row == 0 ? 0 : offsets.end()[-2]);
    }
    if (rows == 0) good_offsets = true;
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int32_t size = random(20) - 1;
      const std::int32_t buffer = random(4) - 1;
      const std::int32_t offset = random(10) - 1;
      views.push_back(OutOfLine(size, buffer, offset));
      const bool is_inside = buffer >= 0 && buffer < 2 && offset >= 0 && offset + size <= 16;
      good_views = good_views && size >= 0 && (size <= 12 || is_inside);
      indexes.push_back(static_cast<std::int8_t>(random(5) - 1));
      good_indexes = good_indexes && indexes.back() >= 0 && indexes.back() < 3;
    }
    const std::string bytes(16, 'x');
    const TestArray tests[] = {
        {.length = rows, .buffers = {{}, BufferOf(offsets), TextBuffer(bytes)}},
        {.length = rows,
         .buffers =
             {{}, BufferOf(views), TextBuffer(bytes), TextBuffer(bytes), BufferOf<std::int64_t>({16, 16})}},
        {.length = rows,
         .buffers = {{}, BufferOf(indexes)},
         .dictionary = {OffsetArray<std::int32_t>({"a", {}, "b"})}},
    };
    const std::pair<TextType, bool> wanted[] = {
        {kUtf8, good_offsets}, {kView, good_views}, {kDictionary, good_indexes}};
    for (std::size_t i = 0; i < 3; ++i) {
      int releases = 0;
      const OwnedArray array = Export(tests[i], &releases);
      if (!wanted[i].second) {
        EXPECT_THROW(TextArray(wanted[i].first, *array, 0, rows), Error);
        continue;
      }
      ++accepted;
      EXPECT_EQ(Read(TextArray(wanted[i].first, *array, 0, rows)).size(), static_cast<std::size_t>(rows));
    }
  }
  EXPECT_GT(accepted, 2500);
}

}  // namespace
}  // namespace leafscore::internal
