#include "engine/scorers/tool_calls/call_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/base/suggest.h"
#include "engine/base/text_map.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/field_accuracy/field_values.h"
#include "engine/scorers/tool_calls/count_test.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kAllOthers = "*";

// Reads the tests for a count. RETURNS: nullopt if the value has none of the forms.
std::optional<std::vector<CountTest>> TestsOf(ValueRef asked, CallReader& reader) {
  std::string buffer;
  std::vector<CountTest> tests;
  const auto add = [&](std::string_view comparator, ValueRef number) {
    const std::optional<CountComparator> known = CountComparatorOf(comparator);
    const std::optional<double> value = FieldNumber(number, buffer);
    if (known && value) tests.push_back({*known, *value});
    return known && value;
  };
  if (asked.kind() == ValueKind::kNumber) {
    if (!add("==", asked)) return std::nullopt;
  } else if (IsAnyText(asked)) {
    const std::string_view text = StripSpace(reader.TextOf(asked));
    const std::size_t digits = std::min(text.find_first_not_of("=!<> "), text.size());
    double number = 0;
    const std::string_view comparator = StripSpace(text.substr(0, digits));
    const auto known = CountComparatorOf(comparator.empty() ? "==" : comparator);
    if (!known || !ReadPythonFloat(text.substr(digits), &number)) return std::nullopt;
    tests.push_back({*known, number});
  } else if (IsArray(asked)) {
    std::vector<ValueRef> items;
    ListChildren(asked, items);
    if (items.size() != 2 || !IsAnyText(items[0]) || !add(reader.TextOf(items[0]), items[1])) {
      return std::nullopt;
    }
  } else if (IsObject(asked)) {
    bool known = true;
    reader.keys().ForEachMember(asked, [&](std::string_view key, ValueRef value) {
      known &= (key == "min" || key == "max") && add(key == "min" ? ">=" : "<=", value);
    });
    if (!known || tests.empty()) return std::nullopt;
  } else {
    return std::nullopt;
  }
  return tests;
}

bool Names(std::string_view entry, std::string_view tool, const CallRules& rules) {
  return entry != kAllOthers && rules.NamesMatch(entry, tool);
}

}  // namespace

std::string CountCalls(ValueRef expected, std::span<const ToolCall> calls, const CallRules& rules,
                       CallReader& reader, std::vector<CountEntry>& entries) {
  entries.clear();
  std::string fault;
  std::vector<std::vector<CountTest>> tests;
  reader.keys().ForEachMember(expected, [&](std::string_view name, ValueRef asked) {
    std::optional<std::vector<CountTest>> read = TestsOf(asked, reader);
    if (!read) {
      if (fault.empty()) {
        fault = fmt::format(
            "the value of {} is not a count; write it like 2, \">=1\", [\">=\", 1] or {{\"min\": 1, \"max\": "
            "3}}",
            QuoteForMessage(name));
      }
      read.emplace();
    } else if (fault.empty() && MinIsAboveMax(*read)) {
      fault = fmt::format("the value of {} is not a count: min is above max", QuoteForMessage(name));
    }
    if (rules.Ignores(name)) return;
    entries.push_back({name, asked, rules.Of(name).weight});
    tests.push_back(*std::move(read));
  });
  if (!fault.empty()) return fault;
  TextMap<std::string_view, std::uint64_t> counts;
  for (const ToolCall& call : calls) {
    if (!rules.Ignores(call.name)) ++counts[call.name];
  }
  for (const auto& [tool, count] : counts) {
    bool is_named = false;
    for (CountEntry& entry : entries) {
      if (!Names(entry.name, tool, rules)) continue;
      entry.count += count;
      is_named = true;
    }
    if (is_named) continue;
    for (CountEntry& entry : entries) {
      if (entry.name == kAllOthers) entry.count += count;
    }
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i].holds = std::ranges::all_of(
        tests[i], [&](const CountTest& test) { return test.Holds(static_cast<double>(entries[i].count)); });
  }
  return "";
}

}  // namespace leafscore::internal
