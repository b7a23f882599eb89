// engine/run/resumed_run.h: reads the journal of an earlier run batch by batch, and checks it against the
// output and the inputs. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_RUN_RESUMED_RUN_H_
#define LEAFSCORE_ENGINE_RUN_RESUMED_RUN_H_

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/io/record_reader.h"
#include "engine/run/run_journal.h"
#include "engine/run/scored_batch.h"

namespace leafscore::internal {

// The position of a batch. Positions are ordered like the records in the inputs.
struct BatchPlace {
  std::uint32_t input = 0;
  std::uint64_t offset = 0;  // where its first record begins in the decompressed input
  auto operator<=>(const BatchPlace&) const = default;
};

// JournalEntry returns the entry for a batch, including its lines if `with_lines`; the entry for a compressed
// output needs them. `memory_bytes` is the option with which the batch was scored. Any thread may make the
// entry once the batch is scored. JournalSeal returns the part that follows the entry when the batch is
// written: the size and checksum of the output so far, before compression.
std::string JournalEntry(const ScoredBatch& scored, std::uint64_t memory_bytes, bool with_lines);
std::string JournalSeal(const Checksum& written);

// An entry that was read back.
struct ReadEntry {
  BatchPlace place;
  std::uint64_t memory_bytes = 0;
  std::uint64_t written_bytes = 0;
  std::string written_checksum;
};

// Reads the next entry and its seal. The batch has no texts, and lines only if the entry contains them.
// RETURNS: nullopt at the end, and for data that JournalEntry and JournalSeal did not write.
std::optional<ReadEntry> ReadJournalEntry(JournalReader& journal, ScoredBatch& scored);

// Returns the place at the beginning of an entry's text; nullopt if the text is too short.
std::optional<BatchPlace> PlaceOfEntry(std::string_view begin);
inline constexpr std::size_t kPlaceBytes = sizeof(std::uint32_t) + sizeof(std::uint64_t);

// Returns whether the `bytes` bytes of a file from `first` on have this checksum.
// ERRORS: Error(kInterrupted) if *stop, which may be null, becomes true.
bool HasChecksum(const std::string& path, std::uint64_t first, std::uint64_t bytes,
                 const std::string& checksum, const std::atomic<bool>* stop);

class ResumedRun {
 public:
  explicit ResumedRun(JournalReader journal) : journal_(std::move(journal)) {}

  const JournalReader& journal() const { return journal_; }

  // Returns whether the output begins as the journal says, with at least the lines of the first batch.
  // REQUIRES: no batch was read yet.
  bool BeginsIn(int output);

  // Reads the next batch that was scored and written whole, and skips its records in the inputs. The batch
  // has no texts, and lines only if the entry contains them. `output` is the output to check; -1 for a
  // compressed output or a shard, which are not checked.
  // RETURNS: false at the end, where the run continues.
  // ERRORS: Error(kInput) if the inputs end earlier, or cannot be read.
  bool Next(int output, RecordReader& reader, ScoredBatch& scored);

  // Look reads the next batch without checking inputs and output. GoBack returns to the first batch.
  bool Look(ScoredBatch& scored);
  void GoBack();

  // Checks that the inputs have not changed up to where the earlier run read them. COST: reads this part
  // once.
  // REQUIRES: `reader` is the reader of the run.
  // ERRORS: Error(kInput); Error(kInterrupted) if *stop, which may be null, becomes true.
  void CheckInputs(std::span<const std::string> inputs, const RecordReader& reader,
                   const std::atomic<bool>* stop) const;

  // Checks that --memory, if it is another one now, cannot change the results of the last batch.
  // ERRORS: Error(kUsage) that says which value to give.
  void CheckMemory(const ScoredBatch& scored, std::uint64_t memory_bytes) const;

  // Takes the rest of the last batch that was read from the inputs: the records that were not skipped.
  // RETURNS: false if there is no rest.
  bool TakeRest(RecordBatch& batch);

  // Returns the size and checksum of the output for the batches that were read.
  const Checksum& written() const { return written_; }

 private:
  // How much of an input had been read.
  struct InputRead {
    std::uint64_t bytes = 0;
    bool all = false;
    std::string checksum;  // empty: nothing was read
  };

  bool Look(int output, ScoredBatch& scored);
  bool IsWritten(int output, std::uint64_t bytes, std::string_view checksum);
  void PassRecords(RecordReader& reader, std::uint32_t input, std::size_t count);

  JournalReader journal_;
  std::uint64_t first_entry_ = journal_.position();
  Checksum written_;
  std::vector<InputRead> inputs_;   // indexed by input
  RecordBatch batch_;               // the last batch read from the inputs
  std::size_t passed_ = 0;          // records of batch_ that were skipped
  std::uint64_t records_ = 0;       // skipped in the run
  std::uint64_t memory_bytes_ = 0;  // of the last entry that was read
};

// Returns why a run, or a shard, starts from the beginning despite --resume, although files of an earlier run
// may exist; empty if it resumes, or if there are no such files.
// ERRORS: as JournalReader::Find.
std::string WhyAnew(const std::string& path, bool is_shard);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RESUMED_RUN_H_
