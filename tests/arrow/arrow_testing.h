// tests/arrow/arrow_testing.h: Arrow structs built by hand, which count their releases.
#ifndef LEAFSCORE_TESTS_ARROW_ARROW_TESTING_H_
#define LEAFSCORE_TESTS_ARROW_ARROW_TESTING_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/arrow/owned.h"

namespace leafscore::internal {

// Exactly this much heap memory, or none, so that address sanitizer detects a read beyond it.
using TestBuffer = std::optional<std::vector<char>>;

template <typename Value>
TestBuffer BufferOf(const std::vector<Value>& values) {
  const char* bytes = reinterpret_cast<const char*>(values.data());
  return std::vector<char>(bytes, bytes + values.size() * sizeof(Value));
}

inline TestBuffer TextBuffer(const std::string& text) { return std::vector<char>(text.begin(), text.end()); }

// Sets bit i if valid[i] is true.
inline TestBuffer Bitmap(const std::vector<bool>& valid) {
  std::vector<char> bits((valid.size() + 7) / 8);
  for (std::size_t i = 0; i < valid.size(); ++i) {
    if (valid[i]) bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << (i % 8));
  }
  return bits;
}

// An array that frees all of its memory, and increments a counter, when it is released.
struct TestArray {
  std::int64_t length = 0;
  std::int64_t null_count = 0;
  std::int64_t offset = 0;
  std::vector<TestBuffer> buffers = {};
  std::vector<TestArray> children = {};
  std::vector<TestArray> dictionary = {};  // at most one
};

struct TestSchema {
  std::string format;
  std::string name = {};
  std::string metadata = {};
  std::int64_t flags = 0;
  std::vector<TestSchema> children = {};
  std::vector<TestSchema> dictionary = {};  // at most one
};

// The memory of a test's struct until its release.
template <typename Struct, typename Parts>
struct TestPrivate {
  Parts parts;
  int* releases;
  std::vector<const void*> buffers = {};
  std::vector<Struct> structs = {};  // the children and the dictionary
  std::vector<Struct*> pointers = {};

  static void Release(Struct* released) {
    auto* mine = static_cast<TestPrivate*>(released->private_data);
    ASSERT_EQ(released->release, &Release);
    for (Struct& inner : mine->structs) {
      if (inner.release != nullptr) inner.release(&inner);
    }
    ++*mine->releases;
    released->release = nullptr;
    delete mine;
  }
};

template <typename Struct, typename Parts>
Struct ExportTest(const Parts& parts, int* releases) {
  auto* mine = new TestPrivate<Struct, Parts>{parts, releases};
  for (const Parts& child : parts.children) mine->structs.push_back(ExportTest<Struct>(child, releases));
  for (const Parts& child : parts.dictionary) mine->structs.push_back(ExportTest<Struct>(child, releases));
  for (Struct& inner : mine->structs) mine->pointers.push_back(&inner);
  Struct out{};
  if constexpr (std::is_same_v<Struct, ArrowSchema>) {
    out.format = mine->parts.format.c_str();
    out.name = mine->parts.name.c_str();
    out.metadata = parts.metadata.empty() ? nullptr : mine->parts.metadata.data();
    out.flags = parts.flags;
  } else {
    for (const TestBuffer& buffer : mine->parts.buffers) {
      mine->buffers.push_back(buffer ? buffer->data() : nullptr);
    }
    out.length = parts.length;
    out.null_count = parts.null_count;
    out.offset = parts.offset;
    out.n_buffers = static_cast<std::int64_t>(mine->buffers.size());
    out.buffers = mine->buffers.data();
  }
  out.n_children = static_cast<std::int64_t>(parts.children.size());
  out.children = mine->pointers.data();
  out.dictionary = parts.dictionary.empty() ? nullptr : mine->pointers.back();
  out.release = &TestPrivate<Struct, Parts>::Release;
  out.private_data = mine;
  return out;
}

// Sets *releases to 0 and counts in it the releases of the struct and of all structs in it.
inline OwnedArray Export(const TestArray& array, int* releases) {
  *releases = 0;
  ArrowArray exported = ExportTest<ArrowArray>(array, releases);
  return OwnedArray(&exported);
}
inline OwnedSchema Export(const TestSchema& schema, int* releases) {
  *releases = 0;
  ArrowSchema exported = ExportTest<ArrowSchema>(schema, releases);
  return OwnedSchema(&exported);
}

// Texts as test data; nullopt is a null.
using Texts = std::vector<std::optional<std::string>>;

template <typename Offset>
TestArray OffsetArray(const Texts& texts) {
  std::vector<Offset> offsets = {0};
  std::vector<bool> valid;
  std::string bytes;
  std::int64_t nulls = 0;
  for (const auto& text : texts) {
    valid.push_back(text.has_value());
    nulls += text ? 0 : 1;
    bytes += text.value_or("");
    offsets.push_back(static_cast<Offset>(bytes.size()));
  }
  return {.length = static_cast<std::int64_t>(texts.size()),
          .null_count = nulls,
          .buffers = {nulls > 0 ? Bitmap(valid) : std::nullopt, BufferOf(offsets), TextBuffer(bytes)}};
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_ARROW_ARROW_TESTING_H_
