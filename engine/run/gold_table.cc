#include "engine/run/gold_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/hash.h"
#include "engine/base/suggest.h"
#include "engine/io/record_reader.h"
#include "engine/json/json_view.h"
#include "engine/run/file_options.h"
#include "engine/run/record_text.h"

namespace leafscore::internal {

GoldTable::GoldTable(const FileOptions& options) {
  if (options.gold == "-" && std::ranges::find(options.inputs, "-") != options.inputs.end()) {
    throw Error(ErrorCode::kUsage, "standard input (-) cannot be both gold and answers; name a file for one");
  }
  RecordReader records({options.gold}, ReaderOptionsOf(options));
  ShapeTable shapes;
  JsonReader reader(&shapes, JsonOptionsOf(options));
  LeafTable table;
  RecordBatch batch;
  while (records.Next(batch)) {
    shapes.Clear();  // keys may be data, of which there is no end
    RecordText text(batch, 0, reader, table);
    for (std::size_t r = 0; r < batch.records.size(); ++r) {
      const std::uint64_t record = batch.first_record_in_input + r;
      const JsonResult parsed = text.Read(r);
      ++counts_.records;
      if (parsed.root == kNoNode) {
        if (options.strict_gold) {
          throw Error(ErrorCode::kInput,
                      fmt::format("record {} of {} is no gold: {}: {} (byte {})", record, options.gold,
                                  RejectReasonName(parsed.reason), parsed.message, parsed.offset));
        }
        ++counts_.rejected;
        continue;
      }
      const JsonView object(table, shapes, parsed.root);
      const std::optional<std::string> id = object.Member(JoinField(options)).Text();
      if (!id) {
        if (options.strict_gold) {
          throw Error(ErrorCode::kInput, fmt::format("record {} of {} has no {} to join by", record,
                                                     options.gold, QuoteForMessage(JoinField(options))));
        }
        ++counts_.without_id;
        continue;
      }
      Add(*id, object.Member(options.expected_field).Written(), record, options);
    }
  }
  counts_.ids = entries_.size();
  const bool stopped = options.stop != nullptr && options.stop->load();
  if (entries_.empty() && !stopped) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("no record of {} has a field {} to join by ({} read, {} of them rejected); --join "
                    "names it",
                    options.gold, QuoteForMessage(JoinField(options)), counts_.records, counts_.rejected));
  }
}

void GoldTable::Add(std::string_view id, std::string_view expected_json, std::uint64_t record,
                    const FileOptions& options) {
  const std::uint32_t known = Find(id);
  if (known != kNone) {
    Entry& entry = entries_[known];
    if (options.strict_gold) {
      throw Error(ErrorCode::kInput,
                  fmt::format("records {} and {} of {} have the same {}, {}; keep one", entry.record, record,
                              options.gold, JoinField(options), QuoteForMessage(id)));
    }
    counts_.duplicates.Add(id);
    entry.expected_json = Store(expected_json);
    entry.record = record;
    return;
  }
  if (entries_.size() == kNone) {
    throw Error(ErrorCode::kInput,
                fmt::format("{} has more ids than {}; split it", options.gold, entries_.size()));
  }
  const auto hash_of = [&](std::uint32_t entry) { return HashBytes(entries_[entry].id, HashSeed()); };
  entries_.push_back({Store(id), Store(expected_json), record});
  by_id_.Insert(HashBytes(id, HashSeed()), static_cast<std::uint32_t>(entries_.size() - 1), hash_of);
}

std::uint32_t GoldTable::Find(std::string_view id) const {
  return by_id_.Find(HashBytes(id, HashSeed()),
                     [&](std::uint32_t entry) { return entries_[entry].id == id; });
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
