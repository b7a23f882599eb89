// Columns of texts, made of Python's.
#ifndef LEAFSCORE_PYTHON_BINDINGS_TEXT_COLUMNS_H_
#define LEAFSCORE_PYTHON_BINDINGS_TEXT_COLUMNS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "python/bindings/table.h"

namespace leafscore::python {

// Takes over the buffers of a column of `format`, an Arrow format; the first is that of the validity bits,
// empty when no row is null.
Column MakeColumn(const char* format, std::int64_t rows, std::int64_t nulls,
                  std::vector<std::vector<std::uint8_t>> buffers);

// Tells whether `data` are a table or column that was made here of fewer than kQuickBytes of texts.
bool AreFewTexts(const nanobind::object& data);

}  // namespace leafscore::python

#endif  // LEAFSCORE_PYTHON_BINDINGS_TEXT_COLUMNS_H_
