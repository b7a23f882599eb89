#include "engine/rank/asked_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/suggest.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// The least number of common ids. Fewer ids say little, and hardly represent the questions to each model.
constexpr std::size_t kLeastCommonIds = 20;

void AddFields(const ModelLines& lines, AskedIds& asked) {
  for (std::size_t i = 0; i < lines.fields.size(); ++i) {
    const FieldTally& tally = lines.fields[i];
    if (tally.fields == 0) continue;
    asked.fields.resize(asked.index.size());
    AskedIds::Fields& fields = asked.fields[lines.answers[i].id];
    fields.all = std::max(fields.all, tally.fields);
    fields.expected = std::max(fields.expected, tally.expected());
  }
}

// The models and their ids. Models can be dropped; the remaining models will be ranked.
class Candidates {
 public:
  Candidates(const ScoreSheet& sheet, std::span<const ModelLines> models)
      : is_real_(sheet.is_real), owners_(sheet.ids.size()), latest_(sheet.ids.size()) {
    const auto is_real = [&](const Answer& answer) { return is_real_[answer.id]; };
    any_real_ = std::ranges::any_of(
        models, [&](const ModelLines& lines) { return std::ranges::any_of(lines.answers, is_real); });
    for (const ModelLines& lines : models) {
      Candidate& candidate = candidates_.emplace_back(Candidate{.lines = &lines});
      ForEachId(lines, Pass::kCome, [&](std::uint32_t id) {
        ++(Counts(id) ? candidate.ids : candidate.stand_ins);
        if (Counts(id)) ids_ += owners_[id]++ == 0;
      });
    }
    size_ = candidates_.size();
  }

  // Returns whether an id counts as common to models. If any line has a real id, only real ids count.
  bool Counts(std::uint32_t id) const { return is_real_[id] == any_real_; }

  std::size_t size() const { return size_; }
  std::size_t with_lines() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(candidates_, [](const Candidate& c) { return !c.lines->answers.empty(); }));
  }

  // Returns, for each id, how many of the remaining models have lines for it.
  const std::vector<std::uint32_t>& owners() const { return owners_; }

  // Drops the models with the smallest share, if it is below `least`. RETURNS: whether any were dropped.
  bool LeaveBelow(double least) {
    std::uint64_t fewest = ids_;
    for (const Candidate& candidate : candidates_) {
      if (!candidate.has_left) fewest = std::min(fewest, IdsOf(candidate));
    }
    const double share = ids_ == 0 ? 0 : static_cast<double>(fewest) / static_cast<double>(ids_);
    if (share >= least) return false;
    LeaveIf([&](const Candidate& candidate) { return IdsOf(candidate) == fewest; });
    return true;
  }

  // Drops the models that have no id in common with another.
  void LeaveWithoutCommon() {
    LeaveIf([&](const Candidate& candidate) {
      const auto is_common = [&](const Answer& answer) {
        return Counts(answer.id) && owners_[answer.id] > 1;
      };
      return !candidate.lines->answers.empty() && std::ranges::none_of(candidate.lines->answers, is_common);
    });
  }

  void LeaveAll() {
    LeaveIf([](const Candidate&) { return true; });
  }

  void Fill(AskedIds& asked) const {
    for (const Candidate& candidate : candidates_) {
      const std::uint32_t model = candidate.lines->model;
      asked.apart[model] = candidate.has_left;
      asked.share[model] = candidate.has_left ? candidate.share : IdShare{IdsOf(candidate), ids_};
    }
  }

 private:
  struct Candidate {
    const ModelLines* lines = nullptr;
    std::uint64_t ids = 0;
    std::uint64_t stand_ins = 0;  // lines whose ids were lost
    bool has_left = false;
    IdShare share = {};  // at the time when it was dropped
  };

  enum class Pass : std::uint32_t { kCome = 1, kLeave = 2 };

  // Calls use(id) once for each id of a model. REQUIRES: one call per model in each pass.
  template <class Use>
  void ForEachId(const ModelLines& lines, Pass pass, Use use) {
    const std::uint32_t mark = 2 * lines.model + static_cast<std::uint32_t>(pass);
    for (const Answer& answer : lines.answers) {
      if (std::exchange(latest_[answer.id], mark) != mark) use(answer.id);
    }
  }

  // A line whose id was lost represents an id that its model lacks.
  std::uint64_t IdsOf(const Candidate& candidate) const {
    return candidate.ids == 0 ? 0 : std::min(candidate.ids + candidate.stand_ins, ids_);
  }

  template <class Leaves>
  void LeaveIf(Leaves leaves) {
    std::vector<Candidate*> leaving;
    for (Candidate& candidate : candidates_) {
      if (!candidate.has_left && leaves(candidate)) leaving.push_back(&candidate);
    }
    for (Candidate* candidate : leaving) {
      candidate->has_left = true;
      candidate->share = {IdsOf(*candidate), ids_};
    }
    size_ -= leaving.size();
    for (const Candidate* candidate : leaving) {
      ForEachId(*candidate->lines, Pass::kLeave, [&](std::uint32_t id) {
        if (Counts(id)) ids_ -= --owners_[id] == 0;
      });
    }
  }

  const std::vector<bool>& is_real_;
  bool any_real_ = false;
  std::vector<std::uint32_t> owners_;
  std::vector<std::uint32_t> latest_;  // indexed by id: the model that had it last, and the pass
  std::vector<Candidate> candidates_;
  std::uint64_t ids_ = 0;  // total over the remaining models
  std::size_t size_ = 0;   // number of remaining models
};

// Returns, in ascending order, the ids that count and that at least `owners_wanted` models have.
std::vector<std::uint32_t> IdsOwnedBy(std::size_t owners_wanted, const Candidates& candidates) {
  std::vector<std::uint32_t> ids;
  const std::vector<std::uint32_t>& owners = candidates.owners();
  for (std::uint32_t id = 0; id < owners.size(); ++id) {
    if (owners[id] >= owners_wanted) ids.push_back(id);
  }
  return ids;
}

void CheckCommon(const ScoreSheet& sheet, std::uint32_t scorer, const AskedIds& asked) {
  const std::vector<ModelLines>& models = sheet.by_scorer[scorer];
  if (models.size() < 2 || asked.shared.size() >= kLeastCommonIds) return;
  const auto ids_of = [&](const ModelLines& lines) { return asked.share[lines.model].ids; };
  const ModelLines& fewest = *std::ranges::min_element(models, {}, ids_of);
  throw Error(
      ErrorCode::kInput,
      fmt::format(
          "under the scorer {}, {} ids are common to all {} models, but --common-only needs at least {}; {} "
          "has the fewest, lines for {} of {} ids: leave it out, or score it over the same ids",
          QuoteForMessage(sheet.scorers[scorer]), asked.shared.size(), models.size(), kLeastCommonIds,
          QuoteForMessage(sheet.models[fewest.model]), ids_of(fewest), asked.share[fewest.model].of));
}

}  // namespace

AskedIds FindAsked(const ScoreSheet& sheet, std::uint32_t scorer, const LeaderboardOptions& options) {
  const std::vector<ModelLines>& models = sheet.by_scorer[scorer];
  AskedIds asked;
  asked.common_only = options.common_only;
  asked.index.assign(sheet.ids.size(), AskedIds::kNotShared);
  asked.apart.resize(sheet.models.size());
  asked.share.resize(sheet.models.size());
  for (const ModelLines& lines : models) {
    AddFields(lines, asked);
    asked.has_verdicts |=
        std::ranges::any_of(lines.answers, [](const Answer& answer) { return answer.passed >= 0; });
  }

  Candidates candidates(sheet, models);
  asked.common.resize(sheet.ids.size());
  for (const std::uint32_t id : IdsOwnedBy(2, candidates)) asked.common[id] = true;
  if (!options.common_only && models.size() > 1) {
    do {
      if (candidates.with_lines() > 1) candidates.LeaveWithoutCommon();
    } while (candidates.size() > 1 && candidates.LeaveBelow(options.min_share));
    if (candidates.size() < 2) candidates.LeaveAll();
  }
  candidates.Fill(asked);
  asked.shared = IdsOwnedBy(options.common_only ? models.size() : 1, candidates);
  for (std::uint32_t i = 0; i < asked.shared.size(); ++i) asked.index[asked.shared[i]] = i;
  if (options.common_only) CheckCommon(sheet, scorer, asked);
  return asked;
}

}  // namespace leafscore::internal
