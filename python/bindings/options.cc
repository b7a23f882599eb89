#include "python/bindings/options.h"

#include <cstdint>
#include <vector>

#include "engine/base/run_options.h"
#include "python/bindings/judges.h"

namespace leafscore::python {
namespace {

namespace nb = nanobind;

constexpr int kMaxOptionDepth = 64;

OptionValue ReadValue(const nb::handle& value, int depth) {
  if (depth > kMaxOptionDepth) throw nb::value_error("an option is nested too deeply");
  if (value.is_none()) return {};
  if (nb::isinstance<nb::bool_>(value)) return OptionValue(nb::cast<bool>(value));
  if (nb::isinstance<nb::int_>(value)) {
    const long long number = PyLong_AsLongLong(value.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) nb::raise_python_error();
    return OptionValue(static_cast<std::int64_t>(number));
  }
  if (nb::isinstance<nb::float_>(value)) return OptionValue(nb::cast<double>(value));
  if (nb::isinstance<nb::str>(value)) return OptionValue(nb::cast<std::string>(value));
  if (nb::isinstance<nb::dict>(value)) {
    OptionValue::Map members;
    for (const auto [name, member] : nb::borrow<nb::dict>(value)) {
      members.push_back({nb::cast<std::string>(nb::str(name)), ReadValue(member, depth + 1)});
    }
    return OptionValue(std::move(members));
  }
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    OptionValue::List items;
    for (const nb::handle item : value) items.push_back(ReadValue(item, depth + 1));
    return OptionValue(std::move(items));
  }
  throw nb::type_error("options are None, bools, numbers, texts, lists and dicts of these");
}

template <class Options>
void TakeFromTable(OptionReader& reader, Options& options) {
  internal::ForEachOption(options,
                          [&](const auto& option, auto& value) { reader.Take(option.name.data(), value); });
  const Judges* judges = nullptr;
  if (reader.Take("judges", judges)) options.judges = judges->service();
}

}  // namespace

nb::object OptionReader::Find(const char* name) {
  const nb::str key(name);
  names_ += (names_.empty() ? "" : ", ") + std::string(name);
  if (!given_.contains(key)) return nb::none();
  ++taken_;
  return given_[key];
}

void OptionReader::ThrowType(const char* name, const nb::object& value, const std::string& kind) {
  const std::string given = nb::repr(value).c_str();
  throw nb::type_error((std::string(name) + " does not take the value " + given + "; it is " + kind).c_str());
}

void OptionReader::End() const {
  if (taken_ == given_.size()) return;
  const std::string valid = ", " + names_ + ",";
  for (const auto& [name, value] : given_) {
    const std::string given = nb::str(name).c_str();
    if (valid.find(", " + given + ",") != std::string::npos) continue;
    throw nb::type_error(("unknown option '" + given + "'; valid: " + names_).c_str());
  }
}

Plan MakePlan(const nb::list& scorers) {
  std::vector<ScorerConfig> configs;
  for (const nb::handle scorer : scorers) {
    ScorerConfig& config = configs.emplace_back();
    if (nb::isinstance<nb::str>(scorer)) {
      config.type = nb::cast<std::string>(scorer);
      continue;
    }
    if (!nb::isinstance<nb::dict>(scorer)) {
      throw nb::type_error("a scorer is the name of its type, or a dict of type, name and options");
    }
    for (const auto [key, value] : nb::borrow<nb::dict>(scorer)) {
      const auto name = nb::cast<std::string>(nb::str(key));
      const bool is_text = nb::isinstance<nb::str>(value);
      if (name == "type" && is_text) {
        config.type = nb::cast<std::string>(value);
      } else if (name == "name" && is_text) {
        config.name = nb::cast<std::string>(value);
      } else {
        config.options.push_back({name, ReadValue(value, 0)});
      }
    }
  }
  return Plan(configs);
}

void TakeRunOptions(OptionReader& reader, EngineOptions& options) { TakeFromTable(reader, options); }
void TakeRunOptions(OptionReader& reader, FileOptions& options) { TakeFromTable(reader, options); }

std::vector<std::string> PairOptionNames() {
  std::vector<std::string> names;
  internal::ForEachOption(EngineOptions(),
                          [&](const auto& option, const auto&) { names.emplace_back(option.name); });
  names.emplace_back("judges");
  return names;
}

}  // namespace leafscore::python
