#include "engine/scorers/records/extract_equality.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <string>

#include "engine/base/limits.h"
#include "engine/base/utf8.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/records/extract_dates.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

using ValueForm = ValueIds::Form;

constexpr std::uint32_t kFoldedTexts = 0;  // the same as in extract_values.cc
constexpr std::uint32_t kExactTexts = 1;
constexpr std::uint32_t kPlainTexts = 3;
constexpr std::uint32_t kCaseFolded = 4;
constexpr std::uint32_t kPhoneNumbers = 5;
constexpr std::string_view kSeparators = ".,;:";
constexpr std::size_t kDigitsOfPhones = 10;
constexpr std::uint64_t kMaxComparedTexts = 100'000'000;  // pairs examined for possible likeness
// The limit on the pairs of a record: the sum, over the pairs, of the product of the sizes of both texts. At
// the limit, all pairs take about as long as one pair of the largest size.
constexpr std::uint64_t kMaxTextCells = std::uint64_t{1} << 36;

bool IsSeparator(char c) { return kSeparators.find(c) != std::string_view::npos; }

// Returns a text with a space in place of each character that is not a letter, digit, underscore or space.
std::string WithoutPunctuation(std::string_view text) {
  std::string words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    UChar32 c;
    U8_NEXT(text.data(), at, text.size(), c);
    const bool is_word =
        c == '_' || (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_N_MASK)) != 0 || SkipSpace(text, begin) > begin;
    words += is_word ? text.substr(begin, at - begin) : " ";
  }
  return words;
}

// Removes one separator from the end of a text, and the spaces around it.
std::string_view WithoutTerminal(std::string_view text) {
  text = StripSpace(text);
  if (text.empty() || !IsSeparator(text.back())) return text;
  text.remove_suffix(1);
  return StripSpace(text);
}

std::string WithoutSpaceAtSeparators(std::string_view text) {
  std::string close;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t after = SkipSpace(text, at);
    if (after < text.size() && IsSeparator(text[after])) {
      close += text[after];
      at = SkipSpace(text, after + 1);
    } else {
      const std::size_t end = after == at ? CodePointEnd(text, at) : after;
      close += text.substr(at, end - at);
      at = end;
    }
  }
  return close;
}

// Returns the digits of a text. If there are ten or more, returns a mark and the last ten.
std::string PhoneNumber(std::string_view text) {
  std::vector<std::string_view> digits;
  int value = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = ReadDigit(text, at, &value);
    if (size != 0) digits.push_back(text.substr(at, size));
    at = size != 0 ? at + size : CodePointEnd(text, at);
  }
  std::string number = digits.size() < kDigitsOfPhones ? "" : "+";
  const std::size_t first = digits.size() < kDigitsOfPhones ? 0 : digits.size() - kDigitsOfPhones;
  for (std::size_t i = first; i < digits.size(); ++i) number += digits[i];
  return number;
}

// Counts the characters of a text, by group.
struct LetterCounts {
  static constexpr std::size_t kGroups = 32;

  std::uint32_t size = 0;
  std::array<std::uint32_t, kGroups> counts = {};

  explicit LetterCounts(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++size) {
      UChar32 c;
      U8_NEXT(text.data(), at, text.size(), c);
      ++counts[static_cast<std::size_t>(c) % kGroups];
    }
  }

  // Returns an upper bound on the length of the longest common subsequence.
  std::uint32_t MostCommon(const LetterCounts& other) const {
    std::uint32_t common = 0;
    for (std::size_t group = 0; group < kGroups; ++group) {
      common += std::min(counts[group], other.counts[group]);
    }
    return common;
  }
};

double RatioOf(double unlike, double both) { return (1 - unlike / both) * 100; }

}  // namespace

void ExtractEquality::BeginBatch(bool all) {
  pairs_.Clear();
  computed_ = 0;
  pair_of_.clear();
  if (!all) return;
  plain_words_of_.clear();
  forms_of_.clear();
}

void ExtractEquality::BeginRecord() {
  needs_pairs_ = false;
  pairs_left_ = kMaxLeafPairs.max;
  bytes_left_ = kMaxLeafPairBytes.max;
  cells_left_ = kMaxTextCells;
}

// Returns the number of a text after it is put in lower case and its punctuation is removed.
ValueId ExtractEquality::PlainWords(ValueId text) {
  const auto [entry, is_new] = plain_words_of_.try_emplace(text, 0);
  if (!is_new) return entry->second;
  std::string buffer;
  const std::string words = WithoutPunctuation(ids_->BytesOf(text));
  std::string lower(FoldSpaceRuns(words, buffer));
  ToLowerCase(lower);
  return entry->second = ids_->Cell(kPlainTexts, ValueForm::kText, lower);
}

void ExtractEquality::AppendTexts(ExtractCell cell, std::vector<ValueId>& texts) {
  if (IsText(cell.id)) texts.push_back(cell.id);
  if (!IsText(cell.exact)) return;
  for (const auto normaliser :
       {ExtractNormaliser::kTerminalPunctuation, ExtractNormaliser::kPunctuationSpacing}) {
    for (const ValueId form : FormsBy(normaliser, cell.exact)) texts.push_back(form);
  }
}

bool ExtractEquality::NamePairs(std::vector<ValueId> expected, std::vector<ValueId> actual, double likeness) {
  for (std::vector<ValueId>* const side : {&expected, &actual}) {
    for (ValueId& text : *side) text = PlainWords(text);
    std::ranges::sort(*side);
    side->erase(std::ranges::unique(*side).begin(), side->end());
  }
  if (expected.size() * std::uint64_t{actual.size()} > kMaxComparedTexts) return false;
  std::vector<LetterCounts> actual_letters;
  for (const ValueId a : actual) actual_letters.emplace_back(ids_->BytesOf(a));
  for (const ValueId e : expected) {
    const std::string_view words = ids_->BytesOf(e);
    const LetterCounts letters(words);
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const ValueId a = actual[i];
      const LetterCounts& others_letters = actual_letters[i];
      const std::uint64_t sizes = std::uint64_t{letters.size} + others_letters.size;
      const std::uint64_t apart = sizes - 2 * std::uint64_t{letters.MostCommon(others_letters)};
      const bool may_be_alike =
          e != a && letters.size != 0 && others_letters.size != 0 &&
          RatioOf(static_cast<double>(apart), static_cast<double>(sizes)) >= likeness * 100;
      if (!may_be_alike) continue;
      const std::string_view others = ids_->BytesOf(a);
      const std::uint64_t cells = std::uint64_t{letters.size} * others_letters.size;
      needs_pairs_ = true;
      if (pair_of_.contains({e, a})) continue;
      const std::uint64_t bytes = words.size() + others.size();
      if (pairs_left_ == 0 || bytes > bytes_left_ || cells > cells_left_) return false;
      --pairs_left_;
      bytes_left_ -= bytes;
      cells_left_ -= cells;
      pair_of_[{e, a}] = pairs_.Append(words, others);
    }
  }
  return true;
}

bool ExtractEquality::AreAlike(ValueId expected, ValueId actual, double likeness) {
  const std::pair texts(PlainWords(expected), PlainWords(actual));
  if (texts.first == texts.second) return true;
  // A pair without a computed similarity was named for another record or field. Its texts are too unlike for
  // this one.
  const auto found = pair_of_.find(texts);
  return found != pair_of_.end() && found->second < computed_ &&
         pairs_.similarity(found->second) * 100 >= likeness * 100;
}

bool ExtractEquality::Equal(const ExtractValues& values, std::uint32_t expected, ExtractCell actual,
                            double likeness) {
  const ExtractValues::Note& note = values.NoteOf(expected);
  if (EqualTo(values.Cell(expected), note.normalisers, actual, likeness)) return true;
  for (std::uint32_t i = note.begin; i < note.end; ++i) {
    if (EqualTo(values.alternatives[i], note.normalisers, actual, likeness)) return true;
  }
  return false;
}

bool ExtractEquality::EqualTo(ExtractCell expected, std::uint32_t normalisers, ExtractCell actual,
                              double likeness) {
  if (expected.id == actual.id) return true;
  if (likeness != 0 && IsText(expected.id) && IsText(actual.id) &&
      AreAlike(expected.id, actual.id, likeness)) {
    return true;
  }
  for (std::size_t n = 0; normalisers >> n != 0; ++n) {
    if ((normalisers >> n & 1) != 0 &&
        EqualBy(static_cast<ExtractNormaliser>(n), expected, actual, likeness)) {
      return true;
    }
  }
  return false;
}

bool ExtractEquality::EqualBy(ExtractNormaliser normaliser, ExtractCell expected, ExtractCell actual,
                              double likeness) {
  if (expected.exact == 0 || actual.exact == 0) return false;
  if (normaliser == ExtractNormaliser::kNullEqualsFalse)
    return !IsText(expected.exact) && !IsText(actual.exact);
  if (!IsText(expected.exact) || !IsText(actual.exact)) return false;
  const bool may_be_alike = likeness != 0 && (normaliser == ExtractNormaliser::kTerminalPunctuation ||
                                              normaliser == ExtractNormaliser::kPunctuationSpacing);
  const std::span<const ValueId> forms = FormsBy(normaliser, expected.exact);
  const std::span<const ValueId> others = FormsBy(normaliser, actual.exact);
  return std::ranges::any_of(forms, [&](ValueId form) {
    return std::ranges::any_of(others, [&](ValueId other) {
      return form == other || (may_be_alike && AreAlike(form, other, likeness));
    });
  });
}

// Returns the numbers of the forms that a normaliser makes of a text. There are no forms if the normaliser
// does not apply to the text.
std::span<const ValueId> ExtractEquality::FormsBy(ExtractNormaliser normaliser, ValueId text) {
  const auto [entry, is_new] = forms_of_.try_emplace({normaliser, text});
  std::vector<ValueId>& forms = entry->second;
  if (!is_new) return forms;
  const std::string exact(ids_->BytesOf(text));
  std::string buffer;
  const auto add = [&](std::uint32_t place, std::string_view form) {
    forms.push_back(ids_->Cell(place, ValueForm::kText, form));
  };
  switch (normaliser) {
    case ExtractNormaliser::kTerminalPunctuation: {
      const std::string_view kept = WithoutTerminal(exact);
      if (!kept.empty()) add(kFoldedTexts, FoldSpaceRuns(kept, buffer));
      break;
    }
    case ExtractNormaliser::kPunctuationSpacing:
      add(kFoldedTexts, FoldSpaceRuns(WithoutSpaceAtSeparators(exact), buffer));
      break;
    case ExtractNormaliser::kCaseInsensitive: {
      std::string folded(FoldSpaceRuns(exact, buffer));
      FoldCase(folded);
      add(kCaseFolded, folded);
      break;
    }
    case ExtractNormaliser::kPhoneDigits:
      if (const std::string number = PhoneNumber(exact); !number.empty()) add(kPhoneNumbers, number);
      break;
    case ExtractNormaliser::kLenientDate: {
      std::vector<std::string> dates;
      AppendLenientDates(exact, dates);
      for (const std::string& date : dates) add(kExactTexts, date);
      break;
    }
    case ExtractNormaliser::kNullEqualsFalse:
      break;
  }
  return forms;
}

}  // namespace leafscore::internal
