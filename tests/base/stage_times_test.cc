#include "engine/base/stage_times.h"

#include <gtest/gtest.h>

#include <thread>

namespace leafscore::internal {
namespace {

// Takes some milliseconds of processor time.
void Work() {
  const double begin = ProcessSeconds();
  while (ProcessSeconds() < begin + 0.005) {
  }
}

StageTime TimeOf(const StageTimes& times, Stage stage) {
  return times.Report(0)[static_cast<std::size_t>(stage)];
}

TEST(StageTimesTest, TimeWithinAnotherStageCountsOnce) {
  StageTimes times;
  {
    const StageScope outer(&times, Stage::kSink, /*is_serial=*/true);
    {
      const StageScope inner(Stage::kJournal);
      Work();
    }
  }
  const StageTime sink = TimeOf(times, Stage::kSink);
  const StageTime journal = TimeOf(times, Stage::kJournal);
  EXPECT_EQ(sink.stage, "sink");
  EXPECT_EQ(journal.stage, "journal");
  EXPECT_GT(journal.serial_seconds, sink.serial_seconds);
  EXPECT_EQ(journal.parallel_seconds, 0);
}

TEST(StageTimesTest, AnInnerStageIsSerialWhereTheOuterOneIs) {
  StageTimes times;
  {
    const StageScope outer(&times, Stage::kStatistics, /*is_serial=*/false);
    const StageScope inner(Stage::kMatch);
    Work();
  }
  EXPECT_GT(TimeOf(times, Stage::kMatch).parallel_seconds, 0);
  EXPECT_EQ(TimeOf(times, Stage::kMatch).serial_seconds, 0);
}

TEST(StageTimesTest, NothingIsTimedWhereNoTimesAreWanted) {
  StageTimes times;
  {
    const StageScope outer(nullptr, Stage::kSink, /*is_serial=*/true);
    const StageScope inner(Stage::kJournal);
    Work();
  }
  std::thread other([] { const StageScope none(Stage::kMatch); });
  other.join();
  EXPECT_EQ(TimeOf(times, Stage::kJournal).serial_seconds, 0);
}

TEST(StageTimesTest, WhatNoStageTookIsOther) {
  StageTimes times;
  times.Add(Stage::kSource, /*is_serial=*/true, 1'000'000'000);
  times.Add(Stage::kFlatten, /*is_serial=*/false, 500'000'000);
  const std::vector<StageTime> stages = times.Report(4);
  EXPECT_EQ(stages.front().stage, "source");
  EXPECT_EQ(stages.front().serial_seconds, 1);
  EXPECT_EQ(stages.back().stage, "other");
  EXPECT_EQ(stages.back().parallel_seconds, 2.5);
}

}  // namespace
}  // namespace leafscore::internal
