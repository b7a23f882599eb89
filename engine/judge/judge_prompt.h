// engine/judge/judge_prompt.h: prompt templates for judges, with places for the two outputs of a record and
// for the other texts that the judge is to see.
//
// A text that fills a place is data, whatever it says: it is inserted unchanged, and never searched for
// further places. With {{Fence}}, a prompt can put such a text between fences that the text cannot forge. A
// fence contains a code that is computed from the texts by a hash and does not occur in them. The same texts
// always get the same code, so that a stored reply is found again. THREADS: immutable once made; any number
// may read it.
#ifndef LEAFSCORE_ENGINE_JUDGE_JUDGE_PROMPT_H_
#define LEAFSCORE_ENGINE_JUDGE_JUDGE_PROMPT_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// The texts for the places of a prompt.
struct PromptTexts {
  std::string_view actual = {};
  std::string_view expected = {};
  std::string_view keys = {};                // a JSON list
  std::string_view context = {};             // what led to the output, such as a question
  std::string_view rubric = {};              // the rules to judge by
  std::string_view examples = {};            // records and the verdicts on them
  std::string_view choices = {};             // a JSON list
  std::span<const std::string> fields = {};  // one for each of JudgePrompt::fields
  std::string_view first = {};               // the first of two answers to compare
  std::string_view second = {};
};

class JudgePrompt {
 public:
  // kUiPath: only the two outputs have places; all other text stays as it is. kTwoAnswers: instead of a place
  // for the actual output, there are places for two answers to compare; the expected output is optional.
  enum class Places { kOurs, kUiPath, kTwoAnswers };
  explicit JudgePrompt(std::string_view text, Places places = Places::kOurs);

  // Returns the first place of an output or answer that the prompt lacks, as in {{ActualOutput}}; empty if it
  // lacks no such place.
  std::string_view missing_place() const;
  // Returns text that looks like a place but is not one, as in {{Question}}; empty if there is no such text.
  const std::string& unknown_place() const { return unknown_place_; }
  // Returns the names of the places that the prompt may have, as in {{Keys}}, except for {{field:PATH}}.
  std::span<const std::string_view> place_names() const;
  // Tells whether the prompt has a place of this name.
  bool Has(std::string_view place_name) const;
  // Returns the paths of the places {{field:PATH}}, in order.
  const std::vector<std::string>& fields() const { return fields_; }
  // Returns the size of the prompt without the texts that fill it.
  std::size_t text_bytes() const;

  // Appends the prompt with these texts in its places.
  void Fill(const PromptTexts& texts, std::string& out) const;

 private:
  static constexpr std::size_t kNoPlace = static_cast<std::size_t>(-1);
  struct Piece {
    std::string text;
    std::size_t place = kNoPlace;  // after the text: an index into kPlaceNames or, beyond, fields_
  };

  Places places_;
  std::vector<Piece> pieces_;
  std::vector<std::string> fields_;
  std::string unknown_place_;
};

// Returns the code for fences around texts. It does not occur in them; examples and choices are not checked.
std::string FenceCode(const PromptTexts& texts);

// The parts that a default prompt has or lacks, depending on the options.
struct PromptParts {
  bool keys = false;  // for llm_judge_strict_json
  bool context = false;
  bool rubric = false;
  bool examples = false;
  bool choices = false;
};

// Return the default prompts. If there are other parts than the keys, the text that all records share comes
// first, so that services can cache it.
std::string DefaultSystemPrompt(const PromptParts& parts);
std::string DefaultPrompt(const PromptParts& parts);

// Return the default prompts for the comparison of two answers, with or without an expected output.
std::string PairSystemPrompt();
std::string PairPrompt(const PromptParts& parts, bool has_expected);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_PROMPT_H_
