#include "engine/scorers/records/omni_judge.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace leafscore::internal {
namespace {

constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 33;  // some ten seconds of work
constexpr std::uint64_t kMaxColumnPairs = 100'000'000;
constexpr std::uint64_t kMaxColumnCells = std::uint64_t{1} << 26;
constexpr std::uint64_t kMaxMatrixPairs = std::uint64_t{1} << 24;

// Walks two ranges that are sorted by address. Calls both(a, b) for elements with the same address, and
// only_first(a) or only_second(b) for the others.
template <class Element, class Both, class First, class Second>
void MergeByAddress(std::span<const Element> first, std::span<const Element> second, Both both,
                    First only_first, Second only_second) {
  auto a = first.begin();
  auto b = second.begin();
  while (a != first.end() || b != second.end()) {
    if (b == second.end() || (a != first.end() && a->address < b->address)) {
      only_first(*a++);
    } else if (a == first.end() || b->address < a->address) {
      only_second(*b++);
    } else {
      both(*a++, *b++);
    }
  }
}

std::span<const OmniValues::Leaf> LeavesOf(const OmniValues& values, const OmniValues::Row& row) {
  return std::span(values.leaves).subspan(row.leaves_begin, row.leaves_end - row.leaves_begin);
}

std::span<const OmniValues::Array> ArraysOf(const OmniValues& values, const OmniValues::Row& row) {
  return std::span(values.arrays).subspan(row.arrays_begin, row.arrays_end - row.arrays_begin);
}

std::span<const OmniValues::Row> RowsOf(const OmniValues& values, const OmniValues::Array& array) {
  return std::span(values.rows).subspan(array.rows_begin, array.rows_end - array.rows_begin);
}

std::uint32_t MostValues(std::span<const OmniValues::Row> rows) {
  return std::ranges::max(rows, {}, &OmniValues::Row::values).values;
}

}  // namespace

void OmniJudge::BeginRecord() {
  tally_ = {};
  steps_left_ = kMaxSteps;
  budget_ = {};
}

void OmniJudge::Judge(const OmniValues& expected, const OmniValues& actual) {
  expected_ = &expected;
  actual_ = &actual;
  MatchRows(expected.root(), actual.root());
}

OmniJudge::Level& OmniJudge::Enter() {
  if (depth_ == levels_.size()) levels_.push_back(std::make_unique<Level>());
  return *levels_[depth_++];
}

// Counts actual values at addresses that are missing on the expected side.
void OmniJudge::AddExtra(std::uint32_t values, std::uint32_t asked_for) {
  tally_.fabricated += asked_for;
  tally_.invented_field += values - asked_for;
}

void OmniJudge::Note(CellVerdict verdict, const OmniValues::Leaf* expected, const OmniValues::Leaf* actual) {
  if (cells == nullptr) return;
  JudgedCell cell{};
  cell.place = (expected != nullptr ? expected : actual)->field;
  cell.verdict = verdict;
  if (expected != nullptr) cell.expected = {expected_->table, expected->node};
  if (actual != nullptr) cell.actual = {actual_->table, actual->node};
  cells->push_back(cell);
}

// Note all values of a row or array that only one side has.
void OmniJudge::NoteRow(CellVerdict verdict, const Row& row) {
  if (cells == nullptr) return;
  const bool is_expected = verdict == CellVerdict::kMissing;
  const OmniValues& values = is_expected ? *expected_ : *actual_;
  for (const OmniValues::Leaf& leaf : LeavesOf(values, row))
    Note(verdict, is_expected ? &leaf : nullptr, is_expected ? nullptr : &leaf);
  for (const Array& array : ArraysOf(values, row)) NoteArray(verdict, array);
}

void OmniJudge::NoteArray(CellVerdict verdict, const Array& array) {
  if (cells == nullptr) return;
  for (const Row& row : RowsOf(verdict == CellVerdict::kMissing ? *expected_ : *actual_, array))
    NoteRow(verdict, row);
}

void OmniJudge::MatchRows(const Row& expected, const Row& actual) {
  using Leaf = OmniValues::Leaf;
  MergeByAddress(
      LeavesOf(*expected_, expected), LeavesOf(*actual_, actual),
      [&](const Leaf& e, const Leaf& a) {
        const bool is_equal = e.value == a.value;
        ++(is_equal ? tally_.matched : tally_.wrong);
        if (is_equal) ++(*fields)[e.field].matched;
        Note(is_equal ? CellVerdict::kMatched : CellVerdict::kWrong, &e, &a);
      },
      [&](const Leaf& e) {
        ++tally_.missing;
        Note(CellVerdict::kMissing, &e, nullptr);
      },
      [&](const Leaf& a) {
        AddExtra(1, a.is_asked_for ? 1 : 0);
        Note(CellVerdict::kExtra, nullptr, &a);
      });
  MergeByAddress(
      ArraysOf(*expected_, expected), ArraysOf(*actual_, actual),
      [&](const Array& e, const Array& a) { MatchArrays(e, a); },
      [&](const Array& e) {
        tally_.missing += e.values;
        NoteArray(CellVerdict::kMissing, e);
      },
      [&](const Array& a) {
        AddExtra(a.values, a.asked_for);
        NoteArray(CellVerdict::kExtra, a);
      });
}

void OmniJudge::MatchArrays(const Array& expected, const Array& actual) {
  const std::span<const Row> rows = RowsOf(*expected_, expected);
  const std::span<const Row> others = RowsOf(*actual_, actual);
  Level& level = Enter();
  Pair(expected, actual, level);
  std::vector<bool> taken(others.size());
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const std::uint32_t a = level.actual_of[e];
    if (a == kNoRow) {
      tally_.missing += rows[e].values;
      NoteRow(CellVerdict::kMissing, rows[e]);
      continue;
    }
    taken[a] = true;
    tally_.matched_rows += rows[e].is_object && others[a].is_object ? 1 : 0;
    MatchRows(rows[e], others[a]);
  }
  for (std::size_t a = 0; a < others.size(); ++a) {
    if (taken[a]) continue;
    NoteRow(CellVerdict::kExtra, others[a]);
    if (expected.in_order) {
      AddExtra(others[a].values, others[a].asked_for);
    } else {
      tally_.invented_item += others[a].values;
    }
  }
  --depth_;
}

OmniJudge::Worth OmniJudge::WorthOf(const Row& expected, const Row& actual) {
  Worth worth;
  const auto ignore = [](const auto&) {};
  MergeByAddress(
      LeavesOf(*expected_, expected), LeavesOf(*actual_, actual),
      [&](const OmniValues::Leaf& e, const OmniValues::Leaf& a) {
        worth.matched += e.value == a.value;
        ++worth.shared;
      },
      ignore, ignore);
  MergeByAddress(
      ArraysOf(*expected_, expected), ArraysOf(*actual_, actual),
      [&](const Array& e, const Array& a) {
        const Worth of_rows = WorthOf(e, a);
        worth.matched += of_rows.matched;
        worth.shared += of_rows.shared;
      },
      ignore, ignore);
  return worth;
}

OmniJudge::Worth OmniJudge::WorthOf(const Array& expected, const Array& actual) {
  const std::span<const Row> rows = RowsOf(*expected_, expected);
  const std::span<const Row> others = RowsOf(*actual_, actual);
  Worth worth;
  Level& level = Enter();
  Pair(expected, actual, level);
  for (std::size_t e = 0; e < rows.size(); ++e) {
    if (level.actual_of[e] == kNoRow) continue;
    const Worth of_pair = WorthOf(rows[e], others[level.actual_of[e]]);
    worth.matched += of_pair.matched;
    worth.shared += of_pair.shared;
  }
  --depth_;
  return worth;
}

void OmniJudge::Pair(const Array& expected, const Array& actual, Level& level) {
  const std::span<const Row> rows = RowsOf(*expected_, expected);
  const std::span<const Row> others = RowsOf(*actual_, actual);
  level.actual_of.assign(rows.size(), kNoRow);
  if (expected.in_order) {
    std::size_t a = 0;
    for (std::size_t e = 0; e < rows.size(); ++e) {
      while (a < others.size() && others[a].position < rows[e].position) ++a;
      const bool is_there = a < others.size() && others[a].position == rows[e].position;
      if (is_there) level.actual_of[e] = static_cast<std::uint32_t>(a);
    }
    return;
  }
  const std::uint64_t pairs = std::uint64_t{rows.size()} * others.size();
  const bool is_flat = expected.is_flat && actual.is_flat;
  bool done = is_flat && pairs <= kMaxColumnPairs && AssignColumns(expected, actual, level);
  if (!done && pairs <= kMaxMatrixPairs) done = AssignMatrix(expected, actual, level);
  if (!done) PairBySharedValues(expected, actual, level);
  for (std::size_t e = 0; e < rows.size(); ++e) {
    std::uint32_t& a = level.actual_of[e];
    if (a != kNoRow && WorthOf(rows[e], others[a]).matched == 0) a = kNoRow;
  }
}

// Assigns rows so that their pairs are worth most in total. worths_of(row) returns how much a row of the
// shorter side is worth with each row of the longer side. If both have the same length, the actual side
// counts as the shorter one.
template <class WorthsOf>
bool OmniJudge::Assign(const Array& expected, const Array& actual, WorthsOf worths_of, Level& level) {
  const std::span<const Row> rows = RowsOf(*expected_, expected);
  const std::span<const Row> others = RowsOf(*actual_, actual);
  const bool by_actual = others.size() <= rows.size();
  // A matched value outweighs all shared addresses.
  const std::uint64_t scale = std::uint64_t{1} + std::min(expected.values, actual.values);
  const std::uint64_t most = std::min(MostValues(rows), MostValues(others));
  const std::uint64_t top = most * (scale + 1);
  if (top > std::numeric_limits<std::uint32_t>::max()) return false;
  const auto costs_of = [&](std::uint32_t row) {
    const std::span<const Worth> worths = worths_of(row);
    level.costs.resize(worths.size());
    for (std::size_t i = 0; i < worths.size(); ++i) {
      const std::uint64_t weight = worths[i].matched == 0 ? 0 : worths[i].matched * scale + worths[i].shared;
      level.costs[i] = static_cast<std::uint32_t>(top - weight);
    }
    return std::span<const std::uint32_t>(level.costs);
  };
  const auto shorter = static_cast<std::uint32_t>(std::min(rows.size(), others.size()));
  const auto longer = static_cast<std::uint32_t>(std::max(rows.size(), others.size()));
  if (!level.assignment.Assign(shorter, longer, costs_of, steps_left_)) {
    steps_left_ = 0;
    return false;
  }
  const std::span<const std::uint32_t> column_of = level.assignment.column_of_row();
  for (std::uint32_t row = 0; row < column_of.size(); ++row) {
    level.actual_of[by_actual ? column_of[row] : row] = by_actual ? row : column_of[row];
  }
  return true;
}

// Assigns rows without arrays from columns of values. The worths of a row are counted when the assignment
// asks for them.
bool OmniJudge::AssignColumns(const Array& expected, const Array& actual, Level& level) {
  const std::span<const Row> rows = RowsOf(*expected_, expected);
  const std::span<const Row> others = RowsOf(*actual_, actual);
  const bool by_actual = others.size() <= rows.size();
  const OmniValues& shorter_values = by_actual ? *actual_ : *expected_;
  const OmniValues& longer_values = by_actual ? *expected_ : *actual_;
  const std::span<const Row> shorter = by_actual ? others : rows;
  const std::span<const Row> longer = by_actual ? rows : others;
  level.addresses.clear();
  for (const Row& row : shorter) {
    for (const OmniValues::Leaf& leaf : LeavesOf(shorter_values, row))
      level.addresses.push_back(leaf.address);
  }
  std::ranges::sort(level.addresses);
  level.addresses.erase(std::ranges::unique(level.addresses).begin(), level.addresses.end());
  const std::size_t width = longer.size();
  const std::size_t columns = level.addresses.size();
  if (columns * width > kMaxColumnCells) return false;
  const auto column_of = [&](ValueId address) {
    return static_cast<std::size_t>(std::ranges::lower_bound(level.addresses, address) -
                                    level.addresses.begin());
  };
  level.columns.assign(columns * width, 0);
  for (std::size_t i = 0; i < width; ++i) {
    for (const OmniValues::Leaf& leaf : LeavesOf(longer_values, longer[i])) {
      const std::size_t column = column_of(leaf.address);
      const bool is_known = column < columns && level.addresses[column] == leaf.address;
      if (is_known) level.columns[column * width + i] = leaf.value;
    }
  }
  const auto worths_of = [&](std::uint32_t row) {
    level.worths.assign(width, {});
    Worth* const worths = level.worths.data();
    for (const OmniValues::Leaf& leaf : LeavesOf(shorter_values, shorter[row])) {
      const ValueId* const values = level.columns.data() + column_of(leaf.address) * width;
      for (std::size_t i = 0; i < width; ++i) {
        worths[i].matched += values[i] == leaf.value;
        worths[i].shared += values[i] != 0;
      }
    }
    const std::uint64_t steps = columns * width / 4;
    steps_left_ -= std::min(steps_left_, steps);
    return std::span<const Worth>(level.worths);
  };
  return Assign(expected, actual, worths_of, level);
}

bool OmniJudge::AssignMatrix(const Array& expected, const Array& actual, Level& level) {
  const std::span<const Row> rows = RowsOf(*expected_, expected);
  const std::span<const Row> others = RowsOf(*actual_, actual);
  const bool by_actual = others.size() <= rows.size();
  const std::size_t width = std::max(rows.size(), others.size());
  level.worths.resize(rows.size() * others.size());
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const std::uint64_t steps = others.size() * std::uint64_t{rows[e].values + 1};
    if (steps > steps_left_) {
      steps_left_ = 0;
      return false;
    }
    steps_left_ -= steps;
    for (std::size_t a = 0; a < others.size(); ++a) {
      level.worths[by_actual ? a * width + e : e * width + a] = WorthOf(rows[e], others[a]);
    }
  }
  const auto worths_of = [&](std::uint32_t row) {
    return std::span<const Worth>(level.worths).subspan(row * width, width);
  };
  return Assign(expected, actual, worths_of, level);
}

// Pairs rows by the values that they share at the same addresses. Addresses with different values do not
// count, and the values of nested rows count however the nested rows pair.
void OmniJudge::PairBySharedValues(const Array& expected, const Array& actual, Level& level) {
  tally_.exact = false;
  std::map<std::pair<ValueId, ValueId>, std::uint32_t> number_of;  // by address and value
  std::map<std::vector<std::uint32_t>, std::uint32_t> number_of_row;
  const auto list = [&](const OmniValues& values, const Array& array) {
    RowColumns columns;
    columns.Clear();
    for (const Row& row : RowsOf(values, array)) {
      std::vector<std::uint32_t> numbers;
      const auto add = [&](const auto& self, const Row& from) -> void {
        for (const OmniValues::Leaf& leaf : LeavesOf(values, from)) {
          const auto number = static_cast<std::uint32_t>(number_of.size() + 1);
          numbers.push_back(number_of.try_emplace({leaf.address, leaf.value}, number).first->second);
        }
        for (const Array& below : ArraysOf(values, from)) {
          for (const Row& inner : RowsOf(values, below)) self(self, inner);
        }
      };
      add(add, row);
      std::ranges::sort(numbers);
      const auto number = static_cast<std::uint32_t>(number_of_row.size() + 1);
      columns.whole.push_back(number_of_row.try_emplace(numbers, number).first->second);
      columns.key.push_back(0);
      columns.cells.insert(columns.cells.end(), numbers.begin(), numbers.end());
      columns.cell_begin.push_back(static_cast<std::uint32_t>(columns.cells.size()));
    }
    return columns;
  };
  level.pairing.Pair(list(*expected_, expected), list(*actual_, actual), {}, budget_);
  level.actual_of.assign(level.pairing.actual_of().begin(), level.pairing.actual_of().end());
}

}  // namespace leafscore::internal
