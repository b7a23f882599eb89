// engine/base/text_map.h: standard containers whose keys are texts from data.
//
// The hash of the standard library has a fixed seed, so an attacker can write texts that all collide, which
// makes a table as slow as a list. These containers use the hash of engine/base/hash.h; the test
// `seeded_tables` looks for other containers. Their order is arbitrary, because each process draws a new
// seed.
#ifndef LEAFSCORE_ENGINE_BASE_TEXT_MAP_H_
#define LEAFSCORE_ENGINE_BASE_TEXT_MAP_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "engine/base/hash.h"

namespace leafscore::internal {

struct TextHash {
  using is_transparent = void;  // look-ups construct no std::string
  std::size_t operator()(std::string_view text) const { return HashBytes(text, HashSeed()); }
};

// Text is std::string, or std::string_view if the texts outlive the container.
template <class Text, class Value>
using TextMap = std::unordered_map<Text, Value, TextHash, std::equal_to<>>;
template <class Text>
using TextSet = std::unordered_set<Text, TextHash, std::equal_to<>>;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_TEXT_MAP_H_
