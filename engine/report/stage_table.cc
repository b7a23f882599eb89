#include "engine/report/stage_table.h"

#include <fmt/format.h>

#include <vector>

#include "engine/report/text_table.h"

namespace leafscore::internal {

std::string StageTable(std::span<const StageTime> stages, std::uint64_t bytes) {
  StageTime sum{.stage = "all stages"};
  for (const StageTime& stage : stages) {
    sum.parallel_seconds += stage.parallel_seconds;
    sum.serial_seconds += stage.serial_seconds;
  }
  const double all = sum.parallel_seconds + sum.serial_seconds;
  const double gigabytes = static_cast<double>(bytes) / 1e9;
  std::vector<TextRow> rows = {{"processor time", "parallel s", "serial s", "share", "serial s/GB"}};
  const auto add = [&](const StageTime& stage) {
    const double both = stage.parallel_seconds + stage.serial_seconds;
    rows.push_back({stage.stage, fmt::format("{:.3f}", stage.parallel_seconds),
                    fmt::format("{:.3f}", stage.serial_seconds),
                    all > 0 ? fmt::format("{:.1f}%", 100 * both / all) : "-",
                    bytes > 0 ? fmt::format("{:.4f}", stage.serial_seconds / gigabytes) : "-"});
  };
  for (const StageTime& stage : stages) add(stage);
  add(sum);
  std::string text;
  AppendAligned(rows, 1, text);
  if (all > 0 && bytes > 0 && sum.serial_seconds > 0) {
    text +=
        fmt::format("serial stages: {:.2f}% of the processor time; at most {:.1f} GB/s, as of {:.1f} cores\n",
                    100 * sum.serial_seconds / all, gigabytes / sum.serial_seconds, all / sum.serial_seconds);
  }
  return text;
}

}  // namespace leafscore::internal
