// The extension module leafscore._core: the C++ interface as the modules beside it use it. Everything here
// that takes long runs without the GIL.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "leafscore/version.h"
#include "python/bindings/bindings.h"
#include "python/bindings/errors.h"

NB_MODULE(_core, module) {
  namespace python = leafscore::python;
  module.doc() = "The C++ interface of leafscore; use the package leafscore.";
  module.def("version", [] { return std::string(leafscore::Version()); });
  python::RegisterErrors();
  python::BindTable(module);
  python::BindTextColumns(module);
  python::BindJsonTexts(module);
  python::BindJudges(module);
  python::BindEngine(module);
  python::BindDistances(module);
  python::BindFiles(module);
  python::BindEvaluations(module);
  python::BindConvertedScores(module);
}
