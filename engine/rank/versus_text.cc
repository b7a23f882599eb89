#include <string>
#include <vector>

#include "engine/json/json_writer.h"
#include "engine/rank/board_notes.h"
#include "engine/rank/versus_board.h"
#include "engine/render/cells.h"
#include "engine/render/figures.h"
#include "leafscore/leaderboard.h"

namespace leafscore {

using namespace internal;

namespace {

FigureList<VersusRow> VersusRowFigures() {
  using Row = VersusRow;
  constexpr Column kIfAny = Column::kIfAny;
  return {{"", "scorer", "", At<&Row::scorer>},
          {"", "model", "model", At<&Row::model>},
          {"", "rank", "rank", At<&Row::rank>, kIfAny},
          {"", "rank_low", "95% from", WholeAt<&Row::rank_interval, &Interval::low>},
          {"", "rank_high", "to", WholeAt<&Row::rank_interval, &Interval::high>},
          {"", "strength", "strength", At<&Row::strength>, kIfAny},
          {"", "standard_error", "±se", At<&Row::standard_error>, kIfAny},
          {"", "opponents", "opponents", At<&Row::opponents>},
          {"", "wins", "wins", At<&Row::wins>},
          {"", "losses", "losses", At<&Row::losses>},
          {"", "ties", "ties", At<&Row::ties>},
          {"", "identical", "", At<&Row::identical>},
          {"", "order_flips", "", At<&Row::order_flips>},
          {"", "order_flip_share", "order flips", At<&Row::order_flip_share>, Column::kPercent},
          {"", "not_compared", "not compared", At<&Row::not_compared>, Column::kIfNotZero},
          {"", "win_rate", "win rate", At<&Row::win_rate>, kIfAny},
          {"", "win_rate_low", "95% from", At<&Row::win_interval, &Interval::low>, kIfAny},
          {"", "win_rate_high", "to", At<&Row::win_interval, &Interval::high>, kIfAny}};
}

FigureList<StrengthDifference> DifferenceFigures() {
  using Row = StrengthDifference;
  return {{"", "model", "", At<&Row::model>},
          {"", "difference", "", At<&Row::difference>},
          {"", "low", "", At<&Row::interval, &Interval::low>},
          {"", "high", "", At<&Row::interval, &Interval::high>}};
}

Document DocumentOf(std::span<const VersusRow> rows) {
  Document document;
  for (std::span<const VersusRow> left = rows; !left.empty();) {
    const std::span<const VersusRow> of_scorer = TakeScorer(left);
    Section section{.title = DisplayName(of_scorer.front().scorer) + ", by matches",
                    .table = TableOf(VersusRowFigures(), of_scorer)};
    if (!of_scorer.front().strength) {
      section.notes.emplace_back(
          "No strengths: some models won every match against the others, or had none, so that no number says "
          "how much stronger they are.");
    }
    document.sections.push_back(std::move(section));
  }
  return document;
}

}  // namespace

std::vector<DescribedObject> internal::VersusObjects() {
  return {{"/items", VersusRowFigures()}, {"/items/properties/differences/items", DifferenceFigures()}};
}

std::string RenderVersus(std::span<const VersusRow> rows, LeaderboardFormat format, std::size_t columns) {
  if (format == LeaderboardFormat::kCsv) return CsvOf(VersusRowFigures(), rows);
  if (format != LeaderboardFormat::kJson) return RenderBoard(DocumentOf(rows), format, columns);
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  const FigureList<VersusRow> figures = VersusRowFigures();
  json.Array(rows, [&](const VersusRow& row) {
    json.Line([&](JsonWriter& line) {
      line.StartObject();
      WriteMembers(figures, row, line);
      WriteObjects(DifferenceFigures(), row.differences, line.Key("differences"));
      line.EndObject();
    });
  });
  return text + '\n';
}

}  // namespace leafscore
