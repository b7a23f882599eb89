#include "engine/run/gold_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/hash.h"
#include "engine/base/suggest.h"
#include "engine/io/record_reader.h"
#include "engine/run/field_finder.h"
#include "engine/run/file_options.h"
#include "engine/run/record_text.h"
#include "engine/run/run_manifest.h"

namespace leafscore::internal {

GoldTable::GoldTable(const FileOptions& options) : GoldTable(options, ReaderOptionsOf(options)) {}

GoldTable::GoldTable(const FileOptions& options, const ReaderOptions& reading) {
  if (options.gold == "-" && std::ranges::find(options.inputs, "-") != options.inputs.end()) {
    throw Error(ErrorCode::kUsage, "standard input (-) cannot be both gold and answers; name a file for one");
  }
  std::vector<std::string> names = {GoldIdField(options), GoldExpectedField(options)};
  for (std::string& field : RecordGroups(options)) names.push_back(std::move(field));
  presence_.found.resize(names.size());
  RecordReader records({options.gold}, reading);
  ShapeTable shapes;
  JsonReader reader(&shapes, JsonOptionsOf(options));
  FieldFinder finder(std::move(names), &shapes);
  LeafTable table;
  RecordBatch batch;
  std::vector<JsonView> fields;
  while (records.Next(batch)) {
    shapes.Clear();  // keys may be data, of which there is no end
    finder.Reset();
    RecordText text(batch, 0, reader, table);
    for (std::size_t r = 0; r < batch.records.size(); ++r) {
      const JsonResult parsed = text.Read(r);
      if (parsed.root == kNoNode) {
        ++counts_.records;
        ++counts_.rejected;
        if (options.strict_gold) {
          throw Error(
              ErrorCode::kInput,
              fmt::format("record {} of {} is no gold: {}: {} (byte {})", counts_.records, options.gold,
                          RejectReasonName(parsed.reason), parsed.message, parsed.offset));
        }
        continue;
      }
      if (presence_.records++ == 0) presence_.there = ListFields(table, shapes, parsed.root);
      fields.clear();
      for (const NodeId node : finder.Find(table, parsed.root)) {
        presence_.found[fields.size()] += node != kNoNode;
        fields.emplace_back(table, shapes, node);
      }
      const std::optional<std::string> id = fields[0].Text();
      if (options.strict_gold) CheckStrictly(id, options);
      Add(id, fields[1].Written(), std::span(fields).subspan(2));
    }
  }
  file_ = FileOf(options.gold, records.checksum(0));
  const bool stopped = options.stop != nullptr && options.stop->load();
  if (entries_.empty() && !stopped) {
    const WantedField id{GoldIdField(options), "--gold-id-field", kIdField};
    CheckFieldsAreThere(presence_, {&id, 1}, "no record of " + options.gold);
    throw Error(
        ErrorCode::kInput,
        fmt::format("no record of {} has a field {} to join by ({} read, {} of them rejected)", options.gold,
                    QuoteForMessage(GoldIdField(options)), counts_.records, counts_.rejected));
  }
}

// ERRORS: Error(kInput) when the record that comes next cannot be joined, or not alone.
void GoldTable::CheckStrictly(const std::optional<std::string>& id, const FileOptions& options) const {
  const std::uint64_t record = counts_.records + 1;
  if (!id) {
    throw Error(ErrorCode::kInput, fmt::format("record {} of {} has no {} to join by", record, options.gold,
                                               QuoteForMessage(GoldIdField(options))));
  }
  if (const std::uint32_t known = Find(*id); known != kNone) {
    throw Error(ErrorCode::kInput,
                fmt::format("records {} and {} of {} have the same {}, {}; keep one", entries_[known].record,
                            record, options.gold, GoldIdField(options), QuoteForMessage(*id)));
  }
}

void GoldTable::Add(std::optional<std::string_view> id, std::string_view expected_json,
                    std::span<const JsonView> groups) {
  const std::uint64_t record = ++counts_.records;
  if (!id) {
    ++counts_.without_id;
    return;
  }
  if (const std::uint32_t known = Find(*id); known != kNone) {
    AddId(id, counts_.duplicates);
    entries_[known].expected_json = Store(expected_json);
    entries_[known].record = record;
    std::ranges::transform(groups, groups_.begin() + static_cast<std::ptrdiff_t>(known * group_fields_),
                           [this](const JsonView& value) { return StoreGroup(value); });
    return;
  }
  if (entries_.size() == kNone) {
    throw Error(ErrorCode::kInput, fmt::format("the gold has more ids than {}; split it", entries_.size()));
  }
  const auto hash_of = [&](std::uint32_t entry) { return HashBytes(entries_[entry].id, HashSeed()); };
  entries_.push_back({Store(*id), Store(expected_json), record});
  group_fields_ = groups.size();
  for (const JsonView& value : groups) groups_.push_back(StoreGroup(value));
  by_id_.Insert(HashBytes(*id, HashSeed()), static_cast<std::uint32_t>(entries_.size() - 1), hash_of);
  counts_.ids = entries_.size();
}

std::uint32_t GoldTable::Find(std::string_view id) const {
  return by_id_.Find(HashBytes(id, HashSeed()),
                     [&](std::uint32_t entry) { return entries_[entry].id == id; });
}

GoldGroup GoldTable::StoreGroup(const JsonView& value) {
  if (!value.present()) return {};
  const std::string_view json = Store(*value.Json());
  if (value.Is(ValueKind::kString)) return {json.substr(1, json.size() - 2), json};
  return {value.Is(ValueKind::kNull) ? json : Store(*value.Text()), json};
}

std::string_view GoldTable::Store(std::string_view text) {
  constexpr std::size_t kBlockBytes = 1 << 20;
  if (blocks_.empty() || blocks_.back().capacity() - blocks_.back().size() < text.size()) {
    blocks_.emplace_back().reserve(std::max(text.size(), kBlockBytes));
  }
  std::string& block = blocks_.back();
  block += text;
  return {block.data() + (block.size() - text.size()), text.size()};
}

}  // namespace leafscore::internal
