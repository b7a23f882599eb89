#include "cli/config_file.h"

#include <memory>
#include <span>

#include "engine/base/limits.h"
#include "engine/config/config_parser.h"
#include "engine/io/byte_source.h"

namespace leafscore::internal {

std::string ReadConfigText(const std::string& path) {
  const std::unique_ptr<ByteSource> source = OpenByteSource(path);
  std::string text;
  // One byte more than allowed is enough for the parser to see that it is too much.
  while (text.size() <= kMaxConfigBytes.default_value) {
    char block[1 << 14];
    const std::size_t size = source->Read(std::as_writable_bytes(std::span(block)));
    if (size == 0) break;
    text.append(block, size);
  }
  return text;
}

ConfigValue ReadConfigFile(const std::string& path) { return ParseConfig(ReadConfigText(path), path); }

}  // namespace leafscore::internal
