// Record batches in memory, which Arrow's consumers can have as often as they like, and single columns.
// THREADS: do not change once Python has them.
#ifndef LEAFSCORE_PYTHON_BINDINGS_TABLE_H_
#define LEAFSCORE_PYTHON_BINDINGS_TABLE_H_

#include <nanobind/nanobind.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "python/bindings/arrow_capsules.h"

namespace leafscore::python {

class Table {
 public:
  explicit Table(SharedSchema schema) : schema_(std::move(schema)) {}

  void Append(SharedArray batch) {
    rows_ += batch->length;
    batches_.push_back(std::move(batch));
  }

  std::int64_t rows() const { return rows_; }
  const SharedSchema& schema() const { return schema_; }
  const std::vector<SharedArray>& batches() const { return batches_; }

 private:
  SharedSchema schema_;
  std::vector<SharedArray> batches_;
  std::int64_t rows_ = 0;
};

// An array of one type.
struct Column {
  SharedSchema schema;
  SharedArray array;
};

}  // namespace leafscore::python

#endif  // LEAFSCORE_PYTHON_BINDINGS_TABLE_H_
