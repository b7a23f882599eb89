#include "bench/pair_file.h"

#include <string_view>

#include "engine/io/record_reader.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_reader.h"
#include "engine/match/pair_walker.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxBytes = 64 << 20;

struct Collector {
  const LeafTable& table;
  StringWorkload& ascii;
  StringWorkload& other;
  std::size_t bytes = 0;

  bool Equal(NodeId, NodeId) { return true; }
  bool Differ(NodeId e, NodeId a) {
    if (!IsString(table.kind(e)) || !IsString(table.kind(a))) return true;
    std::string expected, actual;
    AppendStringText(table, e, expected);
    AppendStringText(table, a, actual);
    bytes += expected.size() + actual.size();
    const bool is_ascii = IsAsciiText(expected) && IsAsciiText(actual);
    (is_ascii ? ascii : other).Add(expected, actual);
    return bytes < kMaxBytes;
  }
  bool Missing(NodeId) { return true; }
  bool Extra() { return true; }
};

}  // namespace

std::vector<StringWorkload> ReadPairFile(const std::string& path) {
  std::vector<StringWorkload> workloads(2);
  workloads[0].name = "pairs-ascii";
  workloads[1].name = "pairs-other";
  workloads[1].ascii = false;
  RecordReader input({path}, {});
  RecordBatch batch;
  ShapeTable shapes;
  JsonReader json(&shapes);
  LeafTable table;
  PairWalker walker(&shapes);
  Collector collector{table, workloads[0], workloads[1]};
  bool has_room = true;
  while (has_room && input.Next(batch)) {
    const std::uint32_t begin = batch.records.front().begin;
    json.Begin({batch.bytes.data() + begin, batch.data_end - begin}, batch.lines, &table);
    for (const RecordSpan& span : batch.records) {
      if (span.reject != RejectReason::kNone) continue;
      const NodeId record = json.Read(span.begin - begin, span.end - begin).root;
      if (record == kNoNode || table.kind(record) != ValueKind::kObject) continue;
      const auto member = [&](std::string_view key) -> ValueRef {
        std::uint32_t position = shapes.FindMember(table.shape(record), key);
        if (position == ShapeTable::kNoMember) return {};
        NodeId node = record + 1;
        for (; position > 0; --position) node = table.end(node);
        return {&table, node};
      };
      const ValueRef expected = member("expected");
      const ValueRef actual = member("actual");
      if (!expected.present() || !actual.present()) continue;
      has_room = has_room && walker.Walk(expected, actual, /*descend_equal=*/false, collector);
    }
  }
  std::erase_if(workloads, [](const StringWorkload& workload) { return workload.size() == 0; });
  return workloads;
}

}  // namespace leafscore::internal
