#include "engine/config/config_json.h"

#include <cmath>
#include <optional>

#include "engine/json/json_scalar.h"
#include "engine/json/json_text.h"

namespace leafscore::internal {

void AppendConfigAsJson(const ConfigValue& value, std::string& out) {
  switch (value.kind) {
    case ConfigValue::Kind::kNull:
      out += "null";
      break;
    case ConfigValue::Kind::kScalar: {
      const std::optional<bool> boolean = AsBool(value);
      const std::optional<double> number = AsNumber(value);
      if (boolean) {
        out += *boolean ? "true" : "false";
      } else if (!value.quoted && ClassifyNumber(value.scalar) != TokenClass::kInvalid &&
                 value.scalar.back() <= '9') {  // not NaN or Infinity
        out += value.scalar;
      } else if (number && std::isfinite(*number)) {
        AppendJsonNumber(out, *number);
      } else {
        AppendJsonString(out, value.scalar);
      }
      break;
    }
    case ConfigValue::Kind::kList: {
      char separator = '[';
      for (const ConfigValue& item : value.items) {
        out += separator;
        separator = ',';
        AppendConfigAsJson(item, out);
      }
      if (value.items.empty()) out += '[';
      out += ']';
      break;
    }
    case ConfigValue::Kind::kMap: {
      char separator = '{';
      for (const ConfigMember& member : value.members) {
        out += separator;
        separator = ',';
        AppendJsonString(out, member.key);
        out += ':';
        AppendConfigAsJson(member.value, out);
      }
      if (value.members.empty()) out += '{';
      out += '}';
      break;
    }
  }
}

}  // namespace leafscore::internal
