// engine/render/csv.h: fields and tables of CSV (RFC 4180), for programs and spreadsheets.
#ifndef LEAFSCORE_ENGINE_RENDER_CSV_H_
#define LEAFSCORE_ENGINE_RENDER_CSV_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace leafscore::internal {

// How the fields of CSV are written.
enum class CsvFields : std::uint8_t {
  kSafe,  // No spreadsheet takes a field for a formula: an apostrophe precedes a field that begins like a
          // formula and is not a number. Control characters except tabs and line ends, and directional marks,
          // become escapes (\u001B).
  kRaw,   // as they are
};

// Appends a field, valid UTF-8, quoted only if necessary.
void AppendCsvField(std::string& out, std::string_view text, CsvFields fields = CsvFields::kSafe);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RENDER_CSV_H_
