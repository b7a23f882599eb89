#include "engine/run/source_field.h"

#include <cstdint>

#include "engine/run/file_options.h"
#include "engine/run/record_scan.h"
#include "engine/scores/source_field_search.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::uint64_t kMostRecords = 100'000;

}  // namespace

std::optional<std::string> FindSourceField(const FileOptions& options) {
  if (!AreRegularFiles(options.inputs)) return std::nullopt;
  const std::string& id_field = options.gold.empty() ? options.id_field : JoinField(options);
  ReaderOptions reading = ReaderOptionsOf(options);
  reading.shard.reset();
  reading.ranges = false;
  RecordScan scan(options.inputs, reading, JsonOptionsOf(options), {id_field});
  SourceFieldSearch search;
  try {
    while (scan.Next() && !(scan.begins_batch() && search.records() >= kMostRecords)) {
      if (!scan.is_readable()) continue;
      const std::optional<std::string> id = scan.field(0).Text();
      if (!id) continue;
      search.Begin(*id);
      scan.record().ForEachMember([&](std::string_view name, JsonView value) {
        const bool is_known = name == id_field || name == options.expected_field ||
                              name == options.actual_field || name == options.calls_field;
        if (!is_known && value.IsText()) search.AddField(name, value.Text().value_or(""));
      });
    }
  } catch (const Error&) {  // the run reports what is wrong with the input
    return std::nullopt;
  }
  return search.Best();
}

}  // namespace leafscore::internal
