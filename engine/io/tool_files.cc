#include "engine/io/tool_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "engine/base/shell_text.h"

namespace leafscore::internal {
namespace {

bool HasAll(std::string_view head, std::initializer_list<std::string_view> keys) {
  return std::ranges::all_of(keys,
                             [&](std::string_view key) { return head.find(key) != std::string_view::npos; });
}

// Returns the name of the first file in a zip archive (its local file header, APPNOTE.TXT 4.3.7).
std::string_view FirstInZip(std::string_view head) {
  constexpr std::size_t kNameAt = 30;
  constexpr std::size_t kNameSizeAt = 26;
  if (!head.starts_with("PK\x03\x04") || head.size() < kNameAt) return {};
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(head[at]); };
  return head.substr(kNameAt, byte(kNameSizeAt) + 256u * byte(kNameSizeAt + 1));
}

}  // namespace

bool IsSpreadsheet(std::string_view head) {
  const std::string_view name = FirstInZip(head);
  return name == "[Content_Types].xml" || name == "_rels/.rels" || name.starts_with("xl/") ||
         name.starts_with("docProps/") || name == "mimetype";
}

std::string_view ToolFileKind(std::string_view head) {
  head = head.substr(0, kToolHeadBytes);
  if (const std::string_view name = FirstInZip(head); !name.empty()) {
    const bool is_log =
        name.starts_with("_journal/") || name.starts_with("samples/") || name == "header.json";
    return is_log ? "a log of inspect_ai" : std::string_view();
  }
  const std::size_t begin = head.find_first_not_of("\xef\xbb\xbf \t\r\n");
  if (begin == std::string_view::npos || head[begin] != '{') return {};
  if (HasAll(head, {"\"version\"", "\"status\"", "\"eval\"", "\"task\""})) return "a log of inspect_ai";
  if (HasAll(head, {"\"evalId\"", "\"results\""}) || HasAll(head, {"\"promptIdx\"", "\"testCase\""})) {
    return "results of promptfoo";
  }
  if (HasAll(head, {"\"doc_id\"", "\"doc\""})) return "samples of lm_eval";
  return {};
}

std::string ConvertToScores(const std::string& path) {
  std::string_view stem = path;
  for (const std::string_view ending : {".gz", ".eval", ".jsonl", ".json", ".csv", ".tsv"}) {
    if (stem.ends_with(ending)) stem.remove_suffix(ending.size());
  }
  return fmt::format("leafscore convert {} --to scores -o {}", ForShell(path),
                     ForShell(std::string(stem) + ".scores.jsonl"));
}

}  // namespace leafscore::internal
