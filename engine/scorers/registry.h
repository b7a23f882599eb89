// engine/scorers/registry.h: the list of scorers. Each scorer is defined in the file or folder with its name.
#ifndef LEAFSCORE_ENGINE_SCORERS_REGISTRY_H_
#define LEAFSCORE_ENGINE_SCORERS_REGISTRY_H_

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/scorers/scorer.h"

namespace leafscore::internal {

// The first published revision of a scorer, even if it is the only one.
inline constexpr std::string_view kSeedRevisions[] = {"seed"};

// The option of every scorer with revisions. Its values are the names of the revisions.
inline constexpr OptionSpec kRevisionOption{"revision", "name", "the first of them",
                                            "the rules that decide scores"};

// Options that every scorer has. The run reads them, not the scorer.
inline constexpr OptionSpec kCriteriaKeyOption{
    "criteria_key", "text", "none",
    "member of the expected value with the criteria of this scorer: {expected: VALUE}; records without it "
    "are not counted"};
inline constexpr OptionSpec kFinalWeightOption{
    "final_weight", "number", "none",
    "weight of this scorer's average in the final score of the summary; 1 if only other scorers give one"};
inline constexpr OptionSpec kRunOptions[] = {kCriteriaKeyOption, kFinalWeightOption};

// Introduces a scorer to its users, with an example that a test scores.
struct ScorerGuide {
  std::string_view about;     // two sentences: what it is for, and how it scores
  std::string_view scorer;    // the scorer of the example, as the command line names it (ReadScorerText)
  std::string_view expected;  // JSON
  std::string_view actual;    // JSON
  std::string_view reply;     // the reply of the judging model; empty for a scorer that asks no model
  double score;
};

struct ScorerType {
  std::string_view name;
  std::string_view summary;
  std::span<const OptionSpec> options;
  std::unique_ptr<Scorer> (*make)(const OptionReader& options);
  ScorerGuide guide;
  // The revisions of a scorer, which give different scores with the same options. The first is the default.
  // Empty for a scorer that runs the user's program, because an option named `revision` belongs to the
  // program.
  std::span<const std::string_view> revisions = kSeedRevisions;
};

// RETURNS: all options that a scorer takes: its own options, the option `revision` if it has revisions, and
//          the options that the run reads.
std::vector<OptionSpec> ScorerTypeOptions(const ScorerType& type);

extern const ScorerType kAssertsScorer;
extern const ScorerType kClassificationScorer;
extern const ScorerType kCodeJudgeScorer;
extern const ScorerType kContainsScorer;
extern const ScorerType kExactMatchScorer;
extern const ScorerType kExactStringMatchScorer;
extern const ScorerType kFieldAccuracyScorer;
extern const ScorerType kFmeaScorer;
extern const ScorerType kJsonDiffScorer;
extern const ScorerType kJsonSchemaScorer;
extern const ScorerType kJsonSimilarityScorer;
extern const ScorerType kLevenshteinScorer;
extern const ScorerType kLlmJudgeScorer;
extern const ScorerType kLlmJudgeStrictJsonScorer;
extern const ScorerType kNumericMatchScorer;
extern const ScorerType kRecordsScorer;
extern const ScorerType kStaticJsonScorer;
extern const ScorerType kStrictJsonScorer;
extern const ScorerType kToolCallsScorer;

// RETURNS: the scorers above, sorted by name.
std::span<const ScorerType> ScorerTypes();

// RETURNS: the type of this name, or null.
const ScorerType* FindScorerType(std::string_view name);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_REGISTRY_H_
