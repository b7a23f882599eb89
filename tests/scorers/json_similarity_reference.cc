#include "scorers/json_similarity_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace leafscore::internal::reference {
namespace {

using Kind = Value::Kind;

std::u32string CodePoints(const std::string& utf8) {
  std::u32string points;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      points += byte;
    } else if (byte >= 0xf0) {
      points += byte & 0x07u;
    } else if (byte >= 0xe0) {
      points += byte & 0x0fu;
    } else if (byte >= 0xc0) {
      points += byte & 0x1fu;
    } else {
      points.back() = points.back() << 6 | (byte & 0x3fu);
    }
  }
  return points;
}

double Leaves(const Value& value) {
  if (value.kind != Kind::kArray && value.kind != Kind::kObject) return 1;
  double leaves = 0;
  for (const Value& item : value.items) leaves += Leaves(item);
  return leaves;
}

double Number(const std::string& token) { return std::strtod(token.c_str(), nullptr); }

double LeafSimilarity(const Value& expected, const Value& actual) {
  if (expected.kind != actual.kind) return 0;
  if (expected.kind == Kind::kString) {
    const std::size_t longer = std::max(CodePoints(expected.text).size(), CodePoints(actual.text).size());
    if (longer == 0) return 1;
    return 1 - static_cast<double>(EditDistance(expected.text, actual.text)) / static_cast<double>(longer);
  }
  if (expected.kind == Kind::kNumber) {
    if (expected.text == actual.text) return 1;
    const double e = Number(expected.text);
    const double a = Number(actual.text);
    if (expected.text == "NaN" || expected.text.ends_with("Infinity")) return 1;
    if (std::fabs(e) <= 1e-12) return std::fabs(a) <= 1e-12 ? 1 : 0;
    const double similarity = 1 - std::fabs(e - a) / std::fabs(e);
    return similarity > 0 ? similarity : 0;
  }
  return 1;
}

double Matched(const Value& expected, const Value& actual) {
  if (expected.kind == Kind::kObject && actual.kind == Kind::kObject) {
    double matched = 0;
    for (std::size_t i = 0; i < expected.keys.size(); ++i) {
      const Value* const counterpart = Find(actual, expected.keys[i]);
      if (counterpart != nullptr) matched += Matched(expected.items[i], *counterpart);
    }
    return matched;
  }
  if (expected.kind == Kind::kArray && actual.kind == Kind::kArray) {
    double matched = 0;
    for (std::size_t i = 0; i < std::min(expected.items.size(), actual.items.size()); ++i) {
      matched += Matched(expected.items[i], actual.items[i]);
    }
    return matched;
  }
  if (expected.kind == Kind::kObject || expected.kind == Kind::kArray) return 0;
  return LeafSimilarity(expected, actual);
}

}  // namespace

std::size_t EditDistance(const std::string& a, const std::string& b) {
  const std::u32string left = CodePoints(a);
  const std::u32string right = CodePoints(b);
  std::vector<std::size_t> above(right.size() + 1);
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      row[j + 1] = std::min({above[j] + (left[i] != right[j]), above[j + 1] + 1, row[j] + 1});
    }
    std::swap(above, row);
  }
  return above[right.size()];
}

Similarity JsonSimilarity(const Value& expected, const Value& actual) {
  return {Matched(expected, actual), Leaves(expected)};
}

}  // namespace leafscore::internal::reference
