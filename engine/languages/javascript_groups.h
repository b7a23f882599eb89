// engine/languages/javascript_groups.h: the groups of a JavaScript pattern, which are found before anything
// else is read, as back references may come before their group. Immutable once made.
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

  // Returns the number of capturing groups.
  std::size_t count() const { return captures_.size(); }
  bool has_names() const { return !names_.empty(); }
  // RETURNS: the numbers of the groups with a name, in order; empty if there is no such group.
  std::span<const std::uint32_t> Named(std::u32string_view name) const;

  // Returns whether two groups with the same name may both match, which is an error: they are not in
  // different alternatives (ECMA-262, 22.2.1.1, MightBothParticipate).
  bool name_stands_twice() const;

  // Returns whether a round of a repeat may skip a group. JavaScript forgets what the group captured in the
  // round before; PCRE2 does not. REQUIRES: 1 <= number <= count().
  bool RepeatMayPassOver(std::uint32_t number) const;

 private:
  struct Group {
    std::size_t parent;       // 0 for the pattern itself
    std::size_t alternative;  // the alternative of the parent that contains this group
    std::size_t alternatives = 1;
    bool repeats = false;  // more than once
    bool optional = false;
  };

  // Adds the group whose parenthesis is at `at`. RETURNS: its index.
  std::size_t Open(std::u32string_view pattern, std::size_t at, std::size_t parent);
  bool MightBothMatch(std::size_t a, std::size_t b) const;

  std::vector<Group> groups_;          // the whole pattern, and each parenthesis; parents first
  std::vector<std::size_t> captures_;  // in groups_, by number - 1
  std::map<std::u32string, std::vector<std::uint32_t>, std::less<>> names_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_GROUPS_H_
