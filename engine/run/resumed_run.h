// engine/run/resumed_run.h: what an earlier run left of an output, batch by batch: read from its journal,
// and held against the output and the inputs. THREADS: one at a time.
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

// Where a batch begins: batches in the order of the inputs are in the order of these.
struct BatchPlace {
  std::uint32_t input = 0;
  std::uint64_t offset = 0;  // of its first record in the text of the input
  auto operator<=>(const BatchPlace&) const = default;
};

// Returns the journal's entry for a batch; with `with_lines`, which a compressed output needs, it holds the
// lines. `memory_bytes` is the option under which it was scored. Any thread may make it, as soon as the batch
// is scored. Behind it comes a seal when the batch is written: what the output holds then, before it is
// compressed.
std::string JournalEntry(const ScoredBatch& scored, std::uint64_t memory_bytes, bool with_lines);
std::string JournalSeal(const Checksum& written);

// An entry that was read back.
struct ReadEntry {
  BatchPlace place;
  std::uint64_t memory_bytes = 0;
  std::uint64_t written_bytes = 0;
  std::string written_checksum;
};

// Reads the next entry and its seal: the batch has no texts, and lines only where the entry holds them.
// RETURNS: nothing at the end, and for what JournalEntry and JournalSeal did not write.
std::optional<ReadEntry> ReadJournalEntry(JournalReader& journal, ScoredBatch& scored);

// Returns the place that a text begins with, as every entry does; nothing of a shorter one.
std::optional<BatchPlace> PlaceOfEntry(std::string_view begin);
inline constexpr std::size_t kPlaceBytes = sizeof(std::uint32_t) + sizeof(std::uint64_t);

// Returns whether the bytes of a file from `first` on have this checksum, as many as they are.
// ERRORS: Error(kInterrupted) when *stop, which may be null, becomes true.
bool HasChecksum(const std::string& path, std::uint64_t first, std::uint64_t bytes,
                 const std::string& checksum, const std::atomic<bool>* stop);

class ResumedRun {
 public:
  explicit ResumedRun(JournalReader journal) : journal_(std::move(journal)) {}

  const JournalReader& journal() const { return journal_; }

  // Whether the output begins as the journal says, with the lines of the first batch at least. REQUIRES: no
  // batch was read yet.
  bool BeginsIn(int output);

  // Reads the next batch that was scored and written whole, and passes its records in the inputs. The batch
  // has no texts, and lines only where the entry holds them. `output` is the output to look at; -1 for a
  // compressed one.
  // RETURNS: false at the end, which is where the run goes on.
  // ERRORS:  Error(kInput) when the inputs end before, or cannot be read.
  bool Next(int output, RecordReader& reader, ScoredBatch& scored);

  // Reads the next batch likewise, but looks at neither inputs nor output; and goes back to the first one.
  bool Look(ScoredBatch& scored);
  void GoBack();

  // Checks that the inputs have not changed as far as they had been read. COST: reads that once.
  // REQUIRES: `reader` is that of the run.
  // ERRORS: Error(kInput); Error(kInterrupted) when *stop, which may be null, becomes true.
  void CheckInputs(std::span<const std::string> inputs, const RecordReader& reader,
                   const std::atomic<bool>* stop) const;

  // Checks that what became of the batch that was read last does not depend on --memory, or that this is as
  // it was. ERRORS: Error(kUsage) that says what to give.
  void CheckMemory(const ScoredBatch& scored, std::uint64_t memory_bytes) const;

  // Gives the records of the last batch read that were not passed. RETURNS: false when there are none.
  bool TakeRest(RecordBatch& batch);

  // What the output holds, of the batches that were read.
  const Checksum& written() const { return written_; }

 private:
  // How much of an input had been read.
  struct InputRead {
    std::uint64_t bytes = 0;
    bool all = false;
    std::string checksum;  // empty: nothing
  };

  bool Look(int output, ScoredBatch& scored);
  bool IsWritten(int output, std::uint64_t bytes, std::string_view checksum);
  void PassRecords(RecordReader& reader, std::uint32_t input, std::size_t count);

  JournalReader journal_;
  std::uint64_t first_entry_ = journal_.position();
  Checksum written_;
  std::vector<InputRead> inputs_;   // by input
  RecordBatch batch_;               // the last that was read of the inputs
  std::size_t passed_ = 0;          // of its records
  std::uint64_t records_ = 0;       // passed in the run
  std::uint64_t memory_bytes_ = 0;  // ReadEntry
};

// Returns why a run to an output, or of a shard to its file, begins anew with --resume although there is
// something that an earlier one may have left; empty where it goes on, or there is nothing.
// ERRORS: as JournalReader::Find.
std::string WhyAnew(const std::string& path, bool is_shard);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RESUMED_RUN_H_
