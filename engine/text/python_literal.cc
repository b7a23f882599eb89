#include "engine/text/python_literal.h"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <vector>

#include "engine/json/json_text.h"
#include "engine/text/python_repr.h"
#include "engine/text/python_tape.h"
#include "engine/text/python_text.h"

namespace leafscore::internal {
namespace {

// Returns where the first surrogate from `pos` on stands in a text of the tape, or the size.
std::size_t FindSurrogate(std::string_view text, std::size_t pos) {
  for (;; pos += 3) {
    pos = text.find('\xed', pos);  // begins U+D000 to U+DFFF
    if (pos == text.npos) return text.size();
    if (static_cast<unsigned char>(text[pos + 1]) >= 0xa0) return pos;
  }
}

// Appends a text of the tape as a JSON string.
void AppendText(std::string_view text, std::string& json) {
  std::size_t end = FindSurrogate(text, 0);
  AppendJsonString(json, text.substr(0, end));
  std::string rest;
  while (end != text.size()) {
    json.pop_back();
    const int surrogate = 0xd000 | (text[end + 1] & 0x3f) << 6 | (text[end + 2] & 0x3f);
    fmt::format_to(std::back_inserter(json), "\\u{:04x}", surrogate);
    const std::size_t begin = end + 3;
    end = FindSurrogate(text, begin);
    rest.clear();
    AppendJsonString(rest, text.substr(begin, end - begin));
    json.append(rest, 1);
  }
}

class Writer {
 public:
  Writer(const PythonTape& tape, std::string& json) : tape_(tape), json_(json) {}

  void Write() {
    for (std::size_t index = 0; index < tape_.nodes.size();) index = WriteNode(index);
  }

 private:
  // Writes what begins at a node and returns the index of the next one.
  std::size_t WriteNode(std::size_t index);
  std::size_t WriteKey(std::size_t index);
  std::size_t WriteRepr(std::size_t index);
  std::size_t Open(std::size_t index, char bracket) {
    json_ += bracket;
    first_ = true;
    return index + 1;
  }

  const PythonTape& tape_;
  std::string& json_;
  bool first_ = true;                       // no comma goes before the next value
  std::vector<PythonDistinctValues> keys_;  // of each open dict, those that are not strings
};

std::size_t Writer::WriteNode(std::size_t index) {
  const PythonNode& node = tape_.nodes[index];
  if (node.kind == PythonKind::kEnd) {
    const bool dict = tape_.nodes[node.begin].kind == PythonKind::kDict;
    if (dict) keys_.pop_back();
    json_ += dict ? '}' : ']';
    first_ = false;
    return index + 1;
  }
  if (node.kind == PythonKind::kNothing && !node.key) return index + 1;
  if (!first_) json_ += ',';
  first_ = false;
  if (node.key) return WriteKey(index);
  switch (node.kind) {
    case PythonKind::kList:
    case PythonKind::kTuple:
      return Open(index, '[');
    case PythonKind::kDict:
      keys_.emplace_back();
      return Open(index, '{');
    case PythonKind::kNone:
      json_ += "null";
      break;
    case PythonKind::kFalse:
      json_ += "false";
      break;
    case PythonKind::kTrue:
      json_ += "true";
      break;
    case PythonKind::kInteger:
    case PythonKind::kReal:
      tape_.AppendNumber(node, json_);
      break;
    case PythonKind::kString:
      AppendText(tape_.TextOf(node), json_);
      break;
    default:  // what JSON has no value for
      return WriteRepr(index);
  }
  return index + 1;
}

std::size_t Writer::WriteRepr(std::size_t index) {
  std::string repr;
  index = AppendPythonRepr(tape_, index, PythonForm::kRepr, repr);
  AppendJsonString(json_, repr);
  return index;
}

std::size_t Writer::WriteKey(std::size_t index) {
  while (tape_.nodes[index].kind == PythonKind::kNothing) ++index;
  first_ = true;
  if (tape_.nodes[index].kind == PythonKind::kString) {
    AppendText(tape_.TextOf(tape_.nodes[index]), json_);
    ++index;
  } else {
    AppendJsonString(json_, keys_.back().Add(tape_, &index));
  }
  json_ += ':';
  return index;
}

}  // namespace

bool PythonLiteralToJson(std::string_view text, std::string& json) {
  PythonTape tape;
  if (!ReadPythonLiteral(StripSpace(text), tape)) return false;
  Writer(tape, json).Write();
  return true;
}

}  // namespace leafscore::internal
