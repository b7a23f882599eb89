// engine/run/run_journal.h: the progress of a run over files, written beside its output, so that a run that
// was killed can resume where it stopped.
//
// A journal is a head, which identifies the run, and an entry for each written batch, in order. An entry
// contains what the serial sink learned from the batch, and checksums of the bytes read and written so far.
// To resume, a run skips the same records in the inputs, and passes the entries to the sink instead of
// scores. So the state of the sink is never written, and there is no second copy to keep in step with it.
// Each part is written in one call, with its size and its checksum in front. So a part that was cut off by a
// kill or a full disk is recognised and ignored.
//
// The journal of OUT is OUT.journal or, if that name is taken, OUT.journal-2 and so on
// (engine/io/write_file.h). Once a second, a separate thread makes output and journal durable. A failure to
// write the journal is not an error of the run: the journal then ends with the last entry that could be
// written. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_RUN_RUN_JOURNAL_H_
#define LEAFSCORE_ENGINE_RUN_RUN_JOURNAL_H_

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/base/file_descriptor.h"
#include "leafscore/error.h"

namespace leafscore::internal {

// The largest part of a file; no run writes a larger one.
inline constexpr std::uint64_t kMaxPartBytes = std::uint64_t{1} << 30;

// A fact that must be the same for a run to be resumed: for example "the version of leafscore" and "1.0".
struct RunFact {
  std::string name;
  std::string value;
  bool operator==(const RunFact&) const = default;
};

struct JournalHead {
  int output_number = 1;           // in the partial name of the output (AtomicFile)
  int manifest_number = 1;         // in the partial name of the manifest
  std::uint64_t output_inode = 0;  // identifies the partial output, even after renaming
  std::vector<RunFact> facts = {};
  std::string shard = {};  // further data of a shard (shard_file.h)
  // Whether resuming writes the output anew instead of checking it against checksums.
  bool writes_anew = false;
};

// Return the first part of a file, which contains a head, and any other part. Each has its size and checksum
// in front. ERRORS: Error(kResources) for more than 1 GiB.
std::string HeadPart(const JournalHead& head);
std::string FramedPart(std::string_view part);

// Returns the path of the journal of an output.
std::string JournalPath(const std::string& output);

// Reads, part by part, a journal or the file of a shard, which has the same parts.
class JournalReader {
 public:
  // Opens a file, and reads its head. RETURNS: nullopt if it has no head. ERRORS: Error(kInput).
  static std::optional<JournalReader> Open(const std::string& name);

  // Finds a journal of this output that has an entry and whose partial output exists; the one that was
  // written last, if there are several. REQUIRES: a path that is not a link. RETURNS: nullopt if there is no
  // such journal. ERRORS: Error(kInput) with advice, if a journal cannot be read and could thus be the one.
  static std::optional<JournalReader> Find(const std::string& output) {
    return Find(output, JournalPath(output));
  }

  // Finds, in the same way, the partial file of a shard that contains more than a head.
  static std::optional<JournalReader> FindShard(const std::string& shard_path) {
    return Find(shard_path, shard_path + ".partial");
  }

  // Returns a message for each journal of an output, or partial file of a shard, that cannot be resumed
  // because its head cannot be read: it has another version, is damaged, or is not such a file at all.
  static std::vector<std::string> UnreadableMessages(const std::string& output) {
    return UnreadableMessagesAt(JournalPath(output));
  }
  static std::vector<std::string> UnreadableShardMessages(const std::string& shard_path) {
    return UnreadableMessagesAt(shard_path + ".partial");
  }

  // Removes journals without an entry, and journals whose partial output has become the output. Their runs
  // were killed before they wrote anything, or just before they removed the journal. (The name of the partial
  // output may belong to a new file now, with number `new_number`.) All other journals stay: the user may
  // have moved their output elsewhere, or they cannot be read. REQUIRES: no other run is writing the output.
  static void RemoveUseless(const std::string& output, int new_number);

  // Removes the partial files of a shard that contain only a head.
  static void RemoveUselessShards(const std::string& shard_path);

  const std::string& path() const { return path_; }  // the first of the numbered names
  const std::string& name() const { return name_; }
  const JournalHead& head() const { return head_; }

  // Reads the next entry. RETURNS: nullopt at the end, or if the rest is cut off or damaged.
  // ERRORS: Error(kInput) if the journal cannot be read.
  std::optional<std::string> Next();

  // Returns the first `bytes` bytes of the next part, unchecked. Empty if the file ends before them.
  std::string Peek(std::size_t bytes) const;

  // Returns the last bytes of the file; nullopt if it has fewer.
  std::optional<std::string> LastBytes(std::size_t bytes) const;

  // Returns the size of the file. ERRORS: Error(kInput) if it cannot be read.
  std::uint64_t Size() const;

  std::uint64_t position() const { return position_; }  // in bytes, after the part last read

  // Goes back to the end of an earlier part.
  void GoTo(std::uint64_t position) { position_ = position; }

 private:
  JournalReader(std::string path, std::string name, FileDescriptor file)
      : path_(std::move(path)), name_(std::move(name)), file_(std::move(file)) {}

  static std::optional<JournalReader> Find(const std::string& output, const std::string& path);
  static std::vector<std::string> UnreadableMessagesAt(const std::string& path);
  struct Found;
  static std::optional<Found> Look(const std::string& output, const std::string& path,
                                   const std::string& name);
  bool ReadHead();

  std::string path_;
  std::string name_;
  FileDescriptor file_;
  JournalHead head_;
  std::uint64_t position_ = 0;
};

class JournalWriter {
 public:
  // Creates the journal of a new run that writes to this output, and removes useless journals. REQUIRES: a
  // path that is not a link.
  JournalWriter(const std::string& output, const JournalHead& head);

  // Continues the journal `left` after the part that was read last.
  JournalWriter(const JournalReader& left, const std::string& output);

  // Removes the journal, unless it was kept or another file has its name.
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // Adds entries, as framed parts.
  void AppendParts(std::string_view parts);

  // Returns whether all entries so far were written.
  bool is_whole() const { return good_; }

  // Returns the names that were tried before this one, but were taken.
  std::vector<std::string> leftovers() const;

  // Returns the journal's name; empty if the journal could not be created.
  std::string name() const { return file_.valid() ? name_ : std::string(); }

  // Leaves the journal for a later run. RETURNS: its name; empty if it has no whole entry and was removed.
  std::string Keep();

 private:
  void BeginSync();
  void SyncEverySecond(const std::stop_token& stop);

  std::string path_;
  std::string name_;
  FileDescriptor file_;
  FileDescriptor output_;  // the output, to make it durable
  bool good_ = true;
  bool has_entry_ = false;
  bool kept_ = false;
  std::optional<off_t> end_;  // when resuming: end of the kept part, until more is written
  std::mutex waiting_;
  std::condition_variable_any wake_;
  std::jthread sync_;  // last, as it uses the other members
};

// Calls look(), which finds the files of an earlier run. If it cannot read them, the run must not start over,
// so the error ends the run. ERRORS: as `look`; an Error(kInput) says what to do.
template <class Look>
auto LookForLeft(Look look) {
  try {
    return look();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    throw Error(
        ErrorCode::kInput,
        std::string(error.what()) +
            ", so --resume cannot tell what is left to do: try again, or leave out --resume to start over");
  }
}

// Returns the difference between the facts of two runs, such as "the option max_depth was 3 and is 4"; empty
// if there is none.
std::string DifferenceOf(std::span<const RunFact> then, std::span<const RunFact> now);

// Checks that a run to be resumed is the one in the journal.
// ERRORS: Error(kUsage) that names the difference.
void CheckSameRun(const JournalReader& journal, const std::vector<RunFact>& now);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RUN_JOURNAL_H_
