#include "engine/run/run_journal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "io/io_test_util.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

const std::vector<std::string> kEntries = {"first", std::string(100000, 'x'), "", "last"};

class RunJournalTest : public testing::Test {
 protected:
  std::string output() const { return folder_ / "out.jsonl"; }
  std::string journal() const { return folder_ / "out.jsonl.journal"; }
  JournalHead Head() {
    const std::string partial = folder_ / "out.jsonl.partial";
    std::ofstream(partial) << "lines";
    return {1, 1, 0, {{"the version", "1"}, {"the option max_depth", "1024"}}};
  }

  // Leaves a journal with these entries.
  void WriteJournal(const std::vector<std::string>& entries) {
    JournalWriter writer(output(), Head());
    for (const std::string& entry : entries) writer.AppendParts(FramedPart(entry));
    writer.Keep();
  }

  std::vector<std::string> EntriesThere() {
    std::vector<std::string> entries;
    std::optional<JournalReader> reader = JournalReader::Find(output());
    if (!reader) return entries;
    EXPECT_EQ(reader->head().facts, Head().facts);
    while (std::optional<std::string> entry = reader->Next()) entries.push_back(*entry);
    return entries;
  }

  TempDir folder_;
};

TEST(FramedPart, MoreThanCanBeReadBackIsRefused) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  void* const pages = mmap(nullptr, kMost + 1, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  EXPECT_THROW(FramedPart({static_cast<const char*>(pages), kMost + 1}), Error);
  munmap(pages, kMost + 1);
}

TEST_F(RunJournalTest, EntriesAreReadBack) {
  WriteJournal(kEntries);
  EXPECT_EQ(EntriesThere(), kEntries);
}

TEST_F(RunJournalTest, AJournalThatIsNotKeptIsRemoved) {
  { JournalWriter writer(output(), Head()); }
  EXPECT_FALSE(std::filesystem::exists(journal()));
}

TEST_F(RunJournalTest, WhatLiesUnderItsNameByTheEndIsLeftAlone) {
  {
    JournalWriter writer(output(), Head());
    std::filesystem::rename(journal(), folder_ / "elsewhere");
    WriteFile(journal(), "the user's");
  }
  EXPECT_EQ(ReadFile(journal()), "the user's");
}

// The user may have put the partial output elsewhere, to go on with it later.
TEST_F(RunJournalTest, AJournalWhosePartialOutputIsElsewhereStays) {
  WriteJournal(kEntries);
  const std::string bytes = ReadFile(journal());
  std::filesystem::rename(folder_ / "out.jsonl.partial", folder_ / "elsewhere");
  JournalReader::RemoveUseless(output(), 1);
  EXPECT_EQ(ReadFile(journal()), bytes);
  EXPECT_FALSE(JournalReader::Find(output()));
}

TEST_F(RunJournalTest, AJournalWhoseOutputGotItsNameIsRemoved) {
  WriteFile(output(), "lines");
  struct stat status {};
  ASSERT_EQ(stat(output().c_str(), &status), 0);
  JournalHead head = Head();
  head.output_inode = status.st_ino;
  {
    JournalWriter writer(output(), head);
    writer.AppendParts(FramedPart("entry"));
    writer.Keep();
  }
  JournalReader::RemoveUseless(output(), 2);
  EXPECT_TRUE(std::filesystem::exists(journal()));  // there is a partial output
  std::filesystem::remove(folder_ / "out.jsonl.partial");
  JournalReader::RemoveUseless(output(), 2);
  EXPECT_FALSE(std::filesystem::exists(journal()));
}

// What is written to it would be written under the other name, too.
TEST_F(RunJournalTest, AJournalWithAnotherNameIsNotGoneOnWith) {
  WriteJournal(kEntries);
  std::filesystem::create_hard_link(journal(), folder_ / "backup");
  EXPECT_FALSE(JournalReader::Find(output()));
  std::filesystem::remove(folder_ / "backup");
  EXPECT_TRUE(JournalReader::Find(output()));
}

TEST_F(RunJournalTest, ACutJournalGivesTheWholeEntriesBeforeTheCut) {
  WriteJournal({"first", "second", "last"});
  const std::uintmax_t size = std::filesystem::file_size(journal());
  std::size_t seen = 3;
  for (std::uintmax_t cut = size; cut-- != 0;) {
    std::filesystem::resize_file(journal(), cut);
    const std::vector<std::string> entries = EntriesThere();
    EXPECT_LE(entries.size(), seen) << cut;
    EXPECT_LT(entries.size(), 3u) << cut;
    seen = entries.size();
    const std::vector<std::string> all = {"first", "second", "last"};
    EXPECT_TRUE(std::equal(entries.begin(), entries.end(), all.begin())) << cut;
  }
  EXPECT_FALSE(JournalReader::Find(output()));
}

TEST_F(RunJournalTest, AChangedByteEndsTheJournalBeforeIt) {
  WriteJournal({"first", "second"});
  std::ifstream in(journal(), std::ios::binary);
  const std::string good(std::istreambuf_iterator<char>(in), {});
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    std::ofstream(journal(), std::ios::binary) << bad;
    EXPECT_LT(EntriesThere().size(), 2u) << at;
  }
}

// A file can be longer than any memory without taking room.
TEST_F(RunJournalTest, ASizeThatNoRunHasWrittenEndsTheJournal) {
  WriteJournal({"first"});
  const std::uint64_t size = std::uint64_t{4} << 40;
  const std::string frame =
      std::string(reinterpret_cast<const char*>(&size), sizeof size) + std::string(41, 'x');
  std::ofstream(journal(), std::ios::app | std::ios::binary) << frame;
  std::error_code error;
  std::filesystem::resize_file(journal(), size + 10000, error);
  if (error) GTEST_SKIP() << "this file system has no files of 4 TiB: " << error.message();
  EXPECT_EQ(EntriesThere(), std::vector<std::string>{"first"});
}

TEST_F(RunJournalTest, GoingOnReplacesWhatCameAfter) {
  WriteJournal(kEntries);
  std::optional<JournalReader> reader = JournalReader::Find(output());
  ASSERT_TRUE(reader);
  reader->Next();
  {
    JournalWriter writer(*reader, output());
    writer.AppendParts(FramedPart("other"));
    writer.Keep();
  }
  EXPECT_EQ(EntriesThere(), (std::vector<std::string>{"first", "other"}));
}

TEST_F(RunJournalTest, TheLatestJournalIsFoundAndFilesOfTheUserAreLeft) {
  WriteFile(journal(), "notes of mine");
  WriteJournal({"a"});
  EXPECT_EQ(EntriesThere(), (std::vector<std::string>{"a"}));
  const std::string other = folder_ / "out.jsonl.partial-2";
  WriteFile(other, "lines");
  JournalHead head = Head();
  head.output_number = 2;
  {
    JournalWriter writer(output(), head);
    writer.AppendParts(FramedPart("b"));
    writer.Keep();
  }
  WriteFile(folder_ / "out.jsonl.journal-4", "not a journal");
  EXPECT_EQ(EntriesThere(), (std::vector<std::string>{"b"}));
  EXPECT_EQ(ReadFile(journal()), "notes of mine");
  EXPECT_EQ(ReadFile(folder_ / "out.jsonl.journal-4"), "not a journal");
}

// Whoever removed the journals before it, and whatever else lies there.
TEST_F(RunJournalTest, AJournalIsFoundUnderAnyOfTheNumberedNames) {
  WriteJournal({"a"});
  const std::string journal_1000 = folder_ / "out.jsonl.journal-1000";
  std::filesystem::rename(journal(), journal_1000);
  for (const char* const other :
       {"-", "-0", "-1", "-01", "-02", "-2x", "-+2", "-1001", "-99999999999", "2", ".x"}) {
    std::filesystem::copy(journal_1000, journal() + other);
  }
  ASSERT_TRUE(JournalReader::Find(output()));
  EXPECT_EQ(JournalReader::Find(output())->name(), journal_1000);
  std::filesystem::remove(journal_1000);
  EXPECT_FALSE(JournalReader::Find(output()));
}

TEST_F(RunJournalTest, WhatCannotBeListedIsNotTakenForNoJournal) {
  WriteFile(folder_ / "file", "");
  EXPECT_FALSE(JournalReader::Find(folder_ / "no/such/folder"));
  const std::string error = ErrorOf(ErrorCode::kInput, [&] { JournalReader::Find(folder_ / "file/out"); });
  EXPECT_TRUE(error.ends_with("leave out --resume to start over")) << error;
}

TEST_F(RunJournalTest, AJournalOfAnotherFileUnderTheNameOfANewOneIsNotGoneOnWith) {
  WriteJournal({"a"});
  const std::string bytes = ReadFile(journal());
  WriteJournal({"b"});
  EXPECT_EQ(EntriesThere(), (std::vector<std::string>{"b"}));
  EXPECT_EQ(ReadFile(journal()), bytes);
}

TEST_F(RunJournalTest, AJournalWithoutEntriesIsRemovedByTheNextRun) {
  WriteJournal({});
  EXPECT_FALSE(JournalReader::Find(output()));
  WriteJournal({"a"});
  EXPECT_EQ(EntriesThere(), (std::vector<std::string>{"a"}));
  EXPECT_TRUE(std::filesystem::exists(journal()));
  EXPECT_FALSE(std::filesystem::exists(journal() + "-2"));
}

TEST_F(RunJournalTest, AnotherRunIsRefusedWithWhatDiffers) {
  WriteJournal({"a"});
  const JournalReader reader = *JournalReader::Find(output());
  EXPECT_NO_THROW(CheckSameRun(reader, Head().facts));
  std::vector<RunFact> facts = Head().facts;
  facts[1].value = "3";
  try {
    CheckSameRun(reader, facts);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_NE(std::string(error.what()).find("the option max_depth was \"1024\" and is \"3\""),
              std::string::npos)
        << error.what();
  }
  facts = Head().facts;
  facts.pop_back();
  EXPECT_THROW(CheckSameRun(reader, facts), Error);
}

}  // namespace
}  // namespace leafscore::internal
