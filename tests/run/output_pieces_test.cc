#include "engine/run/output_pieces.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "leafscore/error.h"
#include "tests/io/io_test_util.h"

namespace leafscore::internal {
namespace {

class OutputPiecesTest : public testing::Test {
 protected:
  void Add(std::string lines, const std::string& entry, bool may_wait = true) {
    pieces_.AddLines(lines);
    EXPECT_EQ(lines, "");
    pieces_.AddEntry(FramedPart(entry));
    pieces_.EndBatch(may_wait);
  }
  std::string Written() const { return ReadFile(dir_ / "out.partial"); }
  std::vector<std::string> Entries() const {
    std::vector<std::string> entries;
    std::optional<JournalReader> reader = JournalReader::Find(dir_ / "out");
    while (reader) {
      const std::optional<std::string> entry = reader->Next();
      if (!entry) break;
      entries.push_back(*entry);
    }
    return entries;
  }

  const TempDir dir_;
  const std::unique_ptr<OutputFile> output_ = OutputFile::Open(dir_ / "out");
  JournalWriter journal_{dir_ / "out", {}};
  OutputPieces pieces_;
};

TEST_F(OutputPiecesTest, WhatMayNotWaitIsWrittenAtOnce) {
  for (const std::string text : {"one\n", "two\n", "three\n"}) {
    Add(text, text, /*may_wait=*/false);
    pieces_.Write(output_.get(), &journal_);
    EXPECT_TRUE(Written().ends_with(text)) << text;
    EXPECT_EQ(Entries().back(), text);
  }
  EXPECT_EQ(Written(), "one\ntwo\nthree\n");
}

TEST_F(OutputPiecesTest, BatchesThatComeSlowlyDoNotWait) {
  for (const std::string text : {"one\n", "two\n"}) {
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
    Add(text, text);
    pieces_.Write(output_.get(), &journal_);
    EXPECT_TRUE(Written().ends_with(text)) << text;
  }
}

TEST_F(OutputPiecesTest, WhatWaitsComesWithItsEndInOrder) {
  std::string expected;
  std::vector<std::string> entries;
  for (int i = 0; i < 1000; ++i) {
    const std::string text(static_cast<std::size_t>(i), 'x');
    Add(text + "\n", text);
    if (i % 7 == 0) pieces_.Write(output_.get(), &journal_);
    expected += text + "\n";
    entries.push_back(text);
  }
  pieces_.End();
  pieces_.Write(output_.get(), &journal_);
  EXPECT_EQ(Written(), expected);
  EXPECT_EQ(Entries(), entries);
}

// Journals and outputs are files of this process, and so is the limit: it holds for the output, which is
// larger.
TEST_F(OutputPiecesTest, ThePartThatFitsADiskIsInBoth) {
  signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  Add("begin\n", "begin");
  pieces_.End();
  pieces_.Write(output_.get(), &journal_);
  const std::string half(20000, 'x');
  for (const std::string entry : {"first", "second", "third"}) Add(half + "\n", entry);
  pieces_.End();
  Add("more", "more");
  pieces_.End();
  const rlimit limit{50000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_THROW(pieces_.Write(output_.get(), &journal_), Error);
  pieces_.Write(output_.get(), &journal_);  // nothing is left
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(Written(), "begin\n" + half + "\n" + half + "\n");
  EXPECT_EQ(Entries(), (std::vector<std::string>{"begin", "first", "second"}));
}

}  // namespace
}  // namespace leafscore::internal
