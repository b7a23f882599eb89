// engine/config/options.h: typed reading of one scorer's options against the table of those it declares.
// The table is also the source of `leafscore scorers` and of the suggestions for mistyped names.
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

// Returns a value that is a text, and no number or bool.
ConfigValue TextValue(std::string text);

// As the last line of a table: the scorer takes every other option as well (OptionReader::GetRest).
inline constexpr std::string_view kRestOfOptions = "*";

// Reads options by name; each getter returns `fallback` when the option is not given.
// ERRORS:  kUsage with source, line and owner, when an option is not in the table (on construction) or has
//          the wrong type or range; kInternal when a getter is asked for a name that is not in the table.
// THREADS: one at a time, since it notes what was read. The map and the table must outlive the reader.
class OptionReader {
 public:
  // `owner` names the scorer in messages: scorer "invoices" (json_similarity).
  OptionReader(const ConfigValue& map, std::span<const OptionSpec> specs, std::string owner,
               std::string source_name);

  // Tells whether an option is given, whatever its value.
  bool Has(std::string_view name) const { return Find(name) != nullptr; }

  // Bools and numbers follow the YAML 1.2 core schema (true, True, TRUE; 12, 0x1F, 0o17, 1e-3, .inf) and are
  // not in quotes.
  bool GetBool(std::string_view name, bool fallback) const;
  // RETURNS: a number in [min, max], never NaN.
  double GetNumber(std::string_view name, double fallback, double min, double max) const;
  // RETURNS: any scalar as it was written: 0.50 is "0.50".
  std::string GetText(std::string_view name, const std::string& fallback) const;
  // RETURNS: the index of the text among the choices.
  std::size_t GetChoice(std::string_view name, std::size_t fallback,
                        std::span<const std::string_view> choices) const;
  // RETURNS: a list of texts, one text as a list of one, empty when not given.
  std::vector<std::string> GetTextList(std::string_view name) const;
  // RETURNS: the value as it was read, a null too.
  std::optional<ConfigValue> GetAny(std::string_view name) const;
  // RETURNS: a map of the options that are not in the table, in their order.
  ConfigValue GetRest() const;

  // Returns the options as they were read, a map by name: what was given, and what stood in for the rest
  // (null where GetAny found nothing), so that two configurations that mean the same have the same.
  const ConfigValue& read() const { return read_; }

  // Notes in read() what the value of an option is taken for, where its getter cannot know.
  void Note(std::string_view name, ConfigValue value) const;

  // Where the options were read, for example a path.
  const std::string& source_name() const { return source_name_; }

  // Returns a reader of a map within an option's value, which messages call `item`: field 2.
  // ERRORS: kUsage when it is no map, and as on construction. `map` must outlive the reader.
  OptionReader Nested(const ConfigValue& map, std::span<const OptionSpec> specs, std::string_view item) const;

  // Returns the error that an option is missing or its value wrong, for checks that only the scorer can make.
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
