// engine/config/config_builder.h: turns a parser's events into a ConfigValue and enforces the limits while it
// reads. Owns the tree until Take. One thread.
#ifndef LEAFSCORE_ENGINE_CONFIG_CONFIG_BUILDER_H_
#define LEAFSCORE_ENGINE_CONFIG_CONFIG_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// Within a map, keys and values come in turn; a key is a scalar.
// An anchor is a number, 0 for none. ERRORS: kUsage with source and line: too deep, too many nodes, a key
// that is no scalar, a duplicate key, a second root; and where aliases are not allowed an anchor or a merge
// key.
class ConfigBuilder {
 public:
  ConfigBuilder(std::string source_name, std::uint64_t max_nodes, bool allows_aliases);

  void Null(int line, std::size_t anchor = 0);
  void Scalar(int line, std::string text, bool quoted, std::size_t anchor = 0);
  void StartList(int line, std::size_t anchor = 0);
  void StartMap(int line, std::size_t anchor = 0);
  void End();
  // The value of an anchor comes again. COST: its nodes count again.
  void Alias(int line, std::size_t anchor);
  [[noreturn]] void Fail(int line, std::string_view message) const;

  // RETURNS: the root; a null one when there was nothing.
  ConfigValue Take();

 private:
  struct Frame {
    ConfigValue value;
    std::map<std::string, int> key_lines;
    bool has_key = false;  // the last member waits for its value
    bool merges = false;   // it has a merge key
    std::size_t anchor = 0;
  };

  void Count(int line);
  void CountAll(const ConfigValue& value, int line);
  void CheckAnchor(int line, std::size_t anchor) const;
  void Merge(ConfigValue& map) const;
  bool AtKey() const;
  void AddKey(int line, std::string key);
  void Open(int line, ConfigValue::Kind kind, std::size_t anchor);
  void Attach(ConfigValue value, std::size_t anchor);

  std::string source_name_;
  std::uint64_t max_nodes_;
  bool allows_aliases_;
  std::uint64_t nodes_ = 0;
  std::map<std::size_t, ConfigValue> anchors_;
  std::vector<Frame> open_;
  ConfigValue root_;
  bool has_root_ = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_CONFIG_BUILDER_H_
