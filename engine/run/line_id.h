// engine/run/line_id.h: finds the id in the text of a record that could not be read.
//
// Such a line is cut off, or broken somewhere. Its brackets, strings and keys are walked without checking the
// grammar, up to the end of its first object. The part before the fault is certain, as the reader has
// accepted it; an id after the fault counts only if the line contains no other id. Stateless; any thread may
// call.
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
