#include "engine/scorers/tool_calls/fuzzy_texts.h"

namespace leafscore::internal {

void FuzzyTexts::BeginBatch() {
  jaro_winkler_.Clear();
  pair_of_texts_.clear();
}

double FuzzyTexts::Similarity(std::string_view expected, std::string_view actual, bool jaro_winkler) {
  // The key contains the number of the record, because the cells of pairs are counted by record, and the size
  // of the expected text, to show where the actual text begins.
  key_ = std::to_string(record_);
  key_ += jaro_winkler ? 'j' : 'l';
  key_ += std::to_string(expected.size());
  key_ += ' ';
  key_ += expected;
  key_ += actual;
  if (pairs_ != nullptr) {
    const auto [found, is_new] = pair_of_texts_.try_emplace(key_, 0);
    if (is_new) {
      found->second =
          jaro_winkler ? jaro_winkler_.Append(expected, actual) : pairs_->Append(expected, actual, record_);
    }
    return 1;
  }
  const auto found = pair_of_texts_.find(key_);
  if (found == pair_of_texts_.end()) return 0;
  return jaro_winkler ? jaro_winkler_.similarity(found->second) : found_->Similarity(found->second);
}

}  // namespace leafscore::internal
