// Fuzzes the reading of compressed inputs against zlib and libzstd themselves: what they decode comes out
// byte for byte, with one thread and with two, and what they refuse is refused.
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/io/byte_source.h"
#include "engine/io/codec.h"
#include "fuzz/fuzz_check.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr int kWindowLog = 20;                  // small, as the buffers are made anew for each input
constexpr std::size_t kMostUnpacked = 4 << 20;  // what unpacks to more is passed over, as it takes too long

struct Unpacked {
  std::string bytes;
  bool whole = false;
};

// RETURNS: nothing of what unpacks to too much.
std::optional<Unpacked> ReferenceZstd(std::string_view packed) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kWindowLog);
  Unpacked result;
  ZSTD_inBuffer in = {packed.data(), packed.size(), 0};
  std::string piece(ZSTD_DStreamOutSize(), '\0');
  while (true) {
    ZSTD_outBuffer out = {piece.data(), piece.size(), 0};
    const std::size_t left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left)) return result;
    result.bytes.append(piece, 0, out.pos);
    if (result.bytes.size() > kMostUnpacked) return std::nullopt;
    if (in.pos < in.size || out.pos == out.size) continue;
    result.whole = left == 0;
    return result;
  }
}

std::optional<Unpacked> ReferenceGzip(std::string_view packed) {
  z_stream stream = {};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) std::abort();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, inflateEnd);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  Unpacked result;
  std::string piece(1 << 16, '\0');
  while (true) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    const int state = inflate(&stream, Z_NO_FLUSH);
    result.bytes.append(piece, 0, piece.size() - stream.avail_out);
    if (result.bytes.size() > kMostUnpacked) return std::nullopt;
    if (state == Z_OK && stream.avail_out == 0) continue;
    if (state != Z_STREAM_END) return result;
    while (stream.avail_in > 0 && *stream.next_in == 0) ++stream.next_in, --stream.avail_in;  // padding
    result.whole = stream.avail_in == 0;
    if (result.whole || inflateReset(&stream) != Z_OK) return result;
  }
}

Unpacked Read(const std::string& path, unsigned threads) {
  Unpacked result;
  try {
    const std::unique_ptr<ByteSource> source = OpenByteSource(path, nullptr, nullptr, kMaxRatio.default_value,
                                                              std::uint64_t{1} << kWindowLog, threads);
    std::string piece(1 << 12, '\0');
    while (const std::size_t read = source->Read(std::as_writable_bytes(std::span(piece))))
      result.bytes.append(piece, 0, read);
    result.whole = true;
  } catch (const Error& error) {
    Check(error.code() == ErrorCode::kInput, error.what());
  }
  return result;
}

void CheckUnpacking(std::string_view packed) {
  const bool is_zstd = IsZstd(packed);
  if (!is_zstd && !IsGzip(packed)) return;
  const std::optional<Unpacked> expected = is_zstd ? ReferenceZstd(packed) : ReferenceGzip(packed);
  if (!expected) return;

  static const int file = memfd_create("fuzzed", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 ||
      pwrite(file, packed.data(), packed.size(), 0) != static_cast<ssize_t>(packed.size()))
    std::abort();
  const Unpacked one = Read(path, 1);
  const Unpacked two = Read(path, 2);
  Check(one.bytes == two.bytes && one.whole == two.whole, "two threads read something else");
  Check(one.whole == expected->whole, one.whole ? "taken, and damaged" : "refused, and whole");
  const auto& [shorter, longer] =
      std::minmax(one.bytes, expected->bytes, [](auto& a, auto& b) { return a.size() < b.size(); });
  Check(longer.starts_with(shorter) && (!one.whole || shorter == longer), "other bytes");
}

}  // namespace
}  // namespace leafscore::internal

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  leafscore::internal::CheckUnpacking({reinterpret_cast<const char*>(data), size});
  return 0;
}
