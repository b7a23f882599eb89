#include "engine/run/result_rows.h"

#include <algorithm>
#include <iterator>

namespace leafscore::internal {
namespace {

std::span<const RecordScore> ScoresOf(const ResultRows& results, const ResultLayout& layout,
                                      std::size_t row) {
  return std::span(results.scores).subspan(row * layout.scorers(), layout.scorers());
}

// Returns the outcomes of the fields that a scorer judges. Empty for an error, or if the scorer does not
// apply to the record. If the scorer compares classes, also empty if UiPath's rule ended the record before
// this scorer.
std::span<const FieldOutcome> FieldsOf(const ResultRows& results, const ResultLayout& layout, std::size_t row,
                                       std::size_t scorer, const RunSummary& summary) {
  if (summary.traits(scorer).class_report && scorer > summary.EndOfRecord(ScoresOf(results, layout, row))) {
    return {};
  }
  const Outcome outcome = results.scores[row * layout.scorers() + scorer].outcome;
  if (outcome == Outcome::kError || outcome == Outcome::kNotAsked) return {};
  const FieldOutcome* const fields = results.fields.data() + row * layout.fields();
  return {fields + layout.field_begin[scorer], fields + layout.field_begin[scorer + 1]};
}

// Appends the counts of values in the rows from `first` on, for the scorers that count values or faults.
void AppendCells(const BatchScorer& scorer, std::size_t first, ResultRows& rows) {
  const std::size_t scorers = scorer.scorer_count();
  std::vector<NamedCellCounts> counts;
  for (std::size_t s = 0; s < scorers; ++s) {
    if (!scorer.scorer_batch(s).counts_cells() && !scorer.scorer_batch(s).counts_faults()) continue;
    rows.cells.Resize(first + scorer.pairs().size());
    for (std::uint32_t r = 0; r < scorer.pairs().size(); ++r) {
      const Outcome outcome = rows.scores[(first + r) * scorers + s].outcome;
      if (outcome == Outcome::kError || outcome == Outcome::kNotAsked) continue;
      counts.clear();
      scorer.scorer_batch(s).AppendCellCounts(r, counts);
      for (const NamedCellCounts& of_field : counts) {
        rows.cells.Add(first + r, static_cast<std::uint32_t>(s), of_field);
      }
    }
  }
}

}  // namespace

ResultLayout LayoutOf(const BatchScorer& scorer) {
  ResultLayout layout{{0}};
  for (std::size_t s = 0; s < scorer.scorer_count(); ++s) {
    layout.field_begin.push_back(layout.fields() + scorer.scorer_batch(s).field_names().size());
  }
  return layout;
}

void DescribeScorers(const BatchScorer& scorer, RunSummary& summary) {
  for (std::size_t s = 0; s < scorer.scorer_count(); ++s) {
    const ScorerBatch& batch = scorer.scorer_batch(s);
    ScorerTraits& traits = summary.traits(s);
    traits.remark_names.assign(batch.remark_names().begin(), batch.remark_names().end());
    traits.counts_faults = batch.counts_faults();
    traits.sees_others = !(scorer.PossibleCauses(s) & kCausesOfRuns).empty();
    traits.final_weight = scorer.final_weight(s);
    traits.missing_key_ends_record = batch.missing_key_ends_record();
    if (const ClassReport* const classes = batch.class_report(); classes != nullptr) {
      traits.class_report = *classes;
    } else {
      traits.judged_fields = batch.field_names();
    }
  }
}

void AppendResults(const BatchScorer& scorer, ResultRows& rows) {
  const std::uint32_t records = scorer.pairs().size();
  const std::size_t scorers = scorer.scorer_count();
  if (scorers == 0) return;  // lint leaves out scorers that cost money
  const std::size_t first = rows.scores.size();
  rows.scores.resize(first + records * scorers);
  rows.json_in_texts.resize(scorers);
  rows.raters.resize(scorers);
  for (std::size_t s = 0; s < scorers; ++s) {
    AddJsonInTexts(scorer.scorer_batch(s).json_in_texts(), rows.json_in_texts[s]);
    rows.raters[s] += scorer.scorer_batch(s).rater_sums();
    const ScoreColumns& columns = scorer.scorer_batch(s).columns();
    for (std::uint32_t r = 0; r < records; ++r) {
      RecordScore& score = rows.scores[first + r * scorers + s];
      score = {.score = columns.score[r], .outcome = columns.outcome[r], .passed = columns.passed[r]};
      if (score.outcome != Outcome::kScored) score.reason = scorer.Verdict(s, r).reason;
      score.causes = scorer.CausesOf(s, r);
    }
    for (const std::uint32_t r : scorer.scorer_batch(s).nothing_compared()) {
      rows.scores[first + r * scorers + s].nothing_compared = true;
    }
    for (const std::uint32_t r : scorer.scorer_batch(s).read_from_text()) {
      rows.scores[first + r * scorers + s].read_from_text = true;
    }
    for (const std::uint32_t r : scorer.scorer_batch(s).of_other_kind()) {
      rows.scores[first + r * scorers + s].of_other_kind = true;
    }
    for (const auto [r, share] : scorer.scorer_batch(s).unexpected()) {
      RecordScore& score = rows.scores[first + r * scorers + s];
      if (score.outcome == Outcome::kScored) score.unexpected_share = share;
    }
    if (scorer.scorer_batch(s).remark_names().empty()) continue;
    for (std::uint32_t r = 0; r < records; ++r) {
      RecordScore& score = rows.scores[first + r * scorers + s];
      if (score.outcome == Outcome::kScored) score.remarks = scorer.scorer_batch(s).RemarksOn(r);
    }
  }
  scorer.AppendHashes(rows.hashes);
  AppendCells(scorer, first / scorers, rows);
  const ResultLayout layout = LayoutOf(scorer);
  if (layout.fields() == 0) return;
  for (std::uint32_t r = 0; r < records; ++r) {
    for (std::size_t s = 0; s < scorers; ++s) {
      const Outcome outcome = rows.scores[first + r * scorers + s].outcome;
      if (outcome != Outcome::kError && outcome != Outcome::kNotAsked) {
        scorer.scorer_batch(s).AppendFieldOutcomes(r, rows.fields);
      } else {
        rows.fields.resize(rows.fields.size() + layout.field_begin[s + 1] - layout.field_begin[s]);
      }
    }
  }
}

std::uint64_t CountAsked(const ResultRows& rows) {
  return rows.scores.size() - static_cast<std::uint64_t>(
                                  std::ranges::count(rows.scores, Outcome::kNotAsked, &RecordScore::outcome));
}

void AppendRows(const ResultRows& more, ResultRows& rows) {
  const std::size_t first = more.json_in_texts.empty() ? 0 : rows.scores.size() / more.json_in_texts.size();
  for (std::size_t row = 0; row < more.cells.size(); ++row) rows.cells.Copy(more.cells, row, first + row);
  rows.scores.insert(rows.scores.end(), more.scores.begin(), more.scores.end());
  rows.fields.insert(rows.fields.end(), more.fields.begin(), more.fields.end());
  rows.hashes.insert(rows.hashes.end(), more.hashes.begin(), more.hashes.end());
  rows.json_in_texts.resize(more.json_in_texts.size());
  rows.raters.resize(more.raters.size());
  for (std::size_t s = 0; s < more.json_in_texts.size(); ++s) {
    AddJsonInTexts(more.json_in_texts[s], rows.json_in_texts[s]);
    rows.raters[s] += more.raters[s];
  }
}

void AddSums(const ResultRows& results, RunSummary& summary) {
  for (std::size_t s = 0; s < results.json_in_texts.size(); ++s) {
    summary.AddJsonInTexts(s, results.json_in_texts[s]);
    summary.AddRaters(s, results.raters[s]);
  }
}

void AddRow(const ResultRows& results, const ResultLayout& layout, std::size_t row,
            std::span<const std::uint32_t> groups, const RecordName& name, RunSummary& summary) {
  for (std::size_t s = 0; s < layout.scorers(); ++s) {
    const RecordScore& score = results.scores[row * layout.scorers() + s];
    summary.Add(s, score, groups, FieldsOf(results, layout, row, s, summary), name);
  }
  summary.AddCells(results.cells, row, groups);
  summary.AddWholeRecord(ScoresOf(results, layout, row));
}

void AddHashes(const ResultRows& results, const ResultLayout& layout, std::span<const std::uint32_t> rows,
               std::span<const std::uint32_t> groups, const RecordName& name, RunSummary& summary) {
  AnswersOfOthers& answers = summary.answers_of_others();
  const PairHashes& first = results.hashes[rows.front()];
  bool is_right = false;
  for (std::size_t s = 0; s < layout.scorers(); ++s) {
    const RecordScore& score = results.scores[rows.front() * layout.scorers() + s];
    is_right |= summary.traits(s).sees_others && score.outcome == Outcome::kScored && !EarnedLittle(score);
  }
  if (first.expected_text != 0) answers.AddRecord(first.expected_text, is_right ? first.answer_text : 0);
  for (const std::uint32_t row : rows) {
    if (results.hashes[row].expected == 0) continue;
    for (std::size_t s = 0; s < layout.scorers(); ++s) {
      const RecordScore& score = results.scores[row * layout.scorers() + s];
      if (!summary.traits(s).sees_others || !EarnedLittle(score)) continue;
      const bool is_told = IsTold(score, FieldsOf(results, layout, row, s, summary));
      PairHashes hashes = results.hashes[row];
      // If an object has few different labels, one wrong label often makes it equal to another record's.
      if (score.causes.Has(AnswerCause::kNearMiss)) hashes.actual = 0;
      answers.Add({s,
                   hashes,
                   score.outcome == Outcome::kScored ? score.score : 0,
                   is_told,
                   rows.size(),
                   name.record,
                   std::string(name.id),
                   {groups.begin(), groups.end()}});
    }
  }
}

void AddRowToGroups(const ResultRows& results, const ResultLayout& layout, std::size_t row,
                    std::span<const std::uint32_t> groups, const RecordName& name, RunSummary& summary) {
  for (std::size_t s = 0; s < layout.scorers(); ++s) {
    const RecordScore& score = results.scores[row * layout.scorers() + s];
    summary.AddToGroups(s, {&score, 1}, groups, FieldsOf(results, layout, row, s, summary), name);
  }
  summary.AddCellsToGroups(results.cells, row, groups);
}

void AddRepeatedRows(const ResultRows& results, const ResultLayout& layout,
                     std::span<const std::uint32_t> rows, std::span<const std::uint32_t> groups,
                     const RecordName& name, RunSummary& summary) {
  std::vector<RecordScore> answers;
  std::vector<RecordScore> means;  // for each scorer, over all answers
  std::vector<FieldOutcome> fields;
  for (std::size_t s = 0; s < layout.scorers(); ++s) {
    answers.clear();
    fields.clear();
    double sum = 0;
    bool any_scored = false;
    for (const std::uint32_t row : rows) {
      answers.push_back(results.scores[row * layout.scorers() + s]);
      std::ranges::copy(FieldsOf(results, layout, row, s, summary), std::back_inserter(fields));
      if (answers.back().outcome != Outcome::kScored) continue;
      any_scored = true;
      sum += answers.back().score;
    }
    summary.Add(s, answers, groups, fields, name);
    RecordScore& mean = means.emplace_back(answers.back());
    if (!any_scored) continue;
    mean.outcome = Outcome::kScored;
    mean.score = sum / static_cast<double>(answers.size());
  }
  for (const std::uint32_t row : rows) summary.AddCells(results.cells, row, groups);
  summary.AddWholeRecord(means);
}

}  // namespace leafscore::internal
