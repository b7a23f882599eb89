#include "engine/io/byte_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <chrono>
#include <thread>

#include "tests/io/io_test_util.h"

namespace leafscore::internal {
namespace {

using ::testing::TestWithParam;

std::string SampleText() {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += "{\"id\":" + std::to_string(i) + ",\"expected\":" + std::to_string(i * i) + "}\n";
  return text;
}

// Text that does not compress well, so that it fills several blocks.
std::string NoisyText(std::size_t size) {
  std::string text(size, '\0');
  std::uint64_t state = 88172645463325252u;
  for (char& c : text) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    c = static_cast<char>('0' + state % 64);
  }
  return text;
}

TEST(ByteSource, ReadsPlainFilesInPiecesOfAnySize) {
  const TempDir dir;
  for (const std::string& text :
       {std::string(), std::string("a"), std::string("abc"), std::string("abcd"), SampleText()}) {
    WriteFile(dir / "x", text);
    for (std::size_t piece = 1; piece <= 9; ++piece) {
      const ReadResult result = ReadAll(dir / "x", piece);
      EXPECT_EQ(result.bytes, text);
      EXPECT_EQ(result.error, "");
    }
  }
}

TEST(ByteSource, NamesWhatCannotBeRead) {
  const TempDir dir;
  for (auto* open : {+[](const std::string& path) { OpenByteSource(path); },
                     +[](const std::string& path) { ProbeInput(path); }}) {
    EXPECT_EQ(ErrorOf(ErrorCode::kInput, [&] { open(dir / "none"); }),
              "cannot read " + (dir / "none") + ": No such file or directory");
    EXPECT_EQ(ErrorOf(ErrorCode::kInput, [&] { open(dir / ""); }),
              "cannot read " + (dir / "") + ": it is a directory; name the files in it");
  }
}

TEST(ByteSource, ProbeReturnsTheSizeOfRegularFiles) {
  const TempDir dir;
  WriteFile(dir / "x", "12345");
  EXPECT_EQ(ProbeInput(dir / "x")->bytes, 5u);
  ASSERT_EQ(mkfifo((dir / "fifo").c_str(), 0600), 0);
  EXPECT_FALSE(ProbeInput(dir / "fifo"));
}

TEST(ByteSource, ReadsFifosThatAreWrittenSlowly) {
  const TempDir dir;
  for (const std::string& bytes : {SampleText(), Gzip(SampleText()), Zstd(SampleText())}) {
    ASSERT_EQ(mkfifo((dir / "fifo").c_str(), 0600), 0);
    std::thread writer([&] {
      std::ofstream out(dir / "fifo", std::ios::binary);
      for (char c : bytes) out << c << std::flush;
    });
    EXPECT_EQ(ReadAll(dir / "fifo").bytes, SampleText());
    writer.join();
    std::filesystem::remove(dir / "fifo");
  }
}

TEST(ByteSource, StopsWaitingForAFifo) {
  const TempDir dir;
  ASSERT_EQ(mkfifo((dir / "fifo").c_str(), 0600), 0);
  std::atomic<bool> stop = false;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop = true;
  });
  EXPECT_NE(ErrorOf(ErrorCode::kInterrupted, [&] { OpenByteSource(dir / "fifo", &stop); }), "");
  stopper.join();
}

TEST(ByteSource, CountsCompressedBytes) {
  const TempDir dir;
  const std::string bytes = Gzip(SampleText());
  WriteFile(dir / "x", bytes);
  const auto source = OpenByteSource(dir / "x");
  ReadAll(*source);
  EXPECT_EQ(source->consumed_bytes(), bytes.size());
}

struct Format {
  const char* name;
  std::string (*compress)(const std::string&);
  std::size_t magic_bytes;
  std::size_t footer_bytes;
};

class CompressedSource : public TestWithParam<Format> {
 protected:
  ReadResult Read(const std::string& bytes, std::size_t piece_bytes = 4096) {
    WriteFile(path_, bytes);
    return ReadAll(path_, piece_bytes);
  }

  const TempDir dir_;
  const std::string path_ = dir_ / "data.jsonl";  // the name does not say that it is compressed
};

TEST_P(CompressedSource, DecodesInPiecesOfAnySize) {
  const std::string compressed = GetParam().compress(SampleText());
  for (std::size_t piece = 1; piece <= 130; ++piece) {
    const ReadResult result = Read(compressed, piece);
    EXPECT_EQ(result.bytes, SampleText());
    EXPECT_EQ(result.error, "");
  }
}

TEST_P(CompressedSource, DecodesWhatIsLargerThanTheBuffers) {
  const std::string text = NoisyText(3'000'000);
  const ReadResult result = Read(GetParam().compress(text), 70'000);
  EXPECT_TRUE(result.bytes == text);
  EXPECT_EQ(result.error, "");
}

TEST_P(CompressedSource, DecodesSeveralMembersAndEmptyOnes) {
  const auto compress = GetParam().compress;
  EXPECT_EQ(Read(compress("")).bytes, "");
  EXPECT_EQ(Read(compress("")).error, "");
  const ReadResult result = Read(compress("one\n") + compress("") + compress("two\n") + compress(""));
  EXPECT_EQ(result.bytes, "one\ntwo\n");
  EXPECT_EQ(result.error, "");
}

TEST_P(CompressedSource, ReportsEveryTruncationAfterWhatCameBefore) {
  const auto compress = GetParam().compress;
  const std::string first = compress("first\n");
  const std::string bytes = first + compress(SampleText());
  const std::string text = "first\n" + SampleText();
  for (std::size_t cut = GetParam().magic_bytes; cut < bytes.size(); ++cut) {
    const ReadResult result = Read(bytes.substr(0, cut));
    EXPECT_TRUE(text.starts_with(result.bytes)) << cut;
    if (cut == first.size()) {
      EXPECT_EQ(result.bytes + result.error, "first\n");  // itself a whole file
      continue;
    }
    EXPECT_EQ(result.error, path_ + " is damaged at compressed byte " + std::to_string(cut) +
                                ": the compressed data ends too early; fetch or make it again");
    EXPECT_TRUE(cut < first.size() || result.bytes.starts_with("first\n")) << cut;
  }
  // Shorter than the magic bytes, it is what it looks like: a file of a few strange bytes.
  for (std::size_t cut = 0; cut < GetParam().magic_bytes; ++cut) {
    EXPECT_EQ(Read(bytes.substr(0, cut)).bytes, bytes.substr(0, cut));
  }
}

TEST_P(CompressedSource, NoticesEveryFlippedBitOfTheFooter) {
  const std::string bytes = GetParam().compress(SampleText());
  for (std::size_t bit = 0; bit < 8 * GetParam().footer_bytes; ++bit) {
    std::string damaged = bytes;
    damaged[bytes.size() - 1 - bit / 8] ^= static_cast<char>(1 << (bit % 8));
    const ReadResult result = Read(damaged);
    EXPECT_EQ(result.bytes, SampleText()) << bit;
    EXPECT_NE(result.error.find(path_ + " is damaged at compressed byte "), std::string::npos) << bit;
  }
}

TEST_P(CompressedSource, NoticesEveryFlippedBitOrReadsTheSameText) {
  const std::string bytes = GetParam().compress(SampleText());
  for (std::size_t bit = 8 * GetParam().magic_bytes; bit < 8 * bytes.size(); ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    const ReadResult result = Read(damaged);
    EXPECT_TRUE(!result.error.empty() || result.bytes == SampleText())
        << bit;  // some header bits mean nothing
  }
}

TEST_P(CompressedSource, ReturnsAllBlocksBeforeADamagedOne) {
  const std::string text = NoisyText(1 << 20);
  std::string bytes = GetParam().compress(text);
  bytes[bytes.size() - 1] ^= 1;  // the last byte of the checksum
  const ReadResult result = Read(bytes, 8 << 20);
  EXPECT_TRUE(result.bytes == text);
  EXPECT_NE(result.error, "");
}

TEST_P(CompressedSource, ReportsTextAfterTheEnd) {
  const std::string bytes = GetParam().compress("text\n");
  const std::string zeros(4, '\0');
  for (const std::string& garbage :
       {zeros + "x", std::string("\n"), std::string("{}\n\n"), NoisyText(300'000)}) {
    const ReadResult result = Read(bytes + garbage);
    EXPECT_EQ(result.bytes, "text\n");
    EXPECT_NE(result.error.find("other data after the end"), std::string::npos) << result.error;
  }
}

// A block that spans two reads of the file, or two pieces, is told by the same place.
TEST_P(CompressedSource, DamageIsToldAlikeWhateverThePieces) {
  const std::string bytes = GetParam().compress(NoisyText(400'000));
  for (std::size_t at = 260'000; at < 290'000; at += 1'237) {
    std::string damaged = bytes;
    damaged[at] ^= 0x10;
    const ReadResult base = Read(damaged, 4 << 20);
    EXPECT_NE(base.error, "");
    for (const std::size_t piece : {100u, 4'099u, 262'144u}) {
      const ReadResult read = Read(damaged, piece);
      EXPECT_TRUE(read.bytes == base.bytes) << at << ", pieces of " << piece;
      EXPECT_EQ(read.error, base.error) << at << ", pieces of " << piece;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, CompressedSource,
                         testing::Values(Format{"gzip", Gzip, 2, 8},
                                         Format{"zstd", [](const std::string& text) { return Zstd(text); }, 4,
                                                4}),
                         [](const auto& format) { return format.param.name; });

// As gzip(1) and Python take them: tapes and some tools pad files.
TEST(GzipSource, PassesOverZerosBehindAMember) {
  const TempDir dir;
  const auto read = [&](const std::string& bytes) {
    WriteFile(dir / "x", bytes);
    return ReadAll(dir / "x");
  };
  for (const std::size_t size : {1u, 4u, 511u, 600'000u}) {
    const std::string zeros(size, '\0');
    for (const std::string& bytes : {Gzip("text\n") + zeros, Gzip("te") + zeros + Gzip("xt\n"),
                                     Gzip("text\n") + zeros + Gzip("") + zeros}) {
      EXPECT_EQ(read(bytes).bytes, "text\n");
      EXPECT_EQ(read(bytes).error, "");
    }
    const std::string garbage = Gzip("text\n") + zeros;
    EXPECT_EQ(read(garbage + "x").bytes, "text\n");
    EXPECT_EQ(read(garbage + "xx").error,
              (dir / "x") + " is damaged at compressed byte " + std::to_string(garbage.size()) +
                  ": there is other data after the end of the gzip data; fetch or make it again");
  }
}

TEST(ZstdSource, SkipsSkippableFrames) {
  const TempDir dir;
  const std::string skippable("\x50\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
  WriteFile(dir / "x", skippable + Zstd("one\n") + skippable + Zstd("two\n") + skippable);
  const ReadResult result = ReadAll(dir / "x");
  EXPECT_EQ(result.bytes, "one\ntwo\n");
  EXPECT_EQ(result.error, "");
}

TEST(ZstdSource, RefusesWindowsAbove128MiB) {
  const TempDir dir;
  WriteFile(dir / "x", Zstd("text\n", 27));
  EXPECT_EQ(ReadAll(dir / "x").bytes, "text\n");
  WriteFile(dir / "x", Zstd("text\n", 28));
  EXPECT_NE(ReadAll(dir / "x").error.find("its window is above 128 MiB"), std::string::npos);
}

// A window is taken out of the budget of the run.
TEST(ZstdSource, RefusesWindowsAboveTheirShareOfTheMemory) {
  const TempDir dir;
  const auto read = [&](int window_log, std::uint64_t max_window_bytes) {
    WriteFile(dir / "x", Zstd("text\n") + Zstd("text\n", window_log));
    return ReadAll(*OpenByteSource(dir / "x", nullptr, nullptr, 1000, max_window_bytes), 1 << 20);
  };
  for (const std::uint64_t share : {8u << 20, (16u << 20) - 1}) {
    EXPECT_EQ(read(23, share).bytes, "text\ntext\n");
    const ReadResult refused = read(24, share);
    EXPECT_EQ(refused.bytes, "text\n");
    EXPECT_NE(refused.error.find("cannot be unpacked from compressed byte "), std::string::npos)
        << refused.error;
    EXPECT_TRUE(
        refused.error.ends_with(": its window is above 8 MiB; give a higher --memory (2147483648 is "
                                "enough for every window), or compress it again with --long=23 or less"))
        << refused.error;
  }
  EXPECT_EQ(read(27, 1u << 30).bytes, "text\ntext\n");
  EXPECT_NE(read(28, 1u << 30).error.find("its window is above 128 MiB; compress"), std::string::npos);
}

TEST(ZstdSource, ReturnsTheBlocksBeforeADamagedBlock) {
  const TempDir dir;
  const std::string block(128 << 10, 'a');
  // Frame header (window 128 KiB), two run-length blocks of 'a', then a block of the reserved type.
  const std::string bytes(
      "\x28\xb5\x2f\xfd\x00\x38\x02\x00\x10"
      "a\x02\x00\x10"
      "a\x06\x00\x00",
      17);
  WriteFile(dir / "x", bytes);
  const ReadResult result = ReadAll(dir / "x", 1 << 20);
  EXPECT_TRUE(result.bytes == block + block) << result.bytes.size();
  EXPECT_NE(result.error, "");
}

// Reads to the end or the error. RETURNS: the bytes read.
std::uint64_t CountBytes(const std::string& path, std::uint64_t max_ratio, std::string* error,
                         std::size_t piece_bytes = 1 << 20) {
  std::vector<std::byte> piece(piece_bytes);
  std::uint64_t bytes = 0;
  try {
    const auto source = OpenByteSource(path, nullptr, nullptr, max_ratio);
    while (const std::size_t n = source->Read(piece)) bytes += n;
    error->clear();
  } catch (const Error& problem) {
    EXPECT_EQ(problem.code(), ErrorCode::kInput);
    *error = problem.what();
  }
  return bytes;
}

// The first frame gives exactly what is free, so that only the end of the second one is looked at.
TEST(ByteSource, ARatioOverTheLimitIsAnErrorOfTheInput) {
  const TempDir dir;
  const std::string path = dir / "bomb.jsonl.zst";
  const std::string free_bytes = Zstd(std::string(kFreeUnpackedBytes, 'x'));
  std::string error;
  WriteFile(path, free_bytes);
  EXPECT_EQ(CountBytes(path, 1, &error), kFreeUnpackedBytes);
  EXPECT_EQ(error, "");

  const std::string bomb = free_bytes + Zstd("y");
  const std::uint64_t unpacked = kFreeUnpackedBytes + 1;
  const std::uint64_t ratio = unpacked / bomb.size();
  WriteFile(path, bomb);
  EXPECT_EQ(CountBytes(path, ratio + 1, &error), unpacked);
  EXPECT_EQ(error, "");
  EXPECT_EQ(CountBytes(path, ratio, &error), unpacked);
  EXPECT_EQ(error, path + " unpacks to more than " + std::to_string(ratio) + " times its size: its first " +
                       std::to_string(bomb.size()) +
                       " bytes gave 67108865; if that is as it should be, give a higher --max-ratio");
  EXPECT_EQ(CountBytes(path, ratio - 1, &error), unpacked);
  EXPECT_NE(error, "");
}

TEST(ByteSource, ABombEndsAtTheSameByteWhateverThePieces) {
  const TempDir dir;
  const std::string text(kFreeUnpackedBytes + 3'000'000, 'x');
  for (const std::string& bomb : {Gzip(text), Zstd(text)}) {
    WriteFile(dir / "bomb", bomb);
    std::string base_error;
    const std::uint64_t base = CountBytes(dir / "bomb", 10, &base_error);
    EXPECT_NE(base_error.find("--max-ratio"), std::string::npos) << base_error;
    for (const std::size_t piece : {99'999u, 262'144u, 5'000'000u}) {
      std::string error;
      EXPECT_EQ(CountBytes(dir / "bomb", 10, &error, piece), base) << piece;
      EXPECT_EQ(error, base_error) << piece;
    }
  }
}

TEST(ByteSource, BombsEndSoonAndManyMembersAreFine) {
  const TempDir dir;
  std::string error;
  const std::string frame = Zstd(std::string(16 << 20, 'x'));
  std::string frames;
  for (int i = 0; i < 64; ++i) frames += frame;  // 1 GiB
  WriteFile(dir / "bomb.zst", frames);
  EXPECT_LT(CountBytes(dir / "bomb.zst", kMaxRatio.default_value, &error), kFreeUnpackedBytes + (2 << 20));
  EXPECT_NE(error.find("--max-ratio"), std::string::npos) << error;

  // Text shrinks to a tenth or so, however many members it comes in.
  std::string text;
  for (int i = 0; text.size() < (1 << 20); ++i) text += std::to_string(i * 7919) + "\n";
  for (const std::string& member : {Gzip(text), Zstd(text)}) {
    std::string members;
    for (int i = 0; i < 80; ++i) members += member;
    WriteFile(dir / "many", members);
    EXPECT_EQ(CountBytes(dir / "many", kMaxRatio.default_value, &error), 80 * text.size());
    EXPECT_EQ(error, "");
  }
}

// A frame whose header tells how large it unpacks.
std::string SizedFrame(const std::string& text) {
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  frame.resize(ZSTD_compress2(context, frame.data(), frame.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return frame;
}

std::string SkippableFrame(std::size_t bytes) {
  std::string frame = "\x5e\x2a\x4d\x18";
  for (int i = 0; i < 4; ++i) frame += static_cast<char>(bytes >> (8 * i) & 0xff);
  return frame + std::string(bytes, 's');
}

// Inputs that are unpacked ahead, and in part side by side, must be what one thread reads of them.
class UnpackedAhead : public testing::Test {
 protected:
  struct Read {
    std::string bytes;
    std::string error;
    std::string checksum;
    std::uint64_t consumed;
    bool operator==(const Read&) const = default;
  };

  Read With(unsigned threads, std::uint64_t max_ratio = 1000,
            std::uint64_t max_window = kMaxZstdWindow) const {
    BlockChecksum checksum;
    const auto source = OpenByteSource(path_, nullptr, &checksum, max_ratio, max_window, threads);
    const ReadResult result = ReadAll(*source, 256 << 10);
    return {result.bytes, result.error, checksum.Text(), result.error.empty() ? source->consumed_bytes() : 0};
  }
  void ExpectSame(const std::string& bytes, const std::string& what) {
    WriteFile(path_, bytes);
    const Read base = With(1);
    for (const unsigned threads : {2u, 5u}) {
      const Read read = With(threads);
      EXPECT_EQ(read.bytes, base.bytes) << what;
      EXPECT_EQ(read.error, base.error) << what;
      if (base.error.empty()) {
        EXPECT_EQ(read.checksum, base.checksum) << what;
        EXPECT_EQ(read.consumed, base.consumed) << what;
      }
    }
  }

  const TempDir dir_;
  const std::string path_ = dir_ / "data.zst";
  const std::string frames_ = SkippableFrame(4) + SizedFrame(SampleText()) + SizedFrame("") +
                              SizedFrame(NoisyText(700)) + SkippableFrame(0) + SizedFrame("last\n") +
                              SkippableFrame(9);
};

TEST_F(UnpackedAhead, FramesOfEveryKind) {
  WriteFile(path_, frames_);
  EXPECT_EQ(With(4).bytes, SampleText() + NoisyText(700) + "last\n");
  EXPECT_EQ(With(4).error, "");
  ExpectSame(frames_, "frames of known sizes");
  ExpectSame(frames_ + Zstd(SampleText()) + frames_, "one of unknown size between them");
  ExpectSame(Zstd(SampleText()) + frames_, "one of unknown size first");
  ExpectSame(Gzip(SampleText()) + Gzip(NoisyText(700'000)), "gzip");
  ExpectSame(SkippableFrame(300'000), "nothing but what is skipped");
  std::string many;
  for (int i = 0; i < 200; ++i) many += SizedFrame(NoisyText(static_cast<std::size_t>(i) * 100));
  ExpectSame(many + SizedFrame(NoisyText(1'500'000)), "many");
}

TEST_F(UnpackedAhead, CutAnywhereOrWithAnyByteDamaged) {
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    ExpectSame(frames_.substr(0, i), "cut at " + std::to_string(i));
    std::string damaged = frames_;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x11);
    ExpectSame(damaged, "damaged at " + std::to_string(i));
  }
  ExpectSame(frames_ + "other data", "other data behind it");
  ExpectSame(frames_ + frames_.substr(0, 20), "cut in the second half");
}

TEST_F(UnpackedAhead, LongFramesWithAByteDamaged) {
  const std::string frame = SizedFrame(NoisyText(400'000));
  for (const std::string& frames : {Zstd(NoisyText(400'000)) + frame, frame + Zstd(NoisyText(1'000))}) {
    for (std::size_t i = 8; i < frames.size(); i += 9'973) {
      std::string damaged = frames;
      damaged[i] ^= 0x10;
      ExpectSame(damaged, "damaged at " + std::to_string(i));
    }
  }
}

// As a whole, libzstd would take matches from before the window.
TEST_F(UnpackedAhead, AFrameWithoutAChecksumThatReachesBeyondItsWindow) {
  const std::string text = NoisyText(600'000) + NoisyText(600'000);
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 20);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  frame.resize(ZSTD_compress2(context, frame.data(), frame.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  ExpectSame(frame, "as it should be");
  EXPECT_EQ(With(4).error, "");
  ASSERT_EQ(frame[5], (20 - 10) << 3);
  frame[5] = (17 - 10) << 3;
  ExpectSame(frame, "with another window in its header");
  EXPECT_NE(With(4).error, "");
}

TEST_F(UnpackedAhead, RatiosAndWindowsAreHeldAsByOneThread) {
  std::string bombs;
  for (int i = 0; i < 3; ++i) bombs += SizedFrame(std::string(30 << 20, 'x'));
  WriteFile(path_, bombs);
  const Read base = With(1);
  EXPECT_NE(base.error.find("--max-ratio"), std::string::npos) << base.error;
  const Read ahead = With(4);
  EXPECT_EQ(ahead.error, base.error);
  EXPECT_EQ(ahead.bytes.size(), base.bytes.size());
  EXPECT_EQ(With(4, 100'000), With(1, 100'000));
  // The frames are larger than the share of the memory, and so are their windows.
  EXPECT_EQ(With(4, 1000, 1 << 20).error, With(1, 1000, 1 << 20).error);
  WriteFile(path_, SizedFrame(NoisyText(900'000)) + SizedFrame(NoisyText(3'000'000)));
  EXPECT_EQ(With(4, 1000, 1 << 20).error, With(1, 1000, 1 << 20).error);
  EXPECT_EQ(With(4, 1000, 1 << 20).bytes, With(1, 1000, 1 << 20).bytes);
  EXPECT_EQ(With(4, 1000, 4 << 20).error, "");
}

TEST_F(UnpackedAhead, WhoStopsReadingWaitsForNothing) {
  std::string many;
  for (int i = 0; i < 100; ++i) many += SizedFrame(NoisyText(100'000));
  WriteFile(path_, many);
  for (std::size_t pieces = 0; pieces < 5; ++pieces) {
    const auto source = OpenByteSource(path_, nullptr, nullptr, 1000, kMaxZstdWindow, 4);
    std::string piece(50'000, '\0');
    for (std::size_t i = 0; i < pieces; ++i) {
      EXPECT_GT(source->Read(std::as_writable_bytes(std::span(piece))), 0u);
    }
  }
}

}  // namespace
}  // namespace leafscore::internal
