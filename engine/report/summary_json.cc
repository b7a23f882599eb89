#include <optional>
#include <span>

#include "engine/json/json_writer.h"
#include "engine/report/failure_causes.h"
#include "engine/report/field_figures.h"
#include "engine/report/join_summary.h"
#include "leafscore/report.h"

namespace leafscore {

using namespace internal;

namespace {

void WriteInterval(JsonWriter& json, const char* key, const std::optional<Interval>& interval) {
  json.Key(key);
  if (!interval) return json.Null();
  json.StartObject();
  json.Key("low").Number(interval->low);
  json.Key("high").Number(interval->high);
  json.EndObject();
}

void WriteScoreFigures(JsonWriter& json, const char* key, const ScoreFigures& figures, bool has_intervals) {
  json.Key(key).StartObject();
  json.Key("mean").Number(figures.mean);
  json.Key("standard_error").Number(figures.standard_error);
  json.Key("min").Number(figures.min);
  json.Key("p5").Number(figures.p5);
  json.Key("p50").Number(figures.p50);
  json.Key("p95").Number(figures.p95);
  json.Key("pass_rate").Number(figures.pass_rate);
  if (has_intervals) {
    WriteInterval(json, "mean_interval", figures.mean_interval);
    WriteInterval(json, "pass_interval", figures.pass_interval);
  }
  json.EndObject();
}

// Writes the members of an object that holds these figures.
void WriteFigures(JsonWriter& json, const Figures& figures) {
  json.Key("asked").Integer(figures.asked);
  json.Key("scored").Integer(figures.scored);
  json.Key("unreadable").Integer(figures.unreadable);
  json.Key("unanswered").Integer(figures.unanswered);
  json.Key("errors").Integer(figures.errors);
  json.Key("coverage").Number(figures.coverage);
  json.Key("nothing_compared").Integer(figures.nothing_compared);
  json.Key("read_from_text").Integer(figures.read_from_text);
  json.Key("of_other_kind").Integer(figures.of_other_kind);
  json.Key("unexpected_share").Number(figures.unexpected_share);
  json.Key("effective_records").Number(figures.effective_records);
  WriteScoreFigures(json, "over_all", figures.over_all, true);
  WriteScoreFigures(json, "over_scored", figures.over_scored, false);
}

void WriteReasons(JsonWriter& json, std::span<const ReasonCount> reasons) {
  json.Key("reasons").StartArray();
  for (const ReasonCount& reason : reasons) {
    json.StartObject();
    json.Key("outcome").String(OutcomeName(reason.outcome));
    json.Key("reason").String(RejectReasonName(reason.reason));
    json.Key("records").Integer(reason.records);
    json.EndObject();
  }
  json.EndArray();
}

void WriteCauses(JsonWriter& json, std::span<const FailureCause> causes) {
  json.Key("causes").StartArray();
  for (const FailureCause& cause : causes) {
    json.StartObject();
    json.Key("cause").String(CauseName(cause));
    if (cause.kind == FailureCause::Kind::kField) json.Key("field").LossyString(cause.field);
    json.Key("records").Integer(cause.records);
    json.Key("example").LossyString(cause.example);
    json.Key("example_record").Integer(cause.example_record);
    json.EndObject();
  }
  json.EndArray();
}

void WriteGates(JsonWriter& json, std::span<const GateCheck> gates) {
  json.Key("gates").StartArray();
  for (const GateCheck& gate : gates) {
    json.StartObject();
    json.Key("gate").LossyString(gate.gate);
    json.Key("scorer").LossyString(gate.scorer);
    json.Key("group").LossyString(gate.group);
    json.Key("passed").Bool(gate.passed);
    json.Key("sure").Bool(gate.sure);
    json.Key("figure").Number(gate.figure);
    WriteInterval(json, "interval", gate.interval);
    json.Key("wanted").Number(gate.wanted);
    json.Key("records").Integer(gate.records);
    json.Key("effective_records").Number(gate.effective_records);
    json.Key("sentence").LossyString(gate.sentence);
    json.EndObject();
  }
  json.EndArray();
}

void WriteFieldFigures(JsonWriter& json, const FieldFigures& figures) {
  json.Key("precision").Number(figures.precision);
  json.Key("recall").Number(figures.recall);
  json.Key("f1").Number(figures.f1);
}

void WriteFields(JsonWriter& json, std::span<const FieldCounts> fields) {
  json.Key("fields").StartArray();
  for (const FieldCounts& field : fields) {
    json.StartObject();
    json.Key("field").LossyString(field.field);
    json.Key("true_positives").Integer(field.true_positives);
    json.Key("false_positives").Integer(field.false_positives);
    json.Key("false_negatives").Integer(field.false_negatives);
    json.Key("true_negatives").Integer(field.true_negatives);
    WriteFieldFigures(json, FiguresOf(field));
    json.EndObject();
  }
  json.EndArray();
  json.Key("micro").StartObject();
  WriteFieldFigures(json, FiguresOf(SumOf(fields)));
  json.EndObject();
  json.Key("macro").StartObject();
  WriteFieldFigures(json, MacroFigures(fields));
  json.EndObject();
}

void WriteTotals(JsonWriter& json, const RunTotals& totals, const std::vector<StageTime>& stages) {
  json.Key("records_read").Integer(totals.records_read);
  json.Key("rejected").Integer(totals.rejected);
  json.Key("nonstandard").Integer(totals.nonstandard);
  json.Key("duplicate_keys").Integer(totals.duplicate_keys);
  json.Key("bytes").Integer(totals.bytes);

  const auto per_second = [&](double amount) -> std::optional<double> {
    if (!(totals.wall_seconds > 0)) return std::nullopt;
    return amount / totals.wall_seconds;
  };
  json.Key("timing").StartObject();
  json.Key("seconds").Number(totals.wall_seconds);
  json.Key("records_per_second").Number(per_second(static_cast<double>(totals.records_read)));
  json.Key("gigabytes_per_second").Number(per_second(static_cast<double>(totals.bytes) / 1e9));
  if (!stages.empty()) {
    json.Key("stages").StartArray();
    for (const StageTime& stage : stages) {
      json.StartObject();
      json.Key("stage").LossyString(stage.stage);
      json.Key("parallel_seconds").Number(stage.parallel_seconds);
      json.Key("serial_seconds").Number(stage.serial_seconds);
      json.EndObject();
    }
    json.EndArray();
  }
  json.EndObject();
}

void WriteIds(JsonWriter& json, const char* key, const ListedIds& ids) {
  json.Key(key).StartObject();
  WriteListedIds(ids, json);
  json.EndObject();
}

void WriteRepeatedIds(JsonWriter& json, const RepeatedIds& repeated) {
  json.Key("repeated_ids").StartObject();
  WriteListedIds(repeated.ids, json);
  json.Key("not_remembered").Integer(repeated.not_remembered);
  json.EndObject();
}

void WriteJoin(JsonWriter& json, const GoldCounts& gold, std::span<const SourceCounts> sources) {
  json.Key("gold").StartObject();
  json.Key("records").Integer(gold.records);
  json.Key("rejected").Integer(gold.rejected);
  json.Key("without_id").Integer(gold.without_id);
  json.Key("ids").Integer(gold.ids);
  WriteIds(json, "duplicates", gold.duplicates);
  json.EndObject();
  json.Key("sources").StartArray();
  for (const SourceCounts& source : sources) {
    json.StartObject();
    json.Key("source").LossyString(source.source);
    json.Key("records").Integer(source.records);
    json.Key("matched").Integer(source.matched);
    json.Key("rejected").Integer(source.rejected);
    WriteIds(json, "without_gold", source.without_gold);
    WriteIds(json, "duplicates", source.duplicates);
    WriteIds(json, "unanswered", source.unanswered);
    json.EndObject();
  }
  json.EndArray();
}

void WriteWork(JsonWriter& json, const char* key, const PairWork& work) {
  json.Key(key).StartObject();
  json.Key("pairs").Integer(work.pairs);
  json.Key("cells").Integer(work.cells);
  json.EndObject();
}

void WriteDevice(JsonWriter& json, const DeviceReport& device) {
  json.Key("device").StartObject();
  json.Key("name").LossyString(device.device);
  json.Key("launches").Integer(device.launches);
  WriteWork(json, "on_device", device.on_device);
  WriteWork(json, "cpu_sooner", device.cpu_sooner);
  WriteWork(json, "no_room", device.no_room);
  WriteWork(json, "too_long", device.too_long);
  WriteWork(json, "failed", device.failed);
  json.Key("warning").LossyString(device.warning);
  json.EndObject();
}

void WriteJudges(JsonWriter& json, const JudgeReport& judges) {
  json.Key("judges").StartObject();
  json.Key("requests").Integer(judges.requests);
  json.Key("retries").Integer(judges.retries);
  json.Key("cached").Integer(judges.cached);
  json.Key("prompt_tokens").Number(judges.prompt_tokens);
  json.Key("completion_tokens").Number(judges.completion_tokens);
  json.Key("cost").Number(judges.cost);
  json.Key("prices").LossyString(judges.prices);
  json.Key("latency_p50").Number(judges.latency_p50);
  json.Key("latency_p95").Number(judges.latency_p95);
  json.Key("read_as").StartObject();
  json.Key("json_schema").Integer(judges.read_as.json_schema);
  json.Key("json_object").Integer(judges.read_as.json_object);
  json.Key("json").Integer(judges.read_as.json);
  json.Key("text").Integer(judges.read_as.text);
  json.EndObject();
  json.EndObject();
}

const char* KindName(GroupKind kind) {
  switch (kind) {
    case GroupKind::kValue:
      return "value";
    case GroupKind::kNone:
      return "none";
    case GroupKind::kOther:
      return "other";
  }
  return "";
}

void WriteClassAverage(JsonWriter& json, const ClassAverage& average) {
  json.Key("precision").Number(average.precision);
  json.Key("recall").Number(average.recall);
  json.Key("f_score").Number(average.f_score);
}

void WriteAggregate(JsonWriter& json, const ClassAggregate& aggregate) {
  json.StartObject();
  json.Key("name").LossyString(aggregate.name);
  json.Key("type").String(aggregate.type);
  json.Key("score").Number(aggregate.score);
  json.Key("asked").Integer(aggregate.asked);
  json.Key("scored").Integer(aggregate.scored);
  json.Key("skipped").Integer(aggregate.asked - aggregate.scored);
  json.Key("confusion_matrix").StartArray();
  for (const std::vector<std::uint64_t>& row : aggregate.matrix) {
    json.StartArray();
    for (const std::uint64_t count : row) json.Integer(count);
    json.EndArray();
  }
  json.EndArray();
  json.Key("per_class").StartArray();
  for (const ClassFigures& figures : aggregate.per_class) {
    json.StartObject();
    json.Key("class").LossyString(figures.label);
    json.Key("true_positives").Integer(figures.true_positives);
    json.Key("false_positives").Integer(figures.false_positives);
    json.Key("false_negatives").Integer(figures.false_negatives);
    json.Key("true_negatives").Integer(figures.true_negatives);
    WriteClassAverage(json, figures.figures);
    json.EndObject();
  }
  json.EndArray();
  if (aggregate.type != "confusion_matrix") {
    json.Key("averaging").String(aggregate.micro_averaged ? "micro" : "macro");
    json.Key("f_value").Number(aggregate.f_value);
    json.Key("macro").StartObject();
    WriteClassAverage(json, aggregate.macro);
    json.EndObject();
    json.Key("micro").StartObject();
    WriteClassAverage(json, aggregate.micro);
    json.EndObject();
  }
  json.EndObject();
}

void WriteFinal(JsonWriter& json, const FinalScore& final_score) {
  json.Key("final").StartObject();
  json.Key("score").Number(final_score.score);
  json.Key("parts").StartArray();
  for (const FinalPart& part : final_score.parts) {
    json.StartObject();
    json.Key("scorer").LossyString(part.scorer);
    json.Key("weight").Number(part.weight);
    json.Key("average").Number(part.average);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

void WriteAgreement(JsonWriter& json, const char* key, const std::optional<JudgeAgreement>& agreement) {
  if (!agreement) return;
  json.Key(key).StartObject();
  json.Key("items").Integer(agreement->items);
  json.Key("krippendorff_alpha").Number(agreement->alpha);
  json.EndObject();
}

void WriteScorer(JsonWriter& json, const ScorerReport& scorer) {
  json.StartObject();
  json.Key("scorer").LossyString(scorer.scorer);
  WriteFigures(json, scorer.figures);
  WriteReasons(json, scorer.reasons);
  WriteCauses(json, scorer.causes);
  json.Key("json_in_texts").StartObject();
  json.Key("parsed").Integer(scorer.json_in_texts.parsed);
  json.Key("as_texts").Integer(scorer.json_in_texts.as_texts);
  json.EndObject();
  json.Key("absent_paths").StartArray();
  for (const std::string& path : scorer.absent_paths) json.LossyString(path);
  json.EndArray();
  WriteAgreement(json, "panel_agreement", scorer.panel_agreement);
  WriteAgreement(json, "sample_agreement", scorer.sample_agreement);
  if (!scorer.fields.empty()) WriteFields(json, scorer.fields);
  if (!scorer.aggregates.empty()) {
    json.Key("aggregates").StartArray();
    for (const ClassAggregate& aggregate : scorer.aggregates) WriteAggregate(json, aggregate);
    json.EndArray();
  }
  json.Key("groups").StartArray();
  for (const GroupFigures& group : scorer.groups) {
    json.StartObject();
    json.Key("field").LossyString(group.field);
    json.Key("value").LossyString(group.value);
    // Tells the group of records without the field from a field whose text is "(none)".
    json.Key("kind").String(KindName(group.kind));
    WriteFigures(json, group.figures);
    if (!group.fields.empty()) WriteFields(json, group.fields);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

}  // namespace

std::string RunReport::ToJson() const {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  json.StartObject();
  WriteTotals(json, totals, stages);
  json.Key("counts_add_up").Bool(CountsAddUp());
  if (device) WriteDevice(json, *device);
  if (judges) WriteJudges(json, *judges);
  if (repeated_ids) WriteRepeatedIds(json, *repeated_ids);
  if (gold) WriteJoin(json, *gold, sources);
  if (!lacking.empty()) {
    json.Key("group_fields").StartArray();
    for (std::size_t f = 0; f < lacking.size(); ++f) {
      json.StartObject();
      json.Key("field").LossyString(group_fields[f]);
      json.Key("records_without").Integer(lacking[f]);
      json.EndObject();
    }
    json.EndArray();
  }
  if (!provenance.empty()) json.Key("provenance").Raw(provenance);
  if (final_score) WriteFinal(json, *final_score);
  if (!gates.empty()) WriteGates(json, gates);
  json.Key("scorers").StartArray();
  for (const ScorerReport& scorer : scorers) WriteScorer(json, scorer);
  json.EndArray();
  json.EndObject();
  return text + '\n';
}

}  // namespace leafscore
