#include "engine/scorers/records/record_judge.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/scorers/records/tolerance.h"

namespace leafscore::internal {

void RecordJudge::BeginBatch(bool all) {
  for (std::vector<PathFollower>& followers : followers_) {
    for (PathFollower& follower : followers) follower.Reset();
  }
  defaults_.Clear();  // they have shapes and ids
  if (all) results_.ForgetPlaces();
}

void RecordJudge::BeginRecord() {
  results_.BeginRecord();
  budget_ = {};
  weighed_.clear();
}

void RecordJudge::Judge(const CellColumns& expected, const CellColumns& actual) {
  Compare<true>({&expected, expected.root}, {&actual, actual.root});
}

void RecordJudge::JudgeMember(const CellColumns& expected, NodeId member, const CellColumns& actual) {
  const LeafTable& table = *expected.table;
  for (NodeId node = expected.root + 1; node != table.end(expected.root); node = table.end(node)) {
    if (node == member) {
      Compare<true>({&expected, node}, {&actual, actual.root});
    } else {
      Lose<true>({&expected, node});
    }
  }
}

template <bool kRecord>
RecordJudge::Counts RecordJudge::Compare(CellRef expected, CellRef actual) {
  if constexpr (!kRecord) {
    const bool are_alike = expected.id() != 0 && expected.id() == actual.id();
    if (are_alike && !expected.Has(CellColumns::kLacksDefault) && !actual.Has(CellColumns::kLacksDefault))
      return {expected.cell_count(), expected.cell_count()};
  }
  if (expected.place() == kNoPlace) return {};  // it is ignored
  actual = Unwrapped(actual);
  if (expected.Has(CellColumns::kIsAlternatives)) return CompareAlternatives<kRecord>(expected, actual);
  const ValueKind kind = expected.kind();
  const bool both_are_containers = IsContainer(kind) && kind == actual.kind();
  if (both_are_containers) {
    return kind == ValueKind::kObject ? CompareObjects<kRecord>(expected, actual)
                                      : CompareArrays<kRecord>(expected, actual);
  }
  if (!IsContainer(kind) && !IsContainer(actual.kind())) return CompareLeaves<kRecord>(expected, actual);
  AddExtra<kRecord>(actual);
  return Lose<kRecord>(expected);
}

// Takes the accepted value with the most matching cells. Among equally good values, takes the one with the
// fewest cells, then the first.
template <bool kRecord>
RecordJudge::Counts RecordJudge::CompareAlternatives(CellRef expected, CellRef actual) {
  const LeafTable& table = *expected.columns->table;
  CellRef best{expected.columns, kNoNode};
  Counts counts;
  std::uint32_t number = 0;
  std::uint32_t taken = 0;
  for (NodeId node = expected.node + 2; node != table.end(expected.node + 1); node = table.end(node)) {
    ++number;
    const Counts of_value = Compare<false>({expected.columns, node}, actual);
    const bool better = !best.present() || of_value.matched > counts.matched ||
                        (of_value.matched == counts.matched && of_value.expected < counts.expected);
    if (!better) continue;
    best.node = node;
    counts = of_value;
    taken = number;
  }
  if constexpr (kRecord) {
    if (!best.present()) {
      AddExtra<true>(actual);
      return counts;
    }
    const std::uint32_t around = results_.SetAlternative(taken);
    Compare<true>(best, actual);
    results_.SetAlternative(around);
  }
  return counts;
}

// Returns the accepted value with the fewest cells, or the first of several; an absent value if the set is
// empty.
CellRef RecordJudge::SmallestAlternative(CellRef set, std::uint32_t& number) const {
  const LeafTable& table = *set.columns->table;
  CellRef smallest{set.columns, kNoNode};
  std::uint32_t position = 0;
  for (NodeId node = set.node + 2; node != table.end(set.node + 1); node = table.end(node)) {
    ++position;
    if (smallest.present() && set.columns->cell_count(node) >= smallest.cell_count()) continue;
    smallest.node = node;
    number = position;
  }
  return smallest;
}

bool RecordJudge::EqualCells(CellRef expected, CellRef actual) {
  using Form = ValueIds::Form;
  if (expected.id() == actual.id()) return true;
  const Place& place = (*places_)[expected.place()];
  if (!place.is_fuzzy()) return false;
  const auto is_number = [&](ValueId id) {
    return ids_->FormOf(id) == Form::kDouble || ids_->FormOf(id) == Form::kDigits;
  };
  if (is_number(expected.id()) && is_number(actual.id()) && place.tolerance >= 0) {
    const auto written = [&](ValueId id) -> WrittenNumber {
      if (ids_->FormOf(id) == Form::kDigits) return {ids_->NumberOf(id), ids_->BytesOf(id)};
      return {ids_->NumberOf(id)};
    };
    return IsWithinTolerance(written(expected.id()), written(actual.id()), place.tolerance, place.relative);
  }
  const bool texts = ids_->FormOf(expected.id()) == Form::kText && ids_->FormOf(actual.id()) == Form::kText;
  return texts && place.similarity >= 0 &&
         similar_->Are(expected.id(), actual.id(), place.similarity, /*asks=*/weighing_ == 0);
}

template <bool kRecord>
RecordJudge::Counts RecordJudge::CompareLeaves(CellRef expected, CellRef actual) {
  const bool is_wanted = expected.cell_count() != 0;
  const bool is_given = actual.cell_count() != 0;
  const bool equal = is_wanted && is_given && EqualCells(expected, actual);
  if constexpr (kRecord) {
    if (is_wanted && is_given) {
      results_.AddCell(expected.place(), equal ? CellVerdict::kMatched : CellVerdict::kWrong, expected,
                       actual);
    } else if (is_wanted) {
      results_.AddCell(expected.place(), CellVerdict::kMissing, expected, {nullptr, kNoNode});
    } else if (is_given) {
      results_.AddCell(actual.place(), CellVerdict::kExtra, {nullptr, kNoNode}, actual);
    }
  }
  return {equal, is_wanted};
}

template <bool kRecord>
RecordJudge::Counts RecordJudge::CompareObjects(CellRef expected, CellRef actual) {
  const LeafTable& e = *expected.columns->table;
  const LeafTable& a = *actual.columns->table;
  const ShapeId from = e.shape(expected.node);
  const ShapeId to = a.shape(actual.node);
  const bool has_defaults =
      expected.Has(CellColumns::kLacksDefault) || actual.Has(CellColumns::kLacksDefault);
  Counts counts;
  const auto compare_to_default = [&](CellRef given, bool is_expected) {
    const bool has_default = given.place() != kNoPlace && (*places_)[given.place()].default_value != nullptr;
    if (has_default) {
      const CellRef fallback = defaults_.Of(given.place());
      counts += is_expected ? Compare<kRecord>(given, fallback) : Compare<kRecord>(fallback, given);
      if (is_expected) counts.filled += fallback.cell_count();
    } else if (is_expected) {
      counts += Lose<kRecord>(given);
    } else {
      AddExtra<kRecord>(given);
    }
  };
  if (from == to) {
    NodeId other = actual.node + 1;
    for (NodeId node = expected.node + 1; node != e.end(expected.node); node = e.end(node)) {
      counts += Compare<kRecord>({expected.columns, node}, {actual.columns, other});
      other = a.end(other);
    }
    return counts;
  }
  const std::uint32_t* const member_of = shapes_->CorrespondingMembers(from, to);
  const std::size_t first = children_.size();
  for (NodeId node = actual.node + 1; node != a.end(actual.node); node = a.end(node))
    children_.push_back(node);
  std::uint32_t member = 0;
  for (NodeId node = expected.node + 1; node != e.end(expected.node); node = e.end(node), ++member) {
    const CellRef wanted{expected.columns, node};
    if (member_of[member] != ShapeTable::kNoMember) {
      NodeId& other = children_[first + member_of[member]];
      const CellRef given{actual.columns, std::exchange(other, kNoNode)};
      counts += Compare<kRecord>(wanted, given);
    } else {
      compare_to_default(wanted, /*is_expected=*/true);
    }
  }
  for (std::size_t i = first; (kRecord || has_defaults) && i < children_.size(); ++i) {
    if (children_[i] == kNoNode) continue;
    const std::size_t size = children_.size();
    compare_to_default({actual.columns, children_[i]}, /*is_expected=*/false);
    children_.resize(size);
  }
  children_.resize(first);
  return counts;
}

template <bool kRecord>
RecordJudge::Counts RecordJudge::CompareInOrder(CellRef expected, CellRef actual) {
  const LeafTable& e = *expected.columns->table;
  const LeafTable& a = *actual.columns->table;
  Counts counts;
  NodeId other = actual.node + 1;
  const NodeId end = a.end(actual.node);
  for (NodeId node = expected.node + 1; node != e.end(expected.node); node = e.end(node)) {
    const CellRef wanted{expected.columns, node};
    counts += other == end ? Lose<kRecord>(wanted) : Compare<kRecord>(wanted, {actual.columns, other});
    if (other != end) other = a.end(other);
  }
  for (; other != end; other = a.end(other)) AddExtra<kRecord>({actual.columns, other});
  return counts;
}

template <bool kRecord>
RecordJudge::Counts RecordJudge::CompareArrays(CellRef expected, CellRef actual) {
  const ArrayMode mode = (*places_)[expected.place()].mode;
  if (mode == ArrayMode::kWhole) return CompareLeaves<kRecord>(expected, actual);
  if (mode == ArrayMode::kOrdered) return CompareInOrder<kRecord>(expected, actual);
  // Accepted values and defaults can match even if the array counts no cells.
  const auto is_empty = [](CellRef side) {
    return side.cell_count() == 0 && !side.Has(CellColumns::kHasAlternatives) &&
           !side.Has(CellColumns::kLacksDefault);
  };
  if (!kRecord && (is_empty(expected) || is_empty(actual))) return Lose<false>(expected);
  const bool is_kept =
      weighing_ != 0 && expected.Has(CellColumns::kHasRows) && actual.Has(CellColumns::kHasRows);
  if (!is_kept) return CompareRows<kRecord>(expected, actual);
  const ArrayPair pair = {expected.columns, expected.node, actual.columns, actual.node};
  if (const auto known = weighed_.find(pair); known != weighed_.end()) return known->second;
  return weighed_[pair] = CompareRows<kRecord>(expected, actual);
}

// Compares two arrays whose elements may be in any order.
template <bool kRecord>
RecordJudge::Counts RecordJudge::CompareRows(CellRef expected, CellRef actual) {
  Level& level = PairRows(expected, actual);
  const std::span<const std::uint32_t> actual_of = level.pairing.actual_of();
  const std::span<const std::uint32_t> expected_of = level.pairing.expected_of();
  if constexpr (kRecord) {
    results_.AddRows(expected.place(), level.expected.size(), level.actual.size(), level.pairing);
  }
  Counts counts;
  ++depth_;
  for (std::uint32_t row = 0; row < level.expected.size(); ++row) {
    const CellRef wanted = level.expected_rows[row];
    counts += actual_of[row] == kUnpaired ? Lose<kRecord>(wanted)
                                          : Compare<kRecord>(wanted, level.actual_rows[actual_of[row]]);
  }
  if constexpr (kRecord) {
    for (std::uint32_t row = 0; row < level.actual.size(); ++row) {
      if (expected_of[row] == kUnpaired) AddExtra<true>(level.actual_rows[row]);
    }
  }
  --depth_;
  return counts;
}

// Pairs the rows of two arrays at the current depth. The level is valid until rows are paired again at this
// depth.
RecordJudge::Level& RecordJudge::PairRows(CellRef expected, CellRef actual) {
  if (depth_ == levels_.size()) levels_.push_back(std::make_unique<Level>());
  Level& level = *levels_[depth_];
  level.default_cells = 0;
  level.is_limited = false;
  ListRows(expected, /*is_expected=*/true, level);
  ListRows(actual, /*is_expected=*/false, level);
  numbers_.Clear();
  const auto any_has = [&](CellColumns::Flag flag) { return expected.Has(flag) || actual.Has(flag); };
  const bool may_match_unshared = any_has(CellColumns::kHasAlternatives) || any_has(CellColumns::kHasFuzzy) ||
                                  any_has(CellColumns::kLacksDefault);
  RowPairingRules rules;
  rules.join = (*places_)[expected.place()].keys != nullptr;
  rules.pair_left = rules_->match_left;
  rules.peel = !may_match_unshared;
  // The cheapest pairing adds the fewest cells by accepted values and defaults. If several pairings do, it
  // adds the fewest actual cells.
  std::uint64_t most_added = level.default_cells;
  if (any_has(CellColumns::kHasUnlike)) most_added += expected.columns->table->leaf_count(expected.node);
  const std::uint64_t cost_of_cell = std::uint64_t{level.default_cells} + 1;
  constexpr std::uint64_t kMostCost = std::numeric_limits<std::uint32_t>::max();
  rules.most_cost =
      static_cast<std::uint32_t>(std::min(kMostCost, most_added * cost_of_cell + level.default_cells));
  struct Weigher {
    RecordJudge* judge;
    Level* level;
    std::uint32_t cost_of_cell;
    PairWeight operator()(std::uint32_t e, std::uint32_t a) const {
      const CellRef wanted = level->expected_rows[e];
      ++judge->depth_;
      ++judge->weighing_;
      const Counts counts = judge->Compare<false>(wanted, level->actual_rows[a]);
      --judge->weighing_;
      --judge->depth_;
      const std::uint32_t added = counts.expected - wanted.cell_count() + counts.filled;
      return {counts.matched, added * cost_of_cell + counts.filled};
    }
  };
  if (may_match_unshared || any_has(CellColumns::kHasRows)) {
    rules.weigh = Weigher{this, &level, static_cast<std::uint32_t>(cost_of_cell)};
  }
  results_.NotePairing(level.pairing.Pair(level.expected, level.actual, rules, budget_));
  const std::uint32_t fewer = std::min(level.expected.size(), level.actual.size());
  results_.NotePairing(!level.is_limited || level.pairing.only_pairs() == fewer);
  return level;
}

void RecordJudge::ListRows(CellRef array, bool is_expected, Level& level) {
  const LeafTable& table = *array.columns->table;
  const std::vector<TargetPath>* const keys = (*places_)[array.place()].keys;
  RowColumns& columns = is_expected ? level.expected : level.actual;
  std::vector<CellRef>& rows = is_expected ? level.expected_rows : level.actual_rows;
  columns.Clear();
  rows.clear();
  for (NodeId node = array.node + 1; node != table.end(array.node); node = table.end(node)) {
    const CellRef row{array.columns, node};
    rows.push_back(row);
    columns.whole.push_back(numbers_.Of(row.id()));
    AppendCells(row, is_expected, level);
    std::sort(columns.cells.begin() + columns.cell_begin.back(), columns.cells.end());
    columns.cell_begin.push_back(static_cast<std::uint32_t>(columns.cells.size()));
    const auto number = static_cast<std::uint32_t>(keys == nullptr ? 0 : keys - rules_->keys.data());
    columns.key.push_back(keys == nullptr ? 0 : numbers_.Of(KeyOf(row, number, is_expected)));
  }
}

// Appends the numbers of all cells of a row that may match. These include the cells of all accepted values,
// and of the defaults of members that the row lacks.
void RecordJudge::AppendCells(CellRef row, bool is_expected, Level& level) {
  const LeafTable& table = *row.columns->table;
  const NodeId end = table.end(row.node);
  for (NodeId node = row.node; node != end;) {
    const CellRef at{row.columns, node};
    if (at.place() == kNoPlace) {
      ++node;
      continue;
    }
    const ValueKind kind = at.kind();
    const bool is_set = at.Has(CellColumns::kIsAlternatives);
    const bool is_whole =
        kind == ValueKind::kArray && (*places_)[at.place()].mode == ArrayMode::kWhole &&
        (node == row.columns->root || !row.columns->Has(node - 1, CellColumns::kIsAlternatives));
    if ((!IsContainer(kind) || is_whole) && at.cell_count() != 0) AppendLinks(at, is_expected, level);
    const bool may_lack = kind == ValueKind::kObject && !is_set && at.Has(CellColumns::kLacksDefault) &&
                          !at.Has(CellColumns::kIsEnvelope);
    if (may_lack) {
      for (const PlaceId missing : places_->MembersOf(at.place(), table.shape(node)).missing_defaults) {
        const CellRef fallback = defaults_.Of(missing);
        level.default_cells += fallback.cell_count();
        AppendCells(fallback, is_expected, level);
      }
    }
    node = is_whole ? table.end(node) : node + 1;
  }
}

// Appends numbers, so that a cell shares at least one number with each cell that it may match. Most cells
// have only their own number. A number with a tolerance has the range that contains it instead, and on the
// expected side also both neighbouring ranges. An expected text also has the numbers of similar texts.
void RecordJudge::AppendLinks(CellRef cell, bool is_expected, Level& level) {
  using Form = ValueIds::Form;
  std::vector<std::uint32_t>& cells_of_row = (is_expected ? level.expected : level.actual).cells;
  const auto append = [&](ValueId linked) { cells_of_row.push_back(numbers_.Of(linked)); };
  const Place& place = (*places_)[cell.place()];
  const ValueId id = cell.id();
  if (!place.is_fuzzy()) return append(id);
  const Form form = ids_->FormOf(id);
  if (place.tolerance >= 0 && (form == Form::kDouble || form == Form::kDigits)) {
    const double range = ToleranceRange(ids_->NumberOf(id), place.tolerance, place.relative);
    append(ids_->Range(cell.place(), range));
    const bool has_neighbours = is_expected && range - 1 < range && range < range + 1;
    if (!has_neighbours) return;
    append(ids_->Range(cell.place(), range - 1));
    append(ids_->Range(cell.place(), range + 1));
    return;
  }
  append(id);
  if (place.similarity < 0 || form != Form::kText || !is_expected) return;
  level.is_limited |= similar_->IsLimited(cell.place());
  similar_->ForEachSimilar(id, place.similarity, append);
}

// Returns the id of a row's key; 0 if a cell of the key is missing.
ValueId RecordJudge::KeyOf(CellRef row, std::uint32_t keys, bool is_expected) {
  key_cells_.clear();
  for (std::size_t k = 0; k < followers_[keys].size(); ++k) {
    const ValueRef cell = followers_[keys][k].Follow(Unwrapped(row).value());
    if (!cell.present()) return 0;
    if (is_expected) keys_found_[keys][k] = true;
    const CellRef found{row.columns, cell.node};
    if (found.id() == 0 || found.Has(CellColumns::kHasAlternatives)) return 0;
    key_cells_.push_back(found.id());
  }
  return ids_->List(key_cells_);
}

// Counts the cells of an expected value as missing.
template <bool kRecord>
RecordJudge::Counts RecordJudge::Lose(CellRef expected) {
  const Counts counts{0, expected.cell_count()};
  if (!kRecord || counts.expected == 0) return counts;
  const LeafTable& table = *expected.columns->table;
  if (expected.Has(CellColumns::kIsAlternatives)) {
    std::uint32_t number = 0;
    const CellRef smallest = SmallestAlternative(expected, number);
    const std::uint32_t around = results_.SetAlternative(number);
    Lose<true>(smallest);
    results_.SetAlternative(around);
  } else if (!IsContainer(expected.kind()) || (expected.kind() == ValueKind::kArray &&
                                               (*places_)[expected.place()].mode == ArrayMode::kWhole)) {
    results_.AddCell(expected.place(), CellVerdict::kMissing, expected, {nullptr, kNoNode});
  } else {
    for (NodeId node = expected.node + 1; node != table.end(expected.node); node = table.end(node)) {
      Lose<true>({expected.columns, node});
    }
  }
  return counts;
}

// Counts the cells of an actual value as extra.
template <bool kRecord>
void RecordJudge::AddExtra(CellRef actual) {
  if (!kRecord || actual.cell_count() == 0) return;
  const LeafTable& table = *actual.columns->table;
  if (!IsContainer(actual.kind()) ||
      (actual.kind() == ValueKind::kArray && (*places_)[actual.place()].mode == ArrayMode::kWhole)) {
    return results_.AddCell(actual.place(), CellVerdict::kExtra, {nullptr, kNoNode}, actual);
  }
  for (NodeId node = actual.node + 1; node != table.end(actual.node); node = table.end(node)) {
    AddExtra<true>({actual.columns, node});
  }
}

}  // namespace leafscore::internal
