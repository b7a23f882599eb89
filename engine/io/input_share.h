// engine/io/input_share.h: which records of the inputs of a run are those of one of its shards.
//
// The bytes of all inputs, as they lie on disk one input behind the other, are cut into as many parts of one
// size as there are shards. A plain file of lines is cut there: a line belongs to the shard in whose part it
// begins. A compressed file or an array cannot be entered in its middle, so all of it belongs to the shard in
// whose part its middle lies. Which shard scores a record thus depends on the inputs and the number of shards
// alone. THREADS: no state; any may call.
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
  enum class Kind : std::uint8_t { kNone, kAll, kLines };

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

// Opens these bytes of a file; what is read is added to *checksum. ERRORS: Error(kInput), also where the file
// ends before.
std::unique_ptr<ByteSource> OpenFileRange(const std::string& path, std::uint64_t begin, std::uint64_t end,
                                          BlockChecksum& checksum);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_INPUT_SHARE_H_
