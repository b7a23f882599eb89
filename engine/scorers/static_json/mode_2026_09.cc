// Gold whose only key is `response`, `clarification` or `abstain`, by the rules of September 2026. The answer
// should have only that key, and contain certain terms.
#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/rounding.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/static_json/batch_2026_09.h"
#include "engine/scorers/static_json/mode_terms.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

std::string NormalisedKey(std::string_view name) {
  std::string key(StripSpace(name));
  ToLowerCase(key);
  return key;
}

std::string PythonStr(const PythonValue& value, const ShapeTable& shapes) {
  std::string text;
  AppendPythonStr(value, shapes, text);
  return text;
}

// Returns the words among which terms are searched.
std::string SearchedWords(const PythonValue& value, const ShapeTable& shapes) {
  if (!value.value.present() || value.value.kind() == ValueKind::kNull) return "";
  if (!IsContainer(value.value.kind())) return NormaliseTerm(PythonStr(value, shapes));
  std::string json;
  AppendPythonJson(value.value, shapes, KeyOrder::kByCodePoint, json);
  return WordsOf(json);  // as in the original, which lower-cases only texts
}

// Returns the forms of terms that occur in a text.
TextSet<std::string_view> FormsWithin(std::string_view words, std::span<const ModeTerm> required,
                                      std::span<const ModeTerm> optional) {
  std::vector<std::string_view> forms;
  for (const std::span<const ModeTerm> terms : {required, optional}) {
    for (const ModeTerm& term : terms) forms.insert(forms.end(), term.forms.begin(), term.forms.end());
  }
  return TermsWithin(words, forms);
}

}  // namespace

std::optional<std::string> Batch202609::ModeOfGold() const {
  if (!gold_side_.is_object() || gold_side_.members().size() != 1) return std::nullopt;
  std::string key = NormalisedKey(gold_side_.members()[0].name);
  if (key != "response" && key != "clarification" && key != "abstain") return std::nullopt;
  return key;
}

void Batch202609::MatchMode(const std::string& mode, StringPairs& pairs) {
  const PythonValue gold = gold_side_.AsPython(gold_side_.members()[0].value);
  std::vector<ModeTerm> required;
  if (rules_->required_terms) {
    required = *rules_->required_terms;
  } else {
    for (std::string& term : RequiredTerms(PythonStr(gold, *shapes_), SearchedWords(gold, *shapes_))) {
      required.push_back({term, {term}});
    }
  }
  std::map<std::string, ValueRef> model_keys;
  for (const AnswerSide::Member& member : model_side_.members()) {
    model_keys.insert_or_assign(NormalisedKey(member.name), member.value);
  }
  const bool one = model_keys.size() == 1;
  const bool key_match = one && model_keys.begin()->first == mode;
  const std::string words =
      one ? SearchedWords(model_side_.AsPython(model_keys.begin()->second), *shapes_) : "";
  // If the metadata describes the mode, an answer with another key is not searched.
  const bool looks = one && (key_match || !rules_->DescribesMode());
  const TextSet<std::string_view> found =
      FormsWithin(looks ? words : std::string_view(), required, rules_->optional_terms);
  const auto is_present = [&](const ModeTerm& term) {
    return std::ranges::any_of(term.forms, [&](const std::string& form) { return found.contains(form); });
  };

  const auto list = [&](KeyDetail::Presence presence, const std::string& key) {
    KeyDetail detail;
    detail.presence = KeyDetail::Presence::kOnlyListed;
    detail.listed = presence;
    detail.key = key;
    AddDetail(std::move(detail));
  };
  double extra_keys = 0;
  const auto list_extra = [&](const std::string& key) {
    ++extra_keys;
    list(KeyDetail::Presence::kExtra, key);
  };
  if (!key_match) list(KeyDetail::Presence::kMissing, "answer." + mode);
  if (!model_side_.is_object()) {
    if (!model_side_.IsNull()) list_extra("answer");
  } else if (!key_match) {
    for (const auto& [key, value] : model_keys) list_extra("answer." + key);
  }

  KeyDetail detail;
  detail.presence = KeyDetail::Presence::kJudgedWhole;
  detail.key = "answer.mode";
  detail.gold_value = mode;
  detail.model_value = one ? model_keys.begin()->first : "INVALID";
  detail.exact = detail.accepted = key_match;
  detail.match_type = key_match ? "exact" : "mode_mismatch";
  const Comparison comparison = CompareTexts(mode, detail.model_value, record_, pairs);
  detail.similarity = comparison.similarity;
  AddTextPair(record_, comparison, AddDetail(std::move(detail)));

  auto lists = std::array<std::vector<std::string>, kTermLists>();
  double matched = 0;
  for (const ModeTerm& term : required) {
    const bool present = is_present(term);
    matched += present;
    if (!keeps_details_) continue;
    lists[kRequired].push_back(term.name);
    if (present) lists[kMatched].push_back(term.name);
    KeyDetail of_term;
    of_term.presence = KeyDetail::Presence::kJudgedWhole;
    of_term.key = "answer.required_term." + term.name;
    of_term.gold_value = term.name;
    of_term.model_value = present ? term.name : "MISSING";
    of_term.exact = of_term.accepted = present;
    of_term.match_type = present ? "term_present" : "term_missing";
    of_term.similarity = present;
    AddDetail(std::move(of_term));
  }
  double matched_optional = 0;
  for (const ModeTerm& term : rules_->optional_terms) {
    const bool present = is_present(term);
    matched_optional += present;
    if (!keeps_details_) continue;
    lists[kOptional].push_back(term.name);
    if (present) lists[kMatchedOptional].push_back(term.name);
  }
  if (keeps_details_) terms_[record_] = std::move(lists);

  const auto terms = static_cast<double>(required.size());
  const double gold_keys = 1 + terms;
  const double model_keys_count = gold_keys + extra_keys;
  const double exact = key_match + matched;
  const double coverage = terms > 0 ? matched / terms : looks || !rules_->DescribesMode();
  const bool passed = key_match && matched == terms && extra_keys == 0;
  figure(kGoldKeys) = gold_keys;
  figure(kModelKeys) = model_keys_count;
  figure(kMatchedKeys) = key_match;
  figure(kAcceptedMatches) = figure(kExactMatches) = exact;
  figure(kPrecision) = Share(exact, model_keys_count);
  figure(kRecall) = figure(kPartialMatch) = figure(kPartialExact) = Share(exact, gold_keys);
  figure(kF1) = F1(figure(kPrecision), figure(kRecall));
  figure(kStrictExact) = figure(kAllSatisfied) = passed;
  settled_similarity_[record_] = comparison.similarity + matched;
  figure(kModeKeyMatch) = key_match;
  figure(kModeOneKey) = one;
  figure(kModeCoverage) = coverage;
  if (rules_->DescribesMode()) {
    figure(kExactPrecision) = figure(kPrecision);
    figure(kExactRecall) = figure(kRecall);
    figure(kExactF1) = figure(kF1);
    figure(kCarScore) = key_match ? 0.6 + 0.4 * coverage : 0;
    if (rules_->mode) figure(kModeSpecMatches) = NormalisedKey(*rules_->mode) == mode;
    if (!rules_->optional_terms.empty()) {
      figure(kModeOptionalCoverage) = matched_optional / static_cast<double>(rules_->optional_terms.size());
    }
  }
  columns_.passed[record_] = passed;
  columns_.score[record_] = RoundToDecimals(figure(kF1), 3);
}

}  // namespace leafscore::internal
