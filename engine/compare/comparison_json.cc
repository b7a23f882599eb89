#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/compare/comparison_columns.h"
#include "engine/compare/comparison_formats.h"
#include "engine/compare/comparison_names.h"
#include "engine/compare/comparison_sections.h"
#include "engine/json/json_writer.h"
#include "engine/report/join_summary.h"

namespace leafscore::internal {
namespace {

void WriteText(std::string_view key, const std::optional<std::string>& text, JsonWriter& json) {
  json.Key(key);
  if (text) {
    json.LossyString(*text);
  } else {
    json.Null();
  }
}

void WriteOutcome(std::string_view key, std::optional<Outcome> outcome, JsonWriter& json) {
  json.Key(key);
  if (outcome) {
    json.String(OutcomeName(*outcome));
  } else {
    json.Null();
  }
}

void WriteVerdictOf(std::string_view key, std::optional<bool> passed, JsonWriter& json) {
  json.Key(key);
  if (passed) {
    json.Bool(*passed);
  } else {
    json.Null();
  }
}

void WriteIds(std::string_view key, const ListedIds& ids, JsonWriter& json) {
  json.Key(key).StartObject();
  WriteListedIds(ids, json);
  json.EndObject();
}

// Writes what `write` does as one line of indented JSON.
template <class Write>
void WriteLine(JsonWriter& lines, const Write& write) {
  std::string line;
  JsonWriter json(line);
  write(json);
  lines.Raw(line);
}

template <class Column, class Row>
void WriteNumbers(std::span<const Column> columns, const Row& row, JsonWriter& json) {
  std::string_view group;
  for (const Column& column : columns) {
    if (column.group != group) {
      if (!group.empty()) json.EndObject();
      if (!column.group.empty()) json.Key(column.group).StartObject();
      group = column.group;
    }
    json.Key(column.name).Number(column.value(row));
  }
}

// Writes the members of a figure behind those that stand there.
void WriteFigure(const ComparedFigure& figure, JsonWriter& json) {
  WriteNumbers(FigureColumns(), figure, json);
  json.Key("holds_for_any_scores").Bool(figure.holds_for_any_scores);
  json.Key("power_of_more").StartArray();
  for (const ConditionalPower& more : figure.more) {
    json.StartObject();
    json.Key("units").Integer(more.units);
    json.Key("if_as_seen").Number(more.if_as_seen);
    json.Key("if_margin").Number(more.if_margin);
    json.Key("if_unchanged").Number(more.if_unchanged);
    json.EndObject();
  }
  json.EndArray();
}

void WriteRow(const ComparedRow& row, JsonWriter& lines) {
  WriteLine(lines, [&](JsonWriter& json) {
    json.StartObject();
    WriteText("group", row.group, json);
    WriteText("field", row.field, json);
    json.Key("verdict").String(NameOf(row.verdict));
    json.Key("contradiction").Bool(row.contradiction);
    json.Key("could_fail").Bool(row.could_fail());
    WriteNumbers(RowColumns(), row, json);
    json.Key("mean_verdict").String(NameOf(row.mean.verdict));
    WriteFigure(row.mean, json);
    for (const auto& [key, figure] : {std::pair("pass", &row.pass), {"pass_k", &row.pass_k}}) {
      json.Key(key);
      if (!*figure) {
        json.Null();
        continue;
      }
      json.StartObject();
      json.Key("verdict").String(NameOf((*figure)->verdict));
      WriteFigure(**figure, json);
      json.EndObject();
    }
    json.EndObject();
  });
}

void WriteRows(std::string_view key, const std::vector<ComparedRow>& rows, JsonWriter& json) {
  json.Key(key).StartArray();
  for (const ComparedRow& row : rows) WriteRow(row, json);
  json.EndArray();
}

void WriteOutcomeChange(const OutcomeChange& change, JsonWriter& lines) {
  WriteLine(lines, [&](JsonWriter& json) {
    json.StartObject();
    WriteOutcome("from", change.from, json);
    WriteOutcome("to", change.to, json);
    json.Key("records").Integer(change.records);
    json.Key("contribution").Number(change.contribution);
    json.EndObject();
  });
}

void WriteField(const ChangedField& field, JsonWriter& json) {
  json.StartObject();
  json.Key("path").LossyString(field.path);
  WriteText("expected", field.expected, json);
  WriteText("base", field.base, json);
  WriteText("now", field.now, json);
  json.Key("base_match").Number(field.base_match);
  json.Key("now_match").Number(field.now_match);
  json.EndObject();
}

void WriteRecord(const ChangedRecord& record, JsonWriter& lines) {
  WriteLine(lines, [&](JsonWriter& json) {
    json.StartObject();
    json.Key("id").LossyString(record.id);
    WriteText("group", record.group, json);
    WriteOutcome("base_outcome", record.base_outcome, json);
    WriteOutcome("now_outcome", record.now_outcome, json);
    json.Key("base").Number(record.base);
    json.Key("now").Number(record.now);
    WriteVerdictOf("base_passed", record.base_passed, json);
    WriteVerdictOf("now_passed", record.now_passed, json);
    json.Key("fields").StartArray();
    for (const ChangedField& field : record.fields) WriteField(field, json);
    json.EndArray();
    WriteText("expected", record.expected, json);
    WriteText("base_answer", record.base_answer, json);
    WriteText("now_answer", record.now_answer, json);
    json.EndObject();
  });
}

void WriteTests(std::string_view key, const std::vector<RepeatedTest>& tests, JsonWriter& json) {
  json.Key(key).StartArray();
  for (const RepeatedTest& test : tests) {
    WriteLine(json, [&](JsonWriter& line) {
      line.StartObject();
      line.Key("id").LossyString(test.id);
      WriteText("group", test.group, line);
      line.Key("base_asked").Integer(test.base_asked);
      line.Key("base_passed").Integer(test.base_passed);
      line.Key("now_asked").Integer(test.now_asked);
      line.Key("now_passed").Integer(test.now_passed);
      line.Key("base_flake_rate").Number(test.base_flake_rate);
      line.Key("now_flake_rate").Number(test.now_flake_rate);
      line.Key("p").Number(test.p);
      line.Key("p_corrected").Number(test.p_corrected);
      line.EndObject();
    });
  }
  json.EndArray();
}

void WriteSingleTests(const std::optional<SingleTests>& tests, JsonWriter& json) {
  json.Key("single_tests");
  if (!tests) {
    json.Null();
    return;
  }
  json.StartObject();
  json.Key("could_fail").Bool(tests->could_fail);
  json.Key("most_asked").Integer(tests->most_asked);
  json.Key("asked_to_fail").Integer(tests->asked_to_fail);
  json.Key("passed_in_base").Integer(tests->passed_in_base);
  json.Key("powerless").Integer(tests->powerless);
  json.Key("worse").Integer(tests->worse);
  WriteTests("got_worse", tests->got_worse, json);
  json.Key("flaky").Integer(tests->flaky);
  WriteTests("most_flaky", tests->most_flaky, json);
  json.EndObject();
}

void WriteScorer(const ScorerComparison& scorer, const Comparison& comparison, JsonWriter& json) {
  json.StartObject();
  json.Key("scorer").LossyString(scorer.scorer);
  json.Key("all");
  WriteRow(scorer.all, json);
  WriteRows("groups", scorer.groups, json);
  WriteRows("fields", scorer.fields, json);
  json.Key("outcomes").StartArray();
  for (const OutcomeChange& change : scorer.outcomes) WriteOutcomeChange(change, json);
  json.EndArray();
  json.Key("elsewhere").Number(scorer.elsewhere);
  json.Key("base_errors").Integer(scorer.base_errors);
  json.Key("now_errors").Integer(scorer.now_errors);
  json.Key("nothing_compared").Integer(scorer.nothing_compared);
  json.Key("notes").StartArray();
  for (const std::string& note : ScorerNotes(scorer, comparison)) json.LossyString(note);
  json.EndArray();
  json.Key("worst").StartArray();
  for (const ChangedRecord& record : scorer.worst) WriteRecord(record, json);
  json.EndArray();
  WriteSingleTests(scorer.single_tests, json);
  json.EndObject();
}

void WriteFile(const FileComparison& file, const Comparison& comparison, JsonWriter& json) {
  json.StartObject();
  json.Key("file").LossyString(file.file);
  json.Key("verdict").String(NameOf(file.verdict));
  json.Key("records").Integer(file.records);
  WriteIds("only_base", file.only_base, json);
  WriteIds("only_now", file.only_now, json);
  json.Key("base_repeated").Integer(file.base_repeated);
  json.Key("now_repeated").Integer(file.now_repeated);
  json.Key("not_asked").Integer(file.not_asked);
  json.Key("scorers").StartArray();
  for (const ScorerComparison& scorer : file.scorers) WriteScorer(scorer, comparison, json);
  json.EndArray();
  json.EndObject();
}

void WriteGate(const GateResult& gate, JsonWriter& lines) {
  WriteLine(lines, [&](JsonWriter& json) {
    json.StartObject();
    json.Key("gate").LossyString(gate.gate);
    json.Key("file").LossyString(gate.file);
    json.Key("scorer").LossyString(gate.scorer);
    WriteText("group", gate.group, json);
    WriteText("field", gate.field, json);
    json.Key("passed").Bool(gate.passed);
    json.Key("could_fail").Bool(gate.could_fail);
    json.Key("sentence").LossyString(gate.sentence);
    json.EndObject();
  });
}

}  // namespace

std::string ComparisonJson(const Comparison& comparison, std::span<const GateResult> gates) {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  json.StartObject();
  json.Key("verdict").String(NameOf(comparison.verdict));
  json.Key("headline").LossyString(VerdictLine(comparison, {}));
  json.Key("base").LossyString(comparison.base);
  json.Key("by").LossyString(comparison.by);
  json.Key("cluster").LossyString(comparison.cluster);
  json.Key("margin").Number(comparison.margin);
  json.Key("alpha").Number(comparison.alpha);
  json.Key("anytime").Bool(comparison.anytime);
  json.Key("look");
  if (comparison.look) {
    json.StartObject();
    json.Key("units").Integer(comparison.look->units);
    json.Key("alpha_spent").Number(comparison.look->spent);
    json.Key("digest").LossyString(comparison.look->digest);
    json.EndObject();
  } else {
    json.Null();
  }
  json.Key("repeats").String(NameOf(kRepeatsChoices, comparison.repeats));
  json.Key("pass_k");
  if (comparison.pass_k > 0) {
    json.Integer(comparison.pass_k);
  } else {
    json.Null();
  }
  json.Key("correction").String(NameOf(kCorrectionChoices, comparison.correction));
  json.Key("common_only").Bool(comparison.common_only);
  json.Key("verified").Bool(comparison.verified);
  json.Key("gates").StartArray();
  for (const GateResult& gate : gates) WriteGate(gate, json);
  json.EndArray();
  json.Key("files").StartArray();
  for (const FileComparison& file : comparison.files) WriteFile(file, comparison, json);
  json.EndArray();
  json.Key("families").StartArray();
  for (const TestFamily& family : comparison.families) {
    WriteLine(json, [&](JsonWriter& line) {
      line.StartObject();
      line.Key("name").LossyString(family.name);
      line.Key("tests").Integer(family.tests);
      line.EndObject();
    });
  }
  json.EndArray();
  json.Key("warnings").StartArray();
  for (const std::string& warning : comparison.warnings) json.LossyString(warning);
  json.EndArray();
  json.EndObject();
  return text + '\n';
}

}  // namespace leafscore::internal
