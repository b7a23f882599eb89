#include "engine/rank/model_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/rank/row_builder.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Returns those of the lines of one id that count. Those of records that could not be read come last, and
// count only where there are no others.
LineNumbers Chosen(LineNumbers of_id, const ScoreSheet& sheet, const ModelLines& lines, Repeats repeats) {
  const auto end =
      std::ranges::find_if(of_id, [&](std::uint32_t number) { return lines.answers[number].from_broken; });
  if (end != of_id.begin()) of_id = LineNumbers(of_id.begin(), end);
  if (repeats == Repeats::kError && of_id.size() > 1) {
    const std::string& id = sheet.ids[lines.answers[of_id[0]].id];
    throw Error(
        ErrorCode::kInput,
        fmt::format("{} has {} lines of the {} {} under one scorer; give --repeats last, first or all "
                    "to say which count",
                    sheet.models[lines.model], of_id.size(),
                    id.front() == ScoreSheet::kRealId ? "id" : "record", id.substr(1)));
  }
  if (repeats == Repeats::kAll) return of_id;
  return repeats == Repeats::kFirst ? of_id.first(1) : of_id.last(1);
}

}  // namespace

bool FillRow(const ScoreSheet& sheet, const AskedIds& asked, const ModelLines& lines, const IdOrder& order,
             const LeaderboardOptions& options,
             const std::function<void(std::uint32_t id, double score)>& add_score, LeaderboardRow& row) {
  std::vector<std::uint32_t> by_id(lines.answers.size());
  std::iota(by_id.begin(), by_id.end(), 0u);
  const auto place_of = [&](std::uint32_t number) { return order.place[lines.answers[number].id]; };
  std::ranges::stable_sort(by_id, {}, [&](std::uint32_t number) {
    return std::pair(place_of(number), lines.answers[number].from_broken);
  });

  const bool is_apart = asked.apart[lines.model];
  RowBuilder builder(order, asked, lines, options.pass_k);
  std::vector<bool> has_lines(asked.shared.size());
  std::uint64_t own_ids = 0;
  std::uint64_t only_here = 0;
  std::uint64_t samples = 0;
  bool own_score = false;
  for (LineNumbers left = by_id; !left.empty();) {
    const auto end = std::ranges::upper_bound(left, place_of(left[0]), {}, place_of);
    const LineNumbers of_id = left.first(static_cast<std::size_t>(end - left.begin()));
    left = left.subspan(of_id.size());
    const LineNumbers chosen = Chosen(of_id, sheet, lines, options.repeats);
    row.repeated += of_id.size() - chosen.size();
    samples += chosen.size();
    const std::uint32_t id = lines.answers[of_id[0]].id;
    const double score = builder.AddId(id, chosen);
    add_score(id, score);
    only_here += !asked.common[id] && (is_apart || asked.index[id] != AskedIds::kNotShared);
    if (const std::uint32_t index = asked.index[id]; index != AskedIds::kNotShared) {
      has_lines[index] = true;
    } else {
      ++own_ids;
      own_score |= score > 0;
    }
  }
  if (options.repeats == Repeats::kAll) row.samples = samples;
  row.own = only_here;
  row.not_asked = lines.not_asked;

  std::uint64_t stand_ins = own_ids;  // each for an id that the model seems to lack
  std::uint64_t lacking = 0;
  for (std::size_t i = 0; i < asked.shared.size(); ++i) {
    if (has_lines[i] || is_apart) continue;
    if (stand_ins > 0) {
      --stand_ins;
      continue;
    }
    builder.AddId(asked.shared[i], {});
    ++lacking;
  }
  if (!is_apart) row.lacking = lacking;
  builder.Fill(row);
  return stand_ins == 0 && !own_score;
}

}  // namespace leafscore::internal
