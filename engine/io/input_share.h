// engine/io/input_share.h: decides which records of a run's inputs belong to a shard.
//
// The bytes of all inputs, as they are on disk and one input after another, are cut into equal parts, one per
// shard. In a plain file of lines, a line belongs to the shard whose part has its first byte. A compressed
// file, an array or a table cannot be entered in the middle, so all of it belongs to the shard whose part has
// its middle byte. The shard of a record thus depends only on the inputs and the number of shards.
// THREADS: stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_IO_INPUT_SHARE_H_
#define LEAFSCORE_ENGINE_IO_INPUT_SHARE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/base/checksum.h"
#include "engine/io/byte_source.h"
#include "leafscore/files.h"

namespace leafscore::internal {

// The part of an input that belongs to a shard.
struct InputShare {
  enum class Kind : std::uint8_t { kNone, kAll, kLines };

  Kind kind = Kind::kAll;
  std::uint64_t begin = 0;  // kLines: the bytes [begin, end) of the file: whole lines, or empty
  std::uint64_t end = 0;
};

// How to read an input of lines.
struct LineRules {
  std::optional<InputFormat> format = InputFormat::kAuto;
  std::size_t max_line_bytes = 0;
  bool is_rewritten = false;  // ReaderOptions::rewrite replaces the lines of the file
};

// Returns where the first record of a plain file of lines begins, as RecordSplitter finds it.
// RETURNS: nullopt for any other file. ERRORS: Error(kInput).
std::optional<std::uint64_t> FindFirstLine(const std::string& input, const LineRules& rules);

// Returns a shard's part of an input. `bytes` are the file sizes of all inputs.
// ERRORS: Error(kInput) if the input cannot be read.
// COST: reads the start of the input, and a line at each end of the part, if that end lies in the input.
InputShare ShareOf(const std::string& input, std::size_t number, std::span<const std::uint64_t> bytes,
                   const Shard& shard, const LineRules& rules);

// Opens a range of bytes in a file. Adds the bytes that are read to `checksum`. ERRORS: Error(kInput), also
// if the file ends before the range.
std::unique_ptr<ByteSource> OpenFileRange(const std::string& path, std::uint64_t begin, std::uint64_t end,
                                          BlockChecksum& checksum);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_INPUT_SHARE_H_
