#include "engine/base/model_name.h"

#include <algorithm>
#include <filesystem>

#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

std::string_view WithoutDate(std::string_view name) {
  for (const std::string_view form : {"-dddd-dd-dd", "-dddddddd"}) {
    if (name.size() <= form.size()) continue;
    const bool is_date = std::ranges::equal(
        name.substr(name.size() - form.size()), form,
        [](char c, char wanted) { return wanted == 'd' ? c >= '0' && c <= '9' : c == wanted; });
    if (is_date) return name.substr(0, name.size() - form.size());
  }
  return name;
}

}  // namespace

std::string CommonModelName(std::string_view model) {
  std::string name(WithoutDate(model.substr(model.rfind('/') + 1)));  // npos + 1 is 0
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

std::string ModelOfFile(const std::string& path) {
  std::string name = std::filesystem::path(path).filename();
  for (const std::string_view ending : {".gz", ".zst", ".jsonl", ".csv", ".scores"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) name.erase(name.size() - ending.size());
  }
  return ReplaceInvalidUtf8(name);
}

}  // namespace leafscore::internal
