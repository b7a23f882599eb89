// engine/text/unicode_names.h: characters by name, as in the escape \N{...} of Python.
// The index of all names is made when the first name is asked for (40 ms, 2.4 MB) and kept: ICU alone looks
// through every name each time. THREADS: safe.
#ifndef LEAFSCORE_ENGINE_TEXT_UNICODE_NAMES_H_
#define LEAFSCORE_ENGINE_TEXT_UNICODE_NAMES_H_

#include <cstdint>
#include <string_view>

namespace leafscore::internal {

// Returns the code point with this name or alias, or -1. Case matters only in the names of ideographs and
// Hangul syllables. Named sequences are not characters.
std::int32_t CodePointOfName(std::string_view name);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_UNICODE_NAMES_H_
