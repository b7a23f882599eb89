#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/json/json_writer.h"
#include "engine/rank/board_notes.h"
#include "engine/rank/leaderboard.h"
#include "engine/render/cells.h"
#include "engine/render/figures.h"
#include "engine/report/cause_table.h"
#include "engine/report/field_figures.h"
#include "engine/report/label_section.h"
#include "leafscore/leaderboard.h"

namespace leafscore {

using namespace internal;

namespace {

constexpr char kMeanTitle[] = "over all";
constexpr char kPassRateTitle[] = "pass";

std::string ThanNextName(ThanNext than_next) {
  constexpr std::string_view kNames[] = {"better", "no_worse", "cannot_tell", "worse"};
  return std::string(kNames[static_cast<std::size_t>(than_next)]);
}

std::optional<std::string> ThanNextValue(const LeaderboardRow& row) {
  return row.than_next ? std::optional(ThanNextName(*row.than_next)) : std::nullopt;
}

std::string ThanNextText(const LeaderboardRow& row) {
  std::string text = row.than_next ? ThanNextName(*row.than_next) : "";
  std::ranges::replace(text, '_', ' ');
  return text;
}

// If many models are tied, only their number is shown, so that the table stays narrow.
std::vector<std::string> TiesText(const LeaderboardRow& row) {
  constexpr std::size_t kMostNamed = 3;
  if (row.tied_with.size() <= kMostNamed) return row.tied_with;
  return {fmt::format("{} others", row.tied_with.size())};
}

// Reads a member of the cause that costs most.
template <auto kMember>
auto OfCostliest(const LeaderboardRow& row) {
  return row.causes.empty() ? std::nullopt : std::optional(row.causes.front().*kMember);
}

std::optional<std::string_view> CostliestCause(const LeaderboardRow& row) {
  if (row.causes.empty()) return {};
  return AnswerCauseName(row.causes.front().cause);
}

// Adds the group of figures for a scorer that judges fields.
void AddFieldFigures(FigureList<LeaderboardRow>& figures) {
  const std::size_t begin = figures.size();
  AddPartFigures(
      "", CountFigures(), [](const LeaderboardRow& row) -> const auto& { return row.fields; }, figures);
  AddPartFigures(
      "", RateFigures(),
      [](const LeaderboardRow& row) {
        return row.fields ? std::optional(FiguresOf(*row.fields)) : std::nullopt;
      },
      figures);
  for (std::size_t f = begin; f < figures.size(); ++f) {
    figures[f].group = "fields";
    figures[f].column = Column::kIfAny;
  }
}

// Adds the group of figures that are corrected by labels. Tables have a separate section for this group.
void AddCorrections(FigureList<LeaderboardRow>& figures) {
  const std::size_t begin = figures.size();
  AddPartFigures(
      "", CorrectionFigures(), [](const LeaderboardRow& row) -> const auto& { return row.corrected; },
      figures);
  for (std::size_t f = begin; f < figures.size(); ++f) {
    figures[f].group = "corrected";
    figures[f].title.clear();
  }
}

// Adds the figures about passes among k answers: a group for each figure, with a member for each k.
void AddPassFigures(const std::vector<PassAmong>& ks, FigureList<LeaderboardRow>& figures) {
  const auto add_group = [&](const char* group, std::string_view title, Column column, auto value) {
    for (std::size_t i = 0; i < ks.size(); ++i) {
      const std::string k = std::to_string(ks[i].k);
      figures.push_back({group, k, fmt::format("{}{}", title, k),
                         [=](const LeaderboardRow& row) { return value(row.pass_k[i]); }, column});
    }
  };
  add_group("pass_at", "pass@", Column::kIfAny, At<&PassAmong::pass_at>);
  add_group("pass_hat", "pass^", Column::kIfAny, At<&PassAmong::pass_hat>);
  add_group("short_ids", "ids under ", Column::kIfNotZero, At<&PassAmong::short_ids>);
}

// Marks figures that are redundant if all answers of the models are scored: they then repeat other figures.
void MarkIdle(FigureList<LeaderboardRow>& figures) {
  constexpr std::string_view kOnlyOfScored[] = {"precision", "recall", "f1"};
  for (Figure<LeaderboardRow>& figure : figures) {
    if (figure.name == "coverage") figure.idle = Idle::kCoverage;
    const bool is_of_scored = figure.group == "over_scored" &&
                              std::ranges::find(kOnlyOfScored, figure.name) == std::end(kOnlyOfScored);
    if (figure.name == "scored" || is_of_scored) figure.idle = Idle::kIfCovered;
  }
}

// Returns the figures of these rows. In a table, ties are the last column, because they may be long.
FigureList<LeaderboardRow> BoardFigures(std::span<const LeaderboardRow> rows) {
  using Row = LeaderboardRow;
  constexpr Column kIfAny = Column::kIfAny;
  constexpr Column kIfNotZero = Column::kIfNotZero;
  const bool has_groups = std::ranges::any_of(rows, [](const Row& row) { return row.group.has_value(); });
  FigureList<Row> figures = {
      {"", "scorer", "", At<&Row::scorer>},
      {"", "model", "model", At<&Row::model>},
      {"", "tied_with", "", At<&Row::tied_with>},
      {"", "group", "", At<&Row::group>},
      {"", "rank", "rank", At<&Row::rank>, kIfAny},
      {"", "rank_low", "95% from", WholeAt<&Row::rank_interval, &Interval::low>, kIfAny},
      {"", "rank_high", "to", WholeAt<&Row::rank_interval, &Interval::high>, kIfAny},
      {"", "p_next", "p (next)", At<&Row::p_next>, Column::kPIfAny},
      {"", "asked", "asked", At<&Row::asked>, kIfAny},
      {"", "samples", "samples", At<&Row::samples>, kIfAny},
      {"", "scored", "scored", At<&Row::scored>, kIfAny},
      {"", "unreadable", "unread.", At<&Row::unreadable>, kIfNotZero},
      {"", "unanswered", "unansw.", At<&Row::unanswered>, kIfNotZero},
      {"", "errors", "errors", At<&Row::errors>, kIfNotZero},
      {"", "nothing_compared", "nothing compared", At<&Row::nothing_compared>, kIfNotZero},
      {"", "of_other_kind", "", At<&Row::of_other_kind>},
      {"", "unexpected_share", "", At<&Row::unexpected_share>},
      {"", "lacking", "lacking", At<&Row::lacking>, kIfNotZero},
      {"", "own", "own", At<&Row::own>, kIfNotZero},
      {"", "repeated", "repeated", At<&Row::repeated>, kIfNotZero},
      {"", "not_asked", "not asked", At<&Row::not_asked>, kIfNotZero},
      {"", "not_common", "not common", At<&Row::not_common>, kIfNotZero},
      {"", "clusters", "clusters", At<&Row::clusters>, kIfAny},
      {"", "coverage", "coverage", At<&Row::coverage>, kIfAny},
      {"", "common_ids", "", At<&Row::common_ids>},
      {"share", "ids", "", At<&Row::share, &IdShare::ids>},
      {"share", "of", "", At<&Row::share, &IdShare::of>},
      {"over_all", "mean", kMeanTitle, At<&Row::over_all, &RankedFigures::mean>, kIfAny},
      {"over_all", "standard_error", "±se", At<&Row::over_all, &RankedFigures::standard_error>, kIfAny},
      {"over_all", "pass_rate", kPassRateTitle, At<&Row::over_all, &RankedFigures::pass_rate>, kIfAny},
      {"over_all", "pass_rate_low", "95% from", At<&Row::pass_interval, &Interval::low>, kIfAny},
      {"over_all", "pass_rate_high", "to", At<&Row::pass_interval, &Interval::high>, kIfAny},
      {"over_scored", "mean", "over scored", At<&Row::over_scored, &RankedFigures::mean>, kIfAny},
      {"over_scored", "standard_error", "±se", At<&Row::over_scored, &RankedFigures::standard_error>, kIfAny},
      {"over_scored", "pass_rate", "pass scored", At<&Row::over_scored, &RankedFigures::pass_rate>, kIfAny},
      {"over_scored", "precision", "precision", At<&Row::precision>, kIfAny},
      {"over_scored", "recall", "recall", At<&Row::recall>, kIfAny},
      {"over_scored", "f1", "f1", At<&Row::f1>, kIfAny},
      {"cause", "name", "", CostliestCause},
      {"cause", "ids", "", OfCostliest<&CauseFigures::ids>},
      {"cause", "share", "", OfCostliest<&CauseFigures::share>},
      {"cause", "mean_without", "", OfCostliest<&CauseFigures::mean_without>},
  };
  MarkIdle(figures);
  if (!has_groups) std::erase_if(figures, [](const Figure<Row>& figure) { return figure.name == "group"; });
  AddFieldFigures(figures);
  if (std::ranges::any_of(rows, [](const Row& row) { return row.corrected.has_value(); }))
    AddCorrections(figures);
  if (!rows.empty()) AddPassFigures(rows.front().pass_k, figures);
  const FigureList<Row> ends = {
      {"", "than_next", "", ThanNextValue},
      {"", "passes_less", "", At<&Row::passes_less>},
      {"", "verified", "", At<&Row::verified>},
      {"", "", "than next", ThanNextText, Column::kTextsIfAny, In::kTable},
      {"", "", "group", At<&Row::group>, Column::kTextsIfAny, In::kTable},
      {"", "", "tied with", TiesText, Column::kTextsIfAny, In::kTable},
  };
  figures.insert(figures.end(), ends.begin(), ends.end());
  return figures;
}

// Returns the rows of one scorer. The best means are bold, and a star marks a pass rate that is lower than
// the pass rate of the next model.
Table BoardTable(std::span<const LeaderboardRow> rows) {
  Table table = TableOf(BoardFigures(rows), rows);
  for (std::size_t c = 0; c < table.rows[0].size(); ++c) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (table.rows[0][c] == kMeanTitle && rows[r].best) table.bold.insert({r + 1, c});
      if (table.rows[0][c] == kPassRateTitle && rows[r].passes_less) table.rows[r + 1][c].insert(0, 1, '*');
    }
  }
  return table;
}

std::string TitleOf(const LeaderboardRow& row) {
  std::string title = DisplayName(row.scorer);
  if (row.common_ids) title += fmt::format(", over the {} ids that all have", WithThousands(*row.common_ids));
  return title;
}

// Returns whether some model is better than the next one by the test of these two alone, but tied with it by
// the tests of all pairs.
bool IsBetterAndTied(std::span<const LeaderboardRow> rows) {
  for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
    const std::vector<std::string>& ties = rows[r].tied_with;
    const bool is_better = rows[r].than_next == ThanNext::kBetter;
    if (is_better && std::ranges::find(ties, rows[r + 1].model) != ties.end()) return true;
  }
  return false;
}

std::vector<std::string> NotesOn(std::span<const LeaderboardRow> rows) {
  std::vector<std::string> notes;
  if (std::ranges::any_of(rows, &LeaderboardRow::passes_less)) {
    notes.emplace_back("* Its mean is higher than the next model's, but fewer of its records pass.");
  }
  if (IsBetterAndTied(rows)) {
    notes.emplace_back(
        "\"than next\" compares two neighbours alone; \"tied with\" allows for all pairs of models.");
  }
  std::vector<std::string> unranked;
  for (const LeaderboardRow& row : rows) {
    if (row.rank) continue;
    const IdShare& share = row.share;
    unranked.push_back(fmt::format(
        "{}, {}", DisplayName(row.model),
        share.ids == share.of && share.of > 0
            ? "the only one left"
            : fmt::format("lines for {} of {} ids", WithThousands(share.ids), WithThousands(share.of))));
  }
  if (!unranked.empty()) {
    notes.push_back(fmt::format("Not ranked, as too few ids are common: {}", fmt::join(unranked, "; ")));
  }
  return notes;
}

// Writes the figures of a row, and all of its causes, the costliest first.
void WriteRow(const FigureList<LeaderboardRow>& figures, const LeaderboardRow& row, JsonWriter& json) {
  json.StartObject();
  WriteMembers(figures, row, json);
  json.Key("causes").Array(row.causes, [&](const CauseFigures& cause) {
    json.Object([&] {
      json.Key("name").String(AnswerCauseName(cause.cause));
      json.Key("ids").Integer(cause.ids);
      json.Key("share").Number(cause.share);
      json.Key("mean_without").Number(cause.mean_without);
      json.Key("cost").Number(CostOf(row.over_all.mean, cause.mean_without));
    });
  });
  json.EndObject();
}

// Returns a section on what is wrong with the answers of all models. It has no table if no cause is known.
Section CausesSection(std::span<const LeaderboardRow> rows) {
  std::vector<CauseRow> causes;
  for (const LeaderboardRow& row : rows) {
    for (const CauseFigures& cause : row.causes) {
      causes.push_back({row.scorer, row.model, std::string(AnswerCauseName(cause.cause)), cause.ids,
                        cause.share, row.over_all.mean, cause.mean_without});
    }
  }
  return CauseSection(std::move(causes), "model", "ids");
}

Document DocumentOf(std::span<const LeaderboardRow> rows) {
  Document document;
  for (std::span<const LeaderboardRow> left = rows; !left.empty();) {
    const std::span<const LeaderboardRow> of_scorer = TakeScorer(left);
    document.sections.push_back(
        {.title = TitleOf(of_scorer.front()), .table = BoardTable(of_scorer), .notes = NotesOn(of_scorer)});
  }
  std::vector<CorrectedRow> corrected;
  for (const LeaderboardRow& row : rows) {
    if (row.corrected) corrected.push_back({row.scorer, row.model, row.over_all.pass_rate, *row.corrected});
  }
  document.sections.push_back(LabelSection(corrected, "model"));
  document.sections.push_back(CausesSection(rows));
  document.sections.push_back(ModelNotes(rows));
  return document;
}

}  // namespace

std::vector<DescribedObject> internal::LeaderboardObjects() {
  return {{"/items", BoardFigures({})}, {"/items/properties/corrected", CorrectionFigures()}};
}

std::string RenderLeaderboard(std::span<const LeaderboardRow> rows, LeaderboardFormat format,
                              std::size_t columns) {
  if (format == LeaderboardFormat::kCsv) return CsvOf(BoardFigures(rows), rows);
  if (format != LeaderboardFormat::kJson) return RenderBoard(DocumentOf(rows), format, columns);
  std::string text;
  JsonWriter json(text, JsonLayout::kIndented);
  const FigureList<LeaderboardRow> figures = BoardFigures(rows);
  json.Array(rows, [&](const LeaderboardRow& row) {
    json.Line([&](JsonWriter& line) { WriteRow(figures, row, line); });
  });
  return text + '\n';
}

}  // namespace leafscore
