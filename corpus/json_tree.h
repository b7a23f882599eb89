// corpus/json_tree.h: a small JSON value that is built, damaged and written. A value owns its children. The
// corpus makes one tree for each record and then drops it.
#ifndef LEAFSCORE_CORPUS_JSON_TREE_H_
#define LEAFSCORE_CORPUS_JSON_TREE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/json/json_writer.h"

namespace leafscore::internal::corpus {

// Decimal numbers as integers, so that they print alike on every machine.

// The number units / 10^decimals.
struct Decimal {
  std::int64_t units = 0;
  int decimals = 0;
};

// Returns the JSON token as Python writes it: without trailing zeros, except one right after the point (12.5,
// 3.0); an integer where decimals is 0.
std::string FormatDecimal(Decimal value);

// REQUIRES: a JSON number without exponent that fits.
Decimal ParseDecimal(std::string_view token);

enum class JsonKind : std::uint8_t { kNull, kBool, kNumber, kString, kObject, kArray };

struct JsonTree {
  JsonKind kind = JsonKind::kNull;
  std::string_view key;            // UTF-8 in static storage; empty for array elements
  std::string text;                // string: its UTF-8, not escaped; number, boolean, null: the token
  std::vector<JsonTree> children;  // of an object (all with different keys) or array

  bool is_container() const { return kind == JsonKind::kObject || kind == JsonKind::kArray; }

  // Each appends a child and returns it; the reference is valid until the next child of the same parent.
  JsonTree& Add(std::string_view name, JsonKind child_kind, std::string child_text = {}) {
    if (children.empty()) children.reserve(8);
    return children.emplace_back(JsonTree{child_kind, name, std::move(child_text), {}});
  }
  JsonTree& AddObject(std::string_view name = {}) { return Add(name, JsonKind::kObject); }
  JsonTree& AddArray(std::string_view name = {}) { return Add(name, JsonKind::kArray); }
  void AddString(std::string_view name, std::string value) { Add(name, JsonKind::kString, std::move(value)); }
  void AddNumber(std::string_view name, std::int64_t units, int decimals = 0) {
    Add(name, JsonKind::kNumber, FormatDecimal({units, decimals}));
  }
  void AddBool(std::string_view name, bool value) { Add(name, JsonKind::kBool, value ? "true" : "false"); }
  void AddNull(std::string_view name) { Add(name, JsonKind::kNull, "null"); }
};

enum class Escaping : std::uint8_t {
  kMinimal,
  kAscii,    // beyond ASCII as \uXXXX, as Python's json.dumps
  kSlashes,  // `/` as `\/`, as PHP's json_encode
};

struct JsonStyle {
  JsonLayout layout = JsonLayout::kOneLine;  // as Python's json.dumps
  Escaping escaping = Escaping::kMinimal;
};

// Appends `value` as JSON text. Its own key is not written.
void AppendJson(std::string& out, const JsonTree& value, JsonStyle style);

}  // namespace leafscore::internal::corpus

#endif  // LEAFSCORE_CORPUS_JSON_TREE_H_
