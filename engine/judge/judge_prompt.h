// engine/judge/judge_prompt.h: prompt templates for judges, with places for the two outputs of a record, and
// for what else the judge is to see.
//
// Text that fills a place is data, whatever it says: it is inserted unchanged, and never searched for further
// places. A prompt with {{Fence}} can put fences around it that cannot be forged: a code computed from the
// outputs by a hash, which does not occur in them. The code is the same for the same outputs, so that a
// stored reply is found again. THREADS: immutable once made; any number may read it.
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
  std::string_view context = {};             // what the output was asked for with
  std::string_view rubric = {};              // what to judge by
  std::string_view examples = {};            // of records and verdicts on them
  std::string_view choices = {};             // a JSON list
  std::span<const std::string> fields = {};  // as JudgePrompt::fields
  std::string_view first = {};               // of two answers to compare
  std::string_view second = {};
};

class JudgePrompt {
 public:
  // kUiPath: only the two outputs have places; all other text stays as it is. kTwoAnswers: in place of the
  // actual output there are two answers to compare, and an expected output is not required.
  enum class Places { kOurs, kUiPath, kTwoAnswers };
  explicit JudgePrompt(std::string_view text, Places places = Places::kOurs);

  // Returns the place that is missing for one of the outputs or answers, as in {{ActualOutput}}; empty if
  // none is missing.
  std::string_view missing_place() const;
  // Returns text that looks like a place but is not one, as in {{Question}}; empty if there is no such text.
  const std::string& unknown_place() const { return unknown_place_; }
  // Returns the names of its places without a path, as in {{Keys}}.
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
    std::size_t place = kNoPlace;  // after the text: in place_names(), or behind those a field
  };

  Places places_;
  std::vector<Piece> pieces_;
  std::vector<std::string> fields_;
  std::string unknown_place_;
};

// Returns the code for fences around texts; it occurs in no text.
std::string FenceCode(const PromptTexts& texts);

// The parts of a default prompt that depend on the options.
struct PromptParts {
  bool keys = false;  // of llm_judge_strict_json
  bool context = false;
  bool rubric = false;
  bool examples = false;
  bool choices = false;
};

// Returns the default prompts. With examples or rules, what all records share comes first, so that services
// can cache it.
std::string DefaultSystemPrompt(const PromptParts& parts);
std::string DefaultPrompt(const PromptParts& parts);

// The same for the comparison of two answers, with or without an expected output.
std::string PairSystemPrompt();
std::string PairPrompt(const PromptParts& parts, bool has_expected);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_PROMPT_H_
