#include "engine/scorers/json_similarity/leaf_matrix.h"

#include <algorithm>

#include "engine/base/utf8.h"
#include "kernels/levenshtein.h"
#include "kernels/number_similarity.h"

namespace leafscore::internal {

void LeafMatrix::Clear() {
  places_.clear();
  value_of_.clear();
  similarities_.clear();
  is_of_texts_.clear();
}

// Lists the values of nodes that differ. REQUIRES: ids_ has no values, or those of the other side.
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
      values.lengths.push_back(CountCodePoints(values.leaves.back().text));
    }
    value_of_.push_back(value_of_id_[id]);
  }
}

bool LeafMatrix::Add(const LeafTable& expected, std::span<const NodeId> rows, const LeafTable& actual,
                     std::span<const NodeId> columns) {
  constexpr std::size_t kBlock = 2048;  // pairs of texts
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
  similarities_.resize(similarities_.size() + expected_.ids.size() * place.columns);
  is_of_texts_.resize(similarities_.size());
  expected_numbers_.clear();
  actual_numbers_.clear();
  number_targets_.clear();
  std::size_t at = place.similarities;
  for (std::size_t e = 0; e < expected_.ids.size(); ++e) {
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
          [&](std::string_view of_expected, std::string_view of_actual) {
            left_.Append(of_expected);
            right_.Append(of_actual);
            longer_.push_back(std::max(expected_.lengths[e], actual_.lengths[a]));
            text_targets_.push_back(at);
            is_of_texts_[at] = 1;
          },
          [&](double settled) { similarities_[at] = settled; });
      if (text_targets_.size() == kBlock) CompareTextBlock();
    }
  }
  place.has_texts = std::ranges::find(is_of_texts_.begin() + static_cast<std::ptrdiff_t>(place.similarities),
                                      is_of_texts_.end(), 1) != is_of_texts_.end();
  CompareTextBlock();
  number_similarities_.resize(number_targets_.size());
  NumberSimilarityBatch(expected_numbers_, actual_numbers_, number_tolerance_, number_similarities_);
  for (std::size_t i = 0; i < number_targets_.size(); ++i)
    similarities_[number_targets_[i]] = number_similarities_[i];
  places_.push_back(place);
  return true;
}

void LeafMatrix::CompareTextBlock() {
  const StringColumn left = left_.column();
  const StringColumn right = right_.column();
  distances_.resize(left.size);
  LevenshteinBatch(left, right, distances_, scratch_.OfSize(LevenshteinScratchBytes(left, right)));
  for (std::size_t i = 0; i < text_targets_.size(); ++i) {
    similarities_[text_targets_[i]] =
        1.0 - static_cast<double>(distances_[i]) / static_cast<double>(longer_[i]);
  }
  left_.Clear();
  right_.Clear();
  longer_.clear();
  text_targets_.clear();
}

void LeafMatrix::AddTo(std::span<double> matrix, double weight) const {
  for (const std::uint8_t of_texts : {0, 1}) {
    for (const Place& place : places_) {
      if (of_texts == 1 && !place.has_texts) continue;
      const std::span<const std::uint32_t> columns =
          std::span(value_of_).subspan(place.first_column, place.end - place.first_column);
      for (std::size_t row = 0; row < place.first_column - place.first_row; ++row) {
        const std::uint32_t value = value_of_[place.first_row + row];
        if (value == kNone) continue;
        const std::size_t first = place.similarities + value * place.columns;
        double* const cells = matrix.data() + row * columns.size();
        for (std::size_t column = 0; column < columns.size(); ++column) {
          if (columns[column] == kNone || is_of_texts_[first + columns[column]] != of_texts) continue;
          cells[column] += weight * similarities_[first + columns[column]];
        }
      }
    }
  }
}

}  // namespace leafscore::internal
