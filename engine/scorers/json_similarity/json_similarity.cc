// UiPath's json-similarity. Each leaf of the expected value is compared with the value at the same place in
// the actual value. The score is matched leaves / leaves.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/distance/number_pairs.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/accepted_values.h"
#include "engine/scorers/json_similarity/judged_leaves.h"
#include "engine/scorers/json_similarity/leaf_rule.h"
#include "engine/scorers/json_similarity/value_similarity.h"
#include "engine/scorers/line_pairs.h"
#include "engine/scorers/normalise_options.h"
#include "engine/scorers/pattern_map.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kJsonSimilarityOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    kParseTextsOption,
    kUnwrapOption,
    {"number_tolerance", "number", "0", "largest relative difference at which two numbers are equal"},
    {"case_sensitive", "bool", "true", "whether upper and lower case differ in strings"},
    {"array_match", "ordered or any_order", "ordered",
     "whether array elements are paired by position, or so that as many leaves as possible match"},
    kAnyOfKeyOption,
    {kNormaliseOption.name, "map from path pattern to list of steps", "none",
     "differences to ignore at places, as in records: {'**': [space, case], total: [number]}; the last match "
     "wins"},
    kIgnorePathsOption,
    kWeightsOption,
    kLineByLineOption,
    kLineDelimiterOption,
};

struct JsonSimilaritySettings {
  PairSelectorOptions selection;
  SimilarityRules rules;
  LineOptions lines;
};

enum JsonSimilarityMetricIndex : std::size_t { kMatchedLeaves, kTotalLeaves };
constexpr std::string_view kJsonSimilarityMetricNames[] = {"matched_leaves", "total_leaves"};
constexpr TextMetric kAssignment[] = {{"assignment", /*is_list=*/false}};

class SimilarityBatch : public SelectingBatch {
 public:
  void AppendLeaves(std::uint32_t record, LeafList& leaves) const override {
    leaves_.AppendLeaves(record, *shapes_, leaves);
  }
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const override {
    ScorerBatch::WriteDetails(record, level, json);
    if (level != DetailLevel::kLeaves) return;
    json.Key<"leaves">();
    leaves_.Write(record, *shapes_, json);
  }

 protected:
  SimilarityBatch(const JsonSimilaritySettings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools, kJsonSimilarityMetricNames),
        settings_(settings),
        keeps_leaves_(tools.details == DetailLevel::kLeaves) {}

  // Computes the scores from matched and total leaves.
  void MakeScores() {
    for (std::uint32_t r = 0; r < columns_.score.size(); ++r) {
      if (!scored(r)) continue;
      const double total = metric(kTotalLeaves, r);
      columns_.score[r] = total > 0 ? metric(kMatchedLeaves, r) / total : 1.0;
    }
  }

  const JsonSimilaritySettings* settings_;
  bool keeps_leaves_;
  JudgedLeaves leaves_;
};

// The batch for rules that need only one walk over each pair of values.
class PlainSimilarityBatch final : public SimilarityBatch {
 public:
  PlainSimilarityBatch(const JsonSimilaritySettings* settings, WorkerTools tools)
      : SimilarityBatch(settings, tools), walker_(tools.shapes), rule_(settings->rules.case_sensitive) {}

  void Reduce(const StringPairs& pairs) override;

 private:
  // Compares the leaves of one pair of values.
  struct Visitor {
    PlainSimilarityBatch& scorer;
    std::uint32_t record;
    ValueRef expected;
    ValueRef actual;
    StringPairs& pairs;
    double matched = 0;
    std::uint64_t expected_leaves = 0;  // actual leaves at places where the expected value has something

    bool Equal(NodeId e, NodeId a) {
      matched += expected.table->leaf_count(e);
      expected_leaves += actual.table->leaf_count(a);
      if (scorer.keeps_leaves_) scorer.leaves_.Add(e, a, 1.0);
      return true;
    }
    bool Differ(NodeId e, NodeId a);
    bool Missing(NodeId e) {
      if (scorer.keeps_leaves_) scorer.leaves_.AddMissing(*expected.table, e);
      return true;
    }
    bool Extra() { return true; }
  };

  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  double UnexpectedShare() override { return ShareOfLeaves(unexpected_leaves_, actual_leaves_); }

  PairWalker walker_;
  LeafRule rule_;
  std::uint64_t unexpected_leaves_ = 0;  // in the actual values of the record
  std::uint64_t actual_leaves_ = 0;
  std::vector<double> settled_leaves_;  // for each record, the matched leaves that MatchRecord settled
  NumberPairs numbers_;
  std::vector<std::uint32_t> number_record_;  // the record of each number pair
};

bool PlainSimilarityBatch::Visitor::Differ(NodeId e, NodeId a) {
  expected_leaves += !IsContainer(actual.table->kind(a));
  if (IsContainer(expected.table->kind(e))) return Missing(e);
  scorer.rule_.Compare(
      {expected.table, e}, {actual.table, a},
      [&](double expected_number, double actual_number) {
        const std::uint32_t pair = scorer.numbers_.Append(expected_number, actual_number);
        scorer.number_record_.push_back(record);
        if (scorer.keeps_leaves_) scorer.leaves_.AddNumberPair(e, a, pair);
      },
      [&](std::string_view expected_text, std::string_view actual_text) {
        const std::uint32_t pair = pairs.Append(expected_text, actual_text, record);
        if (scorer.keeps_leaves_) scorer.leaves_.AddStringPair(e, a, pair);
      },
      [&](double similarity) {
        matched += similarity;
        if (scorer.keeps_leaves_) scorer.leaves_.Add(e, a, similarity);
      });
  return true;
}

void PlainSimilarityBatch::BeginBatch(std::uint32_t records) {
  leaves_.Reset();
  numbers_.Clear();
  number_record_.clear();
  settled_leaves_.assign(records, std::nan(""));
}

void PlainSimilarityBatch::MatchRecord(std::uint32_t record, StringPairs& pairs) {
  double matched = 0;
  double total = 0;
  std::uint64_t expected_leaves = 0;
  actual_leaves_ = 0;
  for (const SelectedPart& part : selector_.parts()) {
    if (keeps_leaves_) leaves_.BeginPart(record, part);
    Visitor visitor{*this, record, part.expected, part.actual, pairs};
    walker_.Walk(part.expected, part.actual, /*descend_equal=*/keeps_leaves_, visitor);
    matched += visitor.matched;
    total += part.expected.table->leaf_count(part.expected.node);
    expected_leaves += visitor.expected_leaves;
    actual_leaves_ += part.actual.table->leaf_count(part.actual.node);
  }
  unexpected_leaves_ = actual_leaves_ - expected_leaves;
  settled_leaves_[record] = matched;
  metric(kTotalLeaves, record) = total;
  if (total == 0) CompareNothing(record);
}

void PlainSimilarityBatch::Reduce(const StringPairs& pairs) {
  std::vector<double>& matched_leaves = columns_.metrics[kMatchedLeaves].values;
  matched_leaves = settled_leaves_;
  // The order of addition affects the last bits: first what MatchRecord settled, then the numbers, then the
  // strings.
  numbers_.Compute(settings_->rules.number_tolerance);
  for (std::uint32_t i = 0; i < number_record_.size(); ++i) {
    matched_leaves[number_record_[i]] += numbers_.similarity(i);
  }
  for (std::uint32_t pair = first_pair_; pair < end_pair_; ++pair) {
    matched_leaves[pairs.record(pair)] += pairs.Similarity(pair);
  }
  MakeScores();
  leaves_.Resolve(pairs, numbers_);
}

// The batch that applies all rules.
class RuledSimilarityBatch final : public SimilarityBatch {
 public:
  RuledSimilarityBatch(const JsonSimilaritySettings* settings, WorkerTools tools)
      : SimilarityBatch(settings, tools), similarity_(&settings->rules, tools, keeps_leaves_) {
    const std::span<const std::string_view> others = SelectingBatch::remark_names();
    remarks_.assign(others.begin(), others.end());
    remarks_.push_back("greedy");
  }

  void Reduce(const StringPairs& pairs) override {
    similarity_.Reduce(pairs);
    leaves_.Reset();
    greedy_.assign(columns_.score.size(), false);
    for (std::uint32_t i = 0; i < parts_.size(); ++i) {
      const std::uint32_t record = parts_[i].record;
      const ValueSimilarity::Result& result = similarity_.result(i);
      const bool first = i == 0 || parts_[i - 1].record != record;
      metric(kMatchedLeaves, record) = result.matched + (first ? 0 : metric(kMatchedLeaves, record));
      metric(kTotalLeaves, record) = result.total + (first ? 0 : metric(kTotalLeaves, record));
      if (!result.exact) greedy_[record] = true;
      if (!keeps_leaves_) continue;
      leaves_.BeginPart(record, parts_[i].values);
      similarity_.AddTo(leaves_, i, pairs);
    }
    MakeScores();
  }

  std::span<const TextMetric> text_metrics() const override {
    return settings_->rules.any_order ? std::span(kAssignment) : std::span<const TextMetric>();
  }
  void AppendTexts(std::uint32_t record, std::size_t /*metric*/,
                   std::vector<std::string>& texts) const override {
    texts.emplace_back(greedy_[record] ? "greedy" : "exact");
  }

  std::span<const std::string_view> remark_names() const override { return remarks_; }
  std::uint8_t RemarksOn(std::uint32_t record) const override {
    const unsigned others = SelectingBatch::RemarksOn(record);
    return static_cast<std::uint8_t>(others | unsigned{greedy_[record]} << (remarks_.size() - 1));
  }

  void AppendNamedPaths(std::vector<NamedPaths>& rows) const override {
    SelectingBatch::AppendNamedPaths(rows);
    NamedPaths& row = rows.emplace_back(selector_.LookedAt());
    for (const PathRules::Pattern& pattern : settings_->rules.paths.patterns()) {
      row.found.push_back(similarity_.led_somewhere()[row.paths.size()]);
      row.paths.push_back({pattern.text, pattern.option});
    }
  }

 private:
  struct Part {
    std::uint32_t record;
    SelectedPart values;
  };

  void BeginBatch(std::uint32_t /*records*/) override {
    similarity_.Begin(first_pair_);
    parts_.clear();
  }
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override {
    double total = 0;
    for (const SelectedPart& part : selector_.parts()) {
      total += similarity_.result(similarity_.Compare(record, part.expected, part.actual, *part.path, pairs))
                   .total;
      parts_.push_back({record, part});
    }
    if (total == 0) CompareNothing(record);
  }
  void MissRecord(std::uint32_t /*record*/, StringPairs& /*pairs*/) override {
    for (const SelectedPart& part : selector_.parts()) similarity_.FollowRules(part.expected, *part.path);
  }

  ValueSimilarity similarity_;  // its result i belongs to part i
  std::vector<Part> parts_;
  std::vector<std::string_view> remarks_;  // the last one stands for `greedy_`
  std::vector<bool> greedy_;               // by record: whether arrays were paired greedily
};

// The batch for texts on both sides that are compared line by line.
class LineSimilarityBatch final : public TextBatch {
 public:
  LineSimilarityBatch(const JsonSimilaritySettings* settings, WorkerTools tools)
      : TextBatch(&settings->selection, tools, &settings->lines), settings_(settings) {}

  void Reduce(const StringPairs& pairs) override {
    std::ranges::fill(columns_.score, 0.0);
    for (std::uint32_t pair = first_pair_; pair < end_pair_; ++pair) {
      const double score = settings_->lines.of_every_line.value_or(pairs.Similarity(pair));
      columns_.score[pairs.record(pair)] += score;
      if (keeps_texts_) judged_.SetScore(pair - first_pair_, score);
    }
    for (std::uint32_t r = 0; r < columns_.score.size(); ++r) {
      const double lines = std::max(metric(0, r), metric(1, r));
      if (scored(r) && lines > 0) columns_.score[r] /= lines;
    }
  }

 private:
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override {
    std::string expected;
    std::string actual;
    const TextForm form = rules() == SelectionRules::kOurs ? TextForm::kCompactJson : TextForm::kPython;
    selector_.AppendLineText(/*expected_side=*/true, form, expected);
    selector_.AppendLineText(/*expected_side=*/false, form, actual);
    SplitLines(record, std::move(expected), std::move(actual));
    if (lines_.size() == 0) return CompareNothing(record);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      std::string expected_line(lines_.expected(i));
      std::string actual_line(lines_.actual(i));
      if (!settings_->rules.case_sensitive) {
        ToLowerCase(expected_line);
        ToLowerCase(actual_line);
      }
      pairs.Append(expected_line, actual_line, record);
      if (keeps_texts_) judged_.Add(record, i + 1, lines_.expected(i), lines_.actual(i), 0);
    }
  }

  const JsonSimilaritySettings* settings_;
};

void ReadNormalisers(const OptionReader& options, SimilarityRules& rules) {
  ForEachPattern(options, kNormaliseOption.name, kNormaliseOption.type, "{total: [number]}",
                 [&](const std::string& pattern, const OptionReader& steps) {
                   const auto number = static_cast<std::uint32_t>(rules.normalisers.size());
                   rules.paths.AddMark(options, kNormaliseOption.name, pattern, number);
                   rules.normalisers.emplace_back(ReadNormalise(steps, {}, pattern));
                 });
}

std::unique_ptr<Scorer> MakeJsonSimilarity(const OptionReader& options) {
  constexpr std::string_view kArrayMatches[] = {"ordered", "any_order"};
  constexpr SelectionRules kRules[] = {SelectionRules::kOurs, SelectionRules::kUiPath,
                                       SelectionRules::kUiPathOlderSimilarity};
  const SelectionRules rules = kRules[options.GetChoice(kRevisionOption.name, 0, kUiPathRevisions)];
  JsonSimilaritySettings settings{
      PairSelectorOptions::OfStructure(options, rules),
      {options.GetNumber("number_tolerance", 0, 0, std::numeric_limits<double>::max()),
       options.GetBool("case_sensitive", true),
       options.GetChoice("array_match", 0, kArrayMatches) == 1,
       ReadAnyOfKey(options, rules == SelectionRules::kOurs),
       PathRules(options),
       {}},
      {}};
  ReadNormalisers(options, settings.rules);
  if (rules != SelectionRules::kOurs && !settings.rules.normalisers.empty()) {
    throw options.MakeError(kNormaliseOption.name,
                            "this revision compares values as they are; leave the option out");
  }
  settings.selection.AcceptAnyOf(settings.rules.any_of_key);
  settings.selection.ReadUnwraps(options, rules == SelectionRules::kOurs);
  settings.lines = ReadLineOptions(options, settings.selection);
  if (settings.lines.by_line && !settings.rules.any_of_key.empty()) throw NoLinesWithAccepted(options);
  if (settings.lines.by_line) {
    return std::make_unique<ConfiguredScorer<LineSimilarityBatch, JsonSimilaritySettings>>(
        std::move(settings));
  }
  if (!settings.rules.are_plain()) {
    return std::make_unique<ConfiguredScorer<RuledSimilarityBatch, JsonSimilaritySettings>>(
        std::move(settings));
  }
  return std::make_unique<ConfiguredScorer<PlainSimilarityBatch, JsonSimilaritySettings>>(
      std::move(settings));
}

}  // namespace

constinit const ScorerType kJsonSimilarityScorer = {
    "json_similarity",
    "share of the expected leaves that the actual value matches",
    kJsonSimilarityOptions,
    MakeJsonSimilarity,
    {"For JSON where near answers should count in part. The score is the mean over the expected leaves: near "
     "texts and numbers earn a part, and content that is expected nowhere costs nothing.",
     "json_similarity:number_tolerance=0.01", R"({"city": "Oslo", "population": 700})",
     R"({"city": "Olso", "population": 699})", "", 0.75},
    kUiPathRevisions};

}  // namespace leafscore::internal
