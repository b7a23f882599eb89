#include "engine/languages/python_tape.h"

#include <cmath>

#include "engine/base/limits.h"
#include "engine/json/json_scalar.h"
#include "engine/languages/python_tokens.h"

namespace leafscore::internal {
namespace {

// How much of the current element was read.
enum class Operand {
  kNothing,     // an operand must follow
  kReal,        // an integer or a real, without a sign
  kSignedReal,  // the same with a sign
  kImaginary,   // without a sign
  kString,      // or bytes; another one may follow
  kSetName,     // `set`, which is valid only before `()`
  kOther,
};

// The meaning of a {, once known.
enum class Brace { kUnknown, kSet, kKey, kValue };

struct Frame {
  char closer = 0;      // ')', ']' or '}'; 0 for the text itself
  bool hashed = false;  // its content must be hashable; in a dict, the next element must
  bool tuple = false;   // there was a comma
  Brace brace = Brace::kUnknown;
  char sign = 0;              // waiting for its number
  char operation = 0;         // waiting for an imaginary number
  std::uint32_t left = 0;     // the node of the real before the operation
  std::uint32_t node = 0;     // of the container
  std::uint32_t element = 0;  // the first node of the current element
  std::uint32_t count = 0;    // number of earlier elements
};

class Parser {
 public:
  Parser(std::string_view text, PythonTape& tape) : cursor_(text), tape_(tape) {}

  bool Parse();

 private:
  static constexpr std::size_t kMaxFrames = kMaxDepth.default_value;

  bool ReadToken(char c);
  bool ReadScalar(char c);
  bool ReadName();
  bool ReadString(PythonStringPrefix prefix);
  bool ReadSign(char c);
  bool Open(char c);
  bool Close(char c);
  bool Comma();
  bool Colon();
  bool Finish();
  bool EndElement();
  bool Complete(Operand operand);
  bool AddComplex(std::uint32_t left, char operation);
  PythonNode& Add(PythonKind kind) {
    PythonNode& node = tape_.nodes.emplace_back();
    node.kind = kind;
    return node;
  }
  void AddEnd(const Frame& frame) {
    PythonNode& end = Add(PythonKind::kEnd);
    end.begin = frame.node;
    end.end = frame.count;
  }
  void Push(char closer, PythonKind kind, bool hashed) {
    Add(kind);
    Frame& frame = frames_.emplace_back();
    frame.closer = closer;
    frame.hashed = hashed;
    frame.node = node_count() - 1;
    frame.element = node_count();
  }
  bool Pop() {
    AddEnd(frames_.back());
    frames_.pop_back();
    return Complete(Operand::kOther);
  }

  std::uint32_t node_count() const { return static_cast<std::uint32_t>(tape_.nodes.size()); }
  std::uint32_t text_size() const { return static_cast<std::uint32_t>(tape_.text.size()); }
  char Next() { return cursor_.Next(frames_.size() > 1); }
  PythonKind& kind_of(std::uint32_t node) { return tape_.nodes[node].kind; }

  PythonCursor cursor_;
  PythonTape& tape_;
  std::vector<Frame> frames_;
  Operand operand_ = Operand::kNothing;
};

bool Parser::Parse() {
  Push(0, PythonKind::kNothing, false);
  for (;;) {
    const char c = Next();
    if (c == '\n') return Finish() && Next() == PythonCursor::kEnd;
    if (c == PythonCursor::kEnd) return Finish();
    if (c == PythonCursor::kBad || !ReadToken(c)) return false;
  }
}

bool Parser::ReadToken(char c) {
  switch (c) {
    case '(':
    case '[':
    case '{':
      return Open(c);
    case ')':
    case ']':
    case '}':
      return Close(c);
    case ',':
      return Comma();
    case ':':
      return Colon();
    case '+':
    case '-':
      return ReadSign(c);
    case '\'':
    case '"':
      return ReadString({});
    default:
      return ReadScalar(c);
  }
}

bool Parser::ReadScalar(char c) {
  if (c != '.' && !(c >= '0' && c <= '9')) return ReadName();
  if (operand_ != Operand::kNothing) return false;
  if (cursor_.rest().starts_with("...")) {
    cursor_.Skip(3);
    Add(PythonKind::kEllipsis);
    return Complete(Operand::kOther);
  }
  PythonNumber number;
  const std::uint32_t begin = text_size();
  const std::size_t size = ReadPythonNumber(cursor_.rest(), &number, tape_.text);
  if (size == 0) return false;
  cursor_.Skip(size);
  PythonNode& node = Add(number == PythonNumber::kInteger ? PythonKind::kInteger : PythonKind::kReal);
  node.begin = begin;
  node.end = text_size();
  if (number != PythonNumber::kImaginary) return Complete(Operand::kReal);
  const double imaginary = tape_.RealOf(node);
  node.kind = PythonKind::kComplex;
  node.begin = static_cast<std::uint32_t>(tape_.complex_numbers.size());
  tape_.complex_numbers.emplace_back(0, imaginary);
  return Complete(Operand::kImaginary);
}

bool Parser::ReadName() {
  const std::string_view rest = cursor_.rest();
  std::size_t size = 0;
  while (size < rest.size() && ContinuesPythonName(rest[size])) ++size;
  const std::string_view name = rest.substr(0, size);
  cursor_.Skip(size);
  if (size < rest.size() && (rest[size] == '\'' || rest[size] == '"')) {
    PythonStringPrefix prefix;
    return ParsePythonStringPrefix(name, &prefix) && ReadString(prefix);
  }
  if (operand_ != Operand::kNothing) return false;
  if (name == "set") return Complete(Operand::kSetName);
  if (name == "None") {
    Add(PythonKind::kNone);
  } else if (name == "True") {
    Add(PythonKind::kTrue);
  } else if (name == "False") {
    Add(PythonKind::kFalse);
  } else {
    return false;
  }
  return Complete(Operand::kOther);
}

bool Parser::ReadString(PythonStringPrefix prefix) {
  const PythonKind kind = prefix.bytes ? PythonKind::kBytes : PythonKind::kString;
  if (operand_ == Operand::kNothing) {
    Add(kind).begin = text_size();
  } else if (operand_ != Operand::kString || tape_.nodes.back().kind != kind) {
    return false;
  }
  const std::size_t size = ReadPythonString(cursor_.rest(), prefix, tape_.text);
  if (size == 0) return false;
  cursor_.Skip(size);
  tape_.nodes.back().end = text_size();
  return Complete(Operand::kString);
}

bool Parser::ReadSign(char c) {
  cursor_.Skip(1);
  Frame& frame = frames_.back();
  if (operand_ == Operand::kNothing) {
    if (frame.sign != 0 || frame.operation != 0) return false;
    frame.sign = c;
    return true;
  }
  if (operand_ != Operand::kReal && operand_ != Operand::kSignedReal) return false;
  frame.operation = c;
  frame.left = node_count() - 1;
  operand_ = Operand::kNothing;
  return true;
}

bool Parser::Open(char c) {
  cursor_.Skip(1);
  const bool hashed = frames_.back().hashed;
  if (c == '(' && operand_ == Operand::kSetName && !hashed) {
    Push(')', PythonKind::kSet, false);  // so that line breaks are ignored
    if (Next() != ')') return false;
    cursor_.Skip(1);
    return Pop();
  }
  if (operand_ != Operand::kNothing || frames_.size() == kMaxFrames) return false;
  if (c == '(') {
    Push(')', PythonKind::kNothing, hashed);  // until there is a comma
    return true;
  }
  if (hashed) return false;
  if (c == '[') {
    Push(']', PythonKind::kList, false);
  } else {
    Push('}', PythonKind::kDict, true);
  }
  return true;
}

bool Parser::Close(char c) {
  cursor_.Skip(1);
  Frame& frame = frames_.back();
  if (frame.closer != c) return false;
  if (operand_ == Operand::kNothing) {  // it is empty, or ended with a comma
    if (frame.sign != 0 || frame.operation != 0 || frame.brace == Brace::kValue) return false;
  } else if (c == ')' && !frame.tuple) {
    frames_.pop_back();
    return Complete(operand_ == Operand::kString ? Operand::kOther : operand_);
  } else {
    if (frame.brace == Brace::kKey) return false;
    if (c == '}' && frame.brace == Brace::kUnknown) kind_of(frame.node) = PythonKind::kSet;
    if (!EndElement()) return false;
  }
  if (c == ')') kind_of(frame.node) = PythonKind::kTuple;
  return Pop();
}

bool Parser::Comma() {
  cursor_.Skip(1);
  Frame& frame = frames_.back();
  if (operand_ == Operand::kNothing || frame.brace == Brace::kKey) return false;
  if (frame.brace == Brace::kValue) {
    frame.brace = Brace::kKey;
    frame.hashed = true;
  } else if (frame.closer == '}') {
    frame.brace = Brace::kSet;
    kind_of(frame.node) = PythonKind::kSet;
  } else if (frame.closer != ']') {
    frame.tuple = true;
    kind_of(frame.node) = PythonKind::kTuple;
  }
  return EndElement();
}

bool Parser::Colon() {
  cursor_.Skip(1);
  Frame& frame = frames_.back();
  const bool awaited = frame.brace == Brace::kUnknown || frame.brace == Brace::kKey;
  if (frame.closer != '}' || !awaited || operand_ == Operand::kNothing) return false;
  const std::uint32_t key = frame.element;
  if (!EndElement()) return false;
  tape_.nodes[key].key = true;
  frame.brace = Brace::kValue;
  frame.hashed = false;
  return true;
}

bool Parser::Finish() {
  if (frames_.size() != 1) return false;
  const Frame& frame = frames_.back();
  if (operand_ != Operand::kNothing) {
    if (!EndElement()) return false;
  } else if (!frame.tuple || frame.sign != 0 || frame.operation != 0) {
    return false;
  }
  if (frame.tuple) AddEnd(frame);
  return true;
}

bool Parser::EndElement() {
  if (operand_ == Operand::kSetName) return false;
  operand_ = Operand::kNothing;
  frames_.back().element = node_count();
  ++frames_.back().count;
  return true;
}

// Takes an operand of the innermost frame, and applies a waiting sign or operation to it.
bool Parser::Complete(Operand operand) {
  Frame& frame = frames_.back();
  if (frame.sign != 0) {
    if (operand == Operand::kReal) {
      operand = Operand::kSignedReal;
      PythonNode& number = tape_.nodes.back();
      const bool zero = number.kind == PythonKind::kInteger && tape_.TextOf(number) == "0";
      number.negative = frame.sign == '-' && !zero;
    } else if (operand == Operand::kImaginary) {
      operand = Operand::kOther;
      std::complex<double>& number = tape_.complex_numbers[tape_.nodes.back().begin];
      if (frame.sign == '-') number = -number;
    } else {
      return false;
    }
    frame.sign = 0;
  } else if (frame.operation != 0) {
    if (operand != Operand::kImaginary || !AddComplex(frame.left, frame.operation)) return false;
    operand = Operand::kOther;
    frame.operation = 0;
  }
  operand_ = operand;
  return true;
}

// Combines the real at `left` and the imaginary number in the last node into one complex number. RETURNS:
// false if the real is an integer too large for a double.
bool Parser::AddComplex(std::uint32_t left, char operation) {
  PythonNode& node = tape_.nodes[left];
  const double real = tape_.RealOf(node);
  if (node.kind == PythonKind::kInteger && std::isinf(real)) return false;
  const std::uint32_t index = tape_.nodes.back().begin;
  std::complex<double>& number = tape_.complex_numbers[index];
  number = operation == '+' ? std::complex<double>(real + 0.0, 0.0 + number.imag())
                            : std::complex<double>(real - 0.0, 0.0 - number.imag());
  node.kind = PythonKind::kComplex;
  node.begin = index;
  tape_.nodes.resize(left + 1);  // only parentheses and the imaginary number came after it
  return true;
}

}  // namespace

double PythonTape::RealOf(const PythonNode& node) const {
  const double value = ParseNumber(TextOf(node));
  return node.negative ? -value : value;
}

bool ReadPythonLiteral(std::string_view text, PythonTape& tape) {
  return text.find('\0') == text.npos && Parser(text, tape).Parse();
}

}  // namespace leafscore::internal
