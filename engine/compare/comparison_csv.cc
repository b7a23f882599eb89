#include <string>
#include <string_view>

#include "engine/base/utf8.h"
#include "engine/compare/comparison_columns.h"
#include "engine/compare/comparison_formats.h"
#include "engine/compare/comparison_names.h"
#include "engine/json/json_writer.h"
#include "engine/report/text_table.h"

namespace leafscore::internal {
namespace {

void AppendText(std::string_view text, std::string& csv) {
  AppendCsvField(csv, ReplaceInvalidUtf8(text));
  csv += ',';
}

void AppendRow(std::string_view file, const ComparedMean& mean, std::string& csv) {
  AppendText(file, csv);
  AppendText(mean.scorer, csv);
  AppendText(mean.group.value_or(""), csv);
  AppendText(mean.field.value_or(""), csv);
  csv += NameOf(mean.verdict);
  for (const MeanColumn& column : MeanColumns()) {
    csv += ',';
    if (const std::optional<double> value = column.value(mean)) JsonWriter(csv).Number(*value);
  }
  csv += '\n';
}

}  // namespace

std::string ComparisonCsv(const Comparison& comparison) {
  std::string csv = "file,scorer,group,field,verdict";
  for (const MeanColumn& column : MeanColumns()) {
    csv += ',';
    if (!column.group.empty()) (csv += column.group) += '_';
    csv += column.name;
  }
  csv += '\n';
  for (const FileComparison& file : comparison.files) {
    for (const ScorerComparison& scorer : file.scorers) {
      AppendRow(file.file, scorer.all, csv);
      for (const ComparedMean& group : scorer.groups) AppendRow(file.file, group, csv);
      for (const ComparedMean& field : scorer.fields) AppendRow(file.file, field, csv);
    }
  }
  return csv;
}

}  // namespace leafscore::internal
