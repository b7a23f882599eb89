#include "engine/config/config_json.h"

#include <cmath>
#include <optional>

#include "engine/json/json_scalar.h"
#include "engine/json/json_writer.h"

namespace leafscore::internal {
namespace {

void WriteConfig(const ConfigValue& value, JsonWriter& json) {
  switch (value.kind) {
    case ConfigValue::Kind::kNull:
      json.Null();
      break;
    case ConfigValue::Kind::kScalar: {
      const std::optional<bool> boolean = AsBool(value);
      const std::optional<double> number = AsNumber(value);
      if (boolean) {
        json.Bool(*boolean);
      } else if (!value.quoted && ClassifyNumber(value.scalar) != TokenClass::kInvalid &&
                 value.scalar.back() <= '9') {  // not NaN or Infinity
        json.Raw(value.scalar);
      } else if (number && std::isfinite(*number)) {
        json.Number(*number);
      } else {
        json.String(value.scalar);
      }
      break;
    }
    case ConfigValue::Kind::kList:
      json.StartArray();
      for (const ConfigValue& item : value.items) WriteConfig(item, json);
      json.EndArray();
      break;
    case ConfigValue::Kind::kMap:
      json.StartObject();
      for (const ConfigMember& member : value.members) WriteConfig(member.value, json.Key(member.key));
      json.EndObject();
      break;
  }
}

}  // namespace

void AppendConfigAsJson(const ConfigValue& value, std::string& out) {
  JsonWriter json(out, JsonLayout::kCompact);
  WriteConfig(value, json);
}

}  // namespace leafscore::internal
