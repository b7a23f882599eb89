#include <optional>
#include <span>

#include "engine/json/json_writer.h"
#include "engine/render/figures.h"
#include "engine/report/failure_causes.h"
#include "engine/report/field_figures.h"
#include "engine/report/join_summary.h"
#include "engine/report/summary_figures.h"
#include "leafscore/report.h"

namespace leafscore {

using namespace internal;

namespace {

FigureList<VersusFigures> VersusFigureList() {
  using Versus = VersusFigures;
  return {{"", "wins", "", At<&Versus::wins>},
          {"", "losses", "", At<&Versus::losses>},
          {"", "ties", "", At<&Versus::ties>},
          {"", "identical", "", At<&Versus::identical>},
          {"", "order_flips", "", At<&Versus::order_flips>},
          {"", "order_flip_share", "", At<&Versus::order_flip_share>},
          {"", "win_rate", "", At<&Versus::win_rate>},
          {"", "win_interval", "", At<&Versus::win_interval>}};
}

void WriteFigures(JsonWriter& json, const Figures& figures) {
  static const FigureList<Figures> list = RunFigures();
  WriteMembers(list, figures, json);
  if (figures.versus) WriteObject(VersusFigureList(), *figures.versus, json.Key("versus"));
}

FigureList<ReasonCount> ReasonFigures() {
  using Reason = ReasonCount;
  return {{"", "outcome", "", [](const Reason& r) { return OutcomeName(r.outcome); }},
          {"", "reason", "", [](const Reason& r) { return RejectReasonName(r.reason); }},
          {"", "records", "", At<&Reason::records>}};
}

FigureList<RemarkCount> RemarkFigures() {
  using Remark = RemarkCount;
  return {{"", "remark", "", At<&Remark::remark>}, {"", "records", "", At<&Remark::records>}};
}

FigureList<FaultCount> FaultFigures() {
  using Fault = FaultCount;
  return {{"", "field", "", At<&Fault::field>},
          {"", "rule", "", At<&Fault::rule>},
          {"", "count", "", At<&Fault::count>}};
}

FigureList<GateCheck> GateFigures() {
  using Gate = GateCheck;
  return {
      {"", "gate", "", At<&Gate::gate>},         {"", "scorer", "", At<&Gate::scorer>},
      {"", "group", "", At<&Gate::group>},       {"", "passed", "", At<&Gate::passed>},
      {"", "sure", "", At<&Gate::sure>},         {"", "figure", "", At<&Gate::figure>},
      {"", "interval", "", At<&Gate::interval>}, {"", "wanted", "", At<&Gate::wanted>},
      {"", "records", "", At<&Gate::records>},   {"", "effective_records", "", At<&Gate::effective_records>},
      {"", "sentence", "", At<&Gate::sentence>}};
}

FigureList<StageTime> StageFigures() {
  using Stage = StageTime;
  return {{"", "stage", "", At<&Stage::stage>},
          {"", "parallel_seconds", "", At<&Stage::parallel_seconds>},
          {"", "serial_seconds", "", At<&Stage::serial_seconds>}};
}

FigureList<ClassAverage> AverageFigures() {
  using Average = ClassAverage;
  return {{"", "precision", "", At<&Average::precision>},
          {"", "recall", "", At<&Average::recall>},
          {"", "f_score", "", At<&Average::f_score>}};
}

FigureList<ClassFigures> OneClassFigures() {
  using Class = ClassFigures;
  return {{"", "class", "", At<&Class::label>},
          {"", "true_positives", "", At<&Class::true_positives>},
          {"", "false_positives", "", At<&Class::false_positives>},
          {"", "false_negatives", "", At<&Class::false_negatives>},
          {"", "true_negatives", "", At<&Class::true_negatives>},
          {"", "precision", "", At<&Class::figures, &ClassAverage::precision>},
          {"", "recall", "", At<&Class::figures, &ClassAverage::recall>},
          {"", "f_score", "", At<&Class::figures, &ClassAverage::f_score>}};
}

FigureList<FinalPart> PartsFigures() {
  using Part = FinalPart;
  return {{"", "scorer", "", At<&Part::scorer>},
          {"", "weight", "", At<&Part::weight>},
          {"", "average", "", At<&Part::average>}};
}

FigureList<JudgeReport> JudgesFigures() {
  using Judges = JudgeReport;
  using Forms = decltype(Judges::read_as);
  using Parameters = decltype(Judges::left_out);
  return {{"", "requests", "", At<&Judges::requests>},
          {"", "retries", "", At<&Judges::retries>},
          {"", "asked_again", "", At<&Judges::asked_again>},
          {"", "cached", "", At<&Judges::cached>},
          {"", "prompt_tokens", "", At<&Judges::prompt_tokens>},
          {"", "completion_tokens", "", At<&Judges::completion_tokens>},
          {"", "cost", "", At<&Judges::cost>},
          {"", "prices", "", At<&Judges::prices>},
          {"", "latency_p50", "", At<&Judges::latency_p50>},
          {"", "latency_p95", "", At<&Judges::latency_p95>},
          {"read_as", "json_schema", "", At<&Judges::read_as, &Forms::json_schema>},
          {"read_as", "tool_call", "", At<&Judges::read_as, &Forms::tool_call>},
          {"read_as", "json_object", "", At<&Judges::read_as, &Forms::json_object>},
          {"read_as", "json", "", At<&Judges::read_as, &Forms::json>},
          {"read_as", "text", "", At<&Judges::read_as, &Forms::text>},
          {"left_out", "temperature", "", At<&Judges::left_out, &Parameters::temperature>},
          {"left_out", "max_tokens", "", At<&Judges::left_out, &Parameters::max_tokens>},
          {"left_out", "seed", "", At<&Judges::left_out, &Parameters::seed>}};
}

FigureList<JudgeFault> JudgeFaultFigures() {
  using Fault = JudgeFault;
  return {{"", "reason", "", [](const Fault& f) { return RejectReasonName(f.reason); }},
          {"", "count", "", At<&Fault::count>},
          {"", "first", "", At<&Fault::first>}};
}

// Writes a value.
void WriteJudges(JsonWriter& json, const JudgeReport& judges) {
  json.Object([&] {
    WriteMembers(JudgesFigures(), judges, json);
    WriteObjects(JudgeFaultFigures(), judges.faults, json.Key("faults"));
    json.Key("models").Array(judges.models, [&](const std::string& model) { json.LossyString(model); });
  });
}

void WriteCause(JsonWriter& json, const FailureCause& cause) {
  json.Object([&] {
    json.Key("cause").String(CauseName(cause));
    if (cause.kind == FailureCause::Kind::kField) json.Key("field").LossyString(cause.field);
    json.Key("records").Integer(cause.records);
    json.Key("share").Number(cause.share);
    json.Key("mean_without").Number(cause.mean_without);
    json.Key("example").LossyString(cause.example);
    json.Key("example_record").Integer(cause.example_record);
  });
}

void WriteCauses(JsonWriter& json, std::span<const FailureCause> causes) {
  json.Key("causes").Array(causes, [&](const FailureCause& cause) { WriteCause(json, cause); });
}

void WriteFields(JsonWriter& json, std::span<const FieldCounts> fields) {
  json.Key("fields").Array(fields, [&](const FieldCounts& field) {
    json.Object([&] {
      json.Key("field").LossyString(field.field);
      WriteMembers(CountFigures(), field, json);
      WriteMembers(RateFigures(), FiguresOf(field), json);
    });
  });
  WriteObject(RateFigures(), FiguresOf(SumOf(fields)), json.Key("micro"));
  WriteObject(RateFigures(), MacroFigures(fields), json.Key("macro"));
}

void WriteCalibration(JsonWriter& json, const Calibration& calibration) {
  json.Key("calibration").Object([&] {
    WriteMembers(CalibrationFigures(), calibration, json);
    WriteObjects(ConfidenceBinFigures(), calibration.bins, json.Key("bins"));
  });
}

void WriteTotals(JsonWriter& json, const RunTotals& totals, const std::vector<StageTime>& stages) {
  json.Key("records_read").Integer(totals.records_read);
  json.Key("rejected").Integer(totals.rejected);
  json.Key("nonstandard").Integer(totals.nonstandard);
  json.Key("duplicate_keys").Integer(totals.duplicate_keys);
  json.Key("bytes").Integer(totals.bytes);
  if (totals.limit != 0) json.Key("limit").Integer(totals.limit);

  const auto per_second = [&](double amount) -> std::optional<double> {
    if (!(totals.wall_seconds > 0)) return std::nullopt;
    return amount / totals.wall_seconds;
  };
  json.Key("timing").Object([&] {
    json.Key("seconds").Number(totals.wall_seconds);
    json.Key("records_per_second").Number(per_second(static_cast<double>(totals.records_read)));
    json.Key("gigabytes_per_second").Number(per_second(static_cast<double>(totals.bytes) / 1e9));
    if (!stages.empty()) WriteObjects(StageFigures(), stages, json.Key("stages"));
  });
}

void WriteRepeatedIds(JsonWriter& json, const RepeatedIds& repeated) {
  json.Key("repeated_ids").Object([&] {
    WriteListedMembers(repeated.ids, json);
    json.Key("not_remembered").Integer(repeated.not_remembered);
  });
}

void WriteJoin(JsonWriter& json, const GoldCounts& gold, std::span<const SourceCounts> sources) {
  json.Key("gold").Object([&] {
    json.Key("records").Integer(gold.records);
    json.Key("rejected").Integer(gold.rejected);
    json.Key("without_id").Integer(gold.without_id);
    json.Key("ids").Integer(gold.ids);
    WriteListedIds(gold.duplicates, json.Key("duplicates"));
  });
  json.Key("sources").Array(sources, [&](const SourceCounts& source) {
    json.Object([&] {
      json.Key("source").LossyString(source.source);
      json.Key("records").Integer(source.records);
      json.Key("matched").Integer(source.matched);
      json.Key("rejected").Integer(source.rejected);
      WriteListedIds(source.without_gold, json.Key("without_gold"));
      WriteListedIds(source.duplicates, json.Key("duplicates"));
      WriteListedIds(source.unanswered, json.Key("unanswered"));
    });
  });
}

FigureList<DeviceReport> DeviceFigures() {
  using Device = DeviceReport;
  FigureList<Device> figures = {{"", "name", "", At<&Device::device>},
                                {"", "launches", "", At<&Device::launches>}};
  const auto add_work = [&](const char* name, auto work) {
    figures.push_back({name, "pairs", "", [work](const Device& d) { return (d.*work).pairs; }});
    figures.push_back({name, "cells", "", [work](const Device& d) { return (d.*work).cells; }});
  };
  add_work("on_device", &Device::on_device);
  add_work("cpu_sooner", &Device::cpu_sooner);
  add_work("no_room", &Device::no_room);
  add_work("too_long", &Device::too_long);
  add_work("failed", &Device::failed);
  figures.push_back({"", "warning", "", At<&Device::warning>});
  return figures;
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

void WriteAggregate(JsonWriter& json, const ClassAggregate& aggregate) {
  json.Object([&] {
    json.Key("name").LossyString(aggregate.name);
    json.Key("type").String(aggregate.type);
    json.Key("score").Number(aggregate.score);
    json.Key("asked").Integer(aggregate.asked);
    json.Key("scored").Integer(aggregate.scored);
    json.Key("skipped").Integer(aggregate.asked - aggregate.scored);
    json.Key("confusion_matrix").Array(aggregate.matrix, [&](const std::vector<std::uint64_t>& row) {
      json.Array(row, [&](std::uint64_t count) { json.Integer(count); });
    });
    WriteObjects(OneClassFigures(), aggregate.per_class, json.Key("per_class"));
    if (aggregate.type == "confusion_matrix") return;
    json.Key("averaging").String(aggregate.micro_averaged ? "micro" : "macro");
    json.Key("f_value").Number(aggregate.f_value);
    WriteObject(AverageFigures(), aggregate.macro, json.Key("macro"));
    WriteObject(AverageFigures(), aggregate.micro, json.Key("micro"));
  });
}

void WriteAgreement(JsonWriter& json, const char* key, const std::optional<JudgeAgreement>& agreement) {
  if (!agreement) return;
  json.Key(key).Object([&] {
    json.Key("items").Integer(agreement->items);
    json.Key("krippendorff_alpha").Number(agreement->alpha);
  });
}

void WriteGroup(JsonWriter& json, const GroupFigures& group) {
  json.Object([&] {
    json.Key("field").LossyString(group.field);
    json.Key("value").LossyString(group.value);
    // Distinguishes the group of records without the field from a field whose text is "(none)".
    json.Key("kind").String(KindName(group.kind));
    WriteFigures(json, group.figures);
    if (!group.fields.empty()) WriteFields(json, group.fields);
    if (!group.causes.empty()) WriteCauses(json, group.causes);
  });
}

void WriteScorer(JsonWriter& json, const ScorerReport& scorer) {
  json.Object([&] {
    json.Key("scorer").LossyString(scorer.scorer);
    WriteFigures(json, scorer.figures);
    WriteObjects(ReasonFigures(), scorer.reasons, json.Key("reasons"));
    if (!scorer.remarks.empty()) WriteObjects(RemarkFigures(), scorer.remarks, json.Key("remarks"));
    if (!scorer.faults.empty()) WriteObjects(FaultFigures(), scorer.faults, json.Key("faults"));
    WriteCauses(json, scorer.causes);
    json.Key("json_in_texts").Object([&] {
      json.Key("parsed").Integer(scorer.json_in_texts.parsed);
      json.Key("as_texts").Integer(scorer.json_in_texts.as_texts);
    });
    json.Key("absent_paths").LossyStrings(scorer.absent_paths);
    WriteAgreement(json, "panel_agreement", scorer.panel_agreement);
    WriteAgreement(json, "sample_agreement", scorer.sample_agreement);
    if (!scorer.fields.empty()) WriteFields(json, scorer.fields);
    if (scorer.calibration) WriteCalibration(json, *scorer.calibration);
    if (!scorer.aggregates.empty()) {
      json.Key("aggregates").Array(scorer.aggregates, [&](const ClassAggregate& aggregate) {
        WriteAggregate(json, aggregate);
      });
    }
    json.Key("groups").Array(scorer.groups, [&](const GroupFigures& group) { WriteGroup(json, group); });
  });
}

}  // namespace

std::vector<DescribedObject> internal::SummaryObjects() {
  const std::string scorer = "/definitions/scorer";
  return {{scorer, RunFigures()},
          {"/definitions/group", RunFigures()},
          {scorer + "/properties/reasons/items", ReasonFigures()},
          {scorer + "/properties/remarks/items", RemarkFigures()},
          {scorer + "/properties/faults/items", FaultFigures()},
          {scorer + "/properties/calibration", CalibrationFigures()},
          {scorer + "/properties/calibration/properties/bins/items", ConfidenceBinFigures()},
          {"/definitions/versus", VersusFigureList()},
          {"/definitions/field", CountFigures()},
          {"/definitions/field", RateFigures()},
          {"/definitions/field_figures", RateFigures()},
          {"/definitions/class_average", AverageFigures()},
          {"/definitions/aggregate/properties/per_class/items", OneClassFigures()},
          {"/properties/timing/properties/stages/items", StageFigures()},
          {"/properties/device", DeviceFigures()},
          {"/properties/judges", JudgesFigures()},
          {"/properties/judges/properties/faults/items", JudgeFaultFigures()},
          {"/properties/final/properties/parts/items", PartsFigures()},
          {"/properties/gates/items", GateFigures()}};
}

std::string JudgeReport::ToJson() const {
  std::string text;
  JsonWriter json(text);
  WriteJudges(json, *this);
  return text;
}

std::string RunReport::ToJson() const {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  json.Object([&] {
    WriteTotals(json, totals, stages);
    json.Key("counts_add_up").Bool(CountsAddUp());
    if (device) WriteObject(DeviceFigures(), *device, json.Key("device"));
    if (judges) WriteJudges(json.Key("judges"), *judges);
    if (repeated_ids) WriteRepeatedIds(json, *repeated_ids);
    if (only_in_base) WriteListedIds(*only_in_base, json.Key("only_in_base"));
    if (gold) WriteJoin(json, *gold, sources);
    if (!lacking.empty()) {
      json.Key("group_fields").StartArray();
      for (std::size_t f = 0; f < lacking.size(); ++f) {
        json.Object([&] {
          json.Key("field").LossyString(group_fields[f]);
          json.Key("records_without").Integer(lacking[f]);
        });
      }
      json.EndArray();
    }
    if (!provenance.empty()) json.Key("provenance").Raw(provenance);
    if (final_score) {
      json.Key("final").Object([&] {
        json.Key("score").Number(final_score->score);
        WriteObjects(PartsFigures(), final_score->parts, json.Key("parts"));
      });
    }
    if (!gates.empty()) WriteObjects(GateFigures(), gates, json.Key("gates"));
    json.Key("scorers").Array(scorers, [&](const ScorerReport& scorer) { WriteScorer(json, scorer); });
  });
  return text + '\n';
}

}  // namespace leafscore
