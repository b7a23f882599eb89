#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/resource_error.h"
#include "engine/base/suggest.h"
#include "engine/compare/compared_scores.h"
#include "engine/compare/pairing.h"
#include "engine/compare/score_file_reader.h"
#include "engine/compare/scorer_comparison.h"
#include "engine/compare/single_tests.h"
#include "engine/compare/verdicts.h"
#include "engine/compare/worst_records.h"
#include "engine/report/join_summary.h"
#include "engine/scores/compare_manifests.h"
#include "engine/scores/padded_ids.h"
#include "engine/statistics/looks.h"
#include "engine/threads/parallel.h"
#include "leafscore/compare.h"
#include "leafscore/error.h"

namespace leafscore {
namespace {

// Comparisons at planned looks, while records are still being added.

// Returns the next look, at `units` units, and the total alpha spent after it. If the scores have not changed
// since the latest look, returns the latest look again, and no more alpha is spent.
// ERRORS: Error(kUsage) if all planned units have been looked at, or if no unit was added since the latest
// look.
Look NextLook(const LookPlan& plan, double alpha, std::uint64_t units, const std::string& digest) {
  if (!plan.earlier.empty()) {
    const Look& latest = plan.earlier.back();
    if (latest.digest == digest) return latest;
    if (latest.units >= plan.planned) {
      throw Error(ErrorCode::kUsage, fmt::format("all {} planned units have been looked at, and alpha is "
                                                 "spent; another look needs a new plan, with new records",
                                                 plan.planned));
    }
    if (units <= latest.units) {
      throw Error(
          ErrorCode::kUsage,
          fmt::format("there are {} units, and the latest look had {}; look again when there are more", units,
                      latest.units));
    }
  }
  const double share = std::min(1.0, static_cast<double>(units) / static_cast<double>(plan.planned));
  return {.units = units, .spent = internal::SpentAlpha(share, alpha), .digest = digest};
}

// Returns the level at which a look tests: the alpha spent after this look, minus the alpha that earlier
// looks have spent.
double LevelOf(const LookPlan& plan, const Look& look) {
  double before = 0;
  for (const Look& earlier : plan.earlier) {
    if (earlier.digest != look.digest) before = earlier.spent;
  }
  return look.spent - before;
}

}  // namespace

using namespace internal;

namespace {

// The most worst records of a scorer in a file. The limit bounds the memory, because both lines of such a
// record are kept with all their details.
constexpr std::size_t kMaxWorst = 1000;
constexpr std::uint32_t kLeastPassK = 2;

void CheckOptions(const ComparisonOptions& options) {
  CheckLimit(kMaxRatio, options.max_ratio);
  if (options.pass_k > 0) CheckLimit(kMaxPassK, options.pass_k);
  const bool between = !options.between.empty();
  const std::size_t sides = between ? options.values.size() : options.news.size() + 1;
  if (between ? options.base.empty() || !options.news.empty() || options.values.size() < 2
              : options.base.empty() || options.news.empty()) {
    throw Error(ErrorCode::kUsage,
                between ? "name one file of scores, and two or more values of the field to compare between"
                        : "give a file of scores to compare with, and one or more to compare");
  }
  if (!(options.margin > 0 && options.margin <= 1)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the margin is {}; give a number above 0 and up to 1", options.margin));
  }
  constexpr double kLeastAlpha = 1e-6;
  if (!(options.alpha >= kLeastAlpha && options.alpha < 0.5)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("alpha is {}; give a number from {} and below 0.5", options.alpha, kLeastAlpha));
  }
  if (options.pass_k != 0 && (options.pass_k < kLeastPassK || options.repeats != Repeats::kAll)) {
    throw Error(ErrorCode::kUsage, fmt::format("pass^k needs tests that were asked several times: give "
                                               "--repeats all, and k from {} (pass^1 is the pass rate)",
                                               kLeastPassK));
  }
  if (options.looks && (options.anytime || options.unverified || sides != 2)) {
    throw Error(ErrorCode::kUsage,
                "looks need one new file with a manifest, and have their own level: leave out --anytime and "
                "--unverified, and compare one file at a time");
  }
  if (options.worst > kMaxWorst) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} records that fell most are too many to show; ask for at most {} per scorer",
                            options.worst, kMaxWorst));
  }
  if (!options.records.empty() && options.records.size() != sides) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format(
            "there are {} files of records and {} of scores; give one for each, the one of the base first",
            options.records.size(), sides));
  }
  const auto is_standard_input = [](const std::string& file) { return file == "-"; };
  if (is_standard_input(options.base) || std::ranges::any_of(options.news, is_standard_input)) {
    throw Error(ErrorCode::kUsage, "standard input cannot be compared, as files are read twice; name files");
  }
}

bool HasLine(const Side& side, std::uint32_t id) {
  return std::ranges::any_of(side.by_scorer, [&](const SideScores& s) { return s.Of(id).lines > 0; });
}

void AddGroups(ScorerComparison& scorer, std::vector<ComparedRow*>& rows) {
  for (ComparedRow& row : scorer.groups) rows.push_back(&row);
}

class FileComparer {
 public:
  explicit FileComparer(const ComparisonOptions& options) : options_(options), reader_(options, names_) {}

  Comparison Compare() {
    Read();
    result_.by = options_.by;
    result_.cluster = options_.cluster;
    result_.margin = options_.margin;
    result_.anytime = options_.anytime;
    result_.repeats = options_.repeats;
    result_.pass_k = options_.pass_k;
    result_.correction = options_.correction;
    result_.common_only = options_.common_only;
    const OrderedIds order = OrderIds(names_);
    result_.files.resize(sides_.size() - 1);
    for (std::size_t f = 0; f < result_.files.size(); ++f)
      CompareSides(order, sides_[f + 1], result_.files[f]);
    result_.alpha = options_.alpha;
    Decide(order);
    const bool lists_fields = std::ranges::any_of(result_.files, [](const FileComparison& file) {
      return std::ranges::any_of(file.scorers, [](const ScorerComparison& s) { return !s.fields.empty(); });
    });
    sides_.clear();
    DescribeWorst(options_, lists_fields, result_);
    return std::move(result_);
  }

 private:
  std::vector<SideSource> Sources() const;
  void Read();
  void CheckManifests(const std::vector<NamedManifest>& manifests);
  void CheckScorers();
  void CompareSides(const OrderedIds& order, const Side& now, FileComparison& file);
  void CountIds(const Side& now, FileComparison& file) const;
  bool IsCompared(const Side& now, std::uint32_t id) const;
  std::string PaddedIdsHint(const Side& now) const;
  void SetLevel(const OrderedIds& order, const Side& now);
  template <class Add>
  std::vector<ComparedRow*> Rows(const Add& add);
  void PoolSmallGroups(const OrderedIds& order);
  void Decide(const OrderedIds& order);
  void CheckPassK();

  ComparisonOptions options_;  // alpha is the level of the tests
  ComparedNames names_;
  ScoreFileReader reader_;
  std::vector<Side> sides_;  // the base, then the others
  std::string digest_;       // digest of the scores on all sides
  Comparison result_;
};

// Returns the sides, base first.
std::vector<SideSource> FileComparer::Sources() const {
  std::vector<SideSource> sources;
  for (const std::string& value : options_.values) sources.push_back({options_.base, value});
  if (!sources.empty()) return sources;
  sources.push_back({options_.base});
  for (const std::string& file : options_.news) sources.push_back({file});
  return sources;
}

void FileComparer::Read() {
  std::vector<NamedManifest> manifests;
  std::vector<std::string> fields;
  const std::vector<SideSource> sources = Sources();
  for (const SideSource& source : sources) {
    std::optional<Manifest> manifest = reader_.Read(source, sides_.emplace_back());
    result_.verified &= manifest.has_value();
    if (!manifest) continue;
    fields.insert(fields.end(), manifest->group_fields.begin(), manifest->group_fields.end());
    digest_ += (digest_.empty() ? "" : " ") + manifest->checksum;
    manifests.push_back({source.file, std::move(*manifest)});
    CheckRepeats(manifests.back(), options_.repeats);
  }
  for (const std::string& file : options_.news) {
    std::error_code error;
    if (!std::filesystem::equivalent(options_.base, file, error)) continue;
    result_.warnings.push_back(file + " is the base itself");
  }
  result_.base = sources.front().Name();
  reader_.CheckNames(fields);
  std::ranges::move(reader_.LabelNotes(), std::back_inserter(result_.warnings));
  names_.ids.EndAdding();
  names_.cluster_of.resize(names_.clusters.size() == 0 ? 0 : names_.ids.size(), ComparedNames::kNone);
  CheckManifests(manifests);
  CheckScorers();
}

void FileComparer::CheckManifests(const std::vector<NamedManifest>& manifests) {
  std::ranges::move(OriginNotes(manifests), std::back_inserter(result_.warnings));
  const bool same_ids = !options_.common_only && options_.repeats != Repeats::kAll;
  try {
    std::ranges::move(CompareManifests(manifests, same_ids), std::back_inserter(result_.warnings));
  } catch (const Error& difference) {
    if (!options_.accept_differences) {
      std::string hint;
      for (std::size_t side = 1; side < sides_.size() && hint.empty(); ++side)
        hint = PaddedIdsHint(sides_[side]);
      throw Error(difference.code(),
                  difference.what() + hint + " (--accept-differences compares them anyway)");
    }
    result_.warnings.push_back(std::string("accepted: ") + difference.what());
  }
}

// Checks that all files have the same scorers. With accept_differences, leaves out scorers that a file lacks.
void FileComparer::CheckScorers() {
  for (std::uint32_t scorer = 0; scorer < names_.scorers.size(); ++scorer) {
    const auto has_it = [&](const Side& side) {
      return scorer < side.by_scorer.size() && !side.by_scorer[scorer].by_id.empty();
    };
    const auto without = std::ranges::find_if_not(sides_, has_it);
    if (without == sides_.end()) continue;
    std::string difference =
        fmt::format("{} has no line of the scorer {}, which {} has", without->file,
                    QuoteForMessage(names_.scorers[scorer]), std::ranges::find_if(sides_, has_it)->file);
    if (!options_.accept_differences) {
      throw Error(
          ErrorCode::kInput,
          difference + "; name those to compare with --scorer, or leave it out with --accept-differences");
    }
    result_.warnings.push_back("left out: " + difference);
    for (Side& side : sides_) {
      if (scorer < side.by_scorer.size()) side.by_scorer[scorer] = {};
    }
  }
}

bool FileComparer::IsCompared(const Side& now, std::uint32_t id) const {
  const bool in_base = HasLine(sides_.front(), id);
  const bool in_now = HasLine(now, id);
  return options_.common_only ? in_base && in_now : in_base || in_now;
}

// Sets alpha to the level that this look may spend.
void FileComparer::SetLevel(const OrderedIds& order, const Side& now) {
  std::set<std::uint32_t> units;
  for (const std::uint32_t id : order.ids) {
    if (IsCompared(now, id)) units.insert(order.UnitOf(id));
  }
  result_.look = NextLook(*options_.looks, options_.alpha, units.size(), digest_);
  options_.alpha = LevelOf(*options_.looks, *result_.look);
}

// Counts the compared records, and lists the ids that are on one side only.
void FileComparer::CountIds(const Side& now, FileComparison& file) const {
  std::set<std::string_view> only_base;
  std::set<std::string_view> only_now;
  const auto list = [&](std::uint32_t id, std::set<std::string_view>& first, ListedIds& ids) {
    ++ids.count;
    first.insert(names_.IdOf(id));
    if (first.size() > kMaxListedIds) first.erase(std::prev(first.end()));
  };
  for (std::uint32_t id = 0; id < names_.ids.size(); ++id) {
    const bool in_base = HasLine(sides_.front(), id);
    const bool in_now = HasLine(now, id);
    if (in_base && !in_now) list(id, only_base, file.only_base);
    if (in_now && !in_base) list(id, only_now, file.only_now);
    file.records += IsCompared(now, id);
  }
  for (const auto& [first, ids] : {std::pair(&only_base, &file.only_base), {&only_now, &file.only_now}}) {
    ListedIds listed;
    for (const std::string_view id : *first) AddId(id, listed);
    ids->first = std::move(listed.first);
  }
}

// Finds ids of a side that are probably ids of the base in another spelling. Returns a message if there are
// more such ids than ids on both sides; else an empty text.
std::string FileComparer::PaddedIdsHint(const Side& now) const {
  const Side& base = sides_.front();
  PaddedIds padded;
  std::uint64_t joined = 0;
  for (const bool of_base : {true, false}) {
    for (std::uint32_t id = 0; id < names_.ids.size(); ++id) {
      if (names_.KindAndIdOf(id).front() != 'i') continue;  // a record's number
      const bool in_base = HasLine(base, id);
      const bool in_now = HasLine(now, id);
      joined += of_base && in_base && in_now;
      if (of_base && in_base && !in_now) padded.AddLeft(names_.IdOf(id));
      if (!of_base && in_now && !in_base) padded.AddRight(names_.IdOf(id));
    }
  }
  return padded.pairs() > joined ? "; " + padded.Text() : "";
}

void FileComparer::CompareSides(const OrderedIds& order, const Side& now, FileComparison& file) {
  const Side& base = sides_.front();
  file.file = now.file;
  file.base_repeated = base.repeated;
  file.now_repeated = now.repeated;
  file.not_asked = base.not_asked + now.not_asked;
  CountIds(now, file);
  if (options_.looks) SetLevel(order, now);
  const bool is_common = file.records > file.only_base.count + file.only_now.count;
  if (file.records == 0 || (!options_.common_only && !is_common)) {
    throw Error(ErrorCode::kInput,
                fmt::format("{} and {} have no id in common, so there is nothing to compare{}{}", base.file,
                            now.file, options_.by.empty() ? "" : " within one group", PaddedIdsHint(now)));
  }
  if (file.only_base.count > 0 && file.only_now.count > 0) {
    if (const std::string hint = PaddedIdsHint(now); !hint.empty()) {
      result_.warnings.push_back(
          fmt::format("most ids of {} and {} do not join{}", base.file, now.file, hint));
    }
  }
  for (const std::uint32_t scorer : names_.scorers.Sorted()) {
    if (scorer >= base.by_scorer.size() || base.by_scorer[scorer].by_id.empty()) continue;
    file.scorers.push_back(CompareScorer(names_, order, scorer, base, now, options_));
  }
  if (file.scorers.empty()) {
    throw Error(ErrorCode::kInput, fmt::format("{} and {} have no scorer in common", base.file, now.file));
  }
}

// Returns the rows of a family. Calls add(scorer, rows) for each scorer in each file; `add` appends the rows
// of this scorer.
template <class Add>
std::vector<ComparedRow*> FileComparer::Rows(const Add& add) {
  std::vector<ComparedRow*> rows;
  for (FileComparison& file : result_.files) {
    for (ScorerComparison& scorer : file.scorers) add(scorer, rows);
  }
  return rows;
}

// If several groups of a scorer could not fail alone, adds a row for their records together.
void FileComparer::PoolSmallGroups(const OrderedIds& order) {
  SetUnitsToFail(Rows(AddGroups), options_.alpha, options_.correction, options_.anytime);
  for (std::size_t f = 0; f < result_.files.size(); ++f) {
    for (ScorerComparison& scorer : result_.files[f].scorers) {
      std::set<std::string_view> small;
      for (const ComparedRow& group : scorer.groups) {
        if (!group.could_fail()) small.insert(*group.group);
      }
      if (small.size() < 2) continue;
      PoolGroups(order, sides_.front(), sides_[f + 1], small, options_, scorer);
    }
  }
}

// Warns about tests with too few askings for pass^k, and about a comparison in which nothing passes or fails.
void FileComparer::CheckPassK() {
  if (options_.pass_k == 0) return;
  bool has_figure = false;
  for (const FileComparison& file : result_.files) {
    for (const ScorerComparison& scorer : file.scorers) {
      has_figure |= scorer.all.pass_k.has_value();
      if (scorer.all.repeats->short_tests == 0) continue;
      result_.warnings.push_back(
          fmt::format("{} of {} tests in {} were asked fewer than {} times on a side under the scorer {}; "
                      "the missing answers count as failed",
                      scorer.all.repeats->short_tests, scorer.all.records, file.file, options_.pass_k,
                      QuoteForMessage(scorer.scorer)));
    }
  }
  if (!has_figure) result_.warnings.push_back("nothing passes or fails on both sides, so there is no pass^k");
}

void FileComparer::Decide(const OrderedIds& order) {
  PoolSmallGroups(order);
  const auto decide = [&](const char* name, const std::vector<ComparedRow*>& rows) {
    if (rows.empty()) return;
    SetUnitsToFail(rows, options_.alpha, options_.correction, options_.anytime);
    const std::size_t tests = DecideFamily(rows, options_.margin, options_.alpha, options_.correction);
    result_.families.push_back({name, tests});
  };
  decide("scorers", Rows([](ScorerComparison& scorer, auto& rows) { rows.push_back(&scorer.all); }));
  decide("groups", Rows(AddGroups));
  decide("fields", Rows([](ScorerComparison& scorer, auto& rows) {
           for (ComparedRow& row : scorer.fields) rows.push_back(&row);
         }));
  decide("field rates", Rows([](ScorerComparison& scorer, auto& rows) {
           for (ComparedRow& row : scorer.field_rates) rows.push_back(&row);
         }));
  if (options_.repeats == Repeats::kAll && !options_.anytime) {
    const std::size_t tests = CompareSingleTests(order, sides_, options_, result_);
    if (tests > 0) result_.families.push_back({"single tests", tests});
  }
  CheckPassK();
  result_.verdict = ComparisonVerdict::kEquivalent;
  for (FileComparison& file : result_.files) {
    for (const ScorerComparison& scorer : file.scorers) {
      if (scorer.all.say_nothing == 0) continue;
      result_.warnings.push_back(
          fmt::format("{} of {} records in {} say nothing about the answers under the scorer {}: on one side "
                      "or both, they are errors or nothing was compared",
                      scorer.all.say_nothing, scorer.all.records, file.file, QuoteForMessage(scorer.scorer)));
    }
    file.verdict = ComparisonVerdict::kEquivalent;
    for (const ScorerComparison& scorer : file.scorers)
      file.verdict = Graver(file.verdict, scorer.all.verdict);
    result_.verdict = Graver(result_.verdict, file.verdict);
  }
}

}  // namespace

Comparison CompareFiles(const ComparisonOptions& options) {
  CheckOptions(options);
  return WithResourceErrors("compare fewer files, scorers or ids at a time", [&] {
    Comparison comparison;
    WithThreads(options.threads, [&] { comparison = FileComparer(options).Compare(); });
    return comparison;
  });
}

}  // namespace leafscore
