#include "engine/string_pairs.h"

#include <algorithm>

#include "kernels/levenshtein.h"

namespace leafscore {

std::uint32_t CountCodePoints(std::string_view text) {
  std::uint32_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return count;
}

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
  const StringColumn expected = expected_.column();
  const StringColumn actual = actual_.column();
  distance_.resize(size());
  LevenshteinBatch(expected, actual, distance_, scratch_.OfSize(LevenshteinScratchBytes(expected, actual)));
}

}  // namespace leafscore
