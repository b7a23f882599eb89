#include "engine/lint/easy_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

#include "engine/lint/answer_maker.h"
#include "engine/report/human_numbers.h"
#include "engine/report/join_summary.h"
#include "engine/report/text_table.h"

namespace leafscore::internal {
namespace {

// An answer that is easy to give. Without advice it is no finding of its own.
struct EasyAnswer {
  std::string name;
  std::string description;
  std::string advice;
  std::function<std::optional<MadeAnswer>(std::uint32_t row)> give;
};

// What one scorer gives for it.
struct AnswerTally {
  LintAnswer figures;
  double sum = 0;
  ListedIds wrongly_passed;
};

constexpr char kEmptyAdvice[] =
    "Look at these records: gold that is empty itself cannot be asked for, and other gold needs a scorer or "
    "threshold that asks for more.";

std::vector<EasyAnswer> ListEasyAnswers(AnswerMaker& maker) {
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
    answers.push_back(
        {"most_common_gold",
         fmt::format("The most common gold, {}, as the answer to every record",
                     DisplayName(maker.most_common())),
         "Balance the gold, or compare every mean with this one: whoever always answers so gets it.",
         [&maker](std::uint32_t row) { return maker.Same(maker.most_common(), row); }});
  }
  answers.push_back(
      {"other_gold", "The gold of another record",
       "What all records have in common earns this much: leave it out (ignore_paths, fields), or raise "
       "the threshold.",
       [&maker](std::uint32_t row) { return maker.Other(row); }});
  answers.push_back(
      {"null_values", "The gold with null in place of every value",
       "Keys alone earn this much: choose a scorer that compares values, or expect fewer nulls.",
       [&maker](std::uint32_t row) { return maker.NullValues(row); }});
  if (maker.has_constants()) {
    answers.push_back({"constant_leaves", "An answer of nothing but the leaves that never vary", "",
                       [&maker](std::uint32_t row) { return maker.ConstantLeaves(row); }});
  }
  answers.push_back(
      {"number_in_prose",
       "A sentence that has the number of the gold by chance (\"The tool failed after examining 34 "
       "records.\")",
       "Expect an object with the number in it, or choose a scorer that takes no numbers from prose.",
       [&maker](std::uint32_t row) { return maker.NumberInProse(row); }});
  return answers;
}

// Adds a finding where the answer gets too much.
void AddFinding(const EasyAnswer& answer, const AnswerTally& tally, LintReport& report) {
  const LintAnswer& figures = tally.figures;
  const double share = static_cast<double>(figures.wrong_passed) / static_cast<double>(figures.asked);
  if (figures.wrong_passed == 0 && *figures.mean < kNotedMean) return;
  LintFinding finding;
  finding.severity =
      share >= kWarnedShare || *figures.mean >= kWarnedMean ? LintSeverity::kWarning : LintSeverity::kNote;
  finding.kind = LintKind::kEasyAnswer;
  finding.scorer = figures.scorer;
  finding.answer = figures.answer;
  finding.ids = tally.wrongly_passed;
  finding.numbers = {{"mean", *figures.mean},
                     {"asked", static_cast<double>(figures.asked)},
                     {"passed", static_cast<double>(figures.passed)},
                     {"wrong_passed", static_cast<double>(figures.wrong_passed)}};
  finding.message = fmt::format("{} scores {:.4f} on average over {} records", answer.description,
                                *figures.mean, WithThousands(figures.asked));
  finding.message += figures.wrong_passed == 0
                         ? "."
                         : fmt::format(", and passes {} of them without being their gold.",
                                       WithThousands(figures.wrong_passed));
  finding.advice = answer.advice;
  report.findings.push_back(std::move(finding));
}

}  // namespace

void JudgeEasyAnswers(const GoldRecords& gold, const EngineOptions& options,
                      const std::vector<std::string>& scorers, BatchJudge& judge, LintReport& report) {
  AnswerMaker maker(gold, options);
  std::vector<std::vector<LintAnswer>> by_scorer(scorers.size());
  std::vector<bool> is_right(gold.size());
  for (const EasyAnswer& answer : ListEasyAnswers(maker)) {
    std::vector<AnswerTally> tallies(scorers.size());
    judge.SetTake([&](const Judgement& judgement) {
      if (judgement.nothing_compared) return;  // which is told of the gold
      AnswerTally& tally = tallies[judgement.scorer];
      ++tally.figures.asked;
      tally.figures.scored += judgement.scored;
      tally.figures.passed += judgement.passes;
      tally.sum += judgement.score;
      if (!judgement.passes || is_right[judgement.row]) return;
      ++tally.figures.wrong_passed;
      AddId(gold.Name(judgement.row), tally.wrongly_passed);
    });
    for (std::uint32_t row = 0; row < gold.size(); ++row) {
      const std::optional<MadeAnswer> given = answer.give(row);
      if (!given) continue;
      is_right[row] = given->is_right;
      judge.Add(row, gold.Expected(row), given->json);
    }
    judge.Flush();
    for (std::size_t s = 0; s < scorers.size(); ++s) {
      AnswerTally& tally = tallies[s];
      if (tally.figures.asked == 0) continue;
      tally.figures.answer = answer.name;
      tally.figures.scorer = scorers[s];
      tally.figures.mean = tally.sum / static_cast<double>(tally.figures.asked);
      by_scorer[s].push_back(tally.figures);
      if (!answer.advice.empty()) AddFinding(answer, tally, report);
    }
  }
  for (std::vector<LintAnswer>& answers : by_scorer) {
    report.answers.insert(report.answers.end(), answers.begin(), answers.end());
  }
}

}  // namespace leafscore::internal
