#include "engine/base/run_options.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include <concepts>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/choices.h"
#include "tests/documented_schema.h"

namespace leafscore::internal {
namespace {

using Json = rapidjson::Document;

// Returns the JSON Schema of the values of an option.
template <class Value>
rapidjson::Value SchemaOf(const auto& option, const Value& value, Json& json) {
  auto& memory = json.GetAllocator();
  rapidjson::Value schema(rapidjson::kObjectType);
  if constexpr (std::is_enum_v<Value>) {
    rapidjson::Value names(rapidjson::kArrayType);
    for (const auto& choice : ChoicesOf(value)) names.PushBack(TextOf(choice.name, json), memory);
    schema.AddMember("enum", names, memory);
  } else if constexpr (std::same_as<Value, bool>) {
    schema.AddMember("type", "boolean", memory);
  } else if constexpr (std::unsigned_integral<Value>) {
    schema.AddMember("type", "integer", memory);
    schema.AddMember("minimum", option.limit == nullptr ? 0 : option.limit->min, memory);
    if (option.limit != nullptr) schema.AddMember("maximum", option.limit->max, memory);
  } else if constexpr (std::same_as<Value, std::string>) {
    schema.AddMember("type", "string", memory);
  } else {
    static_assert(std::same_as<Value, std::vector<std::string>>);
    schema.AddMember("type", "array", memory);
    schema.AddMember("items", rapidjson::Value(rapidjson::kObjectType).AddMember("type", "string", memory),
                     memory);
  }
  if (option.named_if_changed) schema.AddMember("description", "Only if it was given.", memory);
  return schema;
}

// Sets the schema of the options that a manifest names.
void SetOptions(const char* pointer, Json& json) {
  auto& memory = json.GetAllocator();
  rapidjson::Value properties(rapidjson::kObjectType);
  rapidjson::Value required(rapidjson::kArrayType);
  ForEachOption(FileOptions(), [&](const auto& option, const auto& value) {
    if (option.effect != Effect::kScores && option.effect != Effect::kLines) return;
    properties.AddMember(TextOf(option.name, json), SchemaOf(option, value, json), memory);
    if (!option.named_if_changed) required.PushBack(TextOf(option.name, json), memory);
  });
  rapidjson::Value csv_raw(rapidjson::kObjectType);
  csv_raw.AddMember("const", true, memory);
  csv_raw.AddMember("description", "Only if texts of a CSV were left as they are.", memory);
  properties.AddMember("csv_raw", csv_raw, memory);
  rapidjson::Value* const options = rapidjson::Pointer(pointer).Get(json);
  ASSERT_NE(options, nullptr);
  (*options)["properties"] = properties;
  (*options)["required"] = required;
}

TEST(RunOptions, TheSchemasOfTheDocumentationAreMadeFromThem) {
  ExpectSchema("manifest.json", [](Json& schema) { SetOptions("/properties/options", schema); });
  ExpectSchema("summary.json",
               [](Json& schema) { SetOptions("/properties/provenance/properties/options", schema); });
}

TEST(RunOptions, EachHasANameOfItsOwn) {
  std::set<std::string_view> names;
  std::size_t count = 0;
  ForEachOption(FileOptions(), [&](const auto& option, const auto&) {
    names.insert(option.name);
    ++count;
  });
  EXPECT_EQ(names.size(), count);
}

TEST(RunOptions, DefaultsAreWithinTheirLimits) {
  CheckLimits(EngineOptions());
  CheckLimits(FileOptions());
}

TEST(RunOptions, PairsHaveOnlyTheOptionsOfTheEngine) {
  std::set<std::string_view> names;
  ForEachOption(EngineOptions(), [&](const auto& option, const auto&) { names.insert(option.name); });
  EXPECT_TRUE(names.contains("max_depth"));
  EXPECT_FALSE(names.contains("id_field"));
}

TEST(RunOptions, OnlyThoseThatChangeNoScoreMayDiffer) {
  EXPECT_TRUE(MayDiffer("details"));
  EXPECT_TRUE(MayDiffer("id_field"));
  EXPECT_TRUE(MayDiffer("csv_raw"));
  EXPECT_FALSE(MayDiffer("max_pair_cells"));
  EXPECT_FALSE(MayDiffer("source_field"));
  EXPECT_FALSE(MayDiffer("an option of a later version"));
}

}  // namespace
}  // namespace leafscore::internal
