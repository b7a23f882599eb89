#include "engine/report/join_summary.h"

#include "engine/base/utf8.h"

namespace leafscore::internal {

void AddId(std::optional<std::string_view> id, ListedIds& ids) {
  ++ids.count;
  if (!id || ids.first.size() == kMaxListedIds) return;
  ids.first.emplace_back(ClipText(*id, kMaxListedIdBytes));
  if (id->size() > kMaxListedIdBytes) ids.first.back() += "…";
}

void AddIds(const ListedIds& later, ListedIds& ids) {
  ids.count += later.count;
  for (std::size_t i = 0; i < later.first.size() && ids.first.size() < kMaxListedIds; ++i) {
    ids.first.push_back(later.first[i]);
  }
}

void WriteListedIds(const ListedIds& ids, JsonWriter& json) {
  json.Object([&] { WriteListedMembers(ids, json); });
}

void WriteListedMembers(const ListedIds& ids, JsonWriter& json) {
  json.Key("count").Integer(ids.count);
  json.Key("first").LossyStrings(ids.first);
}

}  // namespace leafscore::internal
