#include "engine/scorers/static_json/flat_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>
#include <ranges>

#include "engine/base/hash.h"
#include "engine/json/json_scalar.h"
#include "engine/languages/python_text.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kNotMet = ~std::size_t{0};

// Returns the n of a piece "[n]" if the piece is written just as for an element of an array; otherwise,
// nullopt.
std::optional<std::uint32_t> ElementPosition(std::string_view piece) {
  constexpr std::size_t kMaxDigits = 9;
  if (piece.size() < 3 || piece.size() > kMaxDigits + 2 || piece.back() != ']') return std::nullopt;
  if (piece[1] == '0' && piece.size() != 3) return std::nullopt;
  std::uint32_t position = 0;
  for (const char c : piece.substr(1, piece.size() - 2)) {
    if (c < '0' || c > '9') return std::nullopt;
    position = position * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return piece[0] == '[' ? std::optional(position) : std::nullopt;
}

// Strings within strings are read up to this depth, which no honest answer reaches. Anything deeper is a
// text. The limit makes the work linear in the text.
constexpr std::uint32_t kMaxTextDepth = 8;

// How many times a string is read if its content is a string, too.
constexpr int kReads = 2;

// Appends a number as Python writes it: an integer in full, a real as "%.6f" without trailing zeros. A real
// beyond the range of double keeps its spelling, because it does not equal Infinity.
void AppendNumberText(std::string_view token, std::string& out) {
  if (token == "-0") token = "0";  // an integer
  const double value = IsIntegerToken(token) ? 0 : ParseNumber(token);
  if (IsIntegerToken(token) || (std::isinf(value) && !IsNamedNumber(token))) {
    out += token;
    return;
  }
  char digits[400];  // the largest double has 309 before the point
  const char* const end = std::to_chars(digits, std::end(digits), value, std::chars_format::fixed, 6).ptr;
  std::string_view text(digits, static_cast<std::size_t>(end - digits));
  if (text.find('.') != std::string_view::npos) {
    text = text.substr(0, text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.remove_suffix(1);
  }
  out += text;
}

}  // namespace

void FlatKeys::Clear() {
  nodes_.assign(1, {kAnswer, 0});
  nodes_by_child_.Clear();
  last_ = kAnswer;
  texts_.clear();
  texts_by_hash_.Clear();
  pieces_.clear();
  first_piece_of_.clear();
}

FlatKey FlatKeys::Member(FlatKey parent, std::string_view name) {
  std::size_t position = pieces_.size();
  AppendPieces(name);
  return NextMember(parent, &position);
}

std::size_t FlatKeys::FirstMember(ShapeId shape) {
  if (shape >= first_piece_of_.size()) first_piece_of_.resize(shape + shape / 2 + 64, kNotMet);
  if (first_piece_of_[shape] == kNotMet) {
    first_piece_of_[shape] = pieces_.size();
    for (const std::string_view name : shapes_->Keys(shape)) AppendPieces(name);
  }
  return first_piece_of_[shape];
}

FlatKey FlatKeys::NextMember(FlatKey parent, std::size_t* position) {
  for (;;) {
    const Piece piece = pieces_[(*position)++];
    parent = Child(parent, piece & ~kIsContinued);
    if ((piece & kIsContinued) == 0) return parent;
  }
}

std::uint64_t FlatKeys::HashOf(const Node& node) {
  return HashMix(node.parent ^ std::uint64_t{node.piece} << 32, HashSeed() | 1);
}

void FlatKeys::Reserve(std::size_t keys) {
  nodes_.reserve(keys);
  nodes_by_child_.Reserve(keys, [&](FlatKey key) { return HashOf(nodes_[key]); });
}

FlatKey FlatKeys::Child(FlatKey parent, Piece piece) {
  const Node node{parent, piece};
  if (last_ + 1 < nodes_.size() && nodes_[last_ + 1] == node) return ++last_;
  last_ = nodes_by_child_.Find(HashOf(node), [&](FlatKey key) { return nodes_[key] == node; });
  if (last_ == IdTable::kNone) {
    last_ = static_cast<FlatKey>(nodes_.size());
    nodes_.push_back(node);
    nodes_by_child_.Insert(HashOf(node), last_, [&](FlatKey key) { return HashOf(nodes_[key]); });
  }
  return last_;
}

// Appends the pieces that a member's name adds to a key.
void FlatKeys::AppendPieces(std::string_view name) {
  std::string text(1, '.');
  text += name;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin + 1;
    while (end < text.size() && text[end] != '.' && text[end] != '[') ++end;
    pieces_.push_back(FindPiece(std::string_view(text).substr(begin, end - begin)) | kIsContinued);
    begin = end;
  }
  pieces_.back() &= ~kIsContinued;
}

FlatKeys::Piece FlatKeys::FindPiece(std::string_view text) {
  if (const std::optional<std::uint32_t> position = ElementPosition(text)) return kIsElement | *position;
  const std::uint64_t hash = HashBytes(text, HashSeed());
  Piece piece = texts_by_hash_.Find(hash, [&](Piece known) { return texts_[known] == text; });
  if (piece == IdTable::kNone) {
    piece = static_cast<Piece>(texts_.size());
    texts_.emplace_back(text);
    texts_by_hash_.Insert(hash, piece, [&](Piece known) { return HashBytes(texts_[known], HashSeed()); });
  }
  return piece;
}

void FlatKeys::AppendText(FlatKey key, std::string& out) const {
  std::vector<Piece> pieces;
  for (; key != kAnswer; key = nodes_[key].parent) pieces.push_back(nodes_[key].piece);
  out += "answer";
  for (const Piece piece : pieces | std::views::reverse) {
    if ((piece & kIsElement) != 0) {
      fmt::format_to(std::back_inserter(out), "[{}]", piece & ~kIsElement);
    } else {
      out += texts_[piece];
    }
  }
}

std::string_view ComparedText(const FlatLeaf& leaf, std::string& buffer) {
  buffer.clear();
  switch (leaf.kind) {
    case ValueKind::kNull:
      return "none";
    case ValueKind::kFalse:
      return "false";
    case ValueKind::kTrue:
      return "true";
    case ValueKind::kNumber:
      AppendNumberText(leaf.token, buffer);
      return buffer;
    case ValueKind::kEscapedString:
      AppendUnescaped(leaf.token, buffer);
      buffer = StripSpace(buffer);
      break;
    default:
      buffer = StripSpace(leaf.token);
      break;
  }
  ToLowerCase(buffer);
  return buffer;
}

void FlatAnswer::Clear() {
  for (const PackedLeaf& leaf : leaves_) leaf_of_key_[leaf.key] = kNoLeaf;
  leaves_.clear();
  kinds_.clear();
  repeated_keys_ = 0;
}

void FlatAnswer::Add(const FlatLeaf& leaf) {
  if (leaf.key >= leaf_of_key_.size()) leaf_of_key_.resize(leaf.key + leaf.key / 2 + 64, kNoLeaf);
  std::uint32_t& index = leaf_of_key_[leaf.key];
  const PackedLeaf packed{leaf.token.data(), static_cast<std::uint32_t>(leaf.token.size()), leaf.key};
  if (index != kNoLeaf) {
    leaves_[index] = packed;
    kinds_[index] = leaf.kind;
    ++repeated_keys_;
  } else {
    index = size();
    leaves_.push_back(packed);
    kinds_.push_back(leaf.kind);
  }
}

void FlatAnswer::Reserve(std::size_t leaves, std::size_t keys) {
  leaves_.reserve(leaves_.size() + leaves);
  kinds_.reserve(kinds_.size() + leaves);
  if (keys > leaf_of_key_.size()) leaf_of_key_.resize(keys, kNoLeaf);
}

// Adds a leaf, or opens a container. Inlined because most values are leaves.
inline AnswerSteps AnswerFlattener::Add(ValueRef value, FlatKey key, std::uint32_t text_depth,
                                        CountRule counts, FlatAnswer& flat) {
  const ValueKind kind = value.kind();
  if (IsString(kind)) {
    return AddString({key, kind, value.table->leaf_token(value.node)}, kReads, text_depth, counts, flat);
  }
  if (IsContainer(kind)) {
    Open(value, key, text_depth, flat);
  } else {
    AddLeaf({key, kind, value.table->leaf_token(value.node)}, /*stable=*/text_depth == 0, flat);
  }
  return {};
}

AnswerSteps AnswerFlattener::FlattenAnswer(ValueRef value, FlatAnswer& flat) {
  const AnswerSteps steps = Add(value, FlatKeys::kAnswer, 0, CountRule::kAny, flat);
  WalkOpen(flat);
  return steps;
}

void AnswerFlattener::FlattenRead(const ReadAnswer& answer, FlatAnswer& flat) {
  constexpr FlatKey kKey = FlatKeys::kAnswer;
  constexpr int kReadsLeft = kReads - 1;
  if (answer.root == kNoNode) {
    const bool is_whole = !answer.steps.label && !answer.steps.fence;
    AddString({kKey, ValueKind::kString, answer.text}, is_whole ? 0 : kReadsLeft, 1, CountRule::kNone, flat);
  } else {
    flat.AddRepeatedKeys(answer.repeated_keys);
    const ValueRef value{&answer.table, answer.root};
    if (IsString(value.kind())) {
      AddString({kKey, value.kind(), answer.table.leaf_token(answer.root)}, kReadsLeft, 1, CountRule::kNone,
                flat);
    } else {
      Add(value, kKey, 1, CountRule::kNone, flat);
    }
  }
  WalkOpen(flat);
}

void AnswerFlattener::FlattenValue(ValueRef value, FlatKey key, FlatAnswer& flat) {
  Add(value, key, 0, CountRule::kNone, flat);
  WalkOpen(flat);
}

void AnswerFlattener::WalkOpen(FlatAnswer& flat) {
  while (!open_.empty()) {
    OpenContainer& container = open_.back();
    if (container.next == container.end) {
      open_.pop_back();
      continue;
    }
    const ValueRef child{container.table, container.next};
    container.next = container.table->end(child.node);
    const FlatKey key = container.is_object
                            ? keys_.NextMember(container.key, &container.position)
                            : keys_.Element(container.key, static_cast<std::uint32_t>(container.position++));
    Add(child, key, container.text_depth, CountRule::kNone, flat);  // may move the containers
  }
}

void AnswerFlattener::Open(ValueRef value, FlatKey key, std::uint32_t text_depth, FlatAnswer& flat) {
  const LeafTable& table = *value.table;
  const bool is_object = value.kind() == ValueKind::kObject;
  const std::size_t position = is_object ? keys_.FirstMember(table.shape(value.node)) : 0;
  // For many leaves, room is made at once, because vectors that grow by doubling would use twice the memory.
  constexpr std::uint32_t kManyLeaves = 1 << 18;
  if (open_.empty() && table.leaf_count(value.node) >= kManyLeaves) {
    constexpr std::size_t kOtherKeys = 64;  // a guess; more keys work, too
    const std::size_t keys = table.end(value.node) - value.node + kOtherKeys;
    keys_.Reserve(std::max(keys_.size(), keys));
    flat.Reserve(table.leaf_count(value.node), keys);
  }
  open_.push_back({&table, value.node + 1, table.end(value.node), key, is_object, position, text_depth});
}

// Reads a string. If its content is a string, reads that as well, up to `reads` times in all.
AnswerSteps AnswerFlattener::AddString(FlatLeaf leaf, int reads, std::uint32_t text_depth, CountRule counts,
                                       FlatAnswer& flat) {
  const FlatKey key = leaf.key;
  AnswerSteps steps;
  bool stable = text_depth == 0;
  for (int read = 0; read < reads && text_depth < kMaxTextDepth; ++read) {
    while (text_depth >= levels_.size()) levels_.push_back(std::make_unique<TextLevel>());
    TextLevel& level = *levels_[text_depth];
    std::string_view text = leaf.token;
    if (leaf.kind == ValueKind::kEscapedString) {
      level.text.clear();
      AppendUnescaped(leaf.token, level.text);
      text = level.text;
    }
    if (counts == CountRule::kNone && AnswerReader::IsPlain(text)) break;
    const ReadAnswer& answer = level.answer;
    reader_.Read(text, counts, level.answer);
    if (read == 0) steps = answer.steps;
    if (answer.root != kNoNode) flat.AddRepeatedKeys(answer.repeated_keys);
    counts = CountRule::kNone;
    if (answer.root == kNoNode) {
      if (!answer.steps.label && !answer.steps.fence) break;  // it is the text itself
      leaf = {key, ValueKind::kString, answer.text};
    } else if (IsString(answer.table.kind(answer.root))) {
      leaf = {key, answer.table.kind(answer.root), answer.table.leaf_token(answer.root)};
    } else {
      Add({&answer.table, answer.root}, key, text_depth + 1, CountRule::kNone, flat);
      return steps;
    }
    stable = false;
    ++text_depth;
  }
  AddLeaf(leaf, stable, flat);
  return steps;
}

// Adds a leaf. A `stable` token is in the text of the record; any other token is copied.
void AnswerFlattener::AddLeaf(FlatLeaf leaf, bool stable, FlatAnswer& flat) {
  if (!stable && !leaf.token.empty()) {
    char* const copy = static_cast<char*>(arena_.allocate(leaf.token.size(), 1));
    std::memcpy(copy, leaf.token.data(), leaf.token.size());
    leaf.token = {copy, leaf.token.size()};
  }
  flat.Add(leaf);
}

}  // namespace leafscore::internal
