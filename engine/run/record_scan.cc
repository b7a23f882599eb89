#include "engine/run/record_scan.h"

#include <utility>

namespace leafscore::internal {

RecordScan::RecordScan(std::vector<std::string> inputs, const ReaderOptions& reading, const JsonOptions& json,
                       const std::vector<std::string>& fields)
    : reader_(std::move(inputs), reading), json_(&shapes_, json), finder_(fields, &shapes_) {
  presence_.found.resize(fields.size());
}

bool RecordScan::Next() {
  if (text_ && row_ + 1 < batch_.records.size()) {
    ++row_;
  } else if (!NextBatch()) {
    return false;
  }
  parsed_ = text_->Read(row_);
  if (!is_readable()) return true;
  if (presence_.records++ == 0) presence_.there = ListFields(table_, shapes_, parsed_.root);
  nodes_ = &finder_.Find(table_, parsed_.root);
  for (std::size_t f = 0; f < nodes_->size(); ++f) presence_.found[f] += nodes()[f] != kNoNode;
  return true;
}

bool RecordScan::NextBatch() {
  text_.reset();
  if (!reader_.Next(batch_)) return false;
  shapes_.ClearIfLarge();  // keys may come from data, so their number has no bound
  finder_.Reset();
  text_.emplace(batch_, 0, json_, table_);
  row_ = 0;
  return true;
}

}  // namespace leafscore::internal
