#include "engine/rank/board_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

#include "engine/base/limits.h"
#include "engine/base/model_name.h"
#include "engine/base/suggest.h"
#include "engine/base/versus_remarks.h"
#include "engine/json/json_value.h"
#include "engine/rank/board_notes.h"
#include "engine/report/answer_kinds.h"

namespace leafscore::internal {
namespace {

// Adds a warning about models of a scorer; nothing if `models` is empty.
void AddDoubt(const std::string& scorer, std::span<const std::string> models, std::string_view what,
              std::vector<std::string>& warnings) {
  constexpr std::size_t kMaxNamed = 5;
  if (models.empty()) return;
  std::string names;
  for (const std::string& model : models.first(std::min(models.size(), kMaxNamed))) {
    names += (names.empty() ? "" : ", ") + QuoteForMessage(model);
  }
  if (models.size() > kMaxNamed) names += fmt::format(" and {} more", models.size() - kMaxNamed);
  warnings.push_back(fmt::format("under the scorer {}, {}: {}", QuoteForMessage(scorer), what, names));
}

// Returns the models that each scorer asked to judge, by the scorer's name. Models have their common names
// (CommonModelName).
std::map<std::string, std::set<std::string>> JudgesOfScorers(std::span<const NamedManifest> manifests) {
  std::map<std::string, std::set<std::string>> judges;
  for (const NamedManifest& named : manifests) {
    for (const Manifest::Scorer& scorer : named.manifest.scorers) {
      const auto add = [&](const JsonView& model) {
        if (model.IsText()) judges[scorer.name].insert(CommonModelName(*model.Text()));
      };
      for (const Manifest::Option& option : scorer.options) {
        if (option.name != "model" && option.name != "panel") continue;
        JsonValue json{JsonOptions{}};
        const JsonView value = json.Read(option.json);
        add(value);
        value.ForEachChild([&](const JsonView& member) { add(member.Member("model")); });
      }
    }
  }
  return judges;
}

}  // namespace

void AddSelfJudging(std::span<const JudgedModel> models, std::span<const NamedManifest> manifests,
                    std::vector<std::string>& warnings) {
  for (const auto& [scorer, judges] : JudgesOfScorers(manifests)) {
    std::set<std::string> own;
    for (const JudgedModel& judged : models) {
      if (judged.scorer == scorer && judges.contains(CommonModelName(judged.model))) own.insert(judged.model);
    }
    AddDoubt(scorer, std::vector(own.begin(), own.end()),
             "models judged their own answers, and judges tend to favour their own; take another judge, or "
             "measure it with `leafscore judge-check --by`",
             warnings);
  }
}

void AddVersusDoubts(std::span<const VersusRow> rows, std::vector<std::string>& warnings) {
  while (!rows.empty()) {
    const std::span<const VersusRow> of_scorer = TakeScorer(rows);
    std::vector<std::string> flipped;
    std::vector<std::string> undecided;
    for (const VersusRow& row : of_scorer) {
      constexpr double kMostUndecided = 0.05;
      const std::uint64_t decided = row.wins + row.losses + row.ties;
      if (row.order_flip_share > kMostOrderFlips) flipped.push_back(row.model);
      if (static_cast<double>(row.not_compared) >
          kMostUndecided * static_cast<double>(decided + row.not_compared))
        undecided.push_back(row.model);
    }
    AddDoubt(of_scorer.front().scorer, undecided,
             "more than 5% of the answers could not be compared and count as no matches, which may favour",
             warnings);
    AddDoubt(
        of_scorer.front().scorer, flipped,
        "the judge chose by place in more than 20% of the pairs, so it is no good judge of the answers of",
        warnings);
  }
}

void AddDoubts(std::span<const LeaderboardRow> rows, double min_share, std::vector<std::string>& warnings) {
  while (!rows.empty()) {
    const std::string& scorer = rows.front().scorer;
    const bool lacks_pass_k = !rows.front().pass_k.empty() && !rows.front().pass_k.front().pass_at;
    std::vector<std::string> apart;
    std::vector<std::string> with_own;
    std::vector<std::string> lacking;
    std::vector<std::string> repeating;
    std::vector<std::string> empty;
    std::vector<std::string> of_other_kind;
    std::vector<std::string> unexpected;
    std::size_t ranked = 0;
    for (; !rows.empty() && rows.front().scorer == scorer; rows = rows.subspan(1)) {
      const LeaderboardRow& row = rows.front();
      if (!row.rank) {
        apart.push_back(row.model);
      } else {
        ++ranked;
        if (row.own.value_or(0) > 0) with_own.push_back(row.model);
        if (row.lacking.value_or(0) > 0) lacking.push_back(row.model);
      }
      if (row.repeated > 0) repeating.push_back(row.model);
      if (row.nothing_compared > 0) empty.push_back(row.model);
      const SourceAnswers answers = AnswersOf(row);
      if (AreManyOfOtherKind(answers)) of_other_kind.push_back(row.model);
      if (AreMostlyUnexpected(answers)) unexpected.push_back(row.model);
    }
    AddDoubt(scorer, apart,
             fmt::format("models have too few ids in common with others and are not ranked (--min-share {}; "
                         "--common-only ranks by the ids that all have)",
                         min_share),
             warnings);
    AddDoubt(
        scorer, lacking,
        "models lack ids that others have, which count 0 for them, so that an equal model may rank lower; "
        "--common-only compares them fairly, by the ids that all have",
        warnings);
    AddDoubt(scorer, with_own, "models have ids that no other has, which count 0 for the others", warnings);
    if (ranked > kMaxGrouped.max) {
      warnings.push_back(
          fmt::format("under the scorer {}, ranks have no intervals, as {} models are ranked "
                      "and all pairs of at most {} are tested",
                      QuoteForMessage(scorer), ranked, kMaxGrouped.max));
    }
    AddDoubt(scorer, repeating, "models have several lines with one id, and --repeats chooses one of them",
             warnings);
    AddDoubt(scorer, empty, "models have scores that compared nothing, as the expected value is empty",
             warnings);
    AddDoubt(scorer, of_other_kind,
             "models have many answers that are not an object or array where one is expected, such as prose",
             warnings);
    AddDoubt(scorer, unexpected,
             "models have answers whose leaves are mostly unexpected, such as those under other keys",
             warnings);
    if (!lacks_pass_k) continue;
    warnings.push_back(
        fmt::format("under the scorer {} nothing passes or fails, so --pass-k has no figures; "
                    "give it a threshold",
                    QuoteForMessage(scorer)));
  }
}

}  // namespace leafscore::internal
