#include "engine/report/stage_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace leafscore::internal {
namespace {

TEST(StageTableTest, TellsWhatTheSerialStagesTakeForEachGigabyte) {
  const std::vector<StageTime> stages = {{"source", 0, 0.25}, {"match", 9.5, 0}, {"sink", 0, 0.25}};
  EXPECT_EQ(StageTable(stages, 2'000'000'000),
            "processor time  parallel s  serial s   share  serial s/GB\n"
            "source               0.000     0.250    2.5%       0.1250\n"
            "match                9.500     0.000   95.0%       0.0000\n"
            "sink                 0.000     0.250    2.5%       0.1250\n"
            "all stages           9.500     0.500  100.0%       0.2500\n"
            "serial stages: 5.00% of the processor time; at most 4.0 GB/s, as of 20.0 cores\n");
}

TEST(StageTableTest, HasNoShareOfNothing) {
  EXPECT_EQ(StageTable(std::vector<StageTime>{{"source", 0, 0}}, 0),
            "processor time  parallel s  serial s  share  serial s/GB\n"
            "source               0.000     0.000      -            -\n"
            "all stages           0.000     0.000      -            -\n");
}

}  // namespace
}  // namespace leafscore::internal
