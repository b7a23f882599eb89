#include "engine/run/gold_texts.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>

#include "engine/io/codec.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// A Ref: a bit for texts in the file, 39 bits of position, 24 bits of size.
constexpr unsigned kSizeBits = 24;
constexpr std::uint64_t kLong = (1u << kSizeBits) - 1;  // the size stands elsewhere
constexpr std::uint64_t kInFile = std::uint64_t{1} << 63;
constexpr std::uint64_t kMostPositions = std::uint64_t{1} << 38;

// The position of a text in memory is the number of its block and where it stands in that.
constexpr unsigned kBlockBits = 20;
constexpr std::size_t kBlockBytes = std::size_t{1} << kBlockBits;

// What the system maps around a byte that is looked at.
constexpr std::size_t kMappedAround = 64 << 10;

bool IsCompressed(int file) {
  std::array<char, 4> head{};
  const ssize_t n = pread(file, head.data(), head.size(), 0);
  const std::string_view begin(head.data(), n < 0 ? 0 : static_cast<std::size_t>(n));
  return IsGzip(begin) || IsZstd(begin);
}

}  // namespace

GoldTexts::~GoldTexts() {
  if (map_ != nullptr) munmap(const_cast<char*>(map_), static_cast<std::size_t>(mapped_.st_size));
}

bool GoldTexts::Map(const std::string& path, std::size_t kept_bytes) {
  if (path == "-") return false;
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid() || fstat(file.get(), &mapped_) != 0 || !S_ISREG(mapped_.st_mode)) return false;
  const auto size = static_cast<std::uint64_t>(mapped_.st_size);
  if (size <= kept_bytes || size >= kMostPositions || IsCompressed(file.get())) return false;
  void* const map = mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (map == MAP_FAILED) return false;
  madvise(map, size, MADV_RANDOM);
  map_ = static_cast<const char*>(map);
  kept_bytes_ = kept_bytes;
  file_ = std::move(file);
  path_ = path;
  return true;
}

void GoldTexts::CheckUnchanged() const {
  if (map_ == nullptr) return;
  struct stat now {};
  const bool same = fstat(file_.get(), &now) == 0 && now.st_size == mapped_.st_size &&
                    now.st_mtim.tv_sec == mapped_.st_mtim.tv_sec &&
                    now.st_mtim.tv_nsec == mapped_.st_mtim.tv_nsec;
  if (!same) {
    throw Error(ErrorCode::kInput, path_ + " was changed while it was in use; score again");
  }
}

GoldTexts::Ref GoldTexts::Make(bool in_file, std::uint64_t position, std::size_t size) {
  Ref ref;
  ref.bits_ = (in_file ? kInFile : 0) | position << kSizeBits | std::min<std::uint64_t>(size, kLong);
  if (size >= kLong) long_[ref.bits_] = size;
  return ref;
}

GoldTexts::Ref GoldTexts::Store(std::string_view text) {
  if (blocks_.empty() ||
      blocks_.back().size() + text.size() > std::max(blocks_.back().capacity(), kBlockBytes)) {
    blocks_.emplace_back().reserve(std::max(text.size(), kBlockBytes));
  }
  std::string& block = blocks_.back();
  const std::uint64_t position = std::uint64_t{blocks_.size() - 1} << kBlockBits | block.size();
  block += text;
  return Make(/*in_file=*/false, position, text.size());
}

GoldTexts::Ref GoldTexts::InFile(std::uint64_t offset, std::size_t size) {
  return Make(/*in_file=*/true, offset, size);
}

std::string_view GoldTexts::Get(Ref ref) const {
  if (!ref.present()) return {};
  std::size_t size = ref.bits_ & kLong;
  if (size == kLong) size = long_.at(ref.bits_);
  const std::uint64_t position = (ref.bits_ & ~kInFile) >> kSizeBits;
  if ((ref.bits_ & kInFile) != 0) {
    Touch(size);
    return {map_ + position, size};
  }
  return {blocks_[position >> kBlockBits].data() + position % kBlockBytes, size};
}

// Gives back what was mapped of the file when it may be too much; it is read again where it is looked at.
void GoldTexts::Touch(std::size_t size) const {
  const std::size_t more = size + kMappedAround;
  if (touched_.fetch_add(more, std::memory_order_relaxed) + more < kept_bytes_) return;
  touched_.store(0, std::memory_order_relaxed);
  madvise(const_cast<char*>(map_), static_cast<std::size_t>(mapped_.st_size), MADV_DONTNEED);
}

}  // namespace leafscore::internal
