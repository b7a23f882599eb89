#include "engine/rank/leaderboard_columns.h"

#include <fmt/format.h>

#include <cstddef>

#include "engine/report/field_figures.h"

namespace leafscore::internal {
namespace {

using Row = LeaderboardRow;

std::optional<double> Count(std::optional<std::uint64_t> count) {
  return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

std::optional<double> Low(std::optional<Interval> interval) {
  return interval ? std::optional(interval->low) : std::nullopt;
}

std::optional<double> High(std::optional<Interval> interval) {
  return interval ? std::optional(interval->high) : std::nullopt;
}

template <auto kMember>
std::optional<double> FieldCount(const Row& row) {
  return row.fields ? Count(*row.fields.*kMember) : std::nullopt;
}

template <auto kMember>
std::optional<double> FieldFigure(const Row& row) {
  return row.fields ? FiguresOf(*row.fields).*kMember : std::nullopt;
}

}  // namespace

std::string_view ThanNextName(ThanNext than_next) {
  constexpr std::string_view kNames[] = {"better", "no_worse", "cannot_tell", "worse"};
  return kNames[static_cast<std::size_t>(than_next)];
}

std::vector<Column> ColumnsOf(std::span<const Row> rows) {
  constexpr auto kFigure = Column::kFigure;
  constexpr auto kCount = Column::kCount;
  constexpr auto kRareCount = Column::kRareCount;
  constexpr auto kData = Column::kData;
  std::vector<Column> columns = {
      {"", "rank", "rank", kCount, [](const Row& r) { return Count(r.rank); }},
      {"", "rank_low", "95% from", kCount, [](const Row& r) { return Low(r.rank_interval); }},
      {"", "rank_high", "to", kCount, [](const Row& r) { return High(r.rank_interval); }},
      {"", "p_next", "p (next)", kFigure, [](const Row& r) { return r.p_next; }},
      {"", "asked", "asked", kCount, [](const Row& r) { return Count(r.asked); }},
      {"", "samples", "samples", kCount, [](const Row& r) { return Count(r.samples); }},
      {"", "scored", "scored", kCount, [](const Row& r) { return Count(r.scored); }},
      {"", "unreadable", "unread.", kRareCount, [](const Row& r) { return Count(r.unreadable); }},
      {"", "unanswered", "unansw.", kRareCount, [](const Row& r) { return Count(r.unanswered); }},
      {"", "errors", "errors", kRareCount, [](const Row& r) { return Count(r.errors); }},
      {"", "nothing_compared", "nothing compared", kRareCount,
       [](const Row& r) { return Count(r.nothing_compared); }},
      {"", "of_other_kind", "", kData, [](const Row& r) { return Count(r.of_other_kind); }},
      {"", "unexpected_share", "", kData, [](const Row& r) { return r.unexpected_share; }},
      {"", "lacking", "lacking", kRareCount, [](const Row& r) { return Count(r.lacking); }},
      {"", "own", "own", kRareCount, [](const Row& r) { return Count(r.own); }},
      {"", "repeated", "repeated", kRareCount, [](const Row& r) { return Count(r.repeated); }},
      {"", "not_asked", "not asked", kRareCount, [](const Row& r) { return Count(r.not_asked); }},
      {"", "not_common", "not common", kRareCount, [](const Row& r) { return Count(r.not_common); }},
      {"", "clusters", "clusters", kCount, [](const Row& r) { return Count(r.clusters); }},
      {"", "coverage", "coverage", kFigure, [](const Row& r) { return r.coverage; }},
      {"", "common_ids", "", kData, [](const Row& r) { return Count(r.common_ids); }},
      {"share", "ids", "", kData, [](const Row& r) { return Count(r.share.ids); }},
      {"share", "of", "", kData, [](const Row& r) { return Count(r.share.of); }},
      {"over_all", "mean", "over all", kFigure, [](const Row& r) { return r.over_all.mean; }},
      {"over_all", "standard_error", "±se", kFigure, [](const Row& r) { return r.over_all.standard_error; }},
      {"over_all", "pass_rate", "pass", kFigure, [](const Row& r) { return r.over_all.pass_rate; }},
      {"over_all", "pass_rate_low", "95% from", kFigure, [](const Row& r) { return Low(r.pass_interval); }},
      {"over_all", "pass_rate_high", "to", kFigure, [](const Row& r) { return High(r.pass_interval); }},
      {"over_scored", "mean", "over scored", kFigure, [](const Row& r) { return r.over_scored.mean; }},
      {"over_scored", "standard_error", "±se", kFigure,
       [](const Row& r) { return r.over_scored.standard_error; }},
      {"over_scored", "pass_rate", "pass scored", kFigure,
       [](const Row& r) { return r.over_scored.pass_rate; }},
      {"over_scored", "precision", "precision", kFigure, [](const Row& r) { return r.precision; }},
      {"over_scored", "recall", "recall", kFigure, [](const Row& r) { return r.recall; }},
      {"over_scored", "f1", "f1", kFigure, [](const Row& r) { return r.f1; }},
      {"fields", "true_positives", "tp", kCount, FieldCount<&FieldCounts::true_positives>},
      {"fields", "false_positives", "fp", kCount, FieldCount<&FieldCounts::false_positives>},
      {"fields", "false_negatives", "fn", kCount, FieldCount<&FieldCounts::false_negatives>},
      {"fields", "true_negatives", "tn", kCount, FieldCount<&FieldCounts::true_negatives>},
      {"fields", "precision", "precision", kFigure, FieldFigure<&FieldFigures::precision>},
      {"fields", "recall", "recall", kFigure, FieldFigure<&FieldFigures::recall>},
      {"fields", "f1", "f1", kFigure, FieldFigure<&FieldFigures::f1>},
  };
  // A group for each figure, with a member for each k.
  const std::size_t ks = rows.empty() ? 0 : rows.front().pass_k.size();
  const auto add_group = [&](std::string_view group, std::string_view title, Column::Kind kind, auto value) {
    for (std::size_t i = 0; i < ks; ++i) {
      const std::string k = std::to_string(rows.front().pass_k[i].k);
      columns.push_back(
          {group, k, fmt::format("{}{}", title, k), kind, [=](const Row& r) { return value(r.pass_k[i]); }});
    }
  };
  add_group("pass_at", "pass@", kFigure, [](const PassAmong& among) { return among.pass_at; });
  add_group("pass_hat", "pass^", kFigure, [](const PassAmong& among) { return among.pass_hat; });
  add_group("short_ids", "ids under ", kRareCount,
            [](const PassAmong& among) { return Count(among.short_ids); });
  return columns;
}

}  // namespace leafscore::internal
