#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/display.h"
#include "engine/json/json_writer.h"
#include "engine/report/human_numbers.h"
#include "engine/report/join_summary.h"
#include "engine/report/markdown_text.h"
#include "engine/report/text_table.h"
#include "leafscore/lint.h"

namespace leafscore {

using namespace internal;

namespace {

std::string_view VerdictOf(const LintReport& report) {
  if (report.Count(LintSeverity::kError) != 0) return "unfit";
  return report.Count(LintSeverity::kWarning) != 0 ? "doubtful" : "fine";
}

std::string CountOf(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", WithThousands(count), what, count == 1 ? "" : "s");
}

std::uint64_t CountAccepted(const LintReport& report) {
  return static_cast<std::uint64_t>(std::ranges::count(report.findings, true, &LintFinding::accepted));
}

std::string VerdictLine(const LintReport& report) {
  const std::uint64_t accepted = CountAccepted(report);
  return fmt::format("{}: {}, {}, {}{} in {}, of which {} can be judged", VerdictOf(report),
                     CountOf(report.Count(LintSeverity::kError), "error"),
                     CountOf(report.Count(LintSeverity::kWarning), "warning"),
                     CountOf(report.Count(LintSeverity::kNote), "note"),
                     accepted == 0 ? "" : fmt::format(", {} accepted", WithThousands(accepted)),
                     CountOf(report.records, "gold record"), WithThousands(report.judged));
}

// Returns the first of them, and how many there are.
std::string Listed(const ListedIds& ids) {
  std::string text;
  for (const std::string& id : ids.first) (text += text.empty() ? "" : ", ") += DisplayName(id);
  if (ids.count > ids.first.size()) text += fmt::format(", ... ({} in all)", WithThousands(ids.count));
  return text;
}

// Returns what a finding is about, beside the gold.
std::string Subject(const LintFinding& finding) {
  std::string text;
  for (const std::string& part : {finding.source, finding.scorer, finding.answer}) {
    if (!part.empty()) (text += text.empty() ? "" : ", ") += DisplayName(part);
  }
  return text;
}

std::vector<TextRow> AnswerTable(const LintReport& report) {
  std::vector<TextRow> table = {{"scorer", "answer", "asked", "scored", "mean", "passed", "passed wrongly"}};
  for (const LintAnswer& answer : report.answers) {
    table.push_back({DisplayName(answer.scorer), answer.answer, WithThousands(answer.asked),
                     WithThousands(answer.scored), FourDecimals(answer.mean), WithThousands(answer.passed),
                     WithThousands(answer.wrong_passed)});
  }
  return table;
}

// Returns how much a finding matters, and whether it is accepted.
std::string SeverityText(const LintFinding& finding) {
  return std::string(LintSeverityName(finding.severity)) + (finding.accepted ? " (accepted)" : "");
}

std::string AcceptedLine(const LintReport& report) {
  std::string names;
  for (const std::string& name : report.accepted_not_found) {
    (names += names.empty() ? "" : ", ") += DisplayName(name);
  }
  return "Accepted (--accept), but not found: " + names;
}

std::string NotAskedLine(const LintReport& report) {
  std::string names;
  for (const std::string& name : report.judges_not_asked) {
    (names += names.empty() ? "" : ", ") += DisplayName(name);
  }
  return "Not asked, as each answer would run a program (--ask-judges): " + names;
}

std::string RenderTable(const LintReport& report) {
  std::string text = VerdictLine(report) + '\n';
  for (const LintFinding& finding : report.findings) {
    const std::string subject = Subject(finding);
    text += fmt::format("\n{}: {}{}\n  {}\n  -> {}\n", SeverityText(finding), LintKindName(finding.kind),
                        subject.empty() ? "" : " (" + subject + ")", DisplayText(finding.message),
                        finding.advice);
    if (finding.ids.count != 0) text += "  ids: " + Listed(finding.ids) + '\n';
    if (finding.paths.count != 0) text += "  paths: " + Listed(finding.paths) + '\n';
  }
  if (!report.answers.empty()) {
    text += "\nWhat easy answers get:\n";
    AppendAligned(AnswerTable(report), /*left_columns=*/2, text);
  }
  if (!report.judges_not_asked.empty()) text += '\n' + NotAskedLine(report) + '\n';
  if (!report.accepted_not_found.empty()) text += '\n' + AcceptedLine(report) + '\n';
  return text;
}

std::string RenderMarkdown(const LintReport& report) {
  std::string text = "**" + std::string(VerdictOf(report)) + "**" +
                     VerdictLine(report).substr(VerdictOf(report).size()) + "\n";
  if (!report.findings.empty()) {
    std::vector<TextRow> table = {{"severity", "kind", "of", "what", "what to do", "where"}};
    for (const LintFinding& finding : report.findings) {
      const bool both = finding.ids.count != 0 && finding.paths.count != 0;
      table.push_back({SeverityText(finding), std::string(LintKindName(finding.kind)), Subject(finding),
                       DisplayText(finding.message), finding.advice,
                       Listed(finding.ids) + (both ? "; " : "") + Listed(finding.paths)});
    }
    text += '\n';
    AppendMarkdownTable(table, table[0].size(), text);
  }
  if (!report.answers.empty()) {
    text += "\nWhat easy answers get:\n\n";
    AppendMarkdownTable(AnswerTable(report), /*left_columns=*/2, text);
  }
  const auto append_line = [&](const std::string& line) {
    text += '\n';
    AppendMarkdownLine(text, line);
    text += '\n';
  };
  if (!report.judges_not_asked.empty()) append_line(NotAskedLine(report));
  if (!report.accepted_not_found.empty()) append_line(AcceptedLine(report));
  return text;
}

void WriteListed(std::string_view key, const ListedIds& ids, JsonWriter& json) {
  if (ids.count == 0) return;
  json.Key(key).StartObject();
  WriteListedIds(ids, json);
  json.EndObject();
}

void WriteFinding(const LintFinding& finding, JsonWriter& json) {
  json.StartObject();
  json.Key("severity").String(LintSeverityName(finding.severity));
  json.Key("kind").String(LintKindName(finding.kind));
  json.Key("accepted").Bool(finding.accepted);
  if (!finding.scorer.empty()) json.Key("scorer").LossyString(finding.scorer);
  if (!finding.source.empty()) json.Key("source").LossyString(finding.source);
  if (!finding.answer.empty()) json.Key("answer").String(finding.answer);
  WriteListed("ids", finding.ids, json);
  WriteListed("paths", finding.paths, json);
  json.Key("numbers").StartObject();
  for (const auto& [name, number] : finding.numbers) json.Key(name).Number(number);
  json.EndObject();
  json.Key("message").LossyString(finding.message);
  json.Key("advice").String(finding.advice);
  json.EndObject();
}

std::string RenderJson(const LintReport& report) {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  json.StartObject();
  json.Key("verdict").String(VerdictOf(report));
  json.Key("errors").Integer(report.Count(LintSeverity::kError));
  json.Key("warnings").Integer(report.Count(LintSeverity::kWarning));
  json.Key("notes").Integer(report.Count(LintSeverity::kNote));
  json.Key("accepted").Integer(CountAccepted(report));
  json.Key("records").Integer(report.records);
  json.Key("judged").Integer(report.judged);
  json.Key("findings").StartArray();
  for (const LintFinding& finding : report.findings) WriteFinding(finding, json);
  json.EndArray();
  json.Key("answers").StartArray();
  for (const LintAnswer& answer : report.answers) {
    json.StartObject();
    json.Key("scorer").LossyString(answer.scorer);
    json.Key("answer").String(answer.answer);
    json.Key("asked").Integer(answer.asked);
    json.Key("scored").Integer(answer.scored);
    json.Key("passed").Integer(answer.passed);
    json.Key("wrong_passed").Integer(answer.wrong_passed);
    json.Key("mean").Number(answer.mean);
    json.EndObject();
  }
  json.EndArray();
  json.Key("judges_not_asked").StartArray();
  for (const std::string& name : report.judges_not_asked) json.LossyString(name);
  json.EndArray();
  json.Key("accepted_not_found").StartArray();
  for (const std::string& name : report.accepted_not_found) json.LossyString(name);
  json.EndArray();
  json.EndObject();
  return text + '\n';
}

}  // namespace

std::string RenderLint(const LintReport& report, LintFormat format) {
  switch (format) {
    case LintFormat::kJson:
      return RenderJson(report);
    case LintFormat::kMarkdown:
      return RenderMarkdown(report);
    default:
      return RenderTable(report);
  }
}

}  // namespace leafscore
