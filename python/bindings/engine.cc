// Plans, and the scoring of pairs and streams with them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/run/scorer_set.h"
#include "leafscore/arrow.h"
#include "leafscore/error.h"
#include "leafscore/import.h"
#include "leafscore/options.h"
#include "leafscore/outcome.h"
#include "leafscore/plan.h"
#include "leafscore/runner.h"
#include "python/bindings/bindings.h"
#include "python/bindings/interruptible.h"
#include "python/bindings/options.h"
#include "python/bindings/table.h"
#include "python/bindings/text_columns.h"

namespace leafscore::python {
namespace {

namespace nb = nanobind;

// A runner that one call has to itself, as whatever stops that call must not stop another.
struct Lane {
  Lane(const Plan& plan, EngineOptions options)
      : runner(plan, WithHooks(std::move(options))), asks_others(plan.scorers().asks_others()) {}

  std::atomic<bool> stop{false};
  Progress progress = {};
  Runner runner;
  const bool asks_others;  // who may take long, however little they are asked

 private:
  EngineOptions WithHooks(EngineOptions options) {
    options.stop = &stop;
    options.progress = &progress;
    return options;
  }
};

// The runners of a plan and options, which keep their memory from one call to the next.
class Engine {
 public:
  Engine(Plan plan, const nb::dict& given) : pool_(std::make_shared<Pool>(std::move(plan))) {
    OptionReader reader(given);
    TakeRunOptions(reader, pool_->options);
    reader.End();
    Take();  // so that options out of their range are told now
  }

  // Lends a lane, which goes back when its last user is gone.
  std::shared_ptr<Lane> Take() const {
    std::unique_ptr<Lane> lane;
    {
      const std::lock_guard lock(pool_->mutex);
      if (!pool_->free.empty()) {
        lane = std::move(pool_->free.back());
        pool_->free.pop_back();
      }
    }
    if (lane == nullptr) lane = std::make_unique<Lane>(pool_->plan, pool_->options);
    lane->stop = false;
    lane->progress.records = 0;
    return {lane.release(), [pool = pool_](Lane* used) {
              std::unique_ptr<Lane> back(used);
              const std::lock_guard lock(pool->mutex);
              pool->free.push_back(std::move(back));
            }};
  }

 private:
  struct Pool {
    explicit Pool(Plan its_plan) : plan(std::move(its_plan)) {}
    Plan plan;
    EngineOptions options = {};
    std::mutex mutex = {};
    std::vector<std::unique_ptr<Lane>> free = {};
  };
  std::shared_ptr<Pool> pool_;
};

// Texts of records may hold what is not UTF-8.
nb::object ToText(std::string_view text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

nb::object NumberOrNone(double number) { return std::isnan(number) ? nb::none() : nb::cast(number); }

// Returns for each scorer (name, outcome, score, passed, metrics, reason, message).
nb::list ScorePair(const Engine& engine, std::string_view expected, std::string_view actual) {
  const std::shared_ptr<Lane> lane = engine.Take();
  std::vector<ScoreColumns> scores;
  const bool is_quick = !lane->asks_others && expected.size() + actual.size() < kQuickBytes;
  RunAtOnceIf(is_quick, lane->stop, [&] {
    scores = lane->runner.ScorePair(expected, actual, {TextFormat::kJson, TextFormat::kJsonOrText});
  });
  nb::list results;
  for (const ScoreColumns& columns : scores) {
    nb::dict metrics;
    for (const Metric& metric : columns.metrics) {
      metrics[ToText(metric.name)] = NumberOrNone(metric.values[0]);
    }
    const bool scored = columns.errors.empty();
    results.append(nb::make_tuple(
        columns.scorer, ToText(OutcomeName(columns.outcome[0])), NumberOrNone(columns.score[0]),
        columns.passed[0] < 0 ? nb::none() : nb::cast(columns.passed[0] == 1), metrics,
        scored ? nb::object(nb::none()) : ToText(RejectReasonName(columns.errors[0].reason)),
        scored ? nb::object(nb::none()) : ToText(columns.errors[0].message)));
  }
  return results;
}

StreamOptions ReadStreamOptions(const nb::dict& given) {
  StreamOptions options;
  options.formats.calls = TextFormat::kJsonOrText;
  OptionReader reader(given);
  reader.Take("expected", options.expected);
  reader.Take("actual", options.actual);
  reader.Take("calls", options.calls);
  reader.Take("expected_format", options.formats.expected,
              {{"auto", TextFormat::kJson}, {"json", TextFormat::kJson}, {"text", TextFormat::kText}});
  reader.Take("actual_format", options.formats.actual,
              {{"auto", TextFormat::kJsonOrText}, {"json", TextFormat::kJson}, {"text", TextFormat::kText}});
  reader.Take("keep", options.keep);
  reader.Take("group_by", options.group_by);
  reader.Take("max_groups", options.max_groups);
  reader.Take("id", options.id);
  reader.End();
  return options;
}

// Results of a stream, batch by batch.
// THREADS: one at a time; a second one is refused.
class Stream {
 public:
  Stream(const Engine& engine, const nb::object& data, const nb::dict& options,
         const std::optional<nb::object>& gold)
      : lane_(engine.Take()),
        is_quick_(!lane_->asks_others && AreFewTexts(data) && (!gold || AreFewTexts(*gold))) {
    const std::shared_ptr<ArrowArrayStream> input = OpenStream(data);
    const std::shared_ptr<ArrowArrayStream> gold_input = gold ? OpenStream(*gold) : nullptr;
    StreamOptions stream_options = ReadStreamOptions(options);
    stream_options.gold = gold_input.get();
    RunAtOnceIf(is_quick_, lane_->stop, [&] {
      ArrowArrayStream output{};
      run_ = lane_->runner.ScoreStream(input.get(), stream_options, &output);
      output_ = TakeOver(&output);
      ArrowSchema schema{};
      Check(output_->get_schema(output_.get(), &schema));
      schema_ = TakeOver(&schema);
    });
  }

  // Returns a table without rows.
  Table Empty() const { return Table(schema_); }

  // Returns the next batch, or nothing at the end.
  std::optional<Table> Next(const nb::object& on_progress) {
    Table table(schema_);
    Read(on_progress, [&] {
      if (SharedArray batch = ReadBatch()) table.Append(std::move(batch));
    });
    if (table.batches().empty()) return std::nullopt;
    return table;
  }

  // Returns all batches that are left.
  Table Rest(const nb::object& on_progress) {
    Table table(schema_);
    Read(on_progress, [&] {
      while (SharedArray batch = ReadBatch()) table.Append(std::move(batch));
    });
    return table;
  }

  std::string Report() const { return run_->Report().ToJson(); }

 private:
  template <class Work>
  void Read(const nb::object& on_progress, Work work) {
    if (busy_.exchange(true)) throw std::runtime_error("another thread reads these results");
    const std::unique_ptr<std::atomic<bool>, void (*)(std::atomic<bool>*)> end(
        &busy_, [](std::atomic<bool>* busy) { *busy = false; });
    const auto tell = [&] {
      if (!on_progress.is_none()) on_progress(lane_->progress.records.load());
    };
    RunAtOnceIf(is_quick_, lane_->stop, work, tell);
    tell();  // of what was too quick for a tick
  }

  SharedArray ReadBatch() {
    ArrowArray batch{};
    Check(output_->get_next(output_.get(), &batch));
    return batch.release == nullptr ? nullptr : TakeOver(&batch);
  }

  // ERRORS: what the codes of a stream of results stand for.
  void Check(int code) {
    if (code == 0) return;
    const char* const message = output_->get_last_error(output_.get());
    throw Error(code == EINVAL      ? ErrorCode::kUsage
                : code == ECANCELED ? ErrorCode::kInterrupted
                : code == ENOMEM    ? ErrorCode::kResources
                                    : ErrorCode::kInput,
                message == nullptr ? "scoring failed" : message);
  }

  std::shared_ptr<Lane> lane_;  // outlives the results, which score on it
  bool is_quick_;
  std::optional<StreamRun> run_;
  std::shared_ptr<ArrowArrayStream> output_;
  SharedSchema schema_;
  std::atomic<bool> busy_{false};
};

}  // namespace

void BindEngine(nb::module_& module) {
  module.def("pair_option_names", &PairOptionNames);
  nb::class_<Plan>(module, "Plan", "Configured scorers.")
      .def("__init__", [](Plan* self, const nb::list& scorers) { new (self) Plan(MakePlan(scorers)); })
      .def_static(
          "from_config",
          [](const std::string& text, const std::string& name) { return Plan::FromConfig(text, name); },
          nb::arg("text"), nb::arg("name"))
      .def("scorer_names", &Plan::scorer_names)
      .def("record_fields", &Plan::record_fields)
      .def("config", &Plan::config);
  nb::class_<ImportedPlan>(module, "ImportedPlan", "A plan, and what else its file held.")
      .def_ro("plan", &ImportedPlan::plan)
      .def_ro("gold", &ImportedPlan::gold)
      .def_ro("notes", &ImportedPlan::notes);
  module.def("import_plan", &ImportPlan, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>());
  nb::class_<Engine>(module, "Engine", "A plan and options, ready to score.")
      .def(nb::init<Plan, const nb::dict&>(), nb::arg("plan"), nb::arg("options"))
      .def(
          "score_pair",
          [](const Engine& engine, const nb::bytes& expected, const nb::bytes& actual) {
            return ScorePair(engine, {expected.c_str(), expected.size()}, {actual.c_str(), actual.size()});
          },
          nb::arg("expected"), nb::arg("actual"));
  nb::class_<Stream>(module, "Stream", "Results, batch by batch.")
      .def(nb::init<const Engine&, const nb::object&, const nb::dict&, const std::optional<nb::object>&>(),
           nb::arg("engine"), nb::arg("data"), nb::arg("options"), nb::arg("gold").none())
      .def("empty", &Stream::Empty)
      .def("next", &Stream::Next, nb::arg("on_progress").none())
      .def("rest", &Stream::Rest, nb::arg("on_progress").none())
      .def("report", &Stream::Report);
}

}  // namespace leafscore::python
