// engine/schema/schema_compiler.h: turns the JSON of a schema into a JsonSchema. It first finds all
// subschemas and their names, then reads the keywords of each, and finally checks that no schema applies to
// itself. Used once for each schema. It does not recurse.
#ifndef LEAFSCORE_ENGINE_SCHEMA_SCHEMA_COMPILER_H_
#define LEAFSCORE_ENGINE_SCHEMA_SCHEMA_COMPILER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/json/json_view.h"
#include "engine/schema/json_schema.h"

namespace leafscore::internal {

class SchemaCompiler {
 public:
  SchemaCompiler(JsonView schema, SchemaOptions options);

  // RETURNS: as JsonSchema::Compile.
  std::unique_ptr<const JsonSchema> Compile(std::string* fault);

 private:
  // A schema with an $id, or the whole schema. Fragments are relative to it.
  struct Resource {
    std::string uri;
    SchemaId root;
    TextMap<std::string, SchemaId> anchors;
  };

  SchemaNode& node(SchemaId id) { return schema_->nodes_[id]; }
  // Returns the number of the schema at a JSON value, after adding the schema if it is new.
  SchemaId Add(JsonView view, SchemaId parent, std::string step, std::uint32_t resource);
  // Returns the number of the schema to which these steps lead from another one, or kNoSchema.
  SchemaId KnownAt(SchemaId from, std::span<const std::string> steps) const;
  // Returns the number of a subschema that Scan has found.
  SchemaId Known(JsonView view) const { return id_of_[view.node() - first_node_]; }

  // Find the subschemas, names and anchors of schemas that were added.
  void ScanAll();
  void Scan(SchemaId id);
  void Name(SchemaId id, JsonView view);
  void AddAnchor(SchemaId id, std::string_view keyword, const std::string& name);

  // Read the keywords of a schema.
  void Read(SchemaId id);
  void ReadReferences(SchemaId id, JsonView view);
  void ReadTypes(SchemaId id, JsonView view);
  void ReadValues(SchemaId id, JsonView view);
  void ReadNumbers(SchemaId id, JsonView view);
  void ReadTexts(SchemaId id, JsonView view);
  void ReadArrays(SchemaId id, JsonView view);
  void ReadObjects(SchemaId id, JsonView view);
  void ReadDependencies(SchemaId id, JsonView view, ObjectRules& rules);
  void ReadApplied(SchemaId id, JsonView view);
  void Simplify(SchemaId id);

  void ReadLimit(SchemaId id, JsonView view, std::string_view keyword, std::uint64_t& limit);
  void ReadBound(SchemaId id, JsonView view, std::string_view keyword, std::optional<SchemaNumber>& bound);
  SchemaId ReadSchema(JsonView view, std::string_view keyword) const;
  std::vector<SchemaId> ReadSchemas(JsonView view, std::string_view keyword) const;
  std::vector<std::string> ReadKeys(SchemaId id, JsonView list, std::string_view keyword);
  std::unique_ptr<const SchemaPattern> ReadPattern(SchemaId id, std::string_view keyword,
                                                   const std::string& pattern);
  SchemaId Resolve(SchemaId from, const std::string& reference);
  SchemaId FindPointer(std::uint32_t resource, std::string_view pointer);

  void Fail(SchemaId id, std::string_view keyword, std::string_view message);

  SchemaOptions options_;
  std::unique_ptr<JsonSchema> schema_ = std::make_unique<JsonSchema>();
  std::vector<JsonView> views_;  // by number
  NodeId first_node_;            // of the whole schema
  std::vector<SchemaId> id_of_;  // by JSON value, counted from there
  std::vector<Resource> resources_;
  TextMap<std::string, std::uint32_t> resource_of_;  // by URI
  TextMap<std::string, SchemaId> id_at_;  // by the number of a schema, and a JSON Pointer from there
  std::uint64_t members_passed_ = 0;      // on the way to schemas at other places
  std::size_t scanned_ = 0;
  std::string fault_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_SCHEMA_COMPILER_H_
