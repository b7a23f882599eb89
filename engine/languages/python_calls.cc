#include "engine/languages/python_calls.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/utf8.h"
#include "engine/json/json_scalar.h"
#include "engine/json/json_text.h"
#include "engine/languages/python_text.h"
#include "engine/languages/python_tokens.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxNesting = 100;  // Python allows 200 open brackets in total
constexpr std::string_view kPythonKeywords[] = {"and",  "or",  "not",    "in",    "is",    "if",
                                                "else", "for", "lambda", "await", "async", "yield"};
// Keywords that do not occur in expressions.
constexpr std::string_view kPythonStatements[] = {
    "assert", "break",  "class",    "continue", "def",   "del",    "elif", "except", "finally", "from",
    "global", "import", "nonlocal", "pass",     "raise", "return", "try",  "while",  "with",    "as"};

bool IsPythonDigit(char c) { return c >= '0' && c <= '9'; }

class CallParser {
 public:
  CallParser(std::string_view text, const PythonCallRules& rules)
      : text_(text), rules_(rules), steps_left_(16 * text.size() + 64) {}

  bool Parse(std::string& json);

 private:
  // Moves pos_ to the next token. RETURNS: as PythonCursor::Next; kBad if no steps are left.
  char Peek();
  // Long tokens cost more than one step, because they may be read again.
  void Skip(std::size_t bytes) {
    constexpr std::size_t kBytesOfStep = 16;
    pos_ += bytes;
    steps_left_ -= std::min(steps_left_, bytes / kBytesOfStep);
  }
  bool Take(char c) {
    if (Peek() != c) return false;
    Skip(1);
    return true;
  }
  std::string_view rest() const { return text_.substr(pos_); }
  std::size_t NameSize() const;

  bool ReadCall(std::string& json);
  bool ReadArguments(std::string& json, bool* are_bad);
  bool ReadDottedName(std::string* name);
  bool ReadExpression(std::string& json);
  bool ReadValue(std::string& json);
  bool ReadSequence(char closer, std::string& json);
  bool ReadDict(std::string& json);
  bool ReadString(std::string& json);
  bool ReadNumber(bool negative, std::string& json);
  bool ReadNestedCall(std::string& json);
  bool AtEndOfValue() {
    const char c = Peek();
    return c == ',' || c == ')' || c == ']' || c == '}' || c == ':' || c == PythonCursor::kEnd;
  }
  bool SkipExpression();
  bool SkipToken(bool* was_operand);
  std::optional<double> Compute(int precedence, bool* is_integer);
  std::optional<double> ComputeOperand(bool* is_integer);

  std::string_view text_;
  const PythonCallRules& rules_;
  std::size_t pos_ = 0;
  std::size_t depth_ = 1;  // depth of brackets; 0 is outside
  std::size_t steps_left_;
};

char CallParser::Peek() {
  if (steps_left_ == 0) return PythonCursor::kBad;
  --steps_left_;
  PythonCursor cursor(rest());
  const char c = cursor.Next(/*in_brackets=*/depth_ != 0);
  pos_ = text_.size() - cursor.rest().size();
  return c;
}

std::size_t CallParser::NameSize() const {
  const std::string_view text = rest();
  std::size_t size = 0;
  if (text.empty() || IsPythonDigit(text[0])) return 0;
  while (size < text.size() && ContinuesPythonName(text[size])) ++size;
  return size;
}

bool CallParser::Parse(std::string& json) {
  std::string calls = "[";
  const char first = Peek();
  const bool is_list = first == '[' || first == '(';
  if (is_list) {
    const char closer = first == '[' ? ']' : ')';
    Skip(1);
    while (Peek() != closer) {
      if (calls.size() > 1) calls += ", ";
      if (!ReadCall(calls)) return false;
      if (!Take(',')) break;
    }
    if (!Take(closer)) return false;
  } else if (!ReadCall(calls)) {
    return false;
  }
  if (Peek() != PythonCursor::kEnd) return false;
  json += calls + "]";
  return true;
}

bool CallParser::ReadDottedName(std::string* name) {
  do {
    Peek();
    const std::size_t size = NameSize();
    if (size == 0) return false;
    const std::string_view part = rest().substr(0, size);
    const bool is_name = std::ranges::find(kPythonKeywords, part) == std::end(kPythonKeywords) &&
                         std::ranges::find(kPythonStatements, part) == std::end(kPythonStatements);
    if (!is_name) return false;
    if (!name->empty()) *name += '.';
    *name += part;
    Skip(size);
  } while (Take('.'));
  return true;
}

bool CallParser::ReadCall(std::string& json) {
  std::string name;
  if (!ReadDottedName(&name) || !Take('(')) return false;
  std::string arguments;
  bool are_bad = false;
  if (!ReadArguments(arguments, &are_bad)) return false;
  json += "{\"name\": ";
  AppendJsonString(json, name);
  json += ", \"arguments\": ";
  json += are_bad ? "false" : arguments;
  json += '}';
  return true;
}

// Reads the rest of a call after its opening bracket, including the closing one.
bool CallParser::ReadArguments(std::string& json, bool* are_bad) {
  std::set<std::string_view> names;
  json += '{';
  bool has_named = false;
  while (Peek() != ')') {
    const std::size_t size = NameSize();
    const std::string_view name = rest().substr(0, size);
    const std::size_t begin = pos_;
    bool is_named = false;
    if (size != 0) {
      Skip(size);
      is_named = Peek() == '=' && !rest().starts_with("==");
      if (is_named) {
        Skip(1);
      } else {
        pos_ = begin;
      }
    }
    if (is_named) {
      has_named = true;
      if (!names.insert(name).second) return false;
      if (json.size() > 1) json += ", ";
      AppendJsonString(json, name);
      json += ": ";
      if (!ReadExpression(json)) return false;
    } else {
      const bool unpacks = rest().starts_with('*');
      if (unpacks) Skip(rest().starts_with("**") ? 2 : 1);
      if (has_named && !unpacks) return false;
      if (!rules_.drops_positional) *are_bad = true;
      if (!SkipExpression()) return false;
    }
    if (!Take(',')) break;
  }
  json += '}';
  return Take(')');
}

// Reads an expression: its value, or its source if it is not a literal.
bool CallParser::ReadExpression(std::string& json) {
  Peek();
  const std::size_t begin = pos_;
  const std::size_t size = json.size();
  if (depth_ <= kMaxNesting && ReadValue(json) && AtEndOfValue()) return true;
  json.resize(size);
  pos_ = begin;
  if (rules_.computes) {
    bool is_integer = true;
    const std::optional<double> number = Compute(0, &is_integer);
    if (number && std::isfinite(*number) && AtEndOfValue()) {
      AppendJsonNumber(json, *number);
      if (!is_integer && IsIntegerToken(std::string_view(json).substr(size))) json += ".0";
      return true;
    }
    json.resize(size);
    pos_ = begin;
  }
  if (rules_.nests_calls && ReadNestedCall(json) && AtEndOfValue()) return true;
  json.resize(size);
  pos_ = begin;
  if (!SkipExpression()) return false;
  AppendJsonString(json, StripSpace(text_.substr(begin, pos_ - begin)));
  return true;
}

bool CallParser::ReadNestedCall(std::string& json) {
  std::string name;
  if (!ReadDottedName(&name) || !Take('(')) return false;
  if (Peek() == ')') return false;  // without arguments, it stays source
  std::string arguments;
  bool are_bad = false;
  if (!ReadArguments(arguments, &are_bad) || are_bad) return false;
  json += '{';
  AppendJsonString(json, name);
  json += ": " + arguments + "}";
  return true;
}

// Reads a literal. RETURNS: false for anything else.
bool CallParser::ReadValue(std::string& json) {
  const char c = Peek();
  if (c == '"' || c == '\'') return ReadString(json);
  if (c == '[' || c == '(') {
    Skip(1);
    return ReadSequence(c == '[' ? ']' : ')', json);
  }
  if (c == '{') {
    Skip(1);
    return ReadDict(json);
  }
  if (c == '-') {
    Skip(1);
    Peek();
    return ReadNumber(/*negative=*/true, json);
  }
  if (IsPythonDigit(c) || c == '.') return ReadNumber(/*negative=*/false, json);
  const std::size_t size = NameSize();
  const std::string_view name = rest().substr(0, size);
  if (size < rest().size() && (rest()[size] == '"' || rest()[size] == '\'')) return ReadString(json);
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"None", "null"}, {"True", "true"}, {"False", "false"}};
  for (const auto& [python, value] : kNames) {
    if (name != python) continue;
    json += value;
    Skip(size);
    return true;
  }
  return false;
}

// Reads the elements of a list or tuple, or the content of parentheses.
bool CallParser::ReadSequence(char closer, std::string& json) {
  ++depth_;
  const std::size_t begin = json.size();
  std::size_t count = 0;
  bool comma = false;
  json += '[';
  while (Peek() != closer) {
    if (count != 0) json += ", ";
    if (!ReadExpression(json)) return false;
    ++count;
    comma = Take(',');
    if (!comma) break;
  }
  --depth_;
  if (!Take(closer)) return false;
  if (closer == ')' && count == 1 && !comma) {
    json.erase(begin, 1);
  } else {
    json += ']';
  }
  return true;
}

bool CallParser::ReadDict(std::string& json) {
  ++depth_;
  json += '{';
  bool first = true;
  while (Peek() != '}') {
    if (rest().starts_with("**")) return false;
    if (!first) json += ", ";
    first = false;
    std::string key;
    if (!ReadValue(key) || key.empty()) return false;
    if (key[0] == '"') {
      json += key;
    } else if (key[0] == '[' || key[0] == '{') {
      return false;  // a set, or a key that is a tuple
    } else {
      AppendJsonString(json, key == "null"    ? "None"
                             : key == "true"  ? "True"
                             : key == "false" ? "False"
                                              : key);
    }
    if (!Take(':')) return false;
    json += ": ";
    if (!ReadExpression(json)) return false;
    if (!Take(',')) break;
  }
  --depth_;
  if (!Take('}')) return false;
  json += '}';
  return true;
}

// Reads adjacent strings, which form one text.
bool CallParser::ReadString(std::string& json) {
  std::string value;
  bool any = false;
  for (;;) {
    const char c = Peek();
    PythonStringPrefix prefix;
    if (c != '"' && c != '\'') {
      const std::size_t size = NameSize();
      const bool has_prefix = size != 0 && size < rest().size() &&
                              (rest()[size] == '"' || rest()[size] == '\'') &&
                              ParsePythonStringPrefix(rest().substr(0, size), &prefix);
      if (!has_prefix) break;
      if (prefix.bytes) return false;
      Skip(size);
    }
    const std::size_t size = ReadPythonString(rest(), prefix, value);
    if (size == 0) return false;
    Skip(size);
    any = true;
  }
  if (!any) return false;
  AppendJsonString(json, ReplaceInvalidUtf8(value));  // lone surrogates
  return true;
}

bool CallParser::ReadNumber(bool negative, std::string& json) {
  PythonNumber kind = PythonNumber::kInteger;
  std::string token;
  const std::size_t size = ReadPythonNumber(rest(), &kind, token);
  if (size == 0 || kind == PythonNumber::kImaginary) return false;
  Skip(size);
  if (negative && token != "0") json += '-';
  json += token;
  return true;
}

// Skips a token, and sets *was_operand to whether an operator may follow it.
bool CallParser::SkipToken(bool* was_operand) {
  const char c = Peek();
  if (c == PythonCursor::kEnd || c == PythonCursor::kBad) return false;
  PythonNumber kind = PythonNumber::kInteger;
  std::string ignored;
  std::size_t size = NameSize();
  if (IsPythonDigit(c) || (c == '.' && pos_ + 1 < text_.size() && IsPythonDigit(text_[pos_ + 1]))) {
    size = ReadPythonNumber(rest(), &kind, ignored);
    if (size == 0 || *was_operand) return false;
    *was_operand = true;
  } else if (c == '"' || c == '\'' ||
             (size != 0 && size < rest().size() && (rest()[size] == '"' || rest()[size] == '\''))) {
    PythonStringPrefix prefix;
    const std::string_view name = rest().substr(0, c == '"' || c == '\'' ? 0 : size);
    const bool formats = name == "f" || name == "F" || name == "rf" || name == "fr";
    if (!name.empty() && !formats && !ParsePythonStringPrefix(name, &prefix)) return false;
    Skip(name.size());
    size = ReadPythonString(rest(), prefix, ignored);
    if (size == 0) return false;
    *was_operand = true;
  } else if (size != 0) {
    const std::string_view name = rest().substr(0, size);
    if (std::ranges::find(kPythonStatements, name) != std::end(kPythonStatements)) return false;
    const bool is_keyword = std::ranges::find(kPythonKeywords, name) != std::end(kPythonKeywords);
    if (!is_keyword && *was_operand) return false;
    *was_operand = !is_keyword;
  } else {
    constexpr std::string_view kPrefixes = "-+~*";
    if (std::string_view("+-*/%@&|^~<>=!.:").find(c) == std::string_view::npos) return false;
    if (!*was_operand && kPrefixes.find(c) == kPrefixes.npos && c != ':' && c != '=') return false;
    *was_operand = false;
    size = 1;
    while (size < rest().size() && std::string_view("*/<>=").find(rest()[size]) != std::string_view::npos) {
      ++size;
    }
  }
  Skip(size);
  return true;
}

// Skips an expression up to the end of the argument or element.
bool CallParser::SkipExpression() {
  std::string closers;
  bool was_operand = false;
  bool any = false;
  for (;;) {
    const char c = Peek();
    if (closers.empty() && (c == ',' || c == ')' || c == ']' || c == '}')) return any && was_operand;
    if (c == '(' || c == '[' || c == '{') {
      if (closers.size() >= kMaxNesting || (c == '{' && was_operand)) return false;
      closers += c == '(' ? ')' : c == '[' ? ']' : '}';
      Skip(1);
      was_operand = false;
    } else if (!closers.empty() && c == closers.back()) {
      closers.pop_back();
      Skip(1);
      was_operand = true;
    } else if (c == ',') {
      Skip(1);
      was_operand = false;
    } else {
      if (closers.empty() && (c == ':' || (c == '=' && !rest().starts_with("==")))) return false;
      if (!SkipToken(&was_operand)) return false;
    }
    any = true;
  }
}

// Computes arithmetic of numbers by precedence climbing. The precedences are 0 for + and -, 1 for *, /, //
// and %, 2 for **.
std::optional<double> CallParser::Compute(int precedence, bool* is_integer) {
  std::optional<double> left = ComputeOperand(is_integer);
  while (left) {
    const char c = Peek();
    const bool is_power = rest().starts_with("**");
    const bool is_floor = rest().starts_with("//");
    int of_operator = -1;
    if (c == '+' || c == '-') of_operator = 0;
    if (c == '*' || c == '/' || c == '%') of_operator = 1;
    if (is_power) of_operator = 2;
    if (of_operator < precedence) return left;
    Skip(is_power || is_floor ? 2 : 1);
    bool right_is_integer = true;
    const std::optional<double> right = Compute(is_power ? of_operator : of_operator + 1, &right_is_integer);
    if (!right) return std::nullopt;
    *is_integer = *is_integer && right_is_integer && !(c == '/' && !is_floor) && !(is_power && *right < 0);
    if ((c == '/' || c == '%') && *right == 0) return std::nullopt;
    if (is_power) {
      left = std::pow(*left, *right);
    } else if (c == '+') {
      left = *left + *right;
    } else if (c == '-') {
      left = *left - *right;
    } else if (c == '*') {
      left = *left * *right;
    } else if (c == '%') {
      left = *left - *right * std::floor(*left / *right);
    } else {
      left = is_floor ? std::floor(*left / *right) : *left / *right;
    }
  }
  return left;
}

std::optional<double> CallParser::ComputeOperand(bool* is_integer) {
  const char c = Peek();
  if (depth_ > kMaxNesting) return std::nullopt;
  if (c == '-' || c == '+') {
    Skip(1);
    ++depth_;
    const std::optional<double> value = Compute(2, is_integer);
    --depth_;
    if (!value) return std::nullopt;
    return c == '-' ? -*value : *value;
  }
  if (c == '(') {
    Skip(1);
    ++depth_;
    const std::optional<double> value = Compute(0, is_integer);
    --depth_;
    return value && Take(')') ? value : std::nullopt;
  }
  if (!IsPythonDigit(c) && c != '.') return std::nullopt;
  PythonNumber kind = PythonNumber::kInteger;
  std::string token;
  const std::size_t size = ReadPythonNumber(rest(), &kind, token);
  if (size == 0 || kind == PythonNumber::kImaginary) return std::nullopt;
  Skip(size);
  *is_integer = *is_integer && kind == PythonNumber::kInteger;
  return ParseNumber(token);
}

}  // namespace

bool PythonCallsToJson(std::string_view text, const PythonCallRules& rules, std::string& json) {
  text = StripSpace(text);
  if (rules.strips_quotes) {
    while (text.starts_with('\'')) text.remove_prefix(1);
    while (text.ends_with('\'')) text.remove_suffix(1);
  }
  if (text.find('(') == text.npos || text.find('\0') != text.npos) return false;
  return CallParser(text, rules).Parse(json);
}

}  // namespace leafscore::internal
