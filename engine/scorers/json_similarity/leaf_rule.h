// engine/scorers/json_similarity/leaf_rule.h: how json_similarity compares two leaves. Equal leaves match;
// numbers and strings may be similar; leaves of different kinds do not match, and neither do an empty and a
// non-empty text.
// THREADS: one at a time; each scorer batch that compares owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_LEAF_RULE_H_
#define LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_LEAF_RULE_H_

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/normalised_equal.h"
#include "engine/text/lower_case.h"
#include "engine/text/normaliser.h"

namespace leafscore::internal {

// A view of a leaf in the form in which it is compared.
struct ComparedLeaf {
  enum class Form : std::uint8_t { kNumber, kText, kOther };
  Form form = Form::kOther;
  bool is_named = false;  // a number that is NaN or Infinity
  double number = 0;
  std::string_view text = {};
};

class LeafRule {
 public:
  explicit LeafRule(bool case_sensitive) : case_sensitive_(case_sensitive) {}

  // Compares two leaves that differ in token or kind, and calls one of
  //   on_numbers(e, a)  the similarity is that between two numbers (kernels/number_similarity.h)
  //   on_texts(e, a)    the similarity depends on the edit distance; views are valid until the next Compare
  //   on_settled(s)     the similarity is s
  template <class OnNumbers, class OnTexts, class OnSettled>
  void Compare(ValueRef expected, ValueRef actual, OnNumbers on_numbers, OnTexts on_texts,
               OnSettled on_settled) {
    const bool are_numbers = expected.kind() == ValueKind::kNumber && actual.kind() == ValueKind::kNumber;
    if (!are_numbers && !(IsString(expected.kind()) && IsString(actual.kind()))) return on_settled(0.0);
    Compare(Read(expected, expected_text_), Read(actual, actual_text_), on_numbers, on_texts, on_settled);
  }

  // Does the same for leaves that Read returned.
  template <class OnNumbers, class OnTexts, class OnSettled>
  static void Compare(const ComparedLeaf& expected, const ComparedLeaf& actual, OnNumbers on_numbers,
                      OnTexts on_texts, OnSettled on_settled) {
    if (expected.form != actual.form || expected.form == ComparedLeaf::Form::kOther) return on_settled(0.0);
    if (expected.form == ComparedLeaf::Form::kText)
      return CompareTexts(expected.text, actual.text, on_texts, on_settled);
    // An expected NaN or Infinity matches any number, as it does in the original. An expected number beyond
    // the range of a double is similar to no other number.
    if (!std::isfinite(expected.number)) return on_settled(expected.is_named ? 1.0 : 0.0);
    on_numbers(expected.number, actual.number);
  }

  // Returns a leaf whose text is a view into the input or into `buffer`.
  ComparedLeaf Read(ValueRef leaf, std::string& buffer) const {
    const ValueKind kind = leaf.kind();
    if (kind == ValueKind::kNumber) {
      const std::string_view token = leaf.table->leaf_token(leaf.node);
      const double number = ParseNumber(token);
      return {ComparedLeaf::Form::kNumber, !std::isfinite(number) && IsNamedNumber(token), number};
    }
    if (!IsString(kind)) return {};
    return {.form = ComparedLeaf::Form::kText, .text = ComparedText(leaf, buffer)};
  }

  // Like Compare, but compares the canonical forms of two leaves.
  template <class OnNumbers, class OnTexts, class OnSettled>
  void CompareNormalised(ValueRef expected, ValueRef actual, const Normaliser& normaliser,
                         OnNumbers on_numbers, OnTexts on_texts, OnSettled on_settled) {
    NormalLeaf e = NormalLeafOf(expected, normaliser);
    NormalLeaf a = NormalLeafOf(actual, normaliser);
    if (e == a) return on_settled(1.0);
    if (e.form != a.form) return on_settled(0.0);
    if (e.form == NormalForm::kNumber) return on_numbers(ParseNumber(e.text), ParseNumber(a.text));
    if (!case_sensitive_) {
      ToLowerCase(e.text);
      ToLowerCase(a.text);
    }
    CompareTexts(e.text, a.text, on_texts, on_settled);
  }

 private:
  template <class OnTexts, class OnSettled>
  static void CompareTexts(std::string_view expected, std::string_view actual, OnTexts on_texts,
                           OnSettled on_settled) {
    if (expected == actual) return on_settled(1.0);
    if (expected.empty() || actual.empty()) return on_settled(0.0);
    on_texts(expected, actual);
  }

  // Returns a view into the input or into `buffer`.
  std::string_view ComparedText(ValueRef string, std::string& buffer) const {
    if (case_sensitive_ && string.kind() == ValueKind::kString) return string.table->leaf_token(string.node);
    buffer.clear();
    AppendStringText(*string.table, string.node, buffer);
    if (!case_sensitive_) ToLowerCase(buffer);
    return buffer;
  }

  bool case_sensitive_;
  std::string expected_text_;
  std::string actual_text_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_JSON_SIMILARITY_LEAF_RULE_H_
