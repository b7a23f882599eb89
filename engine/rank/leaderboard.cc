#include "engine/rank/leaderboard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "engine/base/utf8.h"
#include "engine/report/compare_manifests.h"
#include "engine/report/score_ledger.h"
#include "engine/run/verified_scores.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

std::string TextOf(JsonView value) { return value.Text().value_or("null"); }

// Returns the name of a file without its folder and endings, valid UTF-8.
std::string ModelOf(const std::string& path) {
  std::string name = std::filesystem::path(path).filename();
  for (const std::string_view ending : {".gz", ".zst", ".jsonl", ".scores"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return ReplaceInvalidUtf8(name);
}

}  // namespace

Interval WilsonInterval(std::uint64_t passed, std::uint64_t records) {
  constexpr double kZ = 1.959963984540054;  // 97.5% of the normal distribution lie below
  const double n = static_cast<double>(records);
  const double share = static_cast<double>(passed) / n;
  const double centre = share + kZ * kZ / (2 * n);
  const double reach = kZ * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
  const double scale = 1 + kZ * kZ / n;
  return {std::max(0.0, (centre - reach) / scale), std::min(1.0, (centre + reach) / scale)};
}

Leaderboard::Leaderboard(const LeaderboardOptions& options)
    : by_{options.by}, cluster_{options.cluster}, reader_(&shapes_, kScoreLineJson) {}

std::optional<Manifest> Leaderboard::AddFile(const std::string& path, const std::string& model,
                                             bool accept_unverified) {
  file_ = path;
  record_ = 0;
  std::optional<Manifest> manifest =
      ReadVerifiedScores(path, accept_unverified, [&](const RecordBatch& batch) {
        shapes_.Clear();
        const std::uint32_t begin = batch.records.front().begin;
        reader_.Begin({batch.bytes.data() + begin, batch.data_end - begin}, batch.lines, &table_);
        for (const RecordSpan& span : batch.records) {
          ++record_;
          if (span.reject != RejectReason::kNone) Refuse("it is cut off or too long");
          const JsonResult parsed = reader_.Read(span.begin - begin, span.end - begin);
          if (parsed.reason != RejectReason::kNone) Refuse(parsed.message);
          AddLine(JsonView(table_, shapes_, parsed.root), model);
        }
      });
  if (record_ == 0) throw Error(ErrorCode::kInput, fmt::format("{} holds no scores", path));
  return manifest;
}

void Leaderboard::Refuse(std::string_view why) const {
  throw Error(ErrorCode::kInput,
              fmt::format("{}: record {} is no line of scores: {}; give files that leafscore "
                          "score wrote as JSON Lines",
                          file_, record_, why));
}

// Returns the text of a field of the scored record: among the groups of its run, else a member of the line.
std::string Leaderboard::Field(JsonView line, FieldUse& field) {
  const JsonView group = line.Member("groups").Member(field.name);
  const JsonView value = group.present() ? group : line.Member(field.name);
  if (!value.present()) return "(none)";
  field.found = true;
  return TextOf(value);
}

Leaderboard::Entry& Leaderboard::FindOrAdd(const std::string& model, const std::string& scorer) {
  const auto [place, is_new] = entry_of_.try_emplace({scorer, model}, entries_.size());
  if (is_new) {
    entries_.emplace_back();
    entries_.back().model = model;
    entries_.back().scorer = scorer;
  }
  return entries_[place->second];
}

void Leaderboard::AddLine(JsonView line, const std::string& model) {
  const JsonView scorer = line.Member("scorer");
  const JsonView outcome = line.Member("outcome");
  if (!scorer.present() || !outcome.present()) Refuse("it has no \"scorer\" or no \"outcome\"");
  Entry& entry = FindOrAdd(by_.name.empty() ? model : Field(line, by_), TextOf(scorer));

  const std::string name = TextOf(outcome);
  for (const Outcome unscored : {Outcome::kUnreadable, Outcome::kUnanswered, Outcome::kError}) {
    if (name == OutcomeName(unscored)) return entry.statistics.AddUnscored(unscored);
  }
  const double score = line.Member("score").Number().value_or(-1);
  if (name != OutcomeName(Outcome::kScored) || !(score >= 0 && score <= 1)) {
    Refuse("its outcome is unknown, or its score is not from 0 to 1");
  }
  std::optional<bool> passed;
  if (const JsonView verdict = line.Member("passed"); verdict.present()) {
    passed = verdict.Is(ValueKind::kTrue);
  }
  entry.statistics.AddScored(score, passed);
  const JsonView details = line.Member("details");
  for (std::size_t f = 0; f < kFigures.size(); ++f) {
    if (const auto figure = details.Member(kFigures[f]).Number()) entry.figures[f].Add(*figure);
  }
  if (!cluster_.name.empty()) entry.clusters[Field(line, cluster_)].Add(score);
}

// The standard error of a mean of records that come in clusters: sqrt(G / (G - 1) * sum over the G clusters
// of (sum of their records' residuals)^2) / n. E. Miller, "Adding error bars to evals", arXiv:2411.00640,
// 2024; with the factor for few clusters of A. C. Cameron and D. L. Miller, J. Human Resources 50, 2015.
std::optional<double> Leaderboard::ClusteredError(const Entry& entry) const {
  const std::optional<double> mean = entry.statistics.Mean(Over::kScored);
  const double clusters = static_cast<double>(entry.clusters.size());
  if (!mean || clusters < 2) return std::nullopt;
  double squares = 0;
  for (const auto& [name, cluster] : entry.clusters) {
    const double residual = cluster.sum - static_cast<double>(cluster.count) * *mean;
    squares += residual * residual;
  }
  return std::sqrt(clusters / (clusters - 1) * squares) /
         static_cast<double>(entry.statistics.counts().scored);
}

std::vector<LeaderboardRow> Leaderboard::Rows() const {
  for (const FieldUse* field : {&by_, &cluster_}) {
    if (field->name.empty() || field->found) continue;
    throw Error(ErrorCode::kInput,
                fmt::format("no line of scores has the field \"{}\"; score with --group-by {} "
                            "so that they have it",
                            field->name, field->name));
  }
  std::vector<LeaderboardRow> rows;
  std::vector<std::string> scorers;
  for (const Entry& entry : entries_) {
    if (std::ranges::find(scorers, entry.scorer) == scorers.end()) scorers.push_back(entry.scorer);
  }
  for (const std::string& scorer : scorers) {
    const auto first = static_cast<std::ptrdiff_t>(rows.size());
    for (const Entry& entry : entries_) {
      if (entry.scorer != scorer) continue;
      LeaderboardRow& row = rows.emplace_back();
      row.model = entry.model;
      row.scorer = scorer;
      const OutcomeCounts& counts = entry.statistics.counts();
      row.scored = counts.scored;
      row.unreadable = counts.unreadable;
      row.errors = counts.errors;
      row.mean = entry.statistics.Mean(Over::kScored);
      row.mean_of_all = entry.statistics.Mean(Over::kAll);
      if (!cluster_.name.empty()) row.clusters = entry.clusters.size();
      row.standard_error =
          cluster_.name.empty() ? entry.statistics.StandardError(Over::kScored) : ClusteredError(entry);
      row.pass_rate = entry.statistics.PassRate(Over::kScored);
      if (row.pass_rate) row.pass_interval = WilsonInterval(*entry.statistics.Passed(), row.scored);
      row.precision = entry.figures[0].Mean();
      row.recall = entry.figures[1].Mean();
      row.f1 = entry.figures[2].Mean();
    }
    // Nothing scored comes last: nullopt is less than any number.
    std::stable_sort(rows.begin() + first, rows.end(), [](const LeaderboardRow& a, const LeaderboardRow& b) {
      return a.mean_of_all > b.mean_of_all;
    });
    for (auto row = rows.begin() + first; row != rows.end(); ++row) {
      const bool ties = row != rows.begin() + first && row->mean_of_all == (row - 1)->mean_of_all;
      row->rank = ties ? (row - 1)->rank : static_cast<std::uint32_t>(row - rows.begin() - first) + 1;
    }
  }
  return rows;
}

}  // namespace leafscore::internal

namespace leafscore {

std::vector<LeaderboardRow> RankFiles(std::span<const std::string> files, const LeaderboardOptions& options) {
  std::map<std::string, std::string> file_of_model;
  std::set<std::string> unverified;  // models
  std::vector<internal::NamedManifest> manifests;
  internal::Leaderboard leaderboard(options);
  for (const std::string& file : files) {
    const std::string model = internal::ModelOf(file);
    const auto [same, is_new] = file_of_model.try_emplace(model, file);
    if (!is_new && options.by.empty()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} and {} would both be the model \"{}\"; rename one, or name the field that "
                              "holds the model with --by",
                              same->second, file, model));
    }
    if (auto manifest = leaderboard.AddFile(file, model, options.unverified)) {
      manifests.push_back({file, std::move(*manifest)});
    } else {
      unverified.insert(model);
    }
  }
  // Where a field names the model, files may be parts of one whole.
  const bool same_ids = options.by.empty();
  std::vector<std::string> warnings = internal::CompareManifests(manifests, same_ids);
  if (options.warnings != nullptr) *options.warnings = std::move(warnings);
  std::vector<LeaderboardRow> rows = leaderboard.Rows();
  for (LeaderboardRow& row : rows) {
    row.verified = options.by.empty() ? !unverified.contains(row.model) : unverified.empty();
  }
  return rows;
}

}  // namespace leafscore
