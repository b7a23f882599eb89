#include "engine/run/joined_values.h"

#include "engine/base/bytes.h"

namespace leafscore::internal {

void JoinedValues::Begin(const GoldTable* file, std::size_t records) {
  file_ = file;
  if (file != nullptr) entries_.assign(records, GoldTable::kNone);
  text_.clear();
}

std::uint32_t JoinedValues::Find(const std::optional<std::string>& id, std::uint32_t r) {
  const std::uint32_t entry = id ? file_->Find(*id, likely_) : GoldTable::kNone;
  entries_[r] = entry;
  if (entry == GoldTable::kNone) return entry;
  likely_ = entry + 1;
  text_ += file_->expected_json(entry);
  text_ += '\n';
  return entry;
}

void JoinedValues::Read(std::size_t records, JsonReader& reader, std::vector<JsonResult>& parsed,
                        std::vector<NodeId>& nodes) {
  entries_.resize(records);
  const std::size_t size = text_.size();
  text_.append(kTextPadding, '\0');
  reader.Begin({text_.data(), size}, /*lines=*/true, &table_);
  std::uint32_t begin = 0;
  for (std::size_t r = 0; r < records; ++r) {
    const std::uint32_t entry = entries_[r];
    if (entry == GoldTable::kNone) continue;
    const auto bytes = static_cast<std::uint32_t>(file_->expected_json(entry).size());
    if (bytes != 0) {
      const JsonResult value = reader.Read(begin, begin + bytes);
      nodes[r] = value.root;
      parsed[r].nonstandard |= value.nonstandard;
      parsed[r].duplicate_keys += value.duplicate_keys;
    }
    begin += bytes + 1;
  }
}

}  // namespace leafscore::internal
