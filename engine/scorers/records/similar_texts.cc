#include "engine/scorers/records/similar_texts.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

#include "engine/base/limits.h"

namespace leafscore::internal {
namespace {

// Texts share grams: runs of three bytes. A gram in more than kMostTexts texts says little.
constexpr std::size_t kGramBytes = 3;
constexpr std::size_t kMostTexts = 32;
// The number of texts that one text is compared with if there are too many to compare all.
constexpr std::size_t kMostCandidates = 8;
// The limit on the bytes of all requested texts, which are in memory at the same time.
constexpr std::size_t kMostAskedBytes = std::size_t{1} << 28;

// Appends the distinct grams of a text.
void ListGrams(std::string_view text, std::vector<std::uint32_t>& grams) {
  grams.clear();
  for (std::size_t i = 0; i + kGramBytes <= text.size(); ++i) {
    std::uint32_t gram = 0;
    for (const char c : text.substr(i, kGramBytes)) gram = gram << 8 | static_cast<unsigned char>(c);
    grams.push_back(gram);
  }
  std::ranges::sort(grams);
  grams.erase(std::ranges::unique(grams).begin(), grams.end());
}

}  // namespace

SimilarTexts::Texts SimilarTexts::TextsOf(const CellColumns& columns) const {
  Texts texts;
  for (std::size_t i = 0; i < columns.places.size(); ++i) {
    if (columns.cells[i] == 0 || (*places_)[columns.places[i]].similarity < 0) continue;
    if (IsContainer(columns.table->kind(columns.root + static_cast<NodeId>(i)))) continue;
    if (ids_->FormOf(columns.ids[i]) == ValueIds::Form::kText)
      texts[columns.places[i]].push_back(columns.ids[i]);
  }
  for (auto& [place, values] : texts) {
    std::set<ValueId> seen;
    std::erase_if(values, [&](ValueId text) { return !seen.insert(text).second; });
  }
  return texts;
}

void SimilarTexts::Append(std::uint32_t record, const CellColumns& expected, const CellColumns& actual,
                          StringPairs& pairs) {
  const Texts given = TextsOf(actual);
  for (const auto& [place, wanted] : TextsOf(expected)) {
    const auto found = given.find(place);
    if (found == given.end()) continue;
    const std::vector<ValueId>& others = found->second;
    std::size_t wanted_bytes = 0;
    std::size_t other_bytes = 0;
    for (const ValueId text : wanted) wanted_bytes += ids_->BytesOf(text).size();
    for (const ValueId text : others) other_bytes += ids_->BytesOf(text).size();
    const std::size_t bytes = others.size() * wanted_bytes + wanted.size() * other_bytes;
    const bool is_few = wanted.size() <= 2 && others.size() <= 2;  // each text is in at most two pairs
    if (!is_few &&
        (wanted.size() * others.size() > kMaxElementPairs.max || bytes > kMaxElementPairBytes.max)) {
      limited_.insert({record, place});
      AppendCandidates(record, wanted, others, pairs);
      continue;
    }
    for (const ValueId e : wanted) {
      for (const ValueId a : others) AppendPair(record, e, a, pairs);
    }
  }
}

void SimilarTexts::AppendPair(std::uint32_t record, ValueId expected, ValueId actual, StringPairs& pairs) {
  if (expected == actual) return;
  const auto [entry, is_new] = pair_of_.try_emplace({record, expected, actual}, pairs.size());
  if (is_new) pairs.Append(ids_->BytesOf(expected), ids_->BytesOf(actual), record);
}

// For each expected text that the actual value lacks, appends its pairs with the texts that share the most
// rare grams with it, within the limits.
void SimilarTexts::AppendCandidates(std::uint32_t record, const std::vector<ValueId>& expected,
                                    const std::vector<ValueId>& actual, StringPairs& pairs) {
  using Entry = std::pair<std::uint32_t, std::uint32_t>;
  const std::set<ValueId> all_expected(expected.begin(), expected.end());
  const std::set<ValueId> all_actual(actual.begin(), actual.end());
  std::vector<std::uint32_t> grams;
  std::vector<Entry> texts_of;  // gram, and the position of a text
  for (std::uint32_t i = 0; i < actual.size(); ++i) {
    if (all_expected.contains(actual[i])) continue;
    ListGrams(ids_->BytesOf(actual[i]), grams);
    for (const std::uint32_t gram : grams) texts_of.emplace_back(gram, i);
  }
  std::ranges::sort(texts_of);
  std::size_t count = 0;
  std::size_t bytes = 0;
  std::map<std::uint32_t, std::uint32_t> shared;  // by position
  std::vector<Entry> best;
  for (const ValueId e : expected) {
    if (all_actual.contains(e)) continue;
    ListGrams(ids_->BytesOf(e), grams);
    shared.clear();
    for (const std::uint32_t gram : grams) {
      const auto run = std::ranges::equal_range(texts_of, gram, {}, &Entry::first);
      if (run.size() > kMostTexts) continue;
      for (const auto& [of, position] : run) ++shared[position];
    }
    best.clear();
    for (const auto& [position, grams_shared] : shared) best.emplace_back(grams_shared, position);
    std::ranges::sort(best, [](const Entry& a, const Entry& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (std::size_t i = 0; i < std::min(best.size(), kMostCandidates); ++i) {
      const ValueId a = actual[best[i].second];
      bytes += ids_->BytesOf(e).size() + ids_->BytesOf(a).size();
      if (++count > kMaxElementPairs.max || bytes > kMaxElementPairBytes.max) return;
      AppendPair(record, e, a, pairs);
    }
  }
}

void SimilarTexts::BeginRecord(std::uint32_t record) {
  record_ = record;
  asked_.Clear();
  answered_ = 0;
  asked_of_.clear();
  has_unanswered_ = false;
}

bool SimilarTexts::Are(ValueId expected, ValueId actual, double least, bool asks) {
  const auto known = pair_of_.find({record_, expected, actual});
  if (known != pair_of_.end()) return pairs_->Similarity(known->second) >= least;
  if (!asks) return false;
  const auto asked = asked_of_.find({expected, actual});
  if (asked != asked_of_.end()) {
    return asked->second < answered_ && asked_.Similarity(asked->second) >= least;
  }
  const std::size_t bytes = ids_->BytesOf(expected).size() + ids_->BytesOf(actual).size();
  if (asked_.bytes() + bytes > kMostAskedBytes) {
    has_unanswered_ = true;
  } else {
    asked_of_.emplace(std::pair(expected, actual),
                      asked_.Append(ids_->BytesOf(expected), ids_->BytesOf(actual), record_));
  }
  return false;
}

bool SimilarTexts::Answer() {
  if (asked_.size() == answered_) return false;
  // Longer pairs would occupy all threads. Instead, their similarity is a range, and its lower end counts.
  asked_.ComputeDistances(kTableCells, [](LevenshteinTable& /*table*/) {});
  has_unanswered_ |= !asked_.inexact().empty();
  answered_ = asked_.size();
  return true;
}

}  // namespace leafscore::internal
