// engine/report/human_numbers.h: numbers as people read them, for tables and the progress bar.
#ifndef LEAFSCORE_ENGINE_REPORT_HUMAN_NUMBERS_H_
#define LEAFSCORE_ENGINE_REPORT_HUMAN_NUMBERS_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns for example "1,234,567".
std::string WithThousands(std::uint64_t number);

// Returns for example "3 records", "1 record".
std::string Counted(std::uint64_t count, std::string_view one, std::string_view several);

// Returns for example "999 B" or "1.2 GB" (powers of 1,000).
std::string HumanBytes(std::uint64_t bytes);

// Returns a share to a tenth of a percent: "80%" or "12.5%".
std::string Percentage(double share);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_HUMAN_NUMBERS_H_
