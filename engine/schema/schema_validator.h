// engine/schema/schema_validator.h: checks values of leaf tables against a compiled schema.
//
// The keywords about keys (properties, required and the like) are looked up once for each schema and shape,
// not for each object. The work on a value is limited, because a schema may require more work than anybody
// can wait for. THREADS: one at a time; each worker owns one for each schema.
#ifndef LEAFSCORE_ENGINE_SCHEMA_SCHEMA_VALIDATOR_H_
#define LEAFSCORE_ENGINE_SCHEMA_SCHEMA_VALIDATOR_H_

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/match/pair_walker.h"
#include "engine/schema/json_schema.h"
#include "engine/schema/schema_faults.h"

namespace leafscore::internal {

class SchemaValidator {
 public:
  enum class Verdict : std::uint8_t {
    kValid,
    kInvalid,
    kTooLong,  // it would take more steps or nest deeper than allowed
  };
  // The steps allowed for a value: a few, and more for each byte, up to a maximum that grows more slowly. A
  // step is a schema that is applied to a value, or a node of a value that is compared.
  static constexpr std::uint64_t kFewSteps = std::uint64_t{1} << 20;
  static constexpr std::uint64_t kStepsPerByte = 512;
  static constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 26;
  static constexpr std::uint64_t kMostStepsPerByte = 16;
  // The most schemas that may be applied at a time, each within the other.
  static constexpr std::uint32_t kMostDepth = 1024;

  // REQUIRES: both outlive this.
  SchemaValidator(const JsonSchema* schema, ShapeTable* shapes)
      : schema_(schema), shapes_(shapes), last_plans_(schema->size()) {}

  // Forgets what it knows about shapes. REQUIRES: called whenever the table of shapes was cleared.
  void Reset();

  // Checks a value against the schema. If it is invalid, adds all its faults to `faults`, unless that is
  // null.
  Verdict Validate(ValueRef value, SchemaFaults* faults);

 private:
  // Which children of a value are evaluated, for unevaluatedItems and unevaluatedProperties.
  class Evaluated {
   public:
    void Mark(std::size_t child) {
      if (child >= marks_.size()) marks_.resize(child + 1);
      marks_[child] = true;
    }
    void MarkAll() { all_ = true; }
    bool has(std::size_t child) const { return all_ || (child < marks_.size() && marks_[child]); }
    void Merge(const Evaluated& more) {
      all_ |= more.all_;
      for (std::size_t i = 0; i < more.marks_.size(); ++i) {
        if (more.marks_[i]) Mark(i);
      }
    }

   private:
    std::vector<bool> marks_;
    bool all_ = false;
  };
  // The rules of a schema for the objects of a shape.
  struct Plan {
    SchemaId schema;
    ShapeId shape;
    bool fails = false;               // because of their keys alone
    std::vector<std::uint32_t> ends;  // by member: where its schemas end in `applied`
    std::vector<SchemaId> applied;
    std::vector<SchemaId> in_place;  // to the object itself
  };
  struct PathStep {
    std::string_view key;
    std::uint32_t position;  // of an element, or kKey
  };
  static constexpr std::uint32_t kKey = 0xffffffffu;

  bool Run(ValueRef value, SchemaFaults* faults);
  bool Check(SchemaId id, NodeId value, Evaluated* evaluated);
  bool CheckQuietly(SchemaId id, NodeId value, Evaluated* evaluated);
  bool CheckKeywords(SchemaId id, NodeId value, Evaluated* evaluated);
  bool CheckNumber(SchemaId id, const NumberRules& rules, std::string_view token);
  bool CheckText(SchemaId id, const TextRules& rules, NodeId value);
  bool CheckValues(SchemaId id, const SchemaNode& schema, NodeId value);
  bool CheckArray(SchemaId id, const ArrayRules& rules, NodeId array, Evaluated* evaluated);
  bool CheckContains(SchemaId id, const ArrayRules& rules, NodeId array, Evaluated* evaluated);
  bool IsUnique(NodeId array);
  bool CheckObject(SchemaId id, const ObjectRules& rules, NodeId object, Evaluated* evaluated);
  bool CheckNames(const ObjectRules& rules, NodeId object);
  bool CheckApplied(SchemaId id, const SchemaNode& schema, NodeId value, Evaluated* evaluated);
  bool CheckBranches(SchemaId id, std::string_view keyword, std::span<const SchemaId> branches,
                     std::size_t most, NodeId value, Evaluated* evaluated);
  bool CheckUnevaluated(const SchemaNode& schema, NodeId value, const Evaluated& evaluated);
  bool CheckElement(SchemaId id, NodeId element, std::uint32_t position);
  bool CheckMember(SchemaId id, NodeId member, std::string_view key);

  const Plan& PlanOf(SchemaId id, const ObjectRules& rules, ShapeId shape);
  Plan MakePlan(SchemaId id, const ObjectRules& rules, ShapeId shape);
  bool Matches(const SchemaPattern& pattern, std::string_view text);
  void ReportKeys(SchemaId id, const ObjectRules& rules, ShapeId shape);
  SchemaId DynamicTarget(const SchemaNode& schema) const;
  bool HasType(std::uint8_t types, NodeId value) const;
  std::uint8_t TypeOf(NodeId value) const;
  std::string_view TextOf(NodeId text);
  void Spend(std::uint64_t steps);

  // Each adds a fault, if faults are wanted: of a keyword, or of a value where no value is allowed. RETURN:
  // false.
  bool Fail(SchemaId id, std::string_view keyword);
  bool FailAtKey(SchemaId id, std::string_view keyword, std::string_view key);
  bool FailHere(SchemaId id);
  void AddFault(std::string schema_path, std::string_view keyword);

  const JsonSchema* schema_;
  ShapeTable* shapes_;
  const LeafTable* table_ = nullptr;
  SchemaFaults* faults_ = nullptr;  // null: the first fault ends the work
  std::vector<PathStep> path_;      // kept only with faults_
  std::uint64_t steps_left_ = 0;
  std::uint32_t depth_ = 0;
  bool stopped_ = false;
  std::vector<std::uint32_t> scope_;  // resources that were entered, for $dynamicRef

  std::deque<Plan> plans_;
  IdTable plan_ids_;                     // by schema and shape
  std::vector<const Plan*> last_plans_;  // by schema: the one used last
  LeafTable key_table_;                  // a key as a value, for propertyNames
  std::string text_;
  std::string canonical_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_SCHEMA_VALIDATOR_H_
