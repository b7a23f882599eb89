#include "engine/report/summary_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/report/field_figures.h"
#include "engine/report/human_numbers.h"
#include "engine/report/text_table.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kNameColumns = 2;  // scorer, and group or field, aligned left; the others are numbers

TextRow StatisticsRow(std::string_view scorer, std::string_view group, const ScoreStatistics& statistics) {
  const OutcomeCounts& counts = statistics.counts();
  const std::optional<double> pass_rate = statistics.PassRate();
  return {DisplayName(scorer),
          DisplayName(group),
          WithThousands(counts.records()),
          WithThousands(counts.scored),
          WithThousands(counts.unreadable),
          WithThousands(counts.errors),
          FourDecimals(statistics.Mean()),
          FourDecimals(statistics.StandardError()),
          FourDecimals(statistics.Min()),
          FourDecimals(statistics.Percentile(5)),
          FourDecimals(statistics.Percentile(50)),
          FourDecimals(statistics.Percentile(95)),
          pass_rate ? fmt::format("{:.2f}%", *pass_rate * 100) : "-"};
}

std::vector<TextRow> Rows(const RunSummary& summary) {
  std::vector<TextRow> rows = {{"scorer", "group", "records", "scored", "unread.", "errors", "mean", "±se",
                                "min", "p5", "p50", "p95", "pass"}};
  const std::vector<std::string>& scorers = summary.scorer_names();
  for (std::size_t scorer = 0; scorer < scorers.size(); ++scorer) {
    rows.push_back(StatisticsRow(scorers[scorer], "all", summary.Overall(scorer)));
  }
  for (std::size_t scorer = 0; scorer < scorers.size(); ++scorer) {
    for (std::size_t field = 0; field < summary.group_fields().size(); ++field) {
      std::vector<std::uint32_t> groups = summary.GroupsToReport(field);
      groups.resize(std::min(groups.size(), kMaxTableGroups));
      for (const std::uint32_t group : groups) {
        rows.push_back(StatisticsRow(scorers[scorer],
                                     summary.group_fields()[field] + "=" + summary.group_name(field, group),
                                     summary.Statistics(scorer, field, group)));
      }
    }
  }
  return rows;
}

TextRow FieldRow(std::string_view scorer, std::string_view field, const FieldCounts* counts,
                 const FieldFigures& figures) {
  TextRow row = {DisplayName(scorer), DisplayName(field)};
  for (const auto count : {&FieldCounts::true_positives, &FieldCounts::false_positives,
                           &FieldCounts::false_negatives, &FieldCounts::true_negatives}) {
    row.push_back(counts == nullptr ? "-" : WithThousands(counts->*count));
  }
  for (const auto figure : {figures.precision, figures.recall, figures.f1}) {
    row.push_back(FourDecimals(figure));
  }
  return row;
}

std::vector<TextRow> FieldRows(const RunSummary& summary) {
  std::vector<TextRow> rows = {{"scorer", "field", "tp", "fp", "fn", "tn", "precision", "recall", "f1"}};
  for (std::size_t s = 0; s < summary.scorer_names().size(); ++s) {
    const std::string& scorer = summary.scorer_names()[s];
    const std::span<const FieldCounts> fields = summary.field_counts(s);
    if (fields.empty()) continue;
    for (const FieldCounts& field : fields) {
      rows.push_back(FieldRow(scorer, field.field, &field, FiguresOf(field)));
    }
    const FieldCounts sum = SumOf(fields);
    rows.push_back(FieldRow(scorer, "(micro)", &sum, FiguresOf(sum)));
    rows.push_back(FieldRow(scorer, "(macro)", nullptr, MacroFigures(fields)));
  }
  return rows;
}

std::string Loud(std::string text, bool loud) {
  return loud ? "\x1b[1;31m" + std::move(text) + "\x1b[0m" : text;
}

std::string TotalsLine(const RunTotals& totals, bool colour) {
  std::string line = fmt::format(
      "{} records, {}, {} nonstandard, {} duplicate keys; {} in {:.2f} s", WithThousands(totals.records_read),
      Loud(WithThousands(totals.rejected) + " rejected", colour && totals.rejected > 0),
      WithThousands(totals.nonstandard), WithThousands(totals.duplicate_keys), HumanBytes(totals.bytes),
      totals.wall_seconds);
  if (totals.wall_seconds > 0) {
    const double records_per_second = static_cast<double>(totals.records_read) / totals.wall_seconds;
    line += fmt::format(": {} records/s, {:.2f} GB/s",
                        WithThousands(static_cast<std::uint64_t>(records_per_second)),
                        static_cast<double>(totals.bytes) / totals.wall_seconds / 1e9);
  }
  return line + '\n';
}

std::string CountsLine(const RunSummary& summary, std::size_t scorer, bool colour) {
  const OutcomeCounts& counts = summary.Overall(scorer).counts();
  const bool add_up = summary.CountsAddUp(scorer);
  std::string line = fmt::format(
      "{}records {} = scored {} + unreadable {} + errors {}: {}",
      summary.scorer_names().size() > 1 ? DisplayName(summary.scorer_names()[scorer]) + ": " : "",
      WithThousands(summary.totals().records_read), WithThousands(counts.scored),
      WithThousands(counts.unreadable), WithThousands(counts.errors),
      add_up ? "counts add up" : "COUNTS DO NOT ADD UP, overall or over groups; please report this");
  if (counts.unreadable > 0) {
    line += fmt::format("; mean with unreadable as 0: {}",
                        FourDecimals(summary.Overall(scorer).MeanUnreadableAsZero()));
  }
  return Loud(line, colour && (!add_up || counts.errors > 0)) + '\n';
}

void AppendGroupWarnings(const RunSummary& summary, std::string& text) {
  for (std::size_t field = 0; field < summary.group_fields().size(); ++field) {
    const std::string name = DisplayName(summary.group_fields()[field]);
    const std::size_t groups = summary.GroupsToReport(field).size();
    if (groups > kMaxTableGroups) {
      text += fmt::format("{}: {} more groups are not shown; the JSON summary has all of them\n", name,
                          WithThousands(groups - kMaxTableGroups));
    }
    const std::uint64_t other = summary.Statistics(0, field, kOtherGroup).counts().records();
    if (other > 0) {
      text += fmt::format(
          "{}: too many or too long values, so {} records are summarised as \"(other)\" (see --max-groups)\n",
          name, WithThousands(other));
    }
  }
}

// Returns for example: "; 12 gold ids unanswered: "a", "b", ...". Empty when there are none.
std::string IdsText(const ListedIds& ids, std::string_view what, bool colour) {
  if (ids.count == 0) return "";
  std::string text = "; " + Loud(fmt::format("{} {}", WithThousands(ids.count), what), colour);
  const char* separator = ": ";
  for (const std::string& id : ids.first) {
    text += separator + QuoteForMessage(id);
    separator = ", ";
  }
  if (!ids.first.empty() && ids.count > ids.first.size()) text += ", ...";
  return text;
}

void AppendJoin(const JoinSummary& join, bool colour, std::string& text) {
  const GoldCounts& gold = join.gold;
  text += fmt::format("gold: {} records, {} ids", WithThousands(gold.records), WithThousands(gold.ids));
  if (gold.rejected > 0) text += "; " + Loud(WithThousands(gold.rejected) + " rejected", colour);
  if (gold.without_id > 0) text += "; " + Loud(WithThousands(gold.without_id) + " without id", colour);
  text += IdsText(gold.duplicates, "duplicates, of which the last counts", colour) + "\n";
  for (const SourceCounts& source : join.sources) {
    text += fmt::format("{}: {} matched", DisplayName(source.source), WithThousands(source.matched));
    text += IdsText(source.without_gold, "without gold", colour);
    text += IdsText(source.duplicates, "repeated", colour);
    text += IdsText(source.unanswered, "gold ids unanswered", colour) + "\n";
  }
}

// Returns for example: "distances: 1,000 pairs on NVIDIA H100 in 3 launches; 20 on the CPU, done sooner
// there".
std::string DeviceLine(const DeviceSummary& device) {
  if (device.device.empty()) return "";
  std::string line =
      fmt::format("distances: {} pairs on {} in {} launches", WithThousands(device.on_device.pairs),
                  device.device, WithThousands(device.launches));
  const std::pair<const PairWork&, const char*> on_cpu[] = {
      {device.cpu_sooner, "done sooner there"},
      {device.no_room, "when the GPU's memory was full"},
      {device.too_long, "too long for the GPU"},
      {device.failed, "after the GPU failed"},
  };
  for (const auto& [work, why] : on_cpu) {
    if (work.pairs != 0) line += fmt::format("; {} on the CPU, {}", WithThousands(work.pairs), why);
  }
  return line + "\n";
}

}  // namespace

std::string RenderSummaryTable(const RunSummary& summary, bool colour) {
  std::string text;
  AppendAligned(Rows(summary), kNameColumns, text);
  if (const std::vector<TextRow> fields = FieldRows(summary); fields.size() > 1)
    AppendAligned(fields, kNameColumns, text);
  AppendGroupWarnings(summary, text);
  if (summary.join()) AppendJoin(*summary.join(), colour, text);
  if (summary.device()) text += DeviceLine(*summary.device());
  text += TotalsLine(summary.totals(), colour);
  for (std::size_t scorer = 0; scorer < summary.scorer_names().size(); ++scorer) {
    text += CountsLine(summary, scorer, colour);
  }
  return text;
}

}  // namespace leafscore::internal
