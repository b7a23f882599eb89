#include "engine/calibrate/judge_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include "engine/base/resource_error.h"
#include "engine/base/suggest.h"
#include "engine/io/record_reader.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/json/json_view.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/field_presence.h"
#include "engine/run/file_options.h"
#include "engine/run/path_presence.h"
#include "engine/statistics/agreement_intervals.h"
#include "engine/statistics/kendall_tau.h"
#include "engine/statistics/krippendorff_alpha.h"

namespace leafscore::internal {
namespace {

// The part of a record that is kept for each scorer.
struct Labelled {
  double label;
  double score;
  double length;     // length of the answer's text
  std::size_t unit;  // of records with this id
  std::vector<std::string> groups;
};

// The fields that some record must have.
std::vector<WantedField> FieldsOf(const JudgeCheckOptions& options, bool needs_expected) {
  std::vector<WantedField> wanted = WantedFields(options.run, needs_expected);
  wanted.push_back({options.label_field, "--label-field", kFirstGroupField});
  for (std::size_t f = 0; f < options.by.size(); ++f)
    wanted.push_back({options.by[f], "--by", kFirstGroupField + 1 + f});
  return wanted;
}

// Returns the label in a value, which is a text in tables.
std::optional<double> LabelOf(const JsonView& value, double most) {
  std::optional<double> label = value.Number();
  const std::string text = value.IsText() ? value.Text().value_or("") : "";
  if (ClassifyNumber(text) != TokenClass::kInvalid) label = ParseNumber(text);
  if (value.Is(ValueKind::kTrue)) label = most;
  if (value.Is(ValueKind::kFalse)) label = 0;
  if (!label || !(*label >= 0 && *label <= most)) return std::nullopt;
  return *label / most;
}

AgainstPeople Compare(std::span<const Labelled* const> records) {
  AgainstPeople figures{.records = records.size()};
  if (records.empty()) return figures;
  const auto count = static_cast<double>(records.size());
  double people = 0;
  double judge = 0;
  double away = 0;
  for (const Labelled* const record : records) {
    people += record->label;
    judge += record->score;
    away += std::abs(record->score - record->label);
  }
  figures.people = people / count;
  figures.judge = judge / count;
  figures.bias = (judge - people) / count;
  figures.mean_difference = away / count;
  if (records.size() == 1) return figures;
  double squares = 0;
  for (const Labelled* const record : records)
    squares += std::pow(record->score - record->label - *figures.bias, 2);
  figures.bias_error = std::sqrt(squares / (count - 1) / count);
  return figures;
}

Confusion Confuse(std::span<const Labelled* const> records, std::span<const std::size_t> units,
                  double threshold) {
  Confusion confusion;
  std::vector<double> judge_passes;
  std::vector<double> people_pass;
  for (const Labelled* const record : records) {
    const bool judge = record->score >= threshold;
    const bool people = record->label >= threshold;
    confusion.Add(judge, people);
    judge_passes.push_back(judge ? 1 : 0);
    people_pass.push_back(people ? 1 : 0);
  }
  if (records.empty()) return confusion;
  const auto count = static_cast<double>(records.size());
  const auto share = [&](std::uint64_t part) { return static_cast<double>(part) / count; };
  const double agreement = share(confusion.both_pass + confusion.both_fail);
  const double judge = share(confusion.both_pass + confusion.judge_passes);
  const double people = share(confusion.both_pass + confusion.people_pass);
  const double by_chance = judge * people + (1 - judge) * (1 - people);
  confusion.agreement = agreement;
  if (by_chance < 1) confusion.kappa = (agreement - by_chance) / (1 - by_chance);
  confusion.kappa_interval = KappaInterval({judge_passes, people_pass, units});
  return confusion;
}

void Conclude(const std::vector<Labelled>& records, const JudgeCheckOptions& options, CheckedJudge& judge) {
  std::vector<const Labelled*> all;
  std::vector<double> ratings;
  std::vector<double> labels;
  std::vector<double> scores;
  std::vector<double> above;
  std::vector<double> lengths;
  std::map<std::size_t, std::size_t> numbers;  // of the units that have a score, which may be fewer
  std::vector<std::size_t> units;
  for (const Labelled& record : records) {
    all.push_back(&record);
    ratings.insert(ratings.end(), {record.label, record.score});
    labels.push_back(record.label);
    scores.push_back(record.score);
    above.push_back(record.score - record.label);
    lengths.push_back(record.length);
    units.push_back(numbers.try_emplace(record.unit, numbers.size()).first->second);
  }
  const RatedRecords rated = {labels, scores, units};
  judge.all = Compare(all);
  judge.alpha = KrippendorffAlpha(ratings, 2);
  judge.alpha_interval = AlphaInterval(rated);
  judge.rank_agreement = KendallTauB(labels, scores);
  judge.rank_agreement_interval = TauBInterval(rated);
  judge.length_bias = KendallTauB(lengths, above);
  judge.confusion = Confuse(all, units, options.threshold);
  for (std::size_t f = 0; f < options.by.size(); ++f) {
    std::map<std::string, std::vector<const Labelled*>> by_value;
    for (const Labelled* const record : all) by_value[record->groups[f]].push_back(record);
    for (const auto& [value, of_value] : by_value)
      judge.groups.push_back({options.by[f], value, Compare(of_value)});
  }
}

JudgeCheck Check(const ScorerSet& scorers, const JudgeCheckOptions& options) {
  RecordFields fields = RecordFieldsOf(options.run);
  fields.groups = {options.label_field};
  fields.groups.insert(fields.groups.end(), options.by.begin(), options.by.end());
  const std::size_t width = fields.groups.size();
  BatchScorer scorer(scorers, options.run);
  scorer.SetFields(fields);
  JudgeCheck check{.threshold = options.threshold};
  for (const std::string& name : scorers.names()) check.judges.push_back({.scorer = name});
  std::vector<std::vector<Labelled>> labelled(check.judges.size());
  FieldPresence presence;
  std::vector<FieldPresence> paths;
  std::map<std::string, std::size_t> unit_of_id;
  std::size_t units = 0;

  RecordReader reader(options.run.inputs, ReaderOptionsOf(options.run));
  for (RecordBatch batch; reader.Next(batch);) {
    for (std::size_t first = 0; first != batch.records.size();) {
      const std::size_t count = scorer.ScoreRecords(batch, first);
      first += count;
      check.records += count;
      AddPresence(scorer.presence(), presence);
      AddPresence(scorer.PathPresence(), paths);
      const auto view = [&](NodeId node) { return JsonView(scorer.record_table(), scorer.shapes(), node); };
      for (std::uint32_t r = 0; r < count; ++r) {
        const std::span<const NodeId> found = std::span(scorer.records().groups).subspan(r * width, width);
        const JsonView written = view(found[0]);
        const std::optional<double> label = LabelOf(written, options.label_max);
        if (!label) {
          const bool is_rejected = scorer.records().parsed[r].root == kNoNode;
          const bool is_invalid = written.present() && !written.Is(ValueKind::kNull);
          ++(is_rejected ? check.rejected : is_invalid ? check.invalid_labels : check.without_label);
          if (is_invalid && check.first_invalid_label.empty())
            check.first_invalid_label = QuoteForMessage(written.Text().value_or("a list or map"));
          continue;
        }
        const std::string answer = view(scorer.pairs().actual[r]).Text().value_or("");
        const std::optional<std::string> id = view(scorer.records().id[r]).Text();
        const std::size_t unit = id ? unit_of_id.try_emplace(*id, units).first->second : units;
        if (unit == units) ++units;
        check.without_id += !id;
        std::vector<std::string> groups;
        for (const NodeId node : found.subspan(1)) groups.push_back(view(node).Text().value_or("(none)"));
        for (std::size_t s = 0; s < check.judges.size(); ++s) {
          ++check.judges[s].labelled;
          if (const RowVerdict verdict = scorer.Verdict(s, r); verdict.outcome != Outcome::kScored) {
            if (++check.judges[s].errors == 1) check.judges[s].first_error = verdict.message;
            continue;
          }
          labelled[s].push_back({*label, scorer.scorer_batch(s).columns().score[r],
                                 static_cast<double>(answer.size()), unit, groups});
        }
      }
    }
  }
  if (reader.stopped()) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
  CheckFieldsAreThere(presence, FieldsOf(options, scorers.needs_expected()), "no record");
  if (!options.run.allow_absent_paths) CheckPathsLead(scorer, paths);
  if (check.without_label + check.invalid_labels + check.rejected == check.records) {
    throw Error(ErrorCode::kInput, fmt::format("no record has a number from 0 to {} in the field {}; name it "
                                               "with --label-field, and the best label with --label-max",
                                               options.label_max, QuoteForMessage(options.label_field)));
  }
  for (std::size_t s = 0; s < labelled.size(); ++s) Conclude(labelled[s], options, check.judges[s]);
  return check;
}

}  // namespace

JudgeCheck CheckJudges(const ScorerSet& scorers, const JudgeCheckOptions& options) {
  return WithResourceErrors("give a lower --max-line-bytes, or fewer labels",
                            [&] { return Check(scorers, options); });
}

}  // namespace leafscore::internal
