#include "engine/base/checksum.h"

#include <fmt/format.h>
#include <xxhash.h>
#ifdef __x86_64__
#include <xxh_x86dispatch.h>  // the same functions, for the instruction sets of this machine
#endif

#include <new>

namespace leafscore::internal {
namespace {

std::string DigitsOf(std::uint64_t high, std::uint64_t low) {
  return fmt::format("{:016x}{:016x}", high, low);
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

std::string Checksum::Text() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
  return "xxh3-128:" + DigitsOf(hash.high64, hash.low64);
}

std::string ChecksumOf(std::string_view text) {
  Checksum checksum;
  checksum.Add(text);
  return checksum.Text();
}

BagChecksum::BagChecksum(PackedReader& in) {
  const auto high = in.Value<std::uint64_t>();
  sum_ = (Sum{high} << 64) | in.Value<std::uint64_t>();
  count_ = in.Value<std::uint64_t>();
}

void BagChecksum::Pack(PackedWriter& out) const {
  out.Value(static_cast<std::uint64_t>(sum_ >> 64));
  out.Value(static_cast<std::uint64_t>(sum_));
  out.Value(count_);
}

std::uint64_t BagChecksum::Add(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  sum_ += (Sum{hash.high64} << 64) | hash.low64;
  ++count_;
  return hash.low64;
}

BagChecksum::Value BagChecksum::ValueOf(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {hash.high64, hash.low64};
}

void BagChecksum::AddPair(std::uint64_t hash_of_first, const Value& second) {
  sum_ += ((Sum{second.high} << 64) | second.low) * ((Sum{hash_of_first} << 1) | 1);
  ++count_;
}

std::uint64_t BagChecksum::HashOf(std::string_view text) {
  return XXH3_128bits(text.data(), text.size()).low64;
}

void BagChecksum::Add(const BagChecksum& more) {
  sum_ += more.sum_;
  count_ += more.count_;
}

std::string BagChecksum::Text() const {
  return "xxh3-128-sum:" + DigitsOf(static_cast<std::uint64_t>(sum_ >> 64), static_cast<std::uint64_t>(sum_));
}

}  // namespace leafscore::internal
