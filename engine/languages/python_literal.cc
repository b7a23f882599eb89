#include "engine/languages/python_literal.h"

#include <fmt/format.h>

#include <cstddef>
#include <vector>

#include "engine/json/json_text.h"
#include "engine/json/json_writer.h"
#include "engine/languages/python_repr.h"
#include "engine/languages/python_tape.h"
#include "engine/languages/python_text.h"

namespace leafscore::internal {
namespace {

// Returns the position of the first surrogate from `pos` on in a text of the tape, or the size.
std::size_t FindSurrogate(std::string_view text, std::size_t pos) {
  for (;; pos += 3) {
    pos = text.find('\xed', pos);  // begins U+D000 to U+DFFF
    if (pos == text.npos) return text.size();
    if (static_cast<unsigned char>(text[pos + 1]) >= 0xa0) return pos;
  }
}

// Appends a text of the tape as a JSON string.
void AppendText(std::string_view text, std::string& json) {
  json += '"';
  for (std::size_t pos = 0;;) {
    const std::size_t end = FindSurrogate(text, pos);
    AppendJsonCharacters(json, text.substr(pos, end - pos));
    if (end == text.size()) break;
    const int surrogate = 0xd000 | (text[end + 1] & 0x3f) << 6 | (text[end + 2] & 0x3f);
    json += fmt::format("\\u{:04x}", surrogate);
    pos = end + 3;
  }
  json += '"';
}

class Writer {
 public:
  Writer(const PythonTape& tape, TupleForm tuples, std::string& json)
      : tape_(tape), tuples_(tuples), text_(json), json_(json, JsonLayout::kCompact) {}

  void Write() {
    for (std::size_t index = 0; index < tape_.nodes.size();) index = WriteNode(index);
  }

 private:
  // Writes the value that begins at a node. RETURNS: the index of the next node.
  std::size_t WriteNode(std::size_t index);
  std::size_t WriteKey(std::size_t index);
  std::size_t WriteRepr(std::size_t index);

  const PythonTape& tape_;
  TupleForm tuples_;
  std::string& text_;
  JsonWriter json_;                         // to text_
  std::vector<PythonDistinctValues> keys_;  // for each open dict: the keys that are not strings
};

std::size_t Writer::WriteNode(std::size_t index) {
  const PythonNode& node = tape_.nodes[index];
  if (node.key) return WriteKey(index);
  switch (node.kind) {
    case PythonKind::kNothing:
      break;
    case PythonKind::kList:
      json_.StartArray();
      break;
    case PythonKind::kTuple:
      json_.StartArray();
      if (tuples_ == TupleForm::kMarked) text_ += ' ';
      break;
    case PythonKind::kDict:
      keys_.emplace_back();
      json_.StartObject();
      break;
    case PythonKind::kEnd:
      if (tape_.nodes[node.begin].kind == PythonKind::kDict) {
        keys_.pop_back();
        json_.EndObject();
      } else {
        json_.EndArray();
      }
      break;
    case PythonKind::kNone:
      json_.Null();
      break;
    case PythonKind::kFalse:
      json_.Bool(false);
      break;
    case PythonKind::kTrue:
      json_.Bool(true);
      break;
    case PythonKind::kInteger:
    case PythonKind::kReal:
      tape_.AppendNumber(node, json_.RawValue());
      break;
    case PythonKind::kString:
      AppendText(tape_.TextOf(node), json_.RawValue());
      break;
    default:  // values that JSON does not have
      return WriteRepr(index);
  }
  return index + 1;
}

std::size_t Writer::WriteRepr(std::size_t index) {
  std::string repr;
  index = AppendPythonRepr(tape_, index, PythonForm::kRepr, repr);
  json_.String(repr);
  return index;
}

std::size_t Writer::WriteKey(std::size_t index) {
  while (tape_.nodes[index].kind == PythonKind::kNothing) ++index;
  if (tape_.nodes[index].kind == PythonKind::kString) {
    std::string key;
    AppendText(tape_.TextOf(tape_.nodes[index]), key);
    json_.RawKey(key);
    ++index;
  } else {
    json_.Key(keys_.back().Add(tape_, &index));
  }
  return index;
}

}  // namespace

bool PythonLiteralToJson(std::string_view text, std::string& json, TupleForm tuples) {
  PythonTape tape;
  if (!ReadPythonLiteral(StripSpace(text), tape)) return false;
  Writer(tape, tuples, json).Write();
  return true;
}

}  // namespace leafscore::internal
