#include "engine/base/checksum.h"

#include <fmt/format.h>
#include <xxhash.h>
#ifdef __x86_64__
#include <xxh_x86dispatch.h>  // the same functions, for the instruction sets of this machine
#endif

#include <algorithm>
#include <new>

namespace leafscore::internal {
namespace {

std::string DigitsOf(const Hash128& hash) { return fmt::format("{:016x}{:016x}", hash.high, hash.low); }

Hash128 HashOf(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {hash.high64, hash.low64};
}

// Appends the 16 bytes of a hash, in the order of its digits.
void AppendBytes(const Hash128& hash, std::string& bytes) {
  for (const std::uint64_t half : {hash.high, hash.low}) {
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(half >> shift);
  }
}

// Adds a block to the checksum over all blocks.
void AddBlock(const Checksum& block, Checksum& blocks) {
  std::string bytes;
  AppendBytes(block.Hash(), bytes);
  blocks.Add(bytes);
}

}  // namespace

Checksum::Checksum() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

Checksum::Checksum(const Checksum& other) : Checksum() { *this = other; }

Checksum& Checksum::operator=(const Checksum& other) {
  XXH3_copyState(state_.get(), other.state_.get());
  bytes_ = other.bytes_;
  return *this;
}

void Checksum::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

void Checksum::Add(std::string_view piece) {
  bytes_ += piece.size();
  XXH3_128bits_update(state_.get(), piece.data(), piece.size());
}

Hash128 Checksum::Hash() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
  return {hash.high64, hash.low64};
}

std::string Checksum::Text() const { return "xxh3-128:" + DigitsOf(Hash()); }

std::string ChecksumOf(std::string_view text) {
  Checksum checksum;
  checksum.Add(text);
  return checksum.Text();
}

void BlockChecksum::AppendBlocks(std::string_view text, std::string& blocks) {
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), kBlockBytes))) {
    AppendBytes(HashOf(text.substr(0, kBlockBytes)), blocks);
  }
}

void BlockChecksum::AddBlocks(std::string_view blocks, std::uint64_t bytes) {
  blocks_.Add(blocks);
  bytes_ += bytes;
}

void BlockChecksum::Add(std::string_view piece) {
  while (!piece.empty()) {
    const std::string_view part = piece.substr(0, kBlockBytes - block_.bytes());
    block_.Add(part);
    bytes_ += part.size();
    piece.remove_prefix(part.size());
    if (block_.bytes() != kBlockBytes) continue;
    AddBlock(block_, blocks_);
    block_ = Checksum();
  }
}

std::string BlockChecksum::Text() const {
  Checksum all = blocks_;
  if (block_.bytes() != 0) AddBlock(block_, all);
  return "xxh3-128-16k:" + DigitsOf(all.Hash());
}

MultisetHash::MultisetHash(PackedReader& in) {
  const auto high = in.Value<std::uint64_t>();
  sum_ = (Sum{high} << 64) | in.Value<std::uint64_t>();
  count_ = in.Value<std::uint64_t>();
}

void MultisetHash::Pack(PackedWriter& out) const {
  out.Value(static_cast<std::uint64_t>(sum_ >> 64));
  out.Value(static_cast<std::uint64_t>(sum_));
  out.Value(count_);
}

std::uint64_t MultisetHash::Add(std::string_view text) {
  const Hash128 hash = ValueOf(text);
  sum_ += (Sum{hash.high} << 64) | hash.low;
  ++count_;
  return hash.low;
}

Hash128 MultisetHash::ValueOf(std::string_view text) { return internal::HashOf(text); }

void MultisetHash::AddPair(std::uint64_t hash_of_first, const Hash128& second) {
  sum_ += ((Sum{second.high} << 64) | second.low) * ((Sum{hash_of_first} << 1) | 1);
  ++count_;
}

std::uint64_t MultisetHash::HashOf(std::string_view text) { return ValueOf(text).low; }

void MultisetHash::Add(const MultisetHash& more) {
  sum_ += more.sum_;
  count_ += more.count_;
}

std::string MultisetHash::Text() const {
  return "xxh3-128-sum:" +
         DigitsOf({static_cast<std::uint64_t>(sum_ >> 64), static_cast<std::uint64_t>(sum_)});
}

}  // namespace leafscore::internal
