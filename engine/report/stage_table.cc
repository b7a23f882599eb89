#include "engine/report/stage_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "engine/render/document.h"

namespace leafscore::internal {
namespace {

struct Bottleneck {
  std::string_view name;
  double seconds = 0;
};

// Returns the serial thread that takes longest: the source, unpacking, appending, or the sink.
Bottleneck LongestSerial(std::span<const StageTime> stages) {
  std::array<Bottleneck, 4> all = {{{"sink"}, {"source"}, {"unpack"}, {"append"}}};
  for (const StageTime& stage : stages) {
    const auto own =
        std::ranges::find(all, stage.stage == "input checksum" ? "source" : stage.stage, &Bottleneck::name);
    (own == all.end() ? all.front() : *own).seconds += stage.serial_seconds;
  }
  return std::ranges::max(all, {}, &Bottleneck::seconds);
}

}  // namespace

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
  AppendTextTable({.rows = std::move(rows)}, text);
  if (all > 0 && bytes > 0 && sum.serial_seconds > 0) {
    const Bottleneck longest = LongestSerial(stages);
    text += fmt::format(
        "serial stages: {:.2f}% of the processor time; the longest, the {}, {:.2f}%: at most {:.1f} GB/s, as "
        "from {:.1f} cores\n",
        100 * sum.serial_seconds / all, longest.name, 100 * longest.seconds / all,
        gigabytes / longest.seconds, all / longest.seconds);
  }
  return text;
}

}  // namespace leafscore::internal
