// Options of the C++ interface, read from Python's dicts. With the GIL.
#ifndef LEAFSCORE_PYTHON_BINDINGS_OPTIONS_H_
#define LEAFSCORE_PYTHON_BINDINGS_OPTIONS_H_

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/base/choices.h"
#include "leafscore/files.h"
#include "leafscore/options.h"
#include "leafscore/plan.h"

namespace leafscore::python {

// Returns "one of: " and the names of the choices.
std::string OneOf(const auto& choices) {
  std::string names;
  for (const auto& [choice, meaning] : choices)
    names.append(names.empty() ? "one of: " : ", ").append(choice);
  return names;
}

// Returns what a choice means; the meaning of the first one for an empty text. ERRORS: ValueError for
// another.
template <class Choice, class Choices = std::initializer_list<std::pair<const char*, Choice>>>
Choice ChoiceOf(const char* name, const std::string& given, const Choices& choices) {
  for (const auto& [choice, meaning] : choices) {
    if (given.empty() || given == choice) return meaning;
  }
  throw nanobind::value_error((std::string(name) + " is " + OneOf(choices)).c_str());
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
    if (!nanobind::try_cast(found, value)) ThrowType(name, found, KindOf<Value>());
    return true;
  }

  // Takes a value of engine/base/choices.h. ERRORS: ValueError for another choice.
  template <class Choice>
  requires std::is_enum_v<Choice>
  void Take(const char* name, Choice& value) {
    const auto& choices = internal::ChoicesOf(value);
    const nanobind::object found = Find(name);
    if (found.is_none()) return;
    std::string given;
    if (!nanobind::try_cast(found, given)) ThrowType(name, found, OneOf(choices));
    if (!given.empty()) value = ChoiceOf<Choice>(name, given, choices);
  }

  // ERRORS: ValueError for another choice.
  template <class Choice>
  void Take(const char* name, Choice& value, std::initializer_list<std::pair<const char*, Choice>> choices) {
    std::string given;
    Take(name, given);
    if (!given.empty()) value = ChoiceOf<Choice>(name, given, choices);
  }

  // ERRORS: TypeError for options that nobody took.
  void End() const;

 private:
  nanobind::object Find(const char* name);
  [[noreturn]] static void ThrowType(const char* name, const nanobind::object& value,
                                     const std::string& kind);

  // Returns what a value of the type is called in Python.
  template <class Value>
  static constexpr const char* KindOf() {
    if constexpr (std::same_as<Value, bool>) return "True or False";
    if constexpr (std::integral<Value>) return "a whole number";
    if constexpr (std::floating_point<Value>) return "a number";
    if constexpr (std::same_as<Value, std::string>) return "a text";
    if constexpr (std::is_pointer_v<Value>) return "a leafscore.Judges, as Judges(cache='replies.db')";
    return "a list of texts";
  }

  nanobind::dict given_;
  std::size_t taken_ = 0;
  std::string names_;
};

// Makes a plan of scorers, each a type or a dict of its type, name and options.
Plan MakePlan(const nanobind::list& scorers);

// Takes the options of a run (engine/base/run_options.h), and who asks models.
void TakeRunOptions(OptionReader& reader, EngineOptions& options);
void TakeRunOptions(OptionReader& reader, FileOptions& options);

// Returns the names of the options of scoring pairs.
std::vector<std::string> PairOptionNames();

}  // namespace leafscore::python

#endif  // LEAFSCORE_PYTHON_BINDINGS_OPTIONS_H_
