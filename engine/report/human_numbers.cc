#include "engine/report/human_numbers.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

namespace leafscore::internal {

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
