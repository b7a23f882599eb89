// engine/io/input_share.h: which records of the inputs of a run are those of one of its shards.
//
// The bytes of all inputs, as they lie on disk one input behind the other, are cut into as many parts of one
// size as there are shards. A plain file of lines is cut there: a line is of the shard in whose part it
// begins. What cannot be entered in its middle, a compressed file or an array, is given as a whole to the
// shard in whose part its middle lies, if there are as many inputs as shards; of fewer inputs every shard
// reads all of it, and the shards take its records in turn, those that begin in 64 KiB of its text each time.
// So who scores a record depends on the inputs and on the number of shards alone. THREADS: no state; any may
// call.
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

// A part of an input.
struct InputShare {
  enum class Kind : std::uint8_t { kNone, kAll, kLines, kDealt };

  Kind kind = Kind::kAll;
  std::uint64_t begin = 0;  // kLines: bytes [begin, end) of the file, which are whole lines or nothing
  std::uint64_t end = 0;
};

// How an input is looked at.
struct LineRules {
  std::optional<InputFormat> format = InputFormat::kAuto;
  std::size_t max_line_bytes = 0;
};

// Returns where the first record of a plain file of lines begins, as RecordSplitter finds it; nothing of any
// other file. ERRORS: Error(kInput).
std::optional<std::uint64_t> FindFirstLine(const std::string& input, const LineRules& rules);

// Returns what a shard has of an input. `bytes` are the sizes of all inputs as files.
// ERRORS: Error(kInput) when the input cannot be read.
// COST:   reads the begin of the input, and the lines in which parts begin and end, if it lies in the part.
InputShare ShareOf(const std::string& input, std::size_t number, std::span<const std::uint64_t> bytes,
                   const Shard& shard, const LineRules& rules);

// Returns whether the record that begins at this byte of the text of an input that is dealt is of the shard;
// records of the same DealtBlock are of one shard.
inline std::uint64_t DealtBlock(std::uint64_t offset) { return offset >> 16; }
inline bool IsDealtTo(const Shard& shard, std::size_t input, std::uint64_t offset) {
  return (DealtBlock(offset) + input) % shard.count == shard.index - 1;
}

// Opens these bytes of a file; what is read is added to *checksum. ERRORS: Error(kInput), also where the file
// ends before.
std::unique_ptr<ByteSource> OpenFileRange(const std::string& path, std::uint64_t begin, std::uint64_t end,
                                          BlockChecksum& checksum);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_INPUT_SHARE_H_
