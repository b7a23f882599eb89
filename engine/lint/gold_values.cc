#include "engine/lint/gold_values.h"

#include <algorithm>

#include "engine/base/bytes.h"

namespace leafscore::internal {
namespace {

// Enough rows for all threads that score answers to them, and small compared with the gold.
constexpr std::uint32_t kBlockRows = 16384;
constexpr std::size_t kBlockBytes = std::size_t{16} << 20;

}  // namespace

GoldValues::GoldValues(const GoldRecords& gold, const JsonOptions& options)
    : gold_(gold), reader_(&shapes_, options) {
  std::size_t bytes = 0;
  for (std::uint32_t row = 0; row < gold.size(); ++row) {
    const std::size_t size = gold.Expected(row).value_or("").size() + 1;
    if (blocks_.empty() || row - blocks_.back() == kBlockRows || bytes + size > kBlockBytes) {
      blocks_.push_back(row);
      bytes = 0;
    }
    bytes += size;
  }
  blocks_.push_back(static_cast<std::uint32_t>(gold.size()));
}

JsonView GoldValues::Read(std::uint32_t row) {
  if (row < first_ || row - first_ >= roots_.size()) {
    ReadBlock(static_cast<std::size_t>(std::ranges::upper_bound(blocks_, row) - blocks_.begin()) - 1);
  }
  return {table_, shapes_, roots_[row - first_]};
}

void GoldValues::ReadBlock(std::size_t block) {
  first_ = blocks_[block];
  const std::uint32_t end = blocks_[block + 1];
  text_.clear();
  for (std::uint32_t row = first_; row < end; ++row) {
    if (const auto expected = gold_.Expected(row)) text_.append(*expected) += '\n';
  }
  const std::size_t size = text_.size();
  text_.append(kTextPadding, '\0');
  shapes_.ClearIfLarge();
  reader_.Begin({text_.data(), size}, /*lines=*/true, &table_);
  roots_.clear();
  std::uint32_t begin = 0;
  for (std::uint32_t row = first_; row < end; ++row) {
    const auto expected = gold_.Expected(row);
    roots_.push_back(kNoNode);
    if (!expected) continue;
    const auto bytes = static_cast<std::uint32_t>(expected->size());
    roots_.back() = reader_.Read(begin, begin + bytes).root;
    begin += bytes + 1;
  }
}

}  // namespace leafscore::internal
