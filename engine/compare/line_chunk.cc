#include "engine/compare/line_chunk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "engine/base/bytes.h"
#include "engine/scores/listed_rows.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr double kRounding = 1e-9;  // of a weighted mean

}  // namespace

std::string LineChunk::ValueOf(JsonView line, std::string_view field) const {
  const JsonView value = RecordField(line, field);
  return value.present() ? "=" + value.Text().value_or("null") : "";
}

void LineChunk::AddFields(JsonView details, ParsedLine& line) {
  line.fields_begin = line.fields_end = fields_.size();
  line.weight = 0;
  line.adds_up = false;
  ForEachRow(details, [&](JsonView row) {
    if (const std::optional<RowMatch> place = MatchOf(row)) {
      fields_.push_back({WithoutPositions(place->path), place->match * place->weight, place->weight});
    }
  });
  const auto begin = fields_.begin() + static_cast<std::ptrdiff_t>(line.fields_begin);
  std::sort(begin, fields_.end(), [](const LineField& a, const LineField& b) { return a.path < b.path; });
  auto last = begin;  // of those that have been merged
  double matched = 0;
  for (auto field = begin; field != fields_.end(); ++field) {
    matched += field->matched;
    line.weight += field->weight;
    if (field == begin) continue;
    if (field->path == last->path) {
      last->matched += field->matched;
      last->weight += field->weight;
    } else if (++last != field) {
      *last = std::move(*field);
    }
  }
  if (begin != fields_.end()) fields_.erase(last + 1, fields_.end());
  line.fields_end = fields_.size();
  line.adds_up = line.weight > 0 && std::abs(matched / line.weight - line.line.score) <= kRounding;
}

void LineChunk::Parse(const RecordBatch& batch, std::span<const RecordSpan> records, std::uint64_t first,
                      const std::string& file) {
  count_ = 0;
  fields_.clear();
  shapes_.Clear();
  if (records.empty()) return;
  const auto refuse = [&](std::string_view why) {
    throw Error(ErrorCode::kInput, fmt::format("{}: record {} is no line of scores: {}; give files that "
                                               "leafscore score wrote",
                                               file, first + count_, why));
  };
  const std::uint32_t begin = records.front().begin;
  text_.assign(batch.bytes.data() + begin, records.back().end - begin);
  text_.append(kTextPadding, '\0');
  reader_.Begin(std::string_view(text_).substr(0, text_.size() - kTextPadding), batch.lines, &table_);
  if (lines_.size() < records.size()) lines_.resize(records.size());
  for (const RecordSpan& span : records) {
    if (span.reject != RejectReason::kNone) refuse("it is cut off or too long");
    const JsonResult parsed = reader_.Read(span.begin - begin, span.end - begin);
    if (parsed.reason != RejectReason::kNone) refuse(parsed.message);
    const JsonView view(table_, shapes_, parsed.root);
    ParsedLine& line = lines_[count_];
    if (const std::string_view fault = ReadScoreLine(view, line.line); !fault.empty()) refuse(fault);
    if (!by_.empty()) line.group = ValueOf(view, by_);
    if (!cluster_.empty()) line.cluster = ValueOf(view, cluster_);
    if (!between_.empty()) line.side = ValueOf(view, between_);
    AddFields(view.Member("details"), line);
    ++count_;
  }
}

}  // namespace leafscore::internal
