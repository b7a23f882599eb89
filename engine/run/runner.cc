#include "leafscore/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/base/resource_error.h"
#include "engine/run/column_scorer.h"
#include "engine/run/stream_scorer.h"

namespace leafscore {
namespace {

using internal::WithResourceErrors;

constexpr char kAdvice[] = "score fewer rows at a time, or with fewer threads";

// ERRORS: Error(kUsage) for offsets that decrease or are outside the bytes.
void CheckOffsets(const TextColumn& column) {
  std::int64_t previous = 0;
  for (std::size_t i = 0; i < column.offset_count(); ++i) {
    const std::int64_t offset = column.offset(i);
    if (offset < previous || static_cast<std::uint64_t>(offset) > column.bytes().size()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("offset {} of a column is {}; offsets must not decrease or exceed the bytes", i,
                              offset));
    }
    previous = offset;
  }
}

// The results of a stream, for its consumer.
class Results final : public internal::StreamProducer {
 public:
  explicit Results(std::shared_ptr<internal::StreamScorer> stream) : stream_(std::move(stream)) {}
  ~Results() override { stream_->ReleaseInput(); }  // a StreamRun may keep the rest
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;
  internal::OwnedSchema Schema() override { return stream_->Schema(); }
  internal::OwnedArray Next() override {
    return WithResourceErrors(kAdvice, [&] { return stream_->Next(); });
  }

 private:
  std::shared_ptr<internal::StreamScorer> stream_;
};

}  // namespace

const RecordError* ScoreColumns::ErrorOf(std::size_t record) const {
  const auto found = std::ranges::lower_bound(errors, record, {}, &RecordError::record);
  return found != errors.end() && found->record == record ? &*found : nullptr;
}

RunReport StreamRun::Report() const {
  return WithResourceErrors(kAdvice, [&] { return stream_->Report(); });
}

Runner::Runner(Plan plan, EngineOptions options)
    : scorer_(WithResourceErrors(kAdvice, [&] {
        return std::make_shared<internal::ColumnScorer>(std::move(plan), std::move(options));
      })) {}

const Plan& Runner::plan() const { return scorer_->plan(); }

std::vector<ScoreColumns> Runner::ScoreTexts(const TextColumn& expected, const TextColumn& actual,
                                             TextFormats formats) const {
  if (expected.size() != actual.size()) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format(
            "the expected column has {} texts and the actual column {}; give two columns of equal size",
            expected.size(), actual.size()));
  }
  CheckOffsets(expected);
  CheckOffsets(actual);
  return WithResourceErrors(kAdvice, [&] {
    internal::ColumnRun run =
        scorer_->Score(internal::ContiguousSource(expected), internal::ContiguousSource(actual), formats);
    std::vector<ScoreColumns> scores;
    for (internal::ColumnResults& results : run.results) scores.push_back(std::move(results.scores));
    return scores;
  });
}

std::vector<ScoreColumns> Runner::ScorePair(std::string_view expected, std::string_view actual,
                                            TextFormats formats) const {
  const std::int64_t expected_offsets[] = {0, static_cast<std::int64_t>(expected.size())};
  const std::int64_t actual_offsets[] = {0, static_cast<std::int64_t>(actual.size())};
  return ScoreTexts(TextColumn(expected, expected_offsets), TextColumn(actual, actual_offsets), formats);
}

StreamRun Runner::ScoreStream(ArrowArrayStream* input, const StreamOptions& options,
                              ArrowArrayStream* output) const {
  return WithResourceErrors(kAdvice, [&] {
    auto stream = std::make_shared<internal::StreamScorer>(scorer_, input, options);
    internal::ExportStream(std::make_unique<Results>(stream), output);
    return StreamRun(std::move(stream));
  });
}

}  // namespace leafscore
