#include "engine/languages/python_equal.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/json/json_scalar.h"

namespace leafscore::internal {
namespace {

std::optional<double> NumberOf(const JsonView& value) {
  if (value.Is(ValueKind::kTrue)) return 1;
  if (value.Is(ValueKind::kFalse)) return 0;
  return value.Number();
}

std::vector<JsonView> ChildrenOf(const JsonView& value) {
  std::vector<JsonView> children;
  value.ForEachChild([&](const JsonView& child) { children.push_back(child); });
  return children;
}

}  // namespace

bool PythonEqual(const JsonView& a, const JsonView& b, PythonNumbers numbers) {
  if (numbers == PythonNumbers::kAsRead && a.Is(ValueKind::kNumber) && b.Is(ValueKind::kNumber)) {
    // Integers of any length are compared by their digits.
    return IsNamedNumber(a.Written()) || IsNamedNumber(b.Written()) ? a.Number() == b.Number()
                                                                    : EqualNumbers(a.Written(), b.Written());
  }
  const std::optional<double> number = NumberOf(a);
  if (number || NumberOf(b)) return number == NumberOf(b);
  if (a.IsText() || b.IsText()) return a.IsText() && b.IsText() && a.Text() == b.Text();
  for (const ValueKind kind : {ValueKind::kNull, ValueKind::kArray, ValueKind::kObject}) {
    if (a.Is(kind) != b.Is(kind)) return false;
  }
  if (a.Is(ValueKind::kNull)) return true;
  const std::vector<JsonView> items = ChildrenOf(a);
  const std::vector<JsonView> others = ChildrenOf(b);
  if (items.size() != others.size()) return false;
  bool equal = true;
  if (a.Is(ValueKind::kObject)) {
    a.ForEachMember([&](std::string_view key, const JsonView& item) {
      const JsonView other = b.Member(key);
      equal = equal && other.present() && PythonEqual(item, other, numbers);
    });
    return equal;
  }
  for (std::size_t i = 0; i < items.size() && equal; ++i) equal = PythonEqual(items[i], others[i], numbers);
  return equal;
}

}  // namespace leafscore::internal
