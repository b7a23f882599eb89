#include "engine/report/summary_json.h"

#include <cstddef>
#include <optional>
#include <span>

#include "engine/json/json_members.h"
#include "engine/report/field_figures.h"

namespace leafscore::internal {
namespace {

using Writer = PrettyJsonWriter;

// Writes the members of an object that describes these statistics.
void WriteStatistics(Writer& writer, const ScoreStatistics& statistics) {
  WriteCount(writer, "records", statistics.counts().records());
  WriteCount(writer, "scored", statistics.counts().scored);
  WriteCount(writer, "unreadable", statistics.counts().unreadable);
  WriteCount(writer, "errors", statistics.counts().errors);
  WriteFigure(writer, "mean", statistics.Mean());
  WriteFigure(writer, "mean_unreadable_as_zero", statistics.MeanUnreadableAsZero());
  WriteFigure(writer, "standard_error", statistics.StandardError());
  WriteFigure(writer, "min", statistics.Min());
  WriteFigure(writer, "p5", statistics.Percentile(5));
  WriteFigure(writer, "p50", statistics.Percentile(50));
  WriteFigure(writer, "p95", statistics.Percentile(95));
  WriteFigure(writer, "pass_rate", statistics.PassRate());
}

void WriteFigures(Writer& writer, const FieldFigures& figures) {
  WriteFigure(writer, "precision", figures.precision);
  WriteFigure(writer, "recall", figures.recall);
  WriteFigure(writer, "f1", figures.f1);
}

void WriteFields(Writer& writer, std::span<const FieldCounts> fields) {
  writer.Key("fields");
  writer.StartArray();
  for (const FieldCounts& field : fields) {
    writer.StartObject();
    writer.Key("field");
    WriteText(writer, field.field);
    WriteCount(writer, "true_positives", field.true_positives);
    WriteCount(writer, "false_positives", field.false_positives);
    WriteCount(writer, "false_negatives", field.false_negatives);
    WriteCount(writer, "true_negatives", field.true_negatives);
    WriteFigures(writer, FiguresOf(field));
    writer.EndObject();
  }
  writer.EndArray();
  writer.Key("micro");
  writer.StartObject();
  WriteFigures(writer, FiguresOf(SumOf(fields)));
  writer.EndObject();
  writer.Key("macro");
  writer.StartObject();
  WriteFigures(writer, MacroFigures(fields));
  writer.EndObject();
}

void WriteTotals(Writer& writer, const RunTotals& totals) {
  WriteCount(writer, "records_read", totals.records_read);
  WriteCount(writer, "rejected", totals.rejected);
  WriteCount(writer, "nonstandard", totals.nonstandard);
  WriteCount(writer, "duplicate_keys", totals.duplicate_keys);
  WriteCount(writer, "bytes", totals.bytes);

  const auto per_second = [&](double amount) -> std::optional<double> {
    if (!(totals.wall_seconds > 0)) return std::nullopt;
    return amount / totals.wall_seconds;
  };
  writer.Key("timing");
  writer.StartObject();
  WriteFigure(writer, "seconds", totals.wall_seconds);
  WriteFigure(writer, "records_per_second", per_second(static_cast<double>(totals.records_read)));
  WriteFigure(writer, "gigabytes_per_second", per_second(static_cast<double>(totals.bytes) / 1e9));
  writer.EndObject();
}

void WriteIds(Writer& writer, const char* key, const ListedIds& ids) {
  writer.Key(key);
  writer.StartObject();
  WriteCount(writer, "count", ids.count);
  writer.Key("first");
  writer.StartArray();
  for (const std::string& id : ids.first) WriteText(writer, id);
  writer.EndArray();
  writer.EndObject();
}

void WriteJoin(Writer& writer, const JoinSummary& join) {
  writer.Key("gold");
  writer.StartObject();
  WriteCount(writer, "records", join.gold.records);
  WriteCount(writer, "rejected", join.gold.rejected);
  WriteCount(writer, "without_id", join.gold.without_id);
  WriteCount(writer, "ids", join.gold.ids);
  WriteIds(writer, "duplicates", join.gold.duplicates);
  writer.EndObject();
  writer.Key("sources");
  writer.StartArray();
  for (const SourceCounts& source : join.sources) {
    writer.StartObject();
    writer.Key("source");
    WriteText(writer, source.source);
    WriteCount(writer, "records", source.records);
    WriteCount(writer, "matched", source.matched);
    WriteCount(writer, "rejected", source.rejected);
    WriteIds(writer, "without_gold", source.without_gold);
    WriteIds(writer, "duplicates", source.duplicates);
    WriteIds(writer, "unanswered", source.unanswered);
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteWork(Writer& writer, const char* key, const PairWork& work) {
  writer.Key(key);
  writer.StartObject();
  WriteCount(writer, "pairs", work.pairs);
  WriteCount(writer, "cells", work.cells);
  writer.EndObject();
}

void WriteDevice(Writer& writer, const DeviceSummary& device) {
  writer.Key("device");
  writer.StartObject();
  writer.Key("name");
  WriteText(writer, device.device);
  WriteCount(writer, "launches", device.launches);
  WriteWork(writer, "on_device", device.on_device);
  WriteWork(writer, "cpu_sooner", device.cpu_sooner);
  WriteWork(writer, "no_room", device.no_room);
  WriteWork(writer, "too_long", device.too_long);
  WriteWork(writer, "failed", device.failed);
  writer.Key("warning");
  WriteText(writer, device.warning);
  writer.EndObject();
}

void WriteGroups(Writer& writer, const RunSummary& summary, std::size_t scorer) {
  writer.StartArray();
  for (std::size_t field = 0; field < summary.group_fields().size(); ++field) {
    for (const std::uint32_t group : summary.GroupsToReport(field)) {
      writer.StartObject();
      writer.Key("field");
      WriteText(writer, summary.group_fields()[field]);
      writer.Key("value");
      WriteText(writer, summary.group_name(field, group));
      // Tells the group of records without the field from a field whose text is "(none)".
      writer.Key("kind");
      writer.String(group == kNoneGroup ? "none" : group == kOtherGroup ? "other" : "value");
      WriteStatistics(writer, summary.Statistics(scorer, field, group));
      writer.EndObject();
    }
  }
  writer.EndArray();
}

}  // namespace

std::string RenderSummaryJson(const RunSummary& summary) {
  rapidjson::StringBuffer buffer;
  Writer writer(buffer);
  writer.SetIndent(' ', 2);
  writer.StartObject();
  WriteTotals(writer, summary.totals());
  writer.Key("counts_add_up");
  writer.Bool(summary.CountsAddUp());
  if (summary.device()) WriteDevice(writer, *summary.device());
  if (summary.join()) WriteJoin(writer, *summary.join());
  writer.Key("scorers");
  writer.StartArray();
  for (std::size_t scorer = 0; scorer < summary.scorer_names().size(); ++scorer) {
    writer.StartObject();
    writer.Key("scorer");
    WriteText(writer, summary.scorer_names()[scorer]);
    WriteStatistics(writer, summary.Overall(scorer));
    if (!summary.field_counts(scorer).empty()) WriteFields(writer, summary.field_counts(scorer));
    writer.Key("groups");
    WriteGroups(writer, summary, scorer);
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + '\n';
}

}  // namespace leafscore::internal
