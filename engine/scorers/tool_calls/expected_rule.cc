#include "engine/scorers/tool_calls/expected_rule.h"

#include <string_view>

#include "engine/scorers/field_accuracy/field_values.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kRuleNames[] = {"$any", "$regex", "$near", "$optional", "$present", "$ignore"};

std::string FaultOf(const ExpectedRule& rule) {
  const ValueRef operand = rule.operand;
  const LeafTable& table = *operand.table;
  switch (rule.kind) {
    case ExpectedRule::Kind::kAny:
      return operand.kind() == ValueKind::kArray ? "" : "$any takes a list of values";
    case ExpectedRule::Kind::kRegex:
      return IsString(operand.kind()) ? "" : "$regex takes a regular expression as a text";
    case ExpectedRule::Kind::kNear: {
      std::string buffer;
      int numbers = 0;
      const bool is_array = operand.kind() == ValueKind::kArray;
      if (is_array) {
        for (NodeId node = operand.node + 1; node != table.end(operand.node); node = table.end(node)) {
          const std::optional<double> number = FieldNumber({&table, node}, buffer);
          numbers = number && (numbers == 0 || *number >= 0) ? numbers + 1 : 3;
        }
      }
      return numbers == 2 ? "" : "$near takes a number and the allowed difference, as in [5, 0.5]";
    }
    case ExpectedRule::Kind::kOptional:
      return "";
    default:
      return operand.kind() == ValueKind::kTrue ? "" : "$present and $ignore take true";
  }
}

}  // namespace

std::optional<ExpectedRule> ExpectedRuleOf(ValueRef value, const ShapeTable& shapes) {
  if (value.kind() != ValueKind::kObject) return std::nullopt;
  const ShapeId shape = value.table->shape(value.node);
  if (shapes.member_count(shape) != 1) return std::nullopt;
  const std::string_view key = shapes.Keys(shape).front();
  if (!key.starts_with('$')) return std::nullopt;
  for (std::size_t k = 0; k < std::size(kRuleNames); ++k) {
    if (key == kRuleNames[k]) {
      return ExpectedRule{static_cast<ExpectedRule::Kind>(k), {value.table, value.node + 1}};
    }
  }
  return std::nullopt;
}

std::string FaultOfExpectedRules(ValueRef value, const ShapeTable& shapes) {
  for (NodeId node = value.node; node != value.table->end(value.node); ++node) {
    if (const auto rule = ExpectedRuleOf({value.table, node}, shapes)) {
      if (std::string fault = FaultOf(*rule); !fault.empty()) return fault;
    }
  }
  return "";
}

}  // namespace leafscore::internal
