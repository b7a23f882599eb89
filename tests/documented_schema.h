// tests/documented_schema.h: makes parts of the schemas in docs/schemas from the code that writes the
// documents.
#ifndef LEAFSCORE_TESTS_DOCUMENTED_SCHEMA_H_
#define LEAFSCORE_TESTS_DOCUMENTED_SCHEMA_H_

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace leafscore::internal {

inline rapidjson::Value TextOf(std::string_view text, rapidjson::Document& json) {
  return {text.data(), static_cast<rapidjson::SizeType>(text.size()), json.GetAllocator()};
}

// Reads the schema of that name, has edit(document) make the parts that it knows, and expects that nothing
// has changed. With the variable LEAFSCORE_WRITE_SCHEMAS, writes what has.
template <class Edit>
void ExpectSchema(const std::string& name, Edit edit) {
  const std::string path = LEAFSCORE_TEST_DATA "/../../docs/schemas/" + name;
  std::ifstream file(path);
  const std::string there{std::istreambuf_iterator<char>(file), {}};
  rapidjson::Document json;
  json.Parse(there.c_str());
  ASSERT_FALSE(json.HasParseError()) << path;
  edit(json);
  rapidjson::StringBuffer text;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(text);
  writer.SetIndent(' ', 2);
  json.Accept(writer);
  const std::string made = std::string(text.GetString()) + "\n";
  if (std::getenv("LEAFSCORE_WRITE_SCHEMAS") != nullptr) std::ofstream(path) << made;
  EXPECT_TRUE(made == there) << path << " is stale: run this test with LEAFSCORE_WRITE_SCHEMAS=1";
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_DOCUMENTED_SCHEMA_H_
