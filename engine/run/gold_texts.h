// engine/run/gold_texts.h: the texts of a gold file, each known by eight bytes: where it stands in the file,
// which is mapped, or in blocks of memory that never move. Of the mapped file no more than a part is kept in
// memory. THREADS: one adds texts; then any number may look at them.
#ifndef LEAFSCORE_ENGINE_RUN_GOLD_TEXTS_H_
#define LEAFSCORE_ENGINE_RUN_GOLD_TEXTS_H_

#include <sys/stat.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "engine/base/file_descriptor.h"

namespace leafscore::internal {

class GoldTexts {
 public:
  // A text, or that there is none.
  class Ref {
   public:
    bool present() const { return bits_ != kNone; }

   private:
    friend class GoldTexts;
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    std::uint64_t bits_ = kNone;  // in the file or not, position, size
  };

  GoldTexts() = default;
  ~GoldTexts();
  GoldTexts(const GoldTexts&) = delete;
  GoldTexts& operator=(const GoldTexts&) = delete;

  // Maps a file where it is regular, uncompressed and larger than `kept_bytes`, and then keeps at most about
  // so many bytes of it in memory. RETURNS: whether it did.
  bool Map(const std::string& path, std::size_t kept_bytes);

  bool mapped() const { return map_ != nullptr; }

  // ERRORS: Error(kInput) when the mapped file is not as it was when it was mapped.
  void CheckUnchanged() const;

  // Copies a text.
  Ref Store(std::string_view text);

  // Refers to a text of the mapped file. REQUIRES: it lies within the file.
  Ref InFile(std::uint64_t offset, std::size_t size);

  // Returns a text, empty where there is none; it lives as long as this does.
  std::string_view Get(Ref ref) const;

 private:
  Ref Make(bool in_file, std::uint64_t position, std::size_t size);
  void Touch(std::size_t size) const;

  std::string path_;
  FileDescriptor file_;
  struct stat mapped_ {};
  const char* map_ = nullptr;
  std::size_t kept_bytes_ = 0;
  mutable std::atomic<std::size_t> touched_ = 0;  // of the map, about, since it was given back
  std::deque<std::string> blocks_;                // of the texts that were copied
  std::map<std::uint64_t, std::size_t> long_;     // sizes of texts too long for a Ref, by their bits
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_GOLD_TEXTS_H_
