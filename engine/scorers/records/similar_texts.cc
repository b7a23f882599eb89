#include "engine/scorers/records/similar_texts.h"

#include <algorithm>
#include <cstddef>

#include "engine/base/limits.h"

namespace leafscore::internal {

SimilarTexts::Texts SimilarTexts::TextsOf(const CellColumns& columns) const {
  Texts texts;
  for (std::size_t i = 0; i < columns.places.size(); ++i) {
    if (columns.cells[i] == 0 || (*places_)[columns.places[i]].similarity < 0) continue;
    if (IsContainer(columns.table->kind(columns.root + static_cast<NodeId>(i)))) continue;
    if (ids_->FormOf(columns.ids[i]) == ValueIds::Form::kText)
      texts[columns.places[i]].push_back(columns.ids[i]);
  }
  for (auto& [place, values] : texts) {
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
  }
  return texts;
}

bool SimilarTexts::Append(std::uint32_t record, const CellColumns& expected, const CellColumns& actual,
                          StringPairs& pairs) {
  bool all = true;
  const Texts given = TextsOf(actual);
  for (const auto& [place, wanted] : TextsOf(expected)) {
    const auto found = given.find(place);
    if (found == given.end()) continue;
    const std::vector<ValueId>& others = found->second;
    std::size_t bytes = 0;
    for (const ValueId text : wanted) bytes += others.size() * ids_->BytesOf(text).size();
    for (const ValueId text : others) bytes += wanted.size() * ids_->BytesOf(text).size();
    if (wanted.size() * others.size() > kMaxElementPairs.max || bytes > kMaxElementPairBytes.max) {
      all = false;
      continue;
    }
    for (const ValueId e : wanted) {
      for (const ValueId a : others) {
        const auto [entry, is_new] = pair_of_.try_emplace(std::pair(e, a), pairs.size());
        if (e != a && is_new) pairs.Append(ids_->BytesOf(e), ids_->BytesOf(a), record);
        if (e == a) pair_of_.erase(entry);
      }
    }
  }
  return all;
}

}  // namespace leafscore::internal
