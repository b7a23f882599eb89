#include "engine/judge/side_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "engine/base/file_descriptor.h"
#include "engine/base/suggest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kBeginBytes = 8;

// Tells whether a file that is not empty begins as SQLite's do: https://sqlite.org/fileformat2.html, sections
// 3 and 4, and https://sqlite.org/walformat.html, section 1.2. The begin of a journal is zero once it is of
// no use, and that of an index until it is made.
bool BeginsAsOf(std::string_view end, std::string_view begin) {
  constexpr std::uint32_t kIndexVersion = 3007000;
  if (end == "-wal")
    return begin.starts_with("\x37\x7f\x06\x82"sv) || begin.starts_with("\x37\x7f\x06\x83"sv);
  if (begin.find_first_not_of('\0') == begin.npos) return true;
  if (end == "-journal") return begin == "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"sv;
  std::uint32_t version = 0;
  if (begin.size() >= sizeof version) std::memcpy(&version, begin.data(), sizeof version);
  return version == kIndexVersion;
}

bool IsOfSqlite(const std::string& name, std::string_view end) {
  struct stat status {};
  if (lstat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink != 1) return false;
  const FileDescriptor file(open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  std::array<char, kBeginBytes> begin;
  const ssize_t n = file.valid() ? pread(file.get(), begin.data(), begin.size(), 0) : -1;
  return n >= 0 && (n == 0 || BeginsAsOf(end, {begin.data(), static_cast<std::size_t>(n)}));
}

}  // namespace

void CheckSideFiles(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path database =
      fs::weakly_canonical(path, error);  // SQLite keeps them beside what a link leads to
  if (error) return;                      // which cannot be opened
  const bool is_there = fs::exists(database, error);
  for (const std::string_view end : {"-journal", "-wal", "-shm"}) {
    const std::string name = database.string() + std::string(end);
    const bool is_free = !fs::exists(fs::symlink_status(name, error));
    if (is_free || (is_there && IsOfSqlite(name, end))) continue;
    throw Error(
        ErrorCode::kOutput,
        fmt::format("{} is no file of the cache {}, and would be replaced by one: move it away, or name "
                    "another cache",
                    QuoteForMessage(name, 256), QuoteForMessage(path, 256)));
  }
}

}  // namespace leafscore::internal
