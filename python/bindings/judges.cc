#include "python/bindings/judges.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "python/bindings/bindings.h"
#include "python/bindings/options.h"

namespace leafscore::python {

namespace nb = nanobind;

Judges::Judges(const JudgeRules& rules) : service_(OpenJudges(rules)), process_(getpid()) {}

Judges::~Judges() { Close(); }

bool Judges::is_ours() const { return process_ == getpid(); }

void Judges::Close() {
  if (is_ours()) {
    const nb::gil_scoped_release no_gil;  // it waits for what is under way
    service_.reset();
  } else {
    // Leaked, as its end would wait for threads that are not here.
    [[maybe_unused]] const auto* const leaked = new std::shared_ptr<leafscore::Judges>(std::move(service_));
  }
}

const std::shared_ptr<leafscore::Judges>& Judges::service() const {
  if (!is_ours()) {
    throw Error(ErrorCode::kUsage,
                "these judges were made before a fork: make them in the process that asks");
  }
  if (service_ == nullptr) throw Error(ErrorCode::kUsage, "these judges are closed");
  return service_;
}

namespace {

JudgeRules ReadRules(const nb::dict& given) {
  JudgeRules rules;
  OptionReader reader(given);
  std::uint64_t max_requests = 0;
  double max_cost = 0;
  reader.Take("cache", rules.cache);
  reader.Take("replay", rules.replay);
  reader.Take("dry_run", rules.dry_run);
  if (reader.Take("max_requests", max_requests)) rules.max_requests = max_requests;
  if (reader.Take("max_cost", max_cost)) rules.max_cost = max_cost;
  reader.Take("at_budget", rules.stops_at_budget, {{"stop", true}, {"error", false}});
  reader.Take("prices", rules.prices);
  reader.Take("prices_name", rules.prices_name);
  reader.End();
  return rules;
}

nb::dict ReportOfJudges(const Judges& judges) {
  const JudgeReport report = ReportOf(*judges.service());
  nb::dict figures;
  figures["requests"] = report.requests;
  figures["retries"] = report.retries;
  figures["cached"] = report.cached;
  figures["prompt_tokens"] = report.prompt_tokens;
  figures["completion_tokens"] = report.completion_tokens;
  figures["cost"] = report.cost;
  figures["prices"] = report.prices;
  figures["latency_p50"] = report.latency_p50;
  figures["latency_p95"] = report.latency_p95;
  nb::dict read_as;
  read_as["json_schema"] = report.read_as.json_schema;
  read_as["json_object"] = report.read_as.json_object;
  read_as["json"] = report.read_as.json;
  read_as["text"] = report.read_as.text;
  figures["read_as"] = read_as;
  return figures;
}

}  // namespace

void BindJudges(nb::module_& module) {
  nb::class_<Judges>(module, "Judges", "Where models that judge are asked.")
      .def("__init__", [](Judges* self, const nb::dict& rules) { new (self) Judges(ReadRules(rules)); })
      .def("report", ReportOfJudges)
      .def("close", &Judges::Close);
}

}  // namespace leafscore::python
