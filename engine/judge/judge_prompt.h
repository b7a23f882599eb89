// engine/judge/judge_prompt.h: prompt templates for judges, with places for the two outputs of a record.
//
// Text that fills a place is data, whatever it says: it is inserted unchanged, and never searched for further
// places. A prompt with {{Fence}} can put fences around it that cannot be forged: a code computed from the
// outputs by a hash, which does not occur in them. The code is the same for the same outputs, so that a
// stored reply is found again. THREADS: immutable once made; any number may read it.
#ifndef LEAFSCORE_ENGINE_JUDGE_JUDGE_PROMPT_H_
#define LEAFSCORE_ENGINE_JUDGE_JUDGE_PROMPT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace leafscore::internal {

// The texts for the places of a prompt.
struct PromptTexts {
  std::string_view actual;
  std::string_view expected;
  std::string_view keys = {};  // a JSON list
};

class JudgePrompt {
 public:
  explicit JudgePrompt(std::string text);

  // Returns the place that is missing for one of the outputs, as in {{ActualOutput}}; empty if neither is
  // missing.
  std::string_view missing_place() const;
  // Returns the size of the prompt without the texts that fill it.
  std::size_t text_bytes() const;

  // Appends the prompt with these texts in its places.
  void Fill(const PromptTexts& texts, std::string& out) const;

 private:
  enum class Place { kNone, kActual, kExpected, kKeys, kFence };
  struct Piece {
    std::string text;
    Place place;  // the place after the text
  };

  bool Has(Place place) const;

  std::vector<Piece> pieces_;
};

// Returns the code for fences around texts; it occurs in no text.
std::string FenceCode(const PromptTexts& texts);

// The default prompts of the two scorers.
extern const std::string_view kSimilaritySystemPrompt;
extern const std::string_view kSimilarityPrompt;
extern const std::string_view kStrictJsonSystemPrompt;
extern const std::string_view kStrictJsonPrompt;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_PROMPT_H_
