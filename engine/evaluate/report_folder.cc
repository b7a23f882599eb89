#include "engine/evaluate/report_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "engine/base/checksum.h"
#include "engine/base/utf8.h"
#include "engine/io/atomic_file.h"
#include "engine/io/path.h"
#include "engine/io/write_file.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"
#include "leafscore/error.h"
#include "leafscore/version.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kMaxNameBytes = 200;  // leaves room for a number and endings within 255
constexpr std::size_t kReportBlockBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxListBytes = std::size_t{1} << 30;

// Returns whether a report can have this name (ReportNames). All other files belong to the user, even if the
// list names them.
bool IsReportName(std::string_view name) {
  constexpr std::string_view kNever("/\0", 2);
  return !name.starts_with('.') && name.ends_with(".json") && name.find_first_of(kNever) == name.npos;
}

}  // namespace

ReportList ParseReportList(std::string_view json) {
  ShapeTable shapes;
  JsonReader reader(&shapes);
  LeafTable table;
  reader.Begin(json, /*lines=*/false, &table);
  const JsonResult result = reader.Read(0, static_cast<std::uint32_t>(json.size()));
  ReportList list;
  JsonView(table, shapes, result.root).Member("reports").ForEachChild([&](JsonView report) {
    std::optional<std::string> name = report.Member("name").Text();
    const std::optional<double> bytes = report.Member("bytes").Number();
    std::optional<std::string> checksum = report.Member("checksum").Text();
    if (!name || !IsReportName(*name) || !bytes || !(*bytes >= 0 && *bytes < 1e15) || !checksum) return;
    list[*std::move(name)] = {static_cast<std::uint64_t>(*bytes), *std::move(checksum)};
  });
  return list;
}

std::string ReportListJson(const ReportList& list) {
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  json.StartObject();
  json.Key("leafscore").String(Version());
  json.Key("reports").StartArray();
  for (const auto& [name, written] : list) {
    json.StartObject();
    json.Key("name").String(name);
    json.Key("bytes").Integer(written.bytes);
    json.Key("checksum").String(written.checksum);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return text + '\n';
}

std::string ReportNames::NameFor(std::string_view run_id) {
  std::string name(ClipText(run_id, kMaxNameBytes));
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '/') c = '_';
  }
  if (name.empty()) name.resize(1);
  if (name[0] == '.' || name[0] == '\0') name[0] = '_';
  std::string given = name;
  while (!taken_.emplace(given, 1).second) given = name + '-' + std::to_string(++taken_[name]);
  return given + ".json";
}

ReportFolder::ReportFolder(const std::string& path) : path_(path) {
  CheckPath(path);
  std::error_code error;
  std::filesystem::create_directories(path, error);  // if this fails, opening the folder fails as well
  folder_ = FileDescriptor(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_.valid()) ThrowOutputError("cannot write reports into " + path, errno);
  if (flock(folder_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw Error(ErrorCode::kOutput, "another run is writing reports into " + path +
                                        ": wait until it ends, or name another folder");
  }
  for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
    const std::string name = entry.path().filename();
    if (name.starts_with('.') && name.find(".json.partial") != name.npos) leftovers_.push_back(entry.path());
  }
  std::ranges::sort(leftovers_);
  const std::string kept = "." + std::string(kAggregateName) + ".results";
  NewFile made = MakeNewFile(folder_.get(), kept, 0600);
  if (!made.file.valid()) ThrowOutputError("cannot write reports into " + path, errno);
  unlinkat(folder_.get(), made.name.c_str(), 0);
  kept_ = std::move(made.file);
  std::string list;
  const FileTree tree(path);
  if (FileTreeReader(tree).Read(std::string(kReportListName), kMaxListBytes, list).empty()) {
    earlier_ = ParseReportList(list);
  }
}

FolderIdentity ReportFolder::identity() const {
  struct stat status {};
  fstat(folder_.get(), &status);
  return {status.st_dev, status.st_ino};
}

WrittenReport ReportFolder::Write(const std::string& name, std::string_view bytes) const {
  const std::string shown = path_ + "/" + name;
  AtomicFile file(folder_.get(), name, shown);
  if (WriteAll(file.fd(), bytes) < bytes.size() || !file.Rename()) {
    ThrowOutputError("cannot write " + shown, errno);
  }
  return {bytes.size(), ChecksumOf(bytes)};
}

void ReportFolder::Record(const std::string& name, WrittenReport written) {
  earlier_.erase(name);
  written_[name] = std::move(written);
}

void ReportFolder::KeepForAggregate(std::string_view lines) {
  pending_ += lines;
  if (pending_.size() >= kReportBlockBytes) WriteKept();
}

void ReportFolder::WriteKept() {
  if (WriteAll(kept_.get(), pending_) < pending_.size())
    ThrowOutputError("cannot write into " + path_, errno);
  pending_.clear();
}

void ReportFolder::ForEachKept(const std::function<void(std::string_view line)>& visit) {
  WriteKept();
  std::string block(kReportBlockBytes, '\0');
  std::string line;
  for (off_t done = 0;;) {
    const ssize_t n = pread(kept_.get(), block.data(), block.size(), done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) ThrowOutputError("cannot read back the files written into " + path_, errno);
    if (n == 0) break;
    done += n;
    std::string_view rest(block.data(), static_cast<std::size_t>(n));
    for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1)) {
      line += rest.substr(0, end);
      visit(line);
      line.clear();
    }
    line += rest;
  }
}

void ReportFolder::WriteAggregate(const std::function<void(JsonWriter& json)>& write_members) {
  const std::string name(kAggregateName);
  const std::string shown = path_ + "/" + name;
  AtomicFile file(folder_.get(), name, shown);
  std::string text;
  const auto flush = [&] {
    if (WriteAll(file.fd(), text) < text.size()) ThrowOutputError("cannot write " + shown, errno);
    text.clear();
  };
  JsonWriter json(text, JsonLayout::kIndented);
  json.StartObject();
  write_members(json);
  json.Key("results").StartArray();
  ForEachKept([&](std::string_view result) {
    json.Raw(result);
    if (text.size() >= kReportBlockBytes) flush();
  });
  json.EndArray();
  json.EndObject();
  text += '\n';
  flush();
  if (!SyncFile(file.fd()) || !file.Rename()) ThrowOutputError("cannot write " + shown, errno);
  file.SyncFolder();
}

EarlierReports ReportFolder::EndList(bool clean) {
  EarlierReports earlier;
  const bool had_list = !earlier_.empty();
  std::erase_if(earlier_, [&](const auto& report) {
    const auto& [name, written] = report;
    struct stat status {};
    const bool is_there = fstatat(folder_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                          S_ISREG(status.st_mode) &&
                          static_cast<std::uint64_t>(status.st_size) == written.bytes;
    const bool removed = is_there && clean && RemoveEarlier(name, written);
    earlier.there += is_there;
    earlier.removed += removed;
    return !is_there || removed;
  });
  ReportList all = earlier_;
  all.insert(written_.begin(), written_.end());
  const std::string list(kReportListName);
  if (!all.empty()) {
    Write(list, ReportListJson(all));
  } else if (had_list) {
    unlinkat(folder_.get(), list.c_str(), 0);
  }
  return earlier;
}

bool ReportFolder::RemoveEarlier(const std::string& name, const WrittenReport& written) const {
  const FileTree tree(path_);
  std::string bytes;
  return FileTreeReader(tree).Read(name, static_cast<std::size_t>(written.bytes), bytes).empty() &&
         ChecksumOf(bytes) == written.checksum && unlinkat(folder_.get(), name.c_str(), 0) == 0;
}

}  // namespace leafscore::internal
