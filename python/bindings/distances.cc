// Distances of two columns of texts, which may come in chunks of different lengths.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "leafscore/distance.h"
#include "leafscore/error.h"
#include "python/bindings/bindings.h"
#include "python/bindings/interruptible.h"
#include "python/bindings/text_columns.h"

namespace leafscore::python {
namespace {

namespace nb = nanobind;

struct Chunks {
  SharedSchema type;
  std::vector<SharedArray> arrays = {};
  std::int64_t rows = 0;
};

void Check(ArrowArrayStream& stream, int code) {
  if (code == 0) return;
  const char* const why = stream.get_last_error(&stream);
  throw Error(ErrorCode::kInput, why == nullptr ? "a column of texts cannot be read" : why);
}

Chunks ReadChunks(ArrowArrayStream& stream) {
  ArrowSchema schema{};
  Check(stream, stream.get_schema(&stream, &schema));
  Chunks chunks{TakeOver(&schema)};
  for (;;) {
    ArrowArray array{};
    Check(stream, stream.get_next(&stream, &array));
    if (array.release == nullptr) return chunks;
    if (array.length < 0) throw Error(ErrorCode::kInput, "an Arrow array has less than no rows");
    chunks.rows += array.length;
    chunks.arrays.push_back(TakeOver(&array));
  }
}

// Returns rows of a chunk. A view.
ArrowArray Slice(const ArrowArray& chunk, std::int64_t first, std::int64_t rows) {
  ArrowArray slice = chunk;
  slice.offset += first;
  slice.length = rows;
  slice.null_count = chunk.null_count == 0 ? 0 : -1;
  return slice;
}

// Calls compute(left, right) for rows that lie in one chunk on either side, and appends what it returns.
template <class Value, class Compute>
std::vector<Value> ForEachSlice(const Chunks& left, const Chunks& right, Compute compute) {
  if (left.rows != right.rows) {
    throw Error(ErrorCode::kUsage, "one column has " + std::to_string(left.rows) + " texts and the other " +
                                       std::to_string(right.rows) + "; give two columns of equal size");
  }
  std::vector<Value> all;
  std::size_t l = 0;
  std::size_t r = 0;
  std::int64_t left_done = 0;  // of the current chunks
  std::int64_t right_done = 0;
  while (l < left.arrays.size() && r < right.arrays.size()) {
    const std::int64_t left_rows = left.arrays[l]->length - left_done;
    const std::int64_t right_rows = right.arrays[r]->length - right_done;
    const std::int64_t rows = std::min(left_rows, right_rows);
    const ArrowArray left_slice = Slice(*left.arrays[l], left_done, rows);
    const ArrowArray right_slice = Slice(*right.arrays[r], right_done, rows);
    std::vector<Value> values =
        compute(TextArrayView{*left.type, left_slice}, TextArrayView{*right.type, right_slice});
    if (all.empty()) {
      all = std::move(values);
    } else {
      all.insert(all.end(), values.begin(), values.end());
    }
    left_done += rows;
    right_done += rows;
    if (rows == left_rows) {
      ++l;
      left_done = 0;
    }
    if (rows == right_rows) {
      ++r;
      right_done = 0;
    }
  }
  return all;
}

template <class Value, class IsNone>
Column ToColumn(const char* format, const std::vector<Value>& values, IsNone is_none) {
  const std::int64_t nulls = std::count_if(values.begin(), values.end(), is_none);
  std::vector<std::uint8_t> validity;
  if (nulls > 0) {
    validity.resize((values.size() + 7) / 8);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!is_none(values[i])) validity[i / 8] |= static_cast<std::uint8_t>(1u << i % 8);
    }
  }
  std::vector<std::uint8_t> bytes(values.size() * sizeof(Value));
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  std::vector<std::vector<std::uint8_t>> buffers;
  buffers.push_back(std::move(validity));
  buffers.push_back(std::move(bytes));
  return MakeColumn(format, static_cast<std::int64_t>(values.size()), nulls, std::move(buffers));
}

// Runs compute(left, right, options) over two columns.
template <class Value, class Compute>
std::vector<Value> Run(const nb::object& left, const nb::object& right, unsigned threads, Compute compute) {
  const auto left_stream = OpenStream(left);
  const auto right_stream = OpenStream(right);
  std::atomic<bool> stop{false};
  const DistanceOptions options{.threads = threads, .stop = &stop};
  std::vector<Value> values;
  RunAtOnceIf(AreFewTexts(left) && AreFewTexts(right), stop, [&] {
    values = ForEachSlice<Value>(
        ReadChunks(*left_stream), ReadChunks(*right_stream),
        [&](const TextArrayView& l, const TextArrayView& r) { return compute(l, r, options); });
  });
  return values;
}

Column Levenshtein(const nb::object& left, const nb::object& right, std::optional<std::uint32_t> cutoff,
                   unsigned threads) {
  const auto distances =
      Run<std::uint32_t>(left, right, threads, [&](const auto& l, const auto& r, const auto& options) {
        return LevenshteinDistances(l, r, cutoff.value_or(kNoDistance), options);
      });
  return ToColumn("I", distances, [](std::uint32_t distance) { return distance == kNoDistance; });
}

Column JaroWinkler(const nb::object& left, const nb::object& right, unsigned threads) {
  const auto similarities = Run<double>(left, right, threads, JaroWinklerSimilarities);
  return ToColumn("g", similarities, [](double similarity) { return std::isnan(similarity); });
}

}  // namespace

void BindDistances(nb::module_& module) {
  module.def("levenshtein", Levenshtein, nb::arg("left"), nb::arg("right"), nb::arg("cutoff").none(),
             nb::arg("threads"));
  module.def("jaro_winkler", JaroWinkler, nb::arg("left"), nb::arg("right"), nb::arg("threads"));
}

}  // namespace leafscore::python
