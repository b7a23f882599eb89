#include "engine/json/json_reader.h"

#include <algorithm>
#include <cstring>

#include "engine/base/utf8.h"
#include "engine/json/json_scalar.h"

namespace leafscore::internal {
namespace {

constexpr auto kNoValue = static_cast<ValueKind>(0xff);

constexpr const char* kInvalidUtf8Message = "the text is not valid UTF-8";

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Makes room for the values of an indexed text: a node for each token that may begin a value or a key, and a
// container for each opening bracket. If tokens are few, making room for all of them costs less than
// counting.
void ReserveFor(std::string_view text, const StructuralIndex& index, LeafTable& table) {
  constexpr std::size_t kFewTokens = 1 << 18;
  if (index.size() < kFewTokens) return table.Reserve(index.size(), index.size());
  std::size_t nodes = 0;
  std::size_t containers = 0;
  std::for_each(index.begin(), index.begin() + index.size(), [&](std::uint32_t at) {
    const char token = text[at];
    const bool is_container = token == '[' || token == '{';
    containers += is_container;
    nodes += is_container || (token != ',' && token != ':' && token != ']' && token != '}');
  });
  table.Reserve(nodes, containers);
}

// Returns the offset of the first raw control character in a string, or of the opening quote of a string that
// is not closed; text.size() if there is no such fault.
std::size_t FindStringFault(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == '\\') {  // outside a string this is not JSON, but it hides a quote from the index
      i += 2;
    } else if (text[i] != '"') {
      ++i;
    } else {
      const std::size_t open = i++;
      while (i < text.size() && text[i] != '"') {
        if (text[i] == '\\') ++i;
        if (i < text.size() && static_cast<unsigned char>(text[i]) < 0x20) return i;
        ++i;
      }
      if (i >= text.size()) return open;
      ++i;
    }
  }
  return text.size();
}

}  // namespace

void JsonReader::Begin(std::string_view text, bool lines, LeafTable* table) {
  text_ = text;
  table_ = table;
  table_->Reset(text.data(), lines);
  shared_index_ = lines && index_.Build(text);
  if (shared_index_) {
    cursor_ = index_.begin();
    ReserveFor(text, index_, *table_);
  }
}

JsonResult JsonReader::Read(std::uint32_t begin, std::uint32_t end) {
  result_ = {};
  has_duplicates_ = false;
  const NodeId root = table_->size();
  if (shared_index_) {
    const std::uint32_t* const last = index_.begin() + index_.size();
    while (cursor_ != last && *cursor_ < begin) ++cursor_;  // left over from a rejected value
    ReadTokens<false>({cursor_, 0, end});
    if (result_.reason != RejectReason::kNone) {  // read again, slowly, to find what is wrong and where
      result_ = {};
      has_duplicates_ = false;
      ReadTokens<true>({cursor_, 0, end});
    }
    if (cursor_ == last) ForgetLongIndex(text_.size());
  } else if (index_.Build(text_.substr(begin, end - begin))) {
    ReserveFor(text_.substr(begin, end - begin), index_, *table_);
    ReadTokens<true>({index_.begin(), begin, end});
    ForgetLongIndex(end - begin);
  } else {
    RejectText(begin, end);
  }
  if (result_.reason != RejectReason::kNone) return result_;
  if (has_duplicates_) DropDuplicates(root);
  result_.root = root;
  return result_;
}

// Frees a long index that was read to its end, because the users of the values need the memory. Values that
// are read after that get an index of their own.
void JsonReader::ForgetLongIndex(std::size_t bytes) {
  constexpr std::size_t kLong = 4 << 20;
  if (bytes < kLong) return;
  shared_index_ = false;
  index_.Release();
}

JsonResult JsonReader::ReadText(std::uint32_t begin, std::uint32_t end) {
  result_ = {};
  const std::string_view text = text_.substr(begin, end - begin);
  const std::size_t fault = FindInvalidUtf8(text);
  if (fault != text.size()) {
    Reject(RejectReason::kInvalidUtf8, begin + static_cast<std::uint32_t>(fault), kInvalidUtf8Message);
    return result_;
  }
  // Keep the room that Begin made for the tokens ahead, and make room for this text, which may have no token.
  const std::size_t ahead =
      shared_index_ ? static_cast<std::size_t>(index_.begin() + index_.size() - cursor_) : 0;
  table_->Reserve(1 + ahead, ahead);
  result_.root = table_->size();
  LeafTable::Writer writer(*table_);
  writer.AddLeaf(ValueKind::kString, begin, end);
  writer.Commit();
  return result_;
}

template <bool kBounded>
void JsonReader::ReadTokens(Tokens tokens) {
  shapes_->BeginText();
  LeafTable::Writer writer(*table_);
  const char* const bytes = text_.data();
  const std::uint32_t base = kBounded ? tokens.base : 0;
  const std::uint32_t end = tokens.end;
  const std::uint32_t* next = tokens.next;
  const auto position = [&] { return kBounded ? std::min(base + *next, end) : *next; };
  const auto byte_at = [&](std::uint32_t at) { return !kBounded || at < end ? bytes[at] : '\0'; };
  const auto readable = [&](std::uint32_t at, std::uint32_t size) { return !kBounded || at + size <= end; };
  // Returns the end of the token before the one at `at`.
  const auto end_before = [&](std::uint32_t at) {
    while (static_cast<unsigned char>(bytes[at - 1]) <= ' ' && IsSpace(bytes[at - 1])) --at;
    return at;
  };
  // The next backslash. has_backslash is called for tokens in rising order.
  std::uint32_t backslash = FindBackslash(position(), end);
  const auto has_backslash = [&](std::uint32_t token_begin, std::uint32_t token_end) {
    if (backslash < token_begin) [[unlikely]]
      backslash = FindBackslash(token_begin, end);
    return backslash < token_end;
  };

  // One element for each level of nesting; the outermost stands for the text itself.
  open_.resize(options_.max_depth + 1);
  OpenContainer* const open = open_.data();
  std::uint32_t depth = 0;
  OpenContainer innermost{0, {}, '\0'};
  for (;;) {
    if (innermost.closer == '}') {  // `"key":` comes first
      const std::uint32_t quote = position();
      if (byte_at(quote) != '"') {
        return Reject(RejectReason::kInvalidJson, quote, "a key in double quotes is missing");
      }
      ++next;
      const std::uint32_t colon = position();
      if (byte_at(colon) != ':')
        return Reject(RejectReason::kInvalidJson, colon, "a ':' after the key is missing");
      ++next;
      const std::uint32_t key_begin = quote + 1;
      bool padded = readable(key_begin, ShapeTable::kKeyLookAhead);
      if (!padded || !shapes_->FollowPrediction(bytes + key_begin, &innermost.place)) {
        const std::uint32_t key_end = end_before(colon) - 1;
        std::string_view key(bytes + key_begin, key_end - key_begin);
        if (has_backslash(key_begin, key_end)) {
          if (!UnescapeKey(key_begin, key_end)) return;
          key = key_;
          padded = false;
        }
        innermost.place = shapes_->Extend(innermost.place, key, padded);
      }
    }

    const std::uint32_t begin = position();
    const char first = byte_at(begin);
    ++next;
    if (first == '"') {
      const std::uint32_t token_end = end_before(position()) - 1;
      ValueKind kind = ValueKind::kString;
      if (has_backslash(begin + 1, token_end)) {
        if (!CheckEscapes(begin + 1, token_end)) return;
        kind = ValueKind::kEscapedString;
      }
      writer.AddLeaf(kind, begin + 1, token_end);
    } else if (first == '{' || first == '[') {
      if (!kBounded && begin >= end)
        return Reject(RejectReason::kInvalidJson, end, "");  // Read finds the reason
      if (depth == options_.max_depth) {
        return Reject(RejectReason::kTooDeep, begin, "the value is nested too deep");
      }
      open[depth++] = innermost;
      const bool is_object = first == '{';
      innermost = {writer.Open(is_object ? ValueKind::kObject : ValueKind::kArray, begin),
                   ShapeTable::Within(innermost.place), is_object ? '}' : ']'};
      if (byte_at(position()) != innermost.closer) continue;
    } else {
      if (begin >= end)
        return Reject(RejectReason::kInvalidJson, end, "the text ends where a value is expected");
      const std::uint32_t token_end = end_before(position());
      ValueKind kind = ValueKind::kNumber;
      if (!readable(begin, 8) || !IsPlainNumber({bytes + begin, token_end - begin})) {
        kind = ClassifyScalar(begin, token_end);
        if (kind == kNoValue) return;
      }
      writer.AddLeaf(kind, begin, token_end);
    }

    // After a value: close the containers that end here, then continue after a comma.
    for (;;) {
      const std::uint32_t at = position();
      const char separator = byte_at(at);
      if (separator == ',' && depth != 0) {
        ++next;
        break;
      }
      if (depth == 0) {
        if (at < end) return Reject(RejectReason::kInvalidJson, at, "there is more text after the value");
        if (!kBounded && next[-1] >= end) return Reject(RejectReason::kInvalidJson, end, "");
        if (shared_index_) cursor_ = next;
        writer.Commit();
        return;
      }
      if (separator != innermost.closer) {
        return Reject(RejectReason::kInvalidJson, at,
                      at == end                 ? "the text ends inside an object or array"
                      : innermost.closer == '}' ? "a ',' or '}' after the member is missing"
                                                : "a ',' or ']' after the element is missing");
      }
      ++next;
      const ShapeId shape = shapes_->Finish(innermost.place);
      if (innermost.closer == '}' && shapes_->HasDuplicateKeys(shape)) has_duplicates_ = true;
      writer.Close(innermost.row, at + 1, shape);
      innermost = open[--depth];
    }
  }
}

// Returns the offset of the first backslash in text[begin, end), or an offset of at least `end`.
std::uint32_t JsonReader::FindBackslash(std::uint32_t begin, std::uint32_t end) const {
  if (begin >= end) return ~std::uint32_t{0};  // the token belongs to a later line
  const void* found = std::memchr(text_.data() + begin, '\\', end - begin);
  return found == nullptr ? end : static_cast<std::uint32_t>(static_cast<const char*>(found) - text_.data());
}

bool JsonReader::CheckEscapes(std::uint32_t begin, std::uint32_t end) {
  std::size_t fault = 0;
  switch (ClassifyEscapes(text_.substr(begin, end - begin), &fault)) {
    case TokenClass::kStandard:
      return true;
    case TokenClass::kNonstandard:
      return AcceptNonstandard(begin + static_cast<std::uint32_t>(fault), "a lone surrogate is escaped");
    case TokenClass::kInvalid:
      break;
  }
  Reject(RejectReason::kInvalidJson, begin + static_cast<std::uint32_t>(fault), "the escape is invalid");
  return false;
}

// Stores the unescaped key in key_.
bool JsonReader::UnescapeKey(std::uint32_t begin, std::uint32_t end) {
  if (!CheckEscapes(begin, end)) return false;
  key_.clear();
  AppendUnescaped(text_.substr(begin, end - begin), key_);
  return true;
}

// Returns the kind of a token that is neither a string nor a container, or kNoValue after rejecting it.
ValueKind JsonReader::ClassifyScalar(std::uint32_t begin, std::uint32_t end) {
  const std::string_view token(text_.data() + begin, end - begin);
  switch (token[0]) {
    case 't':
      if (token == "true") return ValueKind::kTrue;
      break;
    case 'f':
      if (token == "false") return ValueKind::kFalse;
      break;
    case 'n':
      if (token == "null") return ValueKind::kNull;
      break;
    default:
      break;
  }
  switch (ClassifyNumber(token)) {
    case TokenClass::kStandard:
      return ValueKind::kNumber;
    case TokenClass::kNonstandard:
      if (AcceptNonstandard(begin, "the number is beyond 64 bits or the double range, or not a number")) {
        return ValueKind::kNumber;
      }
      return kNoValue;
    case TokenClass::kInvalid:
      break;
  }
  Reject(RejectReason::kInvalidJson, begin, "there is no valid value here");
  return kNoValue;
}

bool JsonReader::AcceptNonstandard(std::uint32_t offset, const char* message) {
  if (options_.strict) {
    Reject(RejectReason::kNonstandardJson, offset, message);
    return false;
  }
  result_.nonstandard = true;
  return true;
}

void JsonReader::Reject(RejectReason reason, std::uint32_t offset, const char* message) {
  result_.reason = reason;
  result_.offset = offset;
  result_.message = message;
}

// Reports why the index could not be built.
void JsonReader::RejectText(std::uint32_t begin, std::uint32_t end) {
  const std::string_view text = text_.substr(begin, end - begin);
  const std::size_t utf8_fault = FindInvalidUtf8(text);
  if (utf8_fault != text.size()) {
    Reject(RejectReason::kInvalidUtf8, begin + static_cast<std::uint32_t>(utf8_fault), kInvalidUtf8Message);
    return;
  }
  const std::size_t fault = FindStringFault(text);
  const bool unclosed = fault < text.size() && text[fault] == '"';
  Reject(RejectReason::kInvalidJson, begin + static_cast<std::uint32_t>(fault),
         unclosed ? "the string is not closed" : "a string has an unescaped control character");
}

// Rewrites the value so that each key of an object occurs once. This is rare, so the code is simple rather
// than fast.
void JsonReader::DropDuplicates(NodeId root) {
  struct Frame {
    std::uint32_t row;
    std::uint32_t token_end;
    ShapeId shape;
    std::vector<NodeId> children;
    std::size_t next_child = 0;
  };
  LeafTable& table = *table_;
  LeafTable kept;
  kept.Reset(table.bytes(), table.padded());
  kept.Reserve(table.size() - root, table.size() - root);
  LeafTable::Writer writer(kept);
  std::vector<Frame> frames;

  const auto copy = [&](NodeId node) {
    const ValueKind kind = table.kind(node);
    if (!IsContainer(kind)) return writer.AddLeaf(kind, table.token_begin(node), table.token_end(node));
    Frame frame{writer.Open(kind, table.token_begin(node)), table.token_end(node), table.shape(node), {}};
    for (NodeId child = node + 1; child != table.end(node); child = table.end(child)) {
      frame.children.push_back(child);
    }
    if (kind == ValueKind::kObject && shapes_->HasDuplicateKeys(frame.shape)) {
      const std::vector<std::string_view> keys = shapes_->Keys(frame.shape);
      std::vector<NodeId> last_children;
      ShapeTable::Place place = ShapeTable::kStart;
      IdTable seen;  // positions in `last_children`
      std::vector<std::uint32_t> first_position;
      const auto hash = [&](std::uint32_t k) { return HashBytes(keys[first_position[k]], HashSeed()); };
      for (std::uint32_t i = 0; i < keys.size(); ++i) {
        const std::uint64_t key_hash = HashBytes(keys[i], HashSeed());
        const std::uint32_t known =
            seen.Find(key_hash, [&](std::uint32_t k) { return keys[first_position[k]] == keys[i]; });
        if (known != IdTable::kNone) {
          last_children[known] = frame.children[i];
          ++result_.duplicate_keys;
          continue;
        }
        first_position.push_back(i);
        last_children.push_back(frame.children[i]);
        seen.Insert(key_hash, static_cast<std::uint32_t>(first_position.size() - 1), hash);
        place = shapes_->Extend(place, keys[i]);
      }
      frame.shape = shapes_->Finish(place);
      frame.children = std::move(last_children);
    }
    frames.push_back(std::move(frame));
  };

  copy(root);
  while (!frames.empty()) {
    Frame& frame = frames.back();
    if (frame.next_child != frame.children.size()) {
      copy(frame.children[frame.next_child++]);  // may move `frames`
    } else {
      writer.Close(frame.row, frame.token_end, frame.shape);
      frames.pop_back();
    }
  }
  writer.Commit();
  table.Truncate(root);
  table.Append(kept);
}

}  // namespace leafscore::internal
