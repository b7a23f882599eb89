#include "engine/run/resumed_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "engine/base/file_descriptor.h"
#include "engine/base/packed_bytes.h"
#include "engine/io/byte_source.h"
#include "engine/io/write_file.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kReadBytes = 256 << 10;

[[noreturn]] void ThrowChanged(const std::string& what) {
  throw Error(ErrorCode::kInput,
              "cannot continue: " + what +
                  " changed since the earlier run; leave out --resume to score from the start");
}

// Adds bytes of a file to a checksum of either kind, until the checksum covers the `bytes` bytes from `first`
// on. RETURNS: false if the file has fewer bytes. ERRORS: Error(kInput) if it cannot be read;
// Error(kInterrupted) if *stop, which may be null, becomes true.
template <class AnyChecksum>
bool AddFile(int file, const std::string& name, std::uint64_t first, std::uint64_t bytes,
             AnyChecksum& checksum, const std::atomic<bool>* stop = nullptr) {
  std::string piece;
  while (checksum.bytes() < bytes) {
    if (stop != nullptr && *stop) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
    piece.resize(std::min<std::uint64_t>(kReadBytes, bytes - checksum.bytes()));
    const ssize_t n = pread(file, piece.data(), piece.size(), static_cast<off_t>(first + checksum.bytes()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ThrowUnreadable(name, errno);
    if (n == 0) return false;
    checksum.Add(std::string_view(piece).substr(0, static_cast<std::size_t>(n)));
  }
  return checksum.bytes() == bytes;
}

}  // namespace

std::string JournalEntry(const ScoredBatch& scored, std::uint64_t memory_bytes, bool with_lines) {
  std::string entry;
  PackedWriter out(entry);
  out.Value(scored.batch.input);
  out.Value(scored.batch.OffsetOf(scored.batch.records.front()));
  out.Value(memory_bytes);
  PackBatch(scored, out);
  out.Text(with_lines ? std::string_view(scored.lines) : std::string_view());
  return entry;
}

std::string JournalSeal(const Checksum& written) {
  std::string seal;
  PackedWriter out(seal);
  out.Value(written.bytes());
  out.Text(written.Text());
  return seal;
}

std::optional<BatchPlace> PlaceOfEntry(std::string_view begin) {
  PackedReader in(begin);
  const BatchPlace place{in.Value<std::uint32_t>(), in.Value<std::uint64_t>()};
  return in.good() ? std::optional(place) : std::nullopt;
}

std::optional<ReadEntry> ReadJournalEntry(JournalReader& journal, ScoredBatch& scored) {
  const std::optional<std::string> entry = journal.Next();
  const std::optional<std::string> seal = entry ? journal.Next() : std::nullopt;
  if (!seal) return std::nullopt;
  PackedReader in(*entry);
  ReadEntry read;
  read.place = {in.Value<std::uint32_t>(), in.Value<std::uint64_t>()};
  read.memory_bytes = in.Value<std::uint64_t>();
  const bool is_batch = UnpackBatch(in, scored);
  scored.lines = in.Text();
  PackedReader in_seal(*seal);
  read.written_bytes = in_seal.Value<std::uint64_t>();
  read.written_checksum = in_seal.Text();
  const bool is_entry = is_batch && in.done() && in_seal.done() && scored.batch.input == read.place.input;
  return is_entry ? std::optional(std::move(read)) : std::nullopt;
}

bool HasChecksum(const std::string& path, std::uint64_t first, std::uint64_t bytes,
                 const std::string& checksum, const std::atomic<bool>* stop) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) ThrowUnreadable(path, errno);
  BlockChecksum read;
  return AddFile(file.get(), path, first, bytes, read, stop) && read.Text() == checksum;
}

bool ResumedRun::BeginsIn(int output) {
  const std::uint64_t before = journal_.position();
  ScoredBatch scored;
  const std::optional<ReadEntry> read = ReadJournalEntry(journal_, scored);
  journal_.GoTo(before);
  const bool begins = read && IsWritten(output, read->written_bytes, read->written_checksum);
  written_ = Checksum();
  return begins;
}

bool ResumedRun::Next(int output, RecordReader& reader, ScoredBatch& scored) {
  if (!Look(output, scored)) return false;
  PassRecords(reader, scored.batch.input, scored.batch.records.size());
  return true;
}

bool ResumedRun::Look(ScoredBatch& scored) { return Look(-1, scored); }

void ResumedRun::GoBack() {
  journal_.GoTo(first_entry_);
  records_ = 0;
}

bool ResumedRun::Look(int output, ScoredBatch& scored) {
  const std::uint64_t before = journal_.position();
  if (const std::optional<ReadEntry> read = ReadJournalEntry(journal_, scored)) {
    const bool follows = scored.batch.first_record_in_run == records_ + 1;
    if (follows && (output < 0 || IsWritten(output, read->written_bytes, read->written_checksum))) {
      inputs_.resize(std::max<std::size_t>(inputs_.size(), scored.batch.input + 1));
      inputs_[scored.batch.input] = {scored.input_bytes, scored.input_ended, scored.input_checksum};
      records_ += scored.batch.records.size();
      memory_bytes_ = read->memory_bytes;
      return true;
    }
  }
  journal_.GoTo(before);
  return false;
}

// Returns whether the first `bytes` bytes of the output have this checksum. If so, written_ becomes their
// checksum.
bool ResumedRun::IsWritten(int output, std::uint64_t bytes, std::string_view checksum) {
  Checksum written = written_;
  if (!AddFile(output, "what was written", 0, bytes, written) || written.Text() != checksum) return false;
  written_ = std::move(written);
  return true;
}

void ResumedRun::PassRecords(RecordReader& reader, std::uint32_t input, std::size_t count) {
  while (count != 0) {
    if (passed_ == batch_.records.size()) {
      passed_ = 0;
      batch_.records.clear();
      if (!reader.Next(batch_)) {
        if (reader.stopped()) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
        ThrowChanged("the inputs");
      }
    }
    if (batch_.input != input) ThrowChanged("the inputs");
    const std::size_t n = std::min(count, batch_.records.size() - passed_);
    passed_ += n;
    count -= n;
  }
}

void ResumedRun::CheckInputs(std::span<const std::string> inputs, const RecordReader& reader,
                             const std::atomic<bool>* stop) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].checksum.empty()) continue;
    struct stat status {};
    if (stat(inputs[i].c_str(), &status) != 0) ThrowUnreadable(inputs[i], errno);
    const bool same_size = !inputs_[i].all || reader.is_shard() ||  // a shard knows the size from its head
                           static_cast<std::uint64_t>(status.st_size) == inputs_[i].bytes;
    if (!same_size ||
        !HasChecksum(inputs[i], reader.first_byte(i), inputs_[i].bytes, inputs_[i].checksum, stop)) {
      ThrowChanged(inputs[i]);
    }
  }
}

// More memory changes the results only if a record did not fit before. With less memory, a record might no
// longer fit.
void ResumedRun::CheckMemory(const ScoredBatch& scored, std::uint64_t memory_bytes) const {
  if (memory_bytes == memory_bytes_) return;
  const bool rejected = std::ranges::find(scored.results.scores, RejectReason::kOverMemoryBudget,
                                          &RecordScore::reason) != scored.results.scores.end();
  const bool is_less = memory_bytes_ != 0 && memory_bytes != 0 && memory_bytes < memory_bytes_;
  if (!rejected && !is_less) return;
  throw Error(
      ErrorCode::kUsage,
      fmt::format("cannot continue the run that left {}: it {}; {}, or leave out --resume to start over",
                  journal_.name(),
                  rejected ? "rejected a record that did not fit its memory" : "had more memory",
                  memory_bytes_ == 0 ? "leave out --memory, as then"
                                     : fmt::format("give --memory {}, as then", memory_bytes_)));
}

std::string WhyAnew(const std::string& path, bool is_shard) {
  // If the shard's file exists, it may be whole, and partial files beside it do not matter.
  if (is_shard && access(path.c_str(), F_OK) == 0) return "";
  std::optional<JournalReader> left = is_shard ? JournalReader::FindShard(path) : JournalReader::Find(path);
  if (!left) {
    const std::vector<std::string> told =
        is_shard ? JournalReader::UnreadableShardMessages(path) : JournalReader::UnreadableMessages(path);
    return told.empty() ? ""
                        : fmt::format("--resume starts over: {}; existing files stay as they are",
                                      fmt::join(told, "; "));
  }
  const JournalHead& head = left->head();
  if (is_shard || head.writes_anew) return "";
  const std::string name = left->name();
  const std::string partial = NumberedName(path + ".partial", head.output_number);
  const FileDescriptor output(open(partial.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!output.valid() || ResumedRun(std::move(*left)).BeginsIn(output.get())) return "";
  return fmt::format("--resume starts over: {} does not match {}; both stay as they are", partial, name);
}

bool ResumedRun::TakeRest(RecordBatch& batch) {
  if (passed_ == batch_.records.size()) return false;
  batch = std::move(batch_);
  batch.records.erase(batch.records.begin(), batch.records.begin() + static_cast<std::ptrdiff_t>(passed_));
  batch.first_record_in_input += passed_;
  batch.first_record_in_run += passed_;
  batch_ = {};
  passed_ = 0;
  return true;
}

}  // namespace leafscore::internal
