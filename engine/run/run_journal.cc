#include "engine/run/run_journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <exception>
#include <utility>

#include "engine/base/checksum.h"
#include "engine/base/packed_bytes.h"
#include "engine/base/suggest.h"
#include "engine/io/byte_source.h"
#include "engine/io/write_file.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Identifies the file. The number changes with the layout of heads and entries; the text before it is the
// same in all versions.
constexpr std::string_view kKind = "leafscore journal 10";
constexpr std::string_view kAnyKind = "leafscore journal ";
constexpr std::size_t kChecksumBytes = 41;  // of a text from ChecksumOf
constexpr std::size_t kFrameBytes = sizeof(std::uint64_t) + kChecksumBytes;

std::string PackHead(const JournalHead& head) {
  std::string bytes;
  PackedWriter out(bytes);
  out.Text(kKind);
  out.Value(head.output_number);
  out.Value(head.manifest_number);
  out.Value(head.output_inode);
  out.Value(head.writes_anew);
  out.Value<std::uint64_t>(head.facts.size());
  for (const RunFact& fact : head.facts) {
    out.Text(fact.name);
    out.Text(fact.value);
  }
  out.Text(head.shard);
  return bytes;
}

// RETURNS: false if the bytes are not a head.
bool UnpackHead(std::string_view bytes, JournalHead& head) {
  PackedReader in(bytes);
  if (in.Text() != kKind) return false;
  head.output_number = in.Value<int>();
  head.manifest_number = in.Value<int>();
  head.output_inode = in.Value<std::uint64_t>();
  head.writes_anew = in.Value<bool>();
  for (std::uint64_t facts = in.Value<std::uint64_t>(); facts != 0 && in.good(); --facts) {
    RunFact& fact = head.facts.emplace_back();
    fact.name = in.Text();
    fact.value = in.Text();
  }
  head.shard = in.Text();
  return in.done();
}

// Reads `size` bytes of a file. RETURNS: nullopt if there are fewer. ERRORS: Error(kInput).
std::optional<std::string> ReadAt(int file, std::uint64_t position, std::uint64_t size,
                                  const std::string& name) {
  struct stat status {};
  if (fstat(file, &status) != 0) ThrowUnreadable(name, errno);
  const auto end = static_cast<std::uint64_t>(status.st_size);
  if (position > end || size > end - position) return std::nullopt;
  std::string bytes(size, '\0');
  for (std::size_t done = 0; done != size;) {
    const ssize_t n = pread(file, bytes.data() + done, size - done, static_cast<off_t>(position + done));
    if (n == 0) return std::nullopt;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ThrowUnreadable(name, errno);
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

// Opens the partial output again. If a write error is reported on this second descriptor, it is still
// reported on the run's own descriptor, too.
FileDescriptor OpenPartial(const std::string& output, const JournalHead& head) {
  const std::string partial = NumberedName(output + ".partial", head.output_number);
  return FileDescriptor(open(partial.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
}

}  // namespace

std::string FramedPart(std::string_view part) {
  if (part.size() > kMaxPartBytes) {
    throw Error(ErrorCode::kResources,
                fmt::format("the scores of a batch take {} bytes, and a part of a file is {} at most: give a "
                            "lower --batch-bytes or --max-details-bytes",
                            part.size(), kMaxPartBytes));
  }
  std::string framed;
  PackedWriter(framed).Value<std::uint64_t>(part.size());
  framed += ChecksumOf(part);
  framed += part;
  return framed;
}

std::string HeadPart(const JournalHead& head) { return FramedPart(PackHead(head)); }

std::string JournalPath(const std::string& output) { return output + ".journal"; }

JournalWriter::JournalWriter(const std::string& output, const JournalHead& head)
    : path_(JournalPath(output)), output_(OpenPartial(output, head)) {
  JournalReader::RemoveUseless(output, head.output_number);
  const std::string begin = HeadPart(head);  // before there is a file, as it may run out of memory
  NewFile made = MakeNewFile(AT_FDCWD, path_, 0600, [&](int fd) {
    good_ = WriteAll(fd, begin) == begin.size();
    return good_;
  });
  name_ = std::move(made.name);
  file_ = std::move(made.file);
  if (!file_.valid()) return;
  if (good_) {
    BeginSync();
  } else {
    unlink(name_.c_str());
    file_.Close();
  }
}

JournalWriter::JournalWriter(const JournalReader& left, const std::string& output)
    : path_(left.path()),
      name_(left.name()),
      file_(open(name_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)),
      output_(OpenPartial(output, left.head())),
      has_entry_(true) {
  end_ = static_cast<off_t>(left.position());
  good_ = file_.valid();
  BeginSync();
}

JournalWriter::~JournalWriter() {
  if (!kept_ && file_.valid() && IsNamed(file_.get(), AT_FDCWD, name_)) unlink(name_.c_str());
}

std::vector<std::string> JournalWriter::leftovers() const {
  std::vector<std::string> names;
  for (int number = 1; NumberedName(path_, number) != name_; ++number)
    names.push_back(NumberedName(path_, number));
  return names;
}

void JournalWriter::AppendParts(std::string_view parts) {
  if (end_ && good_) {
    good_ = ftruncate(file_.get(), *end_) == 0 && lseek(file_.get(), *end_, SEEK_SET) == *end_;
    end_.reset();
  }
  good_ = good_ && WriteAll(file_.get(), parts) == parts.size();
  has_entry_ = has_entry_ || good_;
}

std::string JournalWriter::Keep() {
  kept_ = has_entry_;
  return kept_ ? name_ : std::string();
}

void JournalWriter::BeginSync() {
  try {
    sync_ = std::jthread([this](const std::stop_token& stop) { SyncEverySecond(stop); });
  } catch (const std::exception&) {
    // Without threads or memory, only data that the system writes on its own survive a power cut.
  }
}

void JournalWriter::SyncEverySecond(const std::stop_token& stop) {
  std::unique_lock lock(waiting_);
  while (!wake_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; }) &&
         !stop.stop_requested()) {
    // Sync the output first, because an entry is useless without its lines. If syncing fails here, it fails
    // again when the output is completed.
    fdatasync(output_.get());
    fdatasync(file_.get());
  }
}

// A journal of this user.
struct JournalReader::Found {
  JournalReader journal;
  bool has_entry;
  bool has_output;  // its partial output exists
  std::pair<std::int64_t, std::int64_t> time;
};

// RETURNS: nullopt if there is no journal of this user with this name. ERRORS: Error(kInput) if the files
// cannot be looked at.
std::optional<JournalReader::Found> JournalReader::Look(const std::string& output, const std::string& path,
                                                        const std::string& name) {
  struct stat status {};
  const auto is_there = [&status](const std::string& file) {
    if (lstat(file.c_str(), &status) == 0) return true;
    if (errno != ENOENT) ThrowUnreadable(file, errno);
    return false;
  };
  const bool is_ours = is_there(name) && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                       status.st_nlink == 1;  // otherwise it can be changed under another name
  if (!is_ours) return std::nullopt;
  const timespec time = status.st_mtim;
  FileDescriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.valid()) ThrowUnreadable(name, errno);
  JournalReader journal(path, name, std::move(file));
  if (!journal.ReadHead()) return std::nullopt;
  const std::uint64_t first_entry = journal.position();
  const bool has_entry = journal.Next().has_value();
  journal.GoTo(first_entry);
  const JournalHead& head = journal.head();
  const bool has_output = is_there(NumberedName(output + ".partial", head.output_number)) &&
                          (!head.writes_anew || head.output_inode == status.st_ino);
  return Found{std::move(journal), has_entry, has_output, {time.tv_sec, time.tv_nsec}};
}

std::optional<JournalReader> JournalReader::Open(const std::string& name) {
  FileDescriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) ThrowUnreadable(name, errno);
  JournalReader journal(name, name, std::move(file));
  return journal.ReadHead() ? std::optional(std::move(journal)) : std::nullopt;
}

std::optional<JournalReader> JournalReader::Find(const std::string& output, const std::string& path) {
  return LookForLeft([&]() -> std::optional<JournalReader> {
    std::optional<Found> latest;
    for (const std::string& name : NumberedNamesThere(path)) {
      std::optional<Found> found = Look(output, path, name);
      const bool of_use = found && found->has_entry && found->has_output;
      if (of_use && (!latest || found->time >= latest->time)) latest = std::move(found);
    }
    if (!latest) return std::nullopt;
    return std::move(latest->journal);
  });
}

std::vector<std::string> JournalReader::UnreadableMessagesAt(const std::string& path) {
  std::vector<std::string> told;
  for (const std::string& name : NumberedNamesThere(path)) {
    struct stat status {};
    if (lstat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    FileDescriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file.valid()) continue;
    JournalReader journal(path, name, std::move(file));
    if (journal.ReadHead()) continue;
    journal.GoTo(0);
    const std::string begin = journal.Peek(sizeof(std::uint64_t) + kKind.size());
    const bool is_other = begin.find(kAnyKind) != std::string::npos && begin.find(kKind) == std::string::npos;
    told.push_back(
        name + (is_other ? " is from another version of leafscore" : " is damaged, or is not leafscore's"));
  }
  return told;
}

void JournalReader::RemoveUseless(const std::string& output, int new_number) {
  const std::string path = JournalPath(output);
  struct stat status {};
  const bool is_there = lstat(output.c_str(), &status) == 0;
  try {
    for (const std::string& name : NumberedNamesThere(path)) {
      const std::optional<Found> found = Look(output, path, name);
      if (!found) continue;
      const JournalHead& head = found->journal.head();
      const bool is_gone = !found->has_output || head.output_number == new_number;
      const bool is_done = is_gone && is_there && head.output_inode == status.st_ino;
      if (!found->has_entry || is_done) unlink(name.c_str());
    }
  } catch (const Error&) {
    // A journal that cannot be read stays, and so do the journals after it.
  }
}

void JournalReader::RemoveUselessShards(const std::string& shard_path) {
  const std::string path = shard_path + ".partial";
  try {
    for (const std::string& name : NumberedNamesThere(path)) {
      const std::optional<Found> found = Look(shard_path, path, name);
      if (found && found->journal.position() == found->journal.Size()) unlink(name.c_str());
    }
  } catch (const Error&) {
    // As above.
  }
}

bool JournalReader::ReadHead() {
  const std::optional<std::string> head = Next();
  return head && UnpackHead(*head, head_);
}

std::optional<std::string> JournalReader::Next() {
  const std::optional<std::string> frame = ReadAt(file_.get(), position_, kFrameBytes, name_);
  if (!frame) return std::nullopt;
  PackedReader in(*frame);
  const auto size = in.Value<std::uint64_t>();
  if (size > kMaxPartBytes) return std::nullopt;
  std::optional<std::string> part = ReadAt(file_.get(), position_ + kFrameBytes, size, name_);
  if (!part || std::string_view(*frame).substr(sizeof size) != ChecksumOf(*part)) return std::nullopt;
  position_ += kFrameBytes + size;
  return part;
}

std::string JournalReader::Peek(std::size_t bytes) const {
  return ReadAt(file_.get(), position_ + kFrameBytes, bytes, name_).value_or("");
}

std::uint64_t JournalReader::Size() const {
  struct stat status {};
  if (fstat(file_.get(), &status) != 0) ThrowUnreadable(name_, errno);
  return static_cast<std::uint64_t>(status.st_size);
}

std::optional<std::string> JournalReader::LastBytes(std::size_t bytes) const {
  const std::uint64_t end = Size();
  return end < bytes ? std::nullopt : ReadAt(file_.get(), end - bytes, bytes, name_);
}

std::string DifferenceOf(std::span<const RunFact> then, std::span<const RunFact> now) {
  const auto [was, is] = std::ranges::mismatch(then, now);
  if (was == then.end() && is == now.end()) return {};
  const auto has = [](std::span<const RunFact> facts, const std::string& name) {
    return std::ranges::find(facts, name, &RunFact::name) != facts.end();
  };
  if (was == then.end() || (is != now.end() && !has(then, is->name))) {
    return fmt::format("{} was not given and is {}", is->name, QuoteForMessage(is->value, 256));
  }
  if (is == now.end() || is->name != was->name) {
    return fmt::format("{} was {} and is not given", was->name, QuoteForMessage(was->value, 256));
  }
  return fmt::format("{} was {} and is {}", was->name, QuoteForMessage(was->value, 256),
                     QuoteForMessage(is->value, 256));
}

void CheckSameRun(const JournalReader& journal, const std::vector<RunFact>& now) {
  const std::string what = DifferenceOf(journal.head().facts, now);
  if (what.empty()) return;
  throw Error(ErrorCode::kUsage, fmt::format("cannot continue the run that left {}: {}; give the same again, "
                                             "or leave out --resume to start over",
                                             journal.name(), what));
}

}  // namespace leafscore::internal
