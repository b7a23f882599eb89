// Schemas and values: what is told about faults, wrong schemas, and limits. The official tests have the rest.
#include "engine/schema/schema_validator.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/json/json_value.h"
#include "engine/schema/schema_fit.h"

namespace leafscore::internal {
namespace {

std::string CompileFault(const std::string& schema) {
  std::string fault;
  EXPECT_EQ(JsonSchema::Compile(schema, {}, &fault), nullptr);
  return fault;
}

// A schema, and values held against it.
class Held {
 public:
  explicit Held(const std::string& schema, SchemaOptions options = {}) {
    std::string fault;
    schema_ = JsonSchema::Compile(schema, options, &fault);
    EXPECT_EQ(fault, "");
  }

  SchemaValidator::Verdict Verdict(const std::string& json) {
    const JsonView view = value_.Read(json);
    EXPECT_TRUE(view.present()) << json;
    SchemaValidator validator(schema_.get(), &value_.shapes());
    return validator.Validate({&value_.table(), view.node()}, nullptr);
  }
  // Returns "PATH KEYWORD SCHEMA_PATH; ..."
  std::string Faults(const std::string& json) {
    const JsonView view = value_.Read(json);
    SchemaValidator validator(schema_.get(), &value_.shapes());
    SchemaFaults faults;
    validator.Validate({&value_.table(), view.node()}, &faults);
    std::string text;
    for (const SchemaFault& fault : faults.listed()) {
      if (!text.empty()) text += "; ";
      text += fault.path + " " + fault.keyword + " " + fault.schema_path;
    }
    return text;
  }
  // Returns "ALLOWED/CELLS PRESENT/REQUIRED".
  std::string Fit(const std::string& json) {
    const JsonView view = value_.Read(json);
    SchemaFitCounter counter(schema_.get(), &value_.shapes());
    const SchemaFit fit = counter.Count({&value_.table(), view.node()});
    return std::to_string(fit.allowed) + "/" + std::to_string(fit.cells) + " " + std::to_string(fit.present) +
           "/" + std::to_string(fit.required);
  }

 private:
  std::unique_ptr<const JsonSchema> schema_;
  JsonValue value_{JsonOptions{}};
};

constexpr char kInvoice[] = R"({"type": "object", "required": ["id", "lines"], "additionalProperties": false,
  "properties": {"id": {"type": "string", "minLength": 2},
                 "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}}},
  "$defs": {"line": {"type": "object", "required": ["sku"], "properties": {
    "sku": {"type": "string", "pattern": "^[A-Z]+[0-9]$"}, "qty": {"type": "integer", "minimum": 1}}}}})";

TEST(SchemaValidator, TellsWhereAndHow) {
  Held held(kInvoice);
  EXPECT_EQ(held.Faults(R"({"id": "INV", "lines": [{"sku": "A1", "qty": 2.0}]})"), "");
  EXPECT_EQ(held.Faults(R"({"id": "I", "lines": [{"sku": "a", "qty": 0}, {"qty": "2"}], "x.y": 1})"),
            "id minLength #/properties/id/minLength; "
            "lines[0].sku pattern #/$defs/line/properties/sku/pattern; "
            "lines[0].qty minimum #/$defs/line/properties/qty/minimum; "
            "lines[1].sku required #/$defs/line/required; "
            "lines[1].qty type #/$defs/line/properties/qty/type; "
            R"(["x.y"] additionalProperties #/additionalProperties)");
  EXPECT_EQ(held.Faults("[]"), "* type #/type");
}

TEST(SchemaValidator, TellsTheFaultsOfTheOnlyBranchForTheType) {
  Held held(R"({"anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "null"}]})");
  EXPECT_EQ(held.Faults(R"({"a": 1})"), "a type #/anyOf/0/properties/a/type");
  EXPECT_EQ(held.Faults("5"), "* anyOf #/anyOf");
  Held several(R"({"anyOf": [{"type": "string", "maxLength": 1}, {"type": "string", "minLength": 3}]})");
  EXPECT_EQ(several.Faults(R"("ab")"), "* anyOf #/anyOf");
}

TEST(SchemaValidator, OneWrongKeyDoesNotHideAnother) {
  Held held(R"({"dependentRequired": {"a": ["b"]}, "maxProperties": 1, "propertyNames": {"maxLength": 1}})");
  EXPECT_EQ(held.Faults(R"({"a": 1, "cc": 2})"),
            "* maxProperties #/maxProperties; b dependentRequired #/dependentRequired; "
            "cc maxLength #/propertyNames/maxLength");
}

TEST(SchemaValidator, NumbersAreExact) {
  Held held(R"({"exclusiveMaximum": 9007199254740993, "multipleOf": 0.01})");
  EXPECT_EQ(held.Faults("9007199254740992"), "");
  EXPECT_EQ(held.Faults("9007199254740993"), "* exclusiveMaximum #/exclusiveMaximum");
  EXPECT_EQ(held.Faults("19.99"), "");
  EXPECT_EQ(held.Faults("1e400"), "* exclusiveMaximum #/exclusiveMaximum");
  EXPECT_EQ(held.Faults("-Infinity"), "* multipleOf #/multipleOf");
  EXPECT_EQ(held.Faults("NaN"), "* exclusiveMaximum #/exclusiveMaximum; * multipleOf #/multipleOf");
}

TEST(SchemaValidator, LengthsAreCodePoints) {
  Held held(R"({"minLength": 2, "maxLength": 2})");
  EXPECT_EQ(held.Faults(R"("\ud83d\ude00é")"), "");
  EXPECT_EQ(held.Faults(R"("😀")"), "* minLength #/minLength");
  EXPECT_EQ(held.Faults(R"("日本語")"), "* maxLength #/maxLength");
}

TEST(SchemaValidator, RefusesWrongSchemas) {
  EXPECT_EQ(CompileFault("[]"), "a JSON Schema is an object, or true or false");
  EXPECT_EQ(CompileFault("{"), "it is not JSON, or nests deeper than 1,024 levels");
  EXPECT_EQ(CompileFault(R"({"properties": {"a": {"type": "strng"}}})").substr(0, 42),
            "#/properties/a/type: unknown type \"strng\";");
  EXPECT_EQ(CompileFault(R"({"properties": {"a": 5}})"), "#/properties: it must be an object of schemas");
  EXPECT_EQ(CompileFault(R"({"minLength": -1})"), "#/minLength: it must be a whole number of at least 0");
  EXPECT_EQ(CompileFault(R"({"multipleOf": 0})"), "#/multipleOf: it must be more than 0");
  EXPECT_EQ(CompileFault(R"({"required": "a"})"), "#/required: it must be a list of keys");
  EXPECT_EQ(
      CompileFault(R"({"$ref": "other.json"})"),
      "#/$ref: \"other.json\" is not found; references must be within the schema, so copy what it means "
      "to $defs, and write #/$defs/NAME");
  EXPECT_NE(CompileFault(R"({"pattern": "("})").find("regular expression"), std::string::npos);
  EXPECT_NE(CompileFault(R"({"maximum": 5, "exclusiveMaximum": true})").find("draft 4"), std::string::npos);
}

TEST(SchemaValidator, RefusesSchemasThatNeverEnd) {
  EXPECT_EQ(CompileFault(R"({"$ref": "#"})"),
            "#: this schema applies itself to the same value, which would never end");
  EXPECT_EQ(
      CompileFault(
          R"({"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}})"),
      "#/$defs/a: this schema applies itself to the same value, which would never end");
  Held recursive(R"({"properties": {"next": {"$ref": "#"}}, "additionalProperties": false})");
  EXPECT_EQ(recursive.Faults(R"({"next": {"next": {}}})"), "");
  EXPECT_EQ(recursive.Faults(R"({"next": {"other": {}}})"),
            "next.other additionalProperties #/additionalProperties");
}

// A schema in which each of `count` definitions applies the next one in place, `times` times over.
std::string ChainOf(int count, int times) {
  std::string defs;
  for (int i = 0; i < count; ++i) {
    const std::string next = R"({"$ref": "#/$defs/d)" + std::to_string(i + 1) + R"("})";
    defs += "\"d" + std::to_string(i) + R"(": {"allOf": [)" + next;
    for (int t = 1; t < times; ++t) defs += ", " + next;
    defs += "]}, ";
  }
  defs += "\"d" + std::to_string(count) + R"(": {"type": "integer"})";
  return R"({"$ref": "#/$defs/d0", "$defs": {)" + defs + "}}";
}

TEST(SchemaValidator, LimitsHowDeepSchemasNest) {
  // A chain of n definitions has n of them with allOf, each with a $ref in it, the last one, and the root.
  const int most = (JsonSchema::kMostNested - 2) / 2;
  EXPECT_EQ(Held(ChainOf(most, 1)).Faults("5"), "");
  EXPECT_NE(CompileFault(ChainOf(most + 1, 1)).find("more than 256 schemas apply to one value"),
            std::string::npos);
  EXPECT_NE(CompileFault(ChainOf(10'000, 1)).find("more than 256 schemas"), std::string::npos);
}

TEST(SchemaValidator, LimitsItsWork) {
  EXPECT_EQ(Held(ChainOf(8, 2)).Verdict("5"), SchemaValidator::Verdict::kValid);
  EXPECT_EQ(Held(ChainOf(60, 2)).Verdict("5"), SchemaValidator::Verdict::kTooLong);
  std::string deep = "5";
  for (int i = 0; i < 1000; ++i) deep = "[" + deep + "]";
  EXPECT_EQ(Held(R"({"items": {"$ref": "#"}})").Verdict(deep), SchemaValidator::Verdict::kValid);
  // Five schemas for each level, which is too many; one is not.
  EXPECT_EQ(
      Held(R"({"allOf": [{"anyOf": [{"oneOf": [{"allOf": [{"items": {"$ref": "#"}}]}]}]}]})").Verdict(deep),
      SchemaValidator::Verdict::kTooLong);
}

TEST(SchemaValidator, HugeEnumsAndSetsAreHashed) {
  std::string values;
  for (int i = 0; i < 100'000; ++i) values += (i == 0 ? "" : ",") + std::to_string(i);
  Held held(R"({"items": {"enum": [)" + values + R"(]}, "uniqueItems": true})");
  EXPECT_EQ(held.Faults("[" + values + "]"), "");
  EXPECT_EQ(held.Faults("[7, 7.0]"), "* uniqueItems #/uniqueItems");
  EXPECT_EQ(held.Faults("[100000]"), "[0] enum #/items/enum");
}

TEST(SchemaValidator, ListsOnlySoManyFaults) {
  Held held(R"({"items": {"type": "string"}})");
  std::string numbers = "[0";
  for (std::size_t i = 1; i <= SchemaFaults::kMostListed; ++i) numbers += ",0";
  numbers += ']';
  JsonValue value{JsonOptions{}};
  const JsonView view = value.Read(numbers);
  std::string fault;
  const auto schema = JsonSchema::Compile(R"({"items": {"type": "string"}})", {}, &fault);
  SchemaFaults faults;
  SchemaValidator(schema.get(), &value.shapes()).Validate({&value.table(), view.node()}, &faults);
  EXPECT_EQ(faults.total(), SchemaFaults::kMostListed + 1);
  EXPECT_EQ(faults.listed().size(), SchemaFaults::kMostListed);
  EXPECT_TRUE(faults.cut());
  ASSERT_EQ(faults.counts().size(), 1u);
  EXPECT_EQ(faults.counts().begin()->first.first, "[*]");
  EXPECT_EQ(faults.counts().begin()->second, SchemaFaults::kMostListed + 1);
}

TEST(SchemaFitCounter, CountsTypesAndRequiredKeys) {
  Held held(kInvoice);
  EXPECT_EQ(held.Fit(R"({"id": "INV", "lines": [{"sku": "A1", "qty": 2}]})"), "3/3 3/3");
  EXPECT_EQ(held.Fit(R"({"id": 5, "lines": [{"sku": "a", "qty": 2.5}, {"qty": 2}], "x": [1, "y"]})"),
            "2/6 3/4");
  EXPECT_EQ(held.Fit(R"({"id": "", "lines": null})"), "0/0 2/2");
  EXPECT_EQ(held.Fit(R"("text")"), "0/1 0/2");
  EXPECT_EQ(held.Fit(R"({"lines": {"sku": "A"}})"), "0/1 1/2");
}

TEST(SchemaFitCounter, AnyBranchAllowsAType) {
  Held held(R"({"properties": {"a": {"anyOf": [{"type": "number"}, {"$ref": "#/$defs/b"}]}, "c": true,
                               "d": {"enum": ["x", 1]}},
                "$defs": {"b": {"type": "object", "required": ["x"], "properties": {"x": {"type": "boolean"}}}}})");
  EXPECT_EQ(held.Fit(R"({"a": 5, "c": [1, {"z": "y"}], "d": 1})"), "4/4 0/0");
  EXPECT_EQ(held.Fit(R"({"a": {"x": true}, "d": false})"), "1/2 1/1");
  EXPECT_EQ(held.Fit(R"({"a": {"y": 1}})"), "0/1 0/1");
  EXPECT_EQ(Held("{}").Fit(R"({"a": [1, "b"]})"), "2/2 0/0");
}

}  // namespace
}  // namespace leafscore::internal
