#include "engine/scorers/records/omni_values.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/languages/python_repr.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/records/metadata_keys.h"
#include "engine/scorers/records/omni_key.h"

namespace leafscore::internal {
namespace {

using ValueForm = ValueIds::Form;

constexpr std::size_t kMaxPlaces = 1 << 16;
// The places (ValueIds) at which values are numbered. An address is numbered at the address above it.
constexpr std::uint32_t kKeysOfValues = 0;
constexpr std::uint32_t kWrittenValues = std::numeric_limits<std::uint32_t>::max();

// Returns the first branch of a schema that is not empty and whose type is not null, or the schema itself if
// there is no such branch.
InlinedSchema::Node BranchOf(InlinedSchema& schema, const InlinedSchema::Node& node) {
  for (const std::string_view keyword : {"anyOf", "oneOf", "allOf"}) {
    for (InlinedSchema::Node& branch : schema.Branches(node, keyword)) {
      const ConfigValue* const type = InlinedSchema::Keyword(branch, "type");
      const bool is_null = type != nullptr && type->scalar == "null";
      if (!branch.empty() && !is_null) return std::move(branch);
    }
  }
  return node;
}

// Returns whether an object takes keys that its schema does not name.
bool IsOpenMap(InlinedSchema& schema, const InlinedSchema::Node& node) {
  for (const std::string_view keyword : {"anyOf", "oneOf", "allOf"}) {
    for (const InlinedSchema::Node& branch : schema.Branches(node, keyword)) {
      if (IsOpenMap(schema, branch)) return true;
    }
  }
  const ConfigValue* const extra = InlinedSchema::Keyword(node, "additionalProperties");
  return extra != nullptr && (extra->kind == ConfigValue::Kind::kMap || AsBool(*extra).value_or(false));
}

}  // namespace

OmniSchema::OmniSchema(const OptionReader& options) {
  InlinedSchema schema(options);
  if (!options.Has("schema")) {
    throw options.MakeError("schema",
                            "this revision needs the JSON Schema that the answers were asked for by");
  }
  AddPlace(options, schema, schema.Root());
  if (schema.has_cycle()) {
    throw options.MakeError("schema", "it refers to itself; write out as many levels as the values have");
  }
}

void OmniSchema::AddPlace(const OptionReader& options, InlinedSchema& schema,
                          const InlinedSchema::Node& written) {
  if (places_.size() == kMaxPlaces) {
    throw options.MakeError("schema", "it has more than 65,536 fields; leave some of them out");
  }
  const std::size_t place = places_.size();
  places_.emplace_back();
  const InlinedSchema::Node node = BranchOf(schema, written);
  places_[place].is_open = IsOpenMap(schema, node);
  if (places_[place].is_open) return;
  const InlinedSchema::Properties properties = schema.OwnProperties(node);
  const bool has_items = InlinedSchema::Keyword(node, "items") != nullptr;
  places_[place].is_value = properties.empty() && !has_items;
  for (const auto& [key, below] : properties) {
    places_[place].members.emplace(key, static_cast<std::uint32_t>(places_.size()));
    AddPlace(options, schema, below);
  }
  if (!has_items) return;
  places_[place].element = static_cast<std::uint32_t>(places_.size());
  AddPlace(options, schema, schema.Below(node, "items"));
}

void OmniReader::BeginBatch(bool all) {
  constexpr std::size_t kKeptFields = 1 << 14;
  matcher_.Begin();
  if (all) key_of_.clear();
  if (fields_.size() > kKeptFields) fields_.Clear();
}

ValueRef OmniReader::WithoutEnvelope(ValueRef value) const {
  while (value.present() && value.kind() == ValueKind::kObject) {
    const std::vector<std::string_view> keys = shapes_->Keys(value.table->shape(value.node));
    const auto found = std::ranges::find(keys, kValueKey);
    const bool is_envelope =
        found != keys.end() && keys.size() > 1 && std::ranges::all_of(keys, [](std::string_view key) {
          return key == kValueKey || IsMetadataKey(key);
        });
    if (!is_envelope) break;
    value.node = value.table->Child(value.node, static_cast<std::uint32_t>(found - keys.begin()));
  }
  return value;
}

void OmniReader::Read(ValueRef value, bool is_answer, OmniValues& values) {
  values = {};
  values.table = value.table;
  values_ = &values;
  is_answer_ = is_answer;
  OpenRow row;
  value = WithoutEnvelope(value);
  const bool is_object = value.present() && value.kind() == ValueKind::kObject;
  const ValueId start = ids_->Cell(kKeysOfValues, ValueForm::kNull, {});
  if (is_object)
    ReadValue(value, {rules_->schema.root(), PathMatcher::kStart, start, FieldPaths::kRoot}, row);
  values.rows.push_back(Close(row));
}

void OmniReader::ReadValue(ValueRef value, const Where& where, OpenRow& row) {
  const OmniSchema::Place& known = rules_->schema[where.place];
  if (known.is_open) return;
  value = WithoutEnvelope(value);
  if (value.kind() == ValueKind::kObject) return ReadObject(value, where, row);
  if (value.kind() == ValueKind::kArray) return ReadArray(value, where, row);
  if (const ValueId key = KeyOf(value); key != 0)
    row.leaves.push_back({where.address, key, where.field, value.node, known.is_value});
}

void OmniReader::ReadObject(ValueRef object, const Where& where, OpenRow& row) {
  const LeafTable& table = *object.table;
  const OmniSchema::Place& known = rules_->schema[where.place];
  const std::vector<std::string_view> keys = shapes_->Keys(table.shape(object.node));
  NodeId node = object.node + 1;
  for (const std::string_view key : keys) {
    const NodeId member = std::exchange(node, table.end(node));
    if (is_answer_ && IsSidecar(key, keys)) continue;
    const auto below = known.members.find(key);
    ReadValue({&table, member},
              {below == known.members.end() ? OmniSchema::kUnknown : below->second,
               matcher_.Next(where.state, rules_->paths.KeySymbol(key)),
               ids_->Cell(where.address, ValueForm::kText, key), fields_.Member(where.field, key)},
              row);
  }
}

void OmniReader::ReadArray(ValueRef array, const Where& where, OpenRow& row) {
  const LeafTable& table = *array.table;
  const Where of_element{rules_->schema[where.place].element,
                         matcher_.Next(where.state, PathRules::kOtherPosition),
                         ids_->Cell(kKeysOfValues, ValueForm::kNull, {}), fields_.Element(where.field)};
  OmniValues::Array read{.address = where.address, .in_order = !matcher_.effect(where.state).marks.empty()};
  std::vector<OmniValues::Row> rows;
  std::uint32_t position = 0;
  for (NodeId node = array.node + 1; node != table.end(array.node); node = table.end(node), ++position) {
    OpenRow open;
    ReadValue({&table, node}, of_element, open);
    if (open.leaves.empty() && open.arrays.empty()) continue;
    OmniValues::Row& closed = rows.emplace_back(Close(open));
    closed.position = position;
    closed.is_object = WithoutEnvelope({&table, node}).kind() == ValueKind::kObject;
    read.values += closed.values;
    read.asked_for += closed.asked_for;
    read.is_flat &= closed.arrays_begin == closed.arrays_end;
  }
  if (rows.empty()) return;
  read.rows_begin = static_cast<std::uint32_t>(values_->rows.size());
  values_->rows.insert(values_->rows.end(), rows.begin(), rows.end());
  read.rows_end = static_cast<std::uint32_t>(values_->rows.size());
  row.arrays.push_back(read);
}

// Stores the leaves and arrays of a row.
OmniValues::Row OmniReader::Close(OpenRow& open) {
  OmniValues& values = *values_;
  std::ranges::sort(open.leaves, {}, &OmniValues::Leaf::address);
  std::ranges::sort(open.arrays, {}, &OmniValues::Array::address);
  OmniValues::Row row;
  row.leaves_begin = static_cast<std::uint32_t>(values.leaves.size());
  row.arrays_begin = static_cast<std::uint32_t>(values.arrays.size());
  for (const OmniValues::Leaf& leaf : open.leaves) {
    values.leaves.push_back(leaf);
    ++row.values;
    row.asked_for += leaf.is_asked_for;
  }
  for (const OmniValues::Array& array : open.arrays) {
    values.arrays.push_back(array);
    row.values += array.values;
    row.asked_for += array.asked_for;
    for (std::uint32_t i = array.rows_begin; i < array.rows_end; ++i) {
      row.object_rows += values.rows[i].object_rows + (values.rows[i].is_object ? 1 : 0);
    }
  }
  row.leaves_end = static_cast<std::uint32_t>(values.leaves.size());
  row.arrays_end = static_cast<std::uint32_t>(values.arrays.size());
  return row;
}

// Returns the number of a leaf's form; 0 if the leaf states nothing.
ValueId OmniReader::KeyOf(ValueRef leaf) {
  const ValueKind kind = leaf.kind();
  if (kind == ValueKind::kNull) return 0;
  text_.clear();
  AppendPythonText(*leaf.table, *shapes_, leaf.node, text_, PythonNumbers::kAsRead);
  if (IsString(kind) && SkipSpace(text_, 0) == text_.size()) return 0;
  const bool is_boolean = kind == ValueKind::kTrue || kind == ValueKind::kFalse;
  const ValueId written = ids_->Cell(kWrittenValues, is_boolean ? ValueForm::kTrue : ValueForm::kText, text_);
  if (written >= key_of_.size()) key_of_.resize(ids_->limit(), 0);
  if (key_of_[written] == 0) {
    const ValueId key = ids_->Cell(kKeysOfValues, ValueForm::kText, OmniKey(text_, is_boolean));
    key_of_[written] = key;
  }
  return key_of_[written];
}

}  // namespace leafscore::internal
