#include "engine/io/file_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "engine/base/utf8.h"
#include "engine/io/path.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxFolderDepth = 64;
constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

std::string ErrnoText() { return std::generic_category().message(errno); }

// Opens a folder below another, step by step and without following symbolic links. On failure, errno says
// why.
FileDescriptor OpenFolder(int root, std::string_view path) {
  FileDescriptor folder(openat(root, ".", kFolderFlags));
  while (folder.valid() && !path.empty()) {
    const std::string name(path.substr(0, path.find('/')));
    path.remove_prefix(std::min(path.size(), name.size() + 1));
    folder = FileDescriptor(openat(folder.get(), name.c_str(), kFolderFlags | O_NOFOLLOW));
  }
  return folder;
}

struct FolderCloser {
  void operator()(DIR* stream) const { closedir(stream); }
};
using FolderStream = std::unique_ptr<DIR, FolderCloser>;

std::size_t DepthOf(std::string_view folder) {
  return folder.empty() ? 0 : 1 + static_cast<std::size_t>(std::ranges::count(folder, '/'));
}

FolderIdentity IdentityOf(const struct stat& status) { return {status.st_dev, status.st_ino}; }

}  // namespace

SplitPath::SplitPath(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  folder = path.substr(0, slash == std::string_view::npos ? 0 : slash);
  name = path.substr(slash + 1);  // npos + 1 is 0
}

std::string_view Stem(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == 0 ? name : name.substr(0, dot);
}

FileTree::FileTree(const std::string& root) {
  namespace fs = std::filesystem;
  CheckPath(root);
  std::error_code error;
  fs::path folder = fs::canonical(root, error);
  if (error) throw Error(ErrorCode::kInput, "cannot open " + root + ": " + error.message());
  display_root_ = root;
  if (fs::is_regular_file(folder, error)) {
    only_file_ = folder.filename().string();
    folder = folder.parent_path();
  } else if (!display_root_.ends_with('/')) {
    display_root_ += '/';
  }
  root_name_ = folder.filename().string();
  root_ = FileDescriptor(open(folder.c_str(), kFolderFlags));
  if (!root_.valid()) throw Error(ErrorCode::kInput, "cannot open " + root + ": " + ErrnoText());
}

FolderIdentity FileTree::identity() const {
  struct stat status {};
  fstat(root_.get(), &status);
  return IdentityOf(status);
}

std::string FileTree::DisplayPath(std::string_view path) const {
  return ReplaceInvalidUtf8(only_file_.empty() ? display_root_ + std::string(path) : display_root_);
}

FileTree::Listing FileTree::List(const std::function<bool(std::string_view name)>& wanted,
                                 std::optional<FolderIdentity> except) const {
  Listing listing;
  const auto skip = [&](std::string path, std::string why) {
    listing.skipped.push_back({std::move(path), std::move(why)});
  };
  std::vector<std::string> pending;

  // Records one entry of an open folder.
  const auto add = [&](int folder, const char* name, std::string path) {
    struct stat status {};
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT) skip(std::move(path), ErrnoText());
    } else if (S_ISLNK(status.st_mode)) {
      skip(std::move(path), "it is a symbolic link; these are not followed");
    } else if (S_ISDIR(status.st_mode)) {
      if (IdentityOf(status) == except) return;
      listing.folders.push_back(path);
      pending.push_back(std::move(path));
    } else if (!wanted(name)) {
      return;
    } else if (!S_ISREG(status.st_mode)) {
      skip(std::move(path), "it is not a regular file");
    } else {
      listing.files.push_back({std::move(path), static_cast<std::uint64_t>(status.st_size)});
    }
  };

  if (!only_file_.empty()) {
    add(root_.get(), only_file_.c_str(), only_file_);
    return listing;
  }
  pending.emplace_back();
  while (!pending.empty()) {
    const std::string path = std::move(pending.back());
    pending.pop_back();
    if (DepthOf(path) > kMaxFolderDepth) {
      skip(path, fmt::format("it lies deeper than {} folders", kMaxFolderDepth));
      continue;
    }
    FileDescriptor folder = OpenFolder(root_.get(), path);
    const FolderStream stream(folder.valid() ? fdopendir(folder.get()) : nullptr);
    if (stream == nullptr) {
      skip(path, ErrnoText());
      continue;
    }
    const int fd = folder.Release();  // now owned by the stream
    for (;;) {
      errno = 0;
      const dirent* const entry = readdir(stream.get());
      if (entry == nullptr) {
        if (errno != 0) skip(path, "it could be listed only in part: " + ErrnoText());
        break;
      }
      const std::string_view name = entry->d_name;
      if (name == "." || name == "..") continue;
      add(fd, entry->d_name, path.empty() ? std::string(name) : fmt::format("{}/{}", path, name));
    }
  }
  std::ranges::sort(listing.files, {}, &File::path);
  std::ranges::sort(listing.folders);
  std::ranges::sort(listing.skipped, {}, &SkippedFile::path);
  return listing;
}

std::string FileTreeReader::Read(const std::string& path, std::size_t max_bytes, std::string& bytes) {
  const SplitPath split(path);
  if (!folder_.valid() || split.folder != folder_path_) {
    folder_ = OpenFolder(tree_.fd(), split.folder);
    if (!folder_.valid()) return ErrnoText();
    folder_path_ = split.folder;
  }
  // O_NONBLOCK: if a pipe took the file's place, do not wait for it.
  const FileDescriptor file(
      openat(folder_.get(), split.name.data(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.valid()) return ErrnoText();
  struct stat status {};
  if (fstat(file.get(), &status) != 0) return ErrnoText();
  if (!S_ISREG(status.st_mode)) return "it is not a regular file";
  std::string too_large = fmt::format("it is larger than --max-file-bytes, {}", max_bytes);
  std::size_t size = static_cast<std::size_t>(status.st_size);
  if (size > max_bytes) return too_large;
  // One byte more than expected: if that byte is not filled, the file has ended.
  bytes.resize(size + 1);
  const std::size_t expected = std::exchange(size, 0);
  for (;;) {
    const ssize_t n = read(file.get(), bytes.data() + size, bytes.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return ErrnoText();
    size += static_cast<std::size_t>(n);
    if (size > max_bytes) return too_large;
    if (n == 0 || (expected <= size && size < bytes.size())) break;
    if (size == bytes.size()) bytes.resize(2 * size);
  }
  bytes.resize(size);
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kByteOrderMark)) bytes.erase(0, kByteOrderMark.size());
  return {};
}

}  // namespace leafscore::internal
