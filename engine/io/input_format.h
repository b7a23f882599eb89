// engine/io/input_format.h: finds out how the records of an input are stored or, if it is no file of records,
// what it is instead. The option, the name and the first bytes decide, so that nothing has to be read twice.
// An input is taken for an array only if none of its lines can be a record; from then on, anything outside
// the array ends the run (record_splitter.h), so that no record is missed. Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_IO_INPUT_FORMAT_H_
#define LEAFSCORE_ENGINE_IO_INPUT_FORMAT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "leafscore/files.h"

namespace leafscore::internal {

// The white space of JSON.
inline constexpr std::string_view kJsonSpace = " \t\r\n";

// Returns the first position at or after `begin` that is not white space, or the size.
inline std::size_t SkipJsonSpace(std::string_view text, std::size_t begin) {
  const std::size_t at = text.find_first_not_of(kJsonSpace, begin);
  return at == std::string_view::npos ? text.size() : at;
}

// Returns where the white space at the end of text[begin, end) begins.
inline std::size_t TrimEnd(std::string_view text, std::size_t begin, std::size_t end) {
  while (end > begin && kJsonSpace.find(text[end - 1]) != std::string_view::npos) --end;
  return end;
}

// Returns the requested format. For kAuto, returns the format that the input's name implies, or kAuto if it
// implies no format. The endings .gz and .zst are ignored. The endings .csv and .tsv may be in upper case.
InputFormat FormatByName(InputFormat asked, std::string_view name);

struct FoundFormat {
  bool is_array = false;
  std::string fault;  // empty, or what the input is instead of a file of records, and what to do
};

// Returns whether inputs in this format are tables of separated values (table_source.h).
inline bool IsTable(InputFormat format) { return format == InputFormat::kCsv || format == InputFormat::kTsv; }

// Finds the format of an input that is no table. `head` begins with the first byte of the input that is not
// white space; `no_more` says that no more bytes will follow `head`. REQUIRES: head is not empty. RETURNS:
// nullopt if more bytes are needed.
std::optional<FoundFormat> FindInputFormat(InputFormat asked, std::string_view head, bool no_more);

// For a file that is a table according to its name or an option: returns what the file is instead, according
// to its first bytes; empty if it may be a table.
std::string TableFault(std::string_view head);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_INPUT_FORMAT_H_
