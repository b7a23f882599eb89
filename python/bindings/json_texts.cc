// Values of Python as JSON texts: the bytes of json.dumps with characters as they are and no blanks.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/json/json_text.h"
#include "engine/languages/python_repr.h"
#include "python/bindings/bindings.h"

namespace leafscore::python {
namespace {

namespace nb = nanobind;

constexpr int kMaxDepth = 200;  // what is deeper is left to json, which knows values that hold themselves

// Writes values of JSON's own kinds, and others as the values that member_of(value) returns.
// Each Append returns false for what json has to write, or to refuse.
class JsonTextWriter {
 public:
  explicit JsonTextWriter(nb::callable member_of) : member_of_(std::move(member_of)) {}

  // Returns nothing where json has to write the value. ERRORS: exceptions that are no Exception, as Ctrl-C.
  std::optional<nb::bytes> Write(nb::handle value) {
    text_.clear();
    if (!Append(value.ptr(), 0)) return std::nullopt;
    return nb::bytes(text_.data(), text_.size());
  }

 private:
  bool Append(PyObject* value, int depth) {
    const PyTypeObject* const type = Py_TYPE(value);
    if (type == &PyUnicode_Type) return AppendText(value);
    if (type == &PyLong_Type) return AppendWhole(value);
    if (type == &PyFloat_Type) return AppendReal(PyFloat_AsDouble(value));
    if (value == Py_None || value == Py_True || value == Py_False) {
      text_ += value == Py_None ? "null" : value == Py_True ? "true" : "false";
      return true;
    }
    if (depth == kMaxDepth) return false;
    if (type == &PyDict_Type) return AppendDict(value, depth);
    if (type == &PyList_Type || type == &PyTuple_Type) return AppendItems(value, depth);
    const nb::object member = nb::steal(PyObject_CallOneArg(member_of_.ptr(), value));
    return member.is_valid() ? Append(member.ptr(), depth + 1) : Forget();
  }

  bool AppendText(PyObject* text) {
    Py_ssize_t size = 0;
    const char* const utf8 = PyUnicode_AsUTF8AndSize(text, &size);
    if (utf8 == nullptr) return Forget();  // half a character
    internal::AppendJsonString(text_, {utf8, static_cast<std::size_t>(size)});
    return true;
  }

  bool AppendWhole(PyObject* number) {
    int overflow = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow == 0) text_ += std::to_string(whole);
    return overflow == 0;
  }

  bool AppendReal(double number) {
    if (!std::isfinite(number)) return false;
    internal::AppendPythonReal(number, text_);
    return true;
  }

  bool AppendDict(PyObject* dict, int depth) {
    const nb::ft_object_guard guard{nb::handle(dict)};
    text_ += '{';
    PyObject* key = nullptr;
    PyObject* value = nullptr;
    Py_ssize_t position = 0;
    for (bool is_first = true; PyDict_Next(dict, &position, &key, &value) != 0; is_first = false) {
      if (!is_first) text_ += ',';
      if (Py_TYPE(key) != &PyUnicode_Type || !AppendText(key)) return false;
      text_ += ':';
      const nb::object member = nb::borrow(value);  // member_of may take it out of the dict
      if (!Append(member.ptr(), depth + 1)) return false;
    }
    text_ += '}';
    return true;
  }

  bool AppendItems(PyObject* items, int depth) {
    text_ += '[';
    for (Py_ssize_t i = 0; i < PySequence_Size(items); ++i) {
      if (i != 0) text_ += ',';
      const nb::object item = nb::steal(PySequence_GetItem(items, i));
      if (!item.is_valid()) return Forget();  // another thread has made the list shorter
      if (!Append(item.ptr(), depth + 1)) return false;
    }
    text_ += ']';
    return true;
  }

  static bool Forget() {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) nb::raise_python_error();
    PyErr_Clear();
    return false;
  }

  nb::callable member_of_;
  std::string text_;
};

std::optional<nb::bytes> JsonText(const nb::object& value, const nb::callable& member_of) {
  return JsonTextWriter(member_of).Write(value);
}

// Returns the values with JSON in place of all but None, bytes and, unless they are values, strings; and the
// numbers of the rows that json has to write.
nb::tuple JsonTexts(const nb::list& values, bool strings_are_values, const nb::callable& member_of) {
  JsonTextWriter writer(member_of);
  nb::list texts;
  nb::list others;
  for (const nb::handle value : values) {
    const PyTypeObject* const type = Py_TYPE(value.ptr());
    if (value.is_none() || type == &PyBytes_Type || (type == &PyUnicode_Type && !strings_are_values)) {
      texts.append(value);
    } else if (const std::optional<nb::bytes> text = writer.Write(value)) {
      texts.append(*text);
    } else {
      others.append(texts.size());
      texts.append(value);
    }
  }
  return nb::make_tuple(texts, others);
}

}  // namespace

void BindJsonTexts(nb::module_& module) {
  module.def("json_text", JsonText, nb::arg("value").none(), nb::arg("member_of"),
             "Returns a value as JSON, or None for one that json has to write.");
  module.def("json_texts", JsonTexts, nb::arg("values"), nb::arg("strings_are_values"), nb::arg("member_of"),
             "Returns values as the texts of a column, and the rows of those that json has to write.");
}

}  // namespace leafscore::python
