// Tests checked before anyone is judged by them, and evaluations of saved agent runs.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "leafscore/leafscore.h"
#include "python/bindings/bindings.h"
#include "python/bindings/interruptible.h"
#include "python/bindings/judges.h"
#include "python/bindings/options.h"

namespace leafscore::python {
namespace {

namespace nb = nanobind;

// Runs `work` so that Ctrl-C ends it, and tells the number of records meanwhile.
// REQUIRES: `work` watches options.stop and keeps options.progress up to date.
template <class Options, class Work>
void RunWithProgress(Options& options, const nb::object& on_progress, Work work) {
  std::atomic<bool> stop{false};
  Progress progress;
  options.stop = &stop;
  options.progress = &progress;
  const auto tell = [&] {
    if (!on_progress.is_none()) on_progress(progress.records.load());
  };
  RunInterruptibly(stop, work, tell);
  tell();  // of what was too quick for a tick
}

LintReport Lint(const Plan& plan, const nb::dict& given, const nb::object& on_progress) {
  LintOptions options;
  OptionReader reader(given);
  TakeRunOptions(reader, options.files);
  reader.Take("question_field", options.question_field);
  reader.Take("schema", options.schema);
  reader.Take("pass_score", options.pass_score);
  reader.Take("ask_judges", options.ask_judges);
  reader.Take("accept", options.accept);
  reader.End();
  LintReport report;
  RunWithProgress(options.files, on_progress, [&] { report = LintGold(plan, options); });
  return report;
}

std::string RenderLintReport(const LintReport& report, const std::string& format) {
  return RenderLint(report, ChoiceOf<LintFormat>("format", format,
                                                 {{"table", LintFormat::kTable},
                                                  {"markdown", LintFormat::kMarkdown},
                                                  {"json", LintFormat::kJson}}));
}

EvaluationReport EvaluateRuns(const nb::dict& given, const nb::object& on_progress) {
  EvaluationOptions options;
  OptionReader reader(given);
  std::string config;
  std::string prices;
  std::int64_t generated_at = 0;
  const Judges* judges = nullptr;
  reader.Take("trajectories", options.trajectories);
  reader.Take("scenarios", options.scenarios);
  reader.Take("scenario_ids", options.scenario_ids);
  reader.Take("repeats", options.repeats);
  reader.Take("reports_dir", options.reports_dir);
  reader.Take("run_reports", options.run_reports);
  reader.Take("clean", options.clean);
  reader.Take("allow_absent_paths", options.allow_absent_paths);
  reader.Take("default_scorer", options.default_scorer);
  reader.Take("accept_unknown_methods", options.accept_unknown_methods);
  if (reader.Take("config", config)) options.config = config;
  reader.Take("config_name", options.config_name);
  reader.Take("judge_model", options.judge_model);
  reader.Take("allow_self_judge", options.allow_self_judge);
  if (reader.Take("judges", judges)) options.judges = judges->service();
  reader.Take("dry_run", options.dry_run);
  reader.Take("answer_field", options.answer_field);
  if (reader.Take("prices", prices)) options.prices = prices;
  reader.Take("prices_name", options.prices_name);
  reader.Take("details", options.details);
  reader.Take("max_details_bytes", options.max_details_bytes);
  reader.Take("threads", options.threads);
  reader.Take("max_file_bytes", options.max_file_bytes);
  if (reader.Take("generated_at", generated_at)) options.generated_at = generated_at;
  reader.End();
  EvaluationReport report;
  RunWithProgress(options, on_progress, [&] { report = Evaluate(options); });
  return report;
}

}  // namespace

void BindEvaluations(nb::module_& module) {
  nb::class_<LintReport>(module, "LintReport", "The findings about a test.")
      .def("render", RenderLintReport, nb::arg("format"));
  module.def("lint", Lint, nb::arg("plan"), nb::arg("options"), nb::arg("on_progress").none());
  nb::class_<EvaluationReport>(module, "EvaluationReport", "The results of an evaluation.")
      .def_ro("trajectory_files", &EvaluationReport::trajectory_files)
      .def_prop_ro("runs", [](const EvaluationReport& report) { return report.matched.runs; })
      .def_prop_ro("scored", [](const EvaluationReport& report) { return report.matched.scored; })
      .def_prop_ro("failed_reports",
                   [](const EvaluationReport& report) { return report.failed_reports.size(); })
      .def_ro("aggregate", &EvaluationReport::aggregate)
      .def("summary", [](const EvaluationReport& report) { return report.asked.ToJson(); })
      .def("table", [](const EvaluationReport& report) { return report.asked.ToTable(); });
  module.def("evaluate", EvaluateRuns, nb::arg("options"), nb::arg("on_progress").none());
}

}  // namespace leafscore::python
