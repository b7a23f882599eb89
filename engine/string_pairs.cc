#include "engine/string_pairs.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "kernels/levenshtein.h"
#include "leafscore/error.h"

namespace leafscore {

std::uint32_t CountCodePoints(std::string_view text) {
  std::uint32_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return count;
}

void StringPairs::Column::Clear() {
  offsets_.assign(1, static_cast<std::uint32_t>(kStringPadding));
  if (bytes_.size() < 2 * kStringPadding) bytes_.resize(2 * kStringPadding);
}

void StringPairs::Column::Append(std::string_view text) {
  const std::size_t begin = offsets_.back();
  const std::size_t end = begin + text.size();
  if (end > std::numeric_limits<std::uint32_t>::max() - kStringPadding) {
    throw Error(ErrorCode::kInput,
                "one batch holds more than 4 GiB of strings to compare; give a lower --max-line-bytes");
  }
  if (end + kStringPadding > bytes_.size()) bytes_.resize(2 * (end + kStringPadding));
  std::memcpy(bytes_.data() + begin, text.data(), text.size());
  offsets_.push_back(static_cast<std::uint32_t>(end));
}

StringColumn StringPairs::Column::Finish() { return {bytes_.data(), offsets_.data(), offsets_.size() - 1}; }

void StringPairs::Clear() {
  expected_.Clear();
  actual_.Clear();
  max_length_.clear();
}

std::uint32_t StringPairs::Append(std::string_view expected, std::string_view actual) {
  expected_.Append(expected);
  actual_.Append(actual);
  max_length_.push_back(std::max(CountCodePoints(expected), CountCodePoints(actual)));
  return size() - 1;
}

void StringPairs::ComputeDistances() {
  const StringColumn expected = expected_.Finish();
  const StringColumn actual = actual_.Finish();
  distance_.resize(size());
  constexpr std::size_t kAlignment = 64;
  const std::size_t scratch_bytes = LevenshteinScratchBytes(expected, actual);
  if (scratch_.size() < scratch_bytes + kAlignment) scratch_.resize(scratch_bytes + kAlignment);
  void* aligned = scratch_.data();
  std::size_t space = scratch_.size();
  std::align(kAlignment, scratch_bytes, aligned, space);
  LevenshteinBatch(expected, actual, distance_, {static_cast<std::byte*>(aligned), space});
}

}  // namespace leafscore
