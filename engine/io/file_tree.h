// engine/io/file_tree.h: the files below a folder that the user names, and nothing else.
//
// Symbolic links below the folder are never followed: each step of a path is opened in the folder before it
// with O_NOFOLLOW, when files are listed and again when they are read, so that a folder that is swapped for a
// link meanwhile leads nowhere. What is no regular file (pipes, devices) is not opened. The named path itself
// may be a link; it may also be a single file, which is then all there is.
#ifndef LEAFSCORE_ENGINE_IO_FILE_TREE_H_
#define LEAFSCORE_ENGINE_IO_FILE_TREE_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/file_descriptor.h"

namespace leafscore::internal {

// Something that was found and not read.
struct SkippedFile {
  std::string path;
  std::string why;
};

// What tells one folder from every other.
struct FolderIdentity {
  dev_t device;
  ino_t inode;
  bool operator==(const FolderIdentity&) const = default;
};

// THREADS: does not change once made; any number may read it.
class FileTree {
 public:
  struct File {
    std::string path;  // from the root, names joined by slashes
    std::uint64_t bytes;
  };
  struct Listing {
    std::vector<File> files;           // by path
    std::vector<std::string> folders;  // by path, without the root
    std::vector<SkippedFile> skipped;  // by path
  };

  // ERRORS: Error(kInput) when there is no such folder or file; Error(kUsage) from CheckPath.
  explicit FileTree(const std::string& root);

  // Lists the regular files whose name is wanted. What has such a name and is something else, every symbolic
  // link, and every folder that cannot be read or lies deeper than 64 others is skipped. `except` and all in
  // it is passed over. COST: one look at each entry; one folder is open at a time.
  Listing List(const std::function<bool(std::string_view name)>& wanted,
               std::optional<FolderIdentity> except) const;

  // Returns the path as the user would write it, valid UTF-8.
  std::string DisplayPath(std::string_view path) const;

  // The name of the root folder, also for "." and "..".
  const std::string& root_name() const { return root_name_; }
  bool is_file() const { return !only_file_.empty(); }  // the root is one
  FolderIdentity identity() const;
  int fd() const { return root_.get(); }

 private:
  std::string display_root_;  // as the user wrote it, with a slash behind a folder
  std::string root_name_;
  std::string only_file_;  // when the root is a file: its name; the folder around it is then the root
  FileDescriptor root_;
};

// Reads files of a tree. Keeps the folder of the last one open, as files mostly come folder by folder.
// THREADS: one at a time.
class FileTreeReader {
 public:
  // REQUIRES: `tree` outlives this.
  explicit FileTreeReader(const FileTree& tree) : tree_(tree) {}

  // Reads a whole file into `bytes`, without a byte order mark in front.
  // RETURNS: why it could not be read; empty when it was.
  std::string Read(const std::string& path, std::size_t max_bytes, std::string& bytes);

 private:
  const FileTree& tree_;
  std::string folder_path_;
  FileDescriptor folder_;
};

// Splits a path into the part before its last slash and the name behind it.
struct SplitPath {
  explicit SplitPath(std::string_view path);
  std::string_view folder;  // empty when there is no slash
  std::string_view name;
};

// Returns the name without its last extension.
std::string_view Stem(std::string_view name);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_FILE_TREE_H_
