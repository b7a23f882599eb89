#include "engine/io/path.h"

#include "engine/base/suggest.h"
#include "leafscore/error.h"

namespace leafscore::internal {

void CheckPath(const std::string& path) {
  if (path.find('\0') == std::string::npos) return;
  throw Error(ErrorCode::kUsage,
              "the path " + QuoteForMessage(path) + " holds a null byte; give one without it");
}

}  // namespace leafscore::internal
