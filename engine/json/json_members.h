// engine/json/json_members.h: members of an object that RapidJSON writes, for summaries. Stateless.
#ifndef LEAFSCORE_ENGINE_JSON_JSON_MEMBERS_H_
#define LEAFSCORE_ENGINE_JSON_JSON_MEMBERS_H_

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace leafscore::internal {

using PrettyJsonWriter = rapidjson::PrettyWriter<rapidjson::StringBuffer>;

inline void WriteKey(PrettyJsonWriter& writer, std::string_view key) {
  writer.Key(key.data(), static_cast<rapidjson::SizeType>(key.size()));
}

inline void WriteText(PrettyJsonWriter& writer, std::string_view text) {
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

inline void WriteCount(PrettyJsonWriter& writer, std::string_view key, std::uint64_t count) {
  WriteKey(writer, key);
  writer.Uint64(count);
}

// RapidJSON's own doubles are not always the shortest that read back as the same number.
inline void WriteFigure(PrettyJsonWriter& writer, std::string_view key, std::optional<double> number) {
  WriteKey(writer, key);
  if (!number) {
    writer.Null();
    return;
  }
  std::array<char, 32> digits;
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), *number).ptr;
  writer.RawValue(digits.data(), static_cast<std::size_t>(end - digits.data()), rapidjson::kNumberType);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_JSON_MEMBERS_H_
