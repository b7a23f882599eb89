// engine/json/json_text.h: writes the tokens from which json_writer.h builds JSON text. Stateless.
#ifndef LEAFSCORE_ENGINE_JSON_JSON_TEXT_H_
#define LEAFSCORE_ENGINE_JSON_JSON_TEXT_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Appends `utf8` as a quoted JSON string (RFC 8259, section 7). Only `"`, `\` and control characters are
// escaped, in their short form if they have one and otherwise as \u00XX.
// REQUIRES: valid UTF-8 (bytes of 0x80 and above are copied).
// COST: one scan, and one copy for each run of plain bytes.
// THREADS: any number, with different outputs.
// `before` and `after` are appended as they are, around the quotes.
void AppendJsonString(std::string& out, std::string_view utf8, std::string_view before = {},
                      std::string_view after = {});

// Appends a text as AppendJsonString does, but without quotes, as a part of a string.
void AppendJsonCharacters(std::string& out, std::string_view utf8);

// Appends a decimal that reads back as the same double: a whole number below 2^53 with all its digits, any
// other as short as possible; `null` for NaN.
// REQUIRES: not infinite.
void AppendJsonNumber(std::string& out, double value);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_JSON_TEXT_H_
