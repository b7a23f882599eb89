// records by the rules of SOB: leaves are compared by their paths, and an answer that is not valid by its
// schema earns nothing.
#include <unicode/uchar.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/utf8.h"
#include "engine/json/json_scalar.h"
#include "engine/json/json_view.h"
#include "engine/languages/python_equal.h"
#include "engine/languages/python_repr.h"
#include "engine/schema/schema_checker.h"
#include "engine/scorers/records/cell_batch.h"
#include "engine/scorers/records/revisions.h"
#include "engine/scorers/schema_option.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kSobMetricNames[] = {
    "schema_valid",       "value_accuracy", "token_f1",        "path_recall",
    "structure_coverage", "type_safety",    "required_recall", "perfect"};
enum SobMetric : std::size_t {
  kSobSchemaValid,
  kSobValueAccuracy,
  kSobTokenF1,
  kSobPathRecall,
  kSobStructureCoverage,
  kSobTypeSafety,
  kSobRequiredRecall,
  kSobPerfect,
};

struct SobSettings {
  PairSelectorOptions selection;
  std::shared_ptr<const JsonSchema> schema;
  bool graded;
  double threshold;
};

// Counts of the leaves at equal paths.
struct SobTally {
  double common = 0;  // leaves at paths that both sides have
  double equal = 0;
  double token_f1 = 0;    // the sum over the common leaves
  bool identical = true;  // whether both sides have the same JSON text, with sorted keys
};

// Returns the words of a text, sorted and in lower case. Words are runs of letters, digits and underscores;
// articles are left out.
std::vector<std::string> SobTokens(std::string text) {
  ToLowerCase(text);
  std::vector<std::string> tokens;
  std::string token;
  const auto end = [&] {
    if (!token.empty() && token != "a" && token != "an" && token != "the") tokens.push_back(token);
    token.clear();
  };
  for (const std::string_view character : SplitCodePoints(text)) {
    UChar32 c = 0;
    std::int32_t at = 0;
    U8_NEXT_UNSAFE(character.data(), at, c);
    const std::uint32_t type = U_GET_GC_MASK(c);
    if (c == '_' || (type & (U_GC_L_MASK | U_GC_ND_MASK | U_GC_NL_MASK | U_GC_NO_MASK)) != 0) {
      token += character;
    } else {
      end();
    }
  }
  end();
  std::ranges::sort(tokens);
  return tokens;
}

double TokenF1(const std::vector<std::string>& expected, const std::vector<std::string>& actual) {
  if (expected.empty() && actual.empty()) return 1;
  std::vector<std::string> common;
  std::ranges::set_intersection(expected, actual, std::back_inserter(common));
  return 2 * static_cast<double>(common.size()) / static_cast<double>(expected.size() + actual.size());
}

double ShareOrZero(double some, double all) { return all == 0 ? 0 : some / all; }

class SobBatch final : public CellBatch {
 public:
  SobBatch(const SobSettings* settings, WorkerTools tools)
      : CellBatch(&settings->selection, tools, kSobMetricNames),
        settings_(settings),
        checker_(settings->schema, tools.shapes) {}

 private:
  struct Required {
    double keys = 0;
    double present = 0;
  };

  void BeginBatch(std::uint32_t records) override {
    constexpr std::size_t kKeptFields = 1 << 14;
    checker_.Reset();
    if (paths_.size() > kKeptFields) paths_.Clear();
    BeginCells(records);
  }
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void MissRecord(std::uint32_t record, StringPairs& pairs) override;
  std::string_view FieldPath(std::uint32_t field) const override { return paths_.PathOf(field); }
  void Compare(ValueRef expected, ValueRef actual, std::uint32_t field, SobTally& tally);
  void CompareLeaves(ValueRef expected, ValueRef actual, std::uint32_t field, SobTally& tally);
  void Note(std::uint32_t field, CellVerdict verdict, ValueRef expected, ValueRef actual);
  void Lose(ValueRef value, std::uint32_t field, bool is_expected);
  double SafeLeaves(SchemaId schema, ValueRef value) const;
  void CountRequired(SchemaId schema, ValueRef value, Required& required) const;
  SchemaId MemberOf(SchemaId schema, std::string_view key) const;
  SchemaId ElementOf(SchemaId schema) const;
  JsonView View(ValueRef value) const { return {*value.table, *shapes_, value.node}; }

  const SobSettings* settings_;
  SchemaChecker checker_;
  FieldPaths paths_;
};

// Counts a leaf at a path that both sides have, or only one side.
void SobBatch::Note(std::uint32_t field, CellVerdict verdict, ValueRef expected, ValueRef actual) {
  FieldCells& cells = tally_[field];
  cells.matched += verdict == CellVerdict::kMatched;
  cells.expected += expected.present();
  cells.actual += actual.present();
  if (listed_cells_ != nullptr) listed_cells_->push_back({field, verdict, expected, actual, 0});
}

// Counts the leaves of a value that only one side has.
void SobBatch::Lose(ValueRef value, std::uint32_t field, bool is_expected) {
  if (!IsContainer(value.kind())) {
    const ValueRef none;
    return Note(field, is_expected ? CellVerdict::kMissing : CellVerdict::kExtra, is_expected ? value : none,
                is_expected ? none : value);
  }
  View(value).ForEachMember([&](std::string_view key, JsonView member) {
    Lose({value.table, member.node()}, paths_.Member(field, key), is_expected);
  });
  if (value.kind() != ValueKind::kArray) return;
  View(value).ForEachChild([&](JsonView child) {
    Lose({value.table, child.node()}, paths_.Element(field), is_expected);
  });
}

void SobBatch::CompareLeaves(ValueRef expected, ValueRef actual, std::uint32_t field, SobTally& tally) {
  tally.common += 1;
  const bool is_equal = PythonEqual(View(expected), View(actual), PythonNumbers::kAsRead);
  tally.equal += is_equal;
  Note(field, is_equal ? CellVerdict::kMatched : CellVerdict::kWrong, expected, actual);
  std::string texts[2];
  AppendPythonText(*expected.table, *shapes_, expected.node, texts[0], PythonNumbers::kAsRead);
  AppendPythonText(*actual.table, *shapes_, actual.node, texts[1], PythonNumbers::kAsRead);
  tally.token_f1 += TokenF1(SobTokens(texts[0]), SobTokens(texts[1]));
  const auto form = [](ValueRef leaf) { return IsString(leaf.kind()) ? ValueKind::kString : leaf.kind(); };
  tally.identical = tally.identical && form(expected) == form(actual) && texts[0] == texts[1];
}

// Compares the leaves at equal paths, which consist of keys of objects and positions in arrays.
void SobBatch::Compare(ValueRef expected, ValueRef actual, std::uint32_t field, SobTally& tally) {
  const ValueKind kind = expected.kind();
  if (!IsContainer(kind) && !IsContainer(actual.kind())) return CompareLeaves(expected, actual, field, tally);
  if (kind != actual.kind()) {
    tally.identical = false;
    Lose(expected, field, /*is_expected=*/true);
    Lose(actual, field, /*is_expected=*/false);
    return;
  }
  std::vector<ValueRef> wanted;
  std::vector<ValueRef> given;
  ListChildren(expected, wanted);
  ListChildren(actual, given);
  tally.identical = tally.identical && wanted.size() == given.size();
  if (kind == ValueKind::kArray) {
    const std::size_t common = std::min(wanted.size(), given.size());
    const std::uint32_t element = paths_.Element(field);
    for (std::size_t i = 0; i < common; ++i) Compare(wanted[i], given[i], element, tally);
    for (std::size_t i = common; i < wanted.size(); ++i) Lose(wanted[i], element, /*is_expected=*/true);
    for (std::size_t i = common; i < given.size(); ++i) Lose(given[i], element, /*is_expected=*/false);
    return;
  }
  const std::vector<std::string_view> keys = shapes_->Keys(expected.table->shape(expected.node));
  const std::vector<std::string_view> given_keys = shapes_->Keys(actual.table->shape(actual.node));
  std::vector<bool> is_wanted(given.size());
  const std::uint32_t* const members =
      shapes_->CorrespondingMembers(expected.table->shape(expected.node), actual.table->shape(actual.node));
  for (std::size_t m = 0; m < wanted.size(); ++m) {
    const std::uint32_t member = paths_.Member(field, keys[m]);
    if (members[m] == ShapeTable::kNoMember) {
      tally.identical = false;
      Lose(wanted[m], member, /*is_expected=*/true);
    } else {
      is_wanted[members[m]] = true;
      Compare(wanted[m], given[members[m]], member, tally);
    }
  }
  for (std::size_t g = 0; g < given.size(); ++g) {
    if (!is_wanted[g]) Lose(given[g], paths_.Member(field, given_keys[g]), /*is_expected=*/false);
  }
}

SchemaId SobBatch::MemberOf(SchemaId schema, std::string_view key) const {
  if (schema == kNoSchema) return kNoSchema;
  const ObjectRules* const rules = (*settings_->schema)[schema].object.get();
  if (rules == nullptr) return kNoSchema;
  const auto found = rules->properties.find(key);
  return found == rules->properties.end() ? kNoSchema : found->second;
}

SchemaId SobBatch::ElementOf(SchemaId schema) const {
  if (schema == kNoSchema) return kNoSchema;
  const ArrayRules* const rules = (*settings_->schema)[schema].array.get();
  return rules == nullptr ? kNoSchema : rules->items;
}

// Returns the number of leaves that have one of the types that the schema gives for their path. Null has no
// type.
double SobBatch::SafeLeaves(SchemaId schema, ValueRef value) const {
  double safe = 0;
  View(value).ForEachMember([&](std::string_view key, JsonView member) {
    safe += SafeLeaves(MemberOf(schema, key), {value.table, member.node()});
  });
  if (value.kind() == ValueKind::kArray) {
    View(value).ForEachChild([&](JsonView child) {
      safe += SafeLeaves(ElementOf(schema), {value.table, child.node()});
    });
  }
  if (IsContainer(value.kind()) || schema == kNoSchema) return safe;
  const std::uint8_t types = (*settings_->schema)[schema].types;
  if (types == SchemaTypes::kAll || value.kind() == ValueKind::kNull) return 0;
  if (value.kind() != ValueKind::kNumber) return (types & SchemaTypeOf(value.kind())) != 0 ? 1 : 0;
  const bool is_integer = IsIntegerToken(value.table->leaf_token(value.node));
  return (types & SchemaTypes::kFractions) != 0 || (is_integer && (types & SchemaTypes::kInteger) != 0) ? 1
                                                                                                        : 0;
}

void SobBatch::CountRequired(SchemaId schema, ValueRef value, Required& required) const {
  if (schema == kNoSchema) return;
  const JsonView view = View(value);
  if (const ObjectRules* const rules = (*settings_->schema)[schema].object.get(); rules != nullptr) {
    required.keys += static_cast<double>(rules->required.size());
    for (const std::string& key : rules->required) required.present += view.Member(key).present();
  }
  if (value.kind() == ValueKind::kArray) {
    view.ForEachChild([&](JsonView child) {
      CountRequired(ElementOf(schema), {value.table, child.node()}, required);
    });
  }
  view.ForEachMember([&](std::string_view key, JsonView member) {
    CountRequired(MemberOf(schema, key), {value.table, member.node()}, required);
  });
}

// Without an answer, everything expected is missing.
void SobBatch::MissRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  const SelectedPart& part = selector_.parts()[0];
  if (part.expected.present()) Lose(part.expected, FieldPaths::kRoot, /*is_expected=*/true);
  KeepFields(record);
}

void SobBatch::MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  const SelectedPart& part = selector_.parts()[0];
  const SchemaValidator::Verdict verdict = checker_.validator.Validate(part.actual, nullptr);
  if (verdict == SchemaValidator::Verdict::kTooLong) {
    return SetRecordError(record, RejectReason::kWorkLimit,
                          "checking the answer against its schema takes too many steps", columns_);
  }
  SobTally tally;
  const std::size_t first_cell = cell_count();
  AddSides(record, {part.expected, part.actual, part.path});
  Compare(part.expected, part.actual, FieldPaths::kRoot, tally);
  KeepFields(record);
  KeepCells(record, first_cell);
  const double expected = part.expected.table->leaf_count(part.expected.node);
  const double actual = part.actual.table->leaf_count(part.actual.node);
  const double recall = ShareOrZero(tally.common, expected);
  const double coverage = ShareOrZero(2 * tally.common, expected + actual);
  const double valid = verdict == SchemaValidator::Verdict::kValid ? 1 : 0;
  // Values count only if the answer covers the structure.
  constexpr double kLeastCoverage = 0.95;
  constexpr double kFullCoverage = 0.9;
  const double share = coverage / kFullCoverage;
  const double values = settings_->graded ? std::min(1.0, share * share) : coverage >= kLeastCoverage ? 1 : 0;
  Required required;
  CountRequired(settings_->schema->root(), part.actual, required);
  metric(kSobSchemaValid, record) = valid;
  metric(kSobValueAccuracy, record) = valid * values * ShareOrZero(tally.equal, expected);
  metric(kSobTokenF1, record) = valid * values * ShareOrZero(tally.token_f1, expected);
  metric(kSobPathRecall, record) = valid * recall;
  metric(kSobStructureCoverage, record) = valid * coverage;
  metric(kSobTypeSafety, record) =
      valid * ShareOrZero(SafeLeaves(settings_->schema->root(), part.actual), actual);
  metric(kSobRequiredRecall, record) = required.keys == 0 ? 1 : required.present / required.keys;
  metric(kSobPerfect, record) = tally.identical ? 1 : 0;
  columns_.score[record] = metric(kSobValueAccuracy, record);
  columns_.passed[record] = columns_.score[record] >= settings_->threshold;
  if (expected + actual == 0) CompareNothing(record);
}

}  // namespace

std::unique_ptr<Scorer> MakeSob(const OptionReader& options) {
  const std::optional<ConfigValue> schema = options.GetAny("schema");
  if (!schema) throw options.MakeError("schema", "revision sob-2026-06 needs the JSON Schema of the answers");
  constexpr std::string_view kGates[] = {"text", "graded"};
  SobSettings settings{PairSelectorOptions::OfStructure(options),
                       CompileSchemaOption(options, "schema", *schema, {}),
                       options.GetChoice("gate", 0, kGates) == 1, ReadThreshold(options)};
  if (!settings.selection.whole())
    throw options.MakeError(kTargetOutputKeyOption.name,
                            "revision sob-2026-06 compares whole answers with their schema; leave it out");
  return std::make_unique<ConfiguredScorer<SobBatch, SobSettings>>(std::move(settings));
}

}  // namespace leafscore::internal
