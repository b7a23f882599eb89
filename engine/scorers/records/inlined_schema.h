// engine/scorers/records/inlined_schema.h: a JSON Schema with the targets of its references in their places,
// as evaluators in Python prepare it. A keyword beside a reference wins over the one of its target, and a
// reference within its own target stands for nothing. THREADS: one at a time; it is used while options are
// read.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_INLINED_SCHEMA_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_INLINED_SCHEMA_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/config/config_value.h"
#include "engine/config/options.h"

namespace leafscore::internal {

class InlinedSchema {
 public:
  // The schemas that make up one: itself, then the targets of its references. The first that has a keyword
  // wins. `references` are those that were followed to it.
  struct Part {
    const ConfigValue* schema;
    std::uint32_t references;
  };
  using Node = std::vector<Part>;
  using Properties = std::vector<std::pair<std::string_view, Node>>;

  // Reads the option `schema`; without it, the schema is empty. REQUIRES: `options` outlives this.
  // ERRORS: Error(kUsage) if it is not an object; the calls below, if a $ref leads nowhere, or all of them
  // lead to too many schemas.
  explicit InlinedSchema(const OptionReader& options);

  const ConfigValue& schema() const { return schema_; }
  Node Root() { return Resolved(schema_, 0); }
  // Returns whether any reference was met within its own target.
  bool has_cycle() const { return has_cycle_; }

  // Returns the value of a keyword, or null.
  static const ConfigValue* Keyword(const Node& node, std::string_view keyword);
  static bool HasType(const Node& node, std::string_view type);
  // Returns the schema in a keyword; empty if there is none, or it says nothing.
  Node Below(const Node& node, std::string_view keyword);
  // Returns the schemas in the list of a keyword.
  std::vector<Node> Branches(const Node& node, std::string_view keyword);
  // Returns the properties that the schema itself names.
  Properties OwnProperties(const Node& node);

 private:
  // A reference that is being followed, and the one in whose target it is.
  struct Reference {
    std::string_view target;
    std::uint32_t around;
  };

  Node Resolved(const ConfigValue& schema, std::uint32_t references);
  bool Follows(std::uint32_t references, std::string_view target) const;

  const OptionReader& options_;
  ConfigValue schema_;
  std::vector<Reference> references_ = {{}};  // the first is none
  std::uint64_t resolved_ = 0;
  bool has_cycle_ = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_INLINED_SCHEMA_H_
