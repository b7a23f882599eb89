// engine/run/line_id.h: the id that the text of a record shows which could not be read.
//
// Such a line is cut off, or broken in some place. Its brackets, strings and keys are walked without checking
// the grammar, up to the end of its first object. What stands before the fault is certain, as the reader has
// accepted it; an id behind the fault counts only when the line shows no other one.
// Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_RUN_LINE_ID_H_
#define LEAFSCORE_ENGINE_RUN_LINE_ID_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace leafscore::internal {

struct LineId {
  std::string json;  // of a string or a number
  std::string text;
};

// `id_field` is named as a FieldFinder takes it; `fault` is where the reader stopped, or 0. The text may hold
// any bytes. COST: linear in it.
std::optional<LineId> FindLineId(std::string_view text, const std::string& id_field, std::size_t fault);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_LINE_ID_H_
