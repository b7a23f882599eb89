#include "engine/scorers/static_json/key_rules.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "engine/scorers/static_json/mode_terms.h"

namespace leafscore::internal {
namespace {

constexpr std::pair<std::string_view, KeyRule::Mode> kKeyModes[] = {
    {"timestamp", KeyRule::Mode::kTimestamp},
    {"measure", KeyRule::Mode::kMeasure},
    {"set_match", KeyRule::Mode::kSetMatch},
    {"set_contained", KeyRule::Mode::kSetContained},
};

double ToleranceOf(JsonView value) {
  constexpr double kDay = 86400;
  const std::optional<double> seconds = value.Number();
  if (!seconds || !std::isfinite(*seconds) || *seconds <= 0) return 0;
  return std::min(*seconds, kDay);
}

// Returns the number in the member `n` of a rule. RETURNS: NaN if no number of answers can equal it; nullopt
// if Python considers the value false.
std::optional<double> CountOf(JsonView value) {
  if (!value.present() || value.Is(ValueKind::kNull) || value.Is(ValueKind::kFalse)) return std::nullopt;
  if (value.Is(ValueKind::kTrue)) return 1;
  const std::string_view written = value.Written();
  if (written == "\"\"" || written == "[]" || written == "{}") return std::nullopt;
  const double number = value.Number().value_or(std::nan(""));
  return number == 0 ? std::nullopt : std::optional(number);
}

std::vector<std::string> TextsIn(JsonView list) {
  std::vector<std::string> texts;
  if (!list.Is(ValueKind::kArray)) return texts;
  list.ForEachChild([&](JsonView item) {
    if (item.IsText()) texts.push_back(*item.Text());
  });
  return texts;
}

// Reads a list whose elements are texts or {concept, any_of}.
std::vector<ModeTerm> TermsIn(JsonView list) {
  std::vector<ModeTerm> terms;
  list.ForEachChild([&](JsonView item) {
    ModeTerm term;
    std::vector<std::string> forms;
    if (item.Is(ValueKind::kObject)) {
      forms = TextsIn(item.Member("any_of"));
      const JsonView concept_name = item.Member("concept");
      if (concept_name.IsText()) term.name = *concept_name.Text();
      if (term.name.empty() && !forms.empty()) term.name = forms.front();
      if (forms.empty()) forms = {term.name};
    } else if (item.IsText()) {
      term.name = *item.Text();
      forms = {term.name};
    }
    for (const std::string& form : forms) {
      if (std::string normalised = NormaliseTerm(form); !normalised.empty()) {
        term.forms.push_back(std::move(normalised));
      }
    }
    if (!term.forms.empty()) terms.push_back(std::move(term));
  });
  return terms;
}

}  // namespace

EvaluationRules ReadEvaluationRules(JsonView metadata) {
  EvaluationRules rules;
  metadata.Member("keys").ForEachMember([&](std::string_view name, JsonView value) {
    const JsonView mode = value.Member("mode");
    const auto known = std::ranges::find(kKeyModes, mode.IsText() ? *mode.Text() : "",
                                         &std::pair<std::string_view, KeyRule::Mode>::first);
    if (known == std::end(kKeyModes)) return;
    rules.keys.push_back({std::string(name), known->second, ToleranceOf(value.Member("tolerance_s")),
                          CountOf(value.Member("n")), TextsIn(value.Member("match_on"))});
  });
  if (const JsonView mode = metadata.Member("mode"); mode.IsText()) rules.mode = mode.Text();
  if (const JsonView terms = metadata.Member("required_terms"); terms.Is(ValueKind::kArray)) {
    rules.required_terms = TermsIn(terms);
  }
  rules.optional_terms = TermsIn(metadata.Member("optional_terms"));
  return rules;
}

}  // namespace leafscore::internal
