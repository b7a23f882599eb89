// Manifests of scores that other tools computed.
#include "leafscore/converted_scores.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python/bindings/bindings.h"

namespace leafscore::python {
namespace {

namespace nb = nanobind;

void AddScorer(ConvertedScores& scores, const std::string& name, const nb::dict& options) {
  std::vector<ConvertedOption> given;
  for (const auto& [option, json] : options) {
    given.push_back({nb::cast<std::string>(option), nb::cast<std::string>(json)});
  }
  scores.AddScorer(name, given);
}

}  // namespace

void BindConvertedScores(nb::module_& module) {
  using Text = std::optional<std::string_view>;
  nb::class_<ConvertedScores>(module, "ConvertedScores", "The manifest of scores that another tool computed.")
      .def(
          "__init__",
          [](ConvertedScores* self, const std::string& tool, const std::string& version,
             const std::string& format, const std::string& ids) {
            new (self) ConvertedScores({tool, version, format, ids});
          },
          nb::arg("tool"), nb::arg("version"), nb::arg("format"), nb::arg("ids"))
      .def("add_input", &ConvertedScores::AddInput, nb::arg("path"))
      .def("add_scorer", AddScorer, nb::arg("name"), nb::arg("options"))
      .def(
          "add_record", [](ConvertedScores& self, Text id, Text expected) { self.AddRecord(id, expected); },
          nb::arg("id").none(), nb::arg("expected_json").none())
      .def("add_lines", &ConvertedScores::AddLines, nb::arg("lines"))
      .def("manifest", &ConvertedScores::Manifest)
      .def("trailer", &ConvertedScores::Trailer);
}

}  // namespace leafscore::python
