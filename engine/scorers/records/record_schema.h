// engine/scorers/records/record_schema.h: a JSON Schema as configuration of the scorer `records`: defaults,
// dates, ordered arrays, and our options in `x-leafscore`. It validates nothing. THREADS: immutable once
// made.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_SCHEMA_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_SCHEMA_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/config_value.h"
#include "engine/config/options.h"
#include "engine/scorers/records/record_rules.h"

namespace leafscore::internal {

// Reads an option `schema`, which is a schema or the path of a file with one.
// ERRORS: Error(kUsage) if it is not an object.
ConfigValue ReadSchemaOption(const OptionReader& options, const ConfigValue& given);

// Returns the target of a reference such as #/$defs/Name within a schema, or null.
const ConfigValue* TargetOfReference(const ConfigValue& schema, std::string_view reference);

class RecordSchema {
 public:
  // All schemas that apply to one place, including those reached through $ref, allOf, anyOf and oneOf.
  using Set = std::vector<const ConfigValue*>;

  // Reads the option `schema`, an object or the path of a file, and all x-leafscore in it.
  // ERRORS: Error(kUsage) if it is not an object, a $ref leads nowhere, or an x-leafscore has an unknown
  // option.
  RecordSchema(const OptionReader& options, const ConfigValue& schema, RecordRules& rules);

  const Set& root() const { return root_; }
  Set Member(const Set& object, std::string_view key) const;
  Set Element(const Set& array) const;

  // Return what the schemas of a place say about it.
  static const ConfigValue* DefaultOf(const Set& place);
  static bool IsDate(const Set& place);
  static bool IsTuple(const Set& place);
  // Returns the rule of an x-leafscore, or null.
  const PlaceRule* RuleOf(const Set& place) const;

 private:
  void Expand(const ConfigValue& schema, Set& set) const;
  void ReadRules(const OptionReader& options, const ConfigValue& schema, RecordRules& rules);

  ConfigValue schema_;
  std::map<const ConfigValue*, PlaceRule> rules_;  // by the value of x-leafscore
  Set root_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_RECORD_SCHEMA_H_
