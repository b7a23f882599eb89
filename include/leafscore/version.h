// leafscore/version.h: the version of the library.
//
//   assert(std::ranges::count(leafscore::Version(), '.') == 2);
#ifndef LEAFSCORE_VERSION_H_
#define LEAFSCORE_VERSION_H_

#include <string_view>

#include "leafscore/export.h"

namespace leafscore {

// The version of the library, for example "0.1.0".
LEAFSCORE_EXPORT std::string_view Version();

}  // namespace leafscore

#endif  // LEAFSCORE_VERSION_H_
