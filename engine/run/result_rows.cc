#include "engine/run/result_rows.h"

namespace leafscore::internal {

ResultLayout LayoutOf(const BatchScorer& scorer) {
  ResultLayout layout{{0}};
  for (std::size_t s = 0; s < scorer.scorer_count(); ++s) {
    layout.field_begin.push_back(layout.fields() + scorer.scorer_batch(s).field_names().size());
  }
  return layout;
}

void NameJudgedFields(const BatchScorer& scorer, RunSummary& summary) {
  for (std::size_t s = 0; s < scorer.scorer_count(); ++s) {
    summary.SetJudgedFields(s, scorer.scorer_batch(s).field_names());
  }
}

void AppendResults(const BatchScorer& scorer, ResultRows& rows) {
  const std::uint32_t records = scorer.pairs().size();
  const std::size_t scorers = scorer.scorer_count();
  const std::size_t first = rows.scores.size();
  rows.scores.resize(first + records * scorers);
  for (std::size_t s = 0; s < scorers; ++s) {
    const ScoreColumns& columns = scorer.scorer_batch(s).columns();
    for (std::uint32_t r = 0; r < records; ++r) {
      RecordScore& score = rows.scores[first + r * scorers + s];
      score = {.score = columns.score[r], .outcome = columns.outcome[r], .passed = columns.passed[r]};
      if (score.outcome != Outcome::kScored) score.reason = scorer.Verdict(s, r).reason;
    }
  }
  const ResultLayout layout = LayoutOf(scorer);
  if (layout.fields() == 0) return;
  for (std::uint32_t r = 0; r < records; ++r) {
    for (std::size_t s = 0; s < scorers; ++s) {
      if (rows.scores[first + r * scorers + s].outcome != Outcome::kError) {
        scorer.scorer_batch(s).AppendFieldOutcomes(r, rows.fields);
      } else {
        rows.fields.resize(rows.fields.size() + layout.field_begin[s + 1] - layout.field_begin[s]);
      }
    }
  }
}

void AddRow(const ResultRows& rows, const ResultLayout& layout, std::size_t row,
            std::span<const std::uint32_t> groups, RunSummary& summary) {
  const FieldOutcome* const fields = rows.fields.data() + row * layout.fields();
  for (std::size_t s = 0; s < layout.scorers(); ++s) {
    const RecordScore& score = rows.scores[row * layout.scorers() + s];
    const bool judged = score.outcome != Outcome::kError;
    summary.Add(s, score, groups,
                judged ? std::span(fields + layout.field_begin[s], fields + layout.field_begin[s + 1])
                       : std::span<const FieldOutcome>());
  }
}

}  // namespace leafscore::internal
