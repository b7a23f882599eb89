#include "engine/run/source_field.h"

#include <cstdint>
#include <filesystem>
#include <system_error>

#include "engine/base/checksum.h"
#include "engine/io/record_reader.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/run/field_finder.h"
#include "engine/run/file_options.h"
#include "engine/run/record_text.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::uint64_t kMostRecords = 100'000;
constexpr std::size_t kMostValueBytes = 200;  // of a name
constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;

bool AreRegularFiles(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(input, error)) return false;
  }
  return true;
}

}  // namespace

void SourceFieldSearch::Begin(std::string_view id) {
  ++records_;
  id_ = BagChecksum::HashOf(id);
  ids_.insert(id_);
}

void SourceFieldSearch::AddField(std::string_view name, std::string_view value) {
  if (value.size() > kMostValueBytes) return;
  auto found = candidates_.find(name);
  if (found == candidates_.end()) found = candidates_.try_emplace(std::string(name)).first;
  Candidate& candidate = found->second;
  ++candidate.records;
  const std::uint64_t hash = BagChecksum::HashOf(value);
  candidate.values.insert(hash);
  candidate.repeated += !candidate.ids_by_value.insert(id_ ^ (hash | 1) * kOdd).second;
}

std::optional<std::string> SourceFieldSearch::Best() const {
  std::optional<std::string> best;
  std::size_t fewest = ids_.size();
  for (const auto& [name, candidate] : candidates_) {
    const bool tells_apart = 100 * candidate.repeated <= records_ && candidate.records == records_;
    if (!tells_apart || candidate.values.size() >= fewest) continue;
    best = name;
    fewest = candidate.values.size();
  }
  return best;
}

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
