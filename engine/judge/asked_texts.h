// engine/judge/asked_texts.h: the texts in a judge's prompt, to detect whether a reply only quotes them. A
// judge may quote an answer, and a service may repeat a request in its error messages; in both cases, the
// text of an answer must not pass for a statement of the judge or the service.
//
// Texts are compared by their letters, digits and numbers alone, without any escapes. A quote is therefore
// recognised even with other spaces, quotation marks, case, escapes of JSON or HTML (at any level), forms of
// letters, invisible characters, or spellings of numbers (100, 1e2). THREADS: immutable once made; any number
// may read it.
#ifndef LEAFSCORE_ENGINE_JUDGE_ASKED_TEXTS_H_
#define LEAFSCORE_ENGINE_JUDGE_ASKED_TEXTS_H_

#include <initializer_list>
#include <string>
#include <string_view>

#include "engine/json/json_view.h"

namespace leafscore::internal {

// Returns the letters, digits and numbers of a text. COST: linear in the text, for each level of escapes (at
// most 16).
std::string FoldText(std::string_view text);

class AskedTexts {
 public:
  AskedTexts() = default;
  AskedTexts(std::initializer_list<std::string_view> texts);

  // Tells whether one of the texts contains `folded`, a result of FoldText.
  bool Hold(std::string_view folded) const { return folded_.find(folded) != folded_.npos; }

  // Tells whether the texts contain every scalar in a value, each directly after its key. `key` is the key of
  // the value itself.
  bool HoldLeaves(std::string_view key, const JsonView& value) const;

 private:
  std::string folded_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_ASKED_TEXTS_H_
