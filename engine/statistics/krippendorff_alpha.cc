#include "engine/statistics/krippendorff_alpha.h"

#include <cmath>

namespace leafscore::internal {
namespace {

// Sums over some values, from which the squared differences of all pairs of values can be added up.
struct Sums {
  void Add(double value) {
    ++count;
    sum += value;
    squares += value * value;
  }
  double SquaredDifferences() const { return 2 * (count * squares - sum * sum); }

  double count = 0;
  double sum = 0;
  double squares = 0;
};

template <class Use>
void ForEachRating(std::span<const double> row, Use use) {
  for (const double rating : row) {
    if (!std::isnan(rating)) use(rating);
  }
}

}  // namespace

std::optional<double> KrippendorffAlpha(std::span<const double> ratings, std::size_t raters) {
  // Differences do not depend on the origin. An origin in the middle of the values keeps rounding errors
  // small.
  Sums all;
  ForEachRating(ratings, [&](double rating) { all.Add(rating); });
  const double origin = all.sum / all.count;
  Sums pairable;
  double within = 0;
  for (std::size_t begin = 0; begin + raters <= ratings.size(); begin += raters) {
    Sums item;
    ForEachRating(ratings.subspan(begin, raters), [&](double rating) { item.Add(rating - origin); });
    if (item.count < 2) continue;
    pairable.count += item.count;
    pairable.sum += item.sum;
    pairable.squares += item.squares;
    within += item.SquaredDifferences() / (item.count - 1);
  }
  const double between = pairable.SquaredDifferences() / (pairable.count - 1);
  if (!(between > 0)) return std::nullopt;
  return 1 - within / between;
}

}  // namespace leafscore::internal
