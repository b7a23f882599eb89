// engine/languages/python_tape.h: a Python literal as a tape of nodes, in the order of the text.
//
// The elements of a container are between its node and its kEnd; in a dict, they alternate between keys and
// values. A node of kind kNothing, left by parentheses that did not make a tuple, has no meaning. The texts
// of all nodes are in one buffer. Each reader owns one tape. THREADS: one writer, then many readers.
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
  kReal,     // its text is a JSON number token without sign
  kComplex,
  kString,  // its text is as from ReadPythonString
  kBytes,
  kList,
  kTuple,
  kDict,
  kSet,
  kEnd,
};

struct PythonNode {
  PythonKind kind = PythonKind::kNothing;
  bool negative = false;    // for kReal, and for kInteger except 0
  bool key = false;         // the key of a dict begins here
  std::uint32_t begin = 0;  // of its text; for kEnd, the node of the container; for kComplex, its number
  std::uint32_t end = 0;    // of its text; for kEnd, the number of elements in the container
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

  // Returns the value of a kReal or kInteger: the nearest double, infinite beyond the range.
  double RealOf(const PythonNode& node) const;
};

// Reads a literal like ast.literal_eval of Python 3.11, except that kMaxDepth - 1 brackets may be open at
// once (Python: 200). Unhashable keys and set elements, which Python rejects only later, are rejected, too.
// REQUIRES: valid UTF-8 of less than 2 GiB; an empty tape.
// RETURNS: false for an invalid literal; the tape is then undefined.
// COST: linear in time and memory.
bool ReadPythonLiteral(std::string_view text, PythonTape& tape);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_TAPE_H_
