// engine/render/csv.h: fields and tables of CSV (RFC 4180), for programs and spreadsheets.
#ifndef LEAFSCORE_ENGINE_RENDER_CSV_H_
#define LEAFSCORE_ENGINE_RENDER_CSV_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace leafscore::internal {

// How the fields of CSV are written.
enum class CsvFields : std::uint8_t {
  kSafe,  // No spreadsheet takes one for a formula: an apostrophe stands before what begins like a formula
          // and is no number. Control characters but tabs and line ends, and marks of direction, are escapes
          // (\u001B).
  kRaw,   // as they are
};

// Appends a field, valid UTF-8, in quotes only where it needs them.
void AppendCsvField(std::string& out, std::string_view text, CsvFields fields = CsvFields::kSafe);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RENDER_CSV_H_
