// engine/scorers/records/extract_schema.h: a JSON Schema as ExtractBench reads it: which values are cells,
// which are objects whose members count, and which are arrays of rows. Everything that the schema does not
// take apart is one cell.
//
// A row is an object together with all objects in it, but without its arrays of rows. Its cells are columns,
// as in a table, and its arrays of rows have layouts of their own. The whole value is a row, too. THREADS:
// immutable once made.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_SCHEMA_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_SCHEMA_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/config_value.h"
#include "engine/config/options.h"
#include "engine/match/path_rules.h"
#include "engine/scorers/records/inlined_schema.h"

namespace leafscore::internal {

// The member of the whole value that says where the value comes from. It is not scored.
inline constexpr std::string_view kProvenance = "_provenance";

// Returns how similar texts under a key must be to count as equal; 0 if they must be the same.
double LikenessOf(std::string_view key);

struct RowLayout {
  static constexpr std::uint32_t kNoDefault = 0xffffffffu;

  struct Member {
    enum class Kind : std::uint8_t { kCell, kObject, kRows };
    std::string key;
    Kind kind;
    std::uint32_t index;  // of the column, the object or the array
    std::uint32_t default_number = kNoDefault;
    PathRules::Symbol symbol = PathRules::kOtherKey;
  };
  struct Object {
    std::vector<Member> members;
    std::uint32_t number = 0;  // among all objects of the schema
  };
  struct Column {
    std::uint32_t field;  // number of the field
    double likeness = 0;
  };

  std::vector<Object> objects;  // the first is the row itself
  std::vector<Column> columns;
  std::vector<std::uint32_t> arrays;  // numbers of the layouts of their rows
  bool is_flat = true;                // without objects and arrays of rows in it
  bool has_likeness = false;
};

class ExtractSchema {
 public:
  // Reads the option `schema`. Without it, nothing is known of the value. `paths` gives the symbols of keys
  // and is used only during this call. ERRORS: Error(kUsage) if the schema is not an object, a $ref leads
  // nowhere, or there are too many fields.
  ExtractSchema(const OptionReader& options, const PathRules& paths);

  const RowLayout& root() const { return layouts_[0]; }
  const RowLayout& layout(std::uint32_t number) const { return layouts_[number]; }
  std::uint32_t object_count() const { return objects_; }
  // Returns the paths of the fields, by number: a.b[*].c.
  const std::vector<std::string>& fields() const { return fields_; }
  // Returns the defaults as JSON, by number.
  const std::vector<std::string>& defaults() const { return defaults_; }
  // Returns the top-level key of the schema that equals `key` apart from case. RETURNS: `key` itself if there
  // is no such key or more than one.
  std::string_view CanonicalKey(std::string_view key) const;

 private:
  using Node = InlinedSchema::Node;
  using Properties = InlinedSchema::Properties;

  void AddMembers(std::uint32_t layout, std::uint32_t object, const Properties& properties,
                  const std::string& path);
  void AddMember(std::uint32_t layout, std::uint32_t object, std::string_view key, const Node& node,
                 std::string path);
  void AddCell(RowLayout& row, std::uint32_t object, RowLayout::Member member, std::string path);
  void AddObject(std::uint32_t layout);
  void AddCanonicalKeys(const ConfigValue& schema);

  // Only while the schema is read.
  const OptionReader* options_;
  const PathRules* paths_;
  InlinedSchema* schema_;

  std::vector<RowLayout> layouts_;
  std::uint32_t objects_ = 0;
  std::vector<std::string> fields_;
  std::vector<std::string> defaults_;
  std::map<std::string, std::string, std::less<>> key_of_folded_;  // empty for several keys
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_EXTRACT_SCHEMA_H_
