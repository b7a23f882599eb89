#include "engine/match/deep_equal.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/hash.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"

namespace leafscore::internal {
namespace {

// Ends the walk at the first difference.
struct EqualityVisitor {
  ValueRef expected;
  ValueRef actual;
  std::string expected_text = {};
  std::string actual_text = {};

  bool Equal(NodeId, NodeId) { return true; }
  bool Missing(NodeId) { return false; }
  bool Extra() { return false; }
  bool Differ(NodeId e, NodeId a) {
    const ValueKind expected_kind = expected.table->kind(e);
    const ValueKind actual_kind = actual.table->kind(a);
    if (expected_kind == ValueKind::kNumber && actual_kind == ValueKind::kNumber) {
      return EqualNumbers(expected.table->leaf_token(e), actual.table->leaf_token(a));
    }
    if (!IsString(expected_kind) || !IsString(actual_kind)) return false;
    expected_text.clear();
    actual_text.clear();
    AppendStringText(*expected.table, e, expected_text);
    AppendStringText(*actual.table, a, actual_text);
    return expected_text == actual_text;
  }
};

// Hashes 64 bits that stand for a value: either the bits of a number (zero and NaN have one form each), or
// bits from KindHash, which no such number has. The hash depends on the seed, because values that collide
// under every seed would make the search below quadratic.
std::uint64_t WordHash(std::uint64_t word, std::uint64_t seed) {
  constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15u;
  return HashMix(word ^ seed, kMultiplier);
}

std::uint64_t KindHash(ValueKind kind, std::uint64_t seed) {
  return WordHash(~static_cast<std::uint64_t>(kind), seed);
}

// Combines two hashes. Their order matters, and no two cancel out.
std::uint64_t PairHash(std::uint64_t first, std::uint64_t second, std::uint64_t seed) {
  return HashMix(first ^ seed, second ^ ~seed);
}

std::uint64_t LeafHash(const LeafTable& table, NodeId leaf, std::uint64_t seed, std::string& text) {
  const ValueKind kind = table.kind(leaf);
  if (kind == ValueKind::kNumber) {
    const std::string_view token = table.leaf_token(leaf);
    double number = ParseNumber(token);
    if (!StandsForDouble(token, number)) return HashBytes(token, seed);
    if (number == 0) number = 0;  // -0, too
    if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
    return WordHash(std::bit_cast<std::uint64_t>(number), seed);
  }
  if (!IsString(kind)) return KindHash(kind, seed);
  text.clear();
  AppendStringText(table, leaf, text);
  return HashBytes(text, seed);
}

struct Element {
  std::uint64_t hash;
  NodeId node;
};

// Returns the hashes of the nodes [first, last), which are whole values. See DeepHash for when hashes are
// equal.
std::vector<std::uint64_t> HashNodes(const LeafTable& table, NodeId first, NodeId last,
                                     const ShapeTable& shapes, std::uint64_t seed) {
  std::string text;
  std::vector<std::uint64_t> hashes(last - first);
  // From the end, because the nodes in a container come after it.
  for (NodeId node = last; node-- != first;) {
    std::uint64_t& hash = hashes[node - first];
    if (!IsContainer(table.kind(node))) {
      hash = LeafHash(table, node, seed, text);
      continue;
    }
    const bool is_object = table.kind(node) == ValueKind::kObject;
    hash = KindHash(table.kind(node), seed);
    std::vector<std::string_view> keys;
    if (is_object) keys = shapes.Keys(table.shape(node));
    std::size_t position = 0;
    for (NodeId child = node + 1; child != table.end(node); child = table.end(child), ++position) {
      if (is_object) {
        hash += PairHash(HashBytes(keys[position], seed), hashes[child - first], seed);
      } else {
        hash = PairHash(hash, hashes[child - first], seed);
      }
    }
  }
  return hashes;
}

// Returns the elements of an array, sorted by their hashes.
std::vector<Element> HashedElements(ValueRef array, const ShapeTable& shapes) {
  const LeafTable& table = *array.table;
  const NodeId first = array.node + 1;
  const NodeId last = table.end(array.node);
  const std::vector<std::uint64_t> hashes = HashNodes(table, first, last, shapes, HashSeed());
  std::vector<Element> elements;
  for (NodeId node = first; node != last; node = table.end(node)) {
    elements.push_back({hashes[node - first], node});
  }
  std::ranges::sort(elements, {}, &Element::hash);
  return elements;
}

}  // namespace

bool StandsForDouble(std::string_view token, double number) {
  if (std::isinf(number)) return IsNamedNumber(token);
  return std::abs(number) < 0x1p53 || !IsIntegerToken(token) || fmt::format("{:.0f}", number) == token;
}

bool DeepEqual(ValueRef expected, ValueRef actual, PairWalker& walker) {
  EqualityVisitor visitor{expected, actual};
  return walker.Walk(expected, actual, /*descend_equal=*/false, visitor);
}

std::uint64_t DeepHash(ValueRef value, const ShapeTable& shapes, std::optional<std::uint64_t> seed) {
  return HashNodes(*value.table, value.node, value.table->end(value.node), shapes, seed.value_or(HashSeed()))
      .front();
}

bool EqualInAnyOrder(ValueRef expected, ValueRef actual, const ShapeTable& shapes, PairWalker& walker) {
  const std::vector<Element> wanted = HashedElements(expected, shapes);
  std::vector<Element> left = HashedElements(actual, shapes);
  if (!std::ranges::equal(wanted, left, {}, &Element::hash, &Element::hash)) return false;
  // Match each element with an equal element that has the same hash. Elements of `left` that are not matched
  // yet are at position i or after it.
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::size_t found = i;
    const auto equal = [&] {
      return DeepEqual({expected.table, wanted[i].node}, {actual.table, left[found].node}, walker);
    };
    while (found < left.size() && left[found].hash == wanted[i].hash && !equal()) ++found;
    if (found == left.size() || left[found].hash != wanted[i].hash) return false;
    std::swap(left[i], left[found]);
  }
  return true;
}

}  // namespace leafscore::internal
