#include "engine/scorers/line_pairs.h"

#include <fmt/format.h>

#include <utility>

#include "engine/json/json_text.h"
#include "engine/languages/python_text.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kLineMetricNames[] = {"total_lines_actual", "total_lines_expected"};

}  // namespace

LineOptions ReadLineOptions(const OptionReader& options, const PairSelectorOptions& selection) {
  LineOptions lines;
  // Options are read only if they are given, so that the manifests of other runs do not change.
  if (options.Has(kLineByLineOption.name)) lines.by_line = options.GetBool(kLineByLineOption.name, false);
  if (options.Has(kLineDelimiterOption.name)) {
    lines.delimiter = options.GetText(kLineDelimiterOption.name, lines.delimiter);
    if (lines.delimiter.empty()) {
      throw options.MakeError(kLineDelimiterOption.name,
                              "the delimiter is empty; give the text that separates lines");
    }
  }
  if (selection.builds_object()) lines.by_line = false;
  const TargetPath& path = selection.paths().front();
  const bool names_a_member = selection.whole() || (path.steps.size() == 1 && path.steps[0].key == path.text);
  if (selection.rules() != SelectionRules::kOurs && !names_a_member) {
    lines.of_every_line = selection.rules() == SelectionRules::kUiPath ? 0 : 1;
  }
  return lines;
}

void LinePairs::Split(std::string expected, std::string actual) {
  expected_text_ = std::move(expected);
  actual_text_ = std::move(actual);
  SplitText(expected_text_, expected_);
  SplitText(actual_text_, actual_);
}

void LinePairs::SplitText(std::string_view text, std::vector<std::string_view>& lines) const {
  lines.clear();
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(options_->delimiter, begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (!StripSpace(line).empty()) lines.push_back(line);
    begin = end + options_->delimiter.size();
  }
}

std::span<const JudgedLines::Line> JudgedLines::OfRecord(std::uint32_t record) const {
  const auto [begin, end] = std::ranges::equal_range(lines_, record, {}, &Line::record);
  return {begin, end};
}

void JudgedLines::AppendLeaves(std::uint32_t record, LeafList& leaves) const {
  for (const Line& line : OfRecord(record)) {
    JudgedLeaf leaf{line.line == 0 ? "*" : fmt::format("[{}]", line.line - 1), {}, {}, line.score};
    AppendJsonString(leaf.expected_json, line.expected);
    AppendJsonString(leaf.actual_json, line.actual);
    if (!leaves.Add(std::move(leaf))) return;
  }
}

void JudgedLines::Write(std::uint32_t record, DetailsWriter& json) const {
  const std::span<const Line> lines = OfRecord(record);
  if (lines.size() == 1 && lines[0].line == 0) {
    if (!json.HasRoomFor(lines[0].expected.size() + lines[0].actual.size())) return;
    json.Key("expected").String(lines[0].expected);
    json.Key("actual").String(lines[0].actual);
    return;
  }
  json.Key("lines");
  json.StartList();
  for (const Line& line : lines) {
    json.StartObject();
    json.Key("line_number").Integer(line.line);
    json.Key("actual").String(line.actual);
    json.Key("expected").String(line.expected);
    json.Key("score").Number(line.score);
    json.EndObject();
    if (!json.EndElement()) break;
  }
  json.EndArray();
}

TextBatch::TextBatch(const PairSelectorOptions* selection, WorkerTools tools, const LineOptions* lines,
                     bool expected_optional)
    : SelectingBatch(selection, tools,
                     lines != nullptr && lines->by_line ? std::span(kLineMetricNames)
                                                        : std::span<const std::string_view>(),
                     expected_optional),
      lines_(lines),
      keeps_texts_(tools.details == DetailLevel::kLeaves),
      line_options_(lines),
      rules_(selection->rules()) {}

void TextBatch::AppendLeaves(std::uint32_t record, LeafList& leaves) const {
  judged_.AppendLeaves(record, leaves);
}

void TextBatch::WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const {
  ScorerBatch::WriteDetails(record, level, json);
  if (keeps_texts_) judged_.Write(record, json);
}

void TextBatch::SplitLines(std::uint32_t record, std::string expected, std::string actual) {
  lines_.Split(std::move(expected), std::move(actual));
  metric(0, record) = static_cast<double>(lines_.actual_lines());
  metric(1, record) = static_cast<double>(lines_.expected_lines());
}

}  // namespace leafscore::internal
