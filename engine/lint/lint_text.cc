#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/display.h"
#include "engine/json/json_writer.h"
#include "engine/render/cells.h"
#include "engine/render/document.h"
#include "engine/render/figures.h"
#include "engine/report/join_summary.h"
#include "leafscore/lint.h"

namespace leafscore {

using namespace internal;

namespace {

std::string_view VerdictOf(const LintReport& report) {
  if (report.Count(LintSeverity::kError) != 0) return "unfit";
  return report.Count(LintSeverity::kWarning) != 0 ? "doubtful" : "fine";
}

std::uint64_t CountAccepted(const LintReport& report) {
  return static_cast<std::uint64_t>(std::ranges::count(report.findings, true, &LintFinding::accepted));
}

std::string LintLine(const LintReport& report) {
  const std::uint64_t accepted = CountAccepted(report);
  return fmt::format("{}: {}, {}, {}{} in {} ({} can be judged)", VerdictOf(report),
                     Counted(report.Count(LintSeverity::kError), "error", "errors"),
                     Counted(report.Count(LintSeverity::kWarning), "warning", "warnings"),
                     Counted(report.Count(LintSeverity::kNote), "note", "notes"),
                     accepted == 0 ? "" : fmt::format(", {} accepted", WithThousands(accepted)),
                     Counted(report.records, "gold record", "gold records"), WithThousands(report.judged));
}

// Returns the first ids, and how many there are.
std::string Listed(const ListedIds& ids) {
  std::string text;
  for (const std::string& id : ids.first) (text += text.empty() ? "" : ", ") += DisplayName(id);
  if (ids.count > ids.first.size()) text += fmt::format(", ... ({} in all)", WithThousands(ids.count));
  return text;
}

// Returns the subject of a finding; it is empty for the gold.
std::string Subject(const LintFinding& finding) {
  std::string text;
  for (const std::string& part : {finding.source, finding.scorer, finding.answer}) {
    if (!part.empty()) (text += text.empty() ? "" : ", ") += DisplayName(part);
  }
  return text;
}

FigureList<LintAnswer> AnswerFigures() {
  using Answer = LintAnswer;
  return {{"", "scorer", "scorer", At<&Answer::scorer>},
          {"", "answer", "answer", At<&Answer::answer>},
          {"", "asked", "asked", At<&Answer::asked>},
          {"", "scored", "scored", At<&Answer::scored>},
          {"", "", "mean", At<&Answer::mean>, Column::kAlways, In::kTable},
          {"", "passed", "passed", At<&Answer::passed>},
          {"", "wrong_passed", "passed wrongly", At<&Answer::wrong_passed>},
          {"", "mean", "", At<&Answer::mean>}};
}

constexpr char kAnswersTitle[] = "What easy answers get:";

Table AnswerTable(const LintReport& report) {
  Table table = TableOf(AnswerFigures(), report.answers, /*left_columns=*/2);
  if (std::ranges::all_of(report.answers,
                          [](const LintAnswer& answer) { return answer.scored == answer.asked; })) {
    table.idle = {3};
  }
  return table;
}

// Returns the severity of a finding, and whether it is accepted.
std::string SeverityText(const LintFinding& finding) {
  return std::string(LintSeverityName(finding.severity)) + (finding.accepted ? " (accepted)" : "");
}

// Returns sentences about scorers that were not asked, and about accepted findings that were not found.
std::vector<std::string> NotesOf(const LintReport& report) {
  std::vector<std::string> notes;
  const auto add = [&](std::string_view about, const std::vector<std::string>& names) {
    std::string shown;
    for (const std::string& name : names) (shown += shown.empty() ? "" : ", ") += DisplayName(name);
    if (!names.empty()) notes.push_back(fmt::format("{}: {}", about, shown));
  };
  add("Not asked, as each answer would run a program (--ask-judges)", report.judges_not_asked);
  add("Accepted (--accept), but not found", report.accepted_not_found);
  return notes;
}

std::string LintText(const LintReport& report, std::size_t columns) {
  Document document{.headline = LintLine(report)};
  for (const LintFinding& finding : report.findings) {
    const std::string subject = Subject(finding);
    Section& section = document.sections.emplace_back();
    section.title = fmt::format("{}: {}{}", SeverityText(finding), LintKindName(finding.kind),
                                subject.empty() ? "" : " (" + subject + ")");
    section.items = {{0, DisplayText(finding.message)}, {0, "-> " + finding.advice}};
    if (finding.ids.count != 0) section.items.push_back({0, "ids: " + Listed(finding.ids)});
    if (finding.paths.count != 0) section.items.push_back({0, "paths: " + Listed(finding.paths)});
  }
  if (!report.answers.empty()) {
    document.sections.push_back({.title = kAnswersTitle, .table = AnswerTable(report)});
  }
  document.sections.push_back({.notes = NotesOf(report)});
  return RenderText(document, /*colour=*/false, columns);
}

std::string LintMarkdown(const LintReport& report) {
  std::string text =
      "**" + std::string(VerdictOf(report)) + "**" + LintLine(report).substr(VerdictOf(report).size()) + "\n";
  if (!report.findings.empty()) {
    Table table{.rows = {{"severity", "kind", "of", "what", "what to do", "where"}}, .left_columns = 6};
    for (const LintFinding& finding : report.findings) {
      const bool both = finding.ids.count != 0 && finding.paths.count != 0;
      table.rows.push_back({SeverityText(finding), std::string(LintKindName(finding.kind)), Subject(finding),
                            DisplayText(finding.message), finding.advice,
                            Listed(finding.ids) + (both ? "; " : "") + Listed(finding.paths)});
    }
    text += '\n';
    AppendMarkdownTable(table, text);
  }
  if (!report.answers.empty()) {
    text += fmt::format("\n{}\n\n", kAnswersTitle);
    AppendMarkdownTable(AnswerTable(report), text);
  }
  AppendMarkdownSection({.notes = NotesOf(report)}, text);
  return text;
}

void WriteFinding(const LintFinding& finding, JsonWriter& json) {
  json.Object([&] {
    json.Key("severity").String(LintSeverityName(finding.severity));
    json.Key("kind").String(LintKindName(finding.kind));
    json.Key("accepted").Bool(finding.accepted);
    if (!finding.scorer.empty()) json.Key("scorer").LossyString(finding.scorer);
    if (!finding.source.empty()) json.Key("source").LossyString(finding.source);
    if (!finding.answer.empty()) json.Key("answer").String(finding.answer);
    if (finding.ids.count != 0) WriteListedIds(finding.ids, json.Key("ids"));
    if (finding.paths.count != 0) WriteListedIds(finding.paths, json.Key("paths"));
    json.Key("numbers").Object([&] {
      for (const auto& [name, number] : finding.numbers) json.Key(name).Number(number);
    });
    json.Key("message").LossyString(finding.message);
    json.Key("advice").String(finding.advice);
  });
}

std::string LintJson(const LintReport& report) {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  json.Object([&] {
    json.Key("verdict").String(VerdictOf(report));
    json.Key("errors").Integer(report.Count(LintSeverity::kError));
    json.Key("warnings").Integer(report.Count(LintSeverity::kWarning));
    json.Key("notes").Integer(report.Count(LintSeverity::kNote));
    json.Key("accepted").Integer(CountAccepted(report));
    json.Key("records").Integer(report.records);
    json.Key("judged").Integer(report.judged);
    json.Key("findings").Array(report.findings, [&](const LintFinding& finding) {
      WriteFinding(finding, json);
    });
    json.Key("answers").Array(report.answers,
                              [&](const LintAnswer& answer) { WriteObject(AnswerFigures(), answer, json); });
    json.Key("judges_not_asked").LossyStrings(report.judges_not_asked);
    json.Key("accepted_not_found").LossyStrings(report.accepted_not_found);
  });
  return text + '\n';
}

}  // namespace

std::string RenderLint(const LintReport& report, LintFormat format, std::size_t columns) {
  switch (format) {
    case LintFormat::kJson:
      return LintJson(report);
    case LintFormat::kMarkdown:
      return LintMarkdown(report);
    default:
      return LintText(report, columns);
  }
}

}  // namespace leafscore
