#include "engine/report/stage_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace leafscore::internal {
namespace {

TEST(StageTableTest, TellsWhatTheSerialStagesTakeForEachGigabyte) {
  const std::vector<StageTime> stages = {
      {"source", 0, 0.1}, {"match", 9.5, 0}, {"journal", 0, 0.05}, {"sink", 0, 0.2}, {"append", 0, 0.15}};
  EXPECT_EQ(StageTable(stages, 2'000'000'000),
            "processor time  parallel s  serial s   share  serial s/GB\n"
            "source               0.000     0.100    1.0%       0.0500\n"
            "match                9.500     0.000   95.0%       0.0000\n"
            "journal              0.000     0.050    0.5%       0.0250\n"
            "sink                 0.000     0.200    2.0%       0.1000\n"
            "append               0.000     0.150    1.5%       0.0750\n"
            "all stages           9.500     0.500  100.0%       0.2500\n"
            "serial stages: 5.00% of the processor time; the longest, the sink, 2.50%: at most 8.0 GB/s, as "
            "from 40.0 "
            "cores\n");
}

TEST(StageTableTest, HasNoShareOfNothing) {
  EXPECT_EQ(StageTable(std::vector<StageTime>{{"source", 0, 0}}, 0),
            "processor time  parallel s  serial s  share  serial s/GB\n"
            "source               0.000     0.000      -            -\n"
            "all stages           0.000     0.000      -            -\n");
}

}  // namespace
}  // namespace leafscore::internal
