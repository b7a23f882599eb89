#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/display.h"
#include "engine/base/suggest.h"
#include "engine/base/versus_remarks.h"
#include "engine/render/cells.h"
#include "engine/render/document.h"
#include "engine/render/look_alikes.h"
#include "engine/report/answer_kinds.h"
#include "engine/report/cause_table.h"
#include "engine/report/failure_causes.h"
#include "engine/report/field_figures.h"
#include "engine/report/summary_figures.h"
#include "leafscore/report.h"

namespace leafscore {

using namespace internal;

namespace {

constexpr std::size_t kMaxTableGroups = 50;  // rows per scorer and field; the JSON summary has all
constexpr std::size_t kNameColumns = 2;      // scorer, and group or field, aligned left; the rest are numbers

// A row of the table of figures.
struct FiguresRow {
  std::string scorer;
  std::string group;
  const Figures* figures;
};

Table FiguresTable(const RunReport& report) {
  std::vector<FiguresRow> rows;
  for (const ScorerReport& scorer : report.scorers) rows.push_back({scorer.scorer, "all", &scorer.figures});
  for (const ScorerReport& scorer : report.scorers) {
    std::map<std::string_view, std::size_t> rows_of_field;
    for (const GroupFigures& group : scorer.groups) {
      if (++rows_of_field[group.field] > kMaxTableGroups) continue;
      rows.push_back({scorer.scorer, group.field + "=" + group.value, &group.figures});
    }
  }
  FigureList<FiguresRow> figures = {{"", "", "scorer", At<&FiguresRow::scorer>},
                                    {"", "", "group", At<&FiguresRow::group>}};
  AddPartFigures(
      "", RunFigures(), [](const FiguresRow& row) { return row.figures; }, figures);
  return TableOf(figures, rows, kNameColumns);
}

// A row of the table of fields.
struct FieldRow {
  std::string scorer;
  std::string field;
  std::optional<FieldCounts> counts;
  FieldFigures figures;
};

Table FieldTable(const RunReport& report) {
  std::vector<FieldRow> rows;
  for (const ScorerReport& scorer : report.scorers) {
    if (scorer.fields.empty()) continue;
    for (const FieldCounts& field : scorer.fields) {
      rows.push_back({scorer.scorer, field.field, field, FiguresOf(field)});
    }
    const FieldCounts sum = SumOf(scorer.fields);
    rows.push_back({scorer.scorer, "(micro)", sum, FiguresOf(sum)});
    rows.push_back({scorer.scorer, "(macro)", std::nullopt, MacroFigures(scorer.fields)});
  }
  FigureList<FieldRow> figures = {{"", "", "scorer", At<&FieldRow::scorer>},
                                  {"", "", "field", At<&FieldRow::field>}};
  AddPartFigures(
      "", CountFigures(), [](const FieldRow& row) { return row.counts; }, figures);
  AddPartFigures(
      "", RateFigures(), [](const FieldRow& row) { return &row.figures; }, figures);
  return TableOf(figures, rows, kNameColumns);
}

// Returns a section on the causes of bad answers, the costliest first. Causes are listed by source if records
// are grouped by source.
Section CausesOf(const RunReport& report) {
  std::vector<CauseRow> rows;
  const auto add = [&](const ScorerReport& scorer, const std::string& group, const Figures& figures,
                       std::span<const FailureCause> causes) {
    for (const FailureCause& cause : causes) {
      if (cause.kind != FailureCause::Kind::kAnswer) continue;
      rows.push_back({scorer.scorer, group, std::string(CauseName(cause)), cause.records, cause.share,
                      figures.over_all.mean, cause.mean_without});
    }
  };
  for (const ScorerReport& scorer : report.scorers) {
    const auto is_source = [&](const GroupFigures& group) {
      return !report.source_field.empty() && group.field == report.source_field;
    };
    if (std::ranges::none_of(scorer.groups, is_source)) {
      add(scorer, "all", scorer.figures, scorer.causes);
      continue;
    }
    for (const GroupFigures& group : scorer.groups) {
      if (is_source(group)) add(scorer, group.field + "=" + group.value, group.figures, group.causes);
    }
  }
  return CauseSection(std::move(rows), "group", "records");
}

// Returns lines about scorers and groups that look alike.
std::string LookAlikesIn(const RunReport& report) {
  std::vector<std::string> scorers;
  std::vector<std::string> groups;
  for (const ScorerReport& scorer : report.scorers) {
    scorers.push_back(scorer.scorer);
    for (const GroupFigures& group : scorer.groups) groups.push_back(group.field + "=" + group.value);
  }
  return LookAlikeNotes(scorers) + LookAlikeNotes(groups);
}

std::string Loud(std::string text, bool loud) {
  return loud ? "\x1b[1;31m" + std::move(text) + "\x1b[0m" : text;
}

std::string TotalsLine(const RunTotals& totals, bool colour) {
  std::string line =
      fmt::format("{}, {}, {} nonstandard, {} duplicate keys; {} in {:.2f} s",
                  Counted(totals.records_read, "record", "records"),
                  Loud(WithThousands(totals.rejected) + " rejected", colour && totals.rejected > 0),
                  WithThousands(totals.nonstandard), WithThousands(totals.duplicate_keys),
                  HumanBytes(totals.bytes), totals.wall_seconds);
  if (totals.wall_seconds > 0) {
    const double records_per_second = static_cast<double>(totals.records_read) / totals.wall_seconds;
    line += fmt::format(": {} records/s, {:.2f} GB/s",
                        WithThousands(static_cast<std::uint64_t>(records_per_second)),
                        static_cast<double>(totals.bytes) / totals.wall_seconds / 1e9);
  }
  return line + '\n';
}

std::string CountsLine(const RunReport& report, const ScorerReport& scorer, bool colour) {
  const Figures& figures = scorer.figures;
  std::string line = fmt::format(
      "{}asked {} = scored {} + unreadable {} + unanswered {} + errors {}: {}",
      report.scorers.size() > 1 ? DisplayName(scorer.scorer) + ": " : "", WithThousands(figures.asked),
      WithThousands(figures.scored), WithThousands(figures.unreadable), WithThousands(figures.unanswered),
      WithThousands(figures.errors),
      scorer.counts_add_up ? "counts add up"
                           : "COUNTS DO NOT ADD UP, overall or over groups; please report this");
  const char* separator = "; ";
  for (const ReasonCount& reason : scorer.reasons) {
    line += fmt::format("{}{} {}", std::exchange(separator, ", "), RejectReasonName(reason.reason),
                        WithThousands(reason.records));
  }
  return Loud(line, colour && (!scorer.counts_add_up || figures.scored < figures.asked)) + '\n';
}

void AppendJsonInTexts(const ScorerReport& scorer, bool colour, std::string& text) {
  const auto append = [&](std::uint64_t records, const char* what) {
    text += Loud(fmt::format("{}: {} records {}", DisplayName(scorer.scorer), WithThousands(records), what),
                 colour) +
            '\n';
  };
  const auto [parsed, as_texts] = scorer.json_in_texts;
  if (parsed > 0)
    append(parsed, "have JSON in strings, which was parsed; --parse-texts never compares the texts");
  if (as_texts > 0) {
    append(as_texts, "look like JSON in strings, which was compared as text; --parse-texts always parses it");
  }
}

void AppendRemarks(const ScorerReport& scorer, bool colour, std::string& text) {
  constexpr std::string_view kUnwrapped = "unwrapped_";
  std::string unwrapped;
  for (const RemarkCount& remark : scorer.remarks) {
    const std::string records = WithThousands(remark.records);
    if (remark.remark.starts_with(kUnwrapped)) {
      unwrapped += fmt::format("{}{} {}", unwrapped.empty() ? "" : ", ",
                               remark.remark.substr(kUnwrapped.size()), records);
    } else if (remark.remark == "near") {
      text += Loud(fmt::format("{}: the rows of {} of {} scored records could match more than they do (near)",
                               DisplayName(scorer.scorer), records, WithThousands(scorer.figures.scored)),
                   colour) +
              '\n';
    } else if (remark.remark == "greedy") {
      text +=
          Loud(fmt::format(
                   "{}: long arrays of {} of {} scored records were paired greedily, and could score more "
                   "(greedy)",
                   DisplayName(scorer.scorer), records, WithThousands(scorer.figures.scored)),
               colour) +
          '\n';
    } else if (remark.remark == "incomplete") {
      text += Loud(fmt::format("{}: {} of {} scored records have too many rows to pair them all (incomplete)",
                               DisplayName(scorer.scorer), records, WithThousands(scorer.figures.scored)),
                   colour) +
              '\n';
    } else if (remark.remark == "prose") {
      text += fmt::format(
          "{}: {} of {} scored records have a text without calls, scored as if nothing was called (prose)\n",
          DisplayName(scorer.scorer), records, WithThousands(scorer.figures.scored));
    }
  }
  if (unwrapped.empty()) return;
  text += fmt::format("{}: envelopes of answers were removed: {}\n", DisplayName(scorer.scorer), unwrapped);
}

// Appends for example: "j: 40 wins, 20 losses, 12 ties (2 identical); win rate 0.6667 (95%: 0.5331 to
// 0.7831)".
void AppendVersus(const ScorerReport& scorer, bool colour, std::string& text) {
  if (!scorer.figures.versus) return;
  const VersusFigures& versus = *scorer.figures.versus;
  text += fmt::format("{}: {}, {}, {}", DisplayName(scorer.scorer), Counted(versus.wins, "win", "wins"),
                      Counted(versus.losses, "loss", "losses"), Counted(versus.ties, "tie", "ties"));
  if (versus.identical != 0) text += fmt::format(" ({} identical)", WithThousands(versus.identical));
  if (const std::uint64_t lost = scorer.figures.unreadable + scorer.figures.unanswered; lost != 0)
    text += fmt::format("; {} of the losses for want of an answer", WithThousands(lost));
  if (versus.win_rate) text += fmt::format("; win rate {:.4f}", *versus.win_rate);
  if (versus.win_interval)
    text += fmt::format(" (95%: {:.4f} to {:.4f})", versus.win_interval->low, versus.win_interval->high);
  text += '\n';
  if (versus.order_flips == 0) return;
  const bool is_much = *versus.order_flip_share > kMostOrderFlips;
  text +=
      Loud(fmt::format("{}: {}the judge chose by place in {} ({:.1f}% of those that it was asked about){}",
                       DisplayName(scorer.scorer), is_much ? "warning: " : "",
                       Counted(versus.order_flips, "pair", "pairs"), 100 * *versus.order_flip_share,
                       is_much ? ": above 20%, the judge is not fit to compare these answers" : ""),
           colour && is_much) +
      '\n';
}

void AppendFaults(const ScorerReport& scorer, std::string& text) {
  constexpr std::size_t kMostShown = 5;
  if (scorer.faults.empty()) return;
  text += fmt::format("{}: the most frequent faults:", DisplayName(scorer.scorer));
  const std::size_t shown = std::min(scorer.faults.size(), kMostShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const FaultCount& fault = scorer.faults[i];
    text += fmt::format("{} {} {} {}", i == 0 ? "" : ",", DisplayName(fault.field), fault.rule,
                        WithThousands(fault.count));
  }
  if (shown < scorer.faults.size())
    text +=
        fmt::format("; {} more kinds are in the JSON summary", WithThousands(scorer.faults.size() - shown));
  text += '\n';
}

void AppendNothingCompared(const ScorerReport& scorer, bool colour, std::string& text) {
  const auto append = [&](const std::string& what) {
    text += Loud(DisplayName(scorer.scorer) + ": " + what, colour) + '\n';
  };
  if (scorer.figures.nothing_compared > 0) {
    append(
        fmt::format("nothing was compared in {} of {} scored records; their expected values have nothing "
                    "that counts, whatever the answer",
                    WithThousands(scorer.figures.nothing_compared), WithThousands(scorer.figures.scored)));
  }
  for (const std::string& path : scorer.absent_paths) {
    append(fmt::format("no expected value has {}, which its options name", QuoteForMessage(path)));
  }
}

void AppendGroupWarnings(const RunReport& report, std::string& text) {
  for (std::size_t f = 0; f < report.lacking.size(); ++f) {
    if (report.lacking[f] == 0) continue;
    text += fmt::format("{}: {} records lack the field\n", DisplayName(report.group_fields[f]),
                        WithThousands(report.lacking[f]));
  }
  for (const std::string& field : report.group_fields) {
    std::size_t groups = 0;
    std::uint64_t other = 0;
    for (const GroupFigures& group : report.scorers.front().groups) {  // all scorers have the same groups
      if (group.field != field) continue;
      ++groups;
      if (group.kind == GroupKind::kOther) other = group.figures.asked;
    }
    const std::string name = DisplayName(field);
    if (groups > kMaxTableGroups) {
      text += fmt::format("{}: {} more groups are not shown; the JSON summary has all of them\n", name,
                          WithThousands(groups - kMaxTableGroups));
    }
    if (other > 0) {
      text += fmt::format(
          "{}: too many or too long values, so {} records are summarised as \"(other)\" (see --max-groups)\n",
          name, WithThousands(other));
    }
  }
}

// Returns for example: "12 gold ids unanswered: "a", "b", ...". Returns an empty text if there are no ids.
std::string IdsText(const ListedIds& ids, std::string_view what, bool colour,
                    std::string_view separator = "; ") {
  if (ids.count == 0) return "";
  std::string text(separator);
  text += Loud(fmt::format("{} {}", WithThousands(ids.count), what), colour);
  for (const std::string& id : ids.first) {
    text += (&id == ids.first.data() ? ": " : ", ") + QuoteForMessage(id);
  }
  if (!ids.first.empty() && ids.count > ids.first.size()) text += ", ...";
  return text;
}

void AppendRepeatedIds(const RepeatedIds& repeated, bool colour, std::string& text) {
  if (repeated.ids.count > 0) {
    text += IdsText(repeated.ids, "RECORDS HAVE THE ID OF AN EARLIER ONE, and all of them count", colour, "");
    text += '\n';
  }
  if (repeated.not_remembered > 0) {
    text += fmt::format(
        "ids: {} records came when the memory for ids was full, so repeated ids among them may go "
        "unnoticed\n",
        WithThousands(repeated.not_remembered));
  }
}

void AppendJoin(const GoldCounts& gold, std::span<const SourceCounts> sources, bool colour,
                std::string& text) {
  text += fmt::format("gold: {} records, {} ids", WithThousands(gold.records), WithThousands(gold.ids));
  if (gold.rejected > 0) text += "; " + Loud(WithThousands(gold.rejected) + " rejected", colour);
  if (gold.without_id > 0) text += "; " + Loud(WithThousands(gold.without_id) + " without id", colour);
  text += IdsText(gold.duplicates, "duplicates; the last one counts", colour) + "\n";
  for (const SourceCounts& source : sources) {
    text += fmt::format("{}: {} matched", DisplayName(source.source), WithThousands(source.matched));
    text += IdsText(source.without_gold, "without gold", colour);
    text += IdsText(source.duplicates, "repeated", colour);
    text += IdsText(source.unanswered, "gold ids unanswered", colour) + "\n";
  }
}

// Returns for example: "distances: 1,000 pairs on NVIDIA H100 in 3 launches; 20 on the CPU, done sooner
// there".
std::string DeviceLine(const DeviceReport& device) {
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

// Returns for example: "judges: 120 requests (3 retries), 20 answers from the cache; 40,000 + 2,400 tokens,
// 0.12 dollars; replies in 0.85 s (p50), 1.90 s (p95); 138 read as json_schema, 2 as text".
std::string JudgesLine(const JudgeReport& judges) {
  std::string line = fmt::format("judges: {} requests ({} retries), {} answers from the cache",
                                 WithThousands(judges.requests), WithThousands(judges.retries),
                                 WithThousands(judges.cached));
  if (judges.asked_again != 0)
    line += fmt::format(", {} asked again for a score", WithThousands(judges.asked_again));
  if (judges.latency_p50) {
    line += fmt::format("; {:.0f} + {:.0f} tokens, ", judges.prompt_tokens, judges.completion_tokens);
    line += judges.cost ? fmt::format("{:.4f} dollars", *judges.cost) : "of unknown cost";
    line +=
        fmt::format("; replies in {:.2f} s (p50), {:.2f} s (p95)", *judges.latency_p50, *judges.latency_p95);
  }
  const std::pair<const char*, std::uint64_t> forms[] = {{"json_schema", judges.read_as.json_schema},
                                                         {"tool_call", judges.read_as.tool_call},
                                                         {"json_object", judges.read_as.json_object},
                                                         {"json", judges.read_as.json},
                                                         {"text", judges.read_as.text}};
  const char* separator = "; ";
  for (const auto& [form, replies] : forms) {
    if (replies == 0) continue;
    line += fmt::format("{}{} read as {}", separator, WithThousands(replies), form);
    separator = ", ";
  }
  line += '\n';
  for (const JudgeFault& fault : judges.faults) {
    line += fmt::format("judges: {} replies without a score ({}); the first: {}\n",
                        WithThousands(fault.count), RejectReasonName(fault.reason), DisplayText(fault.first));
  }
  return line;
}

// Adds for example: "Topic::precision: 0.3889 (macro; 7 of 8 records)".
void AppendAggregates(const ScorerReport& scorer, std::string& text) {
  for (const ClassAggregate& aggregate : scorer.aggregates) {
    if (aggregate.type == "confusion_matrix") continue;  // only in the JSON summary
    text += fmt::format("{}: {:.4f} ({}; {} of {} records)\n", DisplayName(aggregate.name), aggregate.score,
                        aggregate.micro_averaged ? "micro" : "macro", WithThousands(aggregate.scored),
                        WithThousands(aggregate.asked));
  }
}

// Appends for example: "r: confidences of 1,000 values (20 without): calibration error 0.0312, Brier score
// 0.0801, AUROC 0.9100; the 5% least sure, 50 values, contain 31.5 of 80 errors".
void AppendCalibration(const ScorerReport& scorer, std::string& text) {
  if (!scorer.calibration) return;
  const Calibration& calibration = *scorer.calibration;
  text += fmt::format("{}: confidences of {}", DisplayName(scorer.scorer),
                      Counted(calibration.values, "value", "values"));
  if (calibration.without_confidence > 0) {
    text += fmt::format(" ({} without)", WithThousands(calibration.without_confidence));
  }
  text += fmt::format(
      ": calibration error {:.4f}, Brier score {:.4f}, AUROC {}; the {:.0f}% least sure, {}, ",
      calibration.expected_calibration_error, calibration.brier_score, FourDecimals(calibration.auroc),
      100 * calibration.least_sure.share, Counted(calibration.least_sure.checked, "value", "values"));
  text += fmt::format("contain {:.1f} of {}\n", calibration.least_sure.errors_found,
                      Counted(calibration.values - calibration.right, "error", "errors"));
}

// Returns for example: "final: 0.6429 = (2 x 0.6667 ExactKey + 1 x 0.7500 JsonAll) / 3".
std::string FinalLine(const FinalScore& final_score) {
  std::string parts;
  double weights = 0;
  for (const FinalPart& part : final_score.parts) {
    parts += fmt::format("{}{:g} x {:.4f} {}", parts.empty() ? "" : " + ", part.weight, part.average,
                         DisplayName(part.scorer));
    weights += part.weight;
  }
  return fmt::format("final: {:.4f} = ({}) / {:g}\n", final_score.score, parts, weights);
}

// Appends for example: "j: the models of the panel agree with Krippendorff's alpha of 0.8123 over 400
// records".
void AppendAgreement(const ScorerReport& scorer, std::string& text) {
  const auto append = [&](const std::optional<JudgeAgreement>& agreement, const char* who,
                          const char* items) {
    if (!agreement) return;
    text += fmt::format("{}: {} agree with ", DisplayName(scorer.scorer), who);
    text += agreement->alpha ? fmt::format("Krippendorff's alpha of {:.4f}", *agreement->alpha)
                             : "no alpha, as all scores are equal,";
    text += fmt::format(" over {} {}\n", WithThousands(agreement->items), items);
  };
  append(scorer.panel_agreement, "the models of the panel", "records");
  append(scorer.sample_agreement, "the samples of a model", "questions");
}

}  // namespace

// A table shows the figures over all records that were asked for. If a title begins with "scored", its figure
// is over the scored records.
FigureList<Figures> internal::RunFigures() {
  using Row = Figures;
  using Score = ScoreFigures;
  FigureList<Row> figures = {
      {"", "asked", "asked", At<&Row::asked>},
      {"", "scored", "scored", At<&Row::scored>},
      {"", "unreadable", "", At<&Row::unreadable>},
      {"", "unanswered", "", At<&Row::unanswered>},
      {"", "errors", "", At<&Row::errors>},
      {"", "coverage", "coverage", At<&Row::coverage>, Column::kPercent},
      {"", "nothing_compared", "", At<&Row::nothing_compared>},
      {"", "read_from_text", "", At<&Row::read_from_text>},
      {"", "of_other_kind", "", At<&Row::of_other_kind>},
      {"", "unexpected_share", "", At<&Row::unexpected_share>},
      {"", "effective_records", "", At<&Row::effective_records>},
      {"over_all", "mean", "mean", At<&Row::over_all, &Score::mean>},
      {"over_all", "standard_error", "±se", At<&Row::over_all, &Score::standard_error>},
      {"over_all", "min", "", At<&Row::over_all, &Score::min>},
      {"over_all", "p5", "p5", At<&Row::over_all, &Score::p5>},
      {"over_all", "p50", "p50", At<&Row::over_all, &Score::p50>},
      {"over_all", "p95", "p95", At<&Row::over_all, &Score::p95>},
      {"over_all", "pass_rate", "pass", At<&Row::over_all, &Score::pass_rate>, Column::kPercent},
      {"over_all", "mean_interval", "", At<&Row::over_all, &Score::mean_interval>},
      {"over_all", "pass_interval", "", At<&Row::over_all, &Score::pass_interval>},
      {"over_scored", "mean", "scored mean", At<&Row::over_scored, &Score::mean>},
      {"over_scored", "standard_error", "", At<&Row::over_scored, &Score::standard_error>},
      {"over_scored", "min", "", At<&Row::over_scored, &Score::min>},
      {"over_scored", "p5", "", At<&Row::over_scored, &Score::p5>},
      {"over_scored", "p50", "", At<&Row::over_scored, &Score::p50>},
      {"over_scored", "p95", "", At<&Row::over_scored, &Score::p95>},
      {"over_scored", "pass_rate", "scored pass", At<&Row::over_scored, &Score::pass_rate>, Column::kPercent},
      {"", "win_rate", "win rate", At<&Row::versus, &VersusFigures::win_rate>, Column::kIfAny, In::kTable}};
  for (Figure<Row>& figure : figures) {
    if (figure.name == "coverage") figure.idle = Idle::kCoverage;
    if (figure.name == "scored" || figure.group == "over_scored") figure.idle = Idle::kIfCovered;
  }
  return figures;
}

std::string internal::LimitText(const RunTotals& totals) {
  if (totals.limit == 0) return "";
  return fmt::format("scored only the first {} of each input (--limit): these figures are not of all records",
                     Counted(totals.limit, "record", "records"));
}

std::string RunReport::ToTable(bool colour, std::size_t columns) const {
  std::string text;
  AppendTextTable(FiguresTable(*this), text, columns);
  for (const ScorerReport& scorer : scorers) AppendAggregates(scorer, text);
  if (const Table fields = FieldTable(*this); fields.rows.size() > 1) AppendTextTable(fields, text);
  if (const Section causes = CausesOf(*this); !causes.table.rows.empty()) {
    AppendTextTable(causes.table, text);
    for (const Section::Item& item : causes.items) text += item.text + '\n';
  }
  for (const ScorerReport& scorer : scorers) {
    AppendJsonInTexts(scorer, colour, text);
    AppendRemarks(scorer, colour, text);
    AppendVersus(scorer, colour, text);
    AppendCalibration(scorer, text);
    AppendFaults(scorer, text);
    AppendNothingCompared(scorer, colour, text);
    AppendAgreement(scorer, text);
  }
  if (final_score) text += FinalLine(*final_score);
  text += LookAlikesIn(*this);
  AppendGroupWarnings(*this, text);
  if (repeated_ids) AppendRepeatedIds(*repeated_ids, colour, text);
  if (only_in_base && only_in_base->count != 0)
    text +=
        IdsText(*only_in_base, "ids of the base (--versus) without an answer to compare", colour, "") + '\n';
  if (gold) AppendJoin(*gold, sources, colour, text);
  if (device) text += DeviceLine(*device);
  if (judges) text += JudgesLine(*judges);
  text += TotalsLine(totals, colour);
  if (const std::string limited = LimitText(totals); !limited.empty()) text += Loud(limited, colour) + '\n';
  if (const std::string strange = StrangeAnswersText(*this); !strange.empty())
    text += Loud(strange, colour) + '\n';
  for (const ScorerReport& scorer : scorers) text += CountsLine(*this, scorer, colour);
  return text;
}

}  // namespace leafscore
