#include "engine/scorers/registry.h"

#include <algorithm>
#include <vector>

#include "engine/scorers/code_judge.h"
#include "engine/scorers/contains.h"
#include "engine/scorers/exact_match.h"
#include "engine/scorers/field_accuracy/field_accuracy.h"
#include "engine/scorers/json_diff.h"
#include "engine/scorers/json_similarity/json_similarity.h"
#include "engine/scorers/levenshtein.h"
#include "engine/scorers/static_json/static_json.h"
#include "engine/scorers/strict_json.h"

namespace leafscore::internal {

std::span<const ScorerType> ScorerTypes() {
  static const std::vector<ScorerType> types = {
      {"code_judge", "score given by a program of yours", CodeJudgeOptions(), MakeCodeJudge},
      {"contains", "1 when the expected text occurs in the actual text", ContainsOptions(), MakeContains},
      {"exact_match", "1 when both sides are equal", ExactMatchOptions(), MakeExactMatch},
      {"field_accuracy", "weighted share of chosen fields that match, each in a way of its own",
       FieldAccuracyOptions(), MakeFieldAccuracy},
      {"json_diff", "similarity of both sides as trees: what either lacks counts against it",
       JsonDiffOptions(), MakeJsonDiff},
      {"json_similarity", "share of the expected leaves that the actual value matches",
       JsonSimilarityOptions(), MakeJsonSimilarity},
      {"levenshtein", "similarity of the two whole texts by edit distance", LevenshteinOptions(),
       MakeLevenshtein},
      {"static_json", "F1 of exact matches, key by key, of answers read from whatever text they are in",
       StaticJsonOptions(), MakeStaticJson},
      {"strict_json", "1 minus a deduction for each top-level key that is missing, wrong, similar or extra",
       StrictJsonOptions(), MakeStrictJson},
  };
  return types;
}

const ScorerType* FindScorerType(std::string_view name) {
  const auto types = ScorerTypes();
  const auto type = std::ranges::find(types, name, &ScorerType::name);
  return type == types.end() ? nullptr : &*type;
}

}  // namespace leafscore::internal
