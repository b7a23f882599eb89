#include "engine/rank/model_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/rank/row_builder.h"
#include "engine/scores/line_use.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Adds the shared ids for which a model has no line, but leaves out one for each line whose id was lost.
// RETURNS: the number of added ids.
std::uint64_t AddLacking(const ScoreSheet& sheet, const AskedIds& asked, const std::vector<bool>& has_lines,
                         std::uint64_t stand_ins, RowBuilder& builder) {
  std::vector<std::uint32_t> lacking;
  for (std::size_t i = 0; i < asked.shared.size(); ++i) {
    if (!has_lines[i]) lacking.push_back(asked.shared[i]);
  }
  // It is unknown which ids the lines with lost ids represent. Choosing by name gives the same result for any
  // order of the lines.
  if (stand_ins > 0) {
    std::ranges::sort(lacking, {}, [&](std::uint32_t id) { return sheet.ids[id]; });
  }
  const auto first = std::min<std::uint64_t>(stand_ins, lacking.size());
  for (const std::uint32_t id : std::span(lacking).subspan(first)) builder.AddId(id, {});
  return lacking.size() - first;
}

}  // namespace

void ChooseLines(LineNumbers of_id, const ScoreSheet& sheet, const ModelLines& lines, Repeats repeats,
                 std::vector<std::uint32_t>& chosen) {
  chosen.clear();
  for (const std::uint32_t number : of_id) {
    const bool are_broken = !chosen.empty() && lines.answers[chosen.front()].from_broken;
    const LineUse use = UseOfLine(repeats, chosen.size(), are_broken, lines.answers[number].from_broken);
    if (use == LineUse::kNot) continue;
    if (use == LineUse::kAlone) chosen.clear();
    chosen.push_back(number);
  }
  if (repeats != Repeats::kError || chosen.size() == 1) return;
  const std::string_view id = sheet.ids[lines.answers[of_id[0]].id];
  throw Error(ErrorCode::kInput,
              fmt::format("{} has {} lines of the {} {} under one scorer; give --repeats last, first or all "
                          "to say which count",
                          sheet.models[lines.model], chosen.size(),
                          id.front() == ScoreSheet::kRealId ? "id" : "record", id.substr(1)));
}

std::vector<std::uint32_t> LinesById(const ModelLines& lines) {
  std::vector<std::uint32_t> numbers(lines.answers.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  const auto id_of = [&](std::uint32_t number) { return lines.answers[number].id; };
  // Usually all models were asked in the same order, and ids are numbered in this order.
  if (!std::ranges::is_sorted(numbers, {}, id_of)) std::ranges::stable_sort(numbers, {}, id_of);
  return numbers;
}

LineNumbers TakeId(const ModelLines& lines, LineNumbers& by_id) {
  const std::uint32_t id = lines.answers[by_id[0]].id;
  const auto end =
      std::ranges::find_if(by_id, [&](std::uint32_t number) { return lines.answers[number].id != id; });
  const LineNumbers of_id(by_id.begin(), end);
  by_id = by_id.subspan(of_id.size());
  return of_id;
}

bool FillRow(const ScoreSheet& sheet, const AskedIds& asked, const ModelLines& lines,
             const IdFields& id_fields, const LeaderboardOptions& options, const AddResult& add,
             LeaderboardRow& row) {
  const std::vector<std::uint32_t> by_id = LinesById(lines);
  const bool is_apart = asked.apart[lines.model];
  RowBuilder builder(id_fields, asked, lines, options.pass_k);
  std::vector<bool> has_lines(asked.shared.size());
  std::uint64_t shared_ids = 0;
  std::uint64_t own_ids = 0;
  std::uint64_t only_here = 0;
  std::uint64_t samples = 0;
  bool own_score = false;
  std::vector<std::uint32_t> chosen;  // lines of an id
  for (LineNumbers left = by_id; !left.empty();) {
    const LineNumbers of_id = TakeId(lines, left);
    const std::uint32_t id = lines.answers[of_id[0]].id;
    const bool is_shared = asked.index[id] != AskedIds::kNotShared;
    if (asked.common_only && !is_shared) {
      row.not_common += of_id.size();
      continue;
    }
    ChooseLines(of_id, sheet, lines, options.repeats, chosen);
    row.repeated += of_id.size() - chosen.size();
    samples += chosen.size();
    const IdResult result = builder.AddId(id, chosen);
    add(id, result, chosen);
    only_here += !asked.common[id] && (is_apart || is_shared);
    if (is_shared) {
      has_lines[asked.index[id]] = true;
      ++shared_ids;
    } else {
      ++own_ids;
      own_score |= result.score > 0;
    }
  }
  if (options.repeats == Repeats::kAll) row.samples = samples;
  row.own = only_here;
  row.not_asked = lines.not_asked;
  row.share = asked.share[lines.model];
  if (!is_apart) row.lacking = AddLacking(sheet, asked, has_lines, own_ids, builder);
  builder.Fill(!options.labels.empty(), row);
  return own_ids <= asked.shared.size() - shared_ids && !own_score;
}

}  // namespace leafscore::internal
