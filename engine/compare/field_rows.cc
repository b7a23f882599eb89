#include "engine/compare/field_rows.h"

#include <algorithm>
#include <cmath>

namespace leafscore::internal {
namespace {

std::span<const FieldCell> CellsOf(const SideScores& side, std::uint32_t id) {
  const auto cells = std::ranges::equal_range(side.fields, id, {}, &FieldCell::id);
  return {cells.begin(), cells.end()};
}

// Whether the fields make up the score.
bool AddUp(std::span<const FieldCell> cells, const IdScore& score) {
  constexpr double kRounding = 1e-9;
  double sum = 0;
  for (const FieldCell& cell : cells) sum += cell.contribution;
  return std::abs(sum - score.score()) <= kRounding;
}

}  // namespace

double FieldRows::Add(std::uint32_t id, std::uint32_t unit) {
  const std::span<const FieldCell> base = CellsOf(base_, id);
  const std::span<const FieldCell> now = CellsOf(now_, id);
  if (base.empty() && now.empty()) return 0;
  const IdScore base_score = base_.Of(id);
  const IdScore now_score = now_.Of(id);
  const bool both_scored = base_score.is_scored() && now_score.is_scored();
  // A side that is scored without a list of fields says nothing of them.
  if (both_scored && (base.empty() || now.empty())) return 0;
  const bool add_up = both_scored && AddUp(base, base_score) && AddUp(now, now_score);
  double change = 0;
  auto b = base.begin();
  auto n = now.begin();
  while (b != base.end() || n != now.end()) {
    const bool in_base = b != base.end() && (n == now.end() || b->field <= n->field);
    const bool in_now = n != now.end() && (b == base.end() || n->field <= b->field);
    Field& field = fields_[in_base ? b->field : n->field];
    field.match.Add(unit, in_base ? b->match : 0, in_now ? n->match : 0);
    if (add_up) {
      const double by_field = (in_now ? n->contribution : 0) - (in_base ? b->contribution : 0);
      field.change += by_field;
      change += by_field;
    }
    b += in_base;
    n += in_now;
  }
  return change;
}

}  // namespace leafscore::internal
