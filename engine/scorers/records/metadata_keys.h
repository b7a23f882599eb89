// engine/scorers/records/metadata_keys.h: the keys under which answers describe their values. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_METADATA_KEYS_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_METADATA_KEYS_H_

#include <string_view>
#include <vector>

namespace leafscore::internal {

// The key of the value in an envelope.
inline constexpr std::string_view kValueKey = "value";

// Returns whether an envelope may have this key beside the key of the value.
bool IsMetadataKey(std::string_view key);

// Returns whether a key is another key of the same object with an ending, such as X_citations beside X.
bool IsSidecar(std::string_view key, const std::vector<std::string_view>& keys);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_METADATA_KEYS_H_
