// Distances of two columns of texts, which may come in chunks of different lengths.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leafscore/distance.h"
#include "leafscore/error.h"
#include "python/bindings/bindings.h"
#include "python/bindings/interruptible.h"
#include "python/bindings/table.h"

namespace leafscore::python {
namespace {

// Columns of texts, made of Python's.

// Takes over the buffers of a column of `format`, an Arrow format; the first is that of the validity bits,
// empty when no row is null.
Column MakeColumn(const char* format, std::int64_t rows, std::int64_t nulls,
                  std::vector<std::vector<std::uint8_t>> buffers);

namespace nb = nanobind;

using Bytes = std::vector<std::uint8_t>;

struct SchemaParts {
  std::string format;
  std::vector<std::string> names;
  std::vector<ArrowSchema> children = {};
  std::vector<ArrowSchema*> pointers = {};
};

// A schema whose children are `names` of `format`, or one of `format` without names.
SharedSchema MakeSchema(SchemaParts parts) {
  auto* const mine = new SchemaParts(std::move(parts));
  const auto keep = [](ArrowSchema* released) { released->release = nullptr; };
  for (const std::string& name : mine->names) {
    mine->children.push_back({mine->format.c_str(), name.c_str(), nullptr, ARROW_FLAG_NULLABLE, 0, nullptr,
                              nullptr, keep, nullptr});
  }
  for (ArrowSchema& child : mine->children) mine->pointers.push_back(&child);
  const bool is_record = !mine->names.empty();
  ArrowSchema schema{is_record ? "+s" : mine->format.c_str(),
                     "",
                     nullptr,
                     is_record ? 0 : ARROW_FLAG_NULLABLE,
                     static_cast<std::int64_t>(mine->names.size()),
                     mine->pointers.data(),
                     nullptr,
                     [](ArrowSchema* released) {
                       delete static_cast<SchemaParts*>(released->private_data);
                       released->release = nullptr;
                     },
                     mine};
  return TakeOver(&schema);
}

struct ArrayParts {
  std::vector<Bytes> bytes = {};
  std::vector<Column> columns = {};  // of a record batch
  std::vector<const void*> buffers = {};
  std::vector<ArrowArray> children = {};
  std::vector<ArrowArray*> pointers = {};
};

void ReleaseArray(ArrowArray* released) {
  auto* const mine = static_cast<ArrayParts*>(released->private_data);
  for (ArrowArray& child : mine->children) {
    if (child.release != nullptr) child.release(&child);
  }
  delete mine;
  released->release = nullptr;
}

SharedArray MakeArray(std::int64_t rows, std::int64_t nulls, ArrayParts parts) {
  auto* const mine = new ArrayParts(std::move(parts));
  for (const Bytes& bytes : mine->bytes) mine->buffers.push_back(bytes.empty() ? nullptr : bytes.data());
  mine->children.resize(mine->columns.size());
  for (std::size_t i = 0; i < mine->columns.size(); ++i) {
    ExportShared(mine->columns[i].array, &mine->children[i]);
    mine->pointers.push_back(&mine->children[i]);
  }
  ArrowArray array{rows,
                   nulls,
                   0,
                   static_cast<std::int64_t>(mine->buffers.size()),
                   static_cast<std::int64_t>(mine->children.size()),
                   mine->buffers.data(),
                   mine->pointers.data(),
                   nullptr,
                   ReleaseArray,
                   mine};
  return TakeOver(&array);
}

template <class Value>
void AppendValue(Value value, Bytes& bytes) {
  const std::size_t begin = bytes.size();
  bytes.resize(begin + sizeof value);
  std::memcpy(bytes.data() + begin, &value, sizeof value);
}

// Returns a text's UTF-8. Surrogates, which UTF-8 has not, are written as it would; scoring then says of that
// row alone that it is not UTF-8.
nb::object Utf8(const nb::handle& text, std::string_view& utf8) {
  Py_ssize_t size = 0;
  nb::object owner = nb::borrow(text);
  if (PyUnicode_Check(text.ptr())) {
    if (const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size); bytes != nullptr) {
      utf8 = {bytes, static_cast<std::size_t>(size)};
      return owner;
    }
    PyErr_Clear();
    owner = nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
    if (!owner.is_valid()) nb::raise_python_error();
  }
  if (!PyBytes_Check(owner.ptr())) throw nb::type_error("a column of texts holds str, bytes and None");
  char* bytes = nullptr;
  if (PyBytes_AsStringAndSize(owner.ptr(), &bytes, &size) != 0) nb::raise_python_error();
  utf8 = {bytes, static_cast<std::size_t>(size)};
  return owner;
}

// Makes a column of large_string.
Column MakeTextColumn(const nb::sequence& texts) {
  Bytes validity;
  Bytes offsets;
  Bytes bytes(1);  // an Arrow buffer that is there, even without texts
  bytes.clear();
  AppendValue(std::int64_t{0}, offsets);
  std::int64_t rows = 0;
  std::int64_t nulls = 0;
  for (const nb::handle text : texts) {
    if (rows % 8 == 0) validity.push_back(0);
    if (text.is_none()) {
      ++nulls;
    } else {
      std::string_view utf8;
      const nb::object owner = Utf8(text, utf8);
      bytes.insert(bytes.end(), utf8.begin(), utf8.end());
      validity.back() |= static_cast<std::uint8_t>(1u << rows % 8);
    }
    AppendValue(static_cast<std::int64_t>(bytes.size()), offsets);
    ++rows;
  }
  if (nulls == 0) validity.clear();
  std::vector<Bytes> buffers;
  buffers.push_back(std::move(validity));
  buffers.push_back(std::move(offsets));
  buffers.push_back(std::move(bytes));
  return MakeColumn("U", rows, nulls, std::move(buffers));
}

Table MakeTextTable(std::vector<std::string> names, const nb::list& texts) {
  ArrayParts parts;
  parts.bytes.resize(1);  // no row is null
  std::int64_t rows = 0;
  for (const nb::handle column : texts) {
    parts.columns.push_back(MakeTextColumn(nb::cast<nb::sequence>(column)));
    rows = parts.columns.front().array->length;
    if (parts.columns.back().array->length != rows) {
      throw nb::value_error("columns of texts have one length");
    }
  }
  Table table(MakeSchema({"U", std::move(names)}));
  table.Append(MakeArray(rows, 0, std::move(parts)));
  return table;
}

Column MakeColumn(const char* format, std::int64_t rows, std::int64_t nulls,
                  std::vector<std::vector<std::uint8_t>> buffers) {
  return {MakeSchema({format, {}}), MakeArray(rows, nulls, {.bytes = std::move(buffers)})};
}

void BindTextColumns(nb::module_& module) {
  module.def("text_column", MakeTextColumn, nb::arg("texts"),
             "Makes an Arrow column of large_string from a sequence of str, bytes and None.");
  module.def("text_table", MakeTextTable, nb::arg("names"), nb::arg("columns"),
             "Makes a table of columns of texts, all of one length.");
}

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
                                       std::to_string(right.rows) + "; give two columns of one size");
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
  RunInterruptibly(stop, [&] {
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
