// Scores two columns of JSON texts, as they lie in Arrow string arrays, and prints one line per record.

#include <cstdint>
#include <iostream>
#include <string_view>
#include <vector>

#include "leafscore/leafscore.h"

namespace {

constexpr std::string_view kScorers = R"(
evaluators:
  - name: fields
    type: json_similarity
    number_tolerance: 0.01
  - name: same
    type: exact_match
)";

// The texts of a column, one after the other, and where each begins.
struct Column {
  std::string_view bytes;
  std::vector<std::int32_t> offsets;
};

const Column kExpected{R"({"city":"Oslo","temp":20.3}{"city":"Rome","temp":30})", {0, 27, 52}};
const Column kActual{R"({"city":"Oslo","temp":20.4}{"city":"Roma")", {0, 27, 41}};

}  // namespace

int main() {
  try {
    const leafscore::Runner runner(leafscore::Plan::FromConfig(kScorers));
    const std::vector<leafscore::ScoreColumns> results =
        runner.ScoreTexts(leafscore::TextColumn(kExpected.bytes, kExpected.offsets),
                          leafscore::TextColumn(kActual.bytes, kActual.offsets));
    for (const leafscore::ScoreColumns& scores : results) {
      for (std::size_t r = 0; r < scores.score.size(); ++r) {
        std::cout << scores.scorer << " " << r << ": " << leafscore::OutcomeName(scores.outcome[r]) << " "
                  << scores.score[r] << "\n";
        if (const leafscore::RecordError* const error = scores.ErrorOf(r)) {
          std::cout << scores.scorer << " " << r << ": " << leafscore::RejectReasonName(error->reason) << ": "
                    << error->message << "\n";
        }
      }
    }
  } catch (const leafscore::Error& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
