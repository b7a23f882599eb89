// engine/scorers/records/extract_equality.h: decides whether two cells are equal by ExtractBench's rules: by
// their numbers, as similar texts under some keys, as one of several accepted values, or by the normalisers
// of a field, which are tried one at a time.
//
// The similarity of texts decides which rows are paired, so the pairs of texts are named first and then
// computed all at once. THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_EQUALITY_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_EQUALITY_H_

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/distance/similarity_pairs.h"
#include "engine/match/value_ids.h"
#include "engine/scorers/records/extract_values.h"

namespace leafscore::internal {

// The normalisers of the revision, by number.
enum class ExtractNormaliser : std::uint8_t {
  kTerminalPunctuation,
  kPunctuationSpacing,
  kCaseInsensitive,
  kPhoneDigits,
  kNullEqualsFalse,
  kLenientDate,
};
inline constexpr std::string_view kExtractNormaliserNames[] = {"optional_terminal_punctuation",
                                                               "punctuation_spacing",
                                                               "case_insensitive",
                                                               "phone_digits",
                                                               "null_equals_false",
                                                               "lenient_date"};

class ExtractEquality {
 public:
  explicit ExtractEquality(ValueIds* ids) : ids_(ids) {}

  // Forgets the pairs of the previous batch. With `all`, also forgets everything that depends on the numbers
  // of values.
  void BeginBatch(bool all);

  // Begins to name the pairs of a record.
  void BeginRecord();
  // Names all pairs of an expected and an actual text that may be alike. The lists have the texts of one
  // field and the forms that normalisers make of these texts. RETURNS: false if the pairs are too many or too
  // long; pairs that were not named count as unlike.
  bool NamePairs(std::vector<ValueId> expected, std::vector<ValueId> actual, double likeness);
  // Appends the numbers that NamePairs needs for a cell: the number of its text and the numbers of the text's
  // forms.
  void AppendTexts(ExtractCell cell, std::vector<ValueId>& texts);
  // Returns whether the record has a pair. If so, Compute must be called before Equal.
  bool needs_pairs() const { return needs_pairs_; }
  void Compute() {
    pairs_.Compute();
    computed_ = pairs_.size();
  }

  // Returns whether an actual cell equals an expected cell of `values`. `likeness` comes from the column of
  // the cells.
  bool Equal(const ExtractValues& values, std::uint32_t expected, ExtractCell actual, double likeness);

 private:
  bool EqualTo(ExtractCell expected, std::uint32_t normalisers, ExtractCell actual, double likeness);
  bool EqualBy(ExtractNormaliser normaliser, ExtractCell expected, ExtractCell actual, double likeness);
  bool AreAlike(ValueId expected, ValueId actual, double likeness);
  bool IsText(ValueId id) const { return id != 0 && ids_->FormOf(id) == ValueIds::Form::kText; }
  ValueId PlainWords(ValueId text);
  std::span<const ValueId> FormsBy(ExtractNormaliser normaliser, ValueId text);

  ValueIds* ids_;
  SimilarityPairs pairs_{SimilarityMeasure::kCommonSubsequence};
  std::uint32_t computed_ = 0;                                    // how many of pairs_ are computed
  std::map<std::pair<ValueId, ValueId>, std::uint32_t> pair_of_;  // by the plain words of both
  std::map<ValueId, ValueId> plain_words_of_;                     // by text
  std::map<std::pair<ExtractNormaliser, ValueId>, std::vector<ValueId>> forms_of_;
  bool needs_pairs_ = false;      // whether the record has a pair
  std::uint64_t pairs_left_ = 0;  // left for the record
  std::uint64_t bytes_left_ = 0;
  std::uint64_t cells_left_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_EQUALITY_H_
