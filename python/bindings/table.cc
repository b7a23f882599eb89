#include "python/bindings/table.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>

#include "python/bindings/bindings.h"
#include "python/bindings/rows.h"

namespace leafscore::python {
namespace {

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
