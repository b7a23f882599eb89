// engine/render/cells.h: formats names and numbers for people, in tables and sentences. Stateless.
#ifndef LEAFSCORE_ENGINE_RENDER_CELLS_H_
#define LEAFSCORE_ENGINE_RENDER_CELLS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace leafscore::internal {

inline constexpr std::size_t kMaxNameCodePoints = 60;  // a longer name is cut, with an ellipsis

// Returns a name from the input with invisible characters escaped (VisibleCodePoint), cut to
// kMaxNameCodePoints.
std::string DisplayName(std::string_view name);

// Returns the number rounded to four decimals, "-" for nullopt.
std::string FourDecimals(std::optional<double> number);

// Returns a p-value for people, for example "0.0123" or "<0.0001"; "-" for nullopt.
std::string PValue(std::optional<double> p);

// Returns the number with commas, for example "1,234,567".
std::string WithThousands(std::uint64_t number);

// Returns the count with its noun, for example "3 records" or "1 record".
std::string Counted(std::uint64_t count, std::string_view one, std::string_view several);

// Returns a size in units of powers of 1,000, for example "999 B" or "1.2 GB".
std::string HumanBytes(std::uint64_t bytes);

// Returns a share rounded to a tenth of a percent, for example "80%" or "12.5%".
std::string Percentage(double share);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RENDER_CELLS_H_
