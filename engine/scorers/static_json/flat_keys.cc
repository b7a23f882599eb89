#include "engine/scorers/static_json/flat_keys.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <ranges>

#include "engine/base/hash.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kNotMet = ~std::size_t{0};

// Returns the number n of a piece "[n]" as an array writes it, or nothing.
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

// Appends the pieces of the text that a member's name adds to a key.
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

}  // namespace leafscore::internal
