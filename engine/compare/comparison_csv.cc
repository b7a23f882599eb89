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

template <class Column>
void AppendTitles(std::string_view prefix, std::span<const Column> columns, std::string& csv) {
  for (const Column& column : columns) {
    (csv += ',') += prefix;
    if (!column.group.empty()) (csv += column.group) += '_';
    csv += column.name;
  }
}

// Appends a field for each column, empty ones without a row.
template <class Column, class Row>
void AppendFields(std::span<const Column> columns, const Row* row, std::string& csv) {
  for (const Column& column : columns) {
    csv += ',';
    const std::optional<double> value = row == nullptr ? std::nullopt : column.value(*row);
    if (value) JsonWriter(csv).Number(*value);
  }
}

void AppendRow(std::string_view file, const ComparedRow& row, std::string& csv) {
  AppendText(file, csv);
  AppendText(row.scorer, csv);
  AppendText(row.group.value_or(""), csv);
  AppendText(row.field.value_or(""), csv);
  csv += NameOf(row.verdict);
  AppendFields(RowColumns(), &row, csv);
  for (const ComparedFigure* const figure :
       {&row.mean, row.pass ? &*row.pass : nullptr, row.pass_k ? &*row.pass_k : nullptr}) {
    csv.append(",").append(figure == nullptr ? "" : NameOf(figure->verdict));
    AppendFields(FigureColumns(), figure, csv);
  }
  csv += '\n';
}

}  // namespace

std::string ComparisonCsv(const Comparison& comparison) {
  std::string csv = "file,scorer,group,field,verdict";
  AppendTitles("", RowColumns(), csv);
  csv += ",mean_verdict";
  AppendTitles("", FigureColumns(), csv);
  for (const std::string prefix : {"pass_", "pass_k_"}) {
    csv += "," + prefix + "verdict";
    AppendTitles(prefix, FigureColumns(), csv);
  }
  csv += '\n';
  for (const FileComparison& file : comparison.files) {
    for (const ScorerComparison& scorer : file.scorers) {
      AppendRow(file.file, scorer.all, csv);
      for (const ComparedRow& group : scorer.groups) AppendRow(file.file, group, csv);
      for (const ComparedRow& field : scorer.fields) AppendRow(file.file, field, csv);
    }
  }
  return csv;
}

}  // namespace leafscore::internal
