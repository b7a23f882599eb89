#include "engine/render/cells.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "engine/base/display.h"
#include "engine/base/utf8.h"

namespace leafscore::internal {

std::string DisplayName(std::string_view name) {
  const std::vector<std::string_view> code_points = SplitCodePoints(name);
  const bool cut = code_points.size() > kMaxNameCodePoints;
  std::string shown;
  for (std::size_t i = 0; i < (cut ? kMaxNameCodePoints - 1 : code_points.size()); ++i) {
    shown += VisibleCodePoint(code_points[i]);
  }
  return cut ? shown + "…" : shown;
}

std::string FourDecimals(std::optional<double> number) {
  return number ? fmt::format("{:.4f}", *number) : "-";
}

std::string PValue(std::optional<double> p) { return p && *p < 0.0001 ? "<0.0001" : FourDecimals(p); }

std::string WithThousands(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t end = text.size(); end > 3; end -= 3) text.insert(end - 3, 1, ',');
  return text;
}

std::string Counted(std::uint64_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", WithThousands(count), count == 1 ? one : several);
}

std::string HumanBytes(std::uint64_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  constexpr char kPrefixes[] = {'k', 'M', 'G', 'T', 'P', 'E'};
  double amount = static_cast<double>(bytes) / 1000;
  std::size_t prefix = 0;
  while (amount >= 999.95) {  // it would be shown as 1000.0
    amount /= 1000;
    ++prefix;
  }
  return fmt::format("{:.1f} {}B", amount, kPrefixes[prefix]);
}

std::string Percentage(double share) { return fmt::format("{:.6g}%", std::round(1000 * share) / 10); }

}  // namespace leafscore::internal
