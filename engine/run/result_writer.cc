#include "engine/run/result_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/io/output_file.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/json/json_writer.h"
#include "engine/run/file_options.h"
#include "engine/run/number_marks.h"

namespace leafscore::internal {
namespace {

bool HasLoneSurrogate(const LeafTable& table, NodeId string) {
  std::size_t fault = 0;
  return table.kind(string) == ValueKind::kEscapedString &&
         ClassifyEscapes(table.token(string), &fault) != TokenClass::kStandard;
}

// Appends the group fields of a record as an object; appends nothing if it has no such fields.
void AppendGroups(const BatchScorer& scorer, std::uint32_t record, std::string& out) {
  const std::vector<std::string>& fields = scorer.fields().groups;
  JsonWriter json(out);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const std::size_t group = record * fields.size() + f;
    const NodeId value = scorer.records().groups[group];
    const std::string_view gold_json = value == kNoNode ? scorer.GroupOfGold(group).json : std::string_view();
    if (value == kNoNode && gold_json.empty()) continue;
    if (out.empty()) json.StartObject();
    json.Key(fields[f]);
    if (value == kNoNode) {
      json.Raw(gold_json);
    } else {
      AppendStandardJson(scorer.record_table(), scorer.shapes(), value, json.RawValue());
    }
  }
  if (!out.empty()) json.EndObject();
}

// Returns the name of each scorer as JSON.
std::vector<std::string> ScorerNames(const BatchScorer& scorer) {
  std::vector<std::string> names(scorer.scorer_count());
  for (std::size_t s = 0; s < names.size(); ++s) {
    JsonWriter(names[s]).String(scorer.scorer_batch(s).columns().scorer);
  }
  return names;
}

}  // namespace

// One record under one scorer.
struct ResultWriter::Line {
  const RecordBatch* batch;  // null if nobody answered, so that there is no record
  std::uint32_t input;
  std::string_view source;  // if lines have a source
  std::size_t record;       // index in the batch
  std::uint32_t row;        // index in the columns
  std::string_view id_json;
  std::string_view id_text;
  std::string_view id_from;  // origin of the id, unless it is the id field
  const ScorerBatch& scorer;
  std::string_view scorer_json;
  std::string_view groups;  // JSON: an object, or empty; CSV: the fields, each after a comma
  RowVerdict verdict;
  AnswerCauses causes;

  // REQUIRES: scored.
  bool nothing_compared() const { return std::ranges::binary_search(scorer.nothing_compared(), row); }
  bool of_other_kind() const { return std::ranges::binary_search(scorer.of_other_kind(), row); }
  double unexpected_share() const {
    const auto found =
        std::ranges::lower_bound(scorer.unexpected(), row, {}, &ScorerBatch::Unexpected::record);
    return found != scorer.unexpected().end() && found->record == row ? found->share : 0;
  }
  // Calls visit(name) for each cause.
  template <class Visit>
  void ForEachCause(Visit visit) const {
    causes.ForEach([&](AnswerCause cause) { visit(AnswerCauseName(cause)); });
  }
  std::uint64_t offset() const { return batch->OffsetOf(batch->records[record]) + verdict.offset; }
  // Returns the beginning of a record that could not be read; any bytes.
  std::string_view head() const { return batch->Text(batch->records[record]).substr(0, kRejectHeadBytes); }
};

OutputFormat OutputFormatOf(std::string_view path) {
  const std::string suffix =
      CheckOutputSuffix(path, std::array<std::string_view, 3>{".jsonl", ".ndjson", ".csv"});
  return suffix == ".csv" ? OutputFormat::kCsv : OutputFormat::kJsonLines;
}

ResultWriter::ResultWriter(LineLayout layout, std::span<const std::string> input_names)
    : layout_(std::move(layout)) {
  for (const std::string& name : input_names) input_names_.push_back(ReplaceInvalidUtf8(name));
}

void ResultWriter::AppendHeader(std::string& out) const {
  if (layout_.format == OutputFormat::kJsonLines) return;
  out += has_source() ? "id,id_from,source,scorer" : "id,id_from,scorer";
  for (const std::string& field : layout_.group_fields) {
    out += ',';
    AppendCsv(out, "groups." + ReplaceInvalidUtf8(field));
  }
  out +=
      ",outcome,score,passed,nothing_compared,of_other_kind,unexpected_share,causes,details,reason,message,"
      "file,"
      "record,"
      "offset,text\n";
}

std::string_view ResultWriter::SourceOf(const RecordBatch& batch, const BatchScorer& scorer,
                                        std::uint32_t record, std::string& text) const {
  if (!layout_.sources.empty()) return layout_.sources[batch.input];
  if (!layout_.source_is_group) return {};
  const NodeId value = scorer.records().groups[(record + 1) * layout_.group_fields.size() - 1];
  if (value == kNoNode) return kNoSource;
  text.clear();
  AppendValueText(scorer.record_table(), scorer.shapes(), value, text);
  return text;
}

void ResultWriter::AppendBatch(const RecordBatch& batch, const BatchScorer& scorer, std::string& out,
                               std::size_t first) const {
  const RecordColumns& records = scorer.records();
  const LeafTable& table = scorer.record_table();
  const std::vector<std::string> scorer_json = ScorerNames(scorer);
  std::string id_text;
  std::string source_text;
  std::string groups;
  for (std::uint32_t r = 0; r < scorer.pairs().size(); ++r) {
    const NodeId id = records.id[r];
    std::string_view id_json;
    std::string_view id_from;
    if (const auto line_id = records.line_ids.find(r); line_id != records.line_ids.end()) {
      id_text = line_id->second.text;
      id_json = line_id->second.json;
      id_from = "line";
    } else if (id == kNoNode) {
      id_text = layout_.mark_numbers ? NumberMark(NumberIn::kRun, first + r)
                                     : std::to_string(batch.first_record_in_run + first + r);
      id_json = id_text;
      id_from = "record";
    } else if (layout_.format == OutputFormat::kCsv) {
      id_text.clear();
      AppendValueText(table, scorer.shapes(), id, id_text);
    } else if (IsString(table.kind(id)) && !HasLoneSurrogate(table, id)) {  // as written, with its escapes
      id_json = {table.token(id).data() - 1, table.token(id).size() + 2};
    } else {
      id_text.clear();
      AppendStandardJson(table, scorer.shapes(), id, id_text);
      id_json = id_text;
    }
    groups.clear();
    if (layout_.format == OutputFormat::kJsonLines) {
      AppendGroups(scorer, r, groups);
    } else {
      AppendCsvGroups(scorer, r, groups);
    }
    const std::string_view source = SourceOf(batch, scorer, r, source_text);
    for (std::size_t s = 0; s < scorer.scorer_count(); ++s) {
      AppendLine(
          {&batch, batch.input, source, first + r, r, id_json, id_text, id_from, scorer.scorer_batch(s),
           scorer_json[s], groups, scorer.Verdict(s, r), scorer.CausesOf(s, r)},
          out);
    }
  }
}

void ResultWriter::AppendUnanswered(std::size_t source, std::string_view source_name, const GoldTable& gold,
                                    std::span<const std::uint32_t> entries, const BatchScorer& scorer,
                                    std::string& out) const {
  const std::vector<std::string> scorer_json = ScorerNames(scorer);
  std::string source_json;
  if (!source_name.empty()) JsonWriter(source_json).String(source_name);
  const std::size_t fields = gold.group_fields();
  const auto group_of = [&](std::uint32_t entry, std::size_t f) {
    const bool is_source = !source_name.empty() && f + 1 == fields;
    return is_source ? GoldGroup{source_name, source_json} : gold.group(entry, f);
  };
  std::string id_json;
  std::string groups;
  for (std::uint32_t r = 0; r < entries.size(); ++r) {
    const std::string_view id = gold.id(entries[r]);
    id_json.clear();
    JsonWriter(id_json).String(id);
    groups.clear();
    if (layout_.format == OutputFormat::kJsonLines) {
      JsonWriter json(groups);
      for (std::size_t f = 0; f < fields; ++f) {
        const std::string_view group = group_of(entries[r], f).json;
        if (group.empty()) continue;
        if (groups.empty()) json.StartObject();
        json.Key(layout_.group_fields[f]).Raw(group);
      }
      if (!groups.empty()) json.EndObject();
    } else {
      for (std::size_t f = 0; f < fields; ++f) AppendCsvGroup(group_of(entries[r], f), groups);
    }
    for (std::size_t s = 0; s < scorer.scorer_count(); ++s) {
      AppendLine({nullptr,
                  static_cast<std::uint32_t>(source),
                  layout_.sources.empty() ? source_name : layout_.sources[source],
                  0,
                  r,
                  id_json,
                  id,
                  {},
                  scorer.scorer_batch(s),
                  scorer_json[s],
                  groups,
                  scorer.Verdict(s, r),
                  {}},
                 out);
    }
  }
}

void ResultWriter::AppendLine(const Line& line, std::string& out) const {
  if (line.verdict.outcome == Outcome::kNotAsked) return;
  if (layout_.format == OutputFormat::kCsv) {
    AppendCsvLine(line, out);
  } else {
    AppendJsonLine(line, out);
  }
}

void ResultWriter::AppendJsonLine(const Line& line, std::string& out) const {
  const ScoreColumns& columns = line.scorer.columns();
  const std::uint32_t r = line.row;
  JsonWriter json(out);
  json.StartObject();
  json.Key<"id">().Raw(line.id_json);
  if (!line.id_from.empty()) json.Key<"id_from">().String(line.id_from);
  if (has_source()) json.Key<"source">().String(line.source);
  json.Key<"scorer">().Raw(line.scorer_json);
  if (!line.groups.empty()) json.Key<"groups">().Raw(line.groups);
  json.Key<"outcome">().String(OutcomeName(line.verdict.outcome));
  if (line.verdict.outcome == Outcome::kScored) {
    json.Key<"score">().Number(columns.score[r]);
    if (columns.passed[r] >= 0) json.Key<"passed">().Bool(columns.passed[r] == 1);
    if (line.nothing_compared()) json.Key<"nothing_compared">().Bool(true);
    if (line.of_other_kind()) json.Key<"of_other_kind">().Bool(true);
    if (const double share = line.unexpected_share(); share > 0) json.Key<"unexpected_share">().Number(share);
    AppendUnwrapped(line, json);
    AppendCauses(line, json);
    if (layout_.details != DetailLevel::kNone) {
      WriteDetails(line, json.Key<"details">().RawValue());
    }
  } else {
    json.Key<"reason">().String(RejectReasonName(line.verdict.reason));
    json.Key<"message">().String(line.verdict.message);
    AppendCauses(line, json);
    if (line.batch != nullptr) {
      json.Key<"file">().String(input_names_[line.input]);
      json.Key<"record">().Raw(NumberInInput(line));
      json.Key<"offset">().Integer(line.offset());
      if (line.verdict.rejected) json.Key<"text">().LossyString(line.head());
    }
  }
  json.EndObject();
  out += '\n';
}

void ResultWriter::AppendUnwrapped(const Line& line, JsonWriter& json) {
  std::vector<std::string_view> envelopes;
  line.scorer.AppendUnwrapped(line.row, envelopes);
  if (envelopes.empty()) return;
  json.Key<"unwrapped">().StartArray();
  for (const std::string_view envelope : envelopes) json.String(envelope);
  json.EndArray();
}

void ResultWriter::AppendCauses(const Line& line, JsonWriter& json) {
  if (line.causes.empty()) return;
  json.Key<"causes">().StartArray();
  line.ForEachCause([&](std::string_view name) { json.String(name); });
  json.EndArray();
}

void ResultWriter::WriteDetails(const Line& line, std::string& out) const {
  DetailsWriter json(out, layout_.max_details_bytes);
  line.scorer.WriteDetails(line.row, layout_.details, json);
  json.Finish();
}

std::string ResultWriter::NumberInInput(const Line& line) const {
  return layout_.mark_numbers ? NumberMark(NumberIn::kInput, line.record)
                              : std::to_string(line.batch->first_record_in_input + line.record);
}

void ResultWriter::AppendCsvGroup(std::string_view text, std::string& out) const {
  out += ',';
  if (text.empty()) out += "\"\"";
  AppendCsv(out, text);
}

void ResultWriter::AppendCsvGroup(const GoldGroup& group, std::string& out) const {
  if (group.json.empty()) {
    out += ',';
  } else {
    AppendCsvGroup(group.text, out);
  }
}

void ResultWriter::AppendCsvGroups(const BatchScorer& scorer, std::uint32_t record, std::string& out) const {
  const std::size_t fields = layout_.group_fields.size();
  std::string text;
  for (std::size_t f = 0; f < fields; ++f) {
    const NodeId value = scorer.records().groups[record * fields + f];
    if (value == kNoNode) {
      AppendCsvGroup(scorer.GroupOfGold(record * fields + f), out);
      continue;
    }
    text.clear();
    AppendValueText(scorer.record_table(), scorer.shapes(), value, text);
    AppendCsvGroup(text, out);
  }
}

void ResultWriter::AppendCsvCauses(const Line& line, std::string& out) {
  line.ForEachCause([&](std::string_view name) {
    if (out.back() != ',') out += ' ';
    out += name;
  });
  out += ',';
}

void ResultWriter::AppendCsvLine(const Line& line, std::string& out) const {
  const ScoreColumns& columns = line.scorer.columns();
  const std::uint32_t r = line.row;
  AppendCsv(out, line.id_text);
  fmt::format_to(std::back_inserter(out), ",{},", line.id_from);
  if (has_source()) {
    AppendCsv(out, line.source);
    out += ',';
  }
  AppendCsv(out, columns.scorer);
  out += line.groups;
  out += ',';
  out += OutcomeName(line.verdict.outcome);
  out += ',';
  if (line.verdict.outcome == Outcome::kScored) {
    JsonWriter(out).Number(columns.score[r]);
    out += columns.passed[r] < 0 ? "," : columns.passed[r] == 1 ? ",true" : ",false";
    out += line.nothing_compared() ? ",true" : ",";
    out += line.of_other_kind() ? ",true," : ",,";
    if (const double share = line.unexpected_share(); share > 0) JsonWriter(out).Number(share);
    out += ',';
    AppendCsvCauses(line, out);
    if (layout_.details != DetailLevel::kNone) {
      std::string details;
      WriteDetails(line, details);
      AppendCsv(out, details);
    }
    out += ",,,,,,\n";
    return;
  }
  out += ",,,,,";
  AppendCsvCauses(line, out);
  fmt::format_to(std::back_inserter(out), ",{},", RejectReasonName(line.verdict.reason));
  AppendCsv(out, line.verdict.message);
  if (line.batch == nullptr) {
    out += ",,,,\n";
    return;
  }
  out += ',';
  AppendCsv(out, input_names_[line.input]);
  fmt::format_to(std::back_inserter(out), ",{},{},", NumberInInput(line), line.offset());
  if (line.verdict.rejected) AppendCsv(out, ReplaceInvalidUtf8(line.head()));
  out += '\n';
}

}  // namespace leafscore::internal
