// engine/scorers/scorer_guide.h: what each scorer is for, with an example that a test scores.
#ifndef LEAFSCORE_ENGINE_SCORERS_SCORER_GUIDE_H_
#define LEAFSCORE_ENGINE_SCORERS_SCORER_GUIDE_H_

#include <span>
#include <string_view>

namespace leafscore::internal {

struct ScorerGuide {
  std::string_view type;      // ScorerType::name
  std::string_view about;     // two sentences: what it is for, and how it scores
  std::string_view scorer;    // the scorer of the example, as the command line names it (ReadScorerText)
  std::string_view expected;  // JSON
  std::string_view actual;    // JSON
  std::string_view reply;     // of the model that judges; empty for all other scorers
  double score;
};

// RETURNS: the guides to all scorers, in the order of ScorerTypes().
std::span<const ScorerGuide> ScorerGuides();

// RETURNS: the guide to the scorer of this name, or null.
const ScorerGuide* FindScorerGuide(std::string_view type);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_SCORER_GUIDE_H_
