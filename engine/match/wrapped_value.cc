#include "engine/match/wrapped_value.h"

#include <algorithm>
#include <iterator>

namespace leafscore::internal {
namespace {

bool LooksLikeSchema(const JsonView& value) {
  constexpr std::string_view kKeys[] = {"type", "$ref", "enum", "const", "anyOf", "oneOf", "allOf"};
  return std::ranges::any_of(kKeys, [&](std::string_view key) { return value.Member(key).present(); });
}

}  // namespace

bool MayBeWrapped(std::string_view key, const JsonView& value) {
  if (key == "error" || key == "Error") return false;
  if (key != "properties") return true;
  bool are_schemas = value.Is(ValueKind::kObject);
  value.ForEachChild([&](const JsonView& child) { are_schemas &= LooksLikeSchema(child); });
  return !are_schemas;
}

}  // namespace leafscore::internal
