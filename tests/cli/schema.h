// tests/cli/schema.h: checks JSON against the schemas in docs/schemas.
#ifndef LEAFSCORE_TESTS_CLI_SCHEMA_H_
#define LEAFSCORE_TESTS_CLI_SCHEMA_H_

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidjson/schema.h>
#include <rapidjson/stringbuffer.h>

#include <string>

#include "run/run_testing.h"

namespace leafscore::internal {

class Schema {
 public:
  explicit Schema(const std::string& name)
      : document_(ParseLine(ReadFile(LEAFSCORE_SOURCE_DIR "/docs/schemas/" + name + ".json"))),
        schema_(document_) {}

  // Returns what is wrong with a JSON text, or "".
  std::string Fault(const std::string& json) const {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseValidateEncodingFlag>(json.c_str());
    if (document.HasParseError()) return "no JSON: " + json;
    rapidjson::SchemaValidator validator(schema_);
    if (document.Accept(validator)) return "";
    rapidjson::StringBuffer place;
    validator.GetInvalidDocumentPointer().StringifyUriFragment(place);
    return fmt::format("{} is wrong at {}: {}", validator.GetInvalidSchemaKeyword(), place.GetString(), json);
  }

  void ExpectValidLines(const std::string& text) const {
    EXPECT_NE(text, "");
    for (const std::string& line : SplitLines(text)) EXPECT_EQ(Fault(line), "");
  }

 private:
  rapidjson::Document document_;
  rapidjson::SchemaDocument schema_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_CLI_SCHEMA_H_
