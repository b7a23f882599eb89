#include "python/bindings/table.h"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "leafscore/arrow.h"
#include "python/bindings/bindings.h"

namespace leafscore::python {
namespace {

// Rows of Arrow data as Python values, for who has no library that reads Arrow. With the GIL.

// Returns a row of a record batch as a dict of its columns. Values are None, bool, int, float, str, lists and
// dicts. REQUIRES: 0 <= index < batch.length. ERRORS: TypeError for types that results do not have of
// themselves, such as dates in a column that was kept.
nanobind::dict RowAt(const ArrowSchema& schema, const ArrowArray& batch, std::int64_t index);

namespace nb = nanobind;

nb::object ValueAt(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index);

template <class Number>
Number NumberAt(const void* buffer, std::int64_t index) {
  Number value;
  std::memcpy(&value, static_cast<const char*>(buffer) + index * static_cast<std::int64_t>(sizeof(Number)),
              sizeof(Number));
  return value;
}

bool BitAt(const void* bits, std::int64_t index) {
  return (static_cast<const std::uint8_t*>(bits)[index / 8] >> (index % 8) & 1) != 0;
}

nb::object Text(const void* bytes, std::int64_t length) {
  PyObject* const text = PyUnicode_DecodeUTF8(static_cast<const char*>(bytes), length, nullptr);
  if (text == nullptr) throw nb::python_error();
  return nb::steal(text);
}

template <class Offset>
nb::object TextAt(const ArrowArray& array, std::int64_t index) {
  const auto begin = NumberAt<Offset>(array.buffers[1], index);
  const auto end = NumberAt<Offset>(array.buffers[1], index + 1);
  return begin == end ? Text("", 0) : Text(static_cast<const char*>(array.buffers[2]) + begin, end - begin);
}

// A view is its length, and then up to 12 bytes, or 4 bytes, the number of a buffer and where it begins in
// that.
nb::object TextOfViewAt(const ArrowArray& array, std::int64_t index) {
  const char* const view = static_cast<const char*>(array.buffers[1]) + index * 16;
  const auto length = NumberAt<std::int32_t>(view, 0);
  if (length <= 12) return Text(view + 4, length);
  const auto buffer = NumberAt<std::int32_t>(view, 2);
  const auto begin = NumberAt<std::int32_t>(view, 3);
  return Text(static_cast<const char*>(array.buffers[2 + buffer]) + begin, length);
}

template <class Offset>
nb::object ListAt(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index) {
  nb::list list;
  const auto end = NumberAt<Offset>(array.buffers[1], index + 1);
  for (auto i = NumberAt<Offset>(array.buffers[1], index); i < end; ++i) {
    list.append(ValueAt(*schema.children[0], *array.children[0], i));
  }
  return list;
}

[[noreturn]] void Refuse(const ArrowSchema& schema) {
  const std::string name = schema.name == nullptr ? "" : schema.name;
  const std::string message = "rows do not show the column '" + name + "' (Arrow format " + schema.format +
                              "); to_arrow().to_pylist() does, with pyarrow";
  throw nb::type_error(message.c_str());
}

nb::object ValueAt(const ArrowSchema& schema, const ArrowArray& array, std::int64_t index) {
  const std::string_view format = schema.format;
  index += array.offset;
  if (format == "n") return nb::none();
  if (array.buffers[0] != nullptr && !BitAt(array.buffers[0], index)) return nb::none();
  if (format == "+s") return RowAt(schema, array, index - array.offset);
  if (format == "+l") return ListAt<std::int32_t>(schema, array, index);
  if (format == "+L") return ListAt<std::int64_t>(schema, array, index);
  if (format == "u") return TextAt<std::int32_t>(array, index);
  if (format == "U") return TextAt<std::int64_t>(array, index);
  if (format == "vu") return TextOfViewAt(array, index);
  const void* const values = array.n_buffers > 1 ? array.buffers[1] : nullptr;
  if (format == "b") return nb::bool_(BitAt(values, index));
  if (format == "g") return nb::float_(NumberAt<double>(values, index));
  if (format == "f") return nb::float_(NumberAt<float>(values, index));
  std::int64_t whole = 0;
  if (format == "c") {
    whole = NumberAt<std::int8_t>(values, index);
  } else if (format == "C") {
    whole = NumberAt<std::uint8_t>(values, index);
  } else if (format == "s") {
    whole = NumberAt<std::int16_t>(values, index);
  } else if (format == "S") {
    whole = NumberAt<std::uint16_t>(values, index);
  } else if (format == "i") {
    whole = NumberAt<std::int32_t>(values, index);
  } else if (format == "I") {
    whole = NumberAt<std::uint32_t>(values, index);
  } else if (format == "l") {
    whole = NumberAt<std::int64_t>(values, index);
  } else if (format == "L") {
    return nb::int_(NumberAt<std::uint64_t>(values, index));
  } else {
    Refuse(schema);
  }
  if (schema.dictionary != nullptr) return ValueAt(*schema.dictionary, *array.dictionary, whole);
  return nb::int_(whole);
}

nb::dict RowAt(const ArrowSchema& schema, const ArrowArray& batch, std::int64_t index) {
  nb::dict row;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema& column = *schema.children[i];
    row[column.name == nullptr ? "" : column.name] =
        ValueAt(column, *batch.children[i], index + batch.offset);
  }
  return row;
}

namespace nb = nanobind;

// A stream of a table's batches.
struct Reader {
  Table table;
  std::size_t next = 0;

  // Consumers are written in any language, and know no exceptions of ours.
  template <class Work>
  static int Try(Work work) {
    try {
      work();
      return 0;
    } catch (const std::bad_alloc&) {
      return ENOMEM;
    }
  }
  static Reader& Of(ArrowArrayStream* stream) { return *static_cast<Reader*>(stream->private_data); }

  static int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
    return Try([&] { ExportShared(Of(stream).table.schema(), out); });
  }
  static int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
    Reader& reader = Of(stream);
    *out = ArrowArray{};
    if (reader.next == reader.table.batches().size()) return 0;
    return Try([&] { ExportShared(reader.table.batches()[reader.next++], out); });
  }
  static const char* GetLastError(ArrowArrayStream*) { return nullptr; }
  static void Release(ArrowArrayStream* stream) {
    delete &Of(stream);
    stream->release = nullptr;
  }
};

nb::object SchemaCapsule(const SharedSchema& schema) {
  ArrowSchema exported{};
  ExportShared(schema, &exported);
  return MakeCapsule(&exported);
}

nb::object StreamCapsule(const Table& table, const nb::object& /*requested_schema*/) {
  auto reader = std::make_unique<Reader>(Reader{table});
  ArrowArrayStream stream{Reader::GetSchema, Reader::GetNext, Reader::GetLastError, Reader::Release,
                          reader.release()};
  return MakeCapsule(&stream);
}

nb::tuple ColumnCapsules(const Column& column, const nb::object& /*requested_schema*/) {
  ArrowArray exported{};
  ExportShared(column.array, &exported);
  return nb::make_tuple(SchemaCapsule(column.schema), MakeCapsule(&exported));
}

nb::dict RowOfTable(const Table& table, std::int64_t index) {
  if (index < 0 || index >= table.rows()) throw nb::index_error("there is no such row");
  const auto batch = std::upper_bound(table.ends().begin(), table.ends().end(), index) - table.ends().begin();
  const ArrowArray& array = *table.batches()[static_cast<std::size_t>(batch)];
  return RowAt(*table.schema(), array,
               index - (table.ends()[static_cast<std::size_t>(batch)] - array.length));
}

// Returns a column of uint32 or double as a list.
nb::list ToList(const Column& column) {
  nb::list list;
  const auto* const validity = static_cast<const std::uint8_t*>(column.array->buffers[0]);
  const void* const values = column.array->buffers[1];
  const bool is_whole = std::string_view(column.schema->format) == "I";
  for (std::int64_t i = 0; i < column.array->length; ++i) {
    if (validity != nullptr && (validity[i / 8] >> (i % 8) & 1) == 0) {
      list.append(nb::none());
    } else if (is_whole) {
      list.append(static_cast<const std::uint32_t*>(values)[i]);
    } else {
      list.append(static_cast<const double*>(values)[i]);
    }
  }
  return list;
}

}  // namespace

void BindTable(nb::module_& module) {
  nb::class_<Table>(module, "Table", "Record batches in memory.")
      .def("__len__", &Table::rows)
      .def("row", RowOfTable, nb::arg("index"), "Returns a row as a dict.")
      .def("__arrow_c_schema__", [](const Table& table) { return SchemaCapsule(table.schema()); })
      .def("__arrow_c_stream__", StreamCapsule, nb::arg("requested_schema") = nb::none());
  nb::class_<Column>(module, "Column", "An Arrow array.")
      .def("__len__", [](const Column& column) { return column.array->length; })
      .def("to_list", ToList, "Returns the numbers of a column of uint32 or double.")
      .def("__arrow_c_schema__", [](const Column& column) { return SchemaCapsule(column.schema); })
      .def("__arrow_c_array__", ColumnCapsules, nb::arg("requested_schema") = nb::none());
}

}  // namespace leafscore::python
