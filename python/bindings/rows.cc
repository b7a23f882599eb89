#include "python/bindings/rows.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace leafscore::python {
namespace {

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
  // Runs and unions have no bits for nulls.
  if (format.starts_with("+r") || format.starts_with("+u")) Refuse(schema);
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

}  // namespace

nb::dict RowAt(const ArrowSchema& schema, const ArrowArray& batch, std::int64_t index) {
  nb::dict row;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema& column = *schema.children[i];
    row[column.name == nullptr ? "" : column.name] =
        ValueAt(column, *batch.children[i], index + batch.offset);
  }
  return row;
}

}  // namespace leafscore::python
