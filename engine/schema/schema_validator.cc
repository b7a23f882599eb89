#include "engine/schema/schema_validator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/hash.h"
#include "engine/base/utf8.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/match/target_path.h"
#include "engine/schema/canonical_value.h"

namespace leafscore::internal {
namespace {

// RETURNS: a negative number, 0 or a positive one, as a number is less than, equal to or more than a number
// of a schema; nullopt for NaN. `value` is the double nearest to the token.
std::optional<int> CompareWith(std::string_view token, double value, const SchemaNumber& number) {
  constexpr std::size_t kShortToken = 15;
  if (std::isnan(value)) return std::nullopt;
  if (value != number.nearest) return value < number.nearest ? -1 : 1;
  if (IsNamedNumber(token)) return value < 0 ? -1 : 1;
  if (number.is_short && token.size() <= kShortToken) return 0;
  return CompareDecimals(ReadExactDecimal(token), number.exact);
}

std::uint64_t CountChildren(const LeafTable& table, NodeId container) {
  std::uint64_t count = 0;
  for (NodeId child = container + 1; child != table.end(container); child = table.end(child)) ++count;
  return count;
}

std::uint64_t PlanHash(SchemaId schema, ShapeId shape) {
  return HashMix((std::uint64_t{schema} << 32 | shape) ^ HashSeed(), 0x9e3779b97f4a7c15u);
}

}  // namespace

void SchemaValidator::Reset() {
  plans_.clear();
  plan_ids_.Clear();
  std::ranges::fill(last_plans_, nullptr);
}

SchemaValidator::Verdict SchemaValidator::Validate(ValueRef value, SchemaFaults* faults) {
  bool is_valid = Run(value, nullptr);
  if (!is_valid && !stopped_ && faults != nullptr) is_valid = Run(value, faults);
  if (stopped_) {
    Reset();  // a plan may be incomplete
    return Verdict::kTooLong;
  }
  return is_valid ? Verdict::kValid : Verdict::kInvalid;
}

bool SchemaValidator::Run(ValueRef value, SchemaFaults* faults) {
  table_ = value.table;
  faults_ = faults;
  path_.clear();
  const std::uint64_t bytes = table_->token(value.node).size();
  steps_left_ = std::min(kFewSteps + kStepsPerByte * bytes, kMostSteps + kMostStepsPerByte * bytes);
  depth_ = 0;
  stopped_ = false;
  scope_.clear();
  return Check(schema_->root(), value.node, nullptr);
}

bool SchemaValidator::Check(SchemaId id, NodeId value, Evaluated* evaluated) {
  const std::size_t scope = scope_.size();
  const auto enter = [&] {
    const std::uint32_t resource = (*schema_)[id].resource;
    if (schema_->is_dynamic() && (scope_.empty() || scope_.back() != resource)) scope_.push_back(resource);
  };
  enter();
  for (; (*schema_)[id].only_refers; enter()) id = (*schema_)[id].reference;
  bool is_valid = true;
  if ((*schema_)[id].is_true || stopped_) {
    // Nothing can be wrong.
  } else if ((*schema_)[id].is_false) {
    is_valid = FailHere(id);
  } else if (steps_left_ == 0 || depth_ == kMostDepth) {
    stopped_ = true;
  } else {
    --steps_left_;
    ++depth_;
    is_valid = CheckKeywords(id, value, evaluated);
    --depth_;
  }
  scope_.resize(scope);
  return is_valid;
}

bool SchemaValidator::CheckQuietly(SchemaId id, NodeId value, Evaluated* evaluated) {
  SchemaFaults* const faults = std::exchange(faults_, nullptr);
  const bool is_valid = Check(id, value, evaluated);
  faults_ = faults;
  return is_valid;
}

bool SchemaValidator::CheckKeywords(SchemaId id, NodeId value, Evaluated* evaluated) {
  const SchemaNode& schema = (*schema_)[id];
  // Other faults of a value of the wrong type say nothing new.
  if (!HasType(schema.types, value)) return Fail(id, "type");
  Evaluated own;
  Evaluated* const marks = schema.has_unevaluated ? &own : evaluated;
  const ValueKind kind = table_->kind(value);
  bool is_valid = CheckValues(id, schema, value);
  if (kind == ValueKind::kNumber) {
    if (schema.number != nullptr) is_valid &= CheckNumber(id, *schema.number, table_->leaf_token(value));
  } else if (IsString(kind)) {
    if (schema.text != nullptr) is_valid &= CheckText(id, *schema.text, value);
  } else if (kind == ValueKind::kArray) {
    if (schema.array != nullptr) is_valid &= CheckArray(id, *schema.array, value, marks);
  } else if (kind == ValueKind::kObject) {
    if (schema.object != nullptr) is_valid &= CheckObject(id, *schema.object, value, marks);
  }
  if (!is_valid && faults_ == nullptr) return false;
  if (schema.has_applied) is_valid &= CheckApplied(id, schema, value, marks);
  if (!schema.has_unevaluated) return is_valid;
  if (!is_valid && faults_ == nullptr) return false;
  is_valid &= CheckUnevaluated(schema, value, own);
  if (evaluated == nullptr) return is_valid;
  const bool covers_all =
      (kind == ValueKind::kArray && schema.array != nullptr && schema.array->unevaluated != kNoSchema) ||
      (kind == ValueKind::kObject && schema.object != nullptr && schema.object->unevaluated != kNoSchema);
  if (covers_all) own.MarkAll();
  evaluated->Merge(own);
  return is_valid;
}

bool SchemaValidator::CheckValues(SchemaId id, const SchemaNode& schema, NodeId value) {
  if (schema.values.empty()) return true;
  canonical_.clear();
  AppendCanonicalValue(*table_, *shapes_, value, canonical_);
  Spend(table_->end(value) - value);
  bool is_valid = true;
  for (const SchemaValues& values : schema.values) {
    if (!values.texts.contains(canonical_)) is_valid = Fail(id, values.keyword);
  }
  return is_valid;
}

bool SchemaValidator::CheckNumber(SchemaId id, const NumberRules& rules, std::string_view token) {
  bool is_valid = true;
  const double value = ParseNumber(token);
  const auto check = [&](const std::optional<SchemaNumber>& number, std::string_view keyword, auto holds) {
    if (!number) return;
    const std::optional<int> order = CompareWith(token, value, *number);
    if (!order || !holds(*order)) is_valid = Fail(id, keyword);
  };
  check(rules.minimum, "minimum", [](int order) { return order >= 0; });
  check(rules.exclusive_minimum, "exclusiveMinimum", [](int order) { return order > 0; });
  check(rules.maximum, "maximum", [](int order) { return order <= 0; });
  check(rules.exclusive_maximum, "exclusiveMaximum", [](int order) { return order < 0; });
  if (rules.multiple_of &&
      (IsNamedNumber(token) || !IsMultipleOf(ReadExactDecimal(token), *rules.multiple_of)))
    is_valid = Fail(id, "multipleOf");
  return is_valid;
}

std::string_view SchemaValidator::TextOf(NodeId text) {
  if (table_->kind(text) == ValueKind::kString) return table_->leaf_token(text);
  text_.clear();
  AppendStringText(*table_, text, text_);
  return text_;
}

bool SchemaValidator::CheckText(SchemaId id, const TextRules& rules, NodeId value) {
  const std::string_view text = TextOf(value);
  bool is_valid = true;
  // A code point has at most four bytes, so most texts need not be counted.
  if (text.size() > rules.max_length && CountCodePoints(text) > rules.max_length)
    is_valid = Fail(id, "maxLength");
  if (text.size() / 4 < rules.min_length && CountCodePoints(text) < rules.min_length)
    is_valid = Fail(id, "minLength");
  if (rules.pattern != nullptr && !Matches(*rules.pattern, text)) is_valid = Fail(id, "pattern");
  if (rules.format && !IsFormat(*rules.format, text)) is_valid = Fail(id, "format");
  return is_valid;
}

bool SchemaValidator::Matches(const SchemaPattern& pattern, std::string_view text) {
  const JavaScriptRegex::Search found = pattern.Test(text);
  stopped_ |= found != JavaScriptRegex::Search::kFound && found != JavaScriptRegex::Search::kNotFound;
  return found == JavaScriptRegex::Search::kFound || stopped_;
}

bool SchemaValidator::CheckArray(SchemaId id, const ArrayRules& rules, NodeId array, Evaluated* evaluated) {
  bool is_valid = true;
  if (rules.min_items != 0 || rules.max_items != UINT64_MAX) {
    const std::uint64_t count = CountChildren(*table_, array);
    if (count < rules.min_items) is_valid = Fail(id, "minItems");
    if (count > rules.max_items) is_valid = Fail(id, "maxItems");
  }
  if (rules.unique && !IsUnique(array)) is_valid = Fail(id, "uniqueItems");
  std::uint32_t position = 0;
  for (NodeId element = array + 1; element != table_->end(array); element = table_->end(element)) {
    const SchemaId applied = position < rules.prefix.size() ? rules.prefix[position] : rules.items;
    if (applied == kNoSchema) break;
    is_valid &= CheckElement(applied, element, position);
    if (!is_valid && faults_ == nullptr) return false;
    if (evaluated != nullptr) evaluated->Mark(position);
    ++position;
  }
  if (rules.contains != kNoSchema) is_valid &= CheckContains(id, rules, array, evaluated);
  return is_valid;
}

bool SchemaValidator::CheckContains(SchemaId id, const ArrayRules& rules, NodeId array,
                                    Evaluated* evaluated) {
  std::uint64_t count = 0;
  std::uint32_t position = 0;
  for (NodeId element = array + 1; element != table_->end(array); element = table_->end(element)) {
    if (CheckQuietly(rules.contains, element, nullptr)) {
      ++count;
      if (evaluated != nullptr) evaluated->Mark(position);
    }
    ++position;
  }
  if (count < rules.min_contains) return Fail(id, rules.min_contains == 1 ? "contains" : "minContains");
  return count <= rules.max_contains || Fail(id, "maxContains");
}

bool SchemaValidator::IsUnique(NodeId array) {
  canonical_.clear();
  std::vector<std::size_t> begins = {0};
  std::vector<std::uint64_t> hashes;
  IdTable seen;
  const auto text = [&](std::uint32_t element) {
    return std::string_view(canonical_).substr(begins[element], begins[element + 1] - begins[element]);
  };
  Spend(table_->end(array) - array);
  for (NodeId element = array + 1; element != table_->end(array); element = table_->end(element)) {
    AppendCanonicalValue(*table_, *shapes_, element, canonical_);
    begins.push_back(canonical_.size());
    const auto number = static_cast<std::uint32_t>(hashes.size());
    const std::uint64_t hash = HashBytes(text(number), HashSeed());
    const auto equals = [&](std::uint32_t other) {
      return hashes[other] == hash && text(other) == text(number);
    };
    if (seen.Find(hash, equals) != IdTable::kNone) return false;
    hashes.push_back(hash);
    seen.Insert(hash, number, [&](std::uint32_t other) { return hashes[other]; });
  }
  return true;
}

bool SchemaValidator::CheckObject(SchemaId id, const ObjectRules& rules, NodeId object,
                                  Evaluated* evaluated) {
  const ShapeId shape = table_->shape(object);
  const Plan& plan = PlanOf(id, rules, shape);
  bool is_valid = !plan.fails;
  std::vector<std::string_view> keys;
  if (faults_ != nullptr) {
    keys = shapes_->Keys(shape);
    if (plan.fails) ReportKeys(id, rules, shape);
  }
  if (!is_valid && faults_ == nullptr) return false;
  NodeId member = object + 1;
  std::uint32_t next = 0;
  for (std::uint32_t m = 0; m < plan.ends.size(); ++m, member = table_->end(member)) {
    if (evaluated != nullptr && next != plan.ends[m]) evaluated->Mark(m);
    for (; next != plan.ends[m]; ++next) {
      is_valid &= CheckMember(plan.applied[next], member, faults_ == nullptr ? "" : keys[m]);
      if (!is_valid && faults_ == nullptr) return false;
    }
  }
  if (rules.names != kNoSchema) is_valid &= CheckNames(rules, object);
  for (const SchemaId applied : plan.in_place) is_valid &= Check(applied, object, evaluated);
  return is_valid;
}

bool SchemaValidator::CheckNames(const ObjectRules& rules, NodeId object) {
  const LeafTable* const table = table_;
  bool is_valid = true;
  for (const std::string_view key : shapes_->Keys(table->shape(object))) {
    key_table_.Reset(key.data(), /*padded=*/false);
    key_table_.Reserve(1, 0);
    LeafTable::Writer writer(key_table_);
    writer.AddLeaf(ValueKind::kString, 0, static_cast<std::uint32_t>(key.size()));
    writer.Commit();
    table_ = &key_table_;
    is_valid &= CheckMember(rules.names, 0, key);
    table_ = table;
    if (!is_valid && faults_ == nullptr) break;
  }
  return is_valid;
}

bool SchemaValidator::CheckApplied(SchemaId id, const SchemaNode& schema, NodeId value,
                                   Evaluated* evaluated) {
  bool is_valid = true;
  const auto apply = [&](SchemaId applied) {
    if (applied != kNoSchema && (is_valid || faults_ != nullptr))
      is_valid &= Check(applied, value, evaluated);
  };
  apply(schema.reference);
  if (schema.dynamic_reference != kNoSchema) apply(DynamicTarget(schema));
  for (const SchemaId applied : schema.all_of) apply(applied);
  if (!schema.any_of.empty())
    is_valid &= CheckBranches(id, "anyOf", schema.any_of, schema.any_of.size(), value, evaluated);
  if (!schema.one_of.empty()) is_valid &= CheckBranches(id, "oneOf", schema.one_of, 1, value, evaluated);
  if (schema.negated != kNoSchema && CheckQuietly(schema.negated, value, nullptr)) is_valid = Fail(id, "not");
  if (schema.condition == kNoSchema) return is_valid;
  Evaluated of_condition;
  const bool holds = CheckQuietly(schema.condition, value, evaluated == nullptr ? nullptr : &of_condition);
  if (holds && evaluated != nullptr) evaluated->Merge(of_condition);
  apply(holds ? schema.consequence : schema.alternative);
  return is_valid;
}

// Checks that at least one and at most `most` branches hold. If no branch holds, and the value's type fits
// only one of them, the faults of this branch are reported.
bool SchemaValidator::CheckBranches(SchemaId id, std::string_view keyword, std::span<const SchemaId> branches,
                                    std::size_t most, NodeId value, Evaluated* evaluated) {
  std::size_t matches = 0;
  for (const SchemaId branch : branches) {
    Evaluated of_branch;
    if (!CheckQuietly(branch, value, evaluated == nullptr ? nullptr : &of_branch)) continue;
    if (evaluated != nullptr) evaluated->Merge(of_branch);
    ++matches;
    const bool is_settled = matches > most || (most == branches.size() && evaluated == nullptr);
    if (is_settled) break;
  }
  if (matches != 0 && matches <= most) return true;
  if (faults_ != nullptr && matches == 0) {
    const std::uint8_t type = TypeOf(value);
    const auto fits = [&](SchemaId branch) { return ((*schema_)[branch].possible & type) != 0; };
    const auto only = std::ranges::find_if(branches, fits);
    if (only != branches.end() && std::ranges::count_if(branches, fits) == 1)
      return Check(*only, value, nullptr) && Fail(id, keyword);
  }
  return Fail(id, keyword);
}

bool SchemaValidator::CheckUnevaluated(const SchemaNode& schema, NodeId value, const Evaluated& evaluated) {
  const ValueKind kind = table_->kind(value);
  const bool is_object = kind == ValueKind::kObject;
  SchemaId applied = kNoSchema;
  if (is_object && schema.object != nullptr) applied = schema.object->unevaluated;
  if (kind == ValueKind::kArray && schema.array != nullptr) applied = schema.array->unevaluated;
  if (applied == kNoSchema) return true;
  std::vector<std::string_view> keys;
  if (is_object) keys = shapes_->Keys(table_->shape(value));
  bool is_valid = true;
  std::uint32_t position = 0;
  for (NodeId child = value + 1; child != table_->end(value); child = table_->end(child), ++position) {
    if (evaluated.has(position)) continue;
    is_valid &=
        is_object ? CheckMember(applied, child, keys[position]) : CheckElement(applied, child, position);
    if (!is_valid && faults_ == nullptr) return false;
  }
  return is_valid;
}

bool SchemaValidator::CheckElement(SchemaId id, NodeId element, std::uint32_t position) {
  if (faults_ == nullptr) return Check(id, element, nullptr);
  path_.push_back({{}, position});
  const bool is_valid = Check(id, element, nullptr);
  path_.pop_back();
  return is_valid;
}

bool SchemaValidator::CheckMember(SchemaId id, NodeId member, std::string_view key) {
  if (faults_ == nullptr) return Check(id, member, nullptr);
  path_.push_back({key, kKey});
  const bool is_valid = Check(id, member, nullptr);
  path_.pop_back();
  return is_valid;
}

const SchemaValidator::Plan& SchemaValidator::PlanOf(SchemaId id, const ObjectRules& rules, ShapeId shape) {
  const Plan*& last = last_plans_[id];
  if (last != nullptr && last->shape == shape) return *last;
  const std::uint64_t hash = PlanHash(id, shape);
  const auto equals = [&](std::uint32_t plan) {
    return plans_[plan].schema == id && plans_[plan].shape == shape;
  };
  std::uint32_t number = plan_ids_.Find(hash, equals);
  if (number == IdTable::kNone) {
    number = static_cast<std::uint32_t>(plans_.size());
    plans_.push_back(MakePlan(id, rules, shape));
    plan_ids_.Insert(hash, number,
                     [&](std::uint32_t plan) { return PlanHash(plans_[plan].schema, plans_[plan].shape); });
  }
  last = &plans_[number];
  return *last;
}

SchemaValidator::Plan SchemaValidator::MakePlan(SchemaId id, const ObjectRules& rules, ShapeId shape) {
  Plan plan{id, shape, false, {}, {}, {}};
  const auto lacks = [&](const std::string& key) {
    return shapes_->FindMember(shape, key) == ShapeTable::kNoMember;
  };
  for (const std::string_view key : shapes_->Keys(shape)) {
    const std::size_t before = plan.applied.size();
    if (const auto known = rules.properties.find(key); known != rules.properties.end())
      plan.applied.push_back(known->second);
    for (const auto& [pattern, applied] : rules.patterns) {
      if (Matches(*pattern, key)) plan.applied.push_back(applied);
    }
    if (plan.applied.size() == before && rules.additional != kNoSchema)
      plan.applied.push_back(rules.additional);
    plan.ends.push_back(static_cast<std::uint32_t>(plan.applied.size()));
  }
  Spend(plan.ends.size());
  const std::uint64_t count = plan.ends.size();
  plan.fails = count < rules.min_properties || count > rules.max_properties ||
               std::ranges::any_of(rules.required, lacks);
  for (const ObjectRules::Dependency& dependency : rules.dependencies) {
    if (lacks(dependency.key)) continue;
    if (dependency.schema != kNoSchema) plan.in_place.push_back(dependency.schema);
    plan.fails = plan.fails || std::ranges::any_of(dependency.required, lacks);
  }
  return plan;
}

// Adds the faults that make a plan fail.
void SchemaValidator::ReportKeys(SchemaId id, const ObjectRules& rules, ShapeId shape) {
  const auto tell_lacking = [&](const std::vector<std::string>& keys, std::string_view keyword) {
    for (const std::string& key : keys) {
      if (shapes_->FindMember(shape, key) == ShapeTable::kNoMember) FailAtKey(id, keyword, key);
    }
  };
  tell_lacking(rules.required, "required");
  const std::uint64_t count = shapes_->member_count(shape);
  if (count < rules.min_properties) Fail(id, "minProperties");
  if (count > rules.max_properties) Fail(id, "maxProperties");
  for (const ObjectRules::Dependency& dependency : rules.dependencies) {
    if (shapes_->FindMember(shape, dependency.key) != ShapeTable::kNoMember)
      tell_lacking(dependency.required, dependency.keyword);
  }
}

// Returns the schema with the dynamic name in the outermost resource that has such a schema.
SchemaId SchemaValidator::DynamicTarget(const SchemaNode& schema) const {
  if (schema.dynamic_name.empty()) return schema.dynamic_reference;
  for (const std::uint32_t resource : scope_) {
    const SchemaId found = schema_->FindDynamic(resource, schema.dynamic_name);
    if (found != kNoSchema) return found;
  }
  return schema.dynamic_reference;
}

bool SchemaValidator::HasType(std::uint8_t types, NodeId value) const {
  const std::uint8_t any = SchemaTypeOf(table_->kind(value));
  return (types & any) == any || (types & TypeOf(value)) != 0;
}

std::uint8_t SchemaValidator::TypeOf(NodeId value) const {
  const ValueKind kind = table_->kind(value);
  if (kind != ValueKind::kNumber) return SchemaTypeOf(kind);
  return IsWholeNumber(table_->leaf_token(value)) ? SchemaTypes::kInteger : SchemaTypes::kFractions;
}

void SchemaValidator::Spend(std::uint64_t steps) {
  stopped_ |= steps > steps_left_;
  steps_left_ -= std::min(steps, steps_left_);
}

bool SchemaValidator::Fail(SchemaId id, std::string_view keyword) {
  if (faults_ == nullptr) return false;
  std::string schema_path = schema_->Location(id);
  schema_path.append("/").append(keyword);
  AddFault(std::move(schema_path), keyword);
  return false;
}

bool SchemaValidator::FailAtKey(SchemaId id, std::string_view keyword, std::string_view key) {
  path_.push_back({key, kKey});
  Fail(id, keyword);
  path_.pop_back();
  return false;
}

bool SchemaValidator::FailHere(SchemaId id) {
  if (faults_ == nullptr) return false;
  const std::string_view keyword = schema_->KeywordOf(id);
  AddFault(schema_->Location(id), keyword.empty() ? "false" : keyword);
  return false;
}

void SchemaValidator::AddFault(std::string schema_path, std::string_view keyword) {
  std::string path;
  std::string field;
  for (const PathStep& step : path_) {
    if (step.position == kKey) {
      AppendKeyStep(path, step.key);
      AppendKeyStep(field, step.key);
    } else {
      AppendPositionStep(path, step.position);
      field += "[*]";
    }
  }
  if (path_.empty()) path = field = "*";
  Spend(path.size() / 16);
  faults_->Add({std::move(path), std::move(schema_path), std::string(keyword)}, std::move(field));
}

}  // namespace leafscore::internal
