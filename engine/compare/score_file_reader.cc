#include "engine/compare/score_file_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/base/limits.h"
#include "engine/base/model_name.h"
#include "engine/base/suggest.h"
#include "engine/scores/line_use.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// Orders the cells of one field of an id by value, so that sums over several lines do not depend on the order
// of the lines.
bool IsBefore(const FieldCell& a, const FieldCell& b) {
  return std::tie(a.id, a.field, a.match, a.contribution) < std::tie(b.id, b.field, b.match, b.contribution);
}

// Returns a score rounded to a multiple of 2^-36. Sums of up to 65,535 such scores are exact in any order.
double InSteps(double score) { return std::round(std::ldexp(score, 36)) / std::ldexp(1.0, 36); }

// Returns a field of a record in the form of ComparedNames::groups; empty if `field` is empty or missing.
std::string ValueOf(JsonView line, const std::string& field) {
  if (field.empty()) return "";
  const JsonView value = RecordField(line, field);
  return value.present() ? "=" + value.Text().value_or("null") : "";
}

// Fills the fields in the details of a line.
void ListFields(JsonView details, ComparedLine& line) {
  line.fields = FieldsIn(details);
  line.weight = 0;
  double matched = 0;
  for (const LineField& field : line.fields) {
    matched += field.matched;
    line.weight += field.weight;
  }
  constexpr double kRounding = 1e-9;  // in a weighted mean
  line.adds_up = line.weight > 0 && std::abs(matched / line.weight - line.score.score) <= kRounding;
}

// Adds up the cells of one field of an id. REQUIRES: sorted cells.
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

// Turns the counts of the lines into means over all lines of each id. In a line without a list, all values
// that the other lines expect count as missing.
void MergeFieldCounts(SideScores& scores) {
  std::vector<FieldCountsOfId>& fields = scores.field_counts;
  std::erase_if(fields, [&](const FieldCountsOfId& f) { return f.choice != scores.by_id[f.id].choice; });
  const auto place = [](const FieldCountsOfId& field) { return std::tuple(field.id, field.field); };
  std::ranges::sort(fields, {}, place);
  std::size_t kept = 0;
  for (const FieldCountsOfId& field : fields) {
    if (kept > 0 && place(fields[kept - 1]) == place(field)) {
      fields[kept - 1].right += field.right;
      fields[kept - 1].extra += field.extra;
      fields[kept - 1].missing += field.missing;
    } else {
      fields[kept++] = field;
    }
  }
  fields.resize(kept);
  double lists = 0;
  for (auto field = fields.rbegin(); field != fields.rend(); ++field) {
    if (field->field == ComparedNames::kNone) {  // sorted last for each id
      lists = field->right;
      continue;
    }
    const double lines = scores.by_id[field->id].lines;
    const double expected = (field->right + field->missing) / lists;
    field->right /= lines;
    field->extra /= lines;
    field->missing = expected - field->right;
  }
}

}  // namespace

ScoreFileReader::ScoreFileReader(const ComparisonOptions& options, ComparedNames& names)
    : options_(options), names_(names) {
  if (!options.labels.empty()) labels_.emplace(options.labels, /*several_models=*/true);
}

std::optional<Manifest> ScoreFileReader::Read(const SideSource& source, Side& side) {
  const std::string& file = source.file;
  side.file = source.Name();
  const std::optional<std::string> wanted = source.value ? std::optional("=" + *source.value) : std::nullopt;
  const std::string model = source.value ? *source.value : ModelOfFile(file);
  bool has_lines = false;
  const auto parse = [&](JsonView view, ComparedLine& line) {
    line.group = ValueOf(view, options_.by);
    line.cluster = ValueOf(view, options_.cluster);
    line.side = ValueOf(view, options_.between);
    ListFields(view.Member("details"), line);
    line.field_counts = FieldCountsIn(view.Member("details"));
    const bool is_of_side = !wanted || line.side == *wanted;
    line.label = labels_ && is_of_side ? labels_->VerdictOn(view, line.score, file, model) : std::nullopt;
  };
  const auto take = [&](const ComparedLine& line, std::uint64_t) {
    if (wanted && line.side != *wanted) {
      if (!line.side.empty()) values_.insert(line.side.substr(1));
      return;
    }
    has_lines = true;
    Add(line, side);
  };
  std::optional<Manifest> manifest =
      reader_.Read(file, {options_.unverified, options_.max_ratio, options_.stop}, parse, take);
  if (!has_lines) {
    const std::vector<std::string_view> known(values_.begin(), values_.end());
    throw Error(ErrorCode::kInput, file + ": " + UnknownNameMessage(options_.between, *source.value, known));
  }
  CheckRepeats(side);
  Finish(side);
  return manifest;
}

void ScoreFileReader::Add(const ComparedLine& parsed, Side& side) {
  const ScoreLine& line = parsed.score;
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
  Count(parsed, id, scores, side);
}

void ScoreFileReader::Count(const ComparedLine& parsed, std::uint32_t id, SideScores& scores,
                            Side& side) const {
  const ScoreLine& line = parsed.score;
  IdScore& score = scores.by_id[id];
  const LineUse use = UseOfLine(options_.repeats, score.lines, score.from_broken, line.from_broken());
  if (use == LineUse::kNot) {
    ++side.repeated;
    return;
  }
  constexpr std::uint16_t kMost = std::numeric_limits<std::uint16_t>::max();
  if (score.lines == kMost || score.choice == kMost) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("{}: the id {} has more than {} lines; name the field that distinguishes them with --by",
                    side.file, QuoteForMessage(line.id), kMost));
  }
  const bool takes_all = options_.repeats == Repeats::kAll;
  if (takes_all && scores.squares.size() <= id) scores.squares.resize(std::size_t{id} + 1);
  if (use == LineUse::kAlone) {
    const bool is_first = score.lines == 0;
    side.repeated += score.lines;
    score = {.choice = static_cast<std::uint16_t>(is_first ? 0 : score.choice + 1)};
    if (takes_all) scores.squares[id] = 0;
  }
  ++score.lines;
  score.is_labelled = score.lines == 1 && parsed.label;
  score.people_pass = parsed.label.value_or(false);
  score.sum = score.lines == 1 ? line.score : InSteps(score.sum) + InSteps(line.score);
  if (takes_all) scores.squares[id] += InSteps(line.score * line.score);
  score.passes = static_cast<std::uint16_t>(score.passes + (line.passed == true));
  score.has_verdict |= line.passed.has_value();
  score.causes = score.causes | line.causes;
  score.nothing_compared |= line.nothing_compared;
  score.from_broken = line.from_broken();
  if (score.outcome != Outcome::kScored || score.lines == 1) score.outcome = line.outcome;
  AddFields(parsed, id, scores);
  AddFieldCounts(parsed, id, scores);
}

void ScoreFileReader::AddFields(const ComparedLine& line, std::uint32_t id, SideScores& scores) const {
  for (const LineField& field : line.fields) {
    if (field.weight == 0 || names_.fields.size() >= kMaxComparedFields.max) continue;
    const double contribution = line.adds_up ? field.matched / line.weight : 0;
    scores.fields.push_back({id, names_.fields.Add(field.path), field.matched / field.weight, contribution,
                             scores.by_id[id].choice});
  }
}

void ScoreFileReader::AddFieldCounts(const ComparedLine& line, std::uint32_t id, SideScores& scores) const {
  if (!line.field_counts) return;
  const std::uint32_t choice = scores.by_id[id].choice;
  scores.field_counts.push_back({id, ComparedNames::kNone, 1, 0, 0, choice});
  for (const LineFieldCounts& field : *line.field_counts) {
    if (names_.fields.size() >= kMaxComparedFields.max) return;
    scores.field_counts.push_back(
        {id, names_.fields.Add(field.path), field.right, field.extra, field.missing, choice});
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

// Throws if an id has several lines that count, which --repeats error forbids.
void ScoreFileReader::CheckRepeats(const Side& side) const {
  if (options_.repeats != Repeats::kError) return;
  for (std::uint32_t scorer = 0; scorer < side.by_scorer.size(); ++scorer) {
    const std::deque<IdScore>& by_id = side.by_scorer[scorer].by_id;
    const auto several = std::ranges::find_if(by_id, [](const IdScore& score) { return score.lines > 1; });
    if (several == by_id.end()) continue;
    const auto id = static_cast<std::uint32_t>(several - by_id.begin());
    throw Error(
        ErrorCode::kInput,
        fmt::format(
            "{}: the id {} has several lines under the scorer {}; give --repeats last, first or all to say "
            "which count",
            side.file, QuoteForMessage(names_.IdOf(id)), QuoteForMessage(names_.scorers[scorer])));
  }
}

void ScoreFileReader::Finish(Side& side) const {
  for (SideScores& scores : side.by_scorer) {
    for (const IdScore& score : scores.by_id) {
      scores.errors += score.lines > 0 && score.outcome == Outcome::kError;
      scores.nothing_compared += score.lines > 0 && score.nothing_compared;
    }
    std::erase_if(scores.fields,
                  [&](const FieldCell& cell) { return cell.choice != scores.by_id[cell.id].choice; });
    std::ranges::sort(scores.fields, IsBefore);
    MergeLines(scores.fields);
    for (FieldCell& cell : scores.fields) {
      const double lines = scores.by_id[cell.id].lines;
      cell.match /= lines;
      cell.contribution /= lines;
    }
    MergeFieldCounts(scores);
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
