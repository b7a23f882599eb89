// engine/io/read_text.h: small files, read whole. Stateless.
#ifndef LEAFSCORE_ENGINE_IO_READ_TEXT_H_
#define LEAFSCORE_ENGINE_IO_READ_TEXT_H_

#include <cstddef>
#include <string>

namespace leafscore::internal {

// Returns the text of a file (compressed ones too; "-" is standard input); of one that is longer than `most`
// bytes somewhat more than these, so that whoever parses it sees that it is too long.
// ERRORS: those of OpenByteSource and ByteSource::Read.
std::string ReadText(const std::string& path, std::size_t most);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_READ_TEXT_H_
