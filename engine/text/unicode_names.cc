#include "engine/text/unicode_names.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "engine/base/hash.h"
#include "engine/text/unicode_aliases.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::int32_t kNoCodePoint = -1;

struct IndexedName {
  std::uint64_t hash;
  std::int32_t code_point;
};

using NameIndex = std::vector<IndexedName>;  // sorted by hash

NameIndex IndexNames() {
  NameIndex index;
  const auto add = [](void* context, UChar32 code_point, UCharNameChoice, const char* name,
                      std::int32_t length) -> UBool {
    const std::string_view text(name, static_cast<std::size_t>(length));
    static_cast<NameIndex*>(context)->push_back({HashBytes(text, HashSeed()), code_point});
    return true;
  };
  UErrorCode status = U_ZERO_ERROR;
  u_enumCharNames(0, UCHAR_MAX_VALUE + 1, add, &index, U_UNICODE_CHAR_NAME, &status);
  if (U_FAILURE(status))
    throw Error(ErrorCode::kInternal, "ICU gives no names of characters; is its data installed?");
  std::ranges::sort(index, {}, &IndexedName::hash);
  return index;
}

std::int32_t FindName(const std::string& name) {
  static const NameIndex index = IndexNames();
  const std::uint64_t hash = HashBytes(name, HashSeed());
  for (const IndexedName& found : std::ranges::equal_range(index, hash, {}, &IndexedName::hash)) {
    char its_name[256];
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t length =
        u_charName(found.code_point, U_UNICODE_CHAR_NAME, its_name, sizeof its_name, &status);
    if (std::string_view(its_name, static_cast<std::size_t>(length)) == name) return found.code_point;
  }
  return kNoCodePoint;
}

// The aliases of the variation selectors: VS1 to VS256.
std::int32_t FindVariationSelector(std::string_view name) {
  if (!name.starts_with("VS") || name.size() < 3 || name[2] == '0') return kNoCodePoint;
  unsigned number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 2, end, number);
  if (error != std::errc() || stop != end || number > 256) return kNoCodePoint;
  return static_cast<std::int32_t>(number <= 16 ? 0xfe00 + (number - 1) : 0xe0100 + (number - 17));
}

}  // namespace

std::int32_t CodePointOfName(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 0x20) : c;
  // These names follow a rule, and Python knows it in upper case only.
  const bool by_rule = upper.starts_with("HANGUL SYLLABLE ") || upper.starts_with("CJK UNIFIED IDEOGRAPH-");
  if (by_rule && name != upper) return kNoCodePoint;
  const auto alias =
      std::ranges::lower_bound(kUnicodeAliases, std::string_view(upper), {}, &UnicodeAlias::name);
  if (alias != std::end(kUnicodeAliases) && alias->name == upper) return alias->code_point;
  const std::int32_t selector = FindVariationSelector(upper);
  return selector != kNoCodePoint ? selector : FindName(upper);
}

}  // namespace leafscore::internal
