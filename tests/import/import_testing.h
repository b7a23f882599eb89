// tests/import/import_testing.h: shared by the tests of imported files.
#ifndef LEAFSCORE_TESTS_IMPORT_IMPORT_TESTING_H_
#define LEAFSCORE_TESTS_IMPORT_IMPORT_TESTING_H_

#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <string>

namespace leafscore::internal {

using Json = rapidjson::Value;

inline std::string TextOf(const Json& value) {
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  value.Accept(writer);
  return text.GetString();
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_IMPORT_IMPORT_TESTING_H_
