// engine/import/uipath_members.h: reads members of UiPath's files by the rules of its own reader: names in
// camelCase or snake_case, and texts such as "yes" for bools and "2.5" for numbers.
// THREADS: safe.
#ifndef LEAFSCORE_ENGINE_IMPORT_UIPATH_MEMBERS_H_
#define LEAFSCORE_ENGINE_IMPORT_UIPATH_MEMBERS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/config/config_value.h"

namespace leafscore::internal {

class UiPathMembers {
 public:
  // `owner` names the object in messages. REQUIRES: `map` and `file` outlive this.
  UiPathMembers(const ConfigValue& map, const std::string& file, std::string owner)
      : map_(map), file_(file), owner_(std::move(owner)) {}

  // Each takes the name in camelCase. RETURNS: nullopt if the member is missing.
  // ERRORS: Error(kUsage) with file and line for a value of another type, including null.
  std::optional<std::string> Text(std::string_view name) const;
  std::optional<bool> Bool(std::string_view name) const;
  std::optional<double> Number(std::string_view name) const;
  std::optional<std::vector<std::string>> Texts(std::string_view name) const;
  // RETURNS: one of the words; the first if the member is missing.
  std::string Word(std::string_view name, const std::vector<std::string_view>& words) const;

  std::string RequiredText(std::string_view name) const;

  // Returns whether a member exists and is not null.
  bool Has(std::string_view name) const;

  // Returns the value of a member, or null if it is missing.
  const ConfigValue* Find(std::string_view name) const;
  const ConfigMember* FindMember(std::string_view name) const;

  // Returns the members with other names than these.
  std::vector<const ConfigMember*> Others(const std::vector<std::string_view>& names) const;

  [[noreturn]] void Refuse(int line, std::string_view message) const;

 private:
  [[noreturn]] void RefuseType(std::string_view name, std::string_view wanted) const;

  const ConfigValue& map_;
  const std::string& file_;
  std::string owner_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_UIPATH_MEMBERS_H_
