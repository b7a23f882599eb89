// Options of the C++ interface, read from Python's dicts. With the GIL.
#ifndef LEAFSCORE_PYTHON_BINDINGS_OPTIONS_H_
#define LEAFSCORE_PYTHON_BINDINGS_OPTIONS_H_

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

#include "leafscore/options.h"
#include "leafscore/plan.h"

namespace leafscore::python {

// Returns what a choice means; the meaning of the first one for an empty text. ERRORS: ValueError for
// another.
template <class Choice>
Choice ChoiceOf(const char* name, const std::string& given,
                std::initializer_list<std::pair<const char*, Choice>> choices) {
  if (given.empty()) return choices.begin()->second;
  std::string names;
  for (const auto& [choice, meaning] : choices) {
    if (given == choice) return meaning;
    names += (names.empty() ? "" : ", ") + std::string(choice);
  }
  throw nanobind::value_error((std::string(name) + " is one of: " + names).c_str());
}

// Takes options out of a dict one by one. Those that are None keep their defaults.
class OptionReader {
 public:
  explicit OptionReader(const nanobind::dict& given) : given_(given) {}

  // RETURNS: whether it was given. ERRORS: TypeError for a value of another type.
  template <class Value>
  bool Take(const char* name, Value& value) {
    const nanobind::object found = Find(name);
    if (found.is_none()) return false;
    if (!nanobind::try_cast(found, value)) ThrowType(name, found);
    return true;
  }

  // ERRORS: ValueError for another choice.
  template <class Choice>
  void Take(const char* name, Choice& value, std::initializer_list<std::pair<const char*, Choice>> choices) {
    std::string given;
    Take(name, given);
    if (!given.empty()) value = ChoiceOf(name, given, choices);
  }

  // ERRORS: TypeError for options that nobody took.
  void End() const;

 private:
  nanobind::object Find(const char* name);
  [[noreturn]] static void ThrowType(const char* name, const nanobind::object& value);

  nanobind::dict given_;
  std::size_t taken_ = 0;
  std::string names_;
};

// Makes a plan of scorers, each a type or a dict of its type, name and options.
Plan MakePlan(const nanobind::list& scorers);

// Takes the options that all calls have.
void TakeEngineOptions(OptionReader& reader, EngineOptions& options);

// Takes these, and the options of files of records: fields, groups and limits.
void TakeRecordOptions(OptionReader& reader, FileOptions& options);

// Takes the level of detail.
void TakeDetails(OptionReader& reader, DetailLevel& details);

// Takes the rule for several answers to one id.
void TakeRepeats(OptionReader& reader, Repeats& repeats);

}  // namespace leafscore::python

#endif  // LEAFSCORE_PYTHON_BINDINGS_OPTIONS_H_
