// Files of records, scored; and files of scores: compared, ranked, explained.
#include "leafscore/files.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leafscore/compare.h"
#include "leafscore/explain.h"
#include "leafscore/options.h"
#include "leafscore/plan.h"
#include "python/bindings/bindings.h"
#include "python/bindings/interruptible.h"
#include "python/bindings/options.h"

namespace leafscore::python {
namespace {

namespace nb = nanobind;

// Returns the report as JSON.
std::string ScoreFilesToReport(const Plan& plan, const nb::dict& given, const nb::object& on_progress) {
  FileOptions options;
  OptionReader reader(given);
  TakeRunOptions(reader, options);
  reader.End();
  std::atomic<bool> stop{false};
  Progress progress;
  options.stop = &stop;
  options.progress = &progress;
  std::string report;
  const auto tell = [&] {
    if (!on_progress.is_none()) on_progress(progress.records.load());
  };
  RunInterruptibly(
      stop, [&] { report = ScoreFiles(plan, options).ToJson(); }, tell);
  tell();  // of what was too quick for a tick
  return report;
}

Comparison Compare(const nb::dict& given) {
  ComparisonOptions options;
  OptionReader reader(given);
  reader.Take("base", options.base);
  reader.Take("news", options.news);
  reader.Take("scorers", options.scorers);
  reader.Take("by", options.by);
  reader.Take("cluster", options.cluster);
  reader.Take("common_only", options.common_only);
  reader.Take("accept_differences", options.accept_differences);
  reader.Take("unverified", options.unverified);
  reader.Take("margin", options.margin);
  reader.Take("alpha", options.alpha);
  reader.Take(
      "correction", options.correction,
      {{"holm", Correction::kHolm}, {"bh", Correction::kBenjaminiHochberg}, {"none", Correction::kNone}});
  reader.Take("repeats", options.repeats);
  reader.Take("pass_k", options.pass_k);
  reader.Take("between", options.between);
  reader.Take("values", options.values);
  reader.Take("anytime", options.anytime);
  reader.Take("worst", options.worst);
  reader.Take("records", options.records);
  reader.Take("labels", options.labels);
  reader.Take("threads", options.threads);
  reader.End();
  std::atomic<bool> stop{false};
  options.stop = &stop;
  Comparison comparison;
  RunInterruptibly(stop, [&] { comparison = CompareFiles(options); });
  return comparison;
}

std::string Render(const Comparison& comparison, const std::string& format) {
  return RenderComparison(comparison, {},
                          ChoiceOf<ComparisonFormat>("format", format,
                                                     {{"table", ComparisonFormat::kTable},
                                                      {"markdown", ComparisonFormat::kMarkdown},
                                                      {"json", ComparisonFormat::kJson},
                                                      {"csv", ComparisonFormat::kCsv},
                                                      {"junit", ComparisonFormat::kJunit},
                                                      {"latex", ComparisonFormat::kLatex}}));
}

// The models of score files, ranked, and the doubts about comparing them.
struct Leaderboard {
  Ranking ranking = {};
  std::vector<std::string> warnings = {};
};

Leaderboard RankModels(const std::vector<std::string>& files, const nb::dict& given) {
  Leaderboard board;
  LeaderboardOptions options;
  OptionReader reader(given);
  reader.Take("by", options.by);
  reader.Take("cluster", options.cluster);
  reader.Take("task", options.task);
  reader.Take("repeats", options.repeats);
  reader.Take("pass_k", options.pass_k);
  reader.Take("min_share", options.min_share);
  reader.Take("common_only", options.common_only);
  reader.Take("fields", options.fields);
  reader.Take("groups", options.groups);
  reader.Take("labels", options.labels);
  reader.Take("unverified", options.unverified);
  reader.Take("max_ratio", options.max_ratio);
  reader.Take("threads", options.threads);
  reader.End();
  options.mark_best = true;  // which only texts with marks show
  options.warnings = &board.warnings;
  std::atomic<bool> unused{false};  // a ranking does not end early
  RunInterruptibly(unused, [&] { board.ranking = RankFilesInFull(files, options); });
  return board;
}

std::string RenderBoard(const Leaderboard& board, const std::string& view, const std::string& format) {
  enum class View { kRanks, kVersus, kByScorer, kByTask, kByField, kSensitivity };
  const View shown = ChoiceOf<View>("view", view,
                                    {{"ranks", View::kRanks},
                                     {"versus", View::kVersus},
                                     {"by_scorer", View::kByScorer},
                                     {"by_task", View::kByTask},
                                     {"by_field", View::kByField},
                                     {"sensitivity", View::kSensitivity}});
  const LeaderboardFormat chosen = ChoiceOf<LeaderboardFormat>("format", format,
                                                               {{"table", LeaderboardFormat::kTable},
                                                                {"markdown", LeaderboardFormat::kMarkdown},
                                                                {"json", LeaderboardFormat::kJson},
                                                                {"csv", LeaderboardFormat::kCsv},
                                                                {"latex", LeaderboardFormat::kLatex}});
  const Ranking& ranking = board.ranking;
  switch (shown) {
    case View::kVersus:
      return RenderVersus(ranking.versus, chosen);
    case View::kByScorer:
      return RenderMatrices(std::span(&ranking.by_scorer, 1), chosen);
    case View::kByTask:
      return RenderMatrices(ranking.by_task, chosen);
    case View::kByField:
      return RenderMatrices(ranking.by_field, chosen);
    case View::kSensitivity:
      return RenderSensitivity(ranking.sensitivity, chosen);
    default:
      return RenderLeaderboard(ranking.rows, chosen);
  }
}

}  // namespace

void BindFiles(nb::module_& module) {
  module.def("score_files", ScoreFilesToReport, nb::arg("plan"), nb::arg("options"),
             nb::arg("on_progress").none());
  module.def("explain_score", &ExplainScore, nb::arg("line"), nb::arg("colour"));
  nb::class_<Comparison>(module, "Comparison", "What two runs say of each other.")
      .def(nb::init<>())
      .def("render", Render, nb::arg("format"));
  module.def("compare", Compare, nb::arg("options"));
  nb::class_<Leaderboard>(module, "Leaderboard", "The models of score files, ranked.")
      .def_ro("warnings", &Leaderboard::warnings)
      .def("render", RenderBoard, nb::arg("view"), nb::arg("format"));
  module.def("rank", RankModels, nb::arg("files"), nb::arg("options"));
}

}  // namespace leafscore::python
