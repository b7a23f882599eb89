#include "engine/scorers/records/metadata_keys.h"

#include <algorithm>
#include <iterator>

namespace leafscore::internal {
namespace {

constexpr std::string_view kMetadataKeys[] = {
    "bbox",   "citation", "citations", "confidence", "evidence",   "extraction_status", "meta",
    "offset", "offsets",  "page",      "pages",      "provenance", "reasoning",         "score",
    "source", "sources",  "span",      "spans",      "status"};
constexpr std::string_view kSidecarEndings[] = {"_citations", "_meta"};

}  // namespace

bool IsMetadataKey(std::string_view key) {
  return std::ranges::find(kMetadataKeys, key) != std::end(kMetadataKeys);
}

bool IsSidecar(std::string_view key, const std::vector<std::string_view>& keys) {
  return std::ranges::any_of(kSidecarEndings, [&](std::string_view ending) {
    return key.ends_with(ending) &&
           std::ranges::find(keys, key.substr(0, key.size() - ending.size())) != keys.end();
  });
}

}  // namespace leafscore::internal
