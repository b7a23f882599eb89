// engine/run/run_journal.h: what a run over files has come to, written beside its output, so that a run that
// was killed can go on where it stopped.
//
// A journal is a head, which says what run it is of, and an entry for each batch that was written, in order.
// An entry holds what the serial sink learned of the batch, and checksums of what was read and written by
// then: going on means to pass as many records in the inputs, and to hand the sink the entries in place of
// scores. So no state of the sink is ever written, and nothing has to be kept in step with it. Each part
// stands behind its size and its checksum, in one write: what a kill or a full disk cut off is known as such
// and left out.
//
// The journal of OUT is OUT.journal or, where that is taken, OUT.journal-2 and so on
// (engine/io/write_file.h). Once a second, a thread of its own makes output and journal durable. A journal
// that cannot be written is no error of the run: it ends with the last entry that was. THREADS: one at a
// time.
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

// The largest part of a file: more was not written by a run.
inline constexpr std::uint64_t kMaxPartBytes = std::uint64_t{1} << 30;

// Something that must be as it was for a run to go on: "the version of leafscore" and "1.0".
struct RunFact {
  std::string name;
  std::string value;
  bool operator==(const RunFact&) const = default;
};

struct JournalHead {
  int output_number = 1;           // in the partial name of the output (AtomicFile)
  int manifest_number = 1;         // in that of the manifest
  std::uint64_t output_inode = 0;  // of the partial output, which it keeps when it gets its name
  std::vector<RunFact> facts = {};
  std::string shard = {};  // what else is said of a shard (shard_file.h)
  // Whether going on writes the output anew instead of holding it against checksums.
  bool writes_anew = false;
};

// Returns a head as the first part of a file, and any other part, with size and checksum before it.
// ERRORS: Error(kResources) for more than 1 GiB.
std::string HeadPart(const JournalHead& head);
std::string FramedPart(std::string_view part);

// Returns the path of the journal of an output.
std::string JournalPath(const std::string& output);

// A journal that a run left, read part by part, or the file of a shard, which has the same parts.
class JournalReader {
 public:
  // Opens a file, and reads its head. RETURNS: nothing when it has none. ERRORS: Error(kInput).
  static std::optional<JournalReader> Open(const std::string& name);

  // Finds the journal of an output that was written last, has an entry, and whose partial output is there.
  // REQUIRES: a path that is no link. RETURNS: nothing when there is none. ERRORS: Error(kInput), with what
  // to do, when that cannot be told, as a journal cannot be read now.
  static std::optional<JournalReader> Find(const std::string& output) {
    return Find(output, JournalPath(output));
  }

  // Finds likewise the partial file of a shard that holds more than a head.
  static std::optional<JournalReader> FindShard(const std::string& shard_path) {
    return Find(shard_path, shard_path + ".partial");
  }

  // Tells of each journal of an output, or partial file of a shard, that it cannot be gone on with and why,
  // as its head cannot be read: it is of another version, damaged, or no such file at all.
  static std::vector<std::string> TellUnreadable(const std::string& output) {
    return TellUnreadableAt(JournalPath(output));
  }
  static std::vector<std::string> TellUnreadableShards(const std::string& shard_path) {
    return TellUnreadableAt(shard_path + ".partial");
  }

  // Removes the journals of runs that were killed before they wrote anything, or when all was done but this:
  // those without an entry, and those whose partial output is the output now. (Its partial name may be that
  // of a new one, of this number.) Any other journal stays, as the user may have put its output elsewhere,
  // and so does one that cannot be read. REQUIRES: no other run is writing the output.
  static void RemoveUseless(const std::string& output, int new_number);

  // Removes likewise the partial files of a shard that hold a head and nothing else.
  static void RemoveUselessShards(const std::string& shard_path);

  const std::string& path() const { return path_; }  // the first of the numbered names
  const std::string& name() const { return name_; }
  const JournalHead& head() const { return head_; }

  // Reads the next entry. RETURNS: nothing at the end, or where the rest is cut or damaged.
  // ERRORS:  Error(kInput) when the journal cannot be read.
  std::optional<std::string> Next();

  // Returns the first bytes of the next part, without a check; empty where the file ends before.
  std::string Peek(std::size_t bytes) const;

  // Returns the last bytes of the file; nothing where it has fewer.
  std::optional<std::string> LastBytes(std::size_t bytes) const;

  // Returns the size of the file. ERRORS: Error(kInput) when it cannot be read.
  std::uint64_t Size() const;

  std::uint64_t position() const { return position_; }  // in bytes, behind the part last read

  // Goes back to where a part ended.
  void GoTo(std::uint64_t position) { position_ = position; }

 private:
  JournalReader(std::string path, std::string name, FileDescriptor file)
      : path_(std::move(path)), name_(std::move(name)), file_(std::move(file)) {}

  static std::optional<JournalReader> Find(const std::string& output, const std::string& path);
  static std::vector<std::string> TellUnreadableAt(const std::string& path);
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
  // Makes the journal of a new run to this path, which is no link, and removes useless ones.
  JournalWriter(const std::string& output, const JournalHead& head);

  // Goes on behind the part that was last read.
  JournalWriter(const JournalReader& left, const std::string& output);

  // Removes the journal, unless it was kept or something else lies under its name.
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

  // Adds entries, as framed parts.
  void AppendParts(std::string_view parts);

  // Tells whether all entries so far were written.
  bool is_whole() const { return good_; }

  // Returns the names before this one, which were taken.
  std::vector<std::string> leftovers() const;

  // Returns its name; empty when it could not be made.
  std::string name() const { return file_.valid() ? name_ : std::string(); }

  // Leaves the journal for a later run. RETURNS: its name; empty where it has no whole entry, and does not
  // stay.
  std::string Keep();

 private:
  void BeginSync();
  void SyncEverySecond(const std::stop_token& stop);

  std::string path_;
  std::string name_;
  FileDescriptor file_;
  FileDescriptor output_;  // to make it durable
  bool good_ = true;
  bool has_entry_ = false;
  bool kept_ = false;
  std::optional<off_t> end_;  // of what stays of a journal that is gone on with, until more is written
  std::mutex waiting_;
  std::condition_variable_any wake_;
  std::jthread sync_;  // last, as it uses the others
};

// Does look(), which is to tell what an earlier run has left: where that cannot be read, the run must not
// begin anew. ERRORS: those of `look`; an Error(kInput) says what to do.
template <class Look>
auto LookForLeft(Look look) {
  try {
    return look();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInput) throw;
    throw Error(ErrorCode::kInput, std::string(error.what()) +
                                       ", so --resume cannot tell what was left to go on with: try again, or "
                                       "leave out --resume to begin anew");
  }
}

// Returns what differs between the facts of two runs, as in "the option max_depth was 3 and is 4"; empty when
// nothing does.
std::string DifferenceOf(std::span<const RunFact> then, std::span<const RunFact> now);

// Checks that a run which is to go on is the one that the journal is of.
// ERRORS: Error(kUsage) that names what differs.
void CheckSameRun(const JournalReader& journal, const std::vector<RunFact>& now);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RUN_JOURNAL_H_
