#include "engine/io/input_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/io/tool_files.h"

namespace leafscore::internal {
namespace {

// Bytes examined to recognise other kinds of files.
constexpr std::size_t kKindBytes = kToolHeadBytes;

struct KnownBegin {
  std::string_view begin;
  std::string_view fault;
};

constexpr std::string_view kSpreadsheet =
    "this is a spreadsheet; save its sheet as CSV (UTF-8), and give that file";

constexpr KnownBegin kKnownBegins[] = {
    {"PAR1", "this is a Parquet file; leafscore convert FILE -o records.jsonl makes records of it"},
    {"ARROW1", "this is an Arrow file; leafscore convert FILE -o records.jsonl makes records of it"},
    {"\xff\xff\xff\xff",
     "this is a stream of Arrow IPC; leafscore convert FILE -o records.jsonl makes records of it"},
    {"FEA1", "this is a Feather file; leafscore convert FILE -o records.jsonl makes records of it"},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", kSpreadsheet},
    {"Obj\x01", "this is an Avro file; write its rows as JSON Lines"},
    {"SQLite format 3", "this is an SQLite database; write the rows as JSON Lines"},
    {"PK\x03\x04", "this is a zip archive; give the files in it"},
    {"\x1f\x8b", "this is compressed twice; unpack it once"},
    {"\x28\xb5\x2f\xfd", "this is compressed twice; unpack it once"},
    {"BZh", "this is compressed with bzip2; unpack it, or compress it with gzip or zstd"},
    {"\xfd"
     "7zXZ",
     "this is compressed with xz; unpack it, or compress it with gzip or zstd"},
    {"\x04\x22\x4d\x18", "this is compressed with lz4; unpack it, or compress it with gzip or zstd"},
    {"\xff\xfe", "this is UTF-16 text; write it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
    {"\xfe\xff", "this is UTF-16 text; write it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
    {"%PDF-", "this is a PDF file, which holds no records"},
    {"<!DOCTYPE", "this is a web page, perhaps of an error when it was fetched; fetch the records again"},
    {"<html", "this is a web page, perhaps of an error when it was fetched; fetch the records again"},
    {"<?xml", "this is an XML file; write its records as JSON Lines"},
};

constexpr char kSpreadOut[] =
    "this is JSON spread over several lines; put each record on a line of its own (jq -c . does), or "
    "give one array of records with --input-format json";

constexpr char kCsv[] =
    "this looks like a table of separated values (CSV); give it a name that ends in .csv or .tsv, or say "
    "--input-format csv (or tsv)";

// Returns what a file is if it begins like a file of another known kind; empty if it does not.
std::string_view KindByBegin(std::string_view head) {
  if (IsSpreadsheet(head)) return kSpreadsheet;
  const auto known = std::ranges::find_if(
      kKnownBegins, [&](const KnownBegin& kind) { return head.starts_with(kind.begin); });
  return known == std::end(kKnownBegins) ? std::string_view() : known->fault;
}

// Returns the non-empty lines of a head, without the last line if that may be cut off.
std::vector<std::string_view> WholeLines(std::string_view head, bool is_whole) {
  std::vector<std::string_view> lines;
  while (!head.empty()) {
    const std::size_t size = std::min(head.find('\n'), head.size());
    if (size == head.size() && !is_whole) break;
    lines.push_back(head.substr(0, TrimEnd(head, 0, size)));
    if (lines.back().empty()) lines.pop_back();
    head.remove_prefix(std::min(size + 1, head.size()));
  }
  return lines;
}

// Tells whether a line begins and ends like an object, as the records of JSON Lines do.
bool IsObjectLine(std::string_view line) { return line.starts_with('{') && line.ends_with('}'); }

// Tells whether two lines look like the first lines of a table: the second has as many fields as the first,
// or a field that spans lines.
bool LooksLikeTable(std::string_view first, std::string_view second) {
  const std::size_t separator = first.find_first_of("\t,;");
  if (separator == std::string_view::npos) return false;
  bool open = false;
  const auto count = [&](std::string_view line) {
    open = false;
    std::size_t separators = 0;
    for (const char c : line) {
      if (c == '"') open = !open;
      if (c == first[separator] && !open) ++separators;
    }
    return separators;
  };
  const std::size_t columns = count(first);
  return columns > 0 && !open && (count(second) == columns || open);
}

// Returns what kind of file this is if it is not JSON Lines; empty if it may be JSON Lines.
std::string WrongKind(std::string_view head, bool is_whole) {
  if (const std::string_view kind = ToolFileKind(head); !kind.empty()) {
    return fmt::format("this looks like {}; leafscore convert FILE -o records.jsonl makes records of it",
                       kind);
  }
  if (const std::string_view kind = KindByBegin(head); !kind.empty()) return std::string(kind);
  const std::vector<std::string_view> lines = WholeLines(head, is_whole);
  if (lines.size() < 2) return {};
  if (lines[0] == "{" || lines[0] == "[") {
    return std::ranges::any_of(lines, IsObjectLine) ? "" : kSpreadOut;
  }
  const bool has_json = std::ranges::any_of(
      lines, [](std::string_view line) { return line.starts_with('{') || line.starts_with('['); });
  return !has_json && LooksLikeTable(lines[0], lines[1]) ? kCsv : "";
}

// Tells whether a text that begins with [ is one array. It is one if its first line does not end in a closing
// bracket, or if that line is the whole text. RETURNS: nullopt if more bytes are needed.
std::optional<bool> IsOneArray(std::string_view head, bool no_more) {
  const std::size_t line_break = head.find('\n');
  if (line_break == std::string_view::npos) return no_more ? std::optional(true) : std::nullopt;
  if (head[TrimEnd(head, 0, line_break) - 1] != ']') return true;
  if (SkipJsonSpace(head, line_break) != head.size()) return false;
  return no_more ? std::optional(true) : std::nullopt;
}

}  // namespace

InputFormat FormatByName(InputFormat asked, std::string_view name) {
  if (asked != InputFormat::kAuto) return asked;
  for (const std::string_view compressed : {".gz", ".zst"}) {
    if (name.ends_with(compressed)) name.remove_suffix(compressed.size());
  }
  std::string ending(name.substr(name.size() - std::min<std::size_t>(name.size(), 4)));
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending == ".csv") return InputFormat::kCsv;
  if (ending == ".tsv") return InputFormat::kTsv;
  const bool is_lines = name.ends_with(".jsonl") || name.ends_with(".ndjson");
  return is_lines ? InputFormat::kJsonLines : InputFormat::kAuto;
}

std::optional<FoundFormat> FindInputFormat(InputFormat asked, std::string_view head, bool no_more) {
  if (head[0] == '[' && asked == InputFormat::kJsonArray) return FoundFormat{.is_array = true, .fault = {}};
  if (head[0] == '[' && asked == InputFormat::kAuto) {
    const std::optional<bool> is_array = IsOneArray(head, no_more);
    if (!is_array) return std::nullopt;
    if (*is_array) return FoundFormat{.is_array = true, .fault = {}};
  }
  // Recognise a stream early: one line that begins like a record and is more than a brace is enough.
  if (head[0] == '{' && asked != InputFormat::kJsonArray) {
    const std::size_t line_break = head.find('\n');
    if (line_break != std::string_view::npos && TrimEnd(head, 0, line_break) > 1) return FoundFormat{};
  }
  const bool is_whole = head.size() <= kKindBytes;
  if (is_whole && !no_more) return std::nullopt;
  FoundFormat found{.is_array = false, .fault = WrongKind(head.substr(0, kKindBytes), is_whole)};
  if (asked == InputFormat::kJsonArray && found.fault.empty()) {
    found.fault = "this is no JSON array, which begins with [; leave out --input-format json for JSON Lines";
  }
  return found;
}

std::string TableFault(std::string_view head) {
  if (head.starts_with('{')) {
    return "this is no table but JSON; give it a name that ends in .jsonl, or say --input-format jsonl";
  }
  if (head.starts_with('[')) {
    return "this is no table but JSON; give it a name that ends in .json, or say --input-format json (or "
           "jsonl)";
  }
  return std::string(KindByBegin(head));
}

}  // namespace leafscore::internal
