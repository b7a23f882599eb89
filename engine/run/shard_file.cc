#include "engine/run/shard_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "engine/base/limits.h"
#include "engine/base/packed_bytes.h"
#include "engine/base/run_options.h"
#include "engine/io/byte_source.h"
#include "engine/run/resumed_run.h"
#include "engine/run/run_manifest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Takes the place of an entry's input number, so that the end sorts after all entries.
constexpr std::uint32_t kEndOfShard = UINT32_MAX;

// Calls visit(value) for each option that a shard passes on to the merge.
template <class Options, class Visit>
void ForEachPassedOption(Options& options, Visit visit) {
  ForEachOption(options, [&](const auto& option, auto& value) {
    if (option.effect != Effect::kMachine) visit(value);
  });
}

struct OptionPacker {
  PackedWriter& out;
  template <Packable T>
  void operator()(T value) const {
    out.Value(value);
  }
  void operator()(const std::string& text) const { out.Text(text); }
  void operator()(const std::vector<std::string>& texts) const {
    out.Value<std::uint64_t>(texts.size());
    for (const std::string& text : texts) out.Text(text);
  }
};

struct OptionUnpacker {
  PackedReader& in;
  template <Packable T>
  void operator()(T& value) const {
    value = in.Value<T>();
  }
  void operator()(std::string& text) const { text = in.Text(); }
  void operator()(std::vector<std::string>& texts) const {
    for (auto count = in.Value<std::uint64_t>(); count != 0 && in.good(); --count)
      texts.emplace_back(in.Text());
  }
};

}  // namespace

std::string PackShardedRun(const ShardedRun& run) {
  std::string bytes;
  PackedWriter out(bytes);
  out.Value(run.shard.index);
  out.Value(run.shard.count);
  out.Text(run.config);
  ForEachPassedOption(run.options, OptionPacker{out});
  return bytes;
}

std::optional<ShardedRun> UnpackShardedRun(std::string_view bytes) {
  PackedReader in(bytes);
  ShardedRun run;
  run.shard.index = in.Value<std::uint32_t>();
  run.shard.count = in.Value<std::uint32_t>();
  run.config = in.Text();
  ForEachPassedOption(run.options, OptionUnpacker{in});
  const bool is_shard = in.done() && run.shard.index != 0 && run.shard.index <= run.shard.count;
  return is_shard ? std::optional(std::move(run)) : std::nullopt;
}

std::vector<RunFact> ShardFactsOf(const Manifest& begun, const FileOptions& options,
                                  std::span<const std::uint64_t> file_bytes) {
  std::vector<RunFact> facts = FactsOf(begun, options);
  for (std::size_t i = 0; i < file_bytes.size(); ++i) {
    facts.push_back({"the size of " + options.inputs[i], std::to_string(file_bytes[i])});
  }
  // The manifest of the merged output has a single value for this option, so it must be the same in all
  // shards.
  facts.push_back({"the option memory_bytes", std::to_string(options.memory_bytes)});
  facts.push_back({"the format of the output", begun.format});
  facts.push_back({"the option trailer", options.trailer ? "true" : "false"});
  facts.push_back({"the option allow_absent_paths", options.allow_absent_paths ? "true" : "false"});
  facts.push_back({"the number of shards", std::to_string(options.shard->count)});
  facts.push_back({"the shard", std::to_string(options.shard->index)});
  return facts;
}

std::string EndPart(const RecordReader& reader, const RunTotals& totals, std::uint64_t position) {
  std::string end;
  PackedWriter out(end);
  out.Value(kEndOfShard);
  out.Value(position);
  out.Value(totals.records_read);
  out.Value(totals.rejected);
  for (std::size_t i = 0; i < reader.file_bytes().size(); ++i) {
    const BlockChecksum& read = reader.checksum(i);
    out.Value(reader.file_bytes()[i]);
    out.Value(reader.first_byte(i));
    out.Value(read.bytes());
    out.Text(read.Text());
    out.Value(reader.decoded_bytes(i));
  }
  std::string part = FramedPart(end);
  PackedWriter(part).Value(position);
  return part;
}

std::optional<ShardEnd> ReadShardEnd(JournalReader& shard) {
  const std::optional<std::string> last = shard.LastBytes(sizeof(std::uint64_t));
  if (!last) return std::nullopt;
  ShardEnd end;
  end.position = PackedReader(*last).Value<std::uint64_t>();
  shard.GoTo(end.position);
  const std::optional<std::string> part = shard.Next();
  if (!part) return std::nullopt;
  PackedReader in(*part);
  const bool is_end = in.Value<std::uint32_t>() == kEndOfShard && in.Value<std::uint64_t>() == end.position;
  end.records = in.Value<std::uint64_t>();
  end.rejected = in.Value<std::uint64_t>();
  while (is_end && in.good() && !in.done()) {
    InputRead& input = end.inputs.emplace_back();
    input.file_bytes = in.Value<std::uint64_t>();
    input.first_byte = in.Value<std::uint64_t>();
    input.bytes = in.Value<std::uint64_t>();
    input.checksum = in.Text();
    input.decoded_bytes = in.Value<std::uint64_t>();
  }
  const bool is_last = shard.position() + last->size() == shard.Size();
  return is_end && in.done() && is_last ? std::optional(std::move(end)) : std::nullopt;
}

std::optional<ShardEnd> FindFinishedShard(const std::string& path, const std::vector<RunFact>& facts,
                                          const FileOptions& options) {
  std::optional<ShardEnd> end = LookForLeft([&]() -> std::optional<ShardEnd> {
    const bool is_there = access(path.c_str(), F_OK) == 0;
    if (!is_there && errno != ENOENT) ThrowUnreadable(path, errno);
    std::optional<JournalReader> shard = is_there ? JournalReader::Open(path) : std::nullopt;
    if (!shard || shard->head().facts != facts) return std::nullopt;
    return ReadShardEnd(*shard);
  });
  if (!end || end->inputs.size() != options.inputs.size()) return std::nullopt;
  for (std::size_t i = 0; i < end->inputs.size(); ++i) {
    const InputRead& read = end->inputs[i];
    if (!HasChecksum(options.inputs[i], read.first_byte, read.bytes, read.checksum, options.stop)) {
      return std::nullopt;
    }
  }
  return end;
}

void CheckShard(const Shard& shard) {
  CheckLimit(kMaxShards, shard.count);
  if (shard.index != 0 && shard.index <= shard.count) return;
  throw Error(ErrorCode::kUsage, fmt::format("there is no {}; give one from 1/{} to {}/{}", NameOf(shard),
                                             shard.count, shard.count, shard.count));
}

std::string NameOf(const Shard& shard) { return fmt::format("shard {} of {}", shard.index, shard.count); }

}  // namespace leafscore::internal

namespace leafscore {

std::string ShardPath(const std::string& output, const Shard& shard) {
  return fmt::format("{}.shard-{}-of-{}", output, shard.index, shard.count);
}

}  // namespace leafscore
