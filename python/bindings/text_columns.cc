#include "python/bindings/text_columns.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/bindings/bindings.h"
#include "python/bindings/interruptible.h"

namespace leafscore::python {
namespace {

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
  std::size_t least = 1;  // an Arrow buffer that is there, even without texts
  for (const nb::handle text : texts) {
    if (PyBytes_Check(text.ptr())) least += static_cast<std::size_t>(PyBytes_Size(text.ptr()));
    if (PyUnicode_Check(text.ptr())) least += static_cast<std::size_t>(PyUnicode_GetLength(text.ptr()));
  }
  Bytes bytes;
  bytes.reserve(least);
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

// Returns the bytes of a column of MakeTextColumn; kQuickBytes for any other.
std::size_t BytesOf(const ArrowSchema& schema, const ArrowArray& column) {
  if (std::string_view(schema.format) != "U" || column.offset != 0) return kQuickBytes;
  std::int64_t end = 0;
  std::memcpy(&end, static_cast<const std::int64_t*>(column.buffers[1]) + column.length, sizeof end);
  return static_cast<std::size_t>(end + column.length);
}

}  // namespace

Column MakeColumn(const char* format, std::int64_t rows, std::int64_t nulls,
                  std::vector<std::vector<std::uint8_t>> buffers) {
  return {MakeSchema({format, {}}), MakeArray(rows, nulls, {.bytes = std::move(buffers)})};
}

bool AreFewTexts(const nb::object& data) {
  std::size_t bytes = 0;
  if (const Column* column = nullptr; nb::try_cast(data, column)) {
    bytes = BytesOf(*column->schema, *column->array);
  } else if (const Table* table = nullptr; nb::try_cast(data, table)) {
    for (const SharedArray& batch : table->batches()) {
      for (std::int64_t i = 0; i < batch->n_children; ++i)
        bytes += BytesOf(*table->schema()->children[i], *batch->children[i]);
    }
  } else {
    return false;
  }
  return bytes < kQuickBytes;
}

void BindTextColumns(nb::module_& module) {
  module.def("text_column", MakeTextColumn, nb::arg("texts"),
             "Makes an Arrow column of large_string from a sequence of str, bytes and None.");
  module.def("text_table", MakeTextTable, nb::arg("names"), nb::arg("columns"),
             "Makes a table of columns of texts, all of one length.");
}

}  // namespace leafscore::python
