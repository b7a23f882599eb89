// engine/config/options.h: reads the options of one scorer with their types, as declared in the scorer's
// table. `leafscore scorers` and the suggestions for mistyped names come from the same table.
#ifndef LEAFSCORE_ENGINE_CONFIG_OPTIONS_H_
#define LEAFSCORE_ENGINE_CONFIG_OPTIONS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/config_value.h"

namespace leafscore::internal {

struct OptionSpec {
  std::string_view name;
  std::string_view type;  // for people: "bool", "number", "text", "text or list of texts", ...
  std::string_view default_text;
  std::string_view help;
};

// Returns a value that is a text, never a number or bool.
ConfigValue TextValue(std::string text);

// The last line of a table may have this name: the scorer then accepts any other option
// (OptionReader::GetRest).
inline constexpr std::string_view kRestOfOptions = "*";

// Reads options by name; each getter returns `fallback` if the option is not given.
// ERRORS: Error(kUsage) with source, line and owner, if an option is not in the table (on construction) or
// has the wrong type or range; Error(kInternal) if a getter is asked for a name that is not in the table.
// THREADS: one at a time, since it records what was read. The map and the table must outlive the reader.
class OptionReader {
 public:
  // `owner` names the scorer in messages: scorer "invoices" (json_similarity).
  OptionReader(const ConfigValue& map, std::span<const OptionSpec> specs, std::string owner,
               std::string source_name);

  // Tells whether an option is given, whatever its value.
  bool Has(std::string_view name) const { return Find(name) != nullptr; }

  // Bools and numbers follow the YAML 1.2 core schema (true, True, TRUE; 12, 0x1F, 0o17, 1e-3, .inf) and must
  // not be quoted.
  bool GetBool(std::string_view name, bool fallback) const;
  // RETURNS: a number in [min, max], never NaN.
  double GetNumber(std::string_view name, double fallback, double min, double max) const;
  // RETURNS: any scalar as written: 0.50 is "0.50".
  std::string GetText(std::string_view name, const std::string& fallback) const;
  // RETURNS: the index of the text in the choices.
  std::size_t GetChoice(std::string_view name, std::size_t fallback,
                        std::span<const std::string_view> choices) const;
  // RETURNS: a list of texts; a single text is a list of one; empty if not given.
  std::vector<std::string> GetTextList(std::string_view name) const;
  // RETURNS: the value as read, which may be a null.
  std::optional<ConfigValue> GetAny(std::string_view name) const;
  // RETURNS: a map of the options that are not in the table, in their order.
  ConfigValue GetRest() const;

  // Returns the options with the values in effect, a map by name: the given values, and the fallbacks for the
  // rest (null if GetAny found no value). Configurations that mean the same therefore give the same map.
  const ConfigValue& read() const { return read_; }

  // Sets in read() how the value of an option is understood, if the getter cannot know.
  void Note(std::string_view name, ConfigValue value) const;

  // Returns where the options come from, for example a path.
  const std::string& source_name() const { return source_name_; }

  // Returns a reader for a map within an option's value, which messages call `item`: field 2.
  // ERRORS: Error(kUsage) if it is not a map, and as on construction. `map` must outlive the reader.
  OptionReader Nested(const ConfigValue& map, std::span<const OptionSpec> specs, std::string_view item) const;

  // Returns the error that an option is missing or has a wrong value, for checks that only the scorer can
  // make.
  Error MakeError(std::string_view name, std::string_view message) const;

 private:
  bool Declares(std::string_view name) const;
  const ConfigMember* Find(std::string_view name) const;
  Error WrongValue(const ConfigMember& member, const ConfigValue& value, std::string_view expected) const;

  const ConfigValue& map_;
  std::span<const OptionSpec> specs_;
  std::string owner_;
  std::string source_name_;
  mutable ConfigValue read_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_OPTIONS_H_
