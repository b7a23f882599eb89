#include "cli/baseline.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>

#include "cli/terminal.h"
#include "engine/io/byte_source.h"
#include "engine/io/output_file.h"
#include "engine/io/write_file.h"
#include "engine/run/run_manifest.h"
#include "engine/scores/manifest.h"
#include "engine/scores/verified_scores.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Returns a copy that is whole, but has no name yet.
std::unique_ptr<OutputFile> CopyOf(const std::string& from, const std::string& to,
                                   const std::atomic<bool>* stop) {
  std::unique_ptr<OutputFile> copy = OutputFile::Open(to, stop);
  PrintLeftovers(copy->leftovers());
  const std::unique_ptr<ByteSource> source = OpenByteSource(from, stop);
  std::string piece(1 << 20, '\0');
  while (const std::size_t size = source->Read(std::as_writable_bytes(std::span(piece)))) {
    copy->Write(std::string_view(piece).substr(0, size));
  }
  copy->Complete();
  return copy;
}

bool Exists(const std::string& path) {
  std::error_code error;
  const bool exists = std::filesystem::exists(path, error);
  if (error) ThrowUnreadable(path, error.value());  // and is not taken for missing
  return exists;
}

void Remove(const std::string& path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error) ThrowOutputError("cannot remove " + path, error.value());
}

void WriteWhole(const std::string& path, std::string_view text, const std::atomic<bool>* stop) {
  const std::unique_ptr<OutputFile> file = OutputFile::Open(path, stop);
  PrintLeftovers(file->leftovers());
  file->Write(text);
  file->Commit();
}

// Returns the manifest of scores, beside them or at their end; empty where they have none.
std::string ManifestTextOf(const std::string& scores, const std::atomic<bool>* stop) {
  const std::optional<Manifest> manifest = ReadVerifiedScores(
      scores, /*accept_unverified=*/true, [](const RecordBatch&) {}, kMaxRatio.max, stop);
  return manifest ? ManifestJson(*manifest) : "";
}

}  // namespace

void CheckBaselineName(const std::string& baseline) {
  CheckOutputSuffix(baseline, std::array<std::string_view, 2>{".jsonl", ".ndjson"});
}

void UpdateBaseline(const std::string& scores, const std::string& baseline, const std::atomic<bool>* stop) {
  CheckManifestPlace(baseline);
  const std::unique_ptr<OutputFile> copy = CopyOf(scores, baseline, stop);
  const std::string manifest = ManifestPath(baseline);
  const bool stands_beside = Exists(ManifestPath(scores));  // and not at the end of the scores
  const std::string now = ManifestTextOf(scores, stop);
  const bool is_first = !Exists(baseline);
  const std::string before = is_first ? "" : ManifestTextOf(baseline, stop);
  if (now.empty()) {
    Remove(manifest);  // that of the old scores is not theirs
  } else if (is_first || !before.empty()) {
    WriteWhole(manifest, now + before, stop);
  }
  copy->Commit();
  if (stands_beside) {
    WriteWhole(manifest, now, stop);
  } else {
    Remove(manifest);
  }
}

}  // namespace leafscore::internal
