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
  reader.Take("retry_errors", rules.retry_errors);
  if (reader.Take("max_requests", max_requests)) rules.max_requests = max_requests;
  if (reader.Take("max_cost", max_cost)) rules.max_cost = max_cost;
  reader.Take("at_budget", rules.stops_at_budget, {{"stop", true}, {"error", false}});
  reader.Take("prices", rules.prices);
  reader.Take("prices_name", rules.prices_name);
  reader.End();
  return rules;
}

}  // namespace

void BindJudges(nb::module_& module) {
  nb::class_<Judges>(module, "Judges", "Where models that judge are asked.")
      .def("__init__", [](Judges* self, const nb::dict& rules) { new (self) Judges(ReadRules(rules)); })
      .def("report", [](const Judges& self) { return ReportOf(*self.service()).ToJson(); })
      .def("close", &Judges::Close);
}

}  // namespace leafscore::python
