// engine/languages/javascript_groups.h: the groups of a JavaScript pattern, found before anything else of it
// is read, as back references may stand before them. Does not change afterwards.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_GROUPS_H_
#define LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_GROUPS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

class JavaScriptGroups {
 public:
  // REQUIRES: the pattern outlives this call; it may be invalid.
  explicit JavaScriptGroups(std::u32string_view pattern);

  // The number of groups that capture.
  std::size_t count() const { return captures_.size(); }
  bool has_names() const { return !names_.empty(); }
  // RETURNS: the numbers of the groups of a name, in order; none for a name that there is not.
  std::span<const std::uint32_t> Named(std::u32string_view name) const;

  // Tells whether two groups of one name may both match, which is an error: they do not stand in different
  // alternatives (ECMA-262, 22.2.1.1, MightBothParticipate).
  bool name_stands_twice() const;

  // Tells whether a repeat may pass over a group: JavaScript forgets what the group captured in the round
  // before, and PCRE2 does not. REQUIRES: 1 <= number <= count().
  bool RepeatMayPassOver(std::uint32_t number) const;

 private:
  struct Group {
    std::size_t parent;       // of the pattern itself: 0
    std::size_t alternative;  // of the parent, that this one stands in
    std::size_t alternatives = 1;
    bool repeats = false;  // more than once
    bool optional = false;
  };

  // Opens the group whose parenthesis is at a place. RETURNS: its index.
  std::size_t Open(std::u32string_view pattern, std::size_t at, std::size_t parent);
  bool MightBothMatch(std::size_t a, std::size_t b) const;

  std::vector<Group> groups_;          // the whole pattern, and each parenthesis; parents first
  std::vector<std::size_t> captures_;  // in groups_, by number - 1
  std::map<std::u32string, std::vector<std::uint32_t>, std::less<>> names_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_GROUPS_H_
