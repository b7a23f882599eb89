// engine/text/normaliser.h: gives one canonical form to all texts, numbers and booleans with the same
// meaning: "N/A" is an absent value, "Yes" is true, "$1,240.00" is 1240. Steps are chosen by name and always
// run in the order of the enumeration; comparing, hashing and joining all use the resulting form.
// THREADS: immutable once made.
#ifndef LEAFSCORE_ENGINE_TEXT_NORMALISER_H_
#define LEAFSCORE_ENGINE_TEXT_NORMALISER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/date.h"
#include "engine/text/number_text.h"

namespace leafscore::internal {

enum class NormaliserStep : std::uint8_t {
  kNullWords,            // texts such as "N/A" become absent
  kBoolean,              // true yes y x checked on, false no n unchecked off are booleans
  kNullFalse,            // false becomes absent
  kNullZero,             // 0 becomes absent
  kTypography,           // typographic quotes, dashes and dots become plain ones
  kAccents,              // compatibility forms without marks: e for é, fi for ﬁ
  kNumber,               // a text that is a number becomes that number
  kDate,                 // a text that is a date becomes its calendar day
  kCase,                 // full case folding
  kPhone,                // only digits, the last ten
  kIdentifier,           // only letters and digits, with case folded
  kPunctuation,          // each punctuation character becomes a space
  kTerminalPunctuation,  // one of . , ; : at the end is dropped
  kSpace,                // runs of white space become one space; removed at the ends
};
inline constexpr std::size_t kNormaliserSteps = 14;

// Returns the names of the steps, in order.
std::span<const std::string_view> NormaliserStepNames();

struct NormaliserRules {
  std::uint32_t steps = 0;  // bit k: step k
  NumberTextRules number = {};
  DayMonthOrder date_order = DayMonthOrder::kByValue;
  std::optional<std::vector<std::string>> null_words = {};  // replaces the built-in list

  bool Has(NormaliserStep step) const { return (steps >> static_cast<unsigned>(step) & 1) != 0; }
  void Add(NormaliserStep step) { steps |= 1u << static_cast<unsigned>(step); }
};

enum class NormalForm : std::uint8_t { kNothing, kFalse, kTrue, kNumber, kText };

class Normaliser {
 public:
  explicit Normaliser(NormaliserRules rules);

  const NormaliserRules& rules() const { return rules_; }

  // Sets `out` to the canonical form of a text: a JSON number token for kNumber, a text for kText. Texts are
  // in NFC whatever the steps. A step that would leave a blank text is not applied. Blank texts are kNothing.
  // REQUIRES: valid UTF-8. COST: ASCII does not go through ICU.
  NormalForm Text(std::string_view text, std::string& out) const;

  // Returns true if a quick check shows that a text is its own canonical form.
  bool Keeps(std::string_view text) const;

  // Returns kNothing for a number or boolean that the steps make absent, and its own form for any other.
  NormalForm Number(std::string_view token) const;
  NormalForm Boolean(bool value) const;

 private:
  NormalForm FormOf(NormalForm form, std::string_view token) const;

  NormaliserRules rules_;
  std::vector<std::string> null_words_;  // folded
};

// Brings valid UTF-8 into the compatible decomposed form of Unicode (NFKD) in place. COST: ASCII does not go
// through ICU.
void ToCompatibleForm(std::string& text);

// Returns whether a text contains only white space, U+001C to U+001F, U+200B and U+FEFF.
bool IsBlank(std::string_view text);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_NORMALISER_H_
