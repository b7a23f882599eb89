// engine/judge/sha256.h: SHA-256 through OpenSSL. Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_JUDGE_SHA256_H_
#define LEAFSCORE_ENGINE_JUDGE_SHA256_H_

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace leafscore::internal {

using Sha256 = std::array<std::uint8_t, 32>;

// Returns the hash of a list of texts. The length of each text is hashed before it, so that different lists
// have different hashes.
Sha256 HashOf(std::initializer_list<std::string_view> texts);

// Returns a view of the bytes of a hash.
inline std::string_view BytesOf(const Sha256& hash) {
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

// Returns the bytes as hexadecimal digits, two for each byte.
std::string HexOf(std::string_view bytes);
inline std::string HexOf(const Sha256& hash) { return HexOf(BytesOf(hash)); }

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_SHA256_H_
