// AgentV's field_accuracy. Selected fields are compared, each by its own rule; the score is the weighted
// share of the fields that match.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/distance/similarity_pairs.h"
#include "engine/json/compact_text.h"
#include "engine/match/assignment.h"
#include "engine/scorers/accepted_values.h"
#include "engine/scorers/field_accuracy/field_comparer.h"
#include "engine/scorers/field_accuracy/field_rules.h"
#include "engine/scorers/field_accuracy/field_values.h"
#include "engine/scorers/field_accuracy/object_text.h"
#include "engine/scorers/field_accuracy/rules_2026_07.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kFieldAccuracyOptions[] = {
    {"fields", "list of maps", "none",
     "the fields to compare: {path, match, required, weight, array_match, tolerance, relative, formats, "
     "algorithm, threshold}"},
    {"aggregation", "weighted_average or all_or_nothing", "weighted_average",
     "how fields are combined into the score"},
    kThresholdOption.WithDefault("0.8"),
    kAnyOfKeyOption,
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    kUnwrapOption,
};

constexpr std::string_view kAggregations[] = {"weighted_average", "all_or_nothing"};

enum FieldAccuracyTextMetricIndex : std::size_t { kHits, kMisses, kMissReasons };
constexpr std::string_view kFieldAccuracyMetricNames[] = {
    "hit_count", "miss_count", "true_positives", "false_positives", "false_negatives", "true_negatives"};
constexpr TextMetric kFieldAccuracyTextMetrics[] = {
    {"hits", /*is_list=*/true}, {"misses", /*is_list=*/true}, {"miss_reasons", /*is_list=*/true}};

struct FieldAccuracySettings {
  PairSelectorOptions selection;
  std::vector<FieldRule> rules;
  bool array_first;  // whether texts are read as arrays if possible, because a path begins with a position
  bool all_or_nothing;
  double threshold;
  bool is_2026_07;
  std::string any_of_key;
};

// One field of one record.
struct Judgement {
  FieldVerdict verdict;
  ArrayPairing pairing;
  bool expected_given;
  bool actual_given;
  double score;
};

double WeightOf(const FieldRule& rule, const Judgement& field) {
  return field.verdict == FieldVerdict::kOptionalMissing ? 0 : rule.weight;
}

FieldOutcome OutcomeOf(const Judgement& field) {
  if (!field.expected_given) {
    return field.actual_given ? FieldOutcome::kFalsePositive : FieldOutcome::kTrueNegative;
  }
  if (!field.actual_given) return FieldOutcome::kFalseNegative;
  return IsHit(field.verdict) ? FieldOutcome::kTruePositive : FieldOutcome::kWrong;
}

class FieldAccuracyBatch final : public SelectingBatch {
 public:
  FieldAccuracyBatch(const FieldAccuracySettings* settings, WorkerTools tools);

  // This scorer reads texts by rules of its own. It compares only its fields, which have outcomes.
  AnswerCauses possible_causes() const override {
    constexpr AnswerCauses kCauses = {AnswerCause::kProse,     AnswerCause::kMalformed,
                                      AnswerCause::kWrapped,   AnswerCause::kListOfOne,
                                      AnswerCause::kOtherKind, AnswerCause::kKeyNames};
    return SelectingBatch::possible_causes() & (kCausesOfAnyScorer | kCauses);
  }
  void Reduce(const StringPairs& pairs) override;
  std::vector<std::string> field_names() const override;
  void AppendFieldOutcomes(std::uint32_t record, std::vector<FieldOutcome>& outcomes) const override;
  std::span<const TextMetric> text_metrics() const override { return kFieldAccuracyTextMetrics; }
  void AppendTexts(std::uint32_t record, std::size_t metric, std::vector<std::string>& texts) const override;
  void AppendLeaves(std::uint32_t record, LeafList& leaves) const override;
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const override;
  void AppendNamedPaths(std::vector<NamedPaths>& rows) const override {
    SelectingBatch::AppendNamedPaths(rows);
    rows.push_back(named_fields_);
  }

 private:
  // A field with a fuzzy match. With kExact, it has a matrix of string pairs. With is_any_accepted, it has
  // one string pair for each accepted value. Otherwise, row i has a string pair with column i, if both exist.
  struct TextField {
    std::size_t judgement;
    const FieldRule* rule;
    ArrayPairing pairing;
    std::uint32_t first_pair;
    std::uint32_t rows;  // expected elements; a value that is not an array counts as one
    std::uint32_t columns;
    bool is_any_accepted;  // the rows are accepted values; one must match
  };
  struct Values {
    ValueRef expected;
    ValueRef actual;
  };

  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  // The fields of the record count as missing.
  void MissRecord(std::uint32_t record, StringPairs& pairs) override { MatchRecord(record, pairs); }
  void FollowAccepted(ValueRef value, std::span<const TargetPath::Step> steps);
  bool FindObjects(std::uint32_t record, Values& objects);
  void JudgeField(std::size_t field, std::uint32_t record, Values values, StringPairs& pairs);
  FieldComparison CompareAccepted(const FieldRule& rule, std::span<const ValueRef> accepted, Values& values);
  void AddAcceptedTexts(std::size_t judgement, const FieldRule& rule, std::span<const ValueRef> accepted,
                        ValueRef actual, StringPairs& pairs);
  void AddTexts(std::size_t judgement, const FieldRule& rule, Values values, StringPairs& pairs);
  void AppendTexts(const FieldRule& rule, ValueRef expected, ValueRef actual, std::uint32_t record,
                   StringPairs& pairs);
  void AppendText(ValueRef value, std::string& text) const {
    AppendValueText(*value.table, *shapes_, value.node, text);
  }
  void JudgeTexts(const TextField& field, const StringPairs& pairs);
  bool LacksDistance(const TextField& field, const StringPairs& pairs) const {
    if (field.rule->jaro_winkler) return false;
    const auto pair = std::ranges::lower_bound(pairs.inexact(), field.first_pair);
    return pair != pairs.inexact().end() && *pair - field.first_pair < field.rows * field.columns;
  }
  void ReduceRecord(std::uint32_t record);
  JudgedLeaf LeafOf(std::uint32_t record, std::size_t field) const;
  const Judgement& judgement(std::uint32_t record, std::size_t field) const {
    return judgements_[record * settings_->rules.size() + field];
  }

  ValueRef ReadText(ValueRef text, std::string* fault) {
    if (settings_->is_2026_07) return ReadAnswer2026_07(text, texts_, fault);
    return ReadObjectText(text, settings_->array_first, texts_, fault);
  }

  const FieldAccuracySettings* settings_;
  bool keeps_values_;
  ParsedTexts texts_;
  PairWalker walker_;
  FieldComparer comparer_;
  SimilarityPairs jaro_winkler_{SimilarityMeasure::kJaroWinkler};
  std::vector<PathFollower> expected_followers_;  // one per field
  std::vector<PathFollower> actual_followers_;
  NamedPaths named_fields_;
  std::vector<Judgement> judgements_;  // record by record, field by field
  std::vector<Values> values_;         // at the same indexes, if details need them
  std::vector<TextField> text_fields_;
  std::vector<ValueRef> accepted_;  // accepted values of the current field, with any_of_key
  std::vector<ValueRef> expected_elements_;
  std::vector<ValueRef> actual_elements_;
  std::vector<double> weights_;
  AssignmentWorkspace workspace_;
  std::string expected_text_;
  std::string actual_text_;
};

FieldAccuracyBatch::FieldAccuracyBatch(const FieldAccuracySettings* settings, WorkerTools tools)
    : SelectingBatch(&settings->selection, tools, kFieldAccuracyMetricNames),
      settings_(settings),
      keeps_values_(tools.details == DetailLevel::kLeaves),
      texts_(tools),
      walker_(tools.shapes),
      comparer_(tools.shapes) {
  for (const FieldRule& rule : settings->rules) {
    expected_followers_.emplace_back(&rule.path, tools.shapes);
    actual_followers_.emplace_back(&rule.path, tools.shapes);
    named_fields_.paths.push_back({rule.path.text, kFieldAccuracyOptions[0].name});
  }
}

void FieldAccuracyBatch::BeginBatch(std::uint32_t records) {
  texts_.Truncate(0);
  text_fields_.clear();
  jaro_winkler_.Clear();
  for (PathFollower& follower : expected_followers_) follower.Reset();
  for (PathFollower& follower : actual_followers_) follower.Reset();
  named_fields_.values = 0;
  named_fields_.found.assign(settings_->rules.size(), 0);
  judgements_.resize(records * settings_->rules.size());
  if (keeps_values_) values_.resize(judgements_.size());
}

void FieldAccuracyBatch::MatchRecord(std::uint32_t record, StringPairs& pairs) {
  Values objects;
  if (!FindObjects(record, objects)) return;
  if (named_fields_.values++ == 0) named_fields_.first = objects.expected;
  bool compares = false;
  for (std::size_t f = 0; f < settings_->rules.size(); ++f) {
    Values values{{}, {}};
    accepted_.clear();
    if (settings_->any_of_key.empty()) {
      values.expected = expected_followers_[f].Follow(objects.expected);
    } else {
      FollowAccepted(objects.expected, settings_->rules[f].path.steps);
      if (!accepted_.empty()) values.expected = accepted_[0];
    }
    if (values.expected.present()) {
      ++named_fields_.found[f];
      compares |= settings_->all_or_nothing || settings_->rules[f].weight != 0;
    }
    if (objects.actual.present()) values.actual = actual_followers_[f].Follow(objects.actual);
    JudgeField(f, record, values, pairs);
  }
  if (!compares && scored(record)) CompareNothing(record);
}

// Appends the values at the end of a path to accepted_. There are several if the path leads through sets of
// accepted values or ends at one.
void FieldAccuracyBatch::FollowAccepted(ValueRef value, std::span<const TargetPath::Step> steps) {
  const NodeId list = AcceptedValues(*value.table, *shapes_, value.node, settings_->any_of_key);
  if (list != kNoNode) {
    std::vector<ValueRef> values;
    ListChildren({value.table, list}, values);
    for (const ValueRef accepted : values) FollowAccepted(accepted, steps);
    return;
  }
  if (steps.empty()) return accepted_.push_back(value);
  const TargetPath step = {.text = {}, .steps = {steps.front()}};
  const ValueRef next = PathFollower(&step, shapes_).Follow(value);
  if (next.present()) FollowAccepted(next, steps.subspan(1));
}

// Finds the two objects of a record. RETURNS: false after setting an error. The actual object is absent if
// the record is unanswered or unreadable.
bool FieldAccuracyBatch::FindObjects(std::uint32_t record, Values& objects) {
  objects = {selector_.parts()[0].expected, selector_.parts()[0].actual};
  std::string fault;
  const bool reads_text =
      IsString(objects.expected.kind()) || (objects.actual.present() && IsString(objects.actual.kind()));
  if (IsString(objects.expected.kind())) {
    objects.expected = ReadText(objects.expected, &fault);
    if (!objects.expected.present()) {
      if (!scored(record)) columns_.errors.pop_back();  // faults of the answer do not matter
      SetRecordError(record, RejectReason::kInvalidExpectedJson, "the expected value: " + fault, columns_);
      return false;
    }
  }
  if (objects.actual.present() && IsString(objects.actual.kind())) {
    objects.actual = ReadText(objects.actual, &fault);
    if (!objects.actual.present()) SetUnreadable(record, "the actual value: " + fault, columns_);
  }
  if (reads_text) selector_.Unwrap(objects.expected, objects.actual);
  return true;
}

void FieldAccuracyBatch::JudgeField(std::size_t field, std::uint32_t record, Values values,
                                    StringPairs& pairs) {
  const FieldRule& rule = settings_->rules[field];
  const std::size_t place = record * settings_->rules.size() + field;
  FieldComparison result{FieldVerdict::kMatch};
  if (!values.expected.present()) {
    result.verdict = FieldVerdict::kNoExpected;
  } else if (accepted_.size() > 1) {
    result = CompareAccepted(rule, accepted_, values);
    if (rule.match == FieldMatch::kFuzzy && !IsHit(result.verdict) && values.actual.present()) {
      AddAcceptedTexts(place, rule, accepted_, values.actual, pairs);
    }
  } else if (!values.actual.present()) {
    result.verdict = rule.required ? FieldVerdict::kMissing : FieldVerdict::kOptionalMissing;
  } else if (settings_->is_2026_07) {
    result.verdict = CompareField2026_07(rule, values.expected, values.actual, *shapes_, walker_);
  } else if (rule.match == FieldMatch::kFuzzy) {
    AddTexts(place, rule, values, pairs);
  } else {
    result = comparer_.Compare(rule, values.expected, values.actual);
  }
  if (keeps_values_) values_[place] = values;
  judgements_[place] = {result.verdict, result.pairing, IsGiven(values.expected, expected_text_),
                        IsGiven(values.actual, actual_text_), IsHit(result.verdict) ? 1.0 : 0.0};
}

// Compares the actual value with each accepted value. The first accepted value that matches becomes the
// expected value. If they all differ, the expected value is the first accepted value that is given (IsGiven)
// or, if no value is given, the very first. The texts of a fuzzy field are compared later; here, the field
// matches only if the actual value is not given, and one of the accepted values is not given either.
FieldComparison FieldAccuracyBatch::CompareAccepted(const FieldRule& rule, std::span<const ValueRef> accepted,
                                                    Values& values) {
  const bool is_nothing = !IsGiven(values.actual, actual_text_);
  FieldComparison result{rule.required ? FieldVerdict::kMissing : FieldVerdict::kOptionalMissing};
  values.expected = accepted[0];
  for (const ValueRef value : accepted) {
    if (!IsGiven(value, expected_text_)) {
      if (!is_nothing) continue;
      values.expected = value;
      return {FieldVerdict::kMatch};
    }
    if (!IsGiven(values.expected, expected_text_)) values.expected = value;
    if (!values.actual.present()) continue;
    result = rule.match == FieldMatch::kFuzzy ? FieldComparison{FieldVerdict::kBelowThreshold}
                                              : comparer_.Compare(rule, value, values.actual);
    if (!IsHit(result.verdict)) continue;
    values.expected = value;
    return result;
  }
  return result;
}

// Appends the texts of a fuzzy field with several accepted values.
void FieldAccuracyBatch::AddAcceptedTexts(std::size_t judgement, const FieldRule& rule,
                                          std::span<const ValueRef> accepted, ValueRef actual,
                                          StringPairs& pairs) {
  const auto record = static_cast<std::uint32_t>(judgement / settings_->rules.size());
  const auto rows = static_cast<std::uint32_t>(accepted.size());
  text_fields_.push_back({judgement, &rule, ArrayPairing::kNone,
                          rule.jaro_winkler ? jaro_winkler_.size() : pairs.size(), rows, 1, true});
  for (const ValueRef value : accepted) AppendTexts(rule, value, actual, record, pairs);
}

void FieldAccuracyBatch::AppendTexts(const FieldRule& rule, ValueRef expected, ValueRef actual,
                                     std::uint32_t record, StringPairs& pairs) {
  expected_text_.clear();
  AppendText(expected, expected_text_);
  actual_text_.clear();
  AppendText(actual, actual_text_);
  if (rule.jaro_winkler) {
    jaro_winkler_.Append(expected_text_, actual_text_);
  } else {
    pairs.Append(expected_text_, actual_text_, record);
  }
}

// Appends the two texts of a fuzzy field or, if both sides are arrays, pairs of the texts of their elements.
void FieldAccuracyBatch::AddTexts(std::size_t judgement, const FieldRule& rule, Values values,
                                  StringPairs& pairs) {
  expected_elements_ = {values.expected};
  actual_elements_ = {values.actual};
  const bool arrays =
      values.expected.kind() == ValueKind::kArray && values.actual.kind() == ValueKind::kArray;
  if (arrays) {
    ListChildren(values.expected, expected_elements_);
    ListChildren(values.actual, actual_elements_);
  }
  const std::size_t rows = expected_elements_.size();
  const std::size_t columns = actual_elements_.size();
  const std::size_t bytes = columns * values.expected.table->token(values.expected.node).size() +
                            rows * values.actual.table->token(values.actual.node).size();
  const auto record = static_cast<std::uint32_t>(judgement / settings_->rules.size());
  const bool any_order = arrays && rule.any_order;
  const bool all = any_order && rows * columns <= kMaxElementPairs.max && bytes <= kMaxElementPairBytes.max;
  const ArrayPairing pairing = all         ? ArrayPairing::kExact
                               : any_order ? ArrayPairing::kInOrder
                                           : ArrayPairing::kNone;
  text_fields_.push_back({judgement, &rule, pairing, rule.jaro_winkler ? jaro_winkler_.size() : pairs.size(),
                          static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns), false});
  for (std::size_t e = 0; e < rows; ++e) {
    if (!all && e == columns) break;
    for (std::size_t a = all ? 0 : e; a < (all ? columns : e + 1); ++a) {
      AppendTexts(rule, expected_elements_[e], actual_elements_[a], record, pairs);
    }
  }
}

// Evaluates a fuzzy field by the similarities of its pairs.
void FieldAccuracyBatch::JudgeTexts(const TextField& field, const StringPairs& pairs) {
  const auto similarity = [&](std::size_t i) {
    const auto pair = static_cast<std::uint32_t>(field.first_pair + i);
    return field.rule->jaro_winkler ? jaro_winkler_.similarity(pair) : pairs.Similarity(pair);
  };
  Judgement& judgement = judgements_[field.judgement];
  judgement.pairing = field.pairing;
  const std::size_t longer = std::max(field.rows, field.columns);
  double sum = 0;
  if (field.is_any_accepted) {
    for (std::size_t i = 0; i < field.rows; ++i) sum = std::max(sum, similarity(i));
    sum *= static_cast<double>(longer);
  } else if (field.pairing == ArrayPairing::kExact) {
    weights_.clear();
    const std::size_t cells = std::size_t{field.rows} * field.columns;
    for (std::size_t i = 0; i < cells; ++i) weights_.push_back(similarity(i));
    const AssignmentResult best = AssignBest(weights_, field.rows, field.columns, workspace_);
    if (!best.exact) judgement.pairing = ArrayPairing::kGreedy;
    for (std::size_t e = 0; e < field.rows; ++e) {
      const std::uint32_t a = best.column_of_row[e];
      if (a != kUnassigned) sum += weights_[e * field.columns + a];
    }
    // Pairs with longer distances may give a better greedy pairing. So while a distance is unknown, the sum
    // of the pairing is unknown, too.
    if (!best.exact && LacksDistance(field, pairs)) sum = pairs.took_least() ? longer : 0;
  } else {
    for (std::size_t i = 0; i < std::min(field.rows, field.columns); ++i) sum += similarity(i);
  }
  judgement.score = longer == 0 ? 1.0 : sum / static_cast<double>(longer);
  judgement.verdict =
      judgement.score < field.rule->threshold ? FieldVerdict::kBelowThreshold : FieldVerdict::kMatch;
}

void FieldAccuracyBatch::Reduce(const StringPairs& pairs) {
  jaro_winkler_.Compute();
  for (const TextField& field : text_fields_) JudgeTexts(field, pairs);
  for (std::uint32_t r = 0; r < columns_.outcome.size(); ++r) {
    if (scored(r)) ReduceRecord(r);
  }
}

std::vector<std::string> FieldAccuracyBatch::field_names() const {
  std::vector<std::string> names;
  for (const FieldRule& rule : settings_->rules) names.push_back(rule.path.text);
  return names;
}

void FieldAccuracyBatch::AppendFieldOutcomes(std::uint32_t record,
                                             std::vector<FieldOutcome>& outcomes) const {
  for (std::size_t f = 0; f < settings_->rules.size(); ++f)
    outcomes.push_back(OutcomeOf(judgement(record, f)));
}

// Computes the score and the metrics of a record.
void FieldAccuracyBatch::ReduceRecord(std::uint32_t record) {
  const std::vector<FieldRule>& rules = settings_->rules;
  double hits = 0;
  double weighted_sum = 0;
  double total_weight = 0;
  std::array<double, 5> outcomes{};  // number of fields with each outcome
  for (std::size_t f = 0; f < rules.size(); ++f) {
    const Judgement& field = judgement(record, f);
    const double weight = WeightOf(rules[f], field);
    hits += IsHit(field.verdict);
    weighted_sum += field.score * weight;
    total_weight += weight;
    ++outcomes[static_cast<std::size_t>(OutcomeOf(field))];
  }
  const auto fields = static_cast<double>(rules.size());
  double score = hits == fields ? 1 : 0;
  if (!settings_->all_or_nothing && !rules.empty()) {
    score = total_weight != 0 ? std::clamp(weighted_sum / total_weight, 0.0, 1.0) + 0.0 : 0;  // never -0
  }
  columns_.score[record] = score;
  columns_.passed[record] = score >= settings_->threshold;
  const auto count = [&](FieldOutcome outcome) { return outcomes[static_cast<std::size_t>(outcome)]; };
  const double wrong = count(FieldOutcome::kWrong);
  const double metrics[] = {hits,
                            fields - hits,
                            count(FieldOutcome::kTruePositive),
                            count(FieldOutcome::kFalsePositive) + wrong,
                            count(FieldOutcome::kFalseNegative) + wrong,
                            count(FieldOutcome::kTrueNegative)};
  for (std::size_t m = 0; m < std::size(metrics); ++m) metric(m, record) = metrics[m];
}

void FieldAccuracyBatch::AppendTexts(std::uint32_t record, std::size_t metric,
                                     std::vector<std::string>& texts) const {
  for (std::size_t f = 0; f < settings_->rules.size(); ++f) {
    const FieldVerdict verdict = judgement(record, f).verdict;
    if (IsHit(verdict) != (metric == kHits)) continue;
    texts.emplace_back(metric == kMissReasons ? FieldVerdictName(verdict) : settings_->rules[f].path.text);
  }
}

JudgedLeaf FieldAccuracyBatch::LeafOf(std::uint32_t record, std::size_t field) const {
  const std::vector<FieldRule>& rules = settings_->rules;
  const Values& values = values_[record * rules.size() + field];
  return MakeJudgedLeaf(rules[field].path.text, values.expected, values.actual,
                        judgement(record, field).score, *shapes_);
}

void FieldAccuracyBatch::AppendLeaves(std::uint32_t record, LeafList& leaves) const {
  for (std::size_t f = 0; f < settings_->rules.size(); ++f) {
    if (!leaves.Add(LeafOf(record, f))) return;
  }
}

void FieldAccuracyBatch::WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const {
  ScorerBatch::WriteDetails(record, level, json);
  if (level != DetailLevel::kLeaves) return;
  const std::vector<FieldRule>& rules = settings_->rules;
  json.Key<"fields">();
  json.StartList();
  for (std::size_t f = 0; f < rules.size(); ++f) {
    const Judgement& field = judgement(record, f);
    const JudgedLeaf leaf = LeafOf(record, f);
    json.StartObject();
    json.Key<"path">().String(leaf.path);
    if (!leaf.expected_json.empty()) json.Key<"expected">().Raw(leaf.expected_json);
    if (!leaf.actual_json.empty()) json.Key<"actual">().Raw(leaf.actual_json);
    json.Key<"match">().String(FieldMatchName(rules[f].match));
    json.Key<"verdict">().String(FieldVerdictName(field.verdict));
    json.Key<"score">().Number(field.score);
    json.Key<"weight">().Number(WeightOf(rules[f], field));
    if (field.pairing != ArrayPairing::kNone) json.Key<"pairing">().String(ArrayPairingName(field.pairing));
    json.EndObject();
    if (!json.EndElement()) break;
  }
  json.EndArray();
}

std::unique_ptr<Scorer> MakeFieldAccuracy(const OptionReader& options) {
  PairSelectorOptions selection(options);
  if (selection.builds_object()) {
    throw options.MakeError(kTargetOutputKeyOption.name,
                            "give one path; the fields name the places below it");
  }
  const bool is_2026_07 = options.GetChoice(kRevisionOption.name, 0, kFieldRevisions) == 1;
  selection.ReadUnwraps(options, !is_2026_07);
  FieldAccuracySettings settings{std::move(selection),
                                 ReadFieldRules(options, is_2026_07),
                                 false,
                                 options.GetChoice("aggregation", 0, kAggregations) == 1,
                                 ReadThreshold(options, 0.8),
                                 is_2026_07,
                                 ReadAnyOfKey(options, !is_2026_07)};
  settings.selection.SeekAnyOfKey(settings.any_of_key);
  settings.array_first = std::ranges::any_of(settings.rules, [](const FieldRule& rule) {
    return rule.path.steps[0].position != TargetPath::kNoPosition;
  });
  return std::make_unique<ConfiguredScorer<FieldAccuracyBatch, FieldAccuracySettings>>(std::move(settings));
}

}  // namespace

constinit const ScorerType kFieldAccuracyScorer = {
    "field_accuracy",
    "weighted share of chosen fields that match, each by its own rule",
    kFieldAccuracyOptions,
    MakeFieldAccuracy,
    {"For objects where only some fields matter, each compared in its own way: exactly, as a number, a "
     "date or a similar text. The score is the weighted share of the fields that match.",
     "field_accuracy:fields=[{path: total, match: numeric_tolerance, tolerance: 0.01}, {path: date, match: "
     "date}]",
     R"({"total": 12.5, "date": "2026-03-01"})", R"({"total": 12.505, "date": "2 Mar 2026"})", "", 0.5},
    kFieldRevisions};

}  // namespace leafscore::internal
