#include "engine/render/look_alikes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "engine/base/display.h"
#include "engine/base/utf8.h"
#include "engine/render/cells.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxShownCodePoints = 200;

// Each letter is followed by the Latin one that it looks like.
constexpr char16_t kLetters[] =
    u"АAВBСCЕEНHІIЈJКKМMОOРPЅSТTХXУYаaсcԁdеeһhіiјjӏlоoрpԛqѕsԝwхxуy"
    u"ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXαaνvοoρpϲcɡgıi";

const std::map<UChar32, UChar32>& LatinOf() {
  static const std::map<UChar32, UChar32> latin = [] {
    std::map<UChar32, UChar32> made;
    for (std::size_t i = 0; kLetters[i] != 0; i += 2) made.emplace(kLetters[i], kLetters[i + 1]);
    return made;
  }();
  return latin;
}

UChar32 LooksLike(UChar32 c) {
  if (u_isUWhiteSpace(c)) return ' ';
  if (u_charType(c) == U_DASH_PUNCTUATION || c == 0x2212) return '-';
  const auto latin = LatinOf().find(c);
  return latin == LatinOf().end() ? c : latin->second;
}

// Returns the same text for all names that look like this one.
std::string LookOf(const std::string& name) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const nfkc = icu::Normalizer2::getNFKCInstance(status);
  const icu::UnicodeString shown = icu::UnicodeString::fromUTF8(DisplayName(name));
  const icu::UnicodeString normal = U_SUCCESS(status) ? nfkc->normalize(shown, status) : shown;
  icu::UnicodeString look;
  for (std::int32_t i = 0; i < normal.length(); i = normal.moveIndex32(i, 1)) {
    look.append(LooksLike(normal.char32At(i)));
  }
  std::string text;
  look.trim().toUTF8String(text);
  return text;
}

// Returns the name in ASCII.
std::string Spelled(const std::string& name) {
  const std::vector<std::string_view> code_points = SplitCodePoints(name);
  std::string text;
  for (std::size_t i = 0; i < code_points.size(); ++i) {
    if (i == kMaxShownCodePoints) return text + "...";
    const std::string_view c = code_points[i];
    text +=
        c.size() > 1 || c < " " || c == "\x7f" ? EscapedCodePoint(c) : std::string(c == "\\" ? "\\\\" : c);
  }
  return text;
}

}  // namespace

std::string LookAlikeNotes(const std::vector<std::string>& names) {
  std::map<std::string, std::set<std::string>> by_look;
  for (const std::string& name : names) by_look[LookOf(name)].insert(name);
  std::string notes;
  for (const auto& [look, alike] : by_look) {
    if (alike.size() < 2) continue;
    std::vector<std::string> spelled;
    for (const std::string& name : alike) spelled.push_back('"' + Spelled(name) + '"');
    notes += fmt::format("These names look alike but differ: {}\n", fmt::join(spelled, ", "));
  }
  return notes;
}

}  // namespace leafscore::internal
