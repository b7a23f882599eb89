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
    ends_.push_back(rows() + batch->length);
    batches_.push_back(std::move(batch));
  }

  std::int64_t rows() const { return ends_.empty() ? 0 : ends_.back(); }
  const SharedSchema& schema() const { return schema_; }
  const std::vector<SharedArray>& batches() const { return batches_; }
  const std::vector<std::int64_t>& ends() const { return ends_; }  // of each batch, in rows

 private:
  SharedSchema schema_;
  std::vector<SharedArray> batches_;
  std::vector<std::int64_t> ends_;
};

// An array of one type.
struct Column {
  SharedSchema schema;
  SharedArray array;
};

}  // namespace leafscore::python

#endif  // LEAFSCORE_PYTHON_BINDINGS_TABLE_H_
