// Where the reader meets a bound: bytes that are not UTF-8, depth, the end of readable memory.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/random.h"
#include "engine/base/utf8.h"
#include "engine/json/structural_index.h"
#include "json/reader_probe.h"
#include "kernels/string_column.h"

namespace leafscore::internal {
namespace {

using corpus::Random;

constexpr std::size_t kOffsets = 131;  // past two blocks of 64 bytes

// Reads a string that holds `sequence` at every given offset, all else in it being ASCII.
class SequenceChecker {
 public:
  void Check(std::string_view sequence, std::size_t first_offset, std::size_t last_offset) {
    const std::string around = '"' + std::string(sequence) + "a\"";
    const std::size_t valid = reference::ValidUtf8Prefix(around);
    const bool bad = valid != around.size();
    ASSERT_EQ(FindInvalidUtf8(around), valid);
    for (std::size_t offset = first_offset; offset <= last_offset; ++offset) {
      std::memcpy(text_.data() + 1 + offset, sequence.data(), sequence.size());
      reader_.Begin({text_.data(), text_.size()}, false, &table_);
      const JsonResult result = reader_.Read(0, static_cast<std::uint32_t>(text_.size()));
      std::memset(text_.data() + 1 + offset, 'a', sequence.size());
      ASSERT_EQ(result.reason == RejectReason::kInvalidUtf8, bad) << Hex(sequence) << "at " << offset;
      if (bad) {
        ASSERT_EQ(result.offset, offset + valid) << Hex(sequence);
      }
    }
  }
  void CheckAtAllOffsets(std::string_view sequence) { Check(sequence, 0, kOffsets - 1); }

 private:
  static std::string Hex(std::string_view bytes) {
    std::string hex;
    for (const char c : bytes) {
      constexpr char kDigits[] = "0123456789abcdef";
      hex += kDigits[static_cast<unsigned char>(c) >> 4];
      hex += kDigits[c & 15];
      hex += ' ';
    }
    return hex;
  }

  std::string text_ = '"' + std::string(kOffsets + 4, 'a') + '"';
  ShapeTable shapes_;
  JsonReader reader_{&shapes_};
  LeafTable table_;
};

TEST(JsonReaderUtf8, EverySequenceOfOneAndTwoBytes) {
  SequenceChecker checker;
  for (int first = 0; first < 256; ++first) {
    const char one[] = {static_cast<char>(first)};
    ASSERT_NO_FATAL_FAILURE(checker.CheckAtAllOffsets({one, 1}));
    for (int second = 0; second < 256; ++second) {
      if (first < 0x80 && second < 0x80) continue;  // ASCII
      const char two[] = {static_cast<char>(first), static_cast<char>(second)};
      ASSERT_NO_FATAL_FAILURE(checker.CheckAtAllOffsets({two, 2}));
    }
  }
}

// Bytes at and next to the borders of the ranges of the Unicode Standard, table 3-7.
constexpr unsigned char kBorders[] = {0x00, 0x22, 0x5c, 0x61, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
                                      0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
                                      0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xfe, 0xff};

TEST(JsonReaderUtf8, SequencesOfThreeAndFourBytes) {
  SequenceChecker checker;
  Random random(3, 0);
  for (int i = 0; i < 60000; ++i) {
    char bytes[4];
    const bool borders = random.OneIn(2);
    for (char& byte : bytes) byte = static_cast<char>(borders ? random.Pick(kBorders) : random.Below(256));
    bytes[0] = static_cast<char>(static_cast<unsigned char>(bytes[0]) | 0xc0);
    const std::size_t size = 3 + random.Below(2);
    // Offsets at which it crosses a border of blocks, and any other one.
    const std::size_t offset = random.Below(kOffsets);
    ASSERT_NO_FATAL_FAILURE(checker.Check({bytes, size}, offset, offset));
    ASSERT_NO_FATAL_FAILURE(checker.Check({bytes, size}, 58, 64));
    ASSERT_NO_FATAL_FAILURE(checker.Check({bytes, size}, 122, 128));
  }
}

TEST(JsonReaderUtf8, TheFirstBadByteOfALineIsReported) {
  ReaderProbe probe;
  for (const bool shared_index : {true, false}) {
    const auto readings =
        probe.ReadLines("[\"\xe2\x82\xac\"]\n[\"ab\x80\xff\"]\n{\xff\n[\"\xe2\n\x82\"]", shared_index);
    ASSERT_EQ(readings.size(), 5u);
    EXPECT_TRUE(readings[0].tree);
    EXPECT_EQ(readings[1].result.offset, 4u);
    EXPECT_EQ(readings[2].result.offset, 1u);
    EXPECT_EQ(readings[3].result.offset, 2u);
    EXPECT_EQ(readings[4].result.offset, 0u);
    for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(readings[i].result.reason, RejectReason::kInvalidUtf8) << i;
  }
}

// Runs `work` on a thread with a stack of 256 KiB.
void RunOnSmallStack(std::function<void()> work) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 256 << 10), 0);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &work), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

// Returns `levels` containers within each other, made of the pieces in turn.
std::string Nested(std::size_t levels, const std::vector<std::string>& opens, bool closed) {
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) text += opens[i % opens.size()];
  if (!closed) return text;
  if (opens.back().back() == ':') text += "0";
  for (std::size_t i = levels; i-- != 0;) text += opens[i % opens.size()][0] == '{' ? '}' : ']';
  return text;
}

TEST(JsonReaderDepth, TheLimitIsExactAndNothingRecurses) {
  RunOnSmallStack([] {
    ShapeTable shapes;
    JsonReader reader(&shapes);
    LeafTable table;
    const std::vector<std::string> arrays = {"["};
    const std::vector<std::string> objects = {"{\"a\":"};
    const std::vector<std::string> mixed = {"[", "{\"a\":"};
    for (const auto& opens : {arrays, objects, mixed}) {
      for (const std::size_t levels : {1023u, 1024u, 1025u, 1026u, 1000000u}) {
        for (const bool closed : {true, false}) {
          for (const bool lines : {true, false}) {
            const std::string text = Nested(levels, opens, closed);
            const std::string padded = text + std::string(kStringPadding, '\0');
            reader.Begin(std::string_view(padded).substr(0, text.size()), lines, &table);
            const JsonResult result = reader.Read(0, static_cast<std::uint32_t>(text.size()));
            const RejectReason wanted = levels > 1024 ? RejectReason::kTooDeep
                                        : closed      ? RejectReason::kNone
                                                      : RejectReason::kInvalidJson;
            ASSERT_EQ(result.reason, wanted) << opens.back() << " " << levels << " " << closed;
            if (wanted == RejectReason::kTooDeep) {
              ASSERT_EQ(result.offset, Nested(1024, opens, false).size());
            } else if (wanted == RejectReason::kInvalidJson) {
              ASSERT_EQ(result.offset, text.size());
            }
            ASSERT_EQ(result.root, wanted == RejectReason::kNone ? 0 : kNoNode);
          }
        }
      }
    }
  });
}

TEST(JsonReaderDepth, DeepObjectsWithDuplicateKeysDoNotRecurse) {
  RunOnSmallStack([] {
    ShapeTable shapes;
    JsonReader reader(&shapes);
    LeafTable table;
    std::string text = "0";
    for (int level = 0; level < 1024; ++level) text = "{\"a\":1,\"a\":" + text + "}";
    reader.Begin(text, false, &table);
    const JsonResult result = reader.Read(0, static_cast<std::uint32_t>(text.size()));
    ASSERT_EQ(result.root, 0u);
    EXPECT_EQ(result.duplicate_keys, 1024u);
    EXPECT_EQ(table.size(), 1025u);
  });
}

TEST(JsonReaderDepth, TheLimitIsAnOption) {
  ReaderProbe probe({.max_depth = 2});
  EXPECT_TRUE(probe.Read("[[1],{}]").tree);
  const Reading reading = probe.Read("[[1],{\"a\":[]}]");
  EXPECT_EQ(reading.result.reason, RejectReason::kTooDeep);
  EXPECT_EQ(reading.result.offset, 10u);
}

// Memory whose end cannot be passed: the page behind it cannot be read.
class GuardedMemory {
 public:
  GuardedMemory() {
    page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    memory_ = mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED || mprotect(end(), page_, PROT_NONE) != 0) std::abort();
  }
  ~GuardedMemory() { munmap(memory_, 2 * page_); }

  // Places the text right before the guard.
  std::string_view Place(std::string_view text) {
    std::memcpy(end() - text.size(), text.data(), text.size());
    return {end() - text.size(), text.size()};
  }

 private:
  char* end() { return static_cast<char*>(memory_) + page_; }

  std::size_t page_;
  void* memory_;
};

TEST(JsonReaderBounds, ReadsNothingBehindTheText) {
  GuardedMemory memory;
  ReaderProbe probe;
  for (std::size_t size = 0; size <= 257; ++size) {
    const auto filled = [&](std::string_view head, std::string_view filling, std::string_view tail) {
      std::string text(head);
      while (text.size() < size) text += filling;
      text.resize(std::max(size, tail.size()) - tail.size());
      return (text + std::string(tail)).substr(0, size);
    };
    for (const std::string& text : {filled("\"", "abc", "\""),
                                    filled("\"", "abc", ""),
                                    filled("\"", "é", "é\""),
                                    filled("", "\\\"", "\\"),
                                    filled("", "1234567890", ""),
                                    filled("-", "0", ""),
                                    filled("[", "1,", "1]"),
                                    filled("", "[", ""),
                                    filled("[", "[],", "[]]"),
                                    filled("", "{\"key\":", ""),
                                    filled("{\"abcdefghijklmnopqr\":1,\"", "k", "\":1}"),
                                    filled("", " ", ""),
                                    filled("", "\n", ""),
                                    filled("", "1\n", ""),
                                    filled("", "{\"a\":\"b\"}\n", ""),
                                    filled("", "true ", ""),
                                    filled("\"", "\\u00e9", ""),
                                    filled("\"", "\xf0\x9f\x98\x80", ""),
                                    filled("\"", "a", "\xf0\x9f\x98"),
                                    filled("[", "\n", "]"),
                                    filled("", "tru", "true")}) {
      ASSERT_EQ(text.size(), size);
      const std::string_view placed = memory.Place(text);
      EXPECT_EQ(probe.Disagreement(probe.Read(placed)), "") << text;
      for (const Reading& reading : probe.ReadLines(placed, /*shared_index=*/false)) {
        EXPECT_EQ(probe.Disagreement(reading), "") << text;
      }
      const std::string padded = text + std::string(kStringPadding, '\0');
      probe.Begin(memory.Place(padded).substr(0, size), /*lines=*/true);
      for (std::size_t begin = 0; begin <= size;) {
        const std::size_t end = std::min(text.find('\n', begin), size);
        EXPECT_EQ(probe.Disagreement(probe.ReadRange(begin, end)), "") << text;
        begin = end + 1;
      }
    }
  }
}

}  // namespace
}  // namespace leafscore::internal
