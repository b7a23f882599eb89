#include "engine/match/value_ids.h"

#include <cstring>

#include "engine/json/json_scalar.h"

namespace leafscore::internal {

ValueId ValueIds::Add(std::uint64_t hash, std::uint64_t kind, std::string_view bytes) {
  const auto id = static_cast<ValueId>(entries_.size());
  table_.Insert(hash, id, [&](ValueId other) { return entries_[other].hash; });
  entries_.push_back({hash, bytes_.size(), static_cast<std::uint32_t>(bytes.size()), kind});
  bytes_ += bytes;
  return id;
}

double ValueIds::NumberOf(ValueId id) const {
  if (FormOf(id) == Form::kDigits) return ParseNumber(BytesOf(id));
  double number;
  std::memcpy(&number, BytesOf(id).data(), sizeof number);
  return number;
}

}  // namespace leafscore::internal
