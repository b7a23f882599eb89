// Scores one pair through the installed library: "kitten" to "sitting" is 3 edits of 7, and 15 misses 20 by a
// quarter, so the score is (4/7 + 3/4) / 2.
#include <cmath>
#include <cstdio>

#include "leafscore/leafscore.h"

int main() {
  const leafscore::Runner runner(leafscore::Plan({"json_similarity"}));
  const double score =
      runner.ScorePair(R"({"name": "kitten", "count": 20})", R"({"name": "sitting", "count": 15})")
          .front()
          .score[0];
  std::printf("%.17g\n", score);
  return std::abs(score - (4.0 / 7 + 0.75) / 2) < 1e-12 ? 0 : 1;
}
