// engine/base/checksum.h: checksums that detect accidental damage, but no forgery: anybody can make other
// bytes with the same checksum. They use 128-bit XXH3 (xxHash), which takes a few percent of the time that
// reading the bytes takes.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_BASE_CHECKSUM_H_
#define LEAFSCORE_ENGINE_BASE_CHECKSUM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/packed_bytes.h"

struct XXH3_state_s;  // from <xxhash.h>

namespace leafscore::internal {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
};

// The checksum of a text that arrives in pieces.
class Checksum {
 public:
  Checksum();
  Checksum(const Checksum& other);
  Checksum& operator=(const Checksum& other);
  Checksum(Checksum&&) = default;
  Checksum& operator=(Checksum&&) = default;

  void Add(std::string_view piece);

  std::uint64_t bytes() const { return bytes_; }

  // RETURNS: "xxh3-128:" and the 32 hexadecimal digits that `xxh128sum` prints for a file of these bytes.
  std::string Text() const;

  Hash128 Hash() const;  // the hash itself

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
  std::uint64_t bytes_ = 0;
};

// RETURNS: Checksum::Text of one text.
std::string ChecksumOf(std::string_view text);

// A checksum of blocks, which several threads can compute. The text is split into blocks of 16 KiB (the last
// may be shorter). Each block is hashed with XXH3, and the result is the XXH3 of these 16-byte hashes.
class BlockChecksum {
 public:
  static constexpr std::size_t kBlockBytes = 16 << 10;

  // Appends the 16-byte hash of each block.
  // REQUIRES: `text` begins at the start of a block.
  static void AppendBlocks(std::string_view text, std::string& blocks);

  // Adds the next bytes of the text, either as hashes from AppendBlocks or as they are.
  // REQUIRES: for hashes, only whole blocks were added before.
  void AddBlocks(std::string_view blocks, std::uint64_t bytes);
  void Add(std::string_view piece);

  std::uint64_t bytes() const { return bytes_; }

  // RETURNS: "xxh3-128-16k:" and 32 hexadecimal digits.
  std::string Text() const;

 private:
  Checksum blocks_;
  Checksum block_;  // the last block, until it is whole
  std::uint64_t bytes_ = 0;
};

// The checksum of a multiset of texts: the sum of their checksums, modulo 2^128. It does not depend on the
// order of the texts.
class MultisetHash {
 public:
  MultisetHash() = default;

  // Reads what Pack wrote.
  explicit MultisetHash(PackedReader& in);
  void Pack(PackedWriter& out) const;

  // Adds a text.
  // RETURNS: 64 bits of its checksum.
  std::uint64_t Add(std::string_view text);
  // Adds a pair of texts: the checksum of the second, times an odd number that is derived from HashOf(first).
  void AddPair(std::uint64_t hash_of_first, std::string_view second) {
    AddPair(hash_of_first, ValueOf(second));
  }
  static std::uint64_t HashOf(std::string_view text);

  // Adds a pair, given ValueOf of its second text. This serves callers that read the second text before
  // they know the first.
  static Hash128 ValueOf(std::string_view text);
  void AddPair(std::uint64_t hash_of_first, const Hash128& second);

  void Add(const MultisetHash& more);

  std::uint64_t count() const { return count_; }  // the number of texts and pairs

  // RETURNS: "xxh3-128-sum:" and 32 hexadecimal digits.
  std::string Text() const;

 private:
  __extension__ using Sum = unsigned __int128;
  Sum sum_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_CHECKSUM_H_
