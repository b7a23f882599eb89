// engine/schema/json_schema.h: a compiled JSON Schema (draft 2020-12). Its subschemas are nodes in one array,
// with references resolved, patterns compiled and numbers read. engine/schema/schema_validator.h checks
// values against the schema.
//
// It also reads what older drafts wrote in another way: `definitions`, `dependencies`, and an array as
// `items`, with `additionalItems`. Keywords that it does not know are ignored. References stay within the
// schema.
// THREADS: immutable once made.
#ifndef LEAFSCORE_ENGINE_SCHEMA_JSON_SCHEMA_H_
#define LEAFSCORE_ENGINE_SCHEMA_JSON_SCHEMA_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/json/json_view.h"
#include "engine/schema/exact_decimal.h"
#include "engine/schema/formats.h"
#include "engine/schema/schema_pattern.h"

namespace leafscore::internal {

using SchemaId = std::uint32_t;
inline constexpr SchemaId kNoSchema = 0xffffffffu;

// Types of values, as bits. An integer is a number, too.
struct SchemaTypes {
  enum : std::uint8_t {
    kNull = 1,
    kBoolean = 2,
    kFractions = 4,  // numbers that are not whole
    kInteger = 8,
    kString = 16,
    kArray = 32,
    kObject = 64,
    kNumber = kFractions | kInteger,
    kAll = 127,
  };
};

// A number in a schema, ready to be compared with tokens.
struct SchemaNumber {
  ExactDecimal exact;
  double nearest = 0;
  bool is_short = false;  // at most 15 digits, so that comparing the doubles of two such numbers is exact
};

struct NumberRules {
  std::optional<SchemaNumber> minimum;
  std::optional<SchemaNumber> exclusive_minimum;
  std::optional<SchemaNumber> maximum;
  std::optional<SchemaNumber> exclusive_maximum;
  std::optional<ExactDecimal> multiple_of;
};

struct TextRules {
  std::uint64_t min_length = 0;  // in code points
  std::uint64_t max_length = UINT64_MAX;
  std::unique_ptr<const SchemaPattern> pattern;
  std::optional<StringFormat> format;  // only if formats are checked
};

struct ArrayRules {
  std::uint64_t min_items = 0;
  std::uint64_t max_items = UINT64_MAX;
  bool unique = false;
  std::vector<SchemaId> prefix;  // prefixItems, or an array as items
  SchemaId items = kNoSchema;    // of the elements after the prefix
  SchemaId contains = kNoSchema;
  std::uint64_t min_contains = 1;
  std::uint64_t max_contains = UINT64_MAX;
  SchemaId unevaluated = kNoSchema;

  bool names_items() const { return !prefix.empty() || items != kNoSchema || unevaluated != kNoSchema; }
};

struct ObjectRules {
  std::uint64_t min_properties = 0;
  std::uint64_t max_properties = UINT64_MAX;
  std::vector<std::string> required;
  TextMap<std::string, SchemaId> properties;
  std::vector<std::pair<std::unique_ptr<const SchemaPattern>, SchemaId>> patterns;
  SchemaId additional = kNoSchema;
  SchemaId names = kNoSchema;
  // The keys or the schema that the presence of a key requires. `keyword` is the keyword that says so.
  struct Dependency {
    std::string_view keyword;
    std::string key;
    std::vector<std::string> required;
    SchemaId schema = kNoSchema;
  };
  std::vector<Dependency> dependencies;
  SchemaId unevaluated = kNoSchema;

  bool names_members() const {
    return !properties.empty() || !patterns.empty() || additional != kNoSchema || unevaluated != kNoSchema;
  }
};

// The values of `enum` or `const`, by their canonical texts (engine/schema/canonical_value.h).
struct SchemaValues {
  std::string_view keyword;
  TextSet<std::string> texts;
};

struct SchemaNode {
  std::uint8_t types = SchemaTypes::kAll;     // of `type` alone
  std::uint8_t possible = SchemaTypes::kAll;  // types that the whole schema allows, apart from `not` and `if`
  bool is_true = false;                       // allows everything
  bool is_false = false;                      // allows nothing
  bool only_refers = false;                   // has no keyword but $ref
  bool has_unevaluated = false;
  bool has_applied = false;  // other schemas apply to the same value
  SchemaId reference = kNoSchema;
  // $dynamicRef: the schema to which it would lead as a $ref, and the anchor's name if the target depends on
  // the scope.
  SchemaId dynamic_reference = kNoSchema;
  std::string dynamic_name;
  std::uint32_t resource = 0;

  std::unique_ptr<NumberRules> number;
  std::unique_ptr<TextRules> text;
  std::unique_ptr<ArrayRules> array;
  std::unique_ptr<ObjectRules> object;
  std::vector<SchemaValues> values;  // enum and const
  std::vector<SchemaId> all_of;
  std::vector<SchemaId> any_of;
  std::vector<SchemaId> one_of;
  SchemaId negated = kNoSchema;
  SchemaId condition = kNoSchema;  // if
  SchemaId consequence = kNoSchema;
  SchemaId alternative = kNoSchema;

  // The place of this schema: the JSON Pointer `step`, relative to `parent`. Its first step is the keyword.
  SchemaId parent = kNoSchema;
  std::string step;

  // Calls visit(id) for each schema that applies to the same value. A $dynamicRef counts like a $ref.
  template <class Visit>
  void ForEachInPlace(Visit visit) const {
    for (const SchemaId one : {reference, dynamic_reference, negated, condition, consequence, alternative}) {
      if (one != kNoSchema) visit(one);
    }
    for (const auto* const list : {&all_of, &any_of, &one_of}) {
      for (const SchemaId id : *list) visit(id);
    }
    if (object == nullptr) return;
    for (const ObjectRules::Dependency& dependency : object->dependencies) {
      if (dependency.schema != kNoSchema) visit(dependency.schema);
    }
  }
};

struct SchemaOptions {
  bool formats = false;  // whether `format` is checked
};

class JsonSchema {
 public:
  // The most schemas that may apply to one value, each within the other.
  static constexpr std::uint32_t kMostNested = 256;

  // Compiles a schema; the text may be dropped afterwards.
  // RETURNS: null for a wrong schema; *fault is then a sentence about what is wrong and where.
  static std::unique_ptr<const JsonSchema> Compile(JsonView schema, SchemaOptions options,
                                                   std::string* fault);
  // The same for the text of a schema.
  static std::unique_ptr<const JsonSchema> Compile(std::string_view json, SchemaOptions options,
                                                   std::string* fault);

  SchemaId root() const { return root_; }
  const SchemaNode& operator[](SchemaId id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }

  // Returns whether a $dynamicRef may lead to other schemas than its static one.
  bool is_dynamic() const { return is_dynamic_; }
  // RETURNS: the schema with this $dynamicAnchor in a resource, or kNoSchema.
  SchemaId FindDynamic(std::uint32_t resource, std::string_view name) const;

  // RETURNS: where a schema stands, as #/properties/total.
  std::string Location(SchemaId id) const;
  // RETURNS: the keyword under which a schema stands, as its value or within its value; empty for the root.
  std::string_view KeywordOf(SchemaId id) const;

 private:
  friend class SchemaCompiler;

  std::vector<SchemaNode> nodes_;
  SchemaId root_ = 0;
  bool is_dynamic_ = false;
  std::map<std::pair<std::uint32_t, std::string>, SchemaId, std::less<>> dynamic_;  // by resource and name
};

// RETURNS: the type of a value, from SchemaTypes; kNumber for a number, whole or not.
std::uint8_t SchemaTypeOf(ValueKind kind);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_JSON_SCHEMA_H_
