#include "engine/report/class_figures.h"

#include <fmt/format.h>

#include <algorithm>

namespace leafscore::internal {
namespace {

double Ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double FBeta(double precision, double recall, double f_value) {
  const double squared = f_value * f_value;
  const double divisor = squared * precision + recall;
  return divisor > 0 ? (1 + squared) * precision * recall / divisor : 0;
}

ClassAverage FiguresOf(std::uint64_t right, std::uint64_t given, std::uint64_t expected, double f_value) {
  const double precision = Ratio(right, given);
  const double recall = Ratio(right, expected);
  return {precision, recall, FBeta(precision, recall, f_value)};
}

double FigureOf(const ClassAverage& average, std::string_view type) {
  if (type == "precision") return average.precision;
  if (type == "recall") return average.recall;
  return type == "fscore" ? average.f_score : 0;
}

// Fills in all figures of an aggregate, whose names are set already.
void FillIn(const ClassReport& report, const ClassCounts& counts, ClassAggregate& aggregate) {
  const std::size_t classes = counts.classes();
  // If an average lists a single class, records of other classes count, too: predicting the listed class for
  // them is wrong. Otherwise, only the records of listed classes count.
  const bool counts_outside = report.is_average && classes == 1;
  std::vector<std::uint64_t> on_both(classes + 1);
  std::vector<std::uint64_t> rows(classes + 1);
  std::vector<std::uint64_t> columns(classes + 1);
  aggregate.matrix.assign(classes, std::vector<std::uint64_t>(classes));
  for (const auto& [actual, expected, records] : counts.Cells()) {
    if (expected == classes && !counts_outside) continue;
    aggregate.scored += records;
    rows[actual] += records;
    columns[expected] += records;
    if (actual == expected) on_both[actual] += records;
    if (actual < classes && expected < classes) aggregate.matrix[actual][expected] = records;
  }
  ClassAverage sum;
  std::uint64_t right = 0;
  std::uint64_t given = 0;
  std::uint64_t expected = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    ClassFigures& figures = aggregate.per_class.emplace_back();
    figures.label = report.classes[c];
    figures.true_positives = on_both[c];
    figures.false_positives = rows[c] - figures.true_positives;
    figures.false_negatives = columns[c] - figures.true_positives;
    figures.true_negatives =
        aggregate.scored - figures.true_positives - figures.false_positives - figures.false_negatives;
    figures.figures = FiguresOf(figures.true_positives, rows[c], columns[c], aggregate.f_value);
    sum.precision += figures.figures.precision;
    sum.recall += figures.figures.recall;
    sum.f_score += figures.figures.f_score;
    right += figures.true_positives;
    given += rows[c];
    expected += columns[c];
  }
  const double divisor = classes == 0 ? 1 : static_cast<double>(classes);
  aggregate.macro = {sum.precision / divisor, sum.recall / divisor, sum.f_score / divisor};
  aggregate.micro = FiguresOf(right, given, expected, aggregate.f_value);
}

// Returns the name of an aggregate. If its type occurs twice, the name ends with the averaging and, for F,
// with f_value.
std::string NameOf(const std::string& scorer, const ClassReport& report, const ClassAggregator& aggregator) {
  std::string name = fmt::format("{}::{}", scorer, aggregator.type);
  if (std::ranges::count(report.aggregators, aggregator.type, &ClassAggregator::type) == 1) return name;
  name += aggregator.micro ? ".micro" : ".macro";
  if (aggregator.type != "fscore") return name;
  std::string value = fmt::format("{}", aggregator.f_value);
  if (value.find_first_of(".e") == std::string::npos) value += ".0";
  return name + ".fb" + value;
}

}  // namespace

ClassCounts& ClassCounts::operator+=(const ClassCounts& other) {
  for (const auto& [places, records] : other.counts_) counts_[places] += records;
  return *this;
}

void ClassCounts::Add(std::uint8_t expected, std::uint8_t actual) {
  if (expected == kNoClass || actual == kNoClass) return;
  ++counts_[{Place(actual), Place(expected)}];
}

std::vector<ClassCounts::Cell> ClassCounts::Cells() const {
  std::vector<Cell> cells;
  for (const auto& [places, records] : counts_) cells.push_back({places.first, places.second, records});
  return cells;
}

std::vector<ClassAggregate> AggregatesOf(const std::string& scorer, const ClassReport& report,
                                         const ClassCounts& counts, std::uint64_t asked) {
  std::vector<ClassAggregate> aggregates;
  for (const ClassAggregator& aggregator : report.aggregators) {
    ClassAggregate& aggregate = aggregates.emplace_back();
    aggregate.name = NameOf(scorer, report, aggregator);
    aggregate.type = aggregator.type;
    aggregate.micro_averaged = aggregator.micro;
    aggregate.f_value = aggregator.f_value;
    aggregate.asked = asked;
    FillIn(report, counts, aggregate);
    aggregate.score = FigureOf(aggregator.micro ? aggregate.micro : aggregate.macro, aggregator.type);
  }
  return aggregates;
}

std::optional<double> ClassFigureOf(const ClassReport& report, const ClassCounts& counts) {
  if (!report.is_average) return std::nullopt;
  return AggregatesOf("", report, counts, 0).front().score;
}

}  // namespace leafscore::internal
