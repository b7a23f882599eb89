// engine/config/config_builder.h: turns a parser's events into a ConfigValue and enforces the limits while it
// reads. Owns the tree until Take. One thread.
#ifndef LEAFSCORE_ENGINE_CONFIG_CONFIG_BUILDER_H_
#define LEAFSCORE_ENGINE_CONFIG_CONFIG_BUILDER_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// Within a map, keys and values come in turn; a key is a scalar.
// ERRORS: kUsage with source and line: too deep, too many nodes, a key that is no scalar, a duplicate key,
//         a merge key, a second root.
class ConfigBuilder {
 public:
  explicit ConfigBuilder(std::string source_name);

  void Null(int line);
  void Scalar(int line, std::string text, bool quoted);
  void StartList(int line);
  void StartMap(int line);
  void End();
  [[noreturn]] void Fail(int line, std::string_view message) const;

  // RETURNS: the root; a null one when there was nothing.
  ConfigValue Take();

 private:
  struct Frame {
    ConfigValue value;
    std::map<std::string, int> key_lines;
    bool has_key = false;  // the last member waits for its value
  };

  void Count(int line);
  bool AtKey() const;
  void AddKey(int line, std::string key);
  void Open(int line, ConfigValue::Kind kind);
  void Attach(ConfigValue value);

  std::string source_name_;
  std::uint64_t nodes_ = 0;
  std::vector<Frame> open_;
  ConfigValue root_;
  bool has_root_ = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_CONFIG_BUILDER_H_
