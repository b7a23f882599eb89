#include "tests/kernels/string_reference.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <vector>

namespace leafscore::internal::reference {

std::uint32_t TwoRowDistance(const std::u32string& a, const std::u32string& b) {
  std::vector<std::uint32_t> above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), 0u);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<std::uint32_t>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
    }
    std::swap(above, row);
  }
  return above[b.size()];
}

double JaroWinkler(const std::u32string& a, const std::u32string& b) {
  if (a.empty() && b.empty()) return 1;
  const std::size_t half = std::max(a.size(), b.size()) / 2;
  const std::size_t window = half > 1 ? half - 1 : 0;
  std::u32string matched_of_a, matched_of_b;
  std::vector<bool> taken(b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::size_t end = std::min(b.size(), i + window + 1);
    for (std::size_t j = i > window ? i - window : 0; j < end; ++j) {
      if (taken[j] || a[i] != b[j]) continue;
      taken[j] = true;
      matched_of_a += a[i];
      break;
    }
  }
  for (std::size_t j = 0; j < b.size(); ++j) {
    if (taken[j]) matched_of_b += b[j];
  }
  if (matched_of_a.empty()) return 0;
  std::size_t out_of_order = 0;
  for (std::size_t k = 0; k < matched_of_a.size(); ++k) out_of_order += matched_of_a[k] != matched_of_b[k];
  const auto m = static_cast<double>(matched_of_a.size());
  const auto transpositions = static_cast<double>(out_of_order / 2);
  const double jaro =
      (m / static_cast<double>(a.size()) + m / static_cast<double>(b.size()) + (m - transpositions) / m) / 3;
  std::size_t prefix = 0;
  while (prefix < std::min({a.size(), b.size(), std::size_t{4}}) && a[prefix] == b[prefix]) ++prefix;
  return jaro > 0.7 ? jaro + static_cast<double>(prefix) * 0.1 * (1 - jaro) : jaro;
}

double CharacterJaccard(const std::u32string& a, const std::u32string& b) {
  const std::set<char32_t> of_a(a.begin(), a.end()), of_b(b.begin(), b.end());
  std::set<char32_t> either = of_a;
  either.insert(of_b.begin(), of_b.end());
  if (either.empty()) return 1;
  const std::size_t in_both = of_a.size() + of_b.size() - either.size();
  return static_cast<double>(in_both) / static_cast<double>(either.size());
}

double CommonSubsequence(const std::u32string& a, const std::u32string& b) {
  if (a.empty() && b.empty()) return 1;
  std::vector<std::size_t> above(b.size() + 1), row(b.size() + 1);
  for (const char32_t c : a) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = c == b[j - 1] ? above[j - 1] + 1 : std::max(above[j], row[j - 1]);
    }
    std::swap(above, row);
  }
  const std::size_t sum = a.size() + b.size();
  return 1 - static_cast<double>(sum - 2 * above[b.size()]) / static_cast<double>(sum);
}

}  // namespace leafscore::internal::reference
