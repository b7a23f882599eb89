#include <fmt/format.h>

#include "engine/base/suggest.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/report/score_ledger.h"
#include "engine/scores/score_line.h"
#include "leafscore/error.h"
#include "leafscore/explain.h"

namespace leafscore {

std::string ExplainScore(std::string_view score_line, bool colour) {
  internal::ShapeTable shapes;
  internal::LeafTable table;
  internal::JsonReader reader(&shapes, internal::kScoreLineJson);
  reader.Begin(score_line, /*lines=*/false, &table);
  const internal::JsonView line(table, shapes,
                                reader.Read(0, static_cast<std::uint32_t>(score_line.size())).root);
  internal::ScoreLine score;
  if (!line.Is(internal::ValueKind::kObject) || !internal::ReadScoreLine(line, score).empty()) {
    throw Error(ErrorCode::kUsage, fmt::format("{} is not a line of scores written by leafscore",
                                               internal::QuoteForMessage(score_line)));
  }
  return internal::RenderLedger(score_line, colour);
}

}  // namespace leafscore
