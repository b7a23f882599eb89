#include "engine/scorers/records/extract_judge.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/base/hash.h"
#include "engine/base/id_table.h"

namespace leafscore::internal {
namespace {

// The limits on pairing the rows of a record. All steps together take some ten seconds. A step examines one
// cost or compares one pair of cells; where columns of cells are compared by number, a step compares 16.
constexpr std::uint64_t kMaxPairingSteps = std::uint64_t{1} << 33;
constexpr std::uint64_t kComparisonsPerStep = 16;
constexpr std::uint64_t kMaxMatrixCosts = std::uint64_t{1} << 26;

}  // namespace

void ExtractJudge::BeginRecord(std::uint32_t fields) {
  matched_.assign(fields, 0);
  tally_ = {};
  steps_left_ = kMaxPairingSteps;
}

void ExtractJudge::Judge(const ExtractValues& expected, const ExtractValues& actual) {
  expected_ = &expected;
  actual_ = &actual;
  MatchRows(rules_->schema.root(), expected.rows[0], actual.rows[0]);
  MatchExtras();
}

ExtractJudge::Level& ExtractJudge::Enter() {
  if (depth_ == levels_.size()) levels_.push_back(std::make_unique<Level>());
  return *levels_[depth_++];
}

// Takes steps from the budget. RETURNS: false if too few are left.
bool ExtractJudge::TakeSteps(std::uint64_t steps) {
  if (steps > steps_left_) {
    steps_left_ = 0;
    tally_.incomplete = true;
    return false;
  }
  steps_left_ -= steps;
  return true;
}

// Records a cell for the details. kNoCell stands for the side that lacks the cell.
void ExtractJudge::NoteCell(std::uint32_t field, std::uint32_t expected, std::uint32_t actual,
                            CellVerdict verdict) {
  if (cells == nullptr) return;
  cells->push_back({field, verdict, expected == kNoCell ? ValueRef() : expected_->ValueOf(expected),
                    actual == kNoCell ? ValueRef() : actual_->ValueOf(actual), 0});
}

// Records the cells of a row of `values` that has no partner.
void ExtractJudge::NoteUnpaired(const RowLayout& layout, const ExtractValues& values, const Row& row) {
  if (cells == nullptr) return;
  const bool is_expected = &values == expected_;
  ForEachCell(rules_->schema, values, layout, row,
              [&](std::uint32_t field, std::uint32_t cell, double /*likeness*/) {
                NoteCell(field, is_expected ? cell : kNoCell, is_expected ? kNoCell : cell,
                         is_expected ? CellVerdict::kMissing : CellVerdict::kExtra);
              });
}

void ExtractJudge::MatchCell(std::uint32_t field, std::uint32_t expected, std::uint32_t actual,
                             double likeness) {
  const bool is_wanted = expected != kNoCell && expected_->ids[expected] != 0;
  const bool is_given = actual != kNoCell && actual_->ids[actual] != 0;
  if (!is_wanted && !is_given) return;
  if (!is_given) return NoteCell(field, expected, kNoCell, CellVerdict::kMissing);
  if (!is_wanted) return NoteCell(field, kNoCell, actual, CellVerdict::kExtra);
  const bool matches = equality_->Equal(*expected_, expected, actual_->Cell(actual), likeness);
  if (matches) {
    ++tally_.matched;
    ++matched_[field];
  }
  NoteCell(field, expected, actual, matches ? CellVerdict::kMatched : CellVerdict::kWrong);
}

void ExtractJudge::MatchRows(const RowLayout& layout, const Row& expected, const Row& actual) {
  for (std::uint32_t c = 0; c < layout.columns.size(); ++c) {
    const RowLayout::Column& column = layout.columns[c];
    MatchCell(column.field, expected.cells + c, actual.cells + c, column.likeness);
  }
  for (std::uint32_t a = 0; a < layout.arrays.size(); ++a) {
    const RowLayout& below = rules_->schema.layout(layout.arrays[a]);
    const Array& rows = expected_->arrays[expected.arrays + a];
    const Array& others = actual_->arrays[actual.arrays + a];
    if (rows.present && others.present) {
      MatchArrays(below, rows, others);
    } else {
      for (std::uint32_t i = 0; i < rows.size; ++i) NoteUnpaired(below, *expected_, ExpectedRow(rows, i));
      for (std::uint32_t i = 0; i < others.size; ++i) NoteUnpaired(below, *actual_, ActualRow(others, i));
    }
  }
}

void ExtractJudge::MatchExtras() {
  auto e = expected_->extras.begin();
  auto a = actual_->extras.begin();
  const auto e_end = expected_->extras.end();
  const auto a_end = actual_->extras.end();
  while (e != e_end || a != a_end) {
    const bool is_wanted = e != e_end && (a == a_end || e->key <= a->key);
    const bool is_given = a != a_end && (e == e_end || a->key <= e->key);
    const ExtractValues::Extra& extra = is_wanted ? *e : *a;
    MatchCell(extra.field, is_wanted ? e->cell : kNoCell, is_given ? a->cell : kNoCell,
              LikenessOf(extra.key));
    if (is_wanted) ++e;
    if (is_given) ++a;
  }
}

void ExtractJudge::MatchArrays(const RowLayout& layout, const Array& expected, const Array& actual) {
  tally_.expected_rows += expected.size;
  tally_.actual_rows += actual.size;
  Level& level = Enter();
  Pair(layout, expected, actual, level);
  std::vector<bool> is_paired(actual.size);
  for (std::uint32_t i = 0; i < expected.size; ++i) {
    const std::uint32_t other = level.actual_of[i];
    if (other == kNoRow) {
      NoteUnpaired(layout, *expected_, ExpectedRow(expected, i));
      continue;
    }
    is_paired[other] = true;
    MatchRows(layout, ExpectedRow(expected, i), ActualRow(actual, other));
  }
  for (std::uint32_t i = 0; i < actual.size; ++i) {
    if (!is_paired[i]) NoteUnpaired(layout, *actual_, ActualRow(actual, i));
  }
  Leave();
}

// Returns whether a cell of the expected rows accepts other values or has normalisers.
bool ExtractJudge::HasNotes(const RowLayout& layout, const Array& expected) const {
  if (expected_->note_of.empty()) return false;
  for (std::uint32_t i = 0; i < expected.size; ++i) {
    const std::uint32_t first = ExpectedRow(expected, i).cells;
    for (std::uint32_t cell = first; cell < first + layout.columns.size(); ++cell) {
      const ExtractValues::Note& note = expected_->NoteOf(cell);
      const bool has_other = std::any_of(
          expected_->alternatives.begin() + note.begin, expected_->alternatives.begin() + note.end,
          [&](const ExtractCell& other) { return other.id != expected_->ids[cell]; });
      if (note.normalisers != 0 || has_other) return true;
    }
  }
  return false;
}

void ExtractJudge::Pair(const RowLayout& layout, const Array& expected, const Array& actual, Level& level) {
  level.actual_of.assign(expected.size, kNoRow);
  level.expected.clear();
  level.actual.clear();
  const bool has_notes = HasNotes(layout, expected);
  const bool is_plain = layout.is_flat && !layout.has_likeness && !has_notes;
  if (is_plain) {
    Peel(layout, expected, actual, level);
  } else {
    for (std::uint32_t i = 0; i < expected.size; ++i) level.expected.push_back(i);
    for (std::uint32_t i = 0; i < actual.size; ++i) level.actual.push_back(i);
  }
  if (level.expected.empty() || level.actual.empty()) return;
  if (layout.is_flat && !has_notes &&
      level.expected.size() * std::uint64_t{level.actual.size()} > kMaxExtractPairs) {
    tally_.incomplete = true;
    return;
  }
  const bool done = is_plain ? AssignColumns(layout, expected, actual, level)
                             : AssignMatrix(layout, expected, actual, level);
  tally_.incomplete |= !done;
}

// Pairs each expected row with the first free actual row that equals it, and lists the rows that stay
// unpaired.
void ExtractJudge::Peel(const RowLayout& layout, const Array& expected, const Array& actual, Level& level) {
  const auto cells_of = [&](const ExtractValues& values, const Row& row) {
    return std::string_view(reinterpret_cast<const char*>(values.ids.data() + row.cells),
                            layout.columns.size() * sizeof(ValueId));
  };
  const auto actual_cells = [&](std::uint32_t i) { return cells_of(*actual_, ActualRow(actual, i)); };
  const auto hash_of = [&](std::string_view row) { return HashBytes(row, HashSeed()); };
  // If several actual rows are equal, the table has only the last of them. Its first_free begins the list of
  // the free rows among them.
  IdTable rows;
  rows.Reserve(actual.size, [&](std::uint32_t id) { return hash_of(actual_cells(id)); });
  const auto find = [&](std::string_view row) {
    return rows.Find(hash_of(row), [&](std::uint32_t i) { return actual_cells(i) == row; });
  };
  std::vector<std::uint32_t> first_free(actual.size, kNoRow);
  std::vector<std::uint32_t> next(actual.size, kNoRow);
  for (std::uint32_t i = actual.size; i-- > 0;) {
    std::uint32_t last = find(actual_cells(i));
    if (last == IdTable::kNone) {
      last = i;
      rows.Insert(hash_of(actual_cells(i)), i, [&](std::uint32_t id) { return hash_of(actual_cells(id)); });
    }
    next[i] = std::exchange(first_free[last], i);
  }
  std::vector<bool> taken(actual.size);
  for (std::uint32_t i = 0; i < expected.size; ++i) {
    const std::uint32_t last = find(cells_of(*expected_, ExpectedRow(expected, i)));
    const std::uint32_t free = last == IdTable::kNone ? kNoRow : first_free[last];
    if (free == kNoRow) {
      level.expected.push_back(i);
      continue;
    }
    level.actual_of[i] = free;
    taken[free] = true;
    first_free[last] = next[free];
  }
  for (std::uint32_t i = 0; i < actual.size; ++i) {
    if (!taken[i]) level.actual.push_back(i);
  }
}

// Assigns the listed rows. The shorter side provides the rows of the matrix. If both have the same length,
// the actual side counts as the shorter one.
bool ExtractJudge::Assign(const LeastCostAssignment::CostsOfRow& costs_of, Level& level) {
  const auto expected = static_cast<std::uint32_t>(level.expected.size());
  const auto actual = static_cast<std::uint32_t>(level.actual.size());
  const bool by_actual = actual <= expected;
  if (!level.assignment.Assign(std::min(expected, actual), std::max(expected, actual), costs_of,
                               steps_left_)) {
    steps_left_ = 0;
    return false;
  }
  const std::span<const std::uint32_t> column_of = level.assignment.column_of_row();
  for (std::uint32_t row = 0; row < column_of.size(); ++row) {
    const std::uint32_t e = level.expected[by_actual ? column_of[row] : row];
    level.actual_of[e] = level.actual[by_actual ? row : column_of[row]];
  }
  return true;
}

// Assigns flat rows whose cells are equal exactly if their numbers are. The costs of a row are computed when
// the assignment asks for them.
bool ExtractJudge::AssignColumns(const RowLayout& layout, const Array& expected, const Array& actual,
                                 Level& level) {
  const bool by_actual = level.actual.size() <= level.expected.size();
  const std::size_t columns = layout.columns.size();
  const std::size_t longer = std::max(level.actual.size(), level.expected.size());
  const auto cells_of = [&](bool of_actual, std::size_t i) {
    return of_actual ? &actual_->ids[ActualRow(actual, level.actual[i]).cells]
                     : &expected_->ids[ExpectedRow(expected, level.expected[i]).cells];
  };
  level.columns.resize(columns * longer);
  for (std::size_t i = 0; i < longer; ++i) {
    const ValueId* const ids = cells_of(!by_actual, i);
    for (std::size_t c = 0; c < columns; ++c) level.columns[c * longer + i] = ids[c];
  }
  level.costs.resize(longer);
  const auto costs_of = [&](std::uint32_t row) {
    const ValueId* const ids = cells_of(by_actual, row);
    std::ranges::fill(level.costs, 0u);
    for (std::size_t c = 0; c < columns; ++c) {
      const ValueId* const others = level.columns.data() + c * longer;
      std::uint32_t* const costs = level.costs.data();
      const ValueId id = ids[c];
      for (std::size_t i = 0; i < longer; ++i) costs[i] += others[i] != id;
    }
    steps_left_ -= std::min<std::uint64_t>(steps_left_, columns * longer / kComparisonsPerStep);
    return std::span<const std::uint32_t>(level.costs);
  };
  return Assign(costs_of, level);
}

bool ExtractJudge::AssignMatrix(const RowLayout& layout, const Array& expected, const Array& actual,
                                Level& level) {
  const std::size_t e_size = level.expected.size();
  const std::size_t a_size = level.actual.size();
  if (e_size * std::uint64_t{a_size} > kMaxMatrixCosts) return false;
  const bool by_actual = a_size <= e_size;
  const std::size_t width = std::max(e_size, a_size);
  level.costs.resize(e_size * a_size);
  for (std::size_t a = 0; a < a_size; ++a) {
    if (!TakeSteps(e_size * (layout.columns.size() + 1))) return false;
    for (std::size_t e = 0; e < e_size; ++e) {
      const Row& row = ExpectedRow(expected, level.expected[e]);
      const Row& other = ActualRow(actual, level.actual[a]);
      level.costs[by_actual ? a * width + e : e * width + a] = CostOfRows(layout, row, other);
    }
  }
  const auto costs_of = [&](std::uint32_t row) {
    return std::span<const std::uint32_t>(level.costs).subspan(row * width, width);
  };
  return Assign(costs_of, level);
}

std::uint32_t ExtractJudge::CostOfRows(const RowLayout& layout, const Row& expected, const Row& actual) {
  std::uint32_t cost = 0;
  for (std::uint32_t c = 0; c < layout.columns.size(); ++c) {
    const ValueId id = expected_->ids[expected.cells + c];
    const ExtractCell other = actual_->Cell(actual.cells + c);
    if (id == other.id) continue;
    const bool is_one_sided = id == 0 || other.id == 0;
    cost +=
        is_one_sided || !equality_->Equal(*expected_, expected.cells + c, other, layout.columns[c].likeness);
  }
  for (std::uint32_t a = 0; a < layout.arrays.size(); ++a) {
    cost += CostOfArrays(rules_->schema.layout(layout.arrays[a]), expected_->arrays[expected.arrays + a],
                         actual_->arrays[actual.arrays + a]);
  }
  return cost;
}

// Returns the least cost of pairing the rows of two arrays. A row that stays unpaired costs all its cells.
std::uint32_t ExtractJudge::CostOfArrays(const RowLayout& layout, const Array& expected,
                                         const Array& actual) {
  std::uint32_t cost = expected.leaves + actual.leaves;
  if (expected.size == 0 || actual.size == 0) return cost;
  Level& level = Enter();
  level.actual_of.assign(expected.size, kNoRow);
  level.expected.resize(expected.size);
  level.actual.resize(actual.size);
  for (std::uint32_t i = 0; i < expected.size; ++i) level.expected[i] = i;
  for (std::uint32_t i = 0; i < actual.size; ++i) level.actual[i] = i;
  const bool done = AssignMatrix(layout, expected, actual, level);
  tally_.incomplete |= !done;
  const bool by_actual = actual.size <= expected.size;
  const std::size_t width = std::max(expected.size, actual.size);
  for (std::uint32_t e = 0; e < expected.size && done; ++e) {
    const std::uint32_t a = level.actual_of[e];
    if (a == kNoRow) continue;
    cost -= ExpectedRow(expected, e).leaves + ActualRow(actual, a).leaves;
    cost += level.costs[by_actual ? a * width + e : e * width + a];
  }
  Leave();
  return cost;
}

}  // namespace leafscore::internal
