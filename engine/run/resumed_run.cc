#include "engine/run/resumed_run.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "engine/base/file_descriptor.h"
#include "engine/base/packed_bytes.h"
#include "engine/io/byte_source.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kReadBytes = 256 << 10;

[[noreturn]] void ThrowChanged(const std::string& what) {
  throw Error(
      ErrorCode::kInput,
      "cannot go on: " + what + " changed since the earlier run; leave out --resume to score from the start");
}

// Adds the first bytes of a file to the checksum of a part of them. RETURNS: false when there are fewer.
// ERRORS: Error(kInput) when it cannot be read; Error(kInterrupted) when *stop, which may be null, becomes
// true.
bool AddFile(int file, const std::string& name, std::uint64_t bytes, Checksum& checksum,
             const std::atomic<bool>* stop = nullptr) {
  std::string piece;
  while (checksum.bytes() < bytes) {
    if (stop != nullptr && *stop) throw Error(ErrorCode::kInterrupted, "the run was interrupted");
    piece.resize(std::min<std::uint64_t>(kReadBytes, bytes - checksum.bytes()));
    const ssize_t n = pread(file, piece.data(), piece.size(), static_cast<off_t>(checksum.bytes()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ThrowUnreadable(name, errno);
    if (n == 0) return false;
    checksum.Add(std::string_view(piece).substr(0, static_cast<std::size_t>(n)));
  }
  return checksum.bytes() == bytes;
}

}  // namespace

std::string JournalEntry(const ScoredBatch& scored, const Checksum& written, bool with_lines) {
  std::string entry;
  PackedWriter out(entry);
  out.Value(written.bytes());
  out.Text(written.Text());
  PackBatch(scored, out);
  out.Text(with_lines ? std::string_view(scored.lines) : std::string_view());
  return entry;
}

bool ResumedRun::BeginsIn(int output) {
  const std::uint64_t before = journal_.position();
  const std::optional<std::string> entry = journal_.Next();
  journal_.GoTo(before);
  if (!entry) return false;
  PackedReader in(*entry);
  const auto bytes = in.Value<std::uint64_t>();
  const bool begins = IsWritten(output, bytes, in.Text());
  written_ = Checksum();
  return begins;
}

bool ResumedRun::Next(int output, RecordReader& reader, ScoredBatch& scored) {
  const std::uint64_t before = journal_.position();
  if (const std::optional<std::string> entry = journal_.Next()) {
    PackedReader in(*entry);
    const auto bytes = in.Value<std::uint64_t>();
    const std::string_view checksum = in.Text();
    const bool is_batch = UnpackBatch(in, scored);
    scored.lines = in.Text();
    const bool follows = scored.batch.first_record_in_run == records_ + 1;
    if (is_batch && in.done() && follows && (output < 0 || IsWritten(output, bytes, checksum))) {
      PassRecords(reader, scored.batch.input, scored.batch.records.size());
      inputs_.resize(std::max<std::size_t>(inputs_.size(), scored.batch.input + 1));
      inputs_[scored.batch.input] = {scored.input_bytes, scored.input_ended, scored.input_checksum};
      records_ += scored.batch.records.size();
      return true;
    }
  }
  journal_.GoTo(before);
  return false;
}

// Checks that the output begins with this many bytes of this checksum.
bool ResumedRun::IsWritten(int output, std::uint64_t bytes, std::string_view checksum) {
  Checksum written = written_;
  if (!AddFile(output, "what was written", bytes, written) || written.Text() != checksum) return false;
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

void ResumedRun::CheckInputs(std::span<const std::string> inputs, const std::atomic<bool>* stop) const {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].checksum.empty()) continue;
    const FileDescriptor file(open(inputs[i].c_str(), O_RDONLY | O_CLOEXEC));
    Checksum read;
    struct stat status {};
    if (!file.valid() || fstat(file.get(), &status) != 0) ThrowUnreadable(inputs[i], errno);
    const bool same_size = !inputs_[i].all || static_cast<std::uint64_t>(status.st_size) == inputs_[i].bytes;
    if (!same_size || !AddFile(file.get(), inputs[i], inputs_[i].bytes, read, stop) ||
        read.Text() != inputs_[i].checksum) {
      ThrowChanged(inputs[i]);
    }
  }
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
