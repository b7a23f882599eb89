// engine/json/json_text.h: the tokens of JSON text, which json_writer.h puts together. Stateless.
#ifndef LEAFSCORE_ENGINE_JSON_JSON_TEXT_H_
#define LEAFSCORE_ENGINE_JSON_JSON_TEXT_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Appends `utf8` as a quoted JSON string (RFC 8259, section 7); only `"`, `\` and control characters are
// escaped, in their short form where there is one, else as \u00XX.
// REQUIRES: valid UTF-8 (the bytes from 0x80 on are copied as they are).
// COST:     one scan, and one copy for each stretch of plain bytes. THREADS: safe with distinct outputs.
void AppendJsonString(std::string& out, std::string_view utf8);

// Appends the same without the quotes: a part of a string.
void AppendJsonCharacters(std::string& out, std::string_view utf8);

// Appends the shortest decimal that reads back as the same double; `null` for NaN.
// REQUIRES: not infinite.
void AppendJsonNumber(std::string& out, double value);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_JSON_TEXT_H_
