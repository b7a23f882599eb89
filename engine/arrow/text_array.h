// engine/arrow/text_array.h: reads the texts of one Arrow array, of any text type, in place.
//
// An array has its length, but not the sizes of its buffers, so two things must be trusted. The validity
// bitmap, and the offsets, views or indexes, must reach as far as offset + length needs. A buffer of bytes
// must reach as far as the last offset says or, for a view array, the list of buffer sizes. Visible damage
// within these bounds is an error when a TextArray is made: negative and falling offsets, views outside their
// buffer, indexes outside the dictionary, missing buffers. Buffers need not be aligned. Texts are not checked
// for UTF-8.
//
// A view: the array must outlive it. THREADS: constant once made, so any number may read.
#ifndef LEAFSCORE_ENGINE_ARROW_TEXT_ARRAY_H_
#define LEAFSCORE_ENGINE_ARROW_TEXT_ARRAY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "leafscore/arrow.h"

namespace leafscore::internal {

// How texts are stored, by Arrow type. Any thread may call.
enum class TextLayout : std::uint8_t {
  kNull,       // type null: no texts, and no buffers
  kOffsets32,  // utf8, binary
  kOffsets64,  // large_utf8, large_binary
  kViews,      // utf8_view, binary_view
  kIndexes,    // a dictionary of texts of one of the layouts above
};

struct TextType {
  std::string column;  // name, for messages
  TextLayout layout;
  // For kIndexes:
  char index = '\0';  // the Arrow format of the indexes
  TextLayout entries = TextLayout::kNull;
};

// Reads the type of a column of texts. An extension type counts as its storage type.
// ERRORS: Error(kUsage) that names the column and its type if it is not a text type.
TextType ReadTextType(const ArrowSchema& field);

// Texts stored one after another, as TextColumn takes them: text i is bytes[offsets[i], offsets[i + 1]), with
// the offsets in one of the two spans, and is null if bit validity_offset + i of `validity` is 0.
struct ContiguousTexts {
  std::string_view bytes = {};
  std::span<const std::int32_t> offsets32 = {};
  std::span<const std::int64_t> offsets64 = {};
  const std::uint8_t* validity = nullptr;  // null: no text is null
  std::size_t validity_offset = 0;         // in bits
};

class TextArray {
 public:
  // Reads rows [first, first + rows) of the array, as given by the offset and the length of a record batch.
  // REQUIRES: the type comes from the array's schema; first and rows are not negative.
  // ERRORS: Error(kInput) for a damaged array; it names the column, and the row counted from 0 at `first`.
  // COST: linear in the rows and the entries of the dictionary.
  TextArray(const TextType& type, const ArrowArray& array, std::int64_t first, std::int64_t rows);

  std::size_t size() const { return rows_; }
  // A row is null if it or its dictionary entry is.
  bool is_null(std::size_t row) const;
  // REQUIRES: !is_null(row).
  std::string_view text(std::size_t row) const;

  // RETURNS: nullopt for other layouts, and for offsets that are not aligned.
  std::optional<ContiguousTexts> Contiguous() const;

 private:
  void CheckRows(const TextType& type) const;
  void CheckOffsets(const TextType& type) const;
  void CheckView(const TextType& type, std::size_t row) const;
  bool IsInvalid(std::size_t row) const;
  std::int64_t OffsetAt(std::size_t row) const;
  std::uint64_t IndexAt(std::size_t row) const;
  template <typename Value>
  Value Load(std::size_t row) const;

  TextLayout layout_;
  char index_;
  std::size_t rows_;
  std::size_t first_;                          // position of row 0 in the buffers
  const std::uint8_t* validity_ = nullptr;     // null: all rows are valid
  const char* values_ = nullptr;               // the offsets, views or indexes
  std::span<const void* const> byte_buffers_;  // one for offsets; any number for views
  const char* byte_buffer_sizes_ = nullptr;    // for views, 64-bit integers
  std::unique_ptr<const TextArray> dictionary_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_ARROW_TEXT_ARRAY_H_
