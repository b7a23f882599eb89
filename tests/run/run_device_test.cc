// Whole runs with a GPU beside the CPU, which is emulated: the output has the same bytes.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "engine/distance/gpu/gpu_offload.h"
#include "kernels/gpu/emulated_device.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

std::unique_ptr<GpuOffload> Emulated(std::uint32_t failing_call = gpu::EmulatedDevice::kNever) {
  return std::make_unique<GpuOffload>(std::make_unique<gpu::EmulatedDevice>(failing_call), 16 << 20,
                                      OffloadPolicy::kAlways);
}

class RunDeviceTest : public RunTest {
 protected:
  RunDeviceTest() {
    options_.inputs = {Input("in.jsonl", JoinLines(MixedLines(500, 4096)))};
    options_.max_line_bytes = 4096;
    options_.batch_bytes = 2000;
  }

  FinishedRun RunBeside(PairOffload* offload) { return Run(plan_, options_, offload); }

  Plan plan_{"json_similarity", "levenshtein", "json_diff"};
  FileOptions options_;
};

TEST_F(RunDeviceTest, GivesTheSameBytesForAnyNumberOfThreads) {
  const FinishedRun alone = RunBeside(nullptr);
  EXPECT_FALSE(alone.result.summary.device());
  for (options_.threads = 1; options_.threads <= 8; ++options_.threads) {
    const auto offload = Emulated();
    const FinishedRun beside = RunBeside(offload.get());
    ASSERT_EQ(beside.output, alone.output) << options_.threads << " threads";
    ASSERT_TRUE(beside.result.summary.device());
    EXPECT_GT(beside.result.summary.device()->on_device.pairs, 0u);
    EXPECT_EQ(beside.result.summary.device()->failed.pairs, 0u);
  }
}

TEST_F(RunDeviceTest, GivesTheSameBytesWhicheverCallFails) {
  options_.threads = 2;
  const FinishedRun alone = RunBeside(nullptr);
  for (std::uint32_t call = 0; call < 40; ++call) {
    const auto offload = Emulated(call);
    const FinishedRun beside = RunBeside(offload.get());
    ASSERT_EQ(beside.output, alone.output) << "call " << call;
    if (beside.result.summary.device()
            ->warning.empty()) {  // the CPU was so quick that there were fewer calls
      EXPECT_GT(call, 20u);
      break;
    }
    EXPECT_GT(beside.result.summary.device()->failed.pairs, 0u) << "call " << call;
  }
}

TEST_F(RunDeviceTest, TellsInTheSummaryWhatWentWhere) {
  const auto offload = Emulated();
  const FinishedRun run = RunBeside(offload.get());
  const DeviceReport& device = *run.result.summary.device();
  const rapidjson::Document summary = ParseLine(run.summary);
  EXPECT_STREQ(summary["device"]["name"].GetString(), "emulated");
  EXPECT_EQ(summary["device"]["on_device"]["pairs"].GetUint64(), device.on_device.pairs);
  EXPECT_EQ(summary["device"]["on_device"]["cells"].GetUint64(), device.on_device.cells);
  EXPECT_STREQ(summary["device"]["warning"].GetString(), "");
}

}  // namespace
}  // namespace leafscore::internal
