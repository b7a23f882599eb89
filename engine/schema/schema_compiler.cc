#include "engine/schema/schema_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/json/json_scalar.h"
#include "engine/schema/canonical_value.h"
#include "engine/schema/schema_nesting.h"
#include "engine/schema/uri.h"

namespace leafscore::internal {
namespace {

// The content of a keyword's value.
enum class Subschemas : std::uint8_t { kOne, kList, kMap };

// The keywords with subschemas, and the form of their values. ReadApplied refuses a value of another form.
constexpr std::pair<std::string_view, Subschemas> kSubschemaKeywords[] = {
    {"properties", Subschemas::kMap},
    {"items", Subschemas::kOne},
    {"$defs", Subschemas::kMap},
    {"definitions", Subschemas::kMap},
    {"anyOf", Subschemas::kList},
    {"allOf", Subschemas::kList},
    {"oneOf", Subschemas::kList},
    {"not", Subschemas::kOne},
    {"if", Subschemas::kOne},
    {"then", Subschemas::kOne},
    {"else", Subschemas::kOne},
    {"items", Subschemas::kList},
    {"prefixItems", Subschemas::kList},
    {"additionalItems", Subschemas::kOne},
    {"contains", Subschemas::kOne},
    {"unevaluatedItems", Subschemas::kOne},
    {"additionalProperties", Subschemas::kOne},
    {"patternProperties", Subschemas::kMap},
    {"propertyNames", Subschemas::kOne},
    {"dependentSchemas", Subschemas::kMap},
    {"dependencies", Subschemas::kMap},
    {"unevaluatedProperties", Subschemas::kOne},
};

constexpr std::pair<std::string_view, std::uint8_t> kTypeNames[] = {
    {"null", SchemaTypes::kNull},       {"boolean", SchemaTypes::kBoolean}, {"number", SchemaTypes::kNumber},
    {"integer", SchemaTypes::kInteger}, {"string", SchemaTypes::kString},   {"array", SchemaTypes::kArray},
    {"object", SchemaTypes::kObject},
};

// The limit on the work for all references to places that are not subschemas. Such a reference is followed
// step by step, and each step counts all nodes of the value in which it looks.
constexpr std::uint64_t kMostMembersPassed = std::uint64_t{1} << 26;

bool IsBool(JsonView view) { return view.Is(ValueKind::kTrue) || view.Is(ValueKind::kFalse); }
bool MayBeSchema(JsonView view) { return view.Is(ValueKind::kObject) || IsBool(view); }

std::string StepOf(std::string_view keyword, std::string_view key = {}, bool has_key = false) {
  std::string step;
  AppendPointerStep(step, keyword);
  if (has_key) AppendPointerStep(step, key);
  return step;
}

SchemaNumber NumberOf(std::string_view token) {
  constexpr std::size_t kExactDigits = 15;
  SchemaNumber number{ReadExactDecimal(token), ParseNumber(token), false};
  number.is_short = number.exact.digits.size() <= kExactDigits && std::abs(number.exact.exponent) < 200;
  return number;
}

}  // namespace

SchemaCompiler::SchemaCompiler(JsonView schema, SchemaOptions options)
    : options_(options), first_node_(schema.node()) {
  if (!MayBeSchema(schema)) {
    fault_ = "a JSON Schema is an object, or true or false";
    return;
  }
  id_of_.assign(schema.table().end(first_node_) - first_node_, kNoSchema);
  resources_.push_back({"", 0, {}});
  resource_of_.emplace("", 0);
  schema_->root_ = Add(schema, kNoSchema, "", 0);
}

std::unique_ptr<const JsonSchema> SchemaCompiler::Compile(std::string* fault) {
  ScanAll();
  for (SchemaId id = 0; id < views_.size() && fault_.empty(); ++id) Read(id);  // references may add more
  if (fault_.empty()) {
    if (const std::optional<NestingFault> fault_found = CheckNesting(schema_->nodes_))
      Fail(fault_found->schema, "", fault_found->message);
  }
  *fault = fault_;
  return fault_.empty() ? std::move(schema_) : nullptr;
}

void SchemaCompiler::Fail(SchemaId id, std::string_view keyword, std::string_view message) {
  if (!fault_.empty()) return;
  std::string location = schema_->Location(id);
  if (!keyword.empty()) AppendPointerStep(location, keyword);
  fault_ = fmt::format("{}: {}", location, message);
}

SchemaId SchemaCompiler::Add(JsonView view, SchemaId parent, std::string step, std::uint32_t resource) {
  SchemaId& id = id_of_[view.node() - first_node_];
  if (id != kNoSchema) return id;
  id = static_cast<SchemaId>(views_.size());
  views_.push_back(view);
  SchemaNode& added = schema_->nodes_.emplace_back();
  if (parent != kNoSchema) id_at_.emplace(std::to_string(parent) + step, id);
  added.parent = parent;
  added.step = std::move(step);
  added.resource = resource;
  return id;
}

void SchemaCompiler::ScanAll() {
  for (; scanned_ < views_.size(); ++scanned_) Scan(static_cast<SchemaId>(scanned_));
}

void SchemaCompiler::Scan(SchemaId id) {
  const JsonView view = views_[id];
  Name(id, view);
  const std::uint32_t resource = node(id).resource;
  for (const auto& [keyword, form] : kSubschemaKeywords) {
    const JsonView value = view.Member(keyword);
    if (form == Subschemas::kOne) {
      if (MayBeSchema(value)) Add(value, id, StepOf(keyword), resource);
    } else if (form == Subschemas::kMap) {
      value.ForEachMember([&, name = keyword](std::string_view key, JsonView member) {
        if (MayBeSchema(member)) Add(member, id, StepOf(name, key, true), resource);
      });
    } else if (value.Is(ValueKind::kArray)) {
      std::size_t position = 0;
      value.ForEachChild([&, name = keyword](JsonView child) {
        if (MayBeSchema(child)) Add(child, id, StepOf(name, std::to_string(position), true), resource);
        ++position;
      });
    }
  }
}

// Reads $id and the anchors of a schema.
void SchemaCompiler::Name(SchemaId id, JsonView view) {
  if (const JsonView name = view.Member("$id"); name.IsText()) {
    const std::string reference = *name.Text();
    if (reference.starts_with('#')) {  // an anchor of older drafts
      AddAnchor(id, "$id", reference.substr(1));
    } else {
      const std::string uri = ResolveUri(resources_[node(id).resource].uri, reference);
      const auto resource = static_cast<std::uint32_t>(resources_.size());
      resources_.push_back({uri, id, {}});
      if (!resource_of_.emplace(uri, resource).second) Fail(id, "$id", "two schemas have this $id");
      node(id).resource = resource;
    }
  }
  for (const std::string_view keyword : {"$anchor", "$dynamicAnchor"}) {
    if (const JsonView name = view.Member(keyword); name.IsText()) AddAnchor(id, keyword, *name.Text());
  }
  if (const JsonView name = view.Member("$dynamicAnchor"); name.IsText())
    schema_->dynamic_.emplace(std::pair(node(id).resource, *name.Text()), id);
}

void SchemaCompiler::AddAnchor(SchemaId id, std::string_view keyword, const std::string& name) {
  const auto [known, is_new] = resources_[node(id).resource].anchors.emplace(name, id);
  if (!is_new && known->second != id) Fail(id, keyword, "two schemas have this anchor");
}

void SchemaCompiler::Read(SchemaId id) {
  const JsonView view = views_[id];
  if (IsBool(view)) {
    node(id).is_true = view.Is(ValueKind::kTrue);
    node(id).is_false = !node(id).is_true;
    return;
  }
  ReadReferences(id, view);
  ReadTypes(id, view);
  ReadValues(id, view);
  ReadNumbers(id, view);
  ReadTexts(id, view);
  ReadArrays(id, view);
  ReadObjects(id, view);
  ReadApplied(id, view);
  Simplify(id);
}

void SchemaCompiler::ReadReferences(SchemaId id, JsonView view) {
  if (const JsonView dialect = view.Member("$schema"); dialect.present()) {
    const std::optional<std::string> name = dialect.Text();
    if (!dialect.IsText() || name->find("://json-schema.org/") == name->npos)
      Fail(id, "$schema", "only the drafts of json-schema.org are known; name one, or leave $schema out");
  }
  if (view.Member("$recursiveRef").present())
    Fail(id, "$recursiveRef", "draft 2020-12 has $dynamicRef in its place");
  for (const std::string_view keyword : {"$ref", "$dynamicRef"}) {
    const JsonView reference = view.Member(keyword);
    if (!reference.present()) continue;
    if (!reference.IsText()) return Fail(id, keyword, "a reference is a text");
    const std::string text = *reference.Text();
    const SchemaId target = Resolve(id, text);
    if (target == kNoSchema) {
      return Fail(id, keyword,
                  fmt::format("{} is not found; references must be within the schema, so copy what it means "
                              "to $defs, and write #/$defs/NAME",
                              QuoteForMessage(text)));
    }
    if (keyword == "$ref") {
      node(id).reference = target;
      continue;
    }
    node(id).dynamic_reference = target;
    const std::string name = PercentDecoded(SplitUri(text).fragment.value_or(""));
    if (schema_->FindDynamic(node(target).resource, name) != target) continue;
    node(id).dynamic_name = name;
    schema_->is_dynamic_ = true;
  }
}

SchemaId SchemaCompiler::Resolve(SchemaId from, const std::string& reference) {
  const std::string uri = ResolveUri(resources_[node(from).resource].uri, reference);
  const auto found = resource_of_.find(uri);
  if (found == resource_of_.end()) return kNoSchema;
  const std::string fragment = PercentDecoded(SplitUri(reference).fragment.value_or(""));
  const Resource& resource = resources_[found->second];
  if (fragment.empty()) return resource.root;
  if (fragment.starts_with('/')) return FindPointer(found->second, fragment);
  const auto anchor = resource.anchors.find(fragment);
  return anchor == resource.anchors.end() ? kNoSchema : anchor->second;
}

SchemaId SchemaCompiler::KnownAt(SchemaId from, std::span<const std::string> steps) const {
  std::string place = std::to_string(from);
  for (const std::string& step : steps) AppendPointerStep(place, step);
  const auto known = id_at_.find(place);
  return known == id_at_.end() ? kNoSchema : known->second;
}

// A subschema is one or two steps from the schema around it (`not`, `properties/NAME`), and is looked up
// there. Members are searched one by one only for other places.
SchemaId SchemaCompiler::FindPointer(std::uint32_t resource, std::string_view pointer) {
  const std::vector<std::string> steps = *StepsOfPointer(pointer);
  std::span<const std::string> rest = steps;
  SchemaId around = resources_[resource].root;
  while (!rest.empty()) {
    const std::size_t most = std::min<std::size_t>(rest.size(), 2);
    SchemaId next = KnownAt(around, rest.first(most));
    if (next == kNoSchema && most == 2) next = KnownAt(around, rest.first(1));
    if (next == kNoSchema) break;
    const bool is_one = KnownAt(around, rest.first(1)) == next;
    around = next;
    rest = rest.subspan(is_one ? 1 : most);
  }
  if (rest.empty()) return around;
  JsonView at = views_[around];
  std::string way;
  for (const std::string& step : rest) {
    members_passed_ += at.table().end(at.node()) - at.node();
    if (members_passed_ > kMostMembersPassed) return kNoSchema;
    std::size_t position = 0;
    const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), position);
    const bool is_position = error == std::errc() && end == step.data() + step.size();
    at = at.Is(ValueKind::kArray) && is_position ? at.Element(position) : at.Member(step);
    if (!at.present()) return kNoSchema;
    AppendPointerStep(way, step);
  }
  if (!MayBeSchema(at)) return kNoSchema;
  const SchemaId added = Add(at, around, way, node(around).resource);
  ScanAll();
  return added;
}

void SchemaCompiler::ReadTypes(SchemaId id, JsonView view) {
  const JsonView type = view.Member("type");
  if (!type.present()) return;
  std::uint8_t types = 0;
  const auto add = [&](JsonView name) {
    std::vector<std::string_view> names;
    for (const auto& [known, bits] : kTypeNames) {
      if (name.IsText() && *name.Text() == known) {
        types |= bits;
        return;
      }
      names.push_back(known);
    }
    Fail(id, "type", UnknownNameMessage("type", name.Text().value_or("null"), names));
  };
  if (type.Is(ValueKind::kArray)) {
    type.ForEachChild(add);
  } else {
    add(type);
  }
  node(id).types = types;
}

void SchemaCompiler::ReadValues(SchemaId id, JsonView view) {
  for (const std::string_view keyword : {"enum", "const"}) {
    const JsonView value = view.Member(keyword);
    if (!value.present()) continue;
    SchemaValues& values = node(id).values.emplace_back(SchemaValues{keyword, {}});
    const auto add = [&](JsonView member) {
      std::string text;
      AppendCanonicalValue(member.table(), member.shapes(), member.node(), text);
      values.texts.insert(std::move(text));
    };
    if (keyword == "const") {
      add(value);
    } else if (value.Is(ValueKind::kArray)) {
      value.ForEachChild(add);
    } else {
      Fail(id, keyword, "an enum is a list of values");
    }
  }
}

void SchemaCompiler::ReadBound(SchemaId id, JsonView view, std::string_view keyword,
                               std::optional<SchemaNumber>& bound) {
  const JsonView value = view.Member(keyword);
  if (!value.present()) return;
  if (!value.Is(ValueKind::kNumber) || IsNamedNumber(value.Written())) {
    return Fail(id, keyword,
                IsBool(value) ? "it must be a number; what draft 4 wrote as true beside a limit is the limit "
                                "itself here"
                              : "it must be a number");
  }
  bound = NumberOf(value.Written());
}

void SchemaCompiler::ReadNumbers(SchemaId id, JsonView view) {
  auto rules = std::make_unique<NumberRules>();
  ReadBound(id, view, "minimum", rules->minimum);
  ReadBound(id, view, "exclusiveMinimum", rules->exclusive_minimum);
  ReadBound(id, view, "maximum", rules->maximum);
  ReadBound(id, view, "exclusiveMaximum", rules->exclusive_maximum);
  std::optional<SchemaNumber> divisor;
  ReadBound(id, view, "multipleOf", divisor);
  if (divisor) {
    const ExactDecimal& exact = divisor->exact;
    if (exact.is_zero() || exact.negative) Fail(id, "multipleOf", "it must be more than 0");
    if (exact.digits.size() > ExactDecimal::kMostDivisorDigits)
      Fail(id, "multipleOf", "it may have 18 digits at most");
    rules->multiple_of = exact;
  }
  if (rules->minimum || rules->exclusive_minimum || rules->maximum || rules->exclusive_maximum || divisor)
    node(id).number = std::move(rules);
}

void SchemaCompiler::ReadLimit(SchemaId id, JsonView view, std::string_view keyword, std::uint64_t& limit) {
  std::optional<SchemaNumber> number;
  ReadBound(id, view, keyword, number);
  if (!number) return;
  if (number->exact.negative || !number->exact.is_whole())
    return Fail(id, keyword, "it must be a whole number of at least 0");
  constexpr double kMost = 1e18;  // more than any value has
  limit = number->nearest < kMost ? static_cast<std::uint64_t>(number->nearest) : UINT64_MAX;
}

std::unique_ptr<const SchemaPattern> SchemaCompiler::ReadPattern(SchemaId id, std::string_view keyword,
                                                                 const std::string& pattern) {
  auto read = std::make_unique<const SchemaPattern>(pattern);
  if (!read->fault().empty()) {
    Fail(
        id, keyword,
        fmt::format("the regular expression {} cannot be used: {}", QuoteForMessage(pattern), read->fault()));
  }
  return read;
}

void SchemaCompiler::ReadTexts(SchemaId id, JsonView view) {
  auto rules = std::make_unique<TextRules>();
  ReadLimit(id, view, "minLength", rules->min_length);
  ReadLimit(id, view, "maxLength", rules->max_length);
  if (const JsonView pattern = view.Member("pattern"); pattern.present()) {
    if (!pattern.IsText()) return Fail(id, "pattern", "it must be a text");
    rules->pattern = ReadPattern(id, "pattern", *pattern.Text());
  }
  if (const JsonView format = view.Member("format"); format.present()) {
    if (!format.IsText()) return Fail(id, "format", "it must be a text");
    if (options_.formats) rules->format = FindStringFormat(*format.Text());
  }
  if (rules->min_length != 0 || rules->max_length != UINT64_MAX || rules->pattern != nullptr || rules->format)
    node(id).text = std::move(rules);
}

SchemaId SchemaCompiler::ReadSchema(JsonView view, std::string_view keyword) const {
  const JsonView value = view.Member(keyword);
  return MayBeSchema(value) ? Known(value) : kNoSchema;
}

std::vector<SchemaId> SchemaCompiler::ReadSchemas(JsonView view, std::string_view keyword) const {
  std::vector<SchemaId> ids;
  view.Member(keyword).ForEachChild([&](JsonView child) {
    if (MayBeSchema(child)) ids.push_back(Known(child));
  });
  return ids;
}

void SchemaCompiler::ReadArrays(SchemaId id, JsonView view) {
  auto rules = std::make_unique<ArrayRules>();
  ReadLimit(id, view, "minItems", rules->min_items);
  ReadLimit(id, view, "maxItems", rules->max_items);
  if (const JsonView unique = view.Member("uniqueItems"); unique.present()) {
    if (!IsBool(unique)) Fail(id, "uniqueItems", "it must be true or false");
    rules->unique = unique.Is(ValueKind::kTrue);
  }
  rules->prefix = ReadSchemas(view, "prefixItems");
  if (view.Member("items").Is(ValueKind::kArray)) {
    rules->prefix = ReadSchemas(view, "items");
    rules->items = ReadSchema(view, "additionalItems");
  } else {
    rules->items = ReadSchema(view, "items");
  }
  rules->contains = ReadSchema(view, "contains");
  ReadLimit(id, view, "minContains", rules->min_contains);
  ReadLimit(id, view, "maxContains", rules->max_contains);
  rules->unevaluated = ReadSchema(view, "unevaluatedItems");
  node(id).has_unevaluated |= rules->unevaluated != kNoSchema;
  if (rules->min_items != 0 || rules->max_items != UINT64_MAX || rules->unique || rules->names_items() ||
      rules->contains != kNoSchema)
    node(id).array = std::move(rules);
}

std::vector<std::string> SchemaCompiler::ReadKeys(SchemaId id, JsonView list, std::string_view keyword) {
  std::vector<std::string> keys;
  TextSet<std::string> known;
  bool is_list = list.Is(ValueKind::kArray);
  list.ForEachChild([&](JsonView key) {
    is_list = is_list && key.IsText();
    std::string text = key.Text().value_or("");
    if (known.insert(text).second) keys.push_back(std::move(text));
  });
  if (!is_list) Fail(id, keyword, "it must be a list of keys");
  return keys;
}

void SchemaCompiler::ReadDependencies(SchemaId id, JsonView view, ObjectRules& rules) {
  for (const std::string_view keyword : {"dependentRequired", "dependentSchemas", "dependencies"}) {
    const JsonView dependencies = view.Member(keyword);
    if (dependencies.present() && !dependencies.Is(ValueKind::kObject))
      Fail(id, keyword, "it must be an object");
    dependencies.ForEachMember([&](std::string_view key, JsonView value) {
      ObjectRules::Dependency& dependency =
          rules.dependencies.emplace_back(ObjectRules::Dependency{keyword, std::string(key), {}, kNoSchema});
      if (keyword != "dependentRequired" && MayBeSchema(value)) {
        dependency.schema = Known(value);
      } else if (keyword != "dependentSchemas") {
        dependency.required = ReadKeys(id, value, keyword);
      }
    });
  }
}

void SchemaCompiler::ReadObjects(SchemaId id, JsonView view) {
  auto rules = std::make_unique<ObjectRules>();
  ReadLimit(id, view, "minProperties", rules->min_properties);
  ReadLimit(id, view, "maxProperties", rules->max_properties);
  if (const JsonView required = view.Member("required"); required.present())
    rules->required = ReadKeys(id, required, "required");
  view.Member("properties").ForEachMember([&](std::string_view key, JsonView value) {
    if (MayBeSchema(value)) rules->properties.emplace(key, Known(value));
  });
  view.Member("patternProperties").ForEachMember([&](std::string_view key, JsonView value) {
    if (!MayBeSchema(value)) return;
    auto pattern = ReadPattern(id, "patternProperties", std::string(key));
    rules->patterns.emplace_back(std::move(pattern), Known(value));
  });
  rules->additional = ReadSchema(view, "additionalProperties");
  rules->names = ReadSchema(view, "propertyNames");
  ReadDependencies(id, view, *rules);
  rules->unevaluated = ReadSchema(view, "unevaluatedProperties");
  node(id).has_unevaluated |= rules->unevaluated != kNoSchema;
  if (rules->min_properties != 0 || rules->max_properties != UINT64_MAX || !rules->required.empty() ||
      rules->names_members() || rules->names != kNoSchema || !rules->dependencies.empty())
    node(id).object = std::move(rules);
}

// Checks that the value of every keyword with subschemas has the right form, and reads the schemas that apply
// to the same value.
void SchemaCompiler::ReadApplied(SchemaId id, JsonView view) {
  for (const auto& [keyword, form] : kSubschemaKeywords) {
    const JsonView value = view.Member(keyword);
    if (!value.present()) continue;
    bool is_right = form == Subschemas::kOne    ? MayBeSchema(value)
                    : form == Subschemas::kList ? value.Is(ValueKind::kArray)
                                                : value.Is(ValueKind::kObject);
    if (keyword == "items" && value.Is(ValueKind::kArray) != (form == Subschemas::kList)) continue;
    if (form != Subschemas::kOne) {
      value.ForEachChild([&, name = keyword](JsonView child) {
        is_right =
            is_right && (MayBeSchema(child) || (name == "dependencies" && child.Is(ValueKind::kArray)));
      });
    }
    if (is_right) continue;
    Fail(id, keyword,
         form == Subschemas::kOne    ? "a schema must stand here: an object, or true or false"
         : form == Subschemas::kList ? "it must be a list of schemas"
                                     : "it must be an object of schemas");
  }
  SchemaNode& read = node(id);
  read.all_of = ReadSchemas(view, "allOf");
  read.any_of = ReadSchemas(view, "anyOf");
  read.one_of = ReadSchemas(view, "oneOf");
  read.negated = ReadSchema(view, "not");
  read.condition = ReadSchema(view, "if");
  if (read.condition == kNoSchema) return;
  read.consequence = ReadSchema(view, "then");
  read.alternative = ReadSchema(view, "else");
}

void SchemaCompiler::Simplify(SchemaId id) {
  SchemaNode& read = node(id);
  const bool has_others = read.dynamic_reference != kNoSchema || !read.all_of.empty() ||
                          !read.any_of.empty() || !read.one_of.empty() || read.negated != kNoSchema ||
                          read.condition != kNoSchema;
  const bool has_reference = read.reference != kNoSchema;
  const bool is_plain = read.types == SchemaTypes::kAll && read.number == nullptr && read.text == nullptr &&
                        read.array == nullptr && read.object == nullptr && read.values.empty() && !has_others;
  read.has_applied = has_reference || has_others;
  read.only_refers = is_plain && has_reference;
  read.is_true = is_plain && !has_reference;
}

}  // namespace leafscore::internal
