// tests/io/io_test_util.h: shared by the tests of inputs and outputs. Compression uses zlib and libzstd
// directly, so that it does not depend on the code under test.
#ifndef LEAFSCORE_TESTS_IO_IO_TEST_UTIL_H_
#define LEAFSCORE_TESTS_IO_IO_TEST_UTIL_H_

#include <gtest/gtest.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "engine/base/checksum.h"
#include "engine/io/byte_source.h"
#include "leafscore/error.h"

namespace leafscore::internal {

class TempDir {
 public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "leafscore_io_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TempDir() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Returns the checksum of an input.
inline std::string BlockChecksumOf(const std::string& text) {
  BlockChecksum checksum;
  checksum.Add(text);
  return checksum.Text();
}

inline std::string Gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string Zstd(const std::string& text, int window_log = 0) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  if (window_log > 0) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  }
  std::string out(ZSTD_compressBound(text.size()), '\0');
  // Streamed without the total size, so that the frame header states the requested window.
  ZSTD_inBuffer input{text.data(), text.size(), 0};
  ZSTD_outBuffer output{out.data(), out.size(), 0};
  EXPECT_FALSE(ZSTD_isError(ZSTD_compressStream2(context, &output, &input, ZSTD_e_continue)));
  EXPECT_EQ(ZSTD_compressStream2(context, &output, &input, ZSTD_e_end), 0u);
  out.resize(output.pos);
  ZSTD_freeCCtx(context);
  return out;
}

struct ReadResult {
  std::string bytes;  // before the end or the error
  std::string error;  // empty: the input ended properly
};

inline ReadResult ReadAll(ByteSource& source, std::size_t piece_bytes = 4096) {
  ReadResult result;
  std::string piece(piece_bytes, '\0');
  try {
    while (const std::size_t n = source.Read(std::as_writable_bytes(std::span(piece)))) {
      result.bytes.append(piece, 0, n);
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    result.error = error.what();
  }
  return result;
}

inline ReadResult ReadAll(const std::string& path, std::size_t piece_bytes = 4096) {
  return ReadAll(*OpenByteSource(path), piece_bytes);
}

// Returns the message of the Error with this code that `action` throws.
template <typename Action>
std::string ErrorOf(ErrorCode code, Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  ADD_FAILURE() << "no Error was thrown";
  return "";
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_IO_IO_TEST_UTIL_H_
