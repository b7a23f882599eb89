#include "engine/scores/score_reader.h"

#include <fmt/format.h>

#include "engine/base/bytes.h"
#include "engine/io/input_format.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

[[noreturn]] void Refuse(const std::string& file, std::uint64_t record, std::string_view why) {
  throw Error(
      ErrorCode::kInput,
      fmt::format(
          "{}: record {} is not a line of scores: {}; give files that leafscore score wrote as JSON Lines",
          file, record, why));
}

// Throws if the first record of a file shows that it has another format, such as Parquet.
void RefuseFormat(const std::string& file, std::string_view first_record) {
  const auto found = FindInputFormat(InputFormat::kAuto, first_record, /*no_more=*/true);
  if (found && !found->fault.empty()) Refuse(file, 1, found->fault);
}

}  // namespace

void LineParser::Parse(const RecordBatch& batch, std::span<const RecordSpan> records, std::uint64_t first,
                       const std::string& file,
                       const std::function<std::string_view(std::size_t, JsonView)>& read) {
  if (records.empty()) return;
  shapes_.ClearIfLarge();
  const std::uint32_t begin = records.front().begin;
  text_.assign(batch.bytes.data() + begin, records.back().end - begin);
  text_.append(kTextPadding, '\0');
  reader_.Begin(std::string_view(text_).substr(0, text_.size() - kTextPadding), batch.lines, &table_);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const RecordSpan& span = records[i];
    if (span.reject != RejectReason::kNone) Refuse(file, first + i, "it is cut off or too long");
    const JsonResult parsed = reader_.Read(span.begin - begin, span.end - begin);
    if (parsed.reason != RejectReason::kNone) {
      if (first + i == 1) RefuseFormat(file, batch.Text(span));
      Refuse(file, first + i, parsed.message);
    }
    const std::string_view fault = read(i, JsonView(table_, shapes_, parsed.root));
    if (!fault.empty()) Refuse(file, first + i, fault);
  }
}

}  // namespace leafscore::internal
