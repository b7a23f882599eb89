// engine/scorers/records/extract_dates.h: the texts that ExtractBench takes for dates. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_DATES_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_DATES_H_

#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// Sets `iso` to YYYY-MM-DD if a text of 4 to 50 characters looks like a date somewhere, and is one of 1900 to
// 2100 as a whole (engine/languages/python_date.h; years of two digits as in 2026). RETURNS: whether it is.
bool ReadExtractDate(std::string_view text, std::string& iso);

// Appends the dates for which a text from a form may also stand: of 19 55 after a printed 19, and of a year
// of two digits at the end in both centuries.
void AppendLenientDates(std::string_view text, std::vector<std::string>& dates);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_DATES_H_
