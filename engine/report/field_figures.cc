#include "engine/report/field_figures.h"

#include <algorithm>
#include <cstdint>

namespace leafscore::internal {
namespace {

std::optional<double> Share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void AddOutcome(FieldOutcome outcome, FieldCounts& counts) {
  counts.true_positives += outcome == FieldOutcome::kTruePositive;
  counts.false_positives += outcome == FieldOutcome::kFalsePositive || outcome == FieldOutcome::kWrong;
  counts.false_negatives += outcome == FieldOutcome::kFalseNegative || outcome == FieldOutcome::kWrong;
  counts.true_negatives += outcome == FieldOutcome::kTrueNegative;
}

void AddCounts(const FieldCounts& more, FieldCounts& counts) {
  counts.true_positives += more.true_positives;
  counts.false_positives += more.false_positives;
  counts.false_negatives += more.false_negatives;
  counts.true_negatives += more.true_negatives;
}

void CellTally::Add(std::string_view field, const CellCounts& counts) {
  if (const std::optional<std::uint32_t> step = ConfidenceOfName(field)) {
    confidences_.Add(*step, counts);
    return;
  }
  const FieldCounts more{
      .true_positives = counts.right, .false_positives = counts.extra, .false_negatives = counts.missing};
  AddCounts(more, sum_);
  if (too_many_) return;
  auto found = fields_.find(field);
  if (found == fields_.end()) found = fields_.emplace(field, FieldCounts()).first;
  AddCounts(more, found->second);
  Limit();
}

CellTally& CellTally::operator+=(const CellTally& more) {
  confidences_ += more.confidences_;
  AddCounts(more.sum_, sum_);
  too_many_ |= more.too_many_;
  for (const auto& [field, counts] : more.fields_) AddCounts(counts, fields_[field]);
  Limit();
  return *this;
}

void CellTally::Limit() {
  too_many_ |= fields_.size() > kMaxCellFields;
  if (too_many_) fields_.clear();
}

std::vector<FieldCounts> CellTally::Fields() const {
  std::vector<FieldCounts> fields;
  for (const auto& [name, counts] : fields_) {
    fields.push_back(counts);
    fields.back().field = name;
  }
  std::ranges::sort(fields, {}, &FieldCounts::field);
  if (too_many_) {
    fields.push_back(sum_);
    fields.back().field = "(all)";
  }
  return fields;
}

FieldFigures FiguresOf(const FieldCounts& counts) {
  const std::uint64_t right = counts.true_positives;
  return {Share(right, right + counts.false_positives), Share(right, right + counts.false_negatives),
          Share(2 * right, 2 * right + counts.false_positives + counts.false_negatives)};
}

FieldCounts SumOf(std::span<const FieldCounts> fields) {
  FieldCounts sum;
  for (const FieldCounts& field : fields) AddCounts(field, sum);
  return sum;
}

FieldFigures MacroFigures(std::span<const FieldCounts> fields) {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
  double count = 0;
  for (const FieldCounts& field : fields) {
    const FieldFigures figures = FiguresOf(field);
    if (!figures.f1) continue;
    precision += figures.precision.value_or(0);
    recall += figures.recall.value_or(0);
    f1 += *figures.f1;
    ++count;
  }
  if (count == 0) return {};
  return {precision / count, recall / count, f1 / count};
}

FigureList<FieldCounts> CountFigures() {
  return {{"", "true_positives", "tp", At<&FieldCounts::true_positives>},
          {"", "false_positives", "fp", At<&FieldCounts::false_positives>},
          {"", "false_negatives", "fn", At<&FieldCounts::false_negatives>},
          {"", "true_negatives", "tn", At<&FieldCounts::true_negatives>}};
}

FigureList<FieldFigures> RateFigures() {
  return {{"", "precision", "precision", At<&FieldFigures::precision>},
          {"", "recall", "recall", At<&FieldFigures::recall>},
          {"", "f1", "f1", At<&FieldFigures::f1>}};
}

}  // namespace leafscore::internal
