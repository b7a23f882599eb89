#include "engine/lint/similar_ids.h"

#include <cstddef>

#include "engine/base/hash.h"

namespace leafscore::internal {
namespace {

std::uint64_t HashOfId(std::string_view id) { return HashBytes(SimilarIdKey(id), HashSeed()); }

}  // namespace

SimilarIds::SimilarIds(const TextNumbers& ids) : ids_(ids) {
  for (std::uint32_t id = 0; id < ids.size(); ++id) {
    if (Find(ids.text(id)) != TextNumbers::kNone) continue;
    first_.Insert(HashOfId(ids.text(id)), id, [&](std::uint32_t known) { return HashOfId(ids.text(known)); });
  }
}

std::uint32_t SimilarIds::Find(std::string_view id) const {
  const std::string key = SimilarIdKey(id);
  return first_.Find(HashBytes(key, HashSeed()),
                     [&](std::uint32_t known) { return SimilarIdKey(ids_.text(known)) == key; });
}

}  // namespace leafscore::internal
