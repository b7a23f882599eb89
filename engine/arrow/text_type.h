// engine/arrow/text_type.h: which Arrow types are texts, and how they lie in memory. Any thread may call.
#ifndef LEAFSCORE_ENGINE_ARROW_TEXT_TYPE_H_
#define LEAFSCORE_ENGINE_ARROW_TEXT_TYPE_H_

#include <cstdint>
#include <string>

#include "leafscore/arrow.h"

namespace leafscore::internal {

enum class TextLayout : std::uint8_t {
  kNull,       // null: no text, and no buffers
  kOffsets32,  // utf8, binary
  kOffsets64,  // large_utf8, large_binary
  kViews,      // utf8_view, binary_view
  kIndexes,    // a dictionary of texts of one of the layouts above
};

struct TextType {
  std::string column;  // its name, for messages
  TextLayout layout;
  // Of kIndexes:
  char index = '\0';  // the Arrow format of the indexes
  TextLayout entries = TextLayout::kNull;
};

// Reads the type of a column of texts. An extension type counts as its storage type.
// ERRORS: Error(kUsage) that names the column and its type when that is no text.
TextType ReadTextType(const ArrowSchema& field);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_ARROW_TEXT_TYPE_H_
