#include "engine/scores/padded_ids.h"

#include <fmt/format.h>

#include "engine/base/suggest.h"

namespace leafscore::internal {
void PaddedIds::AddRight(std::string_view id) {
  const auto found = left_.find(SimilarIdKey(id));
  if (found == left_.end() || found->second == id) return;
  if (pairs_++ > 0) return;
  first_left_ = found->second;
  first_right_ = id;
}

std::string PaddedIds::Text() const {
  return fmt::format("{} and {} are probably the same id, written differently{}; write ids the same way",
                     QuoteForMessage(first_left_), QuoteForMessage(first_right_),
                     pairs_ == 1 ? "" : fmt::format(", and so are {} more", pairs_ - 1));
}

}  // namespace leafscore::internal
