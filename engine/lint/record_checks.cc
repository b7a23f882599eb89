#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/json/json_value.h"
#include "engine/json/leaf_table.h"
#include "engine/lint/checks.h"
#include "engine/lint/findings.h"
#include "engine/lint/similar_ids.h"
#include "engine/match/deep_equal.h"
#include "engine/render/cells.h"
#include "engine/report/join_summary.h"
#include "engine/run/file_options.h"

namespace leafscore::internal {
namespace {

// Compares two expected values for equality; 1 equals 1.0.
class Equality {
 public:
  Equality(const GoldRecords& gold, const EngineOptions& options)
      : gold_(gold), reader_(JsonOptionsOf(options)), walker_(&reader_.shapes()) {}

  bool operator()(const GoldRecords::Row& a, const GoldRecords::Row& b) {
    if (a.expected == b.expected) return true;
    if (a.expected == TextNumbers::kNone || b.expected == TextNumbers::kNone) return false;
    const JsonView first = reader_.Read(gold_.expected_values().text(a.expected));
    const JsonView second = reader_.ReadNext(gold_.expected_values().text(b.expected), second_);
    return first.present() && second.present() && DeepEqual({&reader_.table(), 0}, {&second_, 0}, walker_);
  }

 private:
  const GoldRecords& gold_;
  JsonValue reader_;
  LeafTable second_;
  PairWalker walker_;
};

// Rows that repeat an earlier row, split by whether they expect the same value.
struct RepeatedRecords {
  ListedIds same;
  ListedIds different;
};

// Compares each row with the first one that has the same key, a number from `key_of`; `count` is the number
// of keys.
template <class KeyOf, class Name>
RepeatedRecords FindRepeats(const GoldRecords& gold, Equality& equal, std::size_t count, KeyOf key_of,
                            Name name) {
  RepeatedRecords repeats;
  std::vector<std::uint32_t> first(count, TextNumbers::kNone);
  for (std::uint32_t row = 0; row < gold.size(); ++row) {
    const std::uint32_t key = key_of(gold.rows()[row]);
    if (key == TextNumbers::kNone) continue;
    if (first[key] == TextNumbers::kNone) {
      first[key] = row;
      continue;
    }
    const GoldRecords::Row& earlier = gold.rows()[first[key]];
    if (const std::optional<std::string> shown = name(earlier, row)) {
      AddId(*shown, equal(earlier, gold.rows()[row]) ? repeats.same : repeats.different);
    }
  }
  return repeats;
}

void CheckRepeats(const GoldRecords& gold, const EngineOptions& options, LintReport& report) {
  Equality equal(gold, options);
  const RepeatedRecords ids = FindRepeats(
      gold, equal, gold.ids().size(), [](const GoldRecords::Row& row) { return row.id; },
      [&](const GoldRecords::Row&, std::uint32_t row) { return std::optional(gold.Name(row)); });
  AddAbout(ids.different,
           {.severity = LintSeverity::kError,
            .kind = LintKind::kContradictoryId,
            .message = RecordsHave(ids.different) + " the id of an earlier one and another expected value.",
            .advice = "Keep the right one of each: in a run, only the last counts."},
           report);
  AddAbout(ids.same,
           {.severity = LintSeverity::kWarning,
            .kind = LintKind::kRepeatedId,
            .message = RecordsHave(ids.same) + " the id and the expected value of an earlier one.",
            .advice = "Keep one of each: in a run, only the last counts."},
           report);
  // Rows with the same id were already reported.
  const RepeatedRecords questions = FindRepeats(
      gold, equal, gold.questions().size(), [](const GoldRecords::Row& row) { return row.question; },
      [&](const GoldRecords::Row& earlier, std::uint32_t row) {
        const bool same_id = earlier.id == gold.rows()[row].id && earlier.id != TextNumbers::kNone;
        return same_id ? std::nullopt : std::optional(gold.Name(row));
      });
  AddAbout(
      questions.different,
      {.severity = LintSeverity::kError,
       .kind = LintKind::kContradictoryQuestion,
       .message =
           RecordsHave(questions.different) + " the question of an earlier one and another expected value.",
       .advice =
           "No answer can be right on both: correct one, or add what distinguishes them to the question."},
      report);
  AddAbout(
      questions.same,
      {.severity = LintSeverity::kWarning,
       .kind = LintKind::kRepeatedQuestion,
       .message = RecordsHave(questions.same) + " the question and the expected value of an earlier one.",
       .advice = "Keep one of each: a question that is asked twice counts twice."},
      report);
}

void CheckSimilarIds(const GoldRecords& gold, LintReport& report) {
  const SimilarIds similar(gold.ids());
  ListedIds ids;
  std::string first;
  for (std::uint32_t id = 0; id < gold.ids().size(); ++id) {
    const std::uint32_t earlier = similar.FirstLike(id);
    if (earlier == id) continue;
    if (ids.count == 0) {
      first = fmt::format("{} after {}", QuoteForMessage(gold.ids().text(id)),
                          QuoteForMessage(gold.ids().text(earlier)));
    }
    AddId(gold.ids().text(id), ids);
  }
  AddAbout(
      ids,
      {.severity = LintSeverity::kWarning,
       .kind = LintKind::kSimilarId,
       .message = fmt::format(
           "{} an id that differs from an earlier one only by case, blanks or leading zeros; the first: {}.",
           RecordsHave(ids), first),
       .advice = "Keep one of each, or name them so that they cannot be confused: answers are joined by the "
                 "exact id."},
      report);
}

// Returns whether all rows have the expected value of the first row, and its id or its question.
bool AreCopies(const GoldRecords& gold) {
  const GoldRecords::Row& first = gold.rows()[0];
  return std::ranges::all_of(gold.rows(), [&](const GoldRecords::Row& row) {
    const bool same_id = row.id == first.id && row.id != TextNumbers::kNone;
    const bool same_question = row.question == first.question && row.question != TextNumbers::kNone;
    return row.expected == first.expected && (same_id || same_question);
  });
}

void CheckLoneRecords(const GoldRecords& gold, LintReport& report) {
  constexpr char kAdvice[] =
      "Add records: the mean of a single record is either right or wrong, and no comparison can find a "
      "change.";
  if (AreCopies(gold)) {
    ListedIds ids;
    AddId(gold.Name(0), ids);
    AddAbout(ids,
             {.severity = LintSeverity::kWarning,
              .kind = LintKind::kLoneRecord,
              .message = gold.size() == 1 ? std::string("The test has one record.")
                                          : fmt::format("The {} records of the test are copies of one.",
                                                        WithThousands(gold.size())),
              .advice = kAdvice},
             report);
    return;
  }
  for (const GoldRecords::Group& group : gold.groups()) {
    ListedIds ids;
    std::string first;
    for (std::size_t value = 0; value < group.rows.size(); ++value) {
      if (group.rows[value] != 1) continue;
      if (ids.count == 0) first = QuoteForMessage(group.values.text(static_cast<std::uint32_t>(value)));
      AddId(gold.Name(group.first_row[value]), ids);
    }
    AddAbout(ids,
             {.severity = LintSeverity::kWarning,
              .kind = LintKind::kLoneRecord,
              .message = fmt::format("{} of {} groups of {} {} a single record; the first is {}.",
                                     WithThousands(ids.count), WithThousands(group.rows.size()),
                                     QuoteForMessage(group.field), ids.count == 1 ? "has" : "have", first),
              .advice = kAdvice},
             report);
  }
}

}  // namespace

void CheckRecords(const GoldRecords& gold, const EngineOptions& options, LintReport& report) {
  AddAbout(gold.unreadable(),
           {.severity = LintSeverity::kError,
            .kind = LintKind::kUnreadableGold,
            .message = fmt::format("{} cannot be read; the first is {}.", RecordsOf(gold.unreadable()),
                                   gold.first_fault()),
            .advice = "Correct them: a run leaves them out, and so asks fewer questions than it seems to."},
           report);
  AddAbout(gold.without_id(),
           {.severity = LintSeverity::kError,
            .kind = LintKind::kMissingId,
            .message = RecordsHave(gold.without_id()) + " no id.",
            .advice = "Give each its own id: without one, no answer can be joined with it."},
           report);
  AddAbout(
      gold.without_expected(),
      {.severity = LintSeverity::kError,
       .kind = LintKind::kMissingExpected,
       .message = RecordsHave(gold.without_expected()) + " no expected value.",
       .advice = "Add the value, or null where nothing is expected: without it, every answer is an error."},
      report);
  CheckRepeats(gold, options, report);
  CheckSimilarIds(gold, report);
  CheckLoneRecords(gold, report);
}

}  // namespace leafscore::internal
