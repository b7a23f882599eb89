#include "engine/leaf_table.h"

#include <algorithm>

namespace leafscore {

void LeafTable::Reserve(std::size_t more) {
  const std::size_t needed = size_ + more;
  if (needed <= kind_.size()) return;
  const std::size_t capacity = std::max(needed, kind_.size() + kind_.size() / 2);
  kind_.resize(capacity);
  token_begin_.resize(capacity);
  token_end_.resize(capacity);
  end_.resize(capacity);
  shape_.resize(capacity);
  leaf_number_.resize(capacity);
}

void LeafTable::Append(const LeafTable& other) {
  Reserve(other.size_);
  for (NodeId node = 0; node < other.size_; ++node) {
    kind_[size_ + node] = other.kind_[node];
    token_begin_[size_ + node] = other.token_begin_[node];
    token_end_[size_ + node] = other.token_end_[node];
    end_[size_ + node] = size_ + other.end_[node];
    shape_[size_ + node] = other.shape_[node];
    leaf_number_[size_ + node] = leaf_count_ + other.leaf_number_[node];
  }
  size_ += other.size_;
  leaf_count_ += other.leaf_count_;
}

}  // namespace leafscore
