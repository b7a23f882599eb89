#include "engine/run/source_names.h"

#include <initializer_list>
#include <map>
#include <string_view>

#include "engine/base/utf8.h"
#include "engine/json/json_text.h"

namespace leafscore::internal {
namespace {

// Removes the first of these suffixes that the name has, unless nothing would be left.
void RemoveEnding(std::string_view& name, std::initializer_list<std::string_view> endings) {
  for (const std::string_view ending : endings) {
    if (name.size() > ending.size() && name.ends_with(ending)) return name.remove_suffix(ending.size());
  }
}

std::string_view ShortName(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  RemoveEnding(name, {".gz", ".zst"});
  RemoveEnding(name, {".jsonl", ".ndjson", ".json"});
  return name;
}

}  // namespace

std::vector<std::string> SourceNames(std::span<const std::string> paths) {
  std::map<std::string_view, int> uses;
  for (const std::string& path : paths) ++uses[ShortName(path)];
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    const std::string_view name = ShortName(path);
    names.push_back(ReplaceInvalidUtf8(uses[name] == 1 ? name : path));
  }
  return names;
}

}  // namespace leafscore::internal
