// The parts of the module; each function binds one.
#ifndef LEAFSCORE_PYTHON_BINDINGS_BINDINGS_H_
#define LEAFSCORE_PYTHON_BINDINGS_BINDINGS_H_

#include <nanobind/nanobind.h>

namespace leafscore::python {

void BindConvertedScores(nanobind::module_& module);
void BindDistances(nanobind::module_& module);
void BindEngine(nanobind::module_& module);
void BindEvaluations(nanobind::module_& module);
void BindFiles(nanobind::module_& module);
void BindJsonTexts(nanobind::module_& module);
void BindJudges(nanobind::module_& module);
void BindTable(nanobind::module_& module);
void BindTextColumns(nanobind::module_& module);

}  // namespace leafscore::python

#endif  // LEAFSCORE_PYTHON_BINDINGS_BINDINGS_H_
