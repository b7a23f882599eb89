#include "engine/config_json.h"

#include "engine/json_scalar.h"
#include "engine/json_text.h"

namespace leafscore {

void AppendConfigAsJson(const ConfigValue& value, std::string& out) {
  switch (value.kind) {
    case ConfigValue::Kind::kNull:
      out += "null";
      break;
    case ConfigValue::Kind::kScalar: {
      const std::string& text = value.scalar;
      const bool typed = !value.quoted && (text == "true" || text == "false" || text == "null" ||
                                           ClassifyNumber(text) != TokenClass::kInvalid);
      if (typed) {
        out += text;
      } else {
        AppendJsonString(out, text);
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

}  // namespace leafscore
