#include "engine/run/kept_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/base/file_descriptor.h"
#include "engine/base/packed_bytes.h"
#include "engine/io/read_text.h"
#include "engine/io/write_file.h"
#include "engine/run/run_journal.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kKind = "leafscore kept files";

std::string ChecksumOfFile(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return ChecksumOf(std::string(std::istreambuf_iterator<char>(file), {}));
}

// Reads the last part of a journal, which ends with its own position. RETURNS: nothing where there is none.
std::vector<KeptFile> KeptFilesOf(const std::string& name) {
  std::vector<KeptFile> files;
  std::optional<JournalReader> journal = JournalReader::Open(name);
  const std::optional<std::string> last = journal ? journal->LastBytes(sizeof(std::uint64_t)) : std::nullopt;
  if (!last) return files;
  journal->GoTo(PackedReader(*last).Value<std::uint64_t>());
  const std::optional<std::string> part = journal->Next();
  if (!part || journal->position() + last->size() != journal->Size()) return files;
  PackedReader in(*part);
  if (in.Text() != kKind) return files;
  for (auto count = in.Value<std::uint64_t>(); count != 0 && in.good(); --count) {
    KeptFile& file = files.emplace_back();
    file.number = in.Value<std::uint64_t>();
    file.checksum = in.Text();
  }
  return files;
}

bool IsOfThisUser(const std::string& name, struct stat& status) {
  return lstat(name.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
}

bool IsUnchanged(const KeptFile& file, const std::string& name) {
  struct stat status {};
  return IsOfThisUser(name, status) && status.st_ino == file.number && status.st_nlink == 1 &&
         ChecksumOfFile(name) == file.checksum;
}

constexpr std::size_t kMaxSummaryBytes = 256 << 20;  // a larger file is none
constexpr std::string_view kSealName = ",\n  \"ended_early\": ";

// `body` is the object less its end.
std::string Sealed(std::string_view body, const struct stat& status) {
  return fmt::format("{}{}{{\"file\": {}, \"checksum\": \"{}\"}}\n}}\n", body, kSealName, status.st_ino,
                     ChecksumOf(body));
}

}  // namespace

void AddKeptFile(const std::string& journal, int fd, std::string_view content) {
  struct stat status {};
  if (fstat(fd, &status) != 0) return;
  try {
    std::vector<KeptFile> files = KeptFilesOf(journal);
    files.push_back({status.st_ino, ChecksumOf(content)});
    std::string part;
    PackedWriter out(part);
    out.Text(kKind);
    out.Value<std::uint64_t>(files.size());
    for (const KeptFile& kept : files) {
      out.Value(kept.number);
      out.Text(kept.checksum);
    }
    part = FramedPart(part);
    const FileDescriptor end(open(journal.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW));
    PackedWriter(part).Value(static_cast<std::uint64_t>(lseek(end.get(), 0, SEEK_END)));
    WriteAll(end.get(), part);
  } catch (const std::exception&) {
    // The journal or the file cannot be read now.
  }
}

std::vector<KeptFile> ReadKeptFiles(const std::string& output) {
  try {
    const std::optional<JournalReader> journal = JournalReader::Find(output);
    return journal ? KeptFilesOf(journal->name()) : std::vector<KeptFile>();
  } catch (const Error&) {
    return {};  // the run will say what cannot be read
  }
}

void RemoveKeptFiles(std::span<const KeptFile> files, const std::string& summary) {
  if (files.empty()) return;
  try {
    for (const std::string& name : NumberedNamesThere(summary + ".partial")) {
      const auto is_this = [&](const KeptFile& file) { return IsUnchanged(file, name); };
      if (std::ranges::any_of(files, is_this)) unlink(name.c_str());
    }
  } catch (const Error&) {
    // The folder cannot be listed now: then they stay.
  }
}

std::string SealedSummary(std::string_view summary, int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) return std::string(summary);
  const std::string_view members = summary.substr(0, summary.rfind('}'));
  return Sealed(members.substr(0, members.find_last_not_of('\n') + 1), status);
}

bool IsSealedSummary(const std::string& name) {
  struct stat status {};
  if (!IsOfThisUser(name, status) || status.st_nlink != 1) return false;
  try {
    const std::string text = ReadText(name, kMaxSummaryBytes);
    const std::size_t seal = text.rfind(kSealName);
    return seal != std::string::npos && text == Sealed(std::string_view(text).substr(0, seal), status);
  } catch (const std::exception&) {
    return false;
  }
}

void RemoveSealedSummaries(const std::string& path, const std::string& but_this) {
  try {
    for (const std::string& name : NumberedNamesThere(path + ".partial")) {
      if (name != but_this && IsSealedSummary(name)) unlink(name.c_str());
    }
  } catch (const Error&) {
    // The folder cannot be listed now: then they stay.
  }
}

}  // namespace leafscore::internal
