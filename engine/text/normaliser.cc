#include "engine/text/normaliser.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/json/json_scalar.h"
#include "engine/text/lower_case.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kStepNames[kNormaliserSteps] = {
    "null_words", "boolean", "null_false", "null_zero",   "typography",           "accents", "number", "date",
    "case",       "phone",   "identifier", "punctuation", "terminal_punctuation", "space"};

constexpr std::string_view kNullWords[] = {
    "-",   "--",      "\u2013",        "\u2014",         "n/a",       "na",           "n.a.", "none", "null",
    "nil", "unknown", "not available", "not applicable", "not found", "not specified"};
constexpr std::string_view kTrueWords[] = {"true", "yes", "y", "x", "checked", "on"};
constexpr std::string_view kFalseWords[] = {"false", "no", "n", "unchecked", "off"};

constexpr std::pair<std::string_view, std::string_view> kPlainForms[] = {
    {"\u2018", "'"},  {"\u2019", "'"},  {"\u201a", "'"},  {"\u2032", "'"},  {"\u201c", "\""},
    {"\u201d", "\""}, {"\u201e", "\""}, {"\u2033", "\""}, {"\u00ab", "\""}, {"\u00bb", "\""},
    {"\u2010", "-"},  {"\u2011", "-"},  {"\u2012", "-"},  {"\u2013", "-"},  {"\u2014", "-"},
    {"\u2015", "-"},  {"\u2212", "-"},  {"\u2026", "..."}};

bool HasOnlyAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<signed char>(c) >= 0; });
}

bool IsBlankCharacter(UChar32 c) {
  return u_isUWhiteSpace(c) || c == 0x200b || c == 0xfeff || (c >= 0x1c && c <= 0x1f);
}

void Check(UErrorCode status) {
  if (U_FAILURE(status)) throw Error(ErrorCode::kInternal, u_errorName(status));
}

// Calls visit(code point, its bytes) for each character.
template <class Visit>
void ForEachCharacter(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    UChar32 c;
    U8_NEXT(text.data(), at, text.size(), c);
    visit(c, text.substr(begin, at - begin));
  }
}

void Normalise(const UNormalizer2* form, std::string& text) {
  if (HasOnlyAscii(text)) return;
  UErrorCode status = U_ZERO_ERROR;
  std::u16string wide(text.size(), u'\0');
  std::int32_t size = 0;
  u_strFromUTF8WithSub(wide.data(), static_cast<std::int32_t>(wide.size()), &size, text.data(),
                       static_cast<std::int32_t>(text.size()), 0xfffd, nullptr, &status);
  Check(status);
  wide.resize(static_cast<std::size_t>(size));
  if (unorm2_isNormalized(form, wide.data(), size, &status) != 0) return;
  Check(status);
  std::u16string normal(2 * wide.size() + 16, u'\0');
  for (;;) {
    status = U_ZERO_ERROR;
    size = unorm2_normalize(form, wide.data(), static_cast<std::int32_t>(wide.size()), normal.data(),
                            static_cast<std::int32_t>(normal.size()), &status);
    normal.resize(static_cast<std::size_t>(size));
    if (status != U_BUFFER_OVERFLOW_ERROR) break;
  }
  Check(status);
  text.resize(3 * normal.size());
  u_strToUTF8(text.data(), static_cast<std::int32_t>(text.size()), &size, normal.data(),
              static_cast<std::int32_t>(normal.size()), &status);
  Check(status);
  text.resize(static_cast<std::size_t>(size));
}

void ToNfc(std::string& text) {
  if (HasOnlyAscii(text)) return;
  UErrorCode status = U_ZERO_ERROR;
  static const UNormalizer2* const nfc = unorm2_getNFCInstance(&status);
  Check(status);
  Normalise(nfc, text);
}

void DropAccents(std::string& text) {
  if (HasOnlyAscii(text)) return;
  ToCompatibleForm(text);
  std::string kept;
  ForEachCharacter(text, [&](UChar32 c, std::string_view bytes) {
    const auto category = u_charType(c);
    if (category != U_NON_SPACING_MARK && category != U_FORMAT_CHAR) kept += bytes;
  });
  text = std::move(kept);
  ToNfc(text);
}

void FoldSpace(std::string& text) {
  std::string folded;
  bool gap = false;
  ForEachCharacter(text, [&](UChar32 c, std::string_view bytes) {
    if (IsBlankCharacter(c)) {
      gap = true;
      return;
    }
    if (gap && !folded.empty()) folded += ' ';
    gap = false;
    folded += bytes;
  });
  text = std::move(folded);
}

void ToPlainTypography(std::string& text) {
  if (HasOnlyAscii(text)) return;
  std::string plain;
  ForEachCharacter(text, [&](UChar32, std::string_view bytes) {
    const auto form =
        std::ranges::find(kPlainForms, bytes, &std::pair<std::string_view, std::string_view>::first);
    plain += form == std::end(kPlainForms) ? bytes : form->second;
  });
  text = std::move(plain);
}

void ToPhoneDigits(std::string& text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), IsDigit);
  constexpr std::size_t kLeastDigits = 7;
  constexpr std::size_t kKeptDigits = 10;
  if (digits.size() < kLeastDigits) return;
  text = digits.size() > kKeptDigits ? digits.substr(digits.size() - kKeptDigits) : digits;
}

void ToIdentifier(std::string& text) {
  std::string kept;
  ForEachCharacter(text, [&](UChar32 c, std::string_view bytes) {
    if (u_isalnum(c)) kept += bytes;
  });
  FoldCase(kept);
  text = std::move(kept);
}

void SpaceOutPunctuation(std::string& text) {
  std::string spaced;
  ForEachCharacter(text, [&](UChar32 c, std::string_view bytes) { spaced += u_ispunct(c) ? " " : bytes; });
  text = std::move(spaced);
}

void DropTerminalPunctuation(std::string& text) {
  // The last character that is not white space, and the end of the one before it.
  std::size_t last_begin = 0;
  std::size_t last_end = 0;
  std::size_t end_before = 0;
  std::size_t at = 0;
  ForEachCharacter(text, [&](UChar32 c, std::string_view bytes) {
    if (!IsBlankCharacter(c)) {
      end_before = last_end;
      last_begin = at;
      last_end = at + bytes.size();
    }
    at += bytes.size();
  });
  const bool ends_so =
      last_end == last_begin + 1 && std::string_view(".,;:").find(text[last_begin]) != std::string_view::npos;
  if (ends_so) text.resize(end_before);
}

std::string Folded(std::string_view text) {
  std::string folded(text);
  ToNfc(folded);
  FoldCase(folded);
  FoldSpace(folded);
  return folded;
}

// Returns whether folding white space would change a text.
bool HasSpaceToFold(std::string_view text) {
  bool after_space = true;
  for (const char c : text) {
    const bool space = c == ' ';
    if (static_cast<unsigned char>(c) < ' ' || static_cast<signed char>(c) < 0) return true;
    if (space && after_space) return true;
    after_space = space;
  }
  return after_space && !text.empty();
}

bool Contains(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

}  // namespace

std::span<const std::string_view> NormaliserStepNames() { return kStepNames; }

void ToCompatibleForm(std::string& text) {
  if (HasOnlyAscii(text)) return;
  UErrorCode status = U_ZERO_ERROR;
  static const UNormalizer2* const nfkd = unorm2_getNFKDInstance(&status);
  Check(status);
  Normalise(nfkd, text);
}

bool IsBlank(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    UChar32 c;
    U8_NEXT(text.data(), at, text.size(), c);
    if (!IsBlankCharacter(c)) return false;
  }
  return true;
}

Normaliser::Normaliser(NormaliserRules rules) : rules_(std::move(rules)) {
  if (rules_.null_words) {
    for (const std::string& word : *rules_.null_words) null_words_.push_back(Folded(word));
  } else {
    null_words_.assign(std::begin(kNullWords), std::end(kNullWords));
  }
}

bool Normaliser::Keeps(std::string_view text) const {
  constexpr std::uint32_t kOnlySpace = 1u << static_cast<unsigned>(NormaliserStep::kSpace);
  return (rules_.steps & ~kOnlySpace) == 0 && !text.empty() && !HasSpaceToFold(text);
}

// Applies the steps by which a number or boolean becomes absent.
NormalForm Normaliser::FormOf(NormalForm form, std::string_view token) const {
  const bool is_nothing =
      (form == NormalForm::kFalse && rules_.Has(NormaliserStep::kNullFalse)) ||
      (form == NormalForm::kNumber && rules_.Has(NormaliserStep::kNullZero) && ParseNumber(token) == 0);
  return is_nothing ? NormalForm::kNothing : form;
}

NormalForm Normaliser::Number(std::string_view token) const { return FormOf(NormalForm::kNumber, token); }

NormalForm Normaliser::Boolean(bool value) const {
  return FormOf(value ? NormalForm::kTrue : NormalForm::kFalse, {});
}

NormalForm Normaliser::Text(std::string_view text, std::string& out) const {
  using Step = NormaliserStep;
  out = text;
  if (IsBlank(text)) return NormalForm::kNothing;
  ToNfc(out);
  if (rules_.steps == 0) return NormalForm::kText;
  if (rules_.Has(Step::kNullWords) || rules_.Has(Step::kBoolean)) {
    const std::string folded = Folded(out);
    if (rules_.Has(Step::kNullWords) && std::ranges::find(null_words_, folded) != null_words_.end()) {
      return NormalForm::kNothing;
    }
    if (rules_.Has(Step::kBoolean) && Contains(kTrueWords, folded)) return FormOf(NormalForm::kTrue, {});
    if (rules_.Has(Step::kBoolean) && Contains(kFalseWords, folded)) return FormOf(NormalForm::kFalse, {});
  }
  std::string before;
  const auto apply = [&](Step step, void (*change)(std::string&)) {
    if (!rules_.Has(step)) return;
    before = out;
    change(out);
    if (IsBlank(out)) out = before;
  };
  apply(Step::kTypography, ToPlainTypography);
  apply(Step::kAccents, DropAccents);
  if (rules_.Has(Step::kNumber)) {
    std::string token;
    if (ReadNumberText(out, rules_.number, token)) {
      out = std::move(token);
      return FormOf(NormalForm::kNumber, out);
    }
  }
  if (rules_.Has(Step::kDate)) {
    before = out;
    FoldSpace(before);
    if (const auto day = ParseDate(before, rules_.date_order)) {
      const std::chrono::year_month_day date(*day);
      out = fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                        static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
      return NormalForm::kText;
    }
  }
  apply(Step::kCase, FoldCase);
  apply(Step::kPhone, ToPhoneDigits);
  apply(Step::kIdentifier, ToIdentifier);
  apply(Step::kPunctuation, SpaceOutPunctuation);
  apply(Step::kTerminalPunctuation, DropTerminalPunctuation);
  if (rules_.Has(Step::kSpace) && HasSpaceToFold(out)) FoldSpace(out);
  return NormalForm::kText;
}

}  // namespace leafscore::internal
