// engine/config/options.h: reads the options of a scorer, with the types in the scorer's table of options.
// The same table gives the output of `leafscore scorers`, and the suggestions for mistyped names.
#ifndef LEAFSCORE_ENGINE_CONFIG_OPTIONS_H_
#define LEAFSCORE_ENGINE_CONFIG_OPTIONS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/limits.h"
#include "engine/config/config_value.h"

namespace leafscore::internal {

struct OptionSpec {
  std::string_view name;
  std::string_view type;  // for people: "bool", "number", "text", "text or list of texts", ...
  std::string_view default_text;
  std::string_view help;

  // Returns the option with another default or another meaning.
  constexpr OptionSpec WithDefault(std::string_view other) const { return {name, type, other, help}; }
  constexpr OptionSpec WithHelp(std::string_view other) const { return {name, type, default_text, other}; }
};

// Returns a value that is a text, never a number or bool.
ConfigValue TextValue(std::string text);

// A scorer whose table ends with an option of this name accepts any other option (OptionReader::GetRest).
inline constexpr std::string_view kRestOfOptions = "*";

// Reads options by name. Each getter returns `fallback` if the option is not given. The map and the table
// must outlive the reader.
// ERRORS:  Error(kUsage) with source, line and owner, if an option is not in the table (on construction), or
//          has the wrong type or range; Error(kInternal) if a getter is called with a name that is not in the
//          table.
// THREADS: one at a time, because the reader records which options were read.
class OptionReader {
 public:
  // `owner` names the scorer in messages: scorer "invoices" (json_similarity).
  OptionReader(const ConfigValue& map, std::span<const OptionSpec> specs, std::string owner,
               std::string source_name);

  // Returns whether an option is given, whatever its value is.
  bool Has(std::string_view name) const { return Find(name) != nullptr; }

  // Bools and numbers follow the YAML 1.2 core schema (true, True, TRUE; 12, 0x1F, 0o17, 1e-3, .inf) and must
  // not be quoted.
  bool GetBool(std::string_view name, bool fallback) const;
  // RETURNS: a number in [min, max], never NaN.
  double GetNumber(std::string_view name, double fallback, double min, double max) const;
  // RETURNS: a number within the limit, rounded down; the default of the limit if the option is not given.
  std::uint64_t GetNumber(std::string_view name, const Limit& limit) const;
  // RETURNS: a time from a millisecond to a day, rounded down.
  std::chrono::milliseconds GetMilliseconds(std::string_view name, double fallback) const;
  // RETURNS: a scalar as it was written: 0.50 is "0.50".
  std::string GetText(std::string_view name, const std::string& fallback) const;
  // RETURNS: the index of the given text in `choices`.
  std::size_t GetChoice(std::string_view name, std::size_t fallback,
                        std::span<const std::string_view> choices) const;
  // RETURNS: a list of texts; a single text becomes a list of one text; empty if the option is not given.
  std::vector<std::string> GetTextList(std::string_view name) const;
  // RETURNS: the value as read, which may be null.
  std::optional<ConfigValue> GetAny(std::string_view name) const;
  // As GetAny, for a list or a map. ERRORS: Error(kUsage) with `advice` for any other value, including null.
  std::optional<ConfigValue> GetList(std::string_view name, std::string_view advice) const;
  std::optional<ConfigValue> GetMap(std::string_view name, std::string_view advice) const;
  // RETURNS: a map of the options that are not in the table, in their order.
  ConfigValue GetRest() const;

  // Returns a map of all options with the values in effect: the given values, and the fallbacks of the other
  // options (null if GetAny found no value). Configurations with the same meaning therefore give the same
  // map.
  const ConfigValue& read() const { return read_; }

  // Sets the value of an option in read(). A scorer calls this if it understands the value in a way that the
  // getter cannot know.
  void Note(std::string_view name, ConfigValue value) const;

  // Returns the name of the source of the options, for example a path.
  const std::string& source_name() const { return source_name_; }

  // Returns a reader for a map within the value of an option. `item` is the map's name in messages, such as
  // field 2. `map` must outlive the reader.
  // ERRORS: Error(kUsage) if the value is not a map; otherwise as on construction.
  OptionReader Nested(const ConfigValue& map, std::span<const OptionSpec> specs, std::string_view item) const;

  // Calls read(reader) for each map in the list that is the value of the option `fields`. Messages name these
  // maps field 1, field 2, ...
  // ERRORS: as GetList and Nested.
  void ForEachField(std::span<const OptionSpec> specs, std::string_view advice,
                    const std::function<void(const OptionReader& field)>& read) const;

  // Makes the error for an option that is missing or has a wrong value. Scorers call this for checks that
  // only they can make.
  Error MakeError(std::string_view name, std::string_view message) const;

 private:
  bool Declares(std::string_view name) const;
  const ConfigMember* Find(std::string_view name) const;
  std::optional<ConfigValue> GetKind(std::string_view name, ConfigValue::Kind kind,
                                     std::string_view advice) const;
  Error WrongValue(const ConfigMember& member, const ConfigValue& value, std::string_view expected) const;

  const ConfigValue& map_;
  std::span<const OptionSpec> specs_;
  std::string owner_;
  std::string source_name_;
  mutable ConfigValue read_;
};

// An option of many scorers. A scorer whose default or meaning differs says so in its table.
inline constexpr OptionSpec kThresholdOption{"threshold", "number from 0 to 1", "1",
                                             "score from which a record passes"};
inline double ReadThreshold(const OptionReader& options, double fallback = 1) {
  return options.GetNumber(kThresholdOption.name, fallback, 0, 1);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_OPTIONS_H_
