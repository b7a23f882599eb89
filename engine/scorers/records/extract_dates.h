// engine/scorers/records/extract_dates.h: the texts that ExtractBench takes for dates. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_DATES_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_DATES_H_

#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// Reads a date from 1900 to 2100 and sets `iso` to it, as YYYY-MM-DD. A text of 4 to 50 characters is a date
// if some part of it looks like one and the whole text can be read as one (engine/languages/python_date.h);
// years of two digits are read as in 2026. RETURNS: whether the text is a date.
bool ReadExtractDate(std::string_view text, std::string& iso);

// Appends all dates that a text from a form may stand for. A year that is split after its century, like 19
// 55, is joined. A year of two digits at the end of the text is tried in both centuries.
void AppendLenientDates(std::string_view text, std::vector<std::string>& dates);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_DATES_H_
