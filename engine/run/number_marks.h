// engine/run/number_marks.h: placeholders for record numbers in the lines of a shard, which does not know how
// many records come before its own. A mark begins and ends with bytes that do not occur in UTF-8, so they
// occur nowhere else in the lines. Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_RUN_NUMBER_MARKS_H_
#define LEAFSCORE_ENGINE_RUN_NUMBER_MARKS_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace leafscore::internal {

enum class NumberIn : char { kInput = 'i', kRun = 'r' };

// Returns the mark for the number of a record in a batch; `row` counts from 0.
std::string NumberMark(NumberIn in, std::uint64_t row);

// Appends lines, with numbers in place of marks. `first_in_input` and `first_in_run` are the numbers of the
// batch's first record.
// RETURNS: false if there is a mark that NumberMark did not make.
bool AppendNumbered(std::string_view lines, std::uint64_t first_in_input, std::uint64_t first_in_run,
                    std::string& out);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_NUMBER_MARKS_H_
