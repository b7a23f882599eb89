// engine/run/line_id.h: finds the id in the text of a record that could not be read.
//
// Such a text is cut off, or broken somewhere. The search follows its brackets, strings and keys up to the
// end of its first object, without checking the grammar. An id before the fault is certain, because the
// reader has accepted that part. An id after the fault counts only if the text contains no other id.
// Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_RUN_LINE_ID_H_
#define LEAFSCORE_ENGINE_RUN_LINE_ID_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace leafscore::internal {

struct LineId {
  std::string json;  // a string or a number
  std::string text;
};

// `id_field` is a name as in FieldFinder; `fault` is where the reader stopped, or 0. The text may contain any
// bytes. COST: linear in the text.
std::optional<LineId> FindLineId(std::string_view text, const std::string& id_field, std::size_t fault);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_LINE_ID_H_
