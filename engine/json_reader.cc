#include "engine/json_reader.h"

#include <algorithm>
#include <cstring>

#include "engine/json_scalar.h"

namespace leafscore {
namespace {

constexpr const char* kInvalidUtf8Message = "the text is not valid UTF-8";

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Returns the offset of the first raw control character in a string, or of the quote that opens the first
// string that is not closed, or text.size().
std::size_t FindStringFault(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == '\\') {  // outside a string: not JSON, but it hides a quote from the index
      i += 2;
    } else if (text[i] != '"') {
      ++i;
    } else {
      const std::size_t open = i++;
      while (i < text.size() && text[i] != '"') {
        if (static_cast<unsigned char>(text[i]) < 0x20) return i;
        i += text[i] == '\\' ? 2 : 1;
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
  table_->Reset(text.data());
  shared_index_ = lines && index_.Build(text);
  if (shared_index_) {
    cursor_ = index_.begin();
    table_->Reserve(index_.size());
  }
}

JsonResult JsonReader::Read(std::uint32_t begin, std::uint32_t end) {
  result_ = {};
  has_duplicates_ = false;
  open_.clear();
  const NodeId root = table_->size();
  if (shared_index_) {
    const std::uint32_t* const last = index_.begin() + index_.size();
    while (cursor_ != last && *cursor_ < begin) ++cursor_;  // left over from a rejected value
    ReadTokens({cursor_, 0, end});
  } else if (index_.Build(text_.substr(begin, end - begin))) {
    table_->Reserve(index_.size());
    ReadTokens({index_.begin(), begin, end});
  } else {
    RejectText(begin, end);
  }
  if (result_.reason != RejectReason::kNone) {
    table_->Truncate(root);
    return result_;
  }
  if (has_duplicates_) DropDuplicates(root);
  result_.root = root;
  return result_;
}

JsonResult JsonReader::ReadText(std::uint32_t begin, std::uint32_t end) {
  result_ = {};
  const std::string_view text = text_.substr(begin, end - begin);
  const std::size_t fault = FindInvalidUtf8(text);
  if (fault != text.size()) {
    Reject(RejectReason::kInvalidUtf8, begin + static_cast<std::uint32_t>(fault), kInvalidUtf8Message);
    return result_;
  }
  table_->Reserve(1);
  result_.root = table_->size();
  table_->AddLeaf(ValueKind::kString, begin, end);
  return result_;
}

void JsonReader::ReadTokens(Tokens tokens) {
  LeafTable& table = *table_;
  const char* const bytes = text_.data();
  const std::uint32_t base = tokens.base;
  const std::uint32_t end = tokens.end;
  const std::uint32_t* next = tokens.next;
  const auto position = [&] { return std::min(base + *next, end); };
  const auto byte_at = [&](std::uint32_t at) { return at < end ? bytes[at] : '\0'; };
  // Where the token ends that stands before the one at `next`.
  const auto previous_end = [&] {
    std::uint32_t at = position();
    while (IsSpace(bytes[at - 1])) --at;
    return at;
  };
  const std::uint32_t first = position();
  const bool may_escape =
      first < end && std::memchr(bytes + first, '\\', static_cast<std::size_t>(end - first)) != nullptr;

  // Reads `"key" :` and leaves `next` at the value.
  const auto read_key = [&]() -> bool {
    const std::uint32_t quote = position();
    if (byte_at(quote) != '"') {
      return Reject(RejectReason::kInvalidJson, quote, "a key in double quotes is missing");
    }
    ++next;
    const std::uint32_t colon = position();
    const std::uint32_t key_begin = quote + 1;
    const std::uint32_t key_end = previous_end() - 1;
    if (byte_at(colon) != ':') return Reject(RejectReason::kInvalidJson, colon, "a ':' after the key is missing");
    ++next;
    OpenContainer& object = open_.back();
    if (may_escape && std::memchr(bytes + key_begin, '\\', key_end - key_begin) != nullptr) {
      return ExtendByEscapedKey(object, key_begin, key_end);
    }
    object.shape = shapes_->Extend(object.shape, {bytes + key_begin, key_end - key_begin});
    return true;
  };

  for (;;) {
    // A value begins here.
    const std::uint32_t begin = position();
    const char first_byte = byte_at(begin);
    ++next;
    if (first_byte == '"') {
      const std::uint32_t token_end = previous_end() - 1;
      ValueKind kind = ValueKind::kString;
      if (may_escape && std::memchr(bytes + begin + 1, '\\', token_end - begin - 1) != nullptr) {
        if (!CheckEscapes(begin + 1, token_end)) return;
        kind = ValueKind::kEscapedString;
      }
      table.AddLeaf(kind, begin + 1, token_end);
    } else if (first_byte == '{' || first_byte == '[') {
      const bool is_object = first_byte == '{';
      if (open_.size() == options_.max_depth) {
        Reject(RejectReason::kTooDeep, begin, "the value is nested too deep");
        return;
      }
      open_.push_back({table.Open(is_object ? ValueKind::kObject : ValueKind::kArray, begin),
                       ShapeTable::kEmptyShape, is_object});
      if (byte_at(position()) != (is_object ? '}' : ']')) {
        if (is_object && !read_key()) return;
        continue;
      }
    } else if ((first_byte >= '0' && first_byte <= '9') || first_byte == '-') {
      if (!AddNumber(begin, previous_end())) return;
    } else if (begin == end) {
      Reject(RejectReason::kInvalidJson, end, "the text ends where a value should stand");
      return;
    } else if (!AddName(begin, previous_end())) {
      return;
    }

    // Behind a value: close what ends here, then go on behind a comma.
    for (;;) {
      const std::uint32_t at = position();
      if (open_.empty()) {
        if (at != end) Reject(RejectReason::kInvalidJson, at, "there is more text after the value");
        if (shared_index_) cursor_ = next;
        return;
      }
      OpenContainer& container = open_.back();
      const char separator = byte_at(at);
      ++next;
      if (separator == ',') {
        if (container.is_object && !read_key()) return;
        break;
      }
      if (separator != (container.is_object ? '}' : ']')) {
        Reject(RejectReason::kInvalidJson, at,
               at == end             ? "the text ends inside an object or array"
               : container.is_object ? "a ',' or '}' after the member is missing"
                                     : "a ',' or ']' after the element is missing");
        return;
      }
      if (container.is_object && shapes_->HasDuplicateKeys(container.shape)) has_duplicates_ = true;
      table.Close(container.node, at + 1, container.shape);
      open_.pop_back();
    }
  }
}

bool JsonReader::CheckEscapes(std::uint32_t begin, std::uint32_t end) {
  std::size_t fault = 0;
  switch (ClassifyEscapes(text_.substr(begin, end - begin), &fault)) {
    case TokenClass::kStandard: return true;
    case TokenClass::kNonstandard:
      return AcceptNonstandard(begin + static_cast<std::uint32_t>(fault), "a lone surrogate is escaped");
    case TokenClass::kInvalid: break;
  }
  return Reject(RejectReason::kInvalidJson, begin + static_cast<std::uint32_t>(fault), "the escape is invalid");
}

bool JsonReader::ExtendByEscapedKey(OpenContainer& object, std::uint32_t begin, std::uint32_t end) {
  if (!CheckEscapes(begin, end)) return false;
  key_.clear();
  AppendUnescaped(text_.substr(begin, end - begin), key_);
  object.shape = shapes_->Extend(object.shape, key_);
  return true;
}

bool JsonReader::AddNumber(std::uint32_t begin, std::uint32_t end) {
  const TokenClass token_class = ClassifyNumber(text_.substr(begin, end - begin));
  if (token_class == TokenClass::kInvalid) {
    return Reject(RejectReason::kInvalidJson, begin, "the number is invalid");
  }
  if (token_class == TokenClass::kNonstandard &&
      !AcceptNonstandard(begin, "the number is beyond 64 bits or the double range")) {
    return false;
  }
  table_->AddLeaf(ValueKind::kNumber, begin, end);
  return true;
}

bool JsonReader::AddName(std::uint32_t begin, std::uint32_t end) {
  const std::string_view name = text_.substr(begin, end - begin);
  ValueKind kind = ValueKind::kNumber;
  if (name == "true") {
    kind = ValueKind::kTrue;
  } else if (name == "false") {
    kind = ValueKind::kFalse;
  } else if (name == "null") {
    kind = ValueKind::kNull;
  } else if (name != "NaN" && name != "Infinity") {
    return Reject(RejectReason::kInvalidJson, begin, "a value is missing or unknown here");
  } else if (!AcceptNonstandard(begin, "NaN and Infinity are not JSON")) {
    return false;
  }
  table_->AddLeaf(kind, begin, end);
  return true;
}

bool JsonReader::AcceptNonstandard(std::uint32_t offset, const char* message) {
  if (options_.strict) return Reject(RejectReason::kNonstandardJson, offset, message);
  result_.nonstandard = true;
  return true;
}

bool JsonReader::Reject(RejectReason reason, std::uint32_t offset, const char* message) {
  result_.reason = reason;
  result_.offset = offset;
  result_.message = message;
  return false;
}

// Finds out why the index could not be built.
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
         unclosed ? "the string is not closed" : "a control character stands unescaped in a string");
}

// Rewrites the value without the members whose key comes again. Rare, so plain rather than fast.
void JsonReader::DropDuplicates(NodeId root) {
  struct Frame {
    NodeId copy;
    std::uint32_t token_end;
    ShapeId shape;
    std::vector<NodeId> children;
    std::size_t next_child = 0;
  };
  LeafTable& table = *table_;
  LeafTable kept;
  kept.Reset(table.bytes());
  kept.Reserve(table.size() - root);
  std::vector<Frame> frames;

  const auto copy = [&](NodeId node) {
    const ValueKind kind = table.kind(node);
    if (!IsContainer(kind)) return kept.AddLeaf(kind, table.token_begin(node), table.token_end(node));
    Frame frame{kept.Open(kind, table.token_begin(node)), table.token_end(node), table.shape(node), {}};
    for (NodeId child = node + 1; child != table.end(node); child = table.end(child)) {
      frame.children.push_back(child);
    }
    if (kind == ValueKind::kObject && shapes_->HasDuplicateKeys(frame.shape)) {
      const std::vector<std::string_view> keys = shapes_->Keys(frame.shape);
      std::vector<NodeId> last_children;
      frame.shape = ShapeTable::kEmptyShape;
      IdTable seen;  // of positions in `last_children`
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
        frame.shape = shapes_->Extend(frame.shape, keys[i]);
      }
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
      kept.Close(frame.copy, frame.token_end, frame.shape);
      frames.pop_back();
    }
  }
  table.Truncate(root);
  table.Append(kept);
}

}  // namespace leafscore
