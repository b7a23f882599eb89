// A check of judges as JSON, and as text for people.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "engine/base/display.h"
#include "engine/calibrate/judge_check.h"
#include "engine/json/json_writer.h"
#include "engine/report/human_numbers.h"
#include "engine/report/text_table.h"

namespace leafscore::internal {
namespace {

void WriteFigures(const AgainstPeople& figures, JsonWriter& json) {
  json.Key("records").Integer(figures.records);
  json.Key("people").Number(figures.people);
  json.Key("judge").Number(figures.judge);
  json.Key("bias").Number(figures.bias);
  json.Key("bias_standard_error").Number(figures.bias_error);
  json.Key("mean_difference").Number(figures.mean_difference);
}

TextRow RowOf(std::string name, const AgainstPeople& figures) {
  return {std::move(name),
          WithThousands(figures.records),
          FourDecimals(figures.people),
          FourDecimals(figures.judge),
          FourDecimals(figures.bias),
          FourDecimals(figures.bias_error),
          FourDecimals(figures.mean_difference)};
}

}  // namespace

std::string JudgeCheck::ToJson() const {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  json.StartObject();
  json.Key("records").Integer(records);
  json.Key("without_label").Integer(without_label);
  json.Key("threshold").Number(threshold);
  json.Key("judges").StartArray();
  for (const CheckedJudge& judge : judges) {
    json.StartObject();
    json.Key("scorer").LossyString(judge.scorer);
    json.Key("labelled").Integer(judge.labelled);
    json.Key("errors").Integer(judge.errors);
    WriteFigures(judge.all, json);
    json.Key("krippendorff_alpha").Number(judge.alpha);
    json.Key("kendall_tau_b").Number(judge.rank_agreement);
    json.Key("length_tau_b").Number(judge.length_bias);
    json.Key("confusion").StartObject();
    json.Key("both_pass").Integer(judge.confusion.both_pass);
    json.Key("judge_passes").Integer(judge.confusion.judge_passes);
    json.Key("people_pass").Integer(judge.confusion.people_pass);
    json.Key("both_fail").Integer(judge.confusion.both_fail);
    json.Key("agreement").Number(judge.confusion.agreement);
    json.Key("cohen_kappa").Number(judge.confusion.kappa);
    json.EndObject();
    json.Key("groups").StartArray();
    for (const BiasOfGroup& group : judge.groups) {
      json.StartObject();
      json.Key("field").LossyString(group.field);
      json.Key("value").LossyString(group.value);
      WriteFigures(group.figures, json);
      json.EndObject();
    }
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text + '\n';
}

std::string JudgeCheck::ToText() const {
  std::string text =
      fmt::format("{} records, {} without a label\n", WithThousands(records), WithThousands(without_label));
  for (const CheckedJudge& judge : judges) {
    text += '\n';
    std::vector<TextRow> rows = {
        {DisplayName(judge.scorer), "records", "people", "judge", "bias", "+-", "apart"}};
    rows.push_back(RowOf("all", judge.all));
    for (const BiasOfGroup& group : judge.groups) {
      rows.push_back(RowOf(DisplayName(group.field + "=" + group.value), group.figures));
    }
    AppendAligned(rows, 1, text);
    if (judge.errors != 0) {
      text += fmt::format("{} labelled records have no score, and are in no figure; of the first: {}\n",
                          WithThousands(judge.errors), DisplayText(judge.first_error));
    }
    const Confusion& confusion = judge.confusion;
    text += fmt::format("agreement: Krippendorff's alpha {}, Kendall's tau-b {}\n", FourDecimals(judge.alpha),
                        FourDecimals(judge.rank_agreement));
    text += fmt::format("length: tau-b {} of an answer's length and how far the judge is above people\n",
                        FourDecimals(judge.length_bias));
    text += fmt::format(
        "at {}: both pass {}, the judge alone {}, people alone {}, both fail {}; the same on {} (Cohen's "
        "kappa {})\n",
        threshold, WithThousands(confusion.both_pass), WithThousands(confusion.judge_passes),
        WithThousands(confusion.people_pass), WithThousands(confusion.both_fail),
        FourDecimals(confusion.agreement), FourDecimals(confusion.kappa));
  }
  return text;
}

}  // namespace leafscore::internal
