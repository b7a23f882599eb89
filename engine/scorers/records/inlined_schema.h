// engine/scorers/records/inlined_schema.h: a JSON Schema in which references are replaced by their targets,
// as evaluators in Python prepare it. A keyword beside a reference wins over the same keyword of the target.
// A reference inside its own target is left out. THREADS: one at a time; it is used while options are read.
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
  // The schemas that together make up one: the schema itself, then the targets of its references. For each
  // keyword, the first schema that has it wins. `references` stands for the references that led to the
  // schema.
  struct Part {
    const ConfigValue* schema;
    std::uint32_t references;
  };
  using Node = std::vector<Part>;
  using Properties = std::vector<std::pair<std::string_view, Node>>;

  // Reads the option `schema`; without it, the schema is empty. REQUIRES: `options` outlives this.
  // ERRORS: Error(kUsage) if the schema is not an object. The calls below throw it if a $ref leads nowhere,
  // or if all references together lead to too many schemas.
  explicit InlinedSchema(const OptionReader& options);

  const ConfigValue& schema() const { return schema_; }
  Node Root() { return Resolved(schema_, 0); }
  // Returns whether any reference was met within its own target.
  bool has_cycle() const { return has_cycle_; }

  // Returns the value of a keyword, or null.
  static const ConfigValue* Keyword(const Node& node, std::string_view keyword);
  static bool HasType(const Node& node, std::string_view type);
  // Returns the schema under a keyword; an empty one if the keyword is missing or its schema says nothing.
  Node Below(const Node& node, std::string_view keyword);
  // Returns the schemas in the list of a keyword.
  std::vector<Node> Branches(const Node& node, std::string_view keyword);
  // Returns the properties that the schema itself names.
  Properties OwnProperties(const Node& node);

 private:
  // A reference that was followed, and the index of the reference whose target contains it.
  struct Reference {
    std::string_view target;
    std::uint32_t around;
  };

  Node Resolved(const ConfigValue& schema, std::uint32_t references);
  bool Follows(std::uint32_t references, std::string_view target) const;

  const OptionReader& options_;
  ConfigValue schema_;
  std::vector<Reference> references_ = {{}};  // index 0 stands for no reference
  std::uint64_t resolved_ = 0;
  bool has_cycle_ = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_INLINED_SCHEMA_H_
