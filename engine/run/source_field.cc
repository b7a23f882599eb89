#include "engine/run/source_field.h"

#include <cstdint>
#include <filesystem>
#include <system_error>

#include "engine/io/record_reader.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/match/field_finder.h"
#include "engine/match/record_text.h"
#include "engine/run/file_options.h"
#include "engine/scores/source_field_search.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::uint64_t kMostRecords = 100'000;

bool AreRegularFiles(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(input, error)) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> FindSourceField(const FileOptions& options) {
  if (!AreRegularFiles(options.inputs)) return std::nullopt;
  const std::string& id_field = options.gold.empty() ? options.id_field : JoinField(options);
  ShapeTable shapes;
  LeafTable table;
  JsonReader reader(&shapes, JsonOptionsOf(options));
  FieldFinder finder({id_field}, &shapes);
  ReaderOptions reading = ReaderOptionsOf(options);
  reading.shard.reset();
  reading.ranges = false;
  RecordReader records(options.inputs, reading);
  SourceFieldSearch search;
  RecordBatch batch;
  try {
    while (search.records() < kMostRecords && records.Next(batch)) {
      shapes.Clear();
      finder.Reset();
      RecordText text(batch, 0, reader, table);
      for (std::size_t r = 0; r < batch.records.size(); ++r) {
        const JsonResult parsed = text.Read(r);
        if (parsed.root == kNoNode) continue;
        const JsonView id(table, shapes, finder.Find(table, parsed.root).front());
        const std::optional<std::string> id_text = id.Text();
        if (!id_text) continue;
        search.Begin(*id_text);
        JsonView(table, shapes, parsed.root).ForEachMember([&](std::string_view name, JsonView value) {
          const bool is_known =
              name == id_field || name == options.expected_field || name == options.actual_field;
          if (!is_known && value.IsText()) search.AddField(name, value.Text().value_or(""));
        });
      }
    }
  } catch (const Error&) {  // the run has told what is wrong with the input
    return std::nullopt;
  }
  return search.Best();
}

}  // namespace leafscore::internal
