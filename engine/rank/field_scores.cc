#include "engine/rank/field_scores.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "engine/base/exact_sum.h"
#include "engine/rank/scorer_matrix.h"

namespace leafscore::internal {

void FieldScores::Add(std::size_t model, std::uint32_t id, const ModelLines& lines, LineNumbers numbers) {
  std::map<std::uint32_t, std::vector<double>> by_field;
  for (const std::uint32_t number : numbers) {
    const auto listed = std::ranges::equal_range(lines.matches, number, {}, &MatchedField::line);
    if (listed.empty() && lines.answers[number].outcome == Outcome::kScored && !asked_.apart[lines.model]) {
      unlisted_.resize(sheet_.ids.size());
      unlisted_[id] = true;
    }
    for (const MatchedField& match : listed) by_field[match.field].push_back(match.match);
  }
  for (auto& [field, matches] : by_field) {
    std::ranges::sort(matches);  // so that the order of the lines changes no bit
    double sum = 0;
    for (const double match : matches) sum += match;
    cells_.push_back({field, id, model, std::min(1.0, sum / static_cast<double>(numbers.size()))});
  }
}

ScoreMatrix FieldScores::Matrix(std::span<const std::size_t> models, std::span<const LeaderboardRow> rows) {
  const auto is_unlisted = [&](const Cell& cell) { return cell.id < unlisted_.size() && unlisted_[cell.id]; };
  std::erase_if(cells_, is_unlisted);
  std::ranges::sort(cells_, {}, [&](const Cell& cell) {
    return std::tuple(sheet_.fields[cell.field], cell.id, cell.model);
  });
  ScoreMatrix matrix = MatrixOf(rows, "field");
  std::vector<bool> is_ranked(models.size());  // by model
  for (std::size_t r = 0; r < models.size(); ++r) is_ranked[models[r]] = rows[r].rank.has_value();
  for (std::span<const Cell> left = cells_; !left.empty();) {
    const auto end =
        std::ranges::find_if(left, [&](const Cell& cell) { return cell.field != left.front().field; });
    const std::span<const Cell> of_field(left.begin(), end);
    left = left.subspan(of_field.size());
    std::vector<ExactSum> sums(models.size());
    std::uint64_t ids = 0;  // for which a ranked model lists the field
    std::optional<std::uint32_t> last;
    for (const Cell& cell : of_field) {
      sums[cell.model].Add(cell.match);
      if (!is_ranked[cell.model] || last == cell.id) continue;
      last = cell.id;
      ++ids;
    }
    MatrixColumn& column =
        matrix.columns.emplace_back(MatrixColumn{.value = std::string(sheet_.fields[of_field[0].field])});
    if (ids > 0) column.ids = ids;
    for (std::size_t r = 0; r < models.size(); ++r) {
      const ExactSum& sum = sums[models[r]];
      const std::uint64_t asked = is_ranked[models[r]] ? ids : sum.count();
      matrix.rows[r].cells.push_back({.mean = sum.Mean(asked - sum.count()), .ids = asked});
    }
    MarkBest(matrix);
  }
  AddMeanColumn(matrix);
  AddOverAllColumn(rows, matrix);
  return matrix;
}

}  // namespace leafscore::internal
