#include "python/bindings/errors.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <system_error>

#include "leafscore/error.h"
#include "leafscore/report.h"

namespace leafscore::python {
namespace {

namespace nb = nanobind;

const char* CodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kInput:
      return "input";
    case ErrorCode::kOutput:
      return "output";
    case ErrorCode::kInterrupted:
      return "interrupted";
    case ErrorCode::kResources:
      return "resources";
    case ErrorCode::kInternal:
      break;
  }
  return "internal";
}

// Texts of errors may quote bytes that are not UTF-8.
nb::object TextOf(const std::string& text) {
  return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

void Raise(const Error& error, const nb::object& report) {
  const nb::object type = nb::module_::import_("leafscore._errors").attr("Error");
  const ConfigLocation& where = error.location();
  const nb::object raised =
      type(TextOf(error.what()), CodeName(error.code()), where.line > 0 ? nb::cast(where.line) : nb::none(),
           where.option.empty() ? nb::object(nb::none()) : TextOf(where.option),
           where.source.empty() ? nb::object(nb::none()) : TextOf(where.source), report);
  PyErr_SetObject(type.ptr(), raised.ptr());
}

void Translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const RunError& error) {
    Raise(error, TextOf(error.report().ToJson()));
  } catch (const Error& error) {
    Raise(error, nb::none());
  } catch (const std::system_error& error) {  // of a thread that cannot be started
    Raise(Error(ErrorCode::kResources, error.what()), nb::none());
  }
}

}  // namespace

void RegisterErrors() { nb::register_exception_translator(Translate); }

}  // namespace leafscore::python
