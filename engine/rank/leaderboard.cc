#include "engine/rank/leaderboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/base/choices.h"
#include "engine/base/limits.h"
#include "engine/base/model_name.h"
#include "engine/base/resource_error.h"
#include "engine/base/suggest.h"
#include "engine/json/json_value.h"
#include "engine/rank/board_doubts.h"
#include "engine/rank/scorer_matrix.h"
#include "engine/rank/scorer_ranking.h"
#include "engine/rank/sensitivity.h"
#include "engine/rank/versus_board.h"
#include "engine/scores/compare_manifests.h"
#include "engine/scores/padded_ids.h"
#include "engine/scores/source_field_search.h"
#include "engine/threads/parallel.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr char kNoModel[] = "(none)";

// Returns a field of the record. Its text is absent if `name` is empty or the record lacks the field.
FieldValue FieldOf(JsonView line, const std::string& name) {
  if (name.empty()) return {};
  const JsonView value = RecordField(line, name);
  if (!value.present()) return {};
  return {value.Text().value_or("null"), value.Is(ValueKind::kNull)};
}

}  // namespace

Leaderboard::Leaderboard(LeaderboardOptions options, bool several_models)
    : options_{std::move(options)}, by_{options_.by}, cluster_{options_.cluster}, task_{options_.task} {
  CheckLimit(kMaxRatio, options_.max_ratio);
  if (!(options_.min_share >= 0 && options_.min_share <= 1)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--min-share is {}; give a share from 0 to 1", options_.min_share));
  }
  for (const std::uint32_t k : options_.pass_k) CheckLimit(kMaxPassK, k);
  if (!options_.labels.empty()) labels_.emplace(options_.labels, several_models);
  std::ranges::sort(options_.pass_k);
  const auto twice = std::ranges::unique(options_.pass_k);
  options_.pass_k.erase(twice.begin(), twice.end());
  if (!options_.pass_k.empty() && options_.repeats != Repeats::kAll) {
    throw Error(ErrorCode::kUsage, "--pass-k needs all answers to an id; give --repeats all with it");
  }
}

std::optional<Manifest> Leaderboard::AddFile(const std::string& path, const std::string& model,
                                             bool accept_unverified) {
  file_ = path;
  has_matches_ = false;
  return reader_.Read(
      path, {.accept_unverified = accept_unverified, .max_ratio = options_.max_ratio},
      [&](JsonView view, BoardLine& line) {
        line.by = FieldOf(view, by_.name);
        line.cluster = FieldOf(view, cluster_.name);
        line.task = FieldOf(view, task_.name);
        const bool is_scored = line.score.is_asked && line.score.outcome == Outcome::kScored;
        line.figures = is_scored ? FiguresOf(view.Member("details")) : LineFigures{};
        if (options_.fields) line.fields = FieldsIn(view.Member("details"));
        if (labels_) line.label = labels_->VerdictOn(view, line.score, path, line.by.text.value_or(model));
      },
      [&](const BoardLine& line, std::uint64_t record) {
        record_ = record;
        AddLine(line, model);
      });
}

void Leaderboard::AddToField(const FieldValue& value, std::uint32_t id, std::string_view kind, FieldUse& use,
                             IdField& field) {
  field.of.resize(sheet_.ids.size(), IdField::kNone);
  if (!value.text) return;
  use.found = true;
  std::uint32_t& known = field.of[id];
  const std::uint32_t number = field.values.Add(*value.text);
  if (known == IdField::kNone) known = number;
  if (known == number) return;
  throw Error(
      ErrorCode::kInput,
      fmt::format("{}: record {}: the id {} is in the {} \"{}\", and in \"{}\" on another line; "
                  "name a field that depends on the id alone",
                  file_, record_, sheet_.ids[id].substr(1), kind, field.values[number], field.values[known]));
}

ModelLines& Leaderboard::LinesOf(std::uint32_t scorer, std::uint32_t model) {
  if (std::max(scorer, model) >= kMaxRanked.max) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("{}: record {}: there are more than {} {}; is this a file of scores, and --by the field "
                    "that names the model?",
                    file_, record_, kMaxRanked.max, scorer > model ? "scorers" : "models"));
  }
  sheet_.by_scorer.resize(sheet_.scorers.size());
  place_.resize(sheet_.scorers.size());
  std::vector<ModelLines>& models = sheet_.by_scorer[scorer];
  std::vector<std::uint32_t>& places = place_[scorer];
  if (places.size() <= model) places.resize(model + 1);
  if (places[model] == 0) {
    models.push_back({model, {}});
    places[model] = static_cast<std::uint32_t>(models.size());
  }
  return models[places[model] - 1];
}

void Leaderboard::AddLine(const BoardLine& line, const std::string& model) {
  const ScoreLine& score = line.score;
  std::string_view named = model;
  if (!by_.name.empty()) {
    by_.found |= line.by.text.has_value();
    const bool is_named = line.by.text && !line.by.is_null;
    named = is_named ? std::string_view(*line.by.text) : kNoModel;
    (is_named ? named_none_ : unnamed_) |= named == kNoModel;
    if (named_none_ && unnamed_) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{}: record {} is not a line of scores: a model is named \"(none)\", as are "
                              "the lines without a name; give files that leafscore score wrote as JSON Lines",
                              file_, record_));
    }
  }
  ModelLines& lines = LinesOf(sheet_.scorers.Add(score.scorer), sheet_.models.Add(named));
  if (!score.is_asked) {
    ++lines.not_asked;
    return;
  }
  const char kind = score.has_real_id() ? ScoreSheet::kRealId : ScoreSheet::kRecordNumber;
  key_.assign(1, kind).append(score.id);
  const std::uint32_t id = sheet_.ids.Add(key_);
  if (id == sheet_.is_real.size()) sheet_.is_real.push_back(score.has_real_id());
  if (!cluster_.name.empty()) AddToField(line.cluster, id, "cluster", cluster_, sheet_.clusters);
  if (!task_.name.empty()) AddToField(line.task, id, "task", task_, sheet_.tasks);
  AddAnswer(line, id, lines);
}

void Leaderboard::AddAnswer(const BoardLine& line, std::uint32_t id, ModelLines& lines) {
  const ScoreLine& score = line.score;
  Answer& answer = lines.answers.emplace_back();
  answer.id = id;
  answer.from_broken = score.from_broken();
  answer.outcome = score.outcome;
  answer.score = score.score;
  if (score.passed) answer.passed = *score.passed ? 1 : 0;
  answer.nothing_compared = score.nothing_compared;
  answer.of_other_kind = score.of_other_kind;
  answer.is_labelled = line.label.has_value();
  answer.people_pass = line.label.value_or(false);
  if (const std::optional<LineMatch>& match = line.figures.match) {
    answer.order_flip = match->order_flip;
    answer.is_identical = match->is_identical;
    has_matches_ = true;
  }
  if (score.unexpected_share > 0) {
    lines.unexpected_shares.resize(lines.answers.size());
    lines.unexpected_shares.back() = score.unexpected_share;
  }
  if (!score.causes.empty()) {
    lines.causes.resize(lines.answers.size());
    lines.causes.back() = score.causes;
  }
  if (line.figures.metrics) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    lines.metrics.resize(lines.answers.size(), {kNone, kNone, kNone});
    lines.metrics.back() = *line.figures.metrics;
  }
  if (line.figures.fields) {
    lines.fields.resize(lines.answers.size());
    lines.fields.back() = *line.figures.fields;
  }
  AddFields(line, lines);
}

void Leaderboard::AddFields(const BoardLine& line, ModelLines& lines) {
  const auto number = static_cast<std::uint32_t>(lines.answers.size() - 1);
  for (const LineField& field : line.fields) {
    if (!field.is_expected || field.weight == 0) continue;
    lines.matches.push_back(
        {number, sheet_.fields.Add(field.path), std::min(1.0, field.matched / field.weight)});
  }
  if (sheet_.fields.size() <= kMaxRanked.max) return;
  throw Error(ErrorCode::kInput,
              fmt::format("{}: record {}: there are more than {} fields, too many for a matrix; the keys of "
                          "the expected values may be data, which --columns field does not suit",
                          file_, record_, kMaxRanked.max));
}

std::string Leaderboard::PaddedIdsHint() const {
  if (sheet_.by_scorer.empty() || sheet_.by_scorer.front().size() < 2) return "";
  const std::vector<ModelLines>& models = sheet_.by_scorer.front();
  std::vector<std::uint32_t> owner(sheet_.ids.size(), IdTable::kNone);  // the first model with the id
  std::vector<bool> is_common(sheet_.ids.size());
  for (const ModelLines& lines : models) {
    for (const Answer& answer : lines.answers) {
      if (owner[answer.id] == IdTable::kNone) owner[answer.id] = lines.model;
      is_common[answer.id] = is_common[answer.id] || owner[answer.id] != lines.model;
    }
  }
  PaddedIds padded;
  for (const bool of_first : {true, false}) {
    for (std::uint32_t id = 0; id < owner.size(); ++id) {
      if (owner[id] == IdTable::kNone || is_common[id] || !sheet_.is_real[id]) continue;
      const std::string_view text = std::string_view(sheet_.ids[id]).substr(1);
      if (of_first && owner[id] == models.front().model) padded.AddLeft(text);
      if (!of_first && owner[id] != models.front().model) padded.AddRight(text);
    }
  }
  const auto common = static_cast<std::uint64_t>(std::ranges::count(is_common, true));
  return padded.pairs() > common ? padded.Text() : "";
}

Ranking Leaderboard::Rank(const std::vector<std::string>& group_fields) const {
  for (const FieldUse* field : {&by_, &cluster_, &task_}) {
    if (field->name.empty() || field->found) continue;
    throw Error(ErrorCode::kInput, NoSuchFieldText(field->name, group_fields));
  }
  if (sheet_.tasks.values.size() > kMaxRanked.max) {
    throw Error(ErrorCode::kInput,
                fmt::format("the field \"{}\" has more than {} values; name one that distinguishes tasks",
                            task_.name, kMaxRanked.max));
  }
  if (options_.fields && sheet_.fields.size() == 0) {
    throw Error(ErrorCode::kInput, "no line lists fields; score with --details leaves");
  }
  const IdFields id_fields = FieldsOf(sheet_);
  Ranking ranking;
  for (const std::uint32_t scorer : sheet_.scorers.Sorted()) {
    ScorerRanking of_scorer = RankModels(sheet_, scorer, id_fields, options_);
    std::ranges::move(of_scorer.rows, std::back_inserter(ranking.rows));
    if (of_scorer.by_field) ranking.by_field.push_back(*std::move(of_scorer.by_field));
    if (task_.name.empty()) continue;
    ranking.by_task.push_back(std::move(of_scorer.by_task));
    std::ranges::move(of_scorer.sensitivity.tasks, std::back_inserter(ranking.sensitivity.tasks));
    std::ranges::move(of_scorer.sensitivity.models, std::back_inserter(ranking.sensitivity.models));
  }
  ranking.sensitivity.scorers = CompareScorers(ranking.rows);
  ranking.by_scorer = ScorerMatrix(ranking.rows);
  for (auto* const matrices : {&ranking.by_task, &ranking.by_field}) {
    for (ScoreMatrix& matrix : *matrices) matrix.common_only = options_.common_only;
  }
  ranking.by_scorer.common_only = options_.common_only;
  return ranking;
}

std::vector<VersusRow> Leaderboard::RankVersus(std::span<const NamedManifest> manifests,
                                               std::vector<std::string>& warnings) const {
  return RankByMatches(sheet_, manifests, options_, warnings);
}

}  // namespace leafscore::internal

namespace leafscore {
namespace {

// Searches a file of scores for a group field whose values distinguish the lines of one id.
std::optional<std::string> FieldOfModels(const std::string& file, const LeaderboardOptions& options) {
  struct GroupedLine {
    internal::ScoreLine score;
    std::vector<std::pair<std::string, std::string>> groups;  // name and value
  };
  internal::SourceFieldSearch search;
  internal::ScoreReader<GroupedLine>().Read(
      file, {.accept_unverified = options.unverified, .max_ratio = options.max_ratio},
      [](internal::JsonView view, GroupedLine& line) {
        line.groups.clear();
        view.Member("groups").ForEachMember([&](std::string_view name, internal::JsonView value) {
          line.groups.emplace_back(name, value.Text().value_or("null"));
        });
      },
      [&](const GroupedLine& line, std::uint64_t) {
        if (!line.score.is_asked) return;
        search.Begin(line.score.scorer + '\n' + line.score.id);
        for (const auto& [name, value] : line.groups) search.AddField(name, value);
      });
  return search.Best();
}

[[noreturn]] void ThrowSeveralModels(const std::string& file, const std::string& field) {
  throw Error(
      ErrorCode::kUsage,
      fmt::format("{} has the scores of several models, which would count as one here; leaderboard --by {} "
                  "ranks each, but plan-test takes the scores of one model: score its answers separately",
                  file, field));
}

// Throws if the lines of one id in a file differ in the value of a group field. Such a file contains several
// models, and one model would represent them all.
void CheckRepeatedIds(const Ranking& ranking, const std::map<std::string, std::string>& file_of_model,
                      const LeaderboardOptions& options) {
  std::set<std::string_view> checked;
  for (const LeaderboardRow& row : ranking.rows) {
    const bool repeats = row.repeated > 0 || row.samples.value_or(0) > row.asked;
    if (!repeats || !checked.insert(row.model).second) continue;
    const std::string& file = file_of_model.at(row.model);
    if (const std::optional<std::string> field = FieldOfModels(file, options))
      ThrowSeveralModels(file, *field);
  }
}

// Throws if a file has the scores of several models. They would become one row with the name of the file.
void CheckIsOfOneModel(const std::string& file, const internal::Manifest& manifest) {
  const auto option = std::ranges::find(manifest.options, "source_field", &internal::Manifest::Option::name);
  std::string field;
  if (option != manifest.options.end()) {
    field = option->json.substr(1, option->json.size() - 2);  // a text
  } else if (manifest.gold && manifest.inputs.size() > 1) {
    field = "source";
  } else {
    return;
  }
  ThrowSeveralModels(file, field);
}

Ranking Rank(std::span<const std::string> files, const LeaderboardOptions& options) {
  std::map<std::string, std::string> file_of_model;
  std::set<std::string> unverified;  // models
  std::vector<internal::NamedManifest> manifests;
  std::vector<std::string> group_fields;  // named by manifests
  internal::Leaderboard leaderboard(options, files.size() > 1 || !options.by.empty());
  for (const std::string& file : files) {
    const std::string model = internal::ModelOfFile(file);
    const auto [same, is_new] = file_of_model.try_emplace(model, file);
    if (!is_new && options.by.empty()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} and {} would both be the model \"{}\"; rename one, or name the field that "
                              "holds the model with --by",
                              same->second, file, model));
    }
    if (auto manifest = leaderboard.AddFile(file, model, options.unverified)) {
      if (options.by.empty()) CheckIsOfOneModel(file, *manifest);
      group_fields.insert(group_fields.end(), manifest->group_fields.begin(), manifest->group_fields.end());
      manifests.push_back({file, std::move(*manifest)});
      internal::CheckRepeats(manifests.back(), options.repeats);
    } else {
      if (leaderboard.has_matches() && options.by.empty()) throw internal::MatchesWithoutBase(file);
      unverified.insert(model);
    }
  }
  // If a field names the model, each file may contain only a part of the ids.
  const bool same_ids = options.by.empty() && options.repeats != Repeats::kAll && !options.common_only;
  const auto base_of = [](const internal::NamedManifest& named) {
    return named.manifest.versus ? named.manifest.versus->checksum : "";
  };
  const bool is_versus = options.by.empty() && unverified.empty() &&
                         std::ranges::find(manifests, "", base_of) == manifests.end();
  std::vector<std::string> warnings;
  try {
    warnings = internal::CompareManifests(manifests, same_ids, /*same_base=*/!is_versus);
  } catch (const Error& difference) {
    const std::string hint = leaderboard.PaddedIdsHint();
    throw Error(difference.code(), difference.what() + (hint.empty() ? "" : "; " + hint));
  }
  if (std::string hint = leaderboard.PaddedIdsHint(); !hint.empty()) warnings.push_back(std::move(hint));
  std::ranges::move(internal::OriginNotes(manifests), std::back_inserter(warnings));
  std::ranges::move(leaderboard.LabelNotes(), std::back_inserter(warnings));
  std::vector<VersusRow> versus;
  if (is_versus) versus = leaderboard.RankVersus(manifests, warnings);
  internal::AddVersusDoubts(versus, warnings);
  std::vector<internal::JudgedModel> judged = internal::JudgedModels(versus);  // named after their answers
  const std::string base = is_versus ? base_of(manifests.front()) : "";
  if (std::ranges::any_of(manifests,
                          [&](const auto& named) { return is_versus && base_of(named) != base; })) {
    internal::AddSelfJudging(judged, manifests, warnings);
    if (options.warnings != nullptr) *options.warnings = std::move(warnings);
    return {.versus = std::move(versus)};
  }
  Ranking ranking = leaderboard.Rank(group_fields);
  ranking.versus = std::move(versus);
  if (options.by.empty()) CheckRepeatedIds(ranking, file_of_model, options);
  internal::AddDoubts(ranking.rows, options.min_share, warnings);
  std::ranges::move(internal::JudgedModels(ranking.rows), std::back_inserter(judged));
  internal::AddSelfJudging(judged, manifests, warnings);
  if (options.warnings != nullptr) *options.warnings = std::move(warnings);
  const auto set_verified = [&](auto& rows) {
    for (auto& row : rows) {
      row.verified = options.by.empty() ? !unverified.contains(row.model) : unverified.empty();
    }
  };
  RankingSensitivity& sensitivity = ranking.sensitivity;
  for (ScorerAgreement& pair : sensitivity.scorers) pair.verified = unverified.empty();
  for (TaskInfluence& task : sensitivity.tasks) task.verified = unverified.empty();
  for (RankRange& model : sensitivity.models) model.verified = unverified.empty();
  set_verified(ranking.rows);
  set_verified(ranking.by_scorer.rows);
  for (const MatrixRow& row : ranking.by_scorer.rows) {
    if (!row.verified) sensitivity.unverified.push_back(row.model);
  }
  std::ranges::sort(sensitivity.unverified);
  for (ScoreMatrix& matrix : ranking.by_task) set_verified(matrix.rows);
  for (ScoreMatrix& matrix : ranking.by_field) set_verified(matrix.rows);
  return ranking;
}

}  // namespace

std::vector<LeaderboardRow> RankFiles(std::span<const std::string> files, const LeaderboardOptions& options) {
  Ranking ranking = RankFilesInFull(files, options);
  if (ranking.rows.empty() && !ranking.versus.empty()) {
    throw Error(ErrorCode::kInput,
                "the answers were compared with those of different models, so that means do not rank them: "
                "RankFilesInFull ranks them by matches (Ranking::versus)");
  }
  return std::move(ranking.rows);
}

Ranking RankFilesInFull(std::span<const std::string> files, const LeaderboardOptions& options) {
  return internal::WithResourceErrors("rank fewer models or ids at a time", [&] {
    Ranking ranking;
    internal::WithThreads(options.threads, [&] { ranking = Rank(files, options); });
    return ranking;
  });
}

}  // namespace leafscore
