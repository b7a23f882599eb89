#include "engine/scorers/json_similarity/value_similarity.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/json/compact_text.h"
#include "engine/match/assignment.h"
#include "kernels/number_similarity.h"

namespace leafscore::internal {

void ValueSimilarity::Begin(std::uint32_t first_pair) {
  paths_.Begin();
  grids_.clear();  // an error may have left some
  rows_.clear();
  columns_.clear();
  cells_.Begin(first_pair);
}

std::uint32_t ValueSimilarity::Compare(std::uint32_t record, ValueRef expected, ValueRef actual,
                                       const TargetPath& path, StringPairs& pairs) {
  record_ = record;
  expected_table_ = expected.table;
  actual_table_ = actual.table;
  const std::uint64_t bytes =
      expected.table->token(expected.node).size() + actual.table->token(actual.node).size();
  allowance_ = std::min(kMaxAllowance, kAllowance * bytes);
  exact_ = true;
  const Cell cell = cells_.New(1);
  const auto [state, weight] = StartOf(path);
  const std::uint32_t number = cells_.AddResult(cell);
  const Condition always{cell, kNoNode};
  cells_.last_result().total =
      CountLeaves(expected.node, state, weight, cells_.keeps_leaves() ? &always : nullptr);
  Visit({expected.node, state}, actual.node, weight, cell, pairs);
  while (!grids_.empty()) {
    Grid& grid = grids_.back();
    if (grid.row == grid.rows) {
      rows_.resize(grid.rows_begin);
      columns_.resize(grid.columns_begin);
      grids_.pop_back();
      continue;
    }
    if (grid.all_pairs && grid.row == 0 && grid.column == 0 && SettleMatrix(grid)) {
      grid.row = grid.rows;
      continue;
    }
    const Row row = rows_[grid.rows_begin + grid.row];
    if (grid.all_pairs) {
      const NodeId column = columns_[grid.columns_begin + grid.column];
      const Cell its_cell = grid.cell + grid.row * grid.columns + grid.column;
      if (++grid.column == grid.columns) {
        grid.column = 0;
        ++grid.row;
      }
      Visit(row, column, grid.weight, its_cell, pairs);
    } else {
      Visit(row, columns_[grid.columns_begin + grid.row++], grid.weight, grid.cell, pairs);
    }
  }
  cells_.last_result().exact = exact_;
  return number;
}

// Returns the state and the weight at the end of a path. If the path leads through an ignored or final place,
// returns the state and the weight of that place.
std::pair<ValueSimilarity::State, double> ValueSimilarity::StartOf(const TargetPath& path) {
  State state = PathMatcher::kStart;
  double weight = 1;
  for (const TargetPath::Step& step : path.steps) {
    const PathMatcher::Effect& effect = paths_.effect(state);
    if (effect.has_weight) weight = effect.weight;
    if (effect.ignored || effect.final) break;
    state = paths_.Next(state, step.key.empty() ? paths_.rules().PositionSymbol(step.position)
                                                : paths_.rules().KeySymbol(step.key));
  }
  return {state, weight};
}

void ValueSimilarity::FollowRules(ValueRef expected, const TargetPath& path) {
  expected_table_ = expected.table;
  const auto [state, weight] = StartOf(path);
  CountLeaves(expected.node, state, weight, /*kept=*/nullptr);
}

// Returns the sum of the weights of the leaves below `root` that count. Unless `kept` is null, the leaves are
// kept with this condition.
double ValueSimilarity::CountLeaves(NodeId root, State root_state, double root_weight,
                                    const Condition* kept) {
  struct OpenContainer {
    NodeId next;
    NodeId end;
    const PathRules::Symbol* symbols;  // symbols of an object's members
    std::uint32_t position = 0;        // in an array
    State state;
    double weight;
  };
  const bool has_sets = !rules_->any_of_key.empty();
  const LeafTable& table = *expected_table_;
  double total = 0;
  std::vector<OpenContainer> open;
  NodeId node = root;
  State state = root_state;
  double weight = root_weight;
  for (;;) {
    const PathMatcher::Effect& effect = paths_.effect(state);
    if (effect.has_weight) weight = effect.weight;
    const NodeId accepted = AcceptedIn(node);
    if (effect.ignored) {
      // Nothing below counts.
    } else if (accepted != kNoNode) {
      Condition condition{};
      if (kept != nullptr) condition = {kept->cell, kept->set == kNoNode ? node : kept->set};
      total += WeightOfSet(accepted, state, weight, kept == nullptr ? nullptr : &condition);
    } else if ((effect.final && !has_sets) || !IsContainer(table.kind(node))) {
      total += weight * table.leaf_count(node);
      for (NodeId leaf = node; kept != nullptr && leaf != table.end(node); ++leaf) {
        if (!IsContainer(table.kind(leaf))) cells_.AddLeaf(leaf, weight, *kept);
      }
    } else {
      const bool is_object = table.kind(node) == ValueKind::kObject;
      open.push_back({node + 1, table.end(node),
                      is_object ? paths_.MemberSymbols(table.shape(node)) : nullptr, 0, state, weight});
    }
    while (!open.empty() && open.back().next == open.back().end) open.pop_back();
    if (open.empty()) break;
    OpenContainer& container = open.back();
    node = container.next;
    container.next = table.end(node);
    state = paths_.Next(container.state, container.symbols != nullptr
                                             ? *container.symbols++
                                             : paths_.rules().PositionSymbol(container.position++));
    weight = container.weight;
  }
  return total;
}

// Returns the weight of a set, which is the weight of its first value; a first value without leaves weighs as
// much as one leaf. Unless `kept` is null, the leaves of the first value are kept.
double ValueSimilarity::WeightOfSet(NodeId accepted, State state, double weight, const Condition* kept) {
  const LeafTable& table = *expected_table_;
  const NodeId first = accepted + 1;
  if (table.leaf_count(accepted) == 0) return weight;
  const double total = CountLeaves(first, state, weight, kept);
  return table.leaf_count(first) == 0 ? weight : total;
}

// Compares two leaves, or adds a grid for the content of two containers. `weight` is the weight of the place
// around them.
void ValueSimilarity::Visit(const Row& row, NodeId actual, double weight, Cell cell, StringPairs& pairs) {
  const PathMatcher::Effect& effect = paths_.effect(row.state);
  if (effect.has_weight) weight = effect.weight;
  if (effect.ignored) return;
  if (const NodeId accepted = AcceptedIn(row.expected); accepted != kNoNode) {
    return actual == kNoNode ? AcceptNothing(row, accepted, weight, cell)
                             : OpenAccepted(row, accepted, actual, weight, cell);
  }
  if (actual == kNoNode) return;
  const ValueKind kind = expected_table_->kind(row.expected);
  if (!IsContainer(kind)) {
    CompareLeaves(row, actual, weight, cell, pairs);
  } else if (kind == actual_table_->kind(actual)) {
    Open(row, actual, weight, cell);
  }
}

// Adds a matrix for the accepted values. If comparing all of them takes too long, only the first value is
// compared.
void ValueSimilarity::OpenAccepted(const Row& row, NodeId accepted, NodeId actual, double weight, Cell cell) {
  const LeafTable& table = *expected_table_;
  std::vector<ValueRef> values;
  ListChildren({&table, accepted}, values);
  if (values.empty()) return;
  if (!Pay(table.token(accepted).size() + values.size() * actual_table_->token(actual).size())) {
    values.resize(1);
    exact_ = false;
  }
  const auto count = static_cast<std::uint32_t>(values.size());
  const Cell first_cell = cells_.New(count);
  const double set_weight = WeightOfSet(accepted, row.state, weight, /*kept=*/nullptr);
  grids_.push_back({.rows_begin = rows_.size(),
                    .columns_begin = columns_.size(),
                    .rows = count,
                    .columns = 1,
                    .all_pairs = true,
                    .cell = first_cell,
                    .weight = weight});
  cells_.AddMatrix({first_cell, count, 1, cell, row.expected, set_weight});
  columns_.push_back(actual);
  for (Cell of_value = first_cell; const ValueRef value : values) {
    rows_.push_back({value.node, row.state});
    const Condition condition{of_value, kNoNode};
    const std::size_t first_leaf = cells_.leaf_count();
    double total = CountLeaves(value.node, row.state, weight, cells_.keeps_leaves() ? &condition : nullptr);
    if (table.leaf_count(value.node) == 0) {  // it counts as one leaf and matches only an equal value
      total = weight;
      std::string expected_text;
      std::string actual_text;
      AppendSortedJson(table, *shapes_, value.node, expected_text);
      AppendSortedJson(*actual_table_, *shapes_, actual, actual_text);
      if (expected_text == actual_text) cells_.Add(of_value, weight);
    }
    if (total != 0) cells_.ScaleLeaves(first_leaf, set_weight / total);
    cells_.SetTotal(of_value++, total);
  }
}

// Returns a null among the accepted values or in a set that is one of them; kNoNode if there is no null.
NodeId ValueSimilarity::NullIn(NodeId accepted) const {
  const LeafTable& table = *expected_table_;
  for (NodeId value = accepted + 1; value != table.end(accepted); value = table.end(value)) {
    if (table.kind(value) == ValueKind::kNull) return value;
    const NodeId inner = AcceptedIn(value);
    const NodeId null = inner == kNoNode ? kNoNode : NullIn(inner);
    if (null != kNoNode) return null;
  }
  return kNoNode;
}

// Handles a missing actual value: it matches an accepted null.
void ValueSimilarity::AcceptNothing(const Row& row, NodeId accepted, double weight, Cell cell) {
  const NodeId null = NullIn(accepted);
  if (null == kNoNode) return;
  const double set_weight = WeightOfSet(accepted, row.state, weight, /*kept=*/nullptr);
  const Cell of_null = cells_.New(1);
  cells_.Add(of_null, set_weight);
  cells_.SetTotal(of_null, set_weight);
  cells_.AddMatrix({of_null, 1, 1, cell, row.expected, set_weight});
  if (!cells_.keeps_leaves()) return;
  cells_.AddLeaf(null, set_weight, {of_null, kNoNode});
  cells_.AddLeafPair({null, kNoNode, of_null, SimilarityCells::kNoPair, 1});
}

void ValueSimilarity::CompareLeaves(const Row& row, NodeId actual, double weight, Cell cell,
                                    StringPairs& pairs) {
  const LeafTable& e_table = *expected_table_;
  const LeafTable& a_table = *actual_table_;
  const NodeId expected = row.expected;
  const std::vector<std::uint32_t>& marks = paths_.effect(row.state).marks;
  const Normaliser* const normaliser = marks.empty() ? nullptr : &rules_->normalisers[marks.back()];
  std::uint32_t pair = SimilarityCells::kNoPair;
  double similarity = 0;
  if (e_table.kind(expected) == a_table.kind(actual) &&
      e_table.leaf_token(expected) == a_table.leaf_token(actual)) {
    similarity = 1;
  } else {
    const auto on_numbers = [&](double e, double a) {
      NumberSimilarityBatch({&e, 1}, {&a, 1}, rules_->number_tolerance, {&similarity, 1});
    };
    const auto on_texts = [&](std::string_view e, std::string_view a) {
      pair = pairs.Append(e, a, record_);
      cells_.AddPair(cell, weight);
    };
    const auto on_settled = [&](double settled) { similarity = settled; };
    const ValueRef values[] = {{&e_table, expected}, {&a_table, actual}};
    if (normaliser == nullptr) {
      rule_.Compare(values[0], values[1], on_numbers, on_texts, on_settled);
    } else {
      rule_.CompareNormalised(values[0], values[1], *normaliser, on_numbers, on_texts, on_settled);
    }
  }
  cells_.Add(cell, weight * similarity);
  if (cells_.keeps_leaves()) cells_.AddLeafPair({expected, actual, cell, pair, similarity});
}

// Opens two objects or two arrays.
void ValueSimilarity::Open(const Row& row, NodeId actual, double weight, Cell cell) {
  const LeafTable& e = *expected_table_;
  const LeafTable& a = *actual_table_;
  const bool final = paths_.effect(row.state).final;
  Grid grid{.rows_begin = rows_.size(),
            .columns_begin = columns_.size(),
            .rows = 0,
            .columns = 0,
            .all_pairs = false,
            .cell = cell,
            .weight = weight};
  const bool is_object = e.kind(row.expected) == ValueKind::kObject;
  const bool any_order = !is_object && rules_->any_order;
  const PathRules::Symbol* symbols =
      is_object && !final ? paths_.MemberSymbols(e.shape(row.expected)) : nullptr;
  std::uint32_t position = 0;
  for (NodeId child = row.expected + 1; child != e.end(row.expected); child = e.end(child), ++position) {
    State state = row.state;
    if (!final) {
      state = paths_.Next(state, is_object ? symbols[position] : paths_.rules().PositionSymbol(position));
      if (any_order && paths_.effect(state).ignored) continue;  // must not take an element from others
    }
    rows_.push_back({child, state});
  }
  grid.rows = static_cast<std::uint32_t>(rows_.size() - grid.rows_begin);
  for (NodeId child = actual + 1; child != a.end(actual); child = a.end(child)) columns_.push_back(child);
  grid.columns = static_cast<std::uint32_t>(columns_.size() - grid.columns_begin);
  if (is_object && e.shape(row.expected) != a.shape(actual)) {
    const std::uint32_t* const members =
        shapes_->CorrespondingMembers(e.shape(row.expected), a.shape(actual));
    for (std::uint32_t m = 0; m < grid.rows; ++m) {
      columns_.push_back(members[m] == ShapeTable::kNoMember ? kNoNode
                                                             : columns_[grid.columns_begin + members[m]]);
    }
    columns_.erase(columns_.begin() + static_cast<std::ptrdiff_t>(grid.columns_begin),
                   columns_.begin() + static_cast<std::ptrdiff_t>(grid.columns_begin + grid.columns));
  }
  if (any_order && grid.rows > 0 && grid.columns > 0 && grid.rows + grid.columns > 2) {
    PairInAnyOrder(grid, e.token(row.expected), a.token(actual));
  } else {
    PairByPosition(grid);
  }
}

void ValueSimilarity::PairByPosition(Grid grid) {
  columns_.resize(grid.columns_begin + grid.rows, kNoNode);
  grid.columns = grid.rows;
  grids_.push_back(grid);
}

void ValueSimilarity::PairInAnyOrder(const Grid& grid, std::string_view expected, std::string_view actual) {
  if (OpenMatrix(grid, expected.size(), actual.size())) return;
  exact_ = false;
  if (Pay(expected.size() + actual.size())) {
    PairEqualFirst(grid);
  } else {
    PairByPosition(grid);
  }
}

// Adds a matrix that compares all elements with all, if the allowance has enough steps. The steps are
// estimated for three tasks: the walks over the values, the edit distances (as if all bytes were in strings),
// and the assignment. RETURNS: whether it added one.
bool ValueSimilarity::OpenMatrix(Grid grid, std::uint64_t expected_bytes, std::uint64_t actual_bytes) {
  constexpr std::uint64_t kCellsOfAStep = 256;  // in the table of an edit distance
  constexpr std::uint64_t kAssignmentsOfAStep = 128;
  const std::uint64_t rows = grid.rows;
  const std::uint64_t columns = grid.columns;
  if (rows == 0 || columns == 0 || std::max(rows, columns) > kMaxExactAssignment) return false;
  if (!Pay(columns * expected_bytes + rows * actual_bytes + expected_bytes * actual_bytes / kCellsOfAStep +
           rows * columns * std::min(rows, columns) / kAssignmentsOfAStep)) {
    return false;
  }
  const Cell target = grid.cell;
  grid.columns += AddNothings(grid);
  grid.all_pairs = true;
  grid.cell = cells_.New(rows * grid.columns);
  cells_.AddMatrix({grid.cell, grid.rows, grid.columns, target, kNoNode, 0});
  grids_.push_back(grid);
  return true;
}

// Pairs the elements of two arrays at once, if all expected elements are leaves or objects of leaves. Only
// the cells of chosen pairs remain in cells_. RETURNS: false if it left the pairing to Reduce. REQUIRES: the
// cells of the grid are the last ones.
bool ValueSimilarity::SettleMatrix(const Grid& grid) {
  constexpr std::size_t kFewCells = 64;  // a smaller matrix is faster among the pairs of the batch
  const std::size_t size = std::size_t{grid.rows} * grid.columns;
  if (size < kFewCells || cells_.keeps_leaves() || !rules_->paths.empty() || !rules_->any_of_key.empty()) {
    return false;
  }
  if (!ListPlaces(grid)) return false;
  leaf_matrix_.AddTo(cells_.LastMatrix(), grid.weight);
  cells_.PairLastMatrix();
  return true;
}

// Adds the leaves of all elements to leaf_matrix_, place by place. Elements that are leaves are one place;
// each member of each shape of the expected objects is another. RETURNS: false if an expected element is
// anything else, or if texts are too long.
bool ValueSimilarity::ListPlaces(const Grid& grid) {
  const LeafTable& e = *expected_table_;
  const LeafTable& a = *actual_table_;
  const auto shape_of = [](const LeafTable& table, NodeId node) {
    return table.kind(node) == ValueKind::kObject ? std::optional(table.shape(node)) : std::nullopt;
  };
  const std::span rows = std::span(rows_).subspan(grid.rows_begin, grid.rows);
  const std::span columns = std::span(columns_).subspan(grid.columns_begin, grid.columns);
  std::vector<std::optional<ShapeId>> shapes;  // nullopt: leaves
  for (const Row& row : rows) {
    const NodeId node = row.expected;
    if (IsContainer(e.kind(node)) &&
        (e.kind(node) == ValueKind::kArray || e.end(node) - node - 1 != e.leaf_count(node)))
      return false;
    if (std::ranges::find(shapes, shape_of(e, node)) == shapes.end()) shapes.push_back(shape_of(e, node));
  }
  std::vector<NodeId> members;  // of all columns that are objects
  std::vector<std::size_t> first_member;
  for (const NodeId column : columns) {
    first_member.push_back(members.size());
    if (a.kind(column) != ValueKind::kObject) continue;
    for (NodeId child = column + 1; child != a.end(column); child = a.end(child)) members.push_back(child);
  }
  leaf_matrix_.Clear();
  std::vector<NodeId> of_rows(rows.size());
  std::vector<NodeId> of_columns(columns.size());
  for (const std::optional<ShapeId> shape : shapes) {
    const std::size_t places = shape ? shapes_->Keys(*shape).size() : 1;
    for (std::uint32_t place = 0; place < places; ++place) {
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const NodeId node = rows[r].expected;
        of_rows[r] = shape_of(e, node) != shape ? kNoNode : shape ? node + 1 + place : node;
      }
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::optional<ShapeId> its_shape = shape_of(a, columns[c]);
        of_columns[c] = kNoNode;
        if (!shape) {
          of_columns[c] = columns[c];
        } else if (its_shape) {
          const std::uint32_t member =
              its_shape == shape ? place : shapes_->CorrespondingMembers(*shape, *its_shape)[place];
          if (member != ShapeTable::kNoMember) of_columns[c] = members[first_member[c] + member];
        }
      }
      if (!leaf_matrix_.Add(e, of_rows, a, of_columns)) return false;
    }
  }
  return true;
}

// If there are fewer actual elements than expected ones, adds columns without an element: one for each row
// that accepts null, until there are as many columns as rows. REQUIRES: the columns of the grid are the last
// ones. RETURNS: how many it added.
std::uint32_t ValueSimilarity::AddNothings(const Grid& grid) {
  if (rules_->any_of_key.empty() || grid.rows <= grid.columns) return 0;
  std::uint32_t nothings = 0;
  for (std::uint32_t row = 0; row < grid.rows && grid.columns + nothings < grid.rows; ++row) {
    const NodeId accepted = AcceptedIn(rows_[grid.rows_begin + row].expected);
    nothings += accepted != kNoNode && NullIn(accepted) != kNoNode;
  }
  columns_.resize(columns_.size() + nothings, kNoNode);
  return nothings;
}

// Pairs elements with the same text one to one, then the other elements.
void ValueSimilarity::PairEqualFirst(Grid grid) {
  const std::vector<Row> rows(rows_.begin() + static_cast<std::ptrdiff_t>(grid.rows_begin), rows_.end());
  const std::vector<NodeId> columns(columns_.begin() + static_cast<std::ptrdiff_t>(grid.columns_begin),
                                    columns_.end());
  struct Element {
    std::string text;  // with sorted keys
    std::uint32_t index;
  };
  std::vector<Element> expected;
  std::vector<Element> actual;
  for (const Row& row : rows) {
    Element& element = expected.emplace_back(Element{{}, static_cast<std::uint32_t>(expected.size())});
    AppendSortedJson(*expected_table_, *shapes_, row.expected, element.text);
  }
  for (const NodeId column : columns) {
    Element& element = actual.emplace_back(Element{{}, static_cast<std::uint32_t>(actual.size())});
    AppendSortedJson(*actual_table_, *shapes_, column, element.text);
  }
  std::ranges::stable_sort(expected, {}, &Element::text);
  std::ranges::stable_sort(actual, {}, &Element::text);
  std::vector<std::uint32_t> column_of_row(rows.size(), kUnassigned);
  std::vector<bool> taken(columns.size(), false);
  for (std::size_t e = 0, a = 0; e < expected.size() && a < actual.size();) {
    const int order = expected[e].text.compare(actual[a].text);
    if (order == 0) {
      column_of_row[expected[e].index] = actual[a].index;
      taken[actual[a].index] = true;
    }
    e += order <= 0;
    a += order >= 0;
  }
  rows_.resize(grid.rows_begin);
  columns_.resize(grid.columns_begin);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (column_of_row[i] == kUnassigned) continue;
    rows_.push_back(rows[i]);
    columns_.push_back(columns[column_of_row[i]]);
  }
  Grid rest = grid;
  rest.rows_begin = rows_.size();
  rest.columns_begin = columns_.size();
  grid.rows = grid.columns = static_cast<std::uint32_t>(rest.rows_begin - grid.rows_begin);
  rest.rows -= grid.rows;
  rest.columns -= grid.columns;
  std::uint64_t expected_bytes = 0;
  std::uint64_t actual_bytes = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (column_of_row[i] != kUnassigned) continue;
    rows_.push_back(rows[i]);
    expected_bytes += expected_table_->token(rows[i].expected).size();
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (taken[i]) continue;
    columns_.push_back(columns[i]);
    actual_bytes += actual_table_->token(columns[i]).size();
  }
  grids_.push_back(grid);
  if (!OpenMatrix(rest, expected_bytes, actual_bytes)) PairBySharedLeaves(rest);
}

// Adds an element as a row whose cells are its leaves, each with the keys that lead to it.
void ValueSimilarity::AddRow(const LeafTable& table, NodeId element, bool is_expected, RowColumns& side) {
  struct OpenContainer {
    NodeId end;
    ValueId place;
    std::vector<std::string_view> keys;  // keys of an object
    std::size_t next_key = 0;
    bool is_set = false;  // whether its values are at its own place
  };
  std::vector<OpenContainer> open;
  std::string text;
  for (NodeId node = element; node != table.end(element); ++node) {
    while (!open.empty() && open.back().end == node) open.pop_back();
    ValueId place = 0;
    if (!open.empty()) {
      OpenContainer& around = open.back();
      place = around.place;
      if (around.is_set) {
        // The place of the set.
      } else if (!around.keys.empty()) {
        place = ids_.Cell(place, ValueIds::Form::kText, around.keys[around.next_key++]);
      } else {
        place = ids_.Cell(place, ValueIds::Form::kList, {});
      }
    }
    const ValueKind kind = table.kind(node);
    if (is_expected && AcceptedIn(node) != kNoNode) {
      open.push_back({table.end(node), place, {}, 0, true});
      ++node;  // its list
    } else if (kind == ValueKind::kObject) {
      open.push_back({table.end(node), place, shapes_->Keys(table.shape(node))});
    } else if (kind == ValueKind::kArray) {
      open.push_back({table.end(node), place, {}});
    } else {
      text.clear();
      AppendValueText(table, *shapes_, node, text);
      const auto form = IsString(kind) ? ValueIds::Form::kText : ValueIds::Form::kDigits;
      side.cells.push_back(ids_.Cell(place, form, text));
    }
  }
  std::sort(side.cells.begin() + side.cell_begin.back(), side.cells.end());
  side.cell_begin.push_back(static_cast<std::uint32_t>(side.cells.size()));
  side.whole.push_back(1);
  side.key.push_back(0);
}

// Pairs elements by the leaves that they share; elements that share no leaf are paired in order.
void ValueSimilarity::PairBySharedLeaves(Grid grid) {
  RowColumns expected;
  RowColumns actual;
  expected.Clear();
  actual.Clear();
  ids_.Clear();
  for (std::size_t i = grid.rows_begin; i < rows_.size(); ++i)
    AddRow(*expected_table_, rows_[i].expected, /*is_expected=*/true, expected);
  const std::vector<NodeId> columns(columns_.begin() + static_cast<std::ptrdiff_t>(grid.columns_begin),
                                    columns_.end());
  for (const NodeId column : columns) AddRow(*actual_table_, column, /*is_expected=*/false, actual);
  RowPairingRules rules;
  rules.peel = false;
  PairingBudget budget;
  RowPairing pairing;
  pairing.Pair(expected, actual, rules, budget);
  std::size_t free = 0;
  for (std::uint32_t row = 0; row < expected.size(); ++row) {
    const std::uint32_t column = pairing.actual_of()[row];
    NodeId& of_row = columns_.size() > grid.columns_begin + row ? columns_[grid.columns_begin + row]
                                                                : columns_.emplace_back();
    if (column != kUnpaired) {
      of_row = columns[column];
      continue;
    }
    while (free < columns.size() && pairing.expected_of()[free] != kUnpaired) ++free;
    of_row = free < columns.size() ? columns[free++] : kNoNode;
  }
  PairByPosition(grid);
}

bool ValueSimilarity::Pay(std::uint64_t steps) {
  if (steps > allowance_) return false;
  allowance_ -= steps;
  return true;
}

}  // namespace leafscore::internal
