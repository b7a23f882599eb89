#include "engine/rank/versus_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "engine/base/limits.h"
#include "engine/base/model_name.h"
#include "engine/base/suggest.h"
#include "engine/rank/model_figures.h"
#include "engine/statistics/bradley_terry.h"
#include "engine/statistics/pass_rates.h"

namespace leafscore::internal {
namespace {

// The models of some outputs, by name.
class NamedModels {
 public:
  explicit NamedModels(std::span<const NamedManifest> manifests) {
    std::map<std::string, std::string> names;  // by checksum: the name that sorts first
    for (const auto& [output, manifest] : manifests) {
      const bool has_field = std::ranges::find(manifest.options, "source_field", &Manifest::Option::name) !=
                             manifest.options.end();
      if (manifest.inputs.size() != 1 || has_field) {
        throw Error(ErrorCode::kInput,
                    fmt::format("{} has the scores of several models against {}, which would count as one: "
                                "score the answers of each in a run of its own",
                                output, manifest.versus->name));
      }
      for (const Manifest::File& file : {manifest.inputs.front(), *manifest.versus}) {
        std::string name = ModelOfFile(file.name);
        const auto [known, is_new] = names.try_emplace(file.checksum, name);
        if (!is_new && name < known->second) known->second = std::move(name);
      }
    }
    std::map<std::string_view, std::string_view> checksums;
    for (const auto& [checksum, name] : names) {
      if (checksums.try_emplace(name, checksum).second) continue;
      throw Error(
          ErrorCode::kInput,
          fmt::format("two files of other answers would both be the model {}, named after them: rename "
                      "one, and score again",
                      QuoteForMessage(name)));
    }
    for (const auto& [name, checksum] : checksums) {
      number_[std::string(checksum)] = names_.size();
      names_.emplace_back(name);
    }
    if (names_.size() > kMaxGrouped.max) {
      throw Error(ErrorCode::kInput, fmt::format("matches rank at most {} models, but there are {}",
                                                 kMaxGrouped.max, names_.size()));
    }
  }

  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t model) const { return names_[model]; }
  std::size_t NumberOf(const Manifest::File& file) const { return number_.at(file.checksum); }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::size_t> number_;  // by checksum
};

// The matches of one output.
struct OutputMatches {
  VersusFigures counts;
  std::uint64_t asked = 0;  // pairs that a judge was asked about
  std::uint64_t not_compared = 0;
};

// Returns, for each id, whether all outputs have it. REQUIRES: `outputs` is not empty.
std::vector<bool> CommonIds(const ScoreSheet& sheet, std::span<const ModelLines* const> outputs) {
  std::vector<std::uint32_t> owners(sheet.ids.size());
  for (const ModelLines* lines : outputs) {
    const std::vector<std::uint32_t> by_id = LinesById(*lines);
    for (LineNumbers left = by_id; !left.empty();) ++owners[lines->answers[TakeId(*lines, left).front()].id];
  }
  std::vector<bool> common(owners.size());
  for (std::size_t id = 0; id < owners.size(); ++id) common[id] = owners[id] == outputs.size();
  return common;
}

// Counts the matches over ids that are `wanted`.
OutputMatches CountMatches(const ScoreSheet& sheet, const ModelLines& lines, Repeats repeats,
                           const std::vector<bool>& wanted) {
  constexpr double kTieScore = 0.5;
  OutputMatches matches;
  const std::vector<std::uint32_t> by_id = LinesById(lines);
  std::vector<std::uint32_t> chosen;
  for (LineNumbers left = by_id; !left.empty();) {
    const LineNumbers of_id = TakeId(lines, left);
    if (!wanted[lines.answers[of_id.front()].id]) continue;
    ChooseLines(of_id, sheet, lines, repeats, chosen);
    for (const std::uint32_t number : chosen) {
      const Answer& answer = lines.answers[number];
      if (answer.outcome == Outcome::kError) {
        ++matches.not_compared;
      } else if (answer.outcome != Outcome::kScored || answer.score < kTieScore) {
        ++matches.counts.losses;  // no model gains by not answering
      } else {
        ++(answer.score > kTieScore ? matches.counts.wins : matches.counts.ties);
      }
      if (answer.outcome != Outcome::kScored) continue;
      matches.counts.identical += answer.is_identical;
      matches.counts.order_flips += answer.order_flip;
      matches.asked += !answer.is_identical;
    }
  }
  return matches;
}

// Returns the rows of one scorer, in the order of the models.
std::vector<VersusRow> RowsOf(const ScoreSheet& sheet, std::uint32_t scorer, const NamedModels& models,
                              const std::map<std::string, const Manifest*>& outputs,
                              const LeaderboardOptions& options, std::vector<std::string>& warnings) {
  std::vector<VersusRow> rows(models.size());
  std::vector<std::set<std::size_t>> opponents(models.size());
  std::vector<std::uint64_t> asked(models.size());
  Matches matches(models.size());
  std::set<std::pair<std::size_t, std::size_t>> compared;
  std::vector<bool> wanted(sheet.ids.size(), true);
  if (options.common_only) {
    std::vector<const ModelLines*> others;
    for (const ModelLines& lines : sheet.by_scorer[scorer]) {
      const Manifest& manifest = *outputs.at(std::string(sheet.models[lines.model]));
      if (manifest.inputs.front().checksum != manifest.versus->checksum) others.push_back(&lines);
    }
    wanted = CommonIds(sheet, others);
    warnings.push_back(fmt::format("under the scorer {}, matches count over the {} ids that all outputs have",
                                   QuoteForMessage(sheet.scorers[scorer]), std::ranges::count(wanted, true)));
  }
  for (const ModelLines& lines : sheet.by_scorer[scorer]) {
    const Manifest& manifest = *outputs.at(std::string(sheet.models[lines.model]));
    const std::size_t model = models.NumberOf(manifest.inputs.front());
    const std::size_t base = models.NumberOf(*manifest.versus);
    if (model == base) continue;  // a model is as good as itself
    if (!compared.insert(std::minmax(model, base)).second) {
      throw Error(ErrorCode::kInput,
                  fmt::format("two outputs compare the answers of {} and {}, one of them {}: their matches "
                              "would count twice; leave one out",
                              QuoteForMessage(models.name(model)), QuoteForMessage(models.name(base)),
                              sheet.models[lines.model]));
    }
    const OutputMatches output = CountMatches(sheet, lines, options.repeats, wanted);
    matches.Add(model, base, output.counts);
    rows[model].not_compared += output.not_compared;
    for (const auto& [one, other] : {std::pair(model, base), std::pair(base, model)}) {
      opponents[one].insert(other);
      rows[one].identical += output.counts.identical;
      rows[one].order_flips += output.counts.order_flips;
      asked[one] += output.asked;
    }
  }
  if (compared.empty()) {
    throw Error(ErrorCode::kInput,
                fmt::format("{}: no output compares the answers of two models", sheet.scorers[scorer]));
  }
  const BradleyTerry fit(matches);
  const std::vector<Interval> ranks = fit.RankIntervals();
  for (std::size_t model = 0; model < models.size(); ++model) {
    VersusRow& row = rows[model];
    row.scorer = sheet.scorers[scorer];
    row.model = models.name(model);
    row.rank_interval = ranks[model];
    row.opponents = opponents[model].size();
    for (std::size_t other = 0; other < models.size(); ++other) {
      row.wins += matches.wins(model, other);
      row.losses += matches.wins(other, model);
      row.ties += matches.ties(model, other);
    }
    if (asked[model] != 0)
      row.order_flip_share = static_cast<double>(row.order_flips) / static_cast<double>(asked[model]);
    const std::uint64_t decided = row.wins + row.losses;
    if (decided != 0) row.win_rate = static_cast<double>(row.wins) / static_cast<double>(decided);
    if (decided != 0 && row.opponents == 1 && options.repeats != Repeats::kAll)
      row.win_interval = ExactInterval(row.wins, decided);
    if (fit.groups() > 1) continue;
    row.strength = fit.strength(model);
    row.standard_error = fit.StandardError(model);
    row.rank = 1;
    for (std::size_t other = 0; other < models.size(); ++other)
      *row.rank += fit.strength(other) > fit.strength(model);
  }
  std::vector<std::size_t> order(models.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, {}, [&](std::size_t model) { return std::tuple(fit.group(model), -fit.strength(model)); });
  std::vector<VersusRow> sorted;
  for (const std::size_t model : order) {
    for (const std::size_t other : order) {
      if (other == model) continue;
      if (const std::optional<Interval> interval = fit.Difference(model, other))
        rows[model].differences.push_back(
            {models.name(other), fit.strength(model) - fit.strength(other), *interval});
    }
    sorted.push_back(std::move(rows[model]));
  }
  return sorted;
}

}  // namespace

std::vector<VersusRow> RankByMatches(const ScoreSheet& sheet, std::span<const NamedManifest> manifests,
                                     const LeaderboardOptions& options, std::vector<std::string>& warnings) {
  const NamedModels models(manifests);
  std::map<std::string, const Manifest*> outputs;
  for (const NamedManifest& named : manifests) outputs[ModelOfFile(named.output)] = &named.manifest;
  std::vector<VersusRow> rows;
  for (const std::uint32_t scorer : sheet.scorers.Sorted())
    std::ranges::move(RowsOf(sheet, scorer, models, outputs, options, warnings), std::back_inserter(rows));
  return rows;
}

Error MatchesWithoutBase(const std::string& output) {
  return Error(
      ErrorCode::kInput,
      fmt::format("{} compares answers with those of a base (--versus), which only a manifest names, "
                  "and it has none: if its run has not ended, continue that (--resume); else score "
                  "the answers again",
                  output));
}

}  // namespace leafscore::internal
