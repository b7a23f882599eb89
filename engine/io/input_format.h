// engine/io/input_format.h: how the records lie in an input, and what an input is that holds none.
// Decided from the option, the name and the first bytes, so that nothing has to be read twice. An array is
// recognised as one only where no line of it can be a record; once an input is taken for an array, whatever
// is no part of the array ends the run (record_splitter.h), so that nothing is passed over.
// Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_IO_INPUT_FORMAT_H_
#define LEAFSCORE_ENGINE_IO_INPUT_FORMAT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "leafscore/files.h"

namespace leafscore::internal {

// White space as JSON has it.
inline constexpr std::string_view kJsonSpace = " \t\r\n";

// Returns the first position from `begin` on that is no white space, or the size.
inline std::size_t SkipJsonSpace(std::string_view text, std::size_t begin) {
  const std::size_t at = text.find_first_not_of(kJsonSpace, begin);
  return at == std::string_view::npos ? text.size() : at;
}

// Returns where white space at the end of text[begin, end) begins.
inline std::size_t TrimEnd(std::string_view text, std::size_t begin, std::size_t end) {
  while (end > begin && kJsonSpace.find(text[end - 1]) != std::string_view::npos) --end;
  return end;
}

// Returns the format that is asked for, where need be by the ending of the input's name (.gz and .zst are
// passed over); kAuto when that tells nothing.
InputFormat FormatByName(InputFormat asked, std::string_view name);

struct FoundFormat {
  bool is_array = false;
  std::string fault;  // what the input is instead of a file of records, and what to do; or empty
};

// Finds the format. `head` begins with the input's first byte that is no white space; `no_more` says that no
// more of it will come. REQUIRES: head is not empty.
// RETURNS: nothing when more bytes have to be seen.
std::optional<FoundFormat> FindInputFormat(InputFormat asked, std::string_view head, bool no_more);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_INPUT_FORMAT_H_
