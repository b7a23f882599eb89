#include "cli/baseline.h"

#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>

#include "engine/io/byte_source.h"
#include "engine/io/output_file.h"
#include "engine/io/write_file.h"
#include "engine/report/manifest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Returns a copy that is whole, but has no name yet.
std::unique_ptr<OutputFile> CopyOf(const std::string& from, const std::string& to,
                                   const std::atomic<bool>* stop) {
  std::unique_ptr<OutputFile> copy = OutputFile::Open(to, stop);
  const std::unique_ptr<ByteSource> source = OpenByteSource(from, stop);
  std::string piece(1 << 20, '\0');
  while (const std::size_t size = source->Read(std::as_writable_bytes(std::span(piece)))) {
    copy->Write(std::string_view(piece).substr(0, size));
  }
  copy->Complete();
  return copy;
}

}  // namespace

void CheckIsLikeBaseline(const std::string& scores, const std::string& baseline) {
  constexpr std::array<std::string_view, 2> kKnown = {".jsonl", ".csv"};
  if ((CheckOutputSuffix(scores, kKnown) == ".csv") == (CheckOutputSuffix(baseline, kKnown) == ".csv"))
    return;
  throw Error(ErrorCode::kUsage, baseline + " cannot become a copy of " + scores +
                                     ": one is named as CSV and the other as JSON Lines");
}

void UpdateBaseline(const std::string& scores, const std::string& baseline, const std::atomic<bool>* stop) {
  const std::unique_ptr<OutputFile> copy = CopyOf(scores, baseline, stop);
  const std::string manifest = ManifestPath(baseline);
  std::error_code error;
  if (std::filesystem::exists(ManifestPath(scores), error)) {
    const std::unique_ptr<OutputFile> copied_manifest = CopyOf(ManifestPath(scores), manifest, stop);
    copied_manifest->Commit();  // first, as everywhere: scores never appear without their manifest
    copy->Commit();
    return;
  }
  // The scores end with their manifest, or have none; that of the old baseline is not theirs.
  std::filesystem::remove(manifest, error);
  if (error) ThrowOutputError("cannot remove " + manifest, error.value());
  copy->Commit();
}

}  // namespace leafscore::internal
