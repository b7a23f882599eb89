// engine/json/json_reader.h: the JSON front end, which turns texts into validated rows of a LeafTable.
//
// The structural index of a text says where tokens begin. This reader checks the grammar and adds a node for
// each value, without recursion. Strict RFC 8259 is the fast path. Texts that only Python's `json` reads (see
// TokenClass) are accepted and reported as nonstandard, unless the options forbid them. If a key occurs more
// than once, the last value counts, at the place of the first, as in Python and JavaScript.
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_JSON_JSON_READER_H_
#define LEAFSCORE_ENGINE_JSON_JSON_READER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/limits.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/json/structural_index.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

struct JsonOptions {
  bool strict = false;  // reject what RFC 8259 does not allow
  std::uint32_t max_depth = static_cast<std::uint32_t>(kMaxDepth.default_value);
};

// The result for one text.
struct JsonResult {
  NodeId root = kNoNode;  // kNoNode if the text was rejected
  RejectReason reason = RejectReason::kNone;
  std::uint32_t offset = 0;  // the offset of the fault in the text given to Begin
  const char* message = "";  // the fault; the text is static, or belongs to the batch
  bool nonstandard = false;
  std::uint32_t duplicate_keys = 0;
};

class JsonReader {
 public:
  explicit JsonReader(ShapeTable* shapes, JsonOptions options = {}) : shapes_(shapes), options_(options) {}

  // Sets the text and the table for the following calls of Read. With `lines`, each value is on its own line,
  // and one pass over the whole text finds all tokens.
  // REQUIRES: `text` outlives the use of the table; text.size() < 2^32 - 64. With `lines`, kTextPadding bytes
  // after the text can be read and are 0.
  void Begin(std::string_view text, bool lines, LeafTable* table);

  // Reads the one JSON value in text[begin, end) into the table.
  // REQUIRES: calls in rising order of `begin`. With `lines`, each value is followed by a line break or the
  //           end.
  // ERRORS:   in the result; the table then has no node of the value.
  JsonResult Read(std::uint32_t begin, std::uint32_t end);

  // Adds text[begin, end) as the text of a string value.
  JsonResult ReadText(std::uint32_t begin, std::uint32_t end);

 private:
  struct OpenContainer {
    std::uint32_t row;        // row in the table
    ShapeTable::Place place;  // object: after the keys so far; array: the place where its objects begin
    char closer;              // '}' or ']'
  };

  // The tokens of one value: `next` points at the next token's offset from `base`. Tokens at `end` or later
  // do not belong to the value.
  struct Tokens {
    const std::uint32_t* next;
    std::uint32_t base;
    std::uint32_t end;
  };

  // Reads the tokens of one value. If not kBounded, it may look at tokens after `end` before it rejects a
  // value. So the whole text must be followed by a byte that begins no value.
  template <bool kBounded>
  void ReadTokens(Tokens tokens);
  bool CheckEscapes(std::uint32_t begin, std::uint32_t end);
  bool UnescapeKey(std::uint32_t begin, std::uint32_t end);
  ValueKind ClassifyScalar(std::uint32_t begin, std::uint32_t end);
  std::uint32_t FindBackslash(std::uint32_t begin, std::uint32_t end) const;
  void DropDuplicates(NodeId root);
  bool AcceptNonstandard(std::uint32_t offset, const char* message);
  void Reject(RejectReason reason, std::uint32_t offset, const char* message);
  void RejectText(std::uint32_t begin, std::uint32_t end);

  ShapeTable* shapes_;
  JsonOptions options_;
  void ForgetLongIndex(std::size_t bytes);

  StructuralIndex index_;
  LeafTable* table_ = nullptr;
  std::string_view text_;
  bool shared_index_ = false;  // index_ covers the whole text, not only the value being read

  const std::uint32_t* cursor_ = nullptr;  // into the shared index: the first unread token

  // About the value being read.
  bool has_duplicates_ = false;
  JsonResult result_;
  std::vector<OpenContainer> open_;
  std::string key_;  // an unescaped key
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JSON_JSON_READER_H_
