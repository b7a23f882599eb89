// engine/base/text_map.h: standard containers that are keyed by texts from data.
//
// The hash of the standard library has a fixed seed, so that anybody can write texts that all collide and
// make a table as slow as a list. These have the hash of engine/base/hash.h; the test `seeded_tables` looks
// for others. Their order means nothing, as the seed is drawn anew for each process.
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
  using is_transparent = void;  // a look-up makes no std::string
  std::size_t operator()(std::string_view text) const { return HashBytes(text, HashSeed()); }
};

// Text is std::string, or std::string_view of texts that outlive the container.
template <class Text, class Value>
using TextMap = std::unordered_map<Text, Value, TextHash, std::equal_to<>>;
template <class Text>
using TextSet = std::unordered_set<Text, TextHash, std::equal_to<>>;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_TEXT_MAP_H_
