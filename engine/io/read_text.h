// engine/io/read_text.h: reads small files whole. Stateless.
#ifndef LEAFSCORE_ENGINE_IO_READ_TEXT_H_
#define LEAFSCORE_ENGINE_IO_READ_TEXT_H_

#include <cstddef>
#include <string>

namespace leafscore::internal {

// Returns the text of a file, decompressed if necessary; "-" is standard input. If the text is longer than
// `most` bytes, at least `most` + 1 bytes of it are returned, so that the parser sees that it is too long.
// ERRORS: as OpenByteSource and ByteSource::Read.
std::string ReadText(const std::string& path, std::size_t most);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_READ_TEXT_H_
