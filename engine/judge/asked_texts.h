// engine/judge/asked_texts.h: the texts that a judge was asked about, and whether what comes back is a part
// of them. A judge may quote an answer, and a service may repeat a request in its errors; neither lets the
// text of an answer pass for what the judge or the service says.
//
// Texts are compared by their letters, digits and numbers alone, without any escapes: a quote stays one with
// other spaces, quotation marks, case, escapes of JSON or HTML (at any depth), forms of letters, characters
// that are not seen, or digits (100, 1e2). THREADS: does not change once made; any number may read it.
#ifndef LEAFSCORE_ENGINE_JUDGE_ASKED_TEXTS_H_
#define LEAFSCORE_ENGINE_JUDGE_ASKED_TEXTS_H_

#include <initializer_list>
#include <string>
#include <string_view>

#include "engine/json/json_view.h"

namespace leafscore::internal {

// Returns the letters, digits and numbers of a text. COST: linear, for each depth of escapes, of which few
// count.
std::string FoldText(std::string_view text);

class AskedTexts {
 public:
  AskedTexts() = default;
  AskedTexts(std::initializer_list<std::string_view> texts);

  // Tells whether one of them holds a text that FoldText has made.
  bool Hold(std::string_view folded) const { return folded_.find(folded) != folded_.npos; }

  // Tells whether they hold each scalar in a value right behind its key; `key` is that of the value itself.
  bool HoldLeaves(std::string_view key, const JsonView& value) const;

 private:
  std::string folded_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_ASKED_TEXTS_H_
