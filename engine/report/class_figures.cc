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

// Fills in all figures of an aggregate but its names.
void FillIn(const ClassReport& report, const ClassCounts& counts, ClassAggregate& aggregate) {
  const std::size_t classes = counts.classes();
  // The only class of two counts what it was wrongly given for, too; of several, each wrong one is another's.
  const bool counts_outside = report.is_average && classes == 1;
  ClassAverage sum;
  std::uint64_t right = 0;
  std::uint64_t given = 0;
  std::uint64_t expected = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    ClassFigures& figures = aggregate.per_class.emplace_back();
    figures.label = report.classes[c];
    figures.true_positives = counts.count(c, c);
    std::uint64_t row = counts_outside ? counts.count(c, classes) : 0;
    std::uint64_t column = counts.count(classes, c);
    for (std::size_t other = 0; other < classes; ++other) {
      row += counts.count(c, other);
      column += counts.count(other, c);
    }
    figures.false_positives = row - figures.true_positives;
    figures.false_negatives = column - figures.true_positives;
    figures.true_negatives =
        aggregate.scored - figures.true_positives - figures.false_positives - figures.false_negatives;
    figures.figures = FiguresOf(figures.true_positives, row, column, aggregate.f_value);
    sum.precision += figures.figures.precision;
    sum.recall += figures.figures.recall;
    sum.f_score += figures.figures.f_score;
    right += figures.true_positives;
    given += row;
    expected += column;
  }
  const double divisor = classes == 0 ? 1 : static_cast<double>(classes);
  aggregate.macro = {sum.precision / divisor, sum.recall / divisor, sum.f_score / divisor};
  aggregate.micro = FiguresOf(right, given, expected, aggregate.f_value);
}

// A type that is there twice has its averaging behind it, and F the value that makes it another one.
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
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  return *this;
}

void ClassCounts::Add(std::uint8_t expected, std::uint8_t actual) {
  if (expected == kNoClass || actual == kNoClass) return;
  ++counts_[Place(actual) * (classes_ + 1) + Place(expected)];
}

std::vector<ClassAggregate> AggregatesOf(const std::string& scorer, const ClassReport& report,
                                         const ClassCounts& counts, std::uint64_t asked) {
  std::vector<ClassAggregate> aggregates;
  const std::size_t classes = counts.classes();
  for (const ClassAggregator& aggregator : report.aggregators) {
    ClassAggregate& aggregate = aggregates.emplace_back();
    aggregate.name = NameOf(scorer, report, aggregator);
    aggregate.type = aggregator.type;
    aggregate.micro_averaged = aggregator.micro;
    aggregate.f_value = aggregator.f_value;
    aggregate.asked = asked;
    const bool counts_outside = report.is_average && classes == 1;
    for (std::size_t actual = 0; actual <= classes; ++actual) {
      for (std::size_t expected = 0; expected < classes + (counts_outside ? 1 : 0); ++expected) {
        aggregate.scored += counts.count(actual, expected);
      }
    }
    for (std::size_t actual = 0; actual < classes; ++actual) {
      std::vector<std::uint64_t>& row = aggregate.matrix.emplace_back();
      for (std::size_t expected = 0; expected < classes; ++expected) {
        row.push_back(counts.count(actual, expected));
      }
    }
    FillIn(report, counts, aggregate);
    aggregate.score = FigureOf(aggregator.micro ? aggregate.micro : aggregate.macro, aggregator.type);
  }
  return aggregates;
}

}  // namespace leafscore::internal
