// engine/base/choices.h: the possible values of options, in the order in which --help lists them. They are
// spelled as in the command, in configurations and in manifests. Constants.
#ifndef LEAFSCORE_ENGINE_BASE_CHOICES_H_
#define LEAFSCORE_ENGINE_BASE_CHOICES_H_

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "leafscore/files.h"
#include "leafscore/options.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

template <class Choice>
struct NamedChoice {
  std::string_view name;
  Choice choice;
};

inline constexpr NamedChoice<DetailLevel> kDetailChoices[] = {
    {"none", DetailLevel::kNone}, {"basic", DetailLevel::kBasic}, {"leaves", DetailLevel::kLeaves}};
inline constexpr NamedChoice<InputFormat> kInputFormatChoices[] = {{"auto", InputFormat::kAuto},
                                                                   {"jsonl", InputFormat::kJsonLines},
                                                                   {"json", InputFormat::kJsonArray},
                                                                   {"csv", InputFormat::kCsv},
                                                                   {"tsv", InputFormat::kTsv}};
inline constexpr NamedChoice<ParseTexts> kParseTextsChoices[] = {{"auto", ParseTexts::kAuto},
                                                                 {"prose", ParseTexts::kProse},
                                                                 {"never", ParseTexts::kNever},
                                                                 {"always", ParseTexts::kAlways}};
inline constexpr NamedChoice<Repeats> kRepeatsChoices[] = {
    {"last", Repeats::kLast}, {"first", Repeats::kFirst}, {"all", Repeats::kAll}, {"error", Repeats::kError}};

// Return the possible values of an option of that type.
constexpr const auto& ChoicesOf(DetailLevel) { return kDetailChoices; }
constexpr const auto& ChoicesOf(InputFormat) { return kInputFormatChoices; }
constexpr const auto& ChoicesOf(ParseTexts) { return kParseTextsChoices; }
constexpr const auto& ChoicesOf(Repeats) { return kRepeatsChoices; }

// REQUIRES: `choice` is in the list.
template <class Choice, std::size_t kCount>
constexpr std::string_view NameOf(const NamedChoice<Choice> (&choices)[kCount], Choice choice) {
  return std::ranges::find(choices, choice, &NamedChoice<Choice>::choice)->name;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_CHOICES_H_
