// engine/scorers/static_json/stated_range.h: reads the ranges and times that values state as texts, by the
// rules of AssetOpsBench. Stateless. The texts must be normalised: stripped and in lower case.
#ifndef LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_STATED_RANGE_H_
#define LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_STATED_RANGE_H_

#include <optional>
#include <string_view>

namespace leafscore::internal {

struct StatedRange {
  double low;
  double high;

  bool Holds(double number) const { return low <= number && number <= high; }
};

// Returns the range between two numbers in either order.
inline StatedRange RangeBetween(double a, double b) { return a <= b ? StatedRange{a, b} : StatedRange{b, a}; }

// Reads a text that is a range: "3-7", "3 to 7", "between 3 and 7", "min: 3, max: 7". COST: linear.
std::optional<StatedRange> ReadRange(std::string_view text);

// Returns the name of the member with the other end of a range: `max` for `min`. RETURNS: an empty text for
// any other name.
std::string_view OtherEnd(std::string_view name);

// Reads a time such as "YYYY-MM-DDTHH:MM:SS", "YYYY-MM-DDTHH:MM" or "YYYY-MM-DD" as Python's strptime does.
// It must have at least ten characters. RETURNS: seconds since 1970.
std::optional<double> ReadTime(std::string_view text);

// Reads a finite number as Python's float() does.
std::optional<double> ReadFinite(std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_STATIC_JSON_STATED_RANGE_H_
