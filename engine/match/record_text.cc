#include "engine/match/record_text.h"

#include "engine/io/table_source.h"

namespace leafscore::internal {
namespace {

// Returns the sentence that says why a row is broken. It stands before the record of the row
// (table_source.h).
const char* SentenceOfRow(const RecordBatch& batch, const RecordSpan& span) {
  std::uint32_t begin = span.begin - 1;
  while (begin > RecordBatch::kDataBegin && batch.bytes[begin - 1] != kBrokenRowMark) --begin;
  return batch.bytes.data() + begin;
}

// Returns the message for a record that was rejected before its text was read.
const char* RejectMessage(const RecordBatch& batch, const RecordSpan& span) {
  switch (span.reject) {
    case RejectReason::kInvalidRow:
      return SentenceOfRow(batch, span);
    case RejectReason::kLineTooLong:
      return "the record is longer than --max-line-bytes";
    case RejectReason::kTruncatedInput:
      return "the input ends inside the record";
    case RejectReason::kOverMemoryBudget:
      return "the record takes more than its share of --memory";
    default:
      return "the array of records is invalid here";
  }
}

}  // namespace

// Do not start at the beginning of the data: a byte order mark would become part of the first token.
RecordText::RecordText(const RecordBatch& batch, std::size_t first, JsonReader& reader, LeafTable& table)
    : batch_(batch), reader_(reader), table_(table), text_begin_(batch.records[first].begin) {
  reader_.Begin({batch.bytes.data() + text_begin_, batch.data_end - text_begin_}, batch.lines, &table);
}

JsonResult RecordText::Read(std::size_t record) {
  const RecordSpan& span = batch_.records[record];
  JsonResult result;
  if (span.reject != RejectReason::kNone) {
    result.reason = span.reject;
    result.message = RejectMessage(batch_, span);
    return result;
  }
  result = reader_.Read(span.begin - text_begin_, span.end - text_begin_);
  if (result.reason != RejectReason::kNone) result.offset -= span.begin - text_begin_;
  if (result.root != kNoNode && table_.kind(result.root) != ValueKind::kObject) {
    const bool is_array = batch_.lines && table_.kind(result.root) == ValueKind::kArray;
    result.reason = RejectReason::kNotAnObject;
    result.message = is_array
                         ? "a record must be a JSON object; --input-format json reads an array of records"
                         : "a record must be a JSON object";
    result.root = kNoNode;
  }
  return result;
}

}  // namespace leafscore::internal
