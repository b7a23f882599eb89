#include "engine/compare/score_file_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/scores/verified_scores.h"
#include "engine/threads/parallel.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Of lines that are parsed at once: enough for every thread of a batch of short ones.
constexpr std::size_t kChunkLines = 256;

// Of one field of an id by value, so that what several lines sum up to does not depend on their order.
bool IsBefore(const FieldCell& a, const FieldCell& b) {
  return std::tie(a.id, a.field, a.match, a.contribution) < std::tie(b.id, b.field, b.match, b.contribution);
}

// Returns a score in steps of 2^-36: 65,535 of them sum up exactly, whatever their order.
double InSteps(double score) { return std::round(std::ldexp(score, 36)) / std::ldexp(1.0, 36); }

// Makes one line of all that an id has, as `repeats` says. RETURNS: how many lines do not count.
std::uint64_t CountLines(std::deque<IdScore>& by_id, Repeats repeats) {
  std::uint64_t left_out = 0;
  if (repeats == Repeats::kAll) return left_out;
  for (IdScore& score : by_id) {
    if (score.lines > 1) left_out += std::exchange(score.lines, std::uint16_t{1}) - 1u;
  }
  return left_out;
}

// Adds what several lines say of one field. REQUIRES: sorted cells.
void MergeLines(std::vector<FieldCell>& fields) {
  std::size_t kept = 0;
  for (const FieldCell& cell : fields) {
    if (kept > 0 && fields[kept - 1].id == cell.id && fields[kept - 1].field == cell.field) {
      fields[kept - 1].match += cell.match;
      fields[kept - 1].contribution += cell.contribution;
    } else {
      fields[kept++] = cell;
    }
  }
  fields.resize(kept);
}

}  // namespace

ScoreFileReader::ScoreFileReader(const ComparisonOptions& options, ComparedNames& names)
    : options_(options), names_(names) {}

std::optional<Manifest> ScoreFileReader::Read(const SideSource& source, Side& side) {
  const std::string& file = source.file;
  side.file = source.Name();
  const std::optional<std::string> wanted = source.value ? std::optional("=" + *source.value) : std::nullopt;
  bool has_lines = false;
  std::uint64_t record = 1;
  const auto add_batch = [&](const RecordBatch& batch) {
    const std::span<const RecordSpan> records = batch.records;
    const std::size_t count = (records.size() + kChunkLines - 1) / kChunkLines;
    while (chunks_.size() < count) chunks_.emplace_back().SetFields(options_);
    ParallelFor(count, [&](std::size_t i) {
      const std::size_t begin = i * kChunkLines;
      const std::size_t lines = std::min(kChunkLines, records.size() - begin);
      chunks_[i].Parse(batch, records.subspan(begin, lines), record + begin, file);
    });
    for (std::size_t i = 0; i < count; ++i) {
      for (const ParsedLine& line : chunks_[i].lines()) {
        if (wanted && line.side != *wanted) {
          if (!line.side.empty()) values_.insert(line.side.substr(1));
          continue;
        }
        has_lines = true;
        Add(line, chunks_[i].FieldsOf(line), side);
      }
    }
    record += records.size();
  };
  std::optional<Manifest> manifest =
      ReadVerifiedScores(file, options_.unverified, add_batch, options_.max_ratio, options_.stop);
  if (record == 1) throw Error(ErrorCode::kInput, fmt::format("{} holds no scores", file));
  if (!has_lines) {
    const std::vector<std::string_view> known(values_.begin(), values_.end());
    throw Error(ErrorCode::kInput, file + ": " + UnknownNameMessage(options_.between, *source.value, known));
  }
  Finish(side);
  return manifest;
}

void ScoreFileReader::Add(const ParsedLine& parsed, std::span<const LineField> fields, Side& side) {
  const ScoreLine& line = parsed.line;
  if (!options_.scorers.empty() &&
      std::ranges::find(options_.scorers, line.scorer) == options_.scorers.end()) {
    left_out_.insert(line.scorer);
    return;
  }
  if (!line.is_asked) {
    ++side.not_asked;
    return;
  }
  const std::uint32_t scorer = names_.scorers.Add(line.scorer);
  if (scorer >= kMaxRanked.max) {
    throw Error(ErrorCode::kInput,
                fmt::format("{}: there are more than {} scorers; is this a file of scores?", side.file,
                            kMaxRanked.max));
  }
  has_by_ |= !parsed.group.empty();
  key_.clear();
  AppendKey(names_.groups.Add(parsed.group), line.has_real_id(), line.id, key_);
  const std::uint32_t id = names_.ids.Add(key_);
  if (!options_.cluster.empty()) AddToCluster(parsed.cluster, id, side.file);

  if (side.by_scorer.size() <= scorer) side.by_scorer.resize(scorer + 1);
  SideScores& scores = side.by_scorer[scorer];
  if (scores.by_id.size() <= id) scores.by_id.resize(std::size_t{id} + 1);
  IdScore& score = scores.by_id[id];
  const bool from_broken = line.id_from == "line";
  if (score.lines > 0) {
    if (options_.repeats == Repeats::kError) {
      throw Error(ErrorCode::kInput,
                  fmt::format("{}: the id {} has several lines under the scorer {}", side.file,
                              QuoteForMessage(line.id), QuoteForMessage(line.scorer)));
    }
    if (score.lines == std::numeric_limits<std::uint16_t>::max()) {
      throw Error(ErrorCode::kInput, fmt::format("{}: the id {} has more than {} lines; name the field that "
                                                 "tells them apart with --by",
                                                 side.file, QuoteForMessage(line.id), score.lines));
    }
  }
  const std::uint32_t number = score.lines++;
  if (number > 0 && options_.repeats != Repeats::kAll) {
    // A line that could not be read stands back behind one that could.
    const bool replaces = score.from_broken || (options_.repeats == Repeats::kLast && !from_broken);
    if (!replaces) return;
    score = {.lines = score.lines};
    score.line = static_cast<std::uint16_t>(number);
  }
  score.sum = score.lines == 1 || options_.repeats != Repeats::kAll
                  ? line.score
                  : InSteps(score.sum) + InSteps(line.score);
  if (options_.repeats == Repeats::kAll) {
    if (scores.squares.size() <= id) scores.squares.resize(std::size_t{id} + 1);
    scores.squares[id] += InSteps(line.score * line.score);
  }
  score.passes = static_cast<std::uint16_t>(score.passes + (line.passed == true));
  score.has_verdict |= line.passed.has_value();
  score.nothing_compared |= line.nothing_compared;
  score.from_broken = from_broken;
  if (score.outcome != Outcome::kScored || score.lines == 1 || options_.repeats != Repeats::kAll) {
    score.outcome = line.outcome;
  }
  AddFields(parsed, fields, id, number, scores);
}

void ScoreFileReader::AddFields(const ParsedLine& line, std::span<const LineField> fields, std::uint32_t id,
                                std::uint32_t number, SideScores& scores) {
  for (const LineField& field : fields) {
    if (field.weight == 0 || names_.fields.size() >= kMaxComparedFields.max) continue;
    const double contribution = line.adds_up ? field.matched / line.weight : 0;
    scores.fields.push_back(
        {id, names_.fields.Add(field.path), field.matched / field.weight, contribution, number});
  }
}

void ScoreFileReader::AddToCluster(const std::string& cluster, std::uint32_t id, const std::string& file) {
  has_cluster_ |= !cluster.empty();
  if (names_.cluster_of.size() <= id) names_.cluster_of.resize(std::size_t{id} + 1, ComparedNames::kNone);
  if (cluster.empty()) return;
  const std::uint32_t number = names_.clusters.Add(cluster);
  std::uint32_t& known = names_.cluster_of[id];
  if (known == ComparedNames::kNone) known = number;
  if (known == number) return;
  throw Error(ErrorCode::kInput,
              fmt::format("{}: the id {} is in the cluster {}, and in {} on another line; name a field that "
                          "depends on the id alone",
                          file, QuoteForMessage(names_.IdOf(id)), QuoteForMessage(cluster.substr(1)),
                          QuoteForMessage(names_.clusters[known].substr(1))));
}

void ScoreFileReader::Finish(Side& side) const {
  for (SideScores& scores : side.by_scorer) {
    for (const IdScore& score : scores.by_id) {
      scores.errors += score.lines > 0 && score.outcome == Outcome::kError;
      scores.nothing_compared += score.lines > 0 && score.nothing_compared;
    }
    side.repeated += CountLines(scores.by_id, options_.repeats);
    if (options_.repeats != Repeats::kAll) {
      std::erase_if(scores.fields,
                    [&](const FieldCell& cell) { return cell.line != scores.by_id[cell.id].line; });
    }
    std::ranges::sort(scores.fields, IsBefore);
    MergeLines(scores.fields);
    for (FieldCell& cell : scores.fields) {
      const double lines = scores.by_id[cell.id].lines;
      cell.match /= lines;
      cell.contribution /= lines;
    }
  }
}

void ScoreFileReader::CheckNames(const std::vector<std::string>& fields) const {
  for (const std::string& scorer : options_.scorers) {
    const std::vector<std::uint32_t> known = names_.scorers.Sorted();
    const auto is_it = [&](std::uint32_t n) { return names_.scorers[n] == scorer; };
    if (std::ranges::any_of(known, is_it)) continue;
    std::vector<std::string_view> there(left_out_.begin(), left_out_.end());
    for (const std::uint32_t n : known) there.emplace_back(names_.scorers[n]);
    throw Error(ErrorCode::kInput, UnknownNameMessage("scorer", scorer, there));
  }
  for (const auto& [field, found] : {std::pair(&options_.by, has_by_), {&options_.cluster, has_cluster_}}) {
    if (field->empty() || found) continue;
    throw Error(ErrorCode::kInput, NoSuchFieldText(*field, fields));
  }
}

}  // namespace leafscore::internal
