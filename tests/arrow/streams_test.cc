#include "engine/arrow/streams.h"

#include <cerrno>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "arrow/arrow_testing.h"
#include "engine/arrow/exported.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// What a test sees of its producer.
struct Seen {
  int destroyed = 0;
  int next_calls = 0;
};

// Gives arrays of 0, 1, 2... rows, and after `arrays` of them ends or throws.
class TestProducer : public StreamProducer {
 public:
  TestProducer(Seen* seen, int arrays, std::exception_ptr error = nullptr)
      : seen_(seen), arrays_(arrays), error_(std::move(error)) {}
  ~TestProducer() override { ++seen_->destroyed; }

  OwnedSchema Schema() override {
    if (error_ != nullptr && arrays_ < 0) std::rethrow_exception(error_);
    return MakeSchema({.format = "+s", .name = "mine"});
  }
  OwnedArray Next() override {
    const int call = seen_->next_calls++;
    if (call < arrays_) return MakeArray({.length = call});
    if (error_ != nullptr) std::rethrow_exception(error_);
    return OwnedArray();
  }

 private:
  Seen* seen_;
  int arrays_;  // below 0: Schema throws
  std::exception_ptr error_;
};

ArrowArrayStream Stream(Seen* seen, int arrays, std::exception_ptr error = nullptr) {
  ArrowArrayStream stream;
  ExportStream(std::make_unique<TestProducer>(seen, arrays, std::move(error)), &stream);
  return stream;
}

template <typename Exception>
std::exception_ptr Make(Exception exception) {
  return std::make_exception_ptr(exception);
}

TEST(ExportStreamTest, GivesSchemaAndArraysUntilTheEnd) {
  Seen seen;
  ArrowArrayStream stream = Stream(&seen, 2);
  for (int i = 0; i < 2; ++i) {
    ArrowSchema schema;
    ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
    EXPECT_STREQ(schema.name, "mine");
    schema.release(&schema);
  }
  for (int i = 0; i < 2; ++i) {
    ArrowArray array;
    ASSERT_EQ(stream.get_next(&stream, &array), 0);
    EXPECT_EQ(array.length, i);
    array.release(&array);
  }
  for (int i = 0; i < 3; ++i) {
    ArrowArray array;
    ASSERT_EQ(stream.get_next(&stream, &array), 0);
    EXPECT_EQ(array.release, nullptr);
  }
  EXPECT_EQ(seen.next_calls, 3) << "no call after the end";
  EXPECT_EQ(stream.get_last_error(&stream), nullptr);
  EXPECT_EQ(seen.destroyed, 0);
  stream.release(&stream);
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_EQ(seen.destroyed, 1);
}

TEST(ExportStreamTest, ArraysOutliveTheStream) {
  Seen seen;
  ArrowArrayStream stream = Stream(&seen, 2);
  ArrowArray array;
  ASSERT_EQ(stream.get_next(&stream, &array), 0);
  stream.release(&stream);
  EXPECT_EQ(seen.destroyed, 1);
  array.release(&array);
}

TEST(ExportStreamTest, ExceptionsBecomeCodes) {
  struct Case {
    std::exception_ptr error;
    int code;
    const char* text;
  };
  const Case cases[] = {
      {Make(Error(ErrorCode::kUsage, "usage")), EINVAL, "usage"},
      {Make(Error(ErrorCode::kInput, "input")), EIO, "input"},
      {Make(Error(ErrorCode::kOutput, "output")), EIO, "output"},
      {Make(Error(ErrorCode::kInternal, "internal")), EIO, "internal"},
      {Make(Error(ErrorCode::kInterrupted, "interrupted")), ECANCELED, "interrupted"},
      {Make(std::bad_alloc()), ENOMEM, "out of memory"},
      {Make(std::runtime_error("other")), EIO, "other"},
  };
  for (const Case& c : cases) {
    Seen seen;
    ArrowArrayStream stream = Stream(&seen, 1, c.error);
    ArrowArray array;
    ASSERT_EQ(stream.get_next(&stream, &array), 0);
    array.release(&array);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(stream.get_next(&stream, &array), c.code);
      EXPECT_EQ(array.release, nullptr);
      EXPECT_STREQ(stream.get_last_error(&stream), c.text);
    }
    ArrowSchema schema;
    EXPECT_EQ(stream.get_schema(&stream, &schema), c.code);
    EXPECT_EQ(schema.release, nullptr);
    EXPECT_EQ(seen.next_calls, 2) << "no call after an error";
    EXPECT_EQ(seen.destroyed, 1) << "freed with the error";
    stream.release(&stream);
    EXPECT_EQ(seen.destroyed, 1);
  }
}

TEST(StreamReaderTest, ReadsAndReleases) {
  Seen seen;
  ArrowArrayStream stream = Stream(&seen, 2);
  {
    StreamReader reader(&stream);
    EXPECT_EQ(stream.release, nullptr);
    EXPECT_STREQ(reader.schema().name, "mine");
    EXPECT_EQ(reader.Next()->length, 0);
    EXPECT_EQ(reader.Next()->length, 1);
    EXPECT_FALSE(reader.Next());
    EXPECT_EQ(seen.destroyed, 0);
  }
  EXPECT_EQ(seen.destroyed, 1);
}

TEST(StreamReaderTest, SaysWhatTheStreamSays) {
  for (const int arrays : {-1, 0}) {
    Seen seen;
    ArrowArrayStream stream = Stream(&seen, arrays, Make(std::runtime_error("the disk is gone")));
    try {
      StreamReader reader(&stream);
      EXPECT_EQ(arrays, 0) << "the schema failed";
      reader.Next();
      FAIL();
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kInput);
      EXPECT_EQ(e.what(), std::string("cannot read the ") + (arrays == 0 ? "next record batch" : "schema") +
                              " of the Arrow stream: the disk is gone");
    }
    EXPECT_EQ(stream.release, nullptr);
    EXPECT_EQ(seen.destroyed, 1);
  }
}

// Streams whose calls fail in ways that ours do not.
int g_releases = 0;

ArrowArrayStream ForeignStream(int (*get_schema)(ArrowArrayStream*, ArrowSchema*)) {
  g_releases = 0;
  ArrowArrayStream stream{};
  stream.get_schema = get_schema;
  stream.get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
  stream.release = [](ArrowArrayStream* released) {
    ++g_releases;
    released->release = nullptr;
  };
  return stream;
}

std::string ReaderRefusal(ArrowArrayStream stream) {
  try {
    StreamReader reader(&stream);
  } catch (const Error& e) {
    return e.what();
  }
  return "read";
}

TEST(StreamReaderTest, ErrorWithoutText) {
  // What a failing call leaves in the struct is not touched.
  ArrowArrayStream stream = ForeignStream([](ArrowArrayStream*, ArrowSchema* out) {
    out->release = [](ArrowSchema*) { FAIL() << "released after an error"; };
    return ENOMEM;
  });
  EXPECT_EQ(ReaderRefusal(stream), "cannot read the schema of the Arrow stream: Cannot allocate memory");
  EXPECT_EQ(g_releases, 1);
}

TEST(StreamReaderTest, ErrorWithAnEmptyText) {
  ArrowArrayStream stream = ForeignStream([](ArrowArrayStream*, ArrowSchema*) { return EIO; });
  stream.get_last_error = [](ArrowArrayStream*) { return ""; };
  EXPECT_EQ(ReaderRefusal(stream), "cannot read the schema of the Arrow stream: no reason given");
}

TEST(StreamReaderTest, DamagedSchema) {
  EXPECT_EQ(ReaderRefusal(ForeignStream([](ArrowArrayStream*, ArrowSchema* out) {
              MakeSchema({.format = "+s"}).MoveTo(out);
              out->format = nullptr;
              return 0;
            })),
            "the Arrow schema of \"\" is damaged: it has no format; have its producer validate it");
  EXPECT_EQ(g_releases, 1);
}

TEST(StreamReaderTest, NoSchema) {
  EXPECT_EQ(ReaderRefusal(ForeignStream([](ArrowArrayStream*, ArrowSchema*) { return 0; })),
            "the Arrow stream gives no schema; have its producer check it");
  EXPECT_EQ(g_releases, 1);
}

TEST(StreamReaderTest, ReleasedStream) {
  EXPECT_EQ(ReaderRefusal({}), "the Arrow stream was read or released before; give a new one for each run");
}

}  // namespace
}  // namespace leafscore::internal
