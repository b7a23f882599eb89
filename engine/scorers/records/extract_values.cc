#include "engine/scorers/records/extract_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/languages/python_text.h"
#include "engine/match/target_path.h"
#include "engine/scorers/records/extract_dates.h"

namespace leafscore::internal {
namespace {

using ValueForm = ValueIds::Form;

// The places (ValueIds) at which cells and keys are numbered: texts with folded white space, texts as they
// are, and keys.
constexpr std::uint32_t kFolded = 0;
constexpr std::uint32_t kExact = 1;
constexpr std::uint32_t kKeys = 2;
constexpr std::size_t kMaxExtractCells = std::size_t{1} << 24;

}  // namespace

void ExtractValues::Clear() {
  ids.clear();
  exact.clear();
  values.clear();
  note_of.clear();
  notes.assign(1, {});
  alternatives.clear();
  rows.clear();
  arrays.clear();
  extras.clear();
}

ExtractReader::ExtractReader(const ExtractRules* rules, WorkerTools tools, ValueIds* ids)
    : rules_(rules),
      shapes_(tools.shapes),
      keeps_values_(tools.details == DetailLevel::kLeaves),
      ids_(ids),
      matcher_(&rules->paths, tools.shapes),
      default_texts_(tools),
      known_(rules->schema.object_count()) {}

void ExtractReader::BeginBatch() {
  matcher_.Begin();
  default_texts_.Truncate(0);
  defaults_.assign(rules_->schema.defaults().size(), {});
  for (KnownShape& known : known_) known.known = false;
  other_fields_.clear();
  field_of_other_.clear();
}

std::string_view ExtractReader::FieldPath(std::uint32_t field) const {
  const std::vector<std::string>& fields = rules_->schema.fields();
  return field < fields.size() ? fields[field] : other_fields_[field - fields.size()];
}

// Returns the number of the field for a member that the schema does not name.
std::uint32_t ExtractReader::OtherField(std::string_view key) {
  if (const auto found = field_of_other_.find(key); found != field_of_other_.end()) return found->second;
  const std::uint32_t field = field_count();
  AppendKeyStep(other_fields_.emplace_back(), key);
  field_of_other_.emplace(key, field);
  return field;
}

ValueRef ExtractReader::DefaultOf(std::uint32_t number) {
  ValueRef& value = defaults_[number];
  if (!value.present()) value = default_texts_.Add(rules_->schema.defaults()[number]);
  return value;
}

bool ExtractReader::Read(ValueRef object, bool is_expected, ExtractValues& values) {
  values.Clear();
  values_ = &values;
  is_expected_ = is_expected;
  fits_ = true;
  leaves_ = 0;
  children_.clear();
  values.rows.emplace_back();
  ReadRow(rules_->schema.root(), {object}, PathMatcher::kStart, 0);
  if (!values.note_of.empty()) values.note_of.resize(values.ids.size(), 0);
  return fits_;
}

void ExtractReader::ReadRow(const RowLayout& layout, Source source, State state, std::uint32_t row) {
  ExtractValues& values = *values_;
  fits_ &= values.ids.size() + layout.columns.size() <= kMaxExtractCells &&
           values.arrays.size() + layout.arrays.size() <= kMaxExtractCells;
  if (!fits_) return;
  const std::uint32_t leaves_before = leaves_;
  ExtractValues::Row read = {static_cast<std::uint32_t>(values.ids.size()),
                             static_cast<std::uint32_t>(values.arrays.size())};
  AddCells(layout.columns.size());
  values.arrays.resize(values.arrays.size() + layout.arrays.size());
  ReadObject(layout, 0, source, state, read);
  read.leaves = leaves_ - leaves_before;
  values.rows[row] = read;
}

void ExtractReader::AddCells(std::size_t more) {
  values_->ids.resize(values_->ids.size() + more);
  if (!rules_->paths.empty()) values_->exact.resize(values_->ids.size());
  if (keeps_values_) values_->values.resize(values_->ids.size());
}

void ExtractReader::SetCell(std::uint32_t cell, ExtractCell value) {
  values_->ids[cell] = value.id;
  if (!values_->exact.empty()) values_->exact[cell] = value.exact;
}

// Looks up the members of an object of the schema in a shape.
const ExtractReader::KnownShape& ExtractReader::MembersOf(const RowLayout::Object& object, ShapeId shape,
                                                          bool is_root) {
  KnownShape& known = known_[object.number];
  if (known.known && known.shape == shape) return known;
  known.known = true;
  known.shape = shape;
  known.positions.clear();
  for (const RowLayout::Member& member : object.members) {
    known.positions.push_back(shapes_->FindMember(shape, member.key));
  }
  known.others.clear();
  if (!is_root) return known;
  const std::vector<std::string_view> keys = shapes_->Keys(shape);
  std::vector<bool> is_named(keys.size());
  for (const std::uint32_t position : known.positions) {
    if (position != ShapeTable::kNoMember) is_named[position] = true;
  }
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    if (!is_named[i] && keys[i] != kProvenance) known.others.push_back(i);
  }
  return known;
}

// Reads the members of a value. A value that is not an object has no members, only defaults.
void ExtractReader::ReadObject(const RowLayout& layout, std::uint32_t number, Source source, State state,
                               const ExtractValues::Row& row) {
  using MemberKind = RowLayout::Member::Kind;
  const RowLayout::Object& object = layout.objects[number];
  const bool is_object = source.value.present() && source.value.kind() == ValueKind::kObject;
  const bool is_root = number == 0 && &layout == &rules_->schema.root();
  const std::size_t first_child = children_.size();
  std::span<const std::uint32_t> positions;
  if (is_object) {
    const LeafTable& table = *source.value.table;
    positions = MembersOf(object, table.shape(source.value.node), is_root).positions;
    for (NodeId node = source.value.node + 1; node != table.end(source.value.node); node = table.end(node)) {
      children_.push_back(node);
    }
    if (is_root) ReadOthers(source.value, first_child);
  }
  for (std::size_t m = 0; m < object.members.size() && fits_; ++m) {
    const RowLayout::Member& member = object.members[m];
    Source below = source;
    if (is_object && positions[m] != ShapeTable::kNoMember) {
      below.value.node = children_[first_child + positions[m]];
    } else if (member.default_number != RowLayout::kNoDefault) {
      below = {DefaultOf(member.default_number), true};
    } else {
      continue;
    }
    const State next = NextState(state, member.symbol);
    if (member.kind == MemberKind::kCell) {
      ReadCell(below, next, row.cells + member.index);
    } else if (member.kind == MemberKind::kObject) {
      ReadObject(layout, member.index, below, next, row);
    } else {
      const RowLayout& rows = rules_->schema.layout(layout.arrays[member.index]);
      const ExtractValues::Array array = ReadArray(rows, below, next);
      values_->arrays[row.arrays + member.index] = array;
    }
  }
  children_.resize(first_child);
}

ExtractValues::Array ExtractReader::ReadArray(const RowLayout& layout, Source source, State state) {
  ExtractValues::Array array{.present = true};
  if (source.value.kind() != ValueKind::kArray) return array;
  const LeafTable& table = *source.value.table;
  const NodeId end = table.end(source.value.node);
  for (NodeId node = source.value.node + 1; node != end; node = table.end(node)) ++array.size;
  array.rows = static_cast<std::uint32_t>(values_->rows.size());
  values_->rows.resize(values_->rows.size() + array.size);
  const std::uint32_t leaves_before = leaves_;
  std::uint32_t position = 0;
  for (NodeId node = source.value.node + 1; node != end && fits_; node = table.end(node)) {
    const State next = NextState(state, rules_->paths.PositionSymbol(position));
    ReadRow(layout, {{&table, node}, source.is_default}, next, array.rows + position);
    ++position;
  }
  array.leaves = leaves_ - leaves_before;
  return array;
}

// Reads the members of the whole value that the schema does not name.
void ExtractReader::ReadOthers(ValueRef object, std::size_t first_child) {
  const ShapeId shape = object.table->shape(object.node);
  const std::vector<std::string_view> keys = shapes_->Keys(shape);
  for (const std::uint32_t position : MembersOf(rules_->schema.root().objects[0], shape, true).others) {
    const auto cell = static_cast<std::uint32_t>(values_->ids.size());
    AddCells(1);
    const State next = NextState(PathMatcher::kStart, rules_->paths.KeySymbol(keys[position]));
    ReadCell({{object.table, children_[first_child + position]}}, next, cell);
    values_->extras.push_back({keys[position], OtherField(keys[position]), cell});
  }
  std::ranges::sort(values_->extras, {}, &ExtractValues::Extra::key);
}

void ExtractReader::ReadCell(Source source, State state, std::uint32_t cell) {
  ++leaves_;
  if (keeps_values_) values_->values[cell] = source.value;
  ExtractValues::Note note;
  const bool is_set = is_expected_ && ReadAlternatives(source, cell, note);
  if (!is_set) SetCell(cell, CellOf(source));
  if (!is_expected_ || rules_->paths.empty()) {
    if (!is_set) return;
  } else if (const auto& marks = matcher_.effect(state).marks; !marks.empty()) {
    note.normalisers = rules_->normalisers[marks.back()];
  }
  if (!is_set && note.normalisers == 0) return;
  values_->note_of.resize(values_->ids.size(), 0);
  values_->note_of[cell] = static_cast<std::uint32_t>(values_->notes.size());
  values_->notes.push_back(note);
}

// Reads a set of accepted values. The first is the expected value itself. The others are alternatives, except
// for null. RETURNS: false if the value is not such a set.
bool ExtractReader::ReadAlternatives(Source source, std::uint32_t cell, ExtractValues::Note& note) {
  const auto [table, object] = source.value;
  if (rules_->any_of_key.empty() || table->kind(object) != ValueKind::kObject) return false;
  if (shapes_->member_count(table->shape(object)) != 1 || table->kind(object + 1) != ValueKind::kArray)
    return false;
  if (shapes_->Keys(table->shape(object))[0] != rules_->any_of_key) return false;
  const NodeId first = object + 2;
  const NodeId end = table->end(object + 1);
  if (first == end) return false;
  SetCell(cell, CellOf({{table, first}, source.is_default}));
  note.begin = static_cast<std::uint32_t>(values_->alternatives.size());
  for (NodeId node = table->end(first); node != end; node = table->end(node)) {
    if (table->kind(node) == ValueKind::kNull) continue;
    values_->alternatives.push_back(CellOf({{table, node}, source.is_default}));
  }
  note.end = static_cast<std::uint32_t>(values_->alternatives.size());
  return true;
}

ExtractCell ExtractReader::CellOf(Source source) {
  const ValueKind kind = source.value.kind();
  if (IsString(kind)) return TextCell(source);
  ExtractCell cell{IdOf(source)};
  if (rules_->paths.empty()) return cell;
  if (kind == ValueKind::kFalse) cell.exact = ids_->Cell(kExact, ValueForm::kFalse, {});
  if (kind == ValueKind::kNull) cell.exact = ids_->Cell(kExact, ValueForm::kNull, {});
  return cell;
}

// Returns the text of a value. A text that is a date, and not a default, becomes YYYY-MM-DD.
std::string_view ExtractReader::TextOf(Source source) {
  const auto [table, node] = source.value;
  std::string_view text = table->leaf_token(node);
  if (table->kind(node) == ValueKind::kEscapedString) {
    unescaped_.clear();
    AppendStringText(*table, node, unescaped_);
    text = unescaped_;
  }
  return !source.is_default && ReadExtractDate(text, iso_) ? std::string_view(iso_) : text;
}

ExtractCell ExtractReader::TextCell(Source source) {
  const std::string_view text = TextOf(source);
  ExtractCell cell;
  if (!rules_->paths.empty()) cell.exact = ids_->Cell(kExact, ValueForm::kText, text);
  cell.id = ids_->Cell(kFolded, ValueForm::kText, FoldSpaceRuns(text, folded_));
  return cell;
}

// Returns the number of a value. Texts within it count with their exact white space.
ValueId ExtractReader::IdOf(Source source) {
  constexpr double kBooleans[] = {0, 1};
  const auto number_of = [&](const double& number) {
    return ids_->Cell(kFolded, ValueForm::kDouble, {reinterpret_cast<const char*>(&number), sizeof number});
  };
  const ValueKind kind = source.value.kind();
  switch (kind) {
    case ValueKind::kNull:
      return ids_->Cell(kFolded, ValueForm::kNull, {});
    case ValueKind::kFalse:
    case ValueKind::kTrue:
      return number_of(kBooleans[kind == ValueKind::kTrue]);
    case ValueKind::kNumber:
      return NumberId(source.value.table->leaf_token(source.value.node));
    case ValueKind::kString:
    case ValueKind::kEscapedString:
      return ids_->Cell(kExact, ValueForm::kText, TextOf(source));
    default:
      return ContainerId(source);
  }
}

// An integer and a real are equal only if they are exactly equal, so all digits of large numbers count.
ValueId ExtractReader::NumberId(std::string_view token) {
  constexpr double kExactIntegers = 9007199254740992;  // 2^53
  double number = ParseNumber(token);
  if (std::isnan(number)) return ids_->Unique();
  if (number == 0) number = 0;  // also for -0
  const bool is_integer = IsIntegerToken(token);
  if (std::abs(number) >= kExactIntegers && (is_integer || std::isfinite(number))) {
    return ids_->Cell(kFolded, ValueForm::kDigits,
                      is_integer ? std::string(token) : fmt::format("{:.0f}", number));
  }
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  return ids_->Cell(kFolded, ValueForm::kDouble, {bytes, sizeof number});
}

// Returns the number of an array or object. It depends on the elements of an array and their order, and on
// the members of an object but not on their order.
ValueId ExtractReader::ContainerId(Source source) {
  const auto [table, container] = source.value;
  std::vector<ValueId> parts;
  for (NodeId node = container + 1; node != table->end(container); node = table->end(node)) {
    parts.push_back(IdOf({{table, node}, source.is_default}));
  }
  if (table->kind(container) == ValueKind::kArray) return ids_->List(parts);
  std::vector<std::pair<ValueId, ValueId>> members;
  for (const std::string_view key : shapes_->Keys(table->shape(container))) {
    members.emplace_back(ids_->Cell(kKeys, ValueForm::kText, key), parts[members.size()]);
  }
  std::ranges::sort(members);
  parts.assign(1, ids_->Cell(kKeys, ValueForm::kNull, {}));  // distinguishes it from an array
  for (const auto& [key, value] : members) {
    parts.push_back(key);
    parts.push_back(value);
  }
  return ids_->List(parts);
}

}  // namespace leafscore::internal
