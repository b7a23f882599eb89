// Writes what sways judges as JSON, and as text for people.
#include <fmt/format.h>

#include <string>

#include "engine/calibrate/judge_probes.h"
#include "engine/json/json_writer.h"
#include "engine/render/cells.h"
#include "engine/render/document.h"
#include "engine/render/figures.h"

namespace leafscore::internal {
namespace {

FigureList<ProbeFigures> FiguresOfProbes() {
  using Row = ProbeFigures;
  const auto name = [](const Row& row) { return kProbeNames[static_cast<std::size_t>(row.probe)]; };
  return {{"", "scorer", "scorer", At<&Row::scorer>},
          {"", "probe", "probe", name},
          {"", "records", "records", At<&Row::records>},
          {"", "units", "", At<&Row::units>},
          {"", "not_shown", "not shown", At<&Row::not_shown>, Column::kIfNotZero},
          {"", "errors", "no score", At<&Row::errors>, Column::kIfNotZero},
          {"", "before", "before", At<&Row::before>},
          {"", "after", "after", At<&Row::after>},
          {"", "shift", "shift", At<&Row::shift>},
          {"", "shift_low", "95% from", At<&Row::interval, &Interval::low>},
          {"", "shift_high", "to", At<&Row::interval, &Interval::high>},
          {"", "p", "p", At<&Row::p>, Column::kPIfAny},
          {"", "requests", "requests", At<&Row::requests>},
          {"", "cached", "cached", At<&Row::cached>, Column::kIfNotZero},
          {"", "cost", "dollars", At<&Row::cost>, Column::kIfAny}};
}

}  // namespace

std::string JudgeProbes::ToJson() const {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  json.Object([&] {
    json.Key("records").Integer(records);
    json.Key("taken").Integer(taken);
    json.Key("rejected").Integer(rejected);
    json.Key("without_score").Integer(without_score);
    WriteLines(FiguresOfProbes(), probes, json.Key("probes"));
  });
  return text + '\n';
}

std::string JudgeProbes::ToText() const {
  std::string text =
      fmt::format("{} of {} records, each judged again after a change that should not matter\n",
                  WithThousands(taken), WithThousands(records));
  if (rejected != 0) text += fmt::format("{} records could not be read\n", WithThousands(rejected));
  if (without_score != 0) {
    text += fmt::format("{} unchanged answers have no score, and count in no figure\n",
                        WithThousands(without_score));
  }
  text += '\n';
  constexpr std::size_t kNameColumns = 2;
  AppendTextTable(TableOf(FiguresOfProbes(), probes, kNameColumns), text);
  return text;
}

}  // namespace leafscore::internal
