// corpus/profiles.h: the kinds of documents in a corpus.
#ifndef LEAFSCORE_CORPUS_PROFILES_H_
#define LEAFSCORE_CORPUS_PROFILES_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "corpus/json_tree.h"
#include "corpus/random.h"

namespace leafscore::internal::corpus {

enum class Profile : std::uint8_t {
  kInvoices,      // nested objects, 3 to 8 line items, many numbers
  kTickets,       // support tickets: histories, tags, null, free text of some sentences
  kMultilingual,  // twelve languages in eight scripts, emoji, every kind of escape, also in keys
  kLongText,      // few fields; free text and code of 500 to 6,000 characters
  kMixed,         // the four above in turn
};

inline constexpr std::string_view kProfileNames[] = {"invoices", "tickets", "multilingual", "long-text",
                                                     "mixed"};

// Returns the profile of that name.
std::optional<Profile> ParseProfile(std::string_view name);

// Returns one document, an object. REQUIRES: not kMixed.
JsonTree MakeDocument(Profile profile, Random& random);

}  // namespace leafscore::internal::corpus

#endif  // LEAFSCORE_CORPUS_PROFILES_H_
