#include "engine/report/join_summary.h"

#include "engine/base/utf8.h"

namespace leafscore::internal {

void ListedIds::Add(std::string_view id) {
  ++count;
  if (first.size() == kMaxListedIds) return;
  first.emplace_back(ClipText(id, kMaxListedIdBytes));
  if (id.size() > kMaxListedIdBytes) first.back() += "…";
}

void ListedIds::Add(const ListedIds& later) {
  count += later.count;
  for (std::size_t i = 0; i < later.first.size() && first.size() < kMaxListedIds; ++i) {
    first.push_back(later.first[i]);
  }
}

}  // namespace leafscore::internal
