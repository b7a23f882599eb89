// engine/scorers/tool_calls/call_batch.h: the base of the batches of tool_calls, by our rules and by the
// rules of origins.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_BATCH_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/scorers/selecting_batch.h"

namespace leafscore::internal {

// Makes the remark "prose" on records whose answer is a text without calls. The metric `prose` of these
// records is 1.
class CallBatch : public SelectingBatch {
 public:
  std::span<const std::string_view> remark_names() const override {
    static constexpr std::string_view kRemarks[] = {"prose"};
    return kRemarks;
  }
  std::uint8_t RemarksOn(std::uint32_t record) const override {
    return columns_.metrics[prose_].values[record] == 1 ? 1 : 0;
  }

 protected:
  CallBatch(const PairSelectorOptions* selection, WorkerTools tools,
            std::span<const std::string_view> metric_names, std::size_t prose)
      : SelectingBatch(selection, tools, metric_names), prose_(prose) {}

  void FailExpected(std::uint32_t record, const std::string& fault) {
    SetRecordError(record, RejectReason::kInvalidExpectedJson, "the expected value: " + fault, columns_);
  }

 private:
  std::size_t prose_;  // index of the metric
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_BATCH_H_
