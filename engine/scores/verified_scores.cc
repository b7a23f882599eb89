#include "engine/scores/verified_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/base/limits.h"
#include "engine/io/byte_source.h"
#include "engine/io/record_reader.h"
#include "engine/io/tool_files.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kDataBegin = RecordBatch::kDataBegin;

// Returns the manifests in the file beside an output: usually one. While a baseline is being replaced
// (cli/compare_command.cc), the manifest of the new scores comes first, then the manifest of the old ones.
std::vector<Manifest> ReadManifestsBeside(const std::string& output) {
  const std::string path = ManifestPath(output);
  std::error_code error;
  const bool is_there = std::filesystem::exists(path, error);
  if (error) ThrowUnreadable(path, error.value());
  if (!is_there) return {};
  const std::unique_ptr<ByteSource> source = OpenByteSource(path);
  std::string text;
  char piece[4096];
  while (const std::size_t n = source->Read(std::as_writable_bytes(std::span(piece)))) {
    text.append(piece, n);
    if (text.size() > kMaxLineBytes.default_value) {  // the limit for a trailer, which is one line
      throw Error(ErrorCode::kInput, path + " is too long for a manifest");
    }
  }
  std::vector<Manifest> manifests;
  std::string_view rest = text;
  do {
    constexpr std::string_view kEnd = "\n}\n";  // no text and no inner object ends like this
    const std::size_t end = rest.find(kEnd);
    const std::size_t size = end == std::string_view::npos ? rest.size() : end + kEnd.size();
    manifests.push_back(ReadManifest(rest.substr(0, size), path));
    rest.remove_prefix(size);
  } while (rest.find_first_not_of(" \t\r\n") != std::string_view::npos);
  return manifests;
}

// Counts and checks the parts of an output as they are read.
class ReadScores {
 public:
  explicit ReadScores(const std::string& shown) : shown_(shown) {}

  // Adds the next batch, and removes the trailer and everything after it from the batch.
  void Add(RecordBatch& batch) {
    if (trailer_) return batch.records.clear();
    std::size_t records = 0;
    std::uint32_t end = batch.data_end;
    while (records != batch.records.size() && !trailer_) {
      const RecordSpan& span = batch.records[records];
      const std::string_view line = batch.Text(span);
      if (line.starts_with(kTrailerBegin)) {
        trailer_ = ReadTrailer(line, "the trailer of " + shown_);
        end = span.begin;
        bytes_ = batch.OffsetOf(span);
        bytes_with_trailer_ = bytes_ + line.size() + 1;
      } else {
        ++records;
      }
    }
    batch.records.resize(records);
    lines_ += records;
    checksum_.Add({batch.bytes.data() + kDataBegin, end - kDataBegin});
  }

  // Ends the output after `bytes` bytes. REQUIRES: nothing is added later.
  // ERRORS: Error(kInput) if something follows the trailer.
  void End(std::uint64_t bytes) {
    if (!trailer_) {
      bytes_ = bytes;
    } else if (bytes != bytes_with_trailer_) {
      throw Error(ErrorCode::kInput,
                  shown_ +
                      " does not end with its trailer: it was cut, or something was added; "
                      "score it again");
    }
  }

  const std::optional<Manifest>& trailer() const { return trailer_; }

  // Returns whether the manifest describes these scores.
  bool Fit(const Manifest& manifest) const {
    return bytes_ == manifest.bytes && lines_ == manifest.lines && checksum_.Text() == manifest.checksum;
  }

  // ERRORS: Error(kInput) that says what differs.
  void Check(const Manifest& manifest) const {
    if (Fit(manifest)) return;
    throw Error(
        ErrorCode::kInput,
        fmt::format("{} {}: it has {} bytes of scores in {} lines ({}), and its manifest says {} bytes in "
                    "{} lines ({}); score it again",
                    shown_, WhatHappened(manifest), bytes_, lines_, checksum_.Text(), manifest.bytes,
                    manifest.lines, manifest.checksum));
  }

 private:
  std::string WhatHappened(const Manifest& manifest) const {
    if (bytes_ < manifest.bytes) return "was cut short";
    if (bytes_ == manifest.bytes) return "was edited";
    const std::uint64_t times = manifest.bytes == 0 ? 0 : bytes_ / manifest.bytes;
    const bool repeats = times > 1 && bytes_ == times * manifest.bytes && lines_ == times * manifest.lines;
    return repeats ? fmt::format("has its scores {} times", times) : "was added to";
  }

  const std::string& shown_;
  Checksum checksum_;
  std::uint64_t bytes_ = 0;
  std::uint64_t lines_ = 0;
  std::optional<Manifest> trailer_;
  std::uint64_t bytes_with_trailer_ = 0;
};

// Returns whether a file with this beginning is CSV that leafscore wrote.
bool IsCsvOfScores(std::string_view head) { return head.starts_with("id,id_from,"); }

// Returns the beginning of a file; empty for a pipe, whose bytes would be lost, and for a file that cannot be
// read.
std::string HeadOf(const std::string& path) {
  std::string head(kToolHeadBytes, '\0');
  std::size_t size = 0;
  try {
    if (path == "-" || !ProbeInput(path)) return "";
    const std::unique_ptr<ByteSource> source = OpenByteSource(path);
    while (size < head.size()) {
      const std::size_t read = source->Read(std::as_writable_bytes(std::span(head)).subspan(size));
      if (read == 0) break;
      size += read;
    }
  } catch (const Error&) {
    size = 0;
  }
  head.resize(size);
  return head;
}

// Returns whether a file without a manifest begins like a table, or with lines that leafscore never writes.
bool MayBeOfAnotherTool(std::string_view head) {
  if (head.empty() || IsCsvOfScores(head)) return false;
  const std::size_t line_end = head.find('\n');
  const bool shows_scorer = head.find("\"scorer\"") != std::string_view::npos;
  return line_end != std::string_view::npos && !shows_scorer;
}

// Returns a better error for a file without a manifest that another tool may have written: it names the
// command that makes scores from the file.
std::optional<Error> WithConversion(const std::string& path, const Error& error) {
  if (error.code() != ErrorCode::kInput) return std::nullopt;
  const std::string head = HeadOf(path);
  if (const std::string_view kind = ToolFileKind(head); !kind.empty()) {
    return Error(ErrorCode::kInput,
                 fmt::format("{} looks like {}; this makes scores from it that can be compared: {}", path,
                             kind, ConvertToScores(path)));
  }
  if (!MayBeOfAnotherTool(head)) return std::nullopt;
  // An error about JSON would not help somebody who gave a table.
  const std::string_view first = std::string_view(head).substr(0, head.find('\n'));
  const bool is_table = first.find_first_of("{[") == std::string_view::npos &&
                        first.find_first_of(",;\t") != std::string_view::npos;
  return Error(
      ErrorCode::kInput,
      fmt::format("{}; if another tool computed the scores in it, this converts them to leafscore's: {}",
                  is_table ? path + " has a table, not lines of leafscore's scores" : error.what(),
                  ConvertToScores(path)));
}

// Does what ReadVerifiedScores does, given the manifests beside the output.
std::optional<Manifest> Read(const std::string& path, const std::vector<Manifest>& beside,
                             bool accept_unverified, const std::function<void(const RecordBatch&)>& use,
                             std::uint64_t max_ratio, const std::atomic<bool>* stop) {
  const std::string shown = path == "-" ? "standard input" : path;
  ReadScores read(shown);
  std::exception_ptr problem;
  ReaderOptions how;
  how.max_ratio = max_ratio;
  how.format = std::nullopt;  // lines, whatever they contain
  how.stop = stop;
  RecordReader reader({path}, how);
  RecordBatch batch;
  while (reader.Next(batch)) {
    if (batch.first_record_in_run == 1 && IsCsvOfScores(batch.Text(batch.records.front()))) {
      throw Error(ErrorCode::kInput, fmt::format("{} has scores as CSV, which is an export; give lines of "
                                                 "JSON (score again with -o scores.jsonl), or convert it: {}",
                                                 shown, ConvertToScores(path)));
    }
    read.Add(batch);
    if (problem || batch.records.empty()) continue;
    try {
      use(batch);
    } catch (const Error&) {
      problem = std::current_exception();
    }
  }
  if (reader.stopped()) throw Error(ErrorCode::kInterrupted, "reading " + shown + " was stopped");
  read.End(reader.decoded_bytes());

  std::optional<Manifest> manifest = read.trailer();
  if (!beside.empty()) {
    const auto fitting = std::ranges::find_if(beside, [&](const Manifest& m) { return read.Fit(m); });
    manifest = fitting == beside.end() ? beside.front() : *fitting;
  }
  if (manifest) read.Check(*manifest);
  if (manifest && read.trailer() && ManifestJson(*manifest) != ManifestJson(*read.trailer())) {
    throw Error(ErrorCode::kInput, fmt::format("the trailer of {} differs from the manifest beside it: one "
                                               "of them is from another run; score it again",
                                               shown));
  }
  if (problem) std::rethrow_exception(problem);
  if (!manifest && !accept_unverified) {
    throw Error(ErrorCode::kInput, fmt::format("{} has no manifest, so it may be incomplete; score it again "
                                               "with --output (or --trailer), or accept it with --unverified",
                                               shown));
  }
  return manifest;
}

}  // namespace

std::optional<Manifest> ReadVerifiedScores(const std::string& path, bool accept_unverified,
                                           const std::function<void(const RecordBatch&)>& use,
                                           std::uint64_t max_ratio, const std::atomic<bool>* stop) {
  const std::vector<Manifest> beside = ReadManifestsBeside(path);
  try {
    return Read(path, beside, accept_unverified, use, max_ratio, stop);
  } catch (const Error& error) {
    const std::optional<Error> better = beside.empty() ? WithConversion(path, error) : std::nullopt;
    if (better) throw *better;
    throw;
  }
}

}  // namespace leafscore::internal
