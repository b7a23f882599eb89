#include "engine/lint/gold_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/json/leaf_table.h"
#include "engine/lint/easy_answers.h"
#include "engine/lint/json_value.h"
#include "engine/match/deep_equal.h"
#include "engine/report/human_numbers.h"
#include "engine/report/join_summary.h"
#include "engine/report/text_table.h"
#include "engine/run/file_options.h"

namespace leafscore::internal {
namespace {

// Of gold with so many records, a path in at most 1 of 100 is rare.
constexpr std::uint64_t kLeastForRare = 100;
constexpr std::uint64_t kRareOneOf = 100;

void AddIdsFinding(LintSeverity severity, LintKind kind, const ListedIds& ids, std::string message,
                   std::string advice, LintReport& report) {
  if (ids.count == 0) return;
  LintFinding finding;
  finding.severity = severity;
  finding.kind = kind;
  finding.ids = ids;
  finding.numbers = {{"records", static_cast<double>(ids.count)}};
  finding.message = std::move(message);
  finding.advice = std::move(advice);
  report.findings.push_back(std::move(finding));
}

// Tells whether two expected values are equal, as 1 and 1.0 are.
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

// Rows that have what an earlier row has, apart by whether they expect the same.
struct Repeats {
  ListedIds same;
  ListedIds different;
};

// Compares each row with the first one that has the same key, a number from `key_of`; `count` is how many
// there are.
template <class KeyOf, class Name>
Repeats FindRepeats(const GoldRecords& gold, Equality& equal, std::size_t count, KeyOf key_of, Name name) {
  Repeats repeats;
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

std::string Records(const ListedIds& ids) {
  return fmt::format("{} record{}", WithThousands(ids.count), ids.count == 1 ? "" : "s");
}
std::string RecordsHave(const ListedIds& ids) { return Records(ids) + (ids.count == 1 ? " has" : " have"); }

void CheckRepeats(const GoldRecords& gold, const EngineOptions& options, LintReport& report) {
  Equality equal(gold, options);
  const Repeats ids = FindRepeats(
      gold, equal, gold.ids().size(), [](const GoldRecords::Row& row) { return row.id; },
      [&](const GoldRecords::Row&, std::uint32_t row) { return std::optional(gold.Name(row)); });
  AddIdsFinding(LintSeverity::kError, LintKind::kContradictoryId, ids.different,
                RecordsHave(ids.different) + " the id of an earlier one and another expected value.",
                "Keep the right one of each: in a run only the last counts.", report);
  AddIdsFinding(LintSeverity::kWarning, LintKind::kRepeatedId, ids.same,
                RecordsHave(ids.same) + " the id and the expected value of an earlier one.",
                "Keep one of each: in a run only the last counts.", report);
  // What has one id as well has been told.
  const Repeats questions = FindRepeats(
      gold, equal, gold.questions().size(), [](const GoldRecords::Row& row) { return row.question; },
      [&](const GoldRecords::Row& earlier, std::uint32_t row) {
        const bool same_id = earlier.id == gold.rows()[row].id && earlier.id != TextNumbers::kNone;
        return same_id ? std::nullopt : std::optional(gold.Name(row));
      });
  AddIdsFinding(
      LintSeverity::kError, LintKind::kContradictoryQuestion, questions.different,
      RecordsHave(questions.different) + " the question of an earlier one and another expected value.",
      "Nobody can be right on both: correct one, or put what tells them apart into the question.", report);
  AddIdsFinding(LintSeverity::kWarning, LintKind::kRepeatedQuestion, questions.same,
                RecordsHave(questions.same) + " the question and the expected value of an earlier one.",
                "Keep one of each: a question that is asked twice counts twice.", report);
}

}  // namespace

void CheckRecords(const GoldRecords& gold, const EngineOptions& options, LintReport& report) {
  AddIdsFinding(
      LintSeverity::kError, LintKind::kUnreadableGold, gold.unreadable(),
      fmt::format("{} cannot be read; the first is {}.", Records(gold.unreadable()), gold.first_fault()),
      "Correct them: a run leaves them out, and so asks less than it seems to.", report);
  AddIdsFinding(LintSeverity::kError, LintKind::kMissingId, gold.without_id(),
                RecordsHave(gold.without_id()) + " no id.",
                "Give each an id of its own: without it no answer can be joined with it.", report);
  AddIdsFinding(LintSeverity::kError, LintKind::kMissingExpected, gold.without_expected(),
                RecordsHave(gold.without_expected()) + " no expected value.",
                "Add the value, null where nothing is expected: without it every answer is an error.",
                report);
  CheckRepeats(gold, options, report);
}

void CheckPaths(const GoldRecords& gold, LintReport& report) {
  const std::vector<PathTree::Place>& places = gold.paths().places();
  LintFinding constant;
  std::uint64_t constant_leaves = 0;
  LintFinding rare;
  const auto is_rare = [&](const PathTree::Place& place) {
    return place.records * kRareOneOf <= gold.paths().records();
  };
  for (std::uint32_t place = 0; place < places.size(); ++place) {
    if (gold.paths().IsConstant(place)) {
      constant_leaves += places[place].leaves;
      AddId(gold.paths().Text(place), constant.paths);
    }
    // Of a subtree that is rare, its root.
    if (place != PathTree::kRoot && is_rare(places[place]) && !is_rare(places[places[place].parent])) {
      AddId(gold.paths().Text(place), rare.paths);
    }
  }
  if (constant.paths.count != 0) {
    const LintAnswer* most = nullptr;
    for (const LintAnswer& answer : report.answers) {
      const bool is_it = answer.answer == "constant_leaves";
      if (is_it && (most == nullptr || *answer.mean > *most->mean)) most = &answer;
    }
    const double share = static_cast<double>(constant_leaves) /
                         static_cast<double>(std::max<std::uint64_t>(gold.paths().leaves(), 1));
    constant.kind = LintKind::kConstantPath;
    constant.severity =
        most != nullptr && *most->mean >= kNotedMean ? LintSeverity::kWarning : LintSeverity::kNote;
    constant.numbers = {{"share_of_leaves", share}};
    constant.message =
        fmt::format("The leaves at {} path{} never vary: {:.1f}% of all leaves.",
                    WithThousands(constant.paths.count), constant.paths.count == 1 ? "" : "s", 100 * share);
    if (most != nullptr) {
      constant.scorer = most->scorer;
      constant.numbers.emplace_back("mean", *most->mean);
      constant.message.back() = ';';
      constant.message += fmt::format(" an answer of nothing else scores {:.4f} on average.", *most->mean);
    }
    constant.advice =
        "Leave them out of the score (ignore_paths, fields), or compare every mean with this one.";
    report.findings.push_back(std::move(constant));
  }
  if (rare.paths.count != 0 && gold.paths().records() >= kLeastForRare) {
    rare.kind = LintKind::kRarePath;
    rare.numbers = {{"records", static_cast<double>(gold.paths().records())}};
    rare.message = fmt::format("{} path{} in no more than 1% of the records.",
                               WithThousands(rare.paths.count), rare.paths.count == 1 ? " is" : "s are");
    rare.advice = "Look for mistyped keys, and for keys that are data and should be values.";
    report.findings.push_back(std::move(rare));
  }
}

void CheckAgainstItself(const GoldRecords& gold, const std::vector<std::string>& scorers, BatchJudge& judge,
                        LintReport& report) {
  struct ScorerTally {
    ListedIds unscored;
    std::string first_message;
    ListedIds imperfect;
    double least = 1;
    ListedIds nothing_compared;
  };
  constexpr double kRounding = 1e-9;  // of a sum of weights
  std::vector<ScorerTally> tallies(scorers.size());
  judge.SetTake([&](const Judgement& judgement) {
    ScorerTally& tally = tallies[judgement.scorer];
    const std::string id = gold.Name(judgement.row);
    if (!judgement.scored) {
      if (tally.unscored.count == 0) tally.first_message = judgement.message;
      AddId(id, tally.unscored);
    } else if (judgement.nothing_compared) {
      AddId(id, tally.nothing_compared);
    } else if (judgement.score < 1 - kRounding || !judgement.passes) {
      AddId(id, tally.imperfect);
      tally.least = std::min(tally.least, judgement.score);
    }
  });
  for (std::uint32_t row = 0; row < gold.size(); ++row) {
    if (const auto expected = gold.Expected(row)) judge.Add(row, expected, *expected);
  }
  judge.Flush();
  for (std::size_t s = 0; s < scorers.size(); ++s) {
    const ScorerTally& tally = tallies[s];
    const std::size_t before = report.findings.size();
    AddIdsFinding(LintSeverity::kError, LintKind::kUnscorableGold, tally.unscored,
                  fmt::format("{} no score with the gold as the answer; the first: {}.",
                              RecordsHave(tally.unscored), tally.first_message),
                  "Correct the gold or the scorer's options: no answer to these can be right.", report);
    AddIdsFinding(LintSeverity::kError, LintKind::kGoldNotPerfect, tally.imperfect,
                  fmt::format("{} a score below 1, or do not pass, with the gold as the answer; the least "
                              "score is {:.4f}.",
                              RecordsHave(tally.imperfect), tally.least),
                  "Write this gold as the scorer reads it, or choose another scorer: no answer to these can "
                  "be right.",
                  report);
    AddIdsFinding(LintSeverity::kWarning, LintKind::kNothingCompared, tally.nothing_compared,
                  fmt::format("Of {} the scorer compares nothing, whatever the answer.",
                              Records(tally.nothing_compared)),
                  "Expect something of these records, or name other paths in the scorer's options.", report);
    for (std::size_t f = before; f < report.findings.size(); ++f) report.findings[f].scorer = scorers[s];
  }
}

}  // namespace leafscore::internal
