#include "engine/run/summary_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/run/field_figures.h"
#include "engine/run/human_numbers.h"
#include "engine/suggest.h"

namespace leafscore {
namespace {

using Row = std::vector<std::string>;

constexpr std::size_t kNameColumns = 2;  // scorer, and group or field, aligned left; the others are numbers

bool StartsCodePoint(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

std::size_t CodePoints(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), StartsCodePoint));
}

// Returns the name with each control character (C0, DEL, C1) as U+FFFD, cut to kMaxNameCodePoints.
std::string DisplayName(std::string_view name) {
  std::string shown;
  std::size_t code_points = 0;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i + 1;
    while (end < name.size() && !StartsCodePoint(name[end])) ++end;
    const std::string_view code_point = name.substr(i, end - i);
    if (++code_points == kMaxNameCodePoints && end < name.size()) return shown + "…";
    const auto first = static_cast<unsigned char>(code_point[0]);
    const bool is_c1 =
        first == 0xC2 && code_point.size() == 2 && static_cast<unsigned char>(code_point[1]) < 0xA0;
    shown += first < 0x20 || first == 0x7F || is_c1 ? "\uFFFD" : code_point;
    i = end;
  }
  return shown;
}

std::string FourDecimals(std::optional<double> number) {
  return number ? fmt::format("{:.4f}", *number) : "-";
}

Row StatisticsRow(std::string_view scorer, std::string_view group, const ScoreStatistics& statistics) {
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

std::vector<Row> Rows(const RunSummary& summary) {
  std::vector<Row> rows = {{"scorer", "group", "records", "scored", "unread.", "errors", "mean", "±se", "min",
                            "p5", "p50", "p95", "pass"}};
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

Row FieldRow(std::string_view scorer, std::string_view field, const FieldCounts* counts,
             const FieldFigures& figures) {
  Row row = {DisplayName(scorer), DisplayName(field)};
  for (const auto count : {&FieldCounts::true_positives, &FieldCounts::false_positives,
                           &FieldCounts::false_negatives, &FieldCounts::true_negatives}) {
    row.push_back(counts == nullptr ? "-" : WithThousands(counts->*count));
  }
  for (const auto figure : {figures.precision, figures.recall, figures.f1}) {
    row.push_back(FourDecimals(figure));
  }
  return row;
}

std::vector<Row> FieldRows(const RunSummary& summary) {
  std::vector<Row> rows = {{"scorer", "field", "tp", "fp", "fn", "tn", "precision", "recall", "f1"}};
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

void AppendAligned(const std::vector<Row>& rows, std::string& text) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const Row& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], CodePoints(row[column]));
    }
  }
  for (const Row& row : rows) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string padding(widths[column] - CodePoints(row[column]), ' ');
      if (column > 0) text += "  ";
      text += column < kNameColumns ? row[column] + padding : padding + row[column];
    }
    text += '\n';
  }
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

}  // namespace

std::string RenderSummaryTable(const RunSummary& summary, bool colour) {
  std::string text;
  AppendAligned(Rows(summary), text);
  if (const std::vector<Row> fields = FieldRows(summary); fields.size() > 1) AppendAligned(fields, text);
  AppendGroupWarnings(summary, text);
  if (summary.join()) AppendJoin(*summary.join(), colour, text);
  text += TotalsLine(summary.totals(), colour);
  for (std::size_t scorer = 0; scorer < summary.scorer_names().size(); ++scorer) {
    text += CountsLine(summary, scorer, colour);
  }
  return text;
}

}  // namespace leafscore
