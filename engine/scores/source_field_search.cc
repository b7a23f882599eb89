#include "engine/scores/source_field_search.h"

#include <cstddef>

#include "engine/base/checksum.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMostValueBytes = 200;  // enough for a name
constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;

}  // namespace

void SourceFieldSearch::Begin(std::string_view id) {
  ++records_;
  id_ = MultisetHash::HashOf(id);
  ids_.insert(id_);
}

void SourceFieldSearch::AddField(std::string_view name, std::string_view value) {
  if (value.size() > kMostValueBytes) return;
  auto found = candidates_.find(name);
  if (found == candidates_.end()) found = candidates_.try_emplace(std::string(name)).first;
  Candidate& candidate = found->second;
  ++candidate.records;
  const std::uint64_t hash = MultisetHash::HashOf(value);
  candidate.values.insert(hash);
  candidate.repeated += !candidate.ids_by_value.insert(id_ ^ (hash | 1) * kOdd).second;
}

std::optional<std::string> SourceFieldSearch::Best() const {
  std::optional<std::string> best;
  std::size_t fewest = ids_.size();
  for (const auto& [name, candidate] : candidates_) {
    const bool tells_apart = 100 * candidate.repeated <= records_ && candidate.records == records_;
    if (!tells_apart || candidate.values.size() >= fewest) continue;
    best = name;
    fewest = candidate.values.size();
  }
  return best;
}

}  // namespace leafscore::internal
