// Rows of Arrow data as Python values, for who has no library that reads Arrow. With the GIL.
#ifndef LEAFSCORE_PYTHON_BINDINGS_ROWS_H_
#define LEAFSCORE_PYTHON_BINDINGS_ROWS_H_

#include <nanobind/nanobind.h>

#include <cstdint>

#include "leafscore/arrow.h"

namespace leafscore::python {

// Returns a row of a record batch as a dict of its columns. Values are None, bool, int, float, str, lists and
// dicts. REQUIRES: 0 <= index < batch.length. ERRORS: TypeError for types that results do not have of
// themselves, such as dates in a column that was kept.
nanobind::dict RowAt(const ArrowSchema& schema, const ArrowArray& batch, std::int64_t index);

}  // namespace leafscore::python

#endif  // LEAFSCORE_PYTHON_BINDINGS_ROWS_H_
