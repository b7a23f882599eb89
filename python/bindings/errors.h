// How errors reach Python: as leafscore.Error (python/leafscore/_errors.py).
#ifndef LEAFSCORE_PYTHON_BINDINGS_ERRORS_H_
#define LEAFSCORE_PYTHON_BINDINGS_ERRORS_H_

namespace leafscore::python {

// From now on, errors of the engine that leave a binding are raised as leafscore.Error.
void RegisterErrors();

}  // namespace leafscore::python

#endif  // LEAFSCORE_PYTHON_BINDINGS_ERRORS_H_
