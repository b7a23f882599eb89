#include "engine/run/path_presence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/scorers/accepted_values.h"

namespace leafscore::internal {
namespace {

// Calls visit(scorer, row, paths) for each row of the presence, with the number of its scorer and its paths.
template <class Visit>
void ForEachRow(const BatchScorer& scorer, std::span<const FieldPresence> presence, Visit visit) {
  std::size_t row = 0;
  for (std::size_t s = 0; s < scorer.scorer_count(); ++s) {
    std::vector<NamedPaths> rows;
    scorer.scorer_batch(s).AppendNamedPaths(rows);
    const std::string name = QuoteForMessage(scorer.scorer_batch(s).columns().scorer);
    for (const NamedPaths& named : rows) {
      if (row == presence.size()) return;  // a run without records
      std::vector<WantedField> wanted;
      for (const NamedPaths::Path& path : named.paths) {
        wanted.push_back(
            {std::string(path.text), fmt::format("{} of the scorer {}", path.option, name), wanted.size()});
      }
      visit(s, presence[row++], wanted);
    }
  }
}

// Returns the presence with only the last key of each path in it, each key once. The key of a set of accepted
// values may be anywhere, so its path does not matter.
FieldPresence WithKeysOnly(FieldPresence presence) {
  std::vector<std::string> keys;
  for (const std::string& path : presence.there) {
    const std::string key = path.substr(path.rfind('.') + 1);
    const bool is_key = !key.empty() && key.back() != ']' && std::ranges::find(keys, key) == keys.end();
    if (is_key) keys.push_back(key);
  }
  presence.there = std::move(keys);
  return presence;
}

}  // namespace

std::vector<std::vector<std::string>> AbsentPaths(const BatchScorer& scorer,
                                                  std::span<const FieldPresence> presence) {
  std::vector<std::vector<std::string>> absent(scorer.scorer_count());
  ForEachRow(scorer, presence, [&](std::size_t s, const FieldPresence& row, const auto& wanted) {
    for (WantedField& field : AbsentFields(row, wanted)) absent[s].push_back(std::move(field.name));
  });
  return absent;
}

void CheckPathsLead(const BatchScorer& scorer, std::span<const FieldPresence> presence) {
  ForEachRow(scorer, presence, [](std::size_t, const FieldPresence& row, const auto& wanted) {
    const bool is_any_of_key = !wanted.empty() && wanted.front().option.starts_with(kAnyOfKeyOption.name);
    CheckFieldsAreThere(is_any_of_key ? WithKeysOnly(row) : row, wanted, "no expected value",
                        " (--allow-absent-paths continues without them)");
  });
}

}  // namespace leafscore::internal
