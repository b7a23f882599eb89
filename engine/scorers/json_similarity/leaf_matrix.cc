#include "engine/scorers/json_similarity/leaf_matrix.h"

#include <algorithm>

#include "engine/base/utf8.h"
#include "kernels/levenshtein.h"
#include "kernels/levenshtein_matrix.h"
#include "kernels/number_similarity.h"

namespace leafscore::internal {

void LeafMatrix::Clear() {
  places_.clear();
  value_of_.clear();
  similarities_.clear();
  is_of_texts_.clear();
}

// Lists the distinct values of nodes. REQUIRES: ids_ has no values, or only the values of the other side.
void LeafMatrix::ListValues(const LeafTable& table, std::span<const NodeId> nodes, Values& values) {
  values.leaves.clear();
  values.lengths.clear();
  values.ids.clear();
  value_of_id_.assign(ids_.limit() + nodes.size(), kNone);
  for (const NodeId node : nodes) {
    if (node == kNoNode || IsContainer(table.kind(node))) {
      value_of_.push_back(kNone);
      continue;
    }
    const ValueId id = ids_.Cell(static_cast<std::uint32_t>(table.kind(node)), ValueIds::Form::kText,
                                 table.leaf_token(node));
    if (value_of_id_[id] == kNone) {
      value_of_id_[id] = static_cast<std::uint32_t>(values.ids.size());
      values.ids.push_back(id);
      if (buffers_.empty() || !buffers_.back().empty()) buffers_.emplace_back();
      values.leaves.push_back(rule_.Read({&table, node}, buffers_.back()));
      values.lengths.push_back(static_cast<std::int32_t>(CountCodePoints(values.leaves.back().text)));
    }
    value_of_.push_back(value_of_id_[id]);
  }
}

bool LeafMatrix::Add(const LeafTable& expected, std::span<const NodeId> rows, const LeafTable& actual,
                     std::span<const NodeId> columns) {
  ids_.Clear();
  buffers_.clear();
  Place place{};
  place.first_row = value_of_.size();
  ListValues(expected, rows, expected_);
  place.first_column = value_of_.size();
  ListValues(actual, columns, actual_);
  place.end = value_of_.size();
  const auto longest = [](const Values& values) {
    std::uint64_t bytes = 0;
    for (const ComparedLeaf& leaf : values.leaves) bytes = std::max<std::uint64_t>(bytes, leaf.text.size());
    return bytes;
  };
  if (longest(expected_) * longest(actual_) > max_cells_) return false;
  place.similarities = similarities_.size();
  place.columns = actual_.ids.size();
  for (std::size_t column = place.first_column; column < place.end; ++column) {
    if (value_of_[column] == kNone) value_of_[column] = static_cast<std::uint32_t>(place.columns);
  }
  similarities_.resize(similarities_.size() + expected_.ids.size() * (place.columns + 1));
  is_of_texts_.resize(similarities_.size());
  CompareTexts(place);
  CompareOthers(place);
  places_.push_back(place);
  return true;
}

// Compares all expected texts with all actual texts. Pairs of equal texts and pairs with an empty text are
// settled.
void LeafMatrix::CompareTexts(Place& place) {
  constexpr auto is_text = [](const ComparedLeaf& leaf) { return leaf.form == ComparedLeaf::Form::kText; };
  if (std::ranges::none_of(expected_.leaves, is_text) || std::ranges::none_of(actual_.leaves, is_text))
    return;
  FindDistances();
  for (std::size_t e = 0; e < expected_.ids.size(); ++e) {
    if (!is_text(expected_.leaves[e])) continue;
    const std::int32_t length = std::max(expected_.lengths[e], 1);
    const std::uint32_t* const distances = distances_.data() + e * place.columns;
    const std::int32_t* const lengths = actual_.lengths.data();
    double* const similarities = similarities_.data() + place.similarities + e * (place.columns + 1);
    std::uint8_t* const of_texts = is_of_texts_.data() + place.similarities + e * (place.columns + 1);
    std::size_t settled = 0;
    for (std::size_t a = 0; a < place.columns; ++a) {
      const auto distance = static_cast<std::int32_t>(distances[a]);
      similarities[a] =
          1.0 - static_cast<double>(distance) / static_cast<double>(std::max(length, lengths[a]));
      settled += static_cast<std::size_t>(distance == 0) | static_cast<std::size_t>(lengths[a] == 0);
    }
    if (expected_.lengths[e] == 0) settled = place.columns;
    std::fill_n(of_texts, place.columns, settled < place.columns);
    place.has[0] |= settled != 0;
    place.has[1] |= settled < place.columns;
    for (std::size_t a = 0; a < place.columns && settled != 0; ++a) {
      if (distances[a] != 0 && lengths[a] != 0) continue;
      of_texts[a] = 0;
      if (!is_text(actual_.leaves[a])) similarities[a] = 0;
    }
  }
}

// Computes the edit distances between all expected and all actual values. Values that are not texts count as
// empty texts.
void LeafMatrix::FindDistances() {
  constexpr std::size_t kBlock = 2048;  // pairs that stay in the cache
  const std::size_t columns = actual_.ids.size();
  distances_.resize(expected_.ids.size() * columns);
  left_.Clear();
  right_.Clear();
  if (std::ranges::max(actual_.lengths) <= std::int32_t{kMaxMatrixPattern} &&
      std::ranges::max(expected_.lengths) <= std::int32_t{kMaxMatrixText}) {
    for (const ComparedLeaf& leaf : expected_.leaves) left_.Append(leaf.text);
    for (const ComparedLeaf& leaf : actual_.leaves) right_.Append(leaf.text);
    const StringColumn texts = left_.column();
    const StringColumn patterns = right_.column();
    LevenshteinMatrix(texts, patterns, distances_,
                      scratch_.OfSize(LevenshteinMatrixScratchBytes(texts, patterns)));
    return;
  }
  for (std::size_t first = 0, next = 0; first < distances_.size(); first = next) {
    left_.Clear();
    right_.Clear();
    for (; next < distances_.size() && next - first < kBlock; ++next) {
      left_.Append(expected_.leaves[next / columns].text);
      right_.Append(actual_.leaves[next % columns].text);
    }
    const StringColumn left = left_.column();
    const StringColumn right = right_.column();
    LevenshteinBatch(left, right, std::span(distances_).subspan(first, next - first),
                     scratch_.OfSize(LevenshteinScratchBytes(left, right)));
  }
}

// Compares the expected values that are not texts.
void LeafMatrix::CompareOthers(Place& place) {
  expected_numbers_.clear();
  actual_numbers_.clear();
  number_targets_.clear();
  for (std::size_t e = 0; e < expected_.ids.size(); ++e) {
    if (expected_.leaves[e].form == ComparedLeaf::Form::kText) continue;
    place.has[0] = true;
    std::size_t at = place.similarities + e * (place.columns + 1);
    for (std::size_t a = 0; a < place.columns; ++a, ++at) {
      if (expected_.ids[e] == actual_.ids[a]) {
        similarities_[at] = 1;
        continue;
      }
      LeafRule::Compare(
          expected_.leaves[e], actual_.leaves[a],
          [&](double of_expected, double of_actual) {
            expected_numbers_.push_back(of_expected);
            actual_numbers_.push_back(of_actual);
            number_targets_.push_back(at);
          },
          [](std::string_view, std::string_view) {}, [&](double settled) { similarities_[at] = settled; });
    }
  }
  number_similarities_.resize(number_targets_.size());
  NumberSimilarityBatch(expected_numbers_, actual_numbers_, number_tolerance_, number_similarities_);
  for (std::size_t i = 0; i < number_targets_.size(); ++i)
    similarities_[number_targets_[i]] = number_similarities_[i];
}

void LeafMatrix::AddTo(std::span<double> matrix, double weight) const {
  for (const std::uint8_t of_texts : {0, 1}) {
    for (const Place& place : places_) {
      if (!place.has[of_texts]) continue;
      const bool has_both = place.has[0] && place.has[1];
      const std::span<const std::uint32_t> columns =
          std::span(value_of_).subspan(place.first_column, place.end - place.first_column);
      const bool in_order = columns.size() == place.columns;  // each column has a value of its own
      for (std::size_t row = 0; row < place.first_column - place.first_row; ++row) {
        const std::uint32_t value = value_of_[place.first_row + row];
        if (value == kNone) continue;
        const std::size_t first = place.similarities + value * (place.columns + 1);
        const double* const similarities = similarities_.data() + first;
        double* const cells = matrix.data() + row * columns.size();
        if (has_both) {
          for (std::size_t column = 0; column < columns.size(); ++column) {
            const bool counts = is_of_texts_[first + columns[column]] == of_texts;
            cells[column] += counts ? weight * similarities[columns[column]] : 0.0;
          }
        } else if (in_order) {
          for (std::size_t column = 0; column < columns.size(); ++column) {
            cells[column] += weight * similarities[column];
          }
        } else {
          for (std::size_t column = 0; column < columns.size(); ++column) {
            cells[column] += weight * similarities[columns[column]];
          }
        }
      }
    }
  }
}

}  // namespace leafscore::internal
