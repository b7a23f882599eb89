#include "engine/run/gold_table.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include "engine/base/hash.h"
#include "engine/base/suggest.h"
#include "engine/io/byte_source.h"
#include "engine/io/codec.h"
#include "engine/io/input_format.h"
#include "engine/io/record_reader.h"
#include "engine/run/file_options.h"
#include "engine/run/record_scan.h"
#include "engine/run/run_manifest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// A Ref has a bit for texts in the file, 39 bits of position, and 24 bits of size.
constexpr unsigned kSizeBits = 24;
constexpr std::uint64_t kLong = (1u << kSizeBits) - 1;  // the size is stored elsewhere
constexpr std::uint64_t kInFile = std::uint64_t{1} << 63;
constexpr std::uint64_t kMostPositions = std::uint64_t{1} << 38;

// The position of a text in memory is the number of its block and its offset in the block.
constexpr unsigned kBlockBits = 20;
constexpr std::size_t kBlockBytes = std::size_t{1} << kBlockBits;

// How much the system maps around an accessed byte.
constexpr std::size_t kMappedAround = 64 << 10;

bool IsCompressed(int file) {
  std::array<char, 4> head{};
  const ssize_t n = pread(file, head.data(), head.size(), 0);
  const std::string_view begin(head.data(), n < 0 ? 0 : static_cast<std::size_t>(n));
  return IsGzip(begin) || IsZstd(begin);
}

bool LiesWithin(std::string_view text, std::string_view all) {
  return std::less_equal<>()(all.data(), text.data()) &&
         std::less_equal<>()(text.data() + text.size(), all.data() + all.size());
}

// A text that is read like a file.
class TextBytes final : public ByteSource {
 public:
  explicit TextBytes(std::string_view text) : rest_(text) {}

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline /*deadline*/) override {
    const std::size_t size = std::min(out.size(), rest_.size());
    std::ranges::copy(std::as_bytes(std::span(rest_.substr(0, size))), out.begin());
    rest_.remove_prefix(size);
    consumed_ += size;
    return size;
  }
  std::uint64_t consumed_bytes() const noexcept override { return consumed_; }

 private:
  std::string_view rest_;
  std::uint64_t consumed_ = 0;
};

// Returns the text between the quotes of a JSON string.
std::string_view BetweenQuotes(std::string_view json) { return json.substr(1, json.size() - 2); }

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
    throw Error(ErrorCode::kInput, path_ + " changed while it was in use; score again");
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

// Unmaps the file's pages if too many of them may be in memory. They are read again on access.
void GoldTexts::Touch(std::size_t size) const {
  const std::size_t more = size + kMappedAround;
  if (touched_.fetch_add(more, std::memory_order_relaxed) + more < kept_bytes_) return;
  touched_.store(0, std::memory_order_relaxed);
  madvise(const_cast<char*>(map_), static_cast<std::size_t>(mapped_.st_size), MADV_DONTNEED);
}

GoldTable::GoldTable(const FileOptions& options)
    : GoldTable(options, ReaderOptionsOf(options), std::numeric_limits<std::size_t>::max()) {}

GoldTable::GoldTable(const FileOptions& options, const ReaderOptions& file_reading, std::size_t kept_bytes,
                     const char* id_option) {
  const bool is_file = options.gold_text.empty();
  if (is_file && options.gold == "-" && std::ranges::find(options.inputs, "-") != options.inputs.end()) {
    throw Error(ErrorCode::kUsage, "standard input (-) cannot be both gold and answers; name a file for one");
  }
  std::vector<std::string> names = {GoldIdField(options), GoldExpectedField(options)};
  for (std::string& field : RecordGroups(options)) names.push_back(std::move(field));
  ReaderOptions reading = file_reading;
  if (!is_file) {
    reading.format = InputFormat::kJsonLines;
    reading.open = [&](const std::string&) { return std::make_unique<TextBytes>(options.gold_text); };
  }
  RecordScan scan({options.gold}, reading, JsonOptionsOf(options), std::move(names));
  // The values of a table are not used in the form in which the file contains them, so a table is not mapped.
  const bool is_table = reading.format && IsTable(FormatByName(*reading.format, options.gold));
  if (is_file && !is_table && texts_.Map(options.gold, kept_bytes)) mapped_batch_ = &scan.batch();
  std::vector<JsonView> fields;
  while (scan.Next()) {
    if (!scan.is_readable()) {
      ++counts_.records;
      ++counts_.rejected;
      if (!options.strict_gold) continue;
      const JsonResult& parsed = scan.parsed();
      throw Error(ErrorCode::kInput,
                  fmt::format("record {} of {} is not gold: {}: {} (byte {})", counts_.records, options.gold,
                              RejectReasonName(parsed.reason), parsed.message, parsed.offset));
    }
    fields.clear();
    for (std::size_t f = 0; f < scan.nodes().size(); ++f) fields.push_back(scan.field(f));
    // Only the answers say who answered.
    if (!options.source_field.empty()) fields.back() = JsonView(scan.table(), scan.shapes(), kNoNode);
    const std::optional<std::string> id = fields[0].Text();
    if (options.strict_gold) CheckStrictly(id, options);
    if (options.strict_gold) records_.push_back(counts_.records + 1);
    AddRecord(id, fields[0].Written(), fields[1].Written(), std::span(fields).subspan(2));
  }
  presence_ = scan.presence();
  if (!options.source_field.empty()) presence_.found.back() = 0;
  mapped_batch_ = nullptr;
  CheckUnchanged();
  BlockChecksum of_text;
  of_text.Add(options.gold_text);
  file_ = FileOf(options.gold, is_file ? scan.reader().checksum(0) : of_text);
  const bool stopped = options.stop != nullptr && options.stop->load();
  if (entries_.empty() && !stopped) {
    const WantedField id{GoldIdField(options), id_option, kIdField};
    CheckFieldsAreThere(presence_, {&id, 1}, "no record of " + options.gold);
    throw Error(
        ErrorCode::kInput,
        fmt::format("no record of {} has a field {} to join by ({} read, {} of them rejected)", options.gold,
                    QuoteForMessage(GoldIdField(options)), counts_.records, counts_.rejected));
  }
}

// ERRORS: Error(kInput) if the next record cannot be joined, or repeats an id.
void GoldTable::CheckStrictly(const std::optional<std::string>& id, const FileOptions& options) const {
  const std::uint64_t record = counts_.records + 1;
  if (!id) {
    throw Error(ErrorCode::kInput, fmt::format("record {} of {} has no {} to join by", record, options.gold,
                                               QuoteForMessage(GoldIdField(options))));
  }
  if (const std::uint32_t known = Find(*id); known != kNone) {
    throw Error(ErrorCode::kInput,
                fmt::format("records {} and {} of {} have the same {}, {}; keep one", records_[known], record,
                            options.gold, GoldIdField(options), QuoteForMessage(*id)));
  }
}

void GoldTable::Add(std::optional<std::string_view> id, std::string_view expected_json,
                    std::span<const JsonView> groups) {
  AddRecord(id, {}, expected_json, groups);
}

void GoldTable::AddRecord(std::optional<std::string_view> id, std::string_view written_id,
                          std::string_view expected_json, std::span<const JsonView> groups) {
  ++counts_.records;
  if (!id) {
    ++counts_.without_id;
    return;
  }
  const Ref expected = expected_json.empty() ? Ref() : Keep(expected_json);
  const std::uint32_t hash = Hash(*id);
  if (const std::uint32_t known = FindByHash(*id, hash); known != kNone) {
    AddId(id, counts_.duplicates);
    entries_[known].expected_json = expected;
    std::ranges::transform(groups, groups_.begin() + static_cast<std::ptrdiff_t>(known * group_fields_),
                           [this](const JsonView& value) { return KeepGroup(value); });
    return;
  }
  if (entries_.size() == kNone) {
    throw Error(ErrorCode::kInput, fmt::format("the gold has more ids than {}; split it", entries_.size()));
  }
  entries_.push_back({KeepAs(*id, written_id), expected});
  group_fields_ = groups.size();
  for (const JsonView& value : groups) groups_.push_back(KeepGroup(value));
  hashes_.push_back(hash);
  if (8 * entries_.size() > 7 * slots_.size()) {
    const std::size_t slots = std::max<std::size_t>(2 * slots_.size(), 64);
    slots_ = std::vector<std::uint32_t>();  // freed before the new ones are allocated
    tags_ = std::vector<std::uint8_t>();
    slots_.resize(slots);
    tags_.resize(slots);
    for (std::uint32_t entry = 0; entry + 1 < entries_.size(); ++entry) AddSlot(hashes_[entry], entry);
  }
  AddSlot(hash, static_cast<std::uint32_t>(entries_.size() - 1));
  counts_.ids = entries_.size();
}

std::uint32_t GoldTable::Hash(std::string_view id) {
  return static_cast<std::uint32_t>(HashBytes(id, HashSeed()));
}

void GoldTable::AddSlot(std::uint32_t hash, std::uint32_t entry) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (tags_[at] != 0) at = (at + 1) & mask;
  tags_[at] = TagOf(hash);
  slots_[at] = entry;
}

std::uint32_t GoldTable::FindByHash(std::string_view id, std::uint32_t hash) const {
  if (slots_.empty()) return kNone;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; tags_[at] != 0; at = (at + 1) & mask) {
    if (tags_[at] != TagOf(hash)) continue;
    const std::uint32_t entry = slots_[at];
    if (hashes_[entry] == hash && this->id(entry) == id) return entry;
  }
  return kNone;
}

// Keeps a text: as a position in the mapped file if the current batch of that file contains it, else as a
// copy.
GoldTable::Ref GoldTable::Keep(std::string_view text) {
  if (mapped_batch_ != nullptr) {
    const char* const data = mapped_batch_->bytes.data() + RecordBatch::kDataBegin;
    const std::string_view all(data, mapped_batch_->data_end - RecordBatch::kDataBegin);
    if (LiesWithin(text, all)) {
      const auto position = static_cast<std::uint64_t>(text.data() - data);
      return texts_.InFile(mapped_batch_->data_offset + position, text.size());
    }
  }
  return texts_.Store(text);
}

// Keeps a text. If `written`, with or without its quotes, is the same text, keeps that copy, because it may
// lie in the mapped file.
GoldTable::Ref GoldTable::KeepAs(std::string_view text, std::string_view written) {
  if (text == written) return Keep(written);
  if (written.size() == text.size() + 2 && text == BetweenQuotes(written))
    return Keep(BetweenQuotes(written));
  return Keep(text);
}

GoldTable::GroupRefs GoldTable::KeepGroup(const JsonView& value) {
  if (!value.present()) return {};
  const std::string json = *value.Json();
  const Ref kept = KeepAs(json, value.Written());
  if (value.Is(ValueKind::kString)) return {KeepAs(BetweenQuotes(json), value.Written()), kept};
  return {value.Is(ValueKind::kNull) ? kept : Keep(*value.Text()), kept};
}

}  // namespace leafscore::internal
