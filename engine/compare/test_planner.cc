#include "engine/compare/test_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <span>
#include <utility>

#include "engine/json/json_writer.h"
#include "engine/render/cells.h"
#include "engine/render/document.h"
#include "engine/render/figures.h"
#include "engine/statistics/pass_rates.h"
#include "engine/statistics/test_plan.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {
namespace {

constexpr std::uint64_t kUsualNumbers[] = {30, 100, 300, 1000, 3000, 10000};

// Returns the chance that a test of `records` records at level `level` finds a drop.
using PowerOf = std::function<double(std::uint64_t records, double drop, double level)>;

// If the pass rate drops by some share, at least this share of the verdicts changes.
PowerOf PowerOfVerdicts(double churn) {
  return [churn](std::uint64_t records, double drop, double level) {
    return VerdictPower(records, std::max(churn, drop), drop, level);
  };
}

PowerOf PowerOfScores(double sd, ScoreDrop kind) {
  return [sd, kind](std::uint64_t records, double drop, double level) {
    return ScorePower(records, sd, drop, level, kind);
  };
}

PlannedWay PlanWay(std::string name, std::string words, const PowerOf& power, const PlanGoal& goal,
                   double most, std::optional<std::uint64_t> asked) {
  PlannedWay way{.name = std::move(name), .words = std::move(words)};
  const double slice_level = goal.alpha / static_cast<double>(goal.slices);
  const auto records_at = [&](double level) {
    return RecordsForPower([&](std::uint64_t records) { return power(records, goal.drop, level); },
                           goal.power);
  };
  const auto drop_at = [&](std::uint64_t records, double level) {
    constexpr double kTiny = 1e-9;  // if no verdicts change, there is no test
    return DropForPower([&](double drop) { return power(records, std::max(drop, kTiny), level); }, goal.power,
                        most);
  };
  const bool can_fall = goal.drop <= most;
  if (can_fall) way.records = records_at(goal.alpha);
  if (can_fall && goal.slices > 1) way.slice_records = records_at(slice_level);
  std::set<std::uint64_t> numbers(std::begin(kUsualNumbers), std::end(kUsualNumbers));
  if (asked) numbers.insert(*asked);
  for (const std::uint64_t records : numbers) {
    FoundDrop& found = way.drops.emplace_back(FoundDrop{.records = records});
    found.drop = drop_at(records, goal.alpha);
    if (goal.slices > 1) found.drop_of_slice = drop_at(records, slice_level);
  }
  return way;
}

// Returns for example "json_similarity: scores of two runs of one model differ with a standard deviation of
// 0.1432 (300 records)".
std::string ChanceText(const ChanceOfFigure& chance) {
  std::string text;
  if (!chance.scorer.empty()) {
    text = DisplayName(chance.scorer) + (chance.is_pass_rate ? ", passed: " : ": ");
  }
  const char* const most = chance.at_most ? "at most " : "";
  if (chance.churn) {
    text += fmt::format("{}{} of the verdicts change between two runs of one model", most,
                        Percentage(*chance.churn));
  } else {
    text += fmt::format("the scores of two runs of one model differ with a standard deviation of {}{:.4f}",
                        most, *chance.sd);
  }
  if (chance.records > 0) text += fmt::format(" ({} records)", WithThousands(chance.records));
  return text + '\n';
}

// Returns a drop with four decimals; "<0.0001" if it would be shown as 0.
std::string DropText(std::optional<double> drop) {
  return drop && *drop < 0.00005 ? "<0.0001" : FourDecimals(drop);
}

std::string RecordsText(std::optional<std::uint64_t> records) {
  return records ? WithThousands(*records) : "more than " + WithThousands(kMostPlanned);
}

// Returns for example "  if some answers break: 300 records find a drop of 0.0540 in 80% of runs; to find
// 0.03, take 918, and in each of 20 slices 1,900".
std::string WayText(const PlannedWay& way, const PlanGoal& goal, std::optional<std::uint64_t> asked) {
  std::string text = way.words.empty() ? "  " : fmt::format("  {}: ", way.words);
  const std::string often = fmt::format("in {} of runs", Percentage(goal.power));
  if (asked) {
    const FoundDrop& found = *std::ranges::find(way.drops, *asked, &FoundDrop::records);
    const std::string what = found.drop ? "a drop of " + DropText(found.drop) : "no drop";
    text += fmt::format("{} records find {} {}; to find {}, take {}", WithThousands(*asked), what, often,
                        goal.drop, RecordsText(way.records));
  } else {
    text +=
        fmt::format("to find a drop of {} {}, take {} records", goal.drop, often, RecordsText(way.records));
  }
  if (goal.slices > 1) {
    text += fmt::format(", and in each of {} slices {}", WithThousands(goal.slices),
                        RecordsText(way.slice_records));
  }
  return text + '\n';
}

// Appends a table: a row for each number of records, and a column for each way, with the drop that is found.
void AppendDrops(const TestPlan& plan, bool has_slices, std::string& text) {
  std::vector<TextRow> rows = {{"  records"}};
  for (const FoundDrop& found : plan.ways.front().drops)
    rows.push_back({"  " + WithThousands(found.records)});
  for (const PlannedWay& way : plan.ways) {
    const std::string words = way.words.empty() ? "find drops of" : way.words;
    rows[0].push_back(words);
    if (has_slices) rows[0].push_back("in a slice");
    for (std::size_t i = 0; i < way.drops.size(); ++i) {
      rows[i + 1].push_back(DropText(way.drops[i].drop));
      if (has_slices) rows[i + 1].push_back(DropText(way.drops[i].drop_of_slice));
    }
  }
  AppendTextTable({.rows = std::move(rows)}, text);
}

void WritePlan(const TestPlan& plan, bool has_slices, JsonWriter& json) {
  const ChanceOfFigure& chance = plan.chance;
  FigureList<FoundDrop> drops = {{"", "records", "", At<&FoundDrop::records>},
                                 {"", "drop", "", At<&FoundDrop::drop>},
                                 {"", "drop_of_slice", "", At<&FoundDrop::drop_of_slice>}};
  if (!has_slices) drops.pop_back();
  json.Object([&] {
    WriteValue(chance.scorer.empty() ? Value() : Value(chance.scorer), json.Key("scorer"));
    json.Key("figure").String(chance.is_pass_rate ? "pass_rate" : "mean");
    json.Key("churn").Number(chance.churn);
    json.Key("sd").Number(chance.sd);
    json.Key("at_most").Bool(chance.at_most);
    json.Key("pilot_records").Integer(chance.records);
    json.Key("ways").Array(plan.ways, [&](const PlannedWay& way) {
      json.Object([&] {
        json.Key("way").String(way.name);
        WriteValue(AsValue(way.records), json.Key("records"));
        if (has_slices) WriteValue(AsValue(way.slice_records), json.Key("records_of_slice"));
        WriteObjects(drops, way.drops, json.Key("drops"));
      });
    });
  });
}

}  // namespace

double MostChurn(double pass_rate) { return 2 * pass_rate * (1 - pass_rate); }

namespace {

// Returns the highest churn for pass rates in the 95% interval of `share`. For the mean of scores from 0 to
// 1, the same number bounds the variance of the difference between two runs.
double MostChurnWithin(double share, std::uint64_t records) {
  const Interval interval = WilsonInterval(share, static_cast<double>(records));
  return MostChurn(std::clamp(0.5, interval.low, interval.high));
}

}  // namespace

std::vector<ChanceOfFigure> ChancesOf(const Comparison& pilot) {
  std::vector<ChanceOfFigure> chances;
  for (const ScorerComparison& scorer : pilot.files.front().scorers) {
    const ComparedRow& row = scorer.all;
    const auto add = [&](const ComparedFigure& figure, bool is_pass_rate) {
      ChanceOfFigure& chance = chances.emplace_back();
      chance.scorer = scorer.scorer;
      chance.is_pass_rate = is_pass_rate;
      chance.records = row.records;
      chance.figure = std::max(figure.base, figure.now);
      const auto records = static_cast<double>(row.records);
      if (is_pass_rate && row.flips) {
        chance.churn = static_cast<double>(row.flips->pass_to_fail + row.flips->fail_to_pass) / records;
      } else {
        chance.sd = figure.standard_error.value_or(0) * std::sqrt(static_cast<double>(row.units));
      }
    };
    // If score and verdict are one number, only the pass rate is listed.
    const bool is_one_number = !row.pass && row.base_pass_rate && row.now_pass_rate;
    add(row.mean, is_one_number);
    if (row.pass) add(*row.pass, true);
  }
  return chances;
}

std::vector<ChanceOfFigure> ChancesAtMost(const std::string& file, const LeaderboardOptions& options) {
  std::vector<ChanceOfFigure> chances;
  for (const LeaderboardRow& row : RankFiles(std::span(&file, 1), options)) {
    ChanceOfFigure chance{.scorer = row.scorer, .at_most = true, .records = row.asked};
    const RankedFigures& figures = row.over_all;
    const double sd = figures.standard_error.value_or(0) * std::sqrt(static_cast<double>(row.asked));
    if (row.asked == 0 || !figures.mean) continue;
    if (figures.pass_rate) {
      chance.is_pass_rate = true;
      chance.churn = MostChurnWithin(*figures.pass_rate, row.asked);
      chance.figure = figures.pass_rate;
      chances.push_back(chance);
      chance.is_pass_rate = false;
      chance.churn.reset();
      if (figures.pass_rate == figures.mean) continue;
    }
    constexpr std::uint64_t kFewestToTell = 30;
    const bool tells = sd > 0 && row.asked >= kFewestToTell;
    chance.sd = tells ? std::sqrt(2.0) * sd : std::sqrt(MostChurnWithin(*figures.mean, row.asked));
    chance.figure = figures.mean;
    chances.push_back(chance);
  }
  return chances;
}

TestPlan PlanTest(const ChanceOfFigure& chance, const PlanGoal& goal, std::optional<std::uint64_t> records) {
  if (!records && chance.records > 0) records = chance.records;
  TestPlan plan{.chance = chance, .records = records};
  const double most = chance.figure.value_or(1);
  if (chance.churn) {
    plan.ways.push_back(PlanWay("verdicts_turn", "", PowerOfVerdicts(*chance.churn), goal, most, records));
    return plan;
  }
  plan.ways.push_back(PlanWay("all_a_little", "if all answers get a little worse",
                              PowerOfScores(*chance.sd, ScoreDrop::kAllALittle), goal, most, records));
  plan.ways.push_back(PlanWay("some_break", "if some answers break",
                              PowerOfScores(*chance.sd, ScoreDrop::kSomeBreak), goal, most, records));
  return plan;
}

std::string PlansAsText(const std::vector<TestPlan>& plans, const PlanGoal& goal) {
  std::string text;
  for (const TestPlan& plan : plans) {
    if (!text.empty()) text += '\n';
    text += ChanceText(plan.chance);
    if (plan.chance.CanFallBy(goal.drop)) {
      for (const PlannedWay& way : plan.ways) text += WayText(way, goal, plan.records);
    } else {
      text += fmt::format("  the {} is {}, and cannot fall by {}\n",
                          plan.chance.is_pass_rate ? "pass rate" : "mean", FourDecimals(plan.chance.figure),
                          goal.drop);
    }
    AppendDrops(plan, goal.slices > 1, text);
  }
  return text;
}

std::string PlansAsJson(const std::vector<TestPlan>& plans, const PlanGoal& goal) {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  json.StartObject();
  json.Key("drop").Number(goal.drop);
  json.Key("power").Number(goal.power);
  json.Key("alpha").Number(goal.alpha);
  json.Key("slices").Integer(goal.slices);
  json.Key("plans").StartArray();
  for (const TestPlan& plan : plans) WritePlan(plan, goal.slices > 1, json);
  json.EndArray();
  json.EndObject();
  return text + '\n';
}

}  // namespace leafscore::internal
