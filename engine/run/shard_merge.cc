#include "engine/run/shard_merge.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "engine/base/file_descriptor.h"
#include "engine/base/suggest.h"
#include "engine/io/byte_source.h"
#include "engine/run/number_marks.h"
#include "engine/run/wide_records.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kReadPieceBytes = 256 << 10;
constexpr std::size_t kNamedShards = 20;

}  // namespace

ShardMerge::ShardMerge(const std::vector<std::string>& paths) {
  if (paths.empty()) throw Error(ErrorCode::kUsage, "no shard was named; name all shards of a run");
  for (const std::string& path : paths) AddPart(path);
  std::ranges::sort(parts_, {}, [](const Part& part) { return part.shard.index; });
  std::vector<std::string> missing;
  std::uint32_t expected = 1;
  for (const Part& part : parts_) {
    for (; expected < part.shard.index; ++expected) missing.push_back(std::to_string(expected));
    if (expected > part.shard.index) {
      const Part& twin = *(&part - 1);
      throw Error(ErrorCode::kUsage, fmt::format("{} and {} are both {}: name each shard once", twin.path,
                                                 part.path, NameOf(part.shard)));
    }
    ++expected;
  }
  const std::uint32_t count = parts_.front().shard.count;
  for (; expected <= count; ++expected) missing.push_back(std::to_string(expected));
  if (!missing.empty()) {
    const std::size_t named = std::min(missing.size(), kNamedShards);
    throw Error(
        ErrorCode::kUsage,
        fmt::format("{} shards are expected, and these are missing: {}{}", count,
                    fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                    named == missing.size() ? "" : " and more"));
  }
  records_in_input_.resize(run_.options.inputs.size());
  for (Part& part : parts_) {
    Open(part);
    FindNext(part);
  }
}

// Reads the head and the end of a shard.
void ShardMerge::AddPart(const std::string& path) {
  std::optional<JournalReader> shard = JournalReader::Open(path);
  if (!shard) {
    throw Error(ErrorCode::kInput,
                path + " is not a shard written by this version of leafscore, or its beginning is damaged");
  }
  std::vector<RunFact> facts = shard->head().facts;
  if (!facts.empty()) facts.pop_back();  // the fact that names the shard
  if (parts_.empty()) facts_ = facts;
  if (const std::string what = DifferenceOf(facts_, facts); !what.empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} and {} are from different runs: {}", path, parts_.front().path, what));
  }
  const std::uint64_t first_entry = shard->position();
  std::optional<ShardedRun> run = UnpackShardedRun(shard->head().shard);
  std::optional<ShardEnd> end = run ? ReadShardEnd(*shard) : std::nullopt;
  if (!end || end->inputs.size() != run->options.inputs.size()) {
    throw Error(
        ErrorCode::kInput,
        path + " is incomplete: its shard has not ended, or its end was cut off; score that shard again");
  }
  parts_.push_back({.path = path,
                    .shard = run->shard,
                    .end = std::move(*end),
                    .shares = {},
                    .position = first_entry,
                    .next = {},
                    .records = 0});
  run_ = std::move(*run);
}

void ShardMerge::CheckSameNow(std::span<const RunFact> now) const {
  const std::size_t count = std::min(now.size(), facts_.size());
  if (const std::string what = DifferenceOf(std::span(facts_).first(count), now); !what.empty()) {
    throw Error(ErrorCode::kUsage, "cannot merge shards that were scored differently: " + what);
  }
}

void ShardMerge::CheckInputs(const std::atomic<bool>* stop) {
  checksums_.resize(run_.options.inputs.size());
  for (std::size_t i = 0; i < checksums_.size(); ++i) CheckInput(i, stop);
}

// Returns the shards that have read a part of an input, in the order in which their parts begin. `size` is
// the size of the input.
// ERRORS: Error(kInput) if two shards have read the same bytes, or a shard has read past the end.
std::vector<const ShardMerge::Part*> ShardMerge::ReadersOf(std::size_t input, std::uint64_t size) const {
  std::vector<const Part*> readers;
  for (const Part& part : parts_) {
    if (part.end.inputs[input].bytes != 0) readers.push_back(&part);
  }
  std::ranges::stable_sort(readers, {}, [&](const Part* part) { return part->end.inputs[input].first_byte; });
  std::uint64_t end = 0;  // end of the bytes that earlier shards have read
  for (const Part* const part : readers) {
    const InputRead& read = part->end.inputs[input];
    if (read.first_byte < end || read.first_byte > size || read.bytes > size - read.first_byte) {
      ThrowMixed(*part);
    }
    end = read.first_byte + read.bytes;
  }
  return readers;
}

void ShardMerge::CheckInput(std::size_t input, const std::atomic<bool>* stop) {
  const std::string& name = run_.options.inputs[input];
  const auto read_by = [&](const Part& part) -> const InputRead& { return part.end.inputs[input]; };
  const auto check = [&](bool same, const Part& part) {
    if (same) return;
    throw Error(ErrorCode::kInput,
                fmt::format("{} changed since {} read it: score that shard again", name, NameOf(part.shard)));
  };

  const FileDescriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file.valid() || fstat(file.get(), &status) != 0) ThrowUnreadable(name, errno);
  const std::uint64_t size = read_by(parts_.front()).file_bytes;
  check(static_cast<std::uint64_t>(status.st_size) == size, parts_.front());
  const std::vector<const Part*> readers = ReadersOf(input, size);
  BlockChecksum& whole = checksums_[input];
  BlockChecksum of_part;
  auto reader = readers.begin();
  std::string piece;
  while (whole.bytes() != size) {
    if (stop != nullptr && *stop) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
    const std::uint64_t begin = whole.bytes();
    piece.resize(std::min<std::uint64_t>(kReadPieceBytes, size - begin));
    const ssize_t n = pread(file.get(), piece.data(), piece.size(), static_cast<off_t>(begin));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ThrowUnreadable(name, errno);
    check(n != 0, parts_.front());
    piece.resize(static_cast<std::size_t>(n));
    whole.Add(piece);
    while (reader != readers.end() && read_by(**reader).first_byte < whole.bytes()) {
      const InputRead& read = read_by(**reader);
      const std::uint64_t from = read.first_byte + of_part.bytes();
      const std::uint64_t left = read.bytes - of_part.bytes();
      of_part.Add(std::string_view(piece).substr(from - begin, left));
      if (of_part.bytes() != read.bytes) break;
      check(of_part.Text() == read.checksum, **reader++);
      of_part = BlockChecksum();
    }
  }
  CheckShares(input);
}

// Checks that each shard has read exactly its share of an input. REQUIRES: the input has not changed since.
void ShardMerge::CheckShares(std::size_t input) {
  const FileOptions& options = run_.options;
  std::vector<std::uint64_t> file_bytes;
  for (const InputRead& read : parts_.front().end.inputs) file_bytes.push_back(read.file_bytes);
  const bool is_rewritten = WideFieldOf(options.actual_field).has_value();
  for (Part& part : parts_) {
    const InputRead& read = part.end.inputs[input];
    const InputShare share = ShareOf(options.inputs[input], input, file_bytes, part.shard,
                                     {options.input_format, options.max_line_bytes, is_rewritten});
    part.shares.push_back(share);
    const bool fits = share.kind == InputShare::Kind::kNone ? read.bytes == 0
                      : share.kind == InputShare::Kind::kLines
                          ? read.first_byte == share.begin && read.bytes == share.end - share.begin
                          : read.bytes == read.file_bytes;
    if (!fits) ThrowMixed(part);
  }
}

// Returns whether a batch that begins at this place belongs to the shard.
bool ShardMerge::IsOf(const Part& part, const BatchPlace& place) {
  if (place.input >= part.shares.size()) return false;
  const InputShare& share = part.shares[place.input];
  switch (share.kind) {
    case InputShare::Kind::kNone:
      return false;
    case InputShare::Kind::kAll:
      return true;
    case InputShare::Kind::kLines:
      return share.begin <= place.offset && place.offset < share.end;
  }
  return false;
}

std::uint64_t ShardMerge::decoded_bytes() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < run_.options.inputs.size(); ++i) {
    const std::uint64_t size = parts_.front().end.inputs[i].file_bytes;
    const auto read_all =
        std::ranges::find(parts_, size, [&](const Part& part) { return part.end.inputs[i].bytes; });
    sum += read_all == parts_.end() ? size : read_all->end.inputs[i].decoded_bytes;
  }
  return sum;
}

void ShardMerge::Open(Part& part) {
  if (!open_ || open_path_ != part.path) {
    open_ = JournalReader::Open(part.path);
    open_path_ = part.path;
    if (!open_) ThrowDamaged();
  }
  open_->GoTo(part.position);
}

// Finds the place of the next entry in an open part.
void ShardMerge::FindNext(Part& part) {
  part.position = open_->position();
  if (part.done()) {
    if (part.records != part.end.records) ThrowDamaged();
    return;
  }
  const std::optional<BatchPlace> place = PlaceOfEntry(open_->Peek(kPlaceBytes));
  if (!place) ThrowDamaged();
  part.next = *place;
}

bool ShardMerge::Next(ScoredBatch& scored) {
  Part* first = nullptr;
  for (Part& part : parts_) {
    if (!part.done() && (first == nullptr || part.next < first->next)) first = &part;
  }
  if (first == nullptr) return false;
  Open(*first);
  const std::optional<ReadEntry> read = ReadJournalEntry(*open_, scored);
  if (!read || read->place != first->next) ThrowDamaged();
  if (!IsOf(*first, read->place) || (last_ && *last_ >= read->place)) ThrowMixed(*first);
  last_ = read->place;
  std::uint64_t& in_input = records_in_input_[scored.batch.input];
  scored.batch.first_record_in_input = in_input + 1;
  scored.batch.first_record_in_run = records_ + 1;
  std::string lines;
  if (!AppendNumbered(scored.lines, in_input + 1, records_ + 1, lines)) ThrowDamaged();
  scored.lines = std::move(lines);
  NumberIds(records_ + 1, scored.ids);
  in_input += scored.batch.records.size();
  records_ += scored.batch.records.size();
  first->records += scored.batch.records.size();
  FindNext(*first);
  return true;
}

void ShardMerge::ThrowMixed(const Part& part) {
  throw Error(ErrorCode::kInput, fmt::format("{} begins as {} and continues as another shard: score {} again",
                                             part.path, NameOf(part.shard), NameOf(part.shard)));
}

void ShardMerge::ThrowDamaged() const {
  throw Error(ErrorCode::kInput, open_path_ + " is damaged: score that shard again");
}

}  // namespace leafscore::internal
