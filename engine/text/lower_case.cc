#include "engine/text/lower_case.h"

#include <unicode/ucasemap.h>

#include <cstdint>
#include <memory>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

struct CloseCaseMap {
  void operator()(UCaseMap* map) const { ucasemap_close(map); }
};
using CaseMap = std::unique_ptr<UCaseMap, CloseCaseMap>;

CaseMap OpenRootCaseMap() {
  UErrorCode status = U_ZERO_ERROR;
  CaseMap map(ucasemap_open("", 0, &status));
  if (U_FAILURE(status))
    throw Error(ErrorCode::kInternal, "ICU gives no case mapping; is its data installed?");
  return map;
}

// The type of ICU's case mappings of UTF-8.
using CaseMapping = std::int32_t (*)(const UCaseMap* map, char* to, std::int32_t capacity, const char* from,
                                     std::int32_t size, UErrorCode* status);

// Maps the case of a text. Only a text with characters beyond ASCII goes through ICU. REQUIRES: the mapping
// maps ASCII letters to lower case.
void MapCase(CaseMapping mapping, std::string& text) {
  bool ascii = true;
  for (char& c : text) {
    ascii &= static_cast<signed char>(c) >= 0;
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;  // also just before the text goes to ICU
  }
  if (ascii) return;

  static const CaseMap map = OpenRootCaseMap();  // shared by threads, never changed
  std::string mapped(text.size() + text.size() / 2 + 16, '\0');
  for (;;) {
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t length = mapping(map.get(), mapped.data(), static_cast<std::int32_t>(mapped.size()),
                                        text.data(), static_cast<std::int32_t>(text.size()), &status);
    if (status == U_BUFFER_OVERFLOW_ERROR) {
      mapped.resize(static_cast<std::size_t>(length));
      continue;
    }
    if (U_FAILURE(status)) throw Error(ErrorCode::kInternal, u_errorName(status));
    mapped.resize(static_cast<std::size_t>(length));
    text = std::move(mapped);
    return;
  }
}

}  // namespace

void ToLowerCase(std::string& text) { MapCase(ucasemap_utf8ToLower, text); }
void FoldCase(std::string& text) { MapCase(ucasemap_utf8FoldCase, text); }

}  // namespace leafscore::internal
