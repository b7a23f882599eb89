#include "engine/run/row_causes.h"

#include "engine/json/json_view.h"

namespace leafscore::internal {

void RowCauses::Begin(const PairBatch& pairs) {
  pairs_ = &pairs;
  causes_.assign(pairs.size(), std::nullopt);
  expected_hashes_.assign(pairs.size(), std::nullopt);
}

// Returns whether the record says that its answer was cut off at a limit of tokens.
bool RowCauses::StoppedAtLimit(ValueRef record) const {
  if (!record.present()) return false;
  const JsonView view(*record.table, shapes_, record.node);
  for (const std::string_view field : {"finish_reason", "stop_reason"}) {
    const JsonView reason = view.Member(field);
    if (reason.IsText() && (*reason.Text() == "length" || *reason.Text() == "max_tokens")) return true;
  }
  return false;
}

AnswerCauses RowCauses::Of(std::uint32_t row, ValueRef record) {
  if (!causes_[row]) {
    AnswerCauses causes = finder_.Find(pairs_->expected_value(row), pairs_->actual_value(row));
    if (StoppedAtLimit(record)) causes.Add(AnswerCause::kCutOff);
    causes_[row] = {causes, finder_.expected_hash(), finder_.actual_hash()};
  }
  return causes_[row]->causes;
}

const Hash128& RowCauses::HashOfExpected(std::uint32_t row) {
  std::optional<Hash128>& hash = expected_hashes_[row];
  if (!hash) hash = MultisetHash::ValueOf(WrittenText(pairs_->expected_value(row)));
  return *hash;
}

std::string_view RowCauses::WrittenText(ValueRef value) const {
  return value.present() ? JsonView(*value.table, shapes_, value.node).Written() : std::string_view();
}

void RowCauses::AppendHashes(bool wanted, std::vector<PairHashes>& hashes) {
  for (std::uint32_t row = 0; row < pairs_->size(); ++row) {
    PairHashes& of_row = hashes.emplace_back();
    const ValueRef expected = pairs_->expected_value(row);
    if (!wanted || !expected.present()) continue;
    of_row.expected_text = HashOfExpected(row).low | 1;
    if (causes_[row]) {
      of_row.expected = causes_[row]->expected_hash;
      of_row.actual = causes_[row]->actual_hash;
      if (of_row.expected == 0 || of_row.actual == 0) continue;
    }
    const std::string_view answer = WrittenText(pairs_->actual_value(row));
    if (answer.empty()) continue;
    of_row.answer_text =
        answer == WrittenText(expected) ? of_row.expected_text : MultisetHash::ValueOf(answer).low | 1;
  }
}

}  // namespace leafscore::internal
