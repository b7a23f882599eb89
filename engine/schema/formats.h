// engine/schema/formats.h: the formats of texts that a JSON Schema can name, as their standards define them.
// Stateless.
#ifndef LEAFSCORE_ENGINE_SCHEMA_FORMATS_H_
#define LEAFSCORE_ENGINE_SCHEMA_FORMATS_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace leafscore::internal {

enum class StringFormat : std::uint8_t {
  kDate,      // full-date of RFC 3339
  kDateTime,  // date-time
  kTime,      // full-time
  kEmail,     // Mailbox of RFC 5321, in ASCII
  kUri,       // RFC 3986, with a scheme
  kUuid,      // RFC 4122
  kIpv4,      // RFC 2673, 3.2
  kIpv6,      // RFC 4291, 2.2
};

// RETURNS: the format of this name, or nullopt for a format that is not checked.
std::optional<StringFormat> FindStringFormat(std::string_view name);

// Returns whether a text has a format.
bool IsFormat(StringFormat format, std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_FORMATS_H_
