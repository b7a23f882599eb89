// engine/languages/python_tape.h: a Python literal as a tape of nodes, in the order of the text.
//
// Between a container and its kEnd stand its elements, in a dict key, value, key, value. A node of kind
// kNothing, left by parentheses that made no tuple, means nothing. The texts of all nodes stand in one
// buffer. One tape belongs to one reader. THREADS: one writer, then many readers.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TAPE_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TAPE_H_

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

enum class PythonKind : std::uint8_t {
  kNothing,
  kNone,
  kFalse,
  kTrue,
  kEllipsis,
  kInteger,  // its text is a JSON number token without sign
  kReal,     // likewise
  kComplex,
  kString,  // its text is as ReadPythonString gives it
  kBytes,
  kList,
  kTuple,
  kDict,
  kSet,
  kEnd,
};

struct PythonNode {
  PythonKind kind = PythonKind::kNothing;
  bool negative = false;    // of kReal, and of kInteger but 0
  bool key = false;         // the key of a dict begins here
  std::uint32_t begin = 0;  // of its text; of kEnd, the node of the container; of kComplex, its number
  std::uint32_t end = 0;    // of its text; of kEnd, how many elements the container has
};

struct PythonTape {
  std::vector<PythonNode> nodes;
  std::string text;
  std::vector<std::complex<double>> complex_numbers;

  std::string_view TextOf(const PythonNode& node) const {
    return std::string_view(text).substr(node.begin, node.end - node.begin);
  }

  // Appends a kInteger or kReal as a JSON number token.
  void AppendNumber(const PythonNode& node, std::string& out) const {
    if (node.negative) out += '-';
    out += TextOf(node);
  }

  // Returns the value of a kReal, or of a kInteger: the nearest double, infinite beyond the range.
  double RealOf(const PythonNode& node) const;
};

// Reads a literal as ast.literal_eval of Python 3.11 does, except that kMaxDepth - 1 brackets may be open at
// once (Python: 200). Keys and set elements without a hash, which Python refuses only later, are refused too.
// REQUIRES: valid UTF-8 of less than 2 GiB; an empty tape.
// ERRORS:   false; the tape is then undefined.
// COST:     linear in time and memory.
bool ReadPythonLiteral(std::string_view text, PythonTape& tape);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TAPE_H_
