#include "engine/scorers/fmea/strict_answer.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/json/json_scalar.h"

namespace leafscore::internal {

void AppendRepeatedKeys(std::string_view json, std::vector<std::string>& keys) {
  struct Open {
    bool is_object;
    bool at_key;
    std::vector<std::string> keys = {};
  };
  std::vector<Open> open;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '{' || c == '[') {
      open.push_back({c == '{', c == '{'});
    } else if (c == '}' || c == ']') {
      std::vector<std::string> of_object = std::move(open.back().keys);
      open.pop_back();
      std::ranges::sort(of_object);
      for (std::size_t k = 1; k < of_object.size(); ++k) {
        const bool again = of_object[k] == of_object[k - 1];
        if (again && (k == 1 || of_object[k] != of_object[k - 2])) keys.push_back(of_object[k]);
      }
    } else if (c == ',' && !open.empty()) {
      open.back().at_key = open.back().is_object;
    } else if (c == '"') {
      const std::size_t begin = ++at;
      while (json[at] != '"') at += json[at] == '\\' ? 2 : 1;
      if (open.empty() || !open.back().at_key) continue;
      open.back().at_key = false;
      AppendUnescaped(json.substr(begin, at - begin), open.back().keys.emplace_back());
    }
  }
}

}  // namespace leafscore::internal
