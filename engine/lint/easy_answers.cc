#include "engine/lint/easy_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "engine/lint/answer_maker.h"
#include "engine/lint/findings.h"
#include "engine/render/cells.h"
#include "engine/report/join_summary.h"

namespace leafscore::internal {
namespace {

// An answer that is easy to give. Without advice it does not lead to a finding.
struct EasyAnswer {
  std::string name;
  std::string description;
  std::string advice;
  std::function<std::optional<MadeAnswer>(std::uint32_t row)> give;
  // The answer includes all of the gold, so it may earn a score. Only records in which the scorer finds
  // nothing wrong count.
  bool has_all = false;
};

// The results of an easy answer under one scorer.
struct AnswerTally {
  LintAnswer figures;
  double sum = 0;
  ListedIds wrongly_passed;
  ListedIds full;
  bool by_pass_score = false;
};

constexpr char kEmptyAdvice[] =
    "Look at these records: empty gold cannot be asked for, and other gold needs a stricter scorer or "
    "threshold.";

std::vector<EasyAnswer> ListEasyAnswers(const GoldRecords& gold, AnswerMaker& maker) {
  std::vector<EasyAnswer> answers;
  const auto add_same = [&](const char* name, const char* description, const char* json) {
    answers.push_back({name, description, kEmptyAdvice,
                       [&maker, json](std::uint32_t row) { return maker.Same(json, row); }});
  };
  add_same("empty_object", "The empty object", "{}");
  add_same("empty_array", "The empty array", "[]");
  add_same("empty_text", "The empty text", "\"\"");
  add_same("null", "The answer null", "null");
  answers.push_back({"question", "The question itself",
                     "Choose a scorer that looks for the answer in it rather than for similar text, or raise "
                     "its threshold.",
                     [&maker](std::uint32_t row) { return maker.Question(row); }});
  if (!maker.most_common().empty()) {
    answers.push_back({"most_common_gold",
                       fmt::format("The most common gold, {}, as the answer to every record",
                                   DisplayName(maker.most_common())),
                       gold.questions().size() == 0
                           ? "If these records are copies of one, keep one of them; else balance the gold, "
                             "or compare every mean with this one, which always giving this answer earns."
                           : "Balance the gold, or compare every mean with this one, which always giving "
                             "this answer earns.",
                       [&maker](std::uint32_t row) { return maker.Same(maker.most_common(), row); }});
  }
  answers.push_back({"other_gold", "The gold of another record",
                     "The parts that all records share earn this much: leave them out (ignore_paths, "
                     "fields), or raise the threshold.",
                     [&maker](std::uint32_t row) { return maker.Other(row); }});
  answers.push_back(
      {"null_values", "The gold with null in place of every value",
       "Keys alone earn this much: choose a scorer that compares values, or expect fewer nulls.",
       [&maker](std::uint32_t row) { return maker.NullValues(row); }});
  if (maker.has_constants()) {
    answers.push_back({"constant_leaves", "An answer with only the leaves that never vary", "",
                       [&maker](std::uint32_t row) { return maker.ConstantLeaves(row); }});
  }
  answers.push_back(
      {"number_in_prose",
       "A sentence that contains the number of the gold by chance (\"The tool failed after examining 34 "
       "records.\")",
       "Expect an object with the number in it, or choose a scorer that takes no numbers from prose.",
       [&maker](std::uint32_t row) { return maker.NumberInProse(row); }});
  answers.push_back({"superset",
                     "The gold with additions (a member in each object, an element in each array; beside a "
                     "text or number, another record's)",
                     "Additions in answers cost nothing: choose a scorer that compares both sides, such as "
                     "json_diff or exact_match, or look at what answers add.",
                     [&maker](std::uint32_t row) { return maker.Superset(row); }, /*has_all=*/true});
  return answers;
}

std::string PassedSentence(const AnswerTally& tally, double pass_score) {
  const std::uint64_t passed = tally.figures.wrong_passed;
  if (passed == 0) return ".";
  return fmt::format(", and passes {} of them{} without being their gold.", WithThousands(passed),
                     tally.by_pass_score ? fmt::format(" (with a score of at least {})", pass_score) : "");
}

// Adds a finding if the answer scores too high.
void AddFinding(const EasyAnswer& answer, const AnswerTally& tally, double pass_score, LintReport& report) {
  const LintAnswer& figures = tally.figures;
  const ListedIds& wrong = answer.has_all ? tally.full : tally.wrongly_passed;
  const double share = static_cast<double>(wrong.count) / static_cast<double>(figures.asked);
  const double mean = answer.has_all ? 0 : *figures.mean;
  if (wrong.count == 0 && mean < kNotedMean) return;
  LintFinding finding;
  finding.severity =
      share >= kWarnedShare || mean >= kWarnedMean ? LintSeverity::kWarning : LintSeverity::kNote;
  finding.kind = LintKind::kEasyAnswer;
  finding.scorer = figures.scorer;
  finding.answer = figures.answer;
  finding.ids = wrong;
  finding.numbers = {{"mean", *figures.mean},
                     {"asked", static_cast<double>(figures.asked)},
                     {"passed", static_cast<double>(figures.passed)},
                     {"wrong_passed", static_cast<double>(figures.wrong_passed)}};
  finding.message = fmt::format("{} scores {:.4f} on average over {} record{}", answer.description,
                                *figures.mean, WithThousands(figures.asked), figures.asked == 1 ? "" : "s");
  if (answer.has_all) finding.numbers.emplace_back("full", static_cast<double>(wrong.count));
  finding.message += answer.has_all
                         ? fmt::format(", and the full score in {} of them.", WithThousands(wrong.count))
                         : PassedSentence(tally, pass_score);
  finding.advice = answer.advice;
  report.findings.push_back(std::move(finding));
}

// Looks for records whose scorer accepts a single addition, unless `full` reports them already.
void CheckAdditions(const GoldRecords& gold, AnswerMaker& maker, const std::vector<std::string>& scorers,
                    const std::vector<bool>& full, BatchJudge& judge, LintReport& report) {
  std::vector<ListedIds> unseen(scorers.size());
  const auto is_told = [&](std::size_t scorer, std::uint32_t row) {
    return full[scorer * gold.size() + row];
  };
  judge.SetTake([&](const Judgement& judgement) {
    if (judgement.nothing_compared || !judgement.is_full() || is_told(judgement.scorer, judgement.row))
      return;
    AddId(gold.Name(judgement.row), unseen[judgement.scorer]);
  });
  for (std::uint32_t row = 0; row < gold.size(); ++row) {
    bool all_told = true;
    for (std::size_t s = 0; s < scorers.size(); ++s) all_told &= is_told(s, row);
    if (all_told) continue;
    if (const std::optional<MadeAnswer> given = maker.OneMore(row)) {
      judge.Add(row, gold.Expected(row), given->json);
    }
  }
  judge.Flush();
  for (std::size_t s = 0; s < scorers.size(); ++s) {
    AddAbout(
        unseen[s],
        {.kind = LintKind::kUnseenAddition,
         .scorer = scorers[s],
         .message = fmt::format(
             "In {}, the score stays 1 with one more leaf in the outermost object or array of the answer.",
             RecordsOf(unseen[s])),
         .advice = "Invented additions there cost nothing: choose a scorer that compares both sides, or look "
                   "at what answers add."},
        report);
  }
}

}  // namespace

void JudgeEasyAnswers(const GoldRecords& gold, const EngineOptions& options,
                      const std::vector<std::string>& scorers, BatchJudge& judge, LintReport& report) {
  AnswerMaker maker(gold, options);
  const std::vector<EasyAnswer> answers = ListEasyAnswers(gold, maker);
  std::vector<std::vector<AnswerTally>> tallies(answers.size(), std::vector<AnswerTally>(scorers.size()));
  std::vector<bool> is_right(gold.size());
  std::vector<bool> full(scorers.size() * gold.size());  // by scorer and row: superset gets the full score
  const std::span<const std::uint32_t> blocks = maker.blocks();
  for (std::size_t block = 0; block + 1 < blocks.size(); ++block) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      const EasyAnswer& answer = answers[i];
      judge.SetTake([&](const Judgement& judgement) {
        if (judgement.nothing_compared) return;  // reported for the gold
        AnswerTally& tally = tallies[i][judgement.scorer];
        ++tally.figures.asked;
        tally.figures.scored += judgement.scored;
        tally.figures.passed += judgement.passes;
        tally.sum += judgement.score;
        tally.by_pass_score |= judgement.by_pass_score;
        if (answer.has_all && judgement.is_full()) {
          full[judgement.scorer * gold.size() + judgement.row] = true;
          AddId(gold.Name(judgement.row), tally.full);
        }
        if (!judgement.passes || is_right[judgement.row]) return;
        ++tally.figures.wrong_passed;
        AddId(gold.Name(judgement.row), tally.wrongly_passed);
      });
      for (std::uint32_t row = blocks[block]; row < blocks[block + 1]; ++row) {
        const std::optional<MadeAnswer> given = answer.give(row);
        if (!given) continue;
        is_right[row] = given->is_right;
        judge.Add(row, gold.Expected(row), given->json);
      }
      judge.Flush();
    }
  }
  for (std::size_t s = 0; s < scorers.size(); ++s) {
    for (std::size_t i = 0; i < answers.size(); ++i) {
      AnswerTally& tally = tallies[i][s];
      if (tally.figures.asked == 0) continue;
      tally.figures.answer = answers[i].name;
      tally.figures.scorer = scorers[s];
      tally.figures.mean = tally.sum / static_cast<double>(tally.figures.asked);
      report.answers.push_back(tally.figures);
    }
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (const AnswerTally& tally : tallies[i]) {
      if (tally.figures.asked != 0 && !answers[i].advice.empty())
        AddFinding(answers[i], tally, judge.pass_score(), report);
    }
  }
  CheckAdditions(gold, maker, scorers, full, judge, report);
}

}  // namespace leafscore::internal
