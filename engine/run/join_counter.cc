#include "engine/run/join_counter.h"

#include <utility>

namespace leafscore::internal {

JoinCounter::JoinCounter(const GoldTable& gold, std::span<const std::string> sources)
    : gold_(gold), answered_(gold.size()) {
  summary_.gold = gold.counts();
  for (const std::string& source : sources) summary_.sources.emplace_back().source = source;
}

void JoinCounter::Add(std::uint32_t input, std::span<const std::uint32_t> entries,
                      const ListedIds& without_gold) {
  while (input_ != input) FinishInput();
  SourceCounts& source = summary_.sources[input];
  std::uint64_t matched = 0;
  for (const std::uint32_t entry : entries) {
    if (entry == GoldTable::kNone) continue;
    ++matched;
    if (answered_[entry]) AddId(gold_.id(entry), source.duplicates);
    answered_[entry] = true;
  }
  source.records += entries.size();
  source.matched += matched;
  source.rejected += entries.size() - matched - without_gold.count;
  AddIds(without_gold, source.without_gold);
}

void JoinCounter::FinishInput() {
  ListedIds& unanswered = summary_.sources[input_++].unanswered;
  for (std::uint32_t entry = 0; entry < answered_.size(); ++entry) {
    if (!answered_[entry]) AddId(gold_.id(entry), unanswered);
  }
  answered_.assign(answered_.size(), false);
}

JoinSummary JoinCounter::Finish() {
  while (input_ != summary_.sources.size()) FinishInput();
  return std::move(summary_);
}

}  // namespace leafscore::internal
