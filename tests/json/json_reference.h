// tests/json/json_reference.h: a slow, obvious reader of JSON texts, the oracle of the engine's reader. It is
// a recursive descent parser like Python's `json`, and shares no code with the engine.
#ifndef LEAFSCORE_TESTS_JSON_JSON_REFERENCE_H_
#define LEAFSCORE_TESTS_JSON_JSON_REFERENCE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal::reference {

struct Value {
  enum class Kind { kNull, kFalse, kTrue, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  std::string text;          // the token of a number, the unescaped text of a string
  std::vector<Value> items;  // of an array; the values of an object
  std::vector<std::string> keys;
  bool operator==(const Value&) const = default;
};

struct Parsed {
  Value value;
  bool outside_grammar = false;  // NaN, Infinity and lone surrogates
  bool nonstandard = false;      // outside the grammar, or a number beyond 64 bits or a double
};

// Returns the value of an object's member, or nullptr if it has none with this key.
const Value* Find(const Value& object, std::string_view key);

// RETURNS: nullopt if the text is not one JSON value (of at most max_depth levels).
std::optional<Parsed> Parse(std::string_view text, std::size_t max_depth = 1024);

// Returns the length of the longest prefix that is valid UTF-8: the offset of the first bad byte, or the
// size.
std::size_t ValidUtf8Prefix(std::string_view text);

// Returns a value in a special notation, for comparison with literals: [1 <text> {<key>:null}].
std::string Show(const Value& value);

}  // namespace leafscore::internal::reference

#endif  // LEAFSCORE_TESTS_JSON_JSON_REFERENCE_H_
