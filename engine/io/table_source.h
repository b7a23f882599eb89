// engine/io/table_source.h: reads a table of separated values (RFC 4180) as the JSON Lines that it stands
// for.
//
// The first row names the columns. Each later row becomes an object with the texts of its cells:
//
//   id,expected,actual
//   7,"{""a"": 1}",      ->  {"id":"7","expected":"{\"a\": 1}"}
//
// An empty cell, quoted or not, has no member (with EmptyCells::kNull, it has the value null). A cell of a
// column without a name has no member, either. A cell that begins with a quote ends at the next quote that is
// not doubled; a doubled quote in it stands for one. In any other cell, a quote is a character like others.
// Outside of quotes, a row ends at LF or CRLF; if the first row ends with a CR alone, so do all rows. An
// empty line is not a row. A byte order mark at the start is skipped. Columns are separated by tabs in TSV.
// In CSV, they are separated by the most frequent of comma, semicolon and tab in the first row.
//
// A row that cannot be read becomes a line that consists of kBrokenRowMark, a sentence that says why, a NUL,
// and the object of the readable cells. If rows cannot be told apart any more, for example because of an open
// quote, reading ends with an error. THREADS: as ByteSource.
#ifndef LEAFSCORE_ENGINE_IO_TABLE_SOURCE_H_
#define LEAFSCORE_ENGINE_IO_TABLE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/io/byte_source.h"
#include "leafscore/files.h"

namespace leafscore::internal {

inline constexpr char kBrokenRowMark = '\x1e';

enum class EmptyCells : std::uint8_t { kAbsent, kNull };

// Returns the lines of a table, which messages call `name`. A row with more than `max_row_bytes` bytes in its
// cells is a broken row, which is not kept in memory. REQUIRES: IsTable(format). ERRORS: Read throws
// Error(kInput) if reading the table fails, if the first row does not name columns, or if rows cannot be told
// apart. After one of the last two errors, Read returns the rest of the table as it is.
std::unique_ptr<ByteSource> LinesOfTable(std::unique_ptr<ByteSource> table, InputFormat format,
                                         std::string name, std::size_t max_row_bytes,
                                         EmptyCells empty = EmptyCells::kAbsent);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_TABLE_SOURCE_H_
