#include "engine/base/resource_error.h"

#include <fmt/format.h>

namespace leafscore::internal {

Error ResourceError(const std::exception& failure, std::string_view advice) {
  if (const auto* const allocation = dynamic_cast<const AllocationFailure*>(&failure)) {
    return Error(ErrorCode::kResources, fmt::format("there is no memory for {}: {} more bytes are needed; {}",
                                                    allocation->purpose(), allocation->bytes(), advice));
  }
  if (dynamic_cast<const std::system_error*>(&failure) != nullptr) {
    return Error(ErrorCode::kResources, fmt::format("the system refused: {}; {}", failure.what(), advice));
  }
  return Error(ErrorCode::kResources, fmt::format("memory ran out; {}", advice));
}

}  // namespace leafscore::internal
