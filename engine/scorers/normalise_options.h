// engine/scorers/normalise_options.h: the option `normalise`: a list of steps (engine/text/normaliser.h),
// each a name or a map from a name to options: [space, case, {number: {percent: fraction}}].
#ifndef LEAFSCORE_ENGINE_SCORERS_NORMALISE_OPTIONS_H_
#define LEAFSCORE_ENGINE_SCORERS_NORMALISE_OPTIONS_H_

#include <string_view>

#include "engine/config/options.h"
#include "engine/text/date.h"
#include "engine/text/normaliser.h"

namespace leafscore::internal {

inline constexpr OptionSpec kNormaliseOption{
    "normalise", "list of steps", "[space]",
    "differences to ignore between values: null_words, boolean, null_false, null_zero, typography, accents, "
    "number, date, case, phone, identifier, punctuation, terminal_punctuation, space; number, date and "
    "null_words take options, as in {number: {percent: fraction}}"};

// Reads an option of the type of kNormaliseOption; returns `fallback` if it is not given.
// ERRORS: Error(kUsage) for an unknown step, or a wrong option of a step.
NormaliserRules ReadNormalise(const OptionReader& options, const NormaliserRules& fallback,
                              std::string_view option = kNormaliseOption.name);

// Reads the option `formats`, a list of names such as DD/MM/YYYY. ERRORS: Error(kUsage) for an unknown name.
DayMonthOrder ReadDateOrder(const OptionReader& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_NORMALISE_OPTIONS_H_
