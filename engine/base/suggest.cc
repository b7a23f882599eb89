#include "engine/base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

// Returns the number of typing mistakes between two names: a letter too many, too few or wrong, or two
// letters in the wrong order (the optimal string alignment distance).
std::size_t TypingDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    current[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = previous[j] + (a[i] == b[j] ? 0 : 1);
      current[j + 1] = std::min({substituted, previous[j + 1] + 1, current[j] + 1});
      const bool are_swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (are_swapped) current[j + 1] = std::min(current[j + 1], before[j - 1] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous.back();
}

}  // namespace

std::string NearestName(std::string_view name, std::span<const std::string_view> candidates) {
  std::string_view nearest;
  std::size_t nearest_distance = 0;
  for (const std::string_view candidate : candidates) {
    const auto [shorter, longer] = std::minmax({name.size(), candidate.size()});
    const std::size_t limit = std::max<std::size_t>(longer / 3, 1);
    if (longer - shorter > limit) continue;
    const std::size_t distance = TypingDistance(name, candidate);
    if (distance <= limit && (nearest.empty() || distance < nearest_distance)) {
      nearest = candidate;
      nearest_distance = distance;
    }
  }
  return std::string(nearest);
}

std::string DidYouMean(std::string_view name, std::span<const std::string_view> candidates) {
  const std::string nearest = NearestName(name, candidates);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", QuoteForMessage(nearest));
}

std::string DidYouMean(std::string_view name, std::span<const std::string> candidates) {
  return DidYouMean(name, std::vector<std::string_view>(candidates.begin(), candidates.end()));
}

std::string UnknownNameMessage(std::string_view what, std::string_view name,
                               std::span<const std::string_view> candidates) {
  const std::string nearest = NearestName(name, candidates);
  return fmt::format(
      "unknown {} {};{} {}", what, QuoteForMessage(name),
      nearest.empty() ? "" : fmt::format(" did you mean \"{}\"?", nearest),
      candidates.empty() ? "there is none to give" : fmt::format("valid: {}", fmt::join(candidates, ", ")));
}

std::string QuoteForMessage(std::string_view text, std::size_t max_bytes) {
  return fmt::format("{:?}{}", ClipText(text, max_bytes), text.size() > max_bytes ? "..." : "");
}

}  // namespace leafscore::internal
