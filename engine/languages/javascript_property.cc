#include "engine/languages/javascript_property.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/uset.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

namespace leafscore::internal {
namespace {

constexpr char32_t kLastCodePoint = 0x10FFFF;
constexpr CharRange kSurrogates{0xD800, 0xDFFF};
constexpr int kAllCategories = (1 << U_CHAR_CATEGORY_COUNT) - 1;

// Table 70. ICU has further properties, which JavaScript refuses.
constexpr UProperty kBinaryProperties[] = {UCHAR_ASCII_HEX_DIGIT,
                                           UCHAR_ALPHABETIC,
                                           UCHAR_BIDI_CONTROL,
                                           UCHAR_BIDI_MIRRORED,
                                           UCHAR_CASE_IGNORABLE,
                                           UCHAR_CASED,
                                           UCHAR_CHANGES_WHEN_CASEFOLDED,
                                           UCHAR_CHANGES_WHEN_CASEMAPPED,
                                           UCHAR_CHANGES_WHEN_LOWERCASED,
                                           UCHAR_CHANGES_WHEN_NFKC_CASEFOLDED,
                                           UCHAR_CHANGES_WHEN_TITLECASED,
                                           UCHAR_CHANGES_WHEN_UPPERCASED,
                                           UCHAR_DASH,
                                           UCHAR_DEFAULT_IGNORABLE_CODE_POINT,
                                           UCHAR_DEPRECATED,
                                           UCHAR_DIACRITIC,
                                           UCHAR_EMOJI,
                                           UCHAR_EMOJI_COMPONENT,
                                           UCHAR_EMOJI_MODIFIER,
                                           UCHAR_EMOJI_MODIFIER_BASE,
                                           UCHAR_EMOJI_PRESENTATION,
                                           UCHAR_EXTENDED_PICTOGRAPHIC,
                                           UCHAR_EXTENDER,
                                           UCHAR_GRAPHEME_BASE,
                                           UCHAR_GRAPHEME_EXTEND,
                                           UCHAR_HEX_DIGIT,
                                           UCHAR_IDS_BINARY_OPERATOR,
                                           UCHAR_IDS_TRINARY_OPERATOR,
                                           UCHAR_ID_CONTINUE,
                                           UCHAR_ID_START,
                                           UCHAR_IDEOGRAPHIC,
                                           UCHAR_JOIN_CONTROL,
                                           UCHAR_LOGICAL_ORDER_EXCEPTION,
                                           UCHAR_LOWERCASE,
                                           UCHAR_MATH,
                                           UCHAR_NONCHARACTER_CODE_POINT,
                                           UCHAR_PATTERN_SYNTAX,
                                           UCHAR_PATTERN_WHITE_SPACE,
                                           UCHAR_QUOTATION_MARK,
                                           UCHAR_RADICAL,
                                           UCHAR_REGIONAL_INDICATOR,
                                           UCHAR_S_TERM,
                                           UCHAR_SOFT_DOTTED,
                                           UCHAR_TERMINAL_PUNCTUATION,
                                           UCHAR_UNIFIED_IDEOGRAPH,
                                           UCHAR_UPPERCASE,
                                           UCHAR_VARIATION_SELECTOR,
                                           UCHAR_WHITE_SPACE,
                                           UCHAR_XID_CONTINUE,
                                           UCHAR_XID_START};

// Table 71.
constexpr std::string_view kPropertiesOfStrings[] = {"Basic_Emoji",
                                                     "Emoji_Keycap_Sequence",
                                                     "RGI_Emoji",
                                                     "RGI_Emoji_Flag_Sequence",
                                                     "RGI_Emoji_Modifier_Sequence",
                                                     "RGI_Emoji_Tag_Sequence",
                                                     "RGI_Emoji_ZWJ_Sequence"};

// Returns whether `name_of(choice)` gives exactly this name for one of ICU's choices, as ICU's own look-up is
// loose.
bool IsExactName(std::string_view name, const auto& name_of) {
  for (int choice = U_SHORT_PROPERTY_NAME;; ++choice) {
    const char* const known = name_of(static_cast<UPropertyNameChoice>(choice));
    if (known != nullptr && name == known) return true;
    if (known == nullptr && choice > U_LONG_PROPERTY_NAME) return false;
  }
}

std::optional<int> FindValue(UProperty property, const std::string& name) {
  const int value = u_getPropertyValueEnum(property, name.c_str());
  const auto name_of = [&](UPropertyNameChoice choice) {
    return u_getPropertyValueName(property, value, choice);
  };
  if (value == UCHAR_INVALID_CODE || !IsExactName(name, name_of)) return std::nullopt;
  return value;
}

std::optional<JavaScriptProperty> FindCategory(const std::string& name) {
  const std::optional<int> mask = FindValue(UCHAR_GENERAL_CATEGORY_MASK, name);
  if (!mask) return std::nullopt;
  std::string pcre_name = u_getPropertyValueName(UCHAR_GENERAL_CATEGORY_MASK, *mask, U_SHORT_PROPERTY_NAME);
  if (pcre_name == "LC") pcre_name = "L&";
  return JavaScriptProperty{UCHAR_GENERAL_CATEGORY_MASK, *mask, std::move(pcre_name)};
}

std::optional<JavaScriptProperty> FindScript(UProperty property, const std::string& name) {
  const std::optional<int> script = FindValue(UCHAR_SCRIPT, name);
  if (!script) return std::nullopt;
  JavaScriptProperty found{property, *script, ""};
  if (found.Characters().empty()) return std::nullopt;
  return found;
}

std::optional<JavaScriptProperty> FindBinary(const std::string& name) {
  const UProperty property = u_getPropertyEnum(name.c_str());
  const auto name_of = [&](UPropertyNameChoice choice) { return u_getPropertyName(property, choice); };
  if (std::ranges::find(kBinaryProperties, property) == std::end(kBinaryProperties) ||
      !IsExactName(name, name_of)) {
    return std::nullopt;
  }
  if (property == UCHAR_CHANGES_WHEN_NFKC_CASEFOLDED) return JavaScriptProperty{property, 1, ""};
  return JavaScriptProperty{property, 1, u_getPropertyName(property, U_LONG_PROPERTY_NAME)};
}

// Sorts ranges, and merges adjacent and overlapping ones.
void Normalize(CharRanges& ranges) {
  std::ranges::sort(ranges, {}, &CharRange::first);
  std::size_t kept = 0;
  for (const CharRange range : ranges) {
    if (kept > 0 && range.first <= ranges[kept - 1].last + 1) {
      ranges[kept - 1].last = std::max(ranges[kept - 1].last, range.last);
    } else {
      ranges[kept++] = range;
    }
  }
  ranges.resize(kept);
}

// A character that has the same simple case folding as another one. In Foldings(), such characters are
// neighbours.
struct Folding {
  char32_t folded;
  char32_t character;
};

const std::vector<Folding>& Foldings() {
  static const std::vector<Folding> foldings = [] {
    constexpr UChar32 kEndOfCased = 0x20000;  // letters beyond planes 0 and 1 have no case
    std::vector<Folding> all;
    for (UChar32 c = 0; c < kEndOfCased; ++c) {
      const UChar32 folded = u_foldCase(c, U_FOLD_CASE_DEFAULT);
      if (folded == c) continue;
      all.push_back({static_cast<char32_t>(folded), static_cast<char32_t>(c)});
      all.push_back({static_cast<char32_t>(folded), static_cast<char32_t>(folded)});
    }
    const auto key = [](const Folding& folding) { return std::pair(folding.folded, folding.character); };
    const auto same = [&](const Folding& a, const Folding& b) { return key(a) == key(b); };
    std::ranges::sort(all, {}, key);
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return all;
  }();
  return foldings;
}

}  // namespace

CharRanges JavaScriptProperty::Characters() const {
  const std::unique_ptr<USet, decltype(&uset_close)> set(uset_openEmpty(), &uset_close);
  UErrorCode status = U_ZERO_ERROR;
  uset_applyIntPropertyValue(set.get(), static_cast<UProperty>(property), value, &status);
  if (U_FAILURE(status)) throw std::bad_alloc();
  uset_removeRange(set.get(), kSurrogates.first, kSurrogates.last);
  CharRanges ranges;
  for (std::int32_t i = 0; i < uset_getItemCount(set.get()); ++i) {
    UChar32 first = 0;
    UChar32 last = 0;
    uset_getItem(set.get(), i, &first, &last, nullptr, 0, &status);
    ranges.push_back({static_cast<char32_t>(first), static_cast<char32_t>(last)});
  }
  return ranges;
}

std::optional<JavaScriptProperty> FindJavaScriptProperty(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string name(text.substr(0, equals));
  if (equals == text.npos) {
    if (name == "Any") return JavaScriptProperty{UCHAR_GENERAL_CATEGORY_MASK, kAllCategories, ""};
    if (name == "Assigned") {
      return JavaScriptProperty{UCHAR_GENERAL_CATEGORY_MASK, kAllCategories & ~int{U_GC_CN_MASK}, ""};
    }
    if (name == "ASCII") return JavaScriptProperty{UCHAR_BLOCK, UBLOCK_BASIC_LATIN, ""};
    if (auto category = FindCategory(name)) return category;
    return FindBinary(name);
  }
  const std::string value(text.substr(equals + 1));
  if (name == "General_Category" || name == "gc") return FindCategory(value);
  if (name == "Script" || name == "sc") return FindScript(UCHAR_SCRIPT, value);
  if (name == "Script_Extensions" || name == "scx") return FindScript(UCHAR_SCRIPT_EXTENSIONS, value);
  return std::nullopt;
}

bool IsPropertyOfStrings(std::string_view name) {
  return std::ranges::find(kPropertiesOfStrings, name) != std::end(kPropertiesOfStrings);
}

CharRanges ComplementOf(CharRanges ranges) {
  ranges.push_back(kSurrogates);
  Normalize(ranges);
  CharRanges others;
  char32_t next = 0;
  for (const CharRange range : ranges) {
    if (range.first > next) others.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLastCodePoint) others.push_back({next, kLastCodePoint});
  return others;
}

CharRanges OtherCases(const CharRanges& ranges) {
  CharRanges sorted = ranges;
  Normalize(sorted);
  const auto holds = [&](const Folding& folding) {
    const auto behind = std::ranges::upper_bound(sorted, folding.character, {}, &CharRange::first);
    return behind != sorted.begin() && std::prev(behind)->last >= folding.character;
  };
  CharRanges others;
  const std::vector<Folding>& foldings = Foldings();
  for (auto begin = foldings.begin(); begin != foldings.end();) {
    const auto end = std::find_if(begin, foldings.end(),
                                  [&](const Folding& other) { return other.folded != begin->folded; });
    if (std::any_of(begin, end, holds)) {
      for (; begin != end; ++begin) {
        if (!holds(*begin)) others.push_back({begin->character, begin->character});
      }
    }
    begin = end;
  }
  Normalize(others);
  return others;
}

}  // namespace leafscore::internal
