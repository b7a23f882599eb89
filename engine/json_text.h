// engine/json_text.h: writes JSON text. Nothing here keeps state.
#ifndef LEAFSCORE_ENGINE_JSON_TEXT_H_
#define LEAFSCORE_ENGINE_JSON_TEXT_H_

#include <string>
#include <string_view>

namespace leafscore {

// Appends `utf8` as a quoted JSON string (RFC 8259, section 7); only `"`, `\` and control characters are
// escaped, in their short form where there is one, else as \u00XX.
// REQUIRES: valid UTF-8 (the bytes from 0x80 on are copied as they are).
// COST:     one scan, and one copy a run of plain bytes. THREADS: safe with distinct outputs.
void AppendJsonString(std::string& out, std::string_view utf8);

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_JSON_TEXT_H_
