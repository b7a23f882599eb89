// engine/io/file_tree.h: reads the files below a folder that the user names, and no others.
//
// Symbolic links below the folder are never followed: each step of a path is opened with O_NOFOLLOW in the
// folder before it, both when files are listed and when they are read. So swapping a folder for a link in
// between has no effect. Only regular files are opened (no pipes or devices). The named path itself may be a
// link. It may also be a single file, which is then the only file.
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

// An entry that was found but not read.
struct SkippedFile {
  std::string path;
  std::string why;
};

// Identifies a folder.
struct FolderIdentity {
  dev_t device;
  ino_t inode;
  bool operator==(const FolderIdentity&) const = default;
};

// THREADS: immutable once made; any number may read it.
class FileTree {
 public:
  struct File {
    std::string path;  // relative to the root, with slashes
    std::uint64_t bytes;
  };
  struct Listing {
    std::vector<File> files;           // sorted by path
    std::vector<std::string> folders;  // sorted by path, without the root
    std::vector<SkippedFile> skipped;  // sorted by path
  };

  // ERRORS: Error(kInput) if there is no such folder or file; Error(kUsage) from CheckPath.
  explicit FileTree(const std::string& root);

  // Lists the regular files whose name is wanted. Listed as skipped are all symbolic links, anything else
  // with a wanted name, and folders that cannot be read or are nested more than 64 deep. The folder `except`
  // is ignored. COST: one look at each entry; one folder is open at a time.
  Listing List(const std::function<bool(std::string_view name)>& wanted,
               std::optional<FolderIdentity> except) const;

  // Returns the path as the user would write it, as valid UTF-8.
  std::string DisplayPath(std::string_view path) const;

  // Returns the name of the root folder, even for "." and "..".
  const std::string& root_name() const { return root_name_; }
  bool is_file() const { return !only_file_.empty(); }  // the root is a single file
  FolderIdentity identity() const;
  int fd() const { return root_.get(); }

 private:
  std::string display_root_;  // as the user wrote it, with a slash after a folder
  std::string root_name_;
  std::string only_file_;  // the name of the file, if the user named a file; root_ is then its folder
  FileDescriptor root_;
};

// Reads files of a tree. It keeps the folder of the last file open, because files mostly come folder by
// folder.
// THREADS: one at a time.
class FileTreeReader {
 public:
  // REQUIRES: `tree` outlives this.
  explicit FileTreeReader(const FileTree& tree) : tree_(tree) {}

  // Reads a whole file into `bytes`, without its byte order mark.
  // RETURNS: why it could not be read; empty if it was.
  std::string Read(const std::string& path, std::size_t max_bytes, std::string& bytes);

 private:
  const FileTree& tree_;
  std::string folder_path_;
  FileDescriptor folder_;
};

// A path split into the part before its last slash and the name after it.
struct SplitPath {
  explicit SplitPath(std::string_view path);
  std::string_view folder;  // empty if there is no slash
  std::string_view name;
};

// Returns the name without its last extension.
std::string_view Stem(std::string_view name);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_FILE_TREE_H_
