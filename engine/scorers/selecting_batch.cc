#include "engine/scorers/selecting_batch.h"

#include <cmath>
#include <iterator>

namespace leafscore::internal {
namespace {

// Returns the envelopes around a whole answer as bits, in the order of their names.
std::uint8_t RemarksOf(Envelopes unwrapped) {
  constexpr std::size_t kEnvelopes[] = {Envelope::kSingle, Envelope::kMerge, Envelope::kFoldKeys,
                                        Envelope::kWrapper};
  static_assert(std::size(kEnvelopes) == std::size(kWholeEnvelopeNames));
  unsigned bits = 0;
  for (std::size_t i = 0; i < std::size(kEnvelopes); ++i) bits |= unsigned{unwrapped[kEnvelopes[i]]} << i;
  return static_cast<std::uint8_t>(bits);
}

}  // namespace

SelectingBatch::SelectingBatch(const PairSelectorOptions* selection, WorkerTools tools,
                               std::span<const std::string_view> metric_names, bool expected_optional)
    : shapes_(tools.shapes), selector_(selection, tools), expected_optional_(expected_optional) {
  for (const std::string_view name : metric_names) columns_.metrics.push_back({name, {}});
}

std::span<const std::string_view> SelectingBatch::remark_names() const {
  static constexpr std::string_view kNames[] = {"unwrapped_single", "unwrapped_merge", "unwrapped_fold_keys",
                                                "unwrapped_wrapper"};
  static_assert(std::size(kNames) == std::size(kWholeEnvelopeNames));
  return selector_.unwraps() ? kNames : std::span<const std::string_view>();
}

void SelectingBatch::AppendUnwrapped(std::uint32_t record, std::vector<std::string_view>& envelopes) const {
  if (unwrapped_[record] == 0) return;  // nearly always
  for (std::size_t i = 0; i < std::size(kWholeEnvelopeNames); ++i) {
    if ((unwrapped_[record] >> i & 1) != 0) envelopes.push_back(kWholeEnvelopeNames[i]);
  }
}

AnswerCauses SelectingBatch::RemovedCauses(std::uint32_t record) const {
  constexpr AnswerCause kCauses[] = {AnswerCause::kListOfOne, AnswerCause::kOtherKind, AnswerCause::kKeyNames,
                                     AnswerCause::kWrapped};
  static_assert(std::size(kCauses) == std::size(kWholeEnvelopeNames));
  AnswerCauses causes;
  for (std::size_t i = 0; i < std::size(kCauses); ++i) {
    if ((unwrapped_[record] >> i & 1) != 0) causes.Add(kCauses[i]);
  }
  return causes;
}

void SelectingBatch::Match(const PairBatch& batch, StringPairs& pairs) {
  const std::uint32_t records = batch.size();
  // A record that could not be read is an error, and the batch has the reason.
  columns_.outcome.assign(records, Outcome::kError);
  columns_.score.assign(records, 0.0);
  columns_.passed.assign(records, -1);
  for (Metric& metric : columns_.metrics) metric.values.assign(records, std::nan(""));
  columns_.errors.clear();
  nothing_compared_.clear();
  read_from_text_.clear();
  of_other_kind_.clear();
  unexpected_.clear();
  unwrapped_.assign(records, 0);
  selector_.Begin(batch);
  first_pair_ = pairs.size();
  BeginBatch(records);
  for (std::uint32_t r = 0; r < records; ++r) {
    if (!batch.readable(r)) continue;
    columns_.outcome[r] = Outcome::kScored;
    selector_.Select(r, expected_optional_, columns_);
    if (selector_.answer_was_read()) read_from_text_.push_back(r);
    if (scored(r)) {
      MatchRecord(r, pairs);
      if (const double share = UnexpectedShare(); share > 0) unexpected_.push_back({r, share});
    } else if (columns_.outcome[r] != Outcome::kError) {
      MissRecord(r, pairs);
    }
    if (AnswerIsOfOtherKind()) of_other_kind_.push_back(r);
    if (selector_.unwrapped().any()) unwrapped_[r] = RemarksOf(selector_.unwrapped());
  }
  end_pair_ = pairs.size();
}

}  // namespace leafscore::internal
