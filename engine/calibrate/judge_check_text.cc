// Writes a check of judges as JSON, and as text for people.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/base/display.h"
#include "engine/calibrate/judge_check.h"
#include "engine/json/json_writer.h"
#include "engine/render/cells.h"
#include "engine/render/document.h"
#include "engine/render/figures.h"

namespace leafscore::internal {
namespace {

// The figures of some records, and the label of their table row.
struct NamedFigures {
  std::string name;
  AgainstPeople figures;
};

FigureList<AgainstPeople> PeopleFigures() {
  using Row = AgainstPeople;
  return {{"", "records", "records", At<&Row::records>},
          {"", "people", "people", At<&Row::people>},
          {"", "judge", "judge", At<&Row::judge>},
          {"", "bias", "bias", At<&Row::bias>},
          {"", "bias_standard_error", "+-", At<&Row::bias_error>},
          {"", "mean_difference", "apart", At<&Row::mean_difference>}};
}

FigureList<CheckedJudge> JudgeFigures() {
  using Judge = CheckedJudge;
  return {
      {"", "krippendorff_alpha", "", At<&Judge::alpha>},
      {"", "krippendorff_alpha_low", "", At<&Judge::alpha_interval, &Interval::low>},
      {"", "krippendorff_alpha_high", "", At<&Judge::alpha_interval, &Interval::high>},
      {"", "kendall_tau_b", "", At<&Judge::rank_agreement>},
      {"", "kendall_tau_b_low", "", At<&Judge::rank_agreement_interval, &Interval::low>},
      {"", "kendall_tau_b_high", "", At<&Judge::rank_agreement_interval, &Interval::high>},
      {"", "length_tau_b", "", At<&Judge::length_bias>},
      {"confusion", "both_pass", "", At<&Judge::confusion, &Confusion::both_pass>},
      {"confusion", "judge_passes", "", At<&Judge::confusion, &Confusion::judge_passes>},
      {"confusion", "people_pass", "", At<&Judge::confusion, &Confusion::people_pass>},
      {"confusion", "both_fail", "", At<&Judge::confusion, &Confusion::both_fail>},
      {"confusion", "agreement", "", At<&Judge::confusion, &Confusion::agreement>},
      {"confusion", "cohen_kappa", "", At<&Judge::confusion, &Confusion::kappa>},
      {"confusion", "cohen_kappa_low", "", At<&Judge::confusion, &Confusion::kappa_interval, &Interval::low>},
      {"confusion", "cohen_kappa_high", "",
       At<&Judge::confusion, &Confusion::kappa_interval, &Interval::high>}};
}

std::string WithInterval(std::optional<double> figure, const std::optional<Interval>& interval) {
  std::string text = FourDecimals(figure);
  if (interval) text += fmt::format(" (95% from {:.4f} to {:.4f})", interval->low, interval->high);
  return text;
}

Table TableOfJudge(const CheckedJudge& judge) {
  std::vector<NamedFigures> rows = {{"all", judge.all}};
  for (const BiasOfGroup& group : judge.groups) {
    rows.push_back({group.field + "=" + group.value, group.figures});
  }
  FigureList<NamedFigures> figures = {{"", "", DisplayName(judge.scorer), At<&NamedFigures::name>}};
  AddPartFigures(
      "", PeopleFigures(), [](const NamedFigures& row) { return &row.figures; }, figures);
  return TableOf(figures, rows);
}

}  // namespace

std::string JudgeCheck::ToJson() const {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  json.Object([&] {
    json.Key("records").Integer(records);
    json.Key("without_label").Integer(without_label);
    json.Key("invalid_labels").Integer(invalid_labels);
    json.Key("rejected").Integer(rejected);
    json.Key("without_id").Integer(without_id);
    json.Key("threshold").Number(threshold);
    json.Key("judges").Array(judges, [&](const CheckedJudge& judge) {
      json.Object([&] {
        json.Key("scorer").LossyString(judge.scorer);
        json.Key("labelled").Integer(judge.labelled);
        json.Key("errors").Integer(judge.errors);
        WriteMembers(PeopleFigures(), judge.all, json);
        WriteMembers(JudgeFigures(), judge, json);
        json.Key("groups").Array(judge.groups, [&](const BiasOfGroup& group) {
          json.Object([&] {
            json.Key("field").LossyString(group.field);
            json.Key("value").LossyString(group.value);
            WriteMembers(PeopleFigures(), group.figures, json);
          });
        });
      });
    });
  });
  return text + '\n';
}

std::string JudgeCheck::ToText() const {
  std::string text =
      fmt::format("{} records, {} without a label\n", WithThousands(records), WithThousands(without_label));
  if (invalid_labels != 0) {
    text += fmt::format(
        "{} labels are no number from 0 to the best, which --label-max names, and count in no figure; the "
        "first: {}\n",
        WithThousands(invalid_labels), first_invalid_label);
  }
  if (rejected != 0) text += fmt::format("{} records could not be read\n", WithThousands(rejected));
  if (without_id != 0) {
    text += fmt::format("{} records have no id (--id-field), and each counts as independent of all others\n",
                        WithThousands(without_id));
  }
  for (const CheckedJudge& judge : judges) {
    text += '\n';
    AppendTextTable(TableOfJudge(judge), text);
    if (judge.errors != 0) {
      text += fmt::format("{} labelled records have no score and count in no figure; the first: {}\n",
                          WithThousands(judge.errors), DisplayText(judge.first_error));
    }
    const Confusion& confusion = judge.confusion;
    text += fmt::format("agreement: Krippendorff's alpha {}, Kendall's tau-b {}\n",
                        WithInterval(judge.alpha, judge.alpha_interval),
                        WithInterval(judge.rank_agreement, judge.rank_agreement_interval));
    text += fmt::format(
        "length: tau-b {} between the length of an answer and how far the judge is above people\n",
        FourDecimals(judge.length_bias));
    text += fmt::format(
        "at {}: both pass {}, only the judge {}, only people {}, both fail {}; agreement {}, Cohen's kappa "
        "{}\n",
        threshold, WithThousands(confusion.both_pass), WithThousands(confusion.judge_passes),
        WithThousands(confusion.people_pass), WithThousands(confusion.both_fail),
        FourDecimals(confusion.agreement), WithInterval(confusion.kappa, confusion.kappa_interval));
  }
  return text;
}

}  // namespace leafscore::internal
