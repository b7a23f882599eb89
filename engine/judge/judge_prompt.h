// engine/judge/judge_prompt.h: what a judge is told: texts with places for the two outputs of a record.
//
// What fills a place is data, whatever it says: it is put in as it is, and nothing in it is taken for another
// place. A prompt that holds {{Fence}} can stand fences around it that nobody can forge: a code made of the
// outputs themselves, by a hash, which does not occur in them. It is the same for the same outputs, so that a
// reply that was kept is found again. THREADS: does not change once made; any number may read it.
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

  // Tells which of the outputs it has no place for, as in {{ActualOutput}}; empty: none.
  std::string_view missing_place() const;
  // Of the prompt without what fills it.
  std::size_t text_bytes() const;

  // Appends the prompt with these texts in its places.
  void Fill(const PromptTexts& texts, std::string& out) const;

 private:
  enum class Place { kNone, kActual, kExpected, kKeys, kFence };
  struct Piece {
    std::string text;
    Place place;  // behind the text
  };

  bool Has(Place place) const;

  std::vector<Piece> pieces_;
};

// Returns the code of the fences around texts, which occurs in none of them.
std::string FenceCode(const PromptTexts& texts);

// The prompts of the two scorers, unless their options have others.
extern const std::string_view kSimilaritySystemPrompt;
extern const std::string_view kSimilarityPrompt;
extern const std::string_view kStrictJsonSystemPrompt;
extern const std::string_view kStrictJsonPrompt;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_JUDGE_JUDGE_PROMPT_H_
