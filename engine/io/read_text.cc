#include "engine/io/read_text.h"

#include <memory>
#include <span>

#include "engine/io/byte_source.h"

namespace leafscore::internal {

std::string ReadText(const std::string& path, std::size_t most) {
  const std::unique_ptr<ByteSource> source = OpenByteSource(path);
  std::string text;
  while (text.size() <= most) {
    char block[1 << 14];
    const std::size_t size = source->Read(std::as_writable_bytes(std::span(block)));
    if (size == 0) break;
    text.append(block, size);
  }
  return text;
}

}  // namespace leafscore::internal
